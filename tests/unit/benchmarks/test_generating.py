"""The English of generated items, a tenth of what the benchmark reads back."""

from dataclasses import replace

import pytest
from benchmarks.generating import SETS, read_back

from nlfol.data.entries.grammar import GRAMMARS
from nlfol.data.grammars.generation import Drawn, Generation
from nlfol.data.grammars.vocabularies import read_vocabulary
from nlfol.logic.languages.first_order import Propositional
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.syntax import Formula

AUDITED = {name: recipe for name, recipe in SETS.items() if recipe.protocol == "audited"}


def drawn(name: str, count: int) -> list[Drawn]:
    """So many items of the least, the middle and the greatest value."""
    values = AUDITED[name].values
    recipe = replace(AUDITED[name], values=(values[0], values[len(values) // 2], values[-1]), count=count)
    return [item for item in Generation(recipe, 5).items() if item.refusal is None]


def test_audited_sets_cover_grammars_with_fitting_vocabularies() -> None:
    fitting = {
        (grammar, name)
        for name in ("names", "english", "meanings")
        for grammar, language in GRAMMARS.items()
        if language in read_vocabulary(name).languages
    }
    assert {(recipe.grammar, recipe.vocabulary) for recipe in AUDITED.values()} == fitting
    assert len(AUDITED) == len(fitting) == 10


@pytest.mark.parametrize("name", AUDITED)
def test_generated_english_reads_back_at_every_size(name: str) -> None:
    language = LANGUAGES[AUDITED[name].read()[0].language]
    assert read_back(language, drawn(name, 30)) == 90


def test_read_back_mismatch_raises_error() -> None:
    class Careless(Propositional):
        def read_english(self, text: str, ontology: Ontology) -> Formula:
            return super().read_english(text.replace(" and ", " or "), ontology)

    items = drawn("propositional", 2)
    with pytest.raises(AssertionError, match=r"p\d+.* is read back otherwise from: .* and "):
        read_back(Careless(), items)
