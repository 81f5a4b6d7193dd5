"""Generated sentences whose order of mention does not depend on what implies what."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest
from scipy.stats import chi2_contingency
from tests.unit.logic.document import tarski_formulas, tarski_ontology

from nlfol.logic.english import wording
from nlfol.logic.english.reading import read_english
from nlfol.logic.english.unambiguous import render
from nlfol.logic.english.wording import WORDINGS, EnglishSyntaxError, Wording
from nlfol.logic.equivalence import Outcome, equivalence
from nlfol.logic.printing import to_bracketed
from nlfol.logic.reading import parse
from nlfol.logic.syntax import Formula, Implies, subformulas
from nlfol.randomness import generator
from nlfol.sets.drawn import sentence
from nlfol.tasks import cues
from nlfol.tasks.item_rows import Exemplars, sentence_row
from nlfol.tasks.registry import build_task

TARSKI = tarski_ontology()

CONVERSES = [
    ("Cube(f) → Small(b)", "Small(b) → Cube(f)"),
    ("∀x (Cube(x) → Larger(x, b))", "∀x (Larger(x, b) → Cube(x))"),
    ("∀x (Cube(x) → Small(f))", "∀x (Small(f) → Cube(x))"),
    ("Cube(f) ∧ Small(b) → Tet(c)", "Tet(c) → Cube(f) ∧ Small(b)"),
    ("Cube(f) ∨ ∃x Tet(x) → ¬Tet(c)", "¬Tet(c) → Cube(f) ∨ ∃x Tet(x)"),
    ("(Cube(f) → Small(b)) → Tet(c)", "Tet(c) → (Cube(f) → Small(b))"),
    ("¬(Cube(f) → Small(b) ∧ ∀x Tet(x))", "¬(Small(b) ∧ ∀x Tet(x) → Cube(f))"),
    ("Tet(c) ∧ (Cube(f) → Small(b))", "Tet(c) ∧ (Small(b) → Cube(f))"),
]
"""Formulas that are each other's converse at one place."""

CUES = re.compile(r"\b(?:only if|if|then|is it true that)\b")
"""The words of the wordings."""


def said_in_all_wordings(text: str) -> list[str]:
    formula = parse(text)
    number = sum(isinstance(node, Implies) for _, node in subformulas(formula))
    return [render(formula, TARSKI, wordings=some) for some in product(WORDINGS, repeat=number)]


def without_cues(text: str) -> str:
    """Leave out the words of implications, with commas, brackets and capital letters."""
    return " ".join(re.findall(r"\w+", CUES.sub("", text.lower())))


@pytest.mark.parametrize(
    ("said", "english"),
    [
        ((False, False), "If f is a cube, then b is small."),
        ((False, True), "f is a cube only if b is small."),
        ((True, False), "Only if b is small, is it true that f is a cube."),
        ((True, True), "b is small if f is a cube."),
    ],
)
def test_each_wording_reads_back(said: Wording, english: str) -> None:
    assert render(parse("Cube(f) → Small(b)"), TARSKI, wordings=[said]) == english
    assert read_english(english, TARSKI) is parse("Cube(f) → Small(b)")


@pytest.mark.parametrize(("text", "converse"), CONVERSES)
def test_texts_without_cue_words_are_those_of_converse(text: str, converse: str) -> None:
    """All wordings are equally likely, so a reader without the cue words is right with probability 1/2."""
    one, other = (Counter(map(without_cues, said_in_all_wordings(formula))) for formula in (text, converse))
    assert one == other
    # A score of the sentence and of both candidates has one distribution, whichever of them it says.
    shown = [to_bracketed(parse(formula)) for formula in (text, converse)]

    def scores(texts: Counter[str]) -> Counter[tuple[float, ...]]:
        found = Counter[tuple[float, ...]]()
        for said, times in texts.items():
            rows = cues.scored(said, shown, (*cues.WORDS, *cues.ORDER))
            found[tuple(value for row in rows for value in row)] += times
        return found

    assert scores(one) == scores(other)


@pytest.mark.parametrize("text", CONVERSES[0])
def test_both_orders_of_mention_are_equally_likely(text: str) -> None:
    orders = Counter(said.lower().index("f is a cube") < said.index("small") for said in said_in_all_wordings(text))
    assert orders == {True: 2, False: 2}


def test_drawn_sentences_without_cue_words_are_those_of_converse() -> None:
    def drawn(text: str) -> Counter[str]:
        draws = (sentence(parse(text), TARSKI, generator(number, text)) for number in range(400))
        return Counter(map(without_cues, draws))

    one, other = drawn("Cube(f) ∧ Small(b) → ¬Tet(c)"), drawn("¬Tet(c) → Cube(f) ∧ Small(b)")
    kinds = sorted({*one, *other})
    assert len(kinds) > 4
    assert chi2_contingency([[texts[kind] for kind in kinds] for texts in (one, other)]).pvalue > 0.001


def test_drawn_sentences_read_back_as_equivalents_in_all_wordings() -> None:
    wordings, turned = Counter[str](), 0
    for number, formula in enumerate(tarski_formulas()[:120]):
        text = sentence(formula, TARSKI, generator(number))
        read = read_english(text, TARSKI)
        assert equivalence(read, formula).outcome is Outcome.EQUIVALENT
        turned += read is not formula
        wordings.update(cue for cue in (" only if ", " if ", "nly if ", "is it true that", ", then ") if cue in text)
    assert len(wordings) == 5
    assert turned > 20


def test_text_is_read_in_one_wording_of_one_formula() -> None:
    formulas: Sequence[Formula] = [parse(text) for pair in CONVERSES for text in pair]
    texts: dict[str, Formula] = {}
    for formula in formulas:
        for text in said_in_all_wordings(to_bracketed(formula)):
            assert read_english(text, TARSKI) is formula
            assert texts.setdefault(text, formula) is formula


@pytest.mark.parametrize(
    "text",
    [
        "f is a cube if b is small and c is large.",
        "f is a cube if b is small if c is large.",
        "f is a cube only if b is small only if c is large.",
        "f is a cube only if b is small or c is large.",
        "f is a cube and b is small if c is large.",
        "It is not the case that f is a cube if b is small.",
        "If f is a cube if b is small, then c is large.",
        "For every x, x is a cube if b is small.",
        "There is no x such that x is a cube if x is small.",
        "Only if f is a cube, b is small.",
        "Only if f is a cube, then b is small.",
        "Only if f is a cube, is it true that b is small and c is large.",
        "f is a cube unless b is small.",
        "f is a cube if if b is small, then c is large.",
        "Only if (1), then (2):\n  (1) f is a cube;\n  (2) b is small.",
        "Only if (1), is it true that (2):\n  (1) f is a cube;\n  (2) b is small.",
    ],
)
def test_unclear_implications_stay_refused(text: str) -> None:
    with pytest.raises(EnglishSyntaxError):
        read_english(text, TARSKI)


def triple(text: str, category: int | None = 3) -> Any:
    about: dict[str, Any] = {
        "item": "i",
        "story": "s",
        "language": "first_order",
        "category": category,
        "depth": None,
        "readings": [],
    }
    return {**about, "text": "What it says.", "formula": text, "ontology": TARSKI.to_row()}


def row(text: str, category: int | None = 3, **keys: str) -> Any:
    task = build_task(json.dumps({"task": "most_similar", **keys}))
    return sentence_row(triple(text, category), task, 1, Exemplars([], None, "d", 1))


@pytest.mark.parametrize("protocol", ["fair", "anagram"])
def test_generated_sentence_is_drawn_for_its_item_alone(protocol: str) -> None:
    text = "∀x (Cube(x) ∧ Small(x) → Larger(x, f) ∨ Tet(b))"
    plain, drawn = (row(text, protocol=protocol, wordings=some) for some in ("plain", "drawn"))
    assert row(text, protocol=protocol) == plain
    assert row(text, protocol=protocol, wordings="drawn") == drawn
    assert drawn["text"] != plain["text"]
    assert {**drawn, "text": ""} == {**plain, "text": ""}
    read = read_english(drawn["text"], TARSKI)
    assert equivalence(read, parse(drawn["formula"])).outcome is Outcome.EQUIVALENT
    assert row(text, None, protocol=protocol, wordings="drawn")["text"] == "What it says."


def test_wordings_are_refused_where_gold_is_not_drawn() -> None:
    with pytest.raises(ValueError, match="wordings is of protocol fair or anagram; under audited leave it out"):
        build_task(json.dumps({"task": "most_similar", "protocol": "audited", "wordings": "drawn"}))


def test_literals_that_could_go_on_with_if_are_quoted() -> None:
    assert {wording.A_ONLY_IF_B, wording.B_IF_A} < {*wording.DELIMITERS}
    assert wording.ONLY_IF in wording.HEADS
