"""The formal languages, by name."""

from collections.abc import Mapping
from typing import Any

from nlfol.logic.languages.first_order import FirstOrder, Propositional
from nlfol.logic.languages.language import Language, LanguageName
from nlfol.logic.languages.regular import Regular

LANGUAGES: Mapping[LanguageName, Language[Any]] = {
    language.name: language for language in (FirstOrder(), Propositional(), Regular())
}
