import pytest

from nlfol.logic import Outcome
from nlfol.logic.equivalence import Contingency
from nlfol.logic.languages.language import ReadingError, UnknownSymbolError
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.ontology.ontology import Ontology

REGULAR = LANGUAGES["regular"]
PUBLISHED, FULL = Ontology(alphabet="01"), Ontology(alphabet="01|+?")


def test_inequivalence_comes_with_shortest_word() -> None:
    comparison = REGULAR.compare(REGULAR.parse("0*1"), REGULAR.parse("1*0"))
    assert (comparison.outcome, comparison.word) == (Outcome.NOT_EQUIVALENT, "0")
    assert REGULAR.compare(REGULAR.parse("(01)*0"), REGULAR.parse("0(10)*")).outcome is Outcome.EQUIVALENT


def test_unoffered_operators_and_letters_are_invalid() -> None:
    read = REGULAR.read("Regex: `(0|1)*`.", PUBLISHED)
    assert read.sentence is REGULAR.parse("(0|1)*")
    assert read.repairs
    REGULAR.check(read.sentence, FULL)
    with pytest.raises(UnknownSymbolError, match=r"operators that may not be used: \|"):
        REGULAR.check(read.sentence, PUBLISHED)
    with pytest.raises(UnknownSymbolError, match="letters outside the alphabet: 2"):
        REGULAR.check(REGULAR.parse("02*"), FULL)
    with pytest.raises(ReadingError):
        REGULAR.read("(0", PUBLISHED)


def test_contingency_recognizes_full_language() -> None:
    assert REGULAR.contingency(REGULAR.parse("(0*1*)*"), PUBLISHED) is Contingency.VALID
    assert REGULAR.contingency(REGULAR.parse("0*"), PUBLISHED) is Contingency.CONTINGENT
    assert REGULAR.contingency(REGULAR.parse("0*"), Ontology(alphabet="0")) is Contingency.VALID


@pytest.mark.parametrize("ontology", [PUBLISHED, FULL])
def test_edits_respect_alphabet_and_laws_preserve_meaning(ontology: Ontology) -> None:
    expression = REGULAR.parse("(01*)*0")
    edited = list(REGULAR.edits(expression, ontology))
    rewritten = list(REGULAR.rewrites(expression, ontology))
    assert edited
    assert rewritten
    for change in edited + rewritten:
        REGULAR.check(change.sentence, ontology)
        assert change.sentence is not expression
    assert all(REGULAR.compare(expression, law.sentence).outcome is Outcome.EQUIVALENT for law in rewritten)


def test_english_reads_back_and_automaton_is_measured() -> None:
    expression = REGULAR.parse("(01)*1")
    assert REGULAR.read_english(REGULAR.render(expression, PUBLISHED), PUBLISHED) is expression
    measures = REGULAR.measures(expression)
    assert (measures["states"], measures["edges"], measures["density"], measures["star"]) == (3, 3, 0.5, 1)
