"""Who does round trips without being a language model.

The *reader* puts a formula into unambiguous English and reads that back: the ceiling. The *echo* repeats what it is
shown: its formulas are true, and all of them copied. The *constant* says the commonest meaning of an item's category,
whatever it is shown: the share of items that have it is the floor.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from nlfol.languages.language import ReadingError
from nlfol.languages.registry import LANGUAGES
from nlfol.logic.decision.verdicts import Outcome
from nlfol.tasks.chains import Policy, follow
from nlfol.tasks.item import Item
from nlfol.tasks.meanings import Sentence
from nlfol.tasks.reference import Asked, ReaderError, Reference, said

_Category = tuple[str, int | None]


def round_trip_reference(model_kind: str, items: Sequence[Item], policy: Policy) -> Reference:
    """How a reader, an echo or a constant answers the steps of a round trip over some items."""
    commonest = commonest_meanings(items) if model_kind == "constant" else {}

    def answered(asked: Asked) -> str:
        item = asked.item
        waiting = follow(item, asked.replies, policy).rounds[-1]
        english = waiting.english.text if waiting.english else None
        match model_kind:
            case "reader":
                return _read(item, waiting.before, english)
            case "echo":
                shown = LANGUAGES[item.language].write(waiting.before)
                return said("I repeat it.", shown if english is None else english)
            case _:
                sentence = commonest[item.language, item.category]
                written = LANGUAGES[item.language].write(sentence)
                return said("I always say the same.", "I always say the same." if english is None else written)

    return answered


def _read(item: Item, sentence: Sentence, english: str | None) -> str:
    language = LANGUAGES[item.language]
    try:
        if english is None:
            return said("By the grammar of unambiguous English.", language.render(sentence, item.ontology))
        return said("By the same grammar.", language.write(language.read_english(english, item.ontology)))
    except (ReadingError, ValueError) as error:
        raise ReaderError(str(error)) from error


def commonest_meanings(items: Sequence[Item]) -> Mapping[_Category, Sentence]:
    """Of each language and category a sentence of the meaning that most of its items have, the first of equals."""
    counts: defaultdict[_Category, Counter[Sentence]] = defaultdict(Counter)
    for item in items:
        language, meanings = LANGUAGES[item.language], counts[item.language, item.category]
        sentence: Sentence = language.parse(item.formula)
        same = (other for other in meanings if language.compare(other, sentence).outcome is Outcome.EQUIVALENT)
        meanings[next(same, sentence)] += 1
    return {category: meanings.most_common(1)[0][0] for category, meanings in counts.items()}
