"""Formulas, choices, rankings and words are found in any dress, and nothing that is not asserted is taken."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from benchmarks.dressed_answers import BY_HAND, PARTS, answers, by_hand, measured
from tests import examples
from tests.examples import CUBES
from tests.unit.tasks.answered import OTHER, build

from nlfol.logic.equivalence import equivalence
from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.reading import parse
from nlfol.logic.reading.finding import MAX_CHARACTERS, MAX_SPAN, MAX_TRIED, closed_formula, formulas_in
from nlfol.logic.reading.tolerant.ambiguities import TolerantReading
from nlfol.logic.reading.tolerant.infix import read_infix
from nlfol.logic.reading.tolerant.reading import forget, read_tolerantly
from nlfol.tasks.envelopes import Sought
from nlfol.tasks.envelopes.liberties import MisfitError
from nlfol.tasks.plan import Reply

SIGNATURE = derive([parse(CUBES)]).signature()


LOST = {"dressed_open": 1, "dressed_sealed": 18}
"""Dresses that are lost still: "my gut feeling was 1, my analysis says 3, and I trust the analysis"."""


@pytest.mark.parametrize("path", BY_HAND, ids=lambda path: path.stem)
def test_dresses_by_hand_are_read_and_traps_refused(path: Path) -> None:
    counts, faults = measured(by_hand(path))
    assert counts.total()
    assert [fault for fault in faults if not fault.startswith("lost")] == []
    assert len(faults) == LOST.get(path.stem, 0), faults


@pytest.mark.parametrize("part", PARTS)
def test_dresses_of_the_grammar_are_read_and_traps_refused(part: str) -> None:
    counts, faults = measured(answers(part, 250))
    lost, right, taken = (
        sum(count for (_, _, kind), count in counts.items() if kind == of) for of in ("lost", "right", "taken")
    )
    assert lost <= 0.03 * right, faults
    assert taken == 0, faults


def test_finder_takes_the_longest_span_from_its_first_place() -> None:
    spans = formulas_in(f"We write {CUBES}, where Cube(x) means a cube.\n\n{OTHER}", SIGNATURE)
    assert [span.formula for span in spans] == [parse(CUBES), parse(OTHER)]


@pytest.mark.parametrize(
    "text",
    [
        "Final answer: ∀x (Cube(x) → Round(y)) ∧ ∃x Small(x)",
        "Final answer: Round(y) → ∃x (Cube(x) ∧ Small(x))",
        f"Final answer: {OTHER} ∧ Round(a)",
        f"Final answer: Cube(x) ∧ {OTHER}",
    ],
)
def test_part_of_a_larger_formula_is_not_its_answer(text: str) -> None:
    assert Sought(SIGNATURE, "").found_in(text) is None


@pytest.mark.parametrize(
    "joined",
    [
        "{} only if {}",
        "{} if {}.",
        "If {}, then {}",
        "The answer is {} whenever {}",
        "{}, as long as {}",
        "{} unless {}",
    ],
)
def test_formulas_that_english_joins_are_no_answer(joined: str) -> None:
    with pytest.raises(MisfitError):
        Sought(SIGNATURE, "").found_in(joined.format(CUBES, OTHER))


def test_formula_beside_others_that_cannot_be_read_is_no_answer() -> None:
    """A list of formulas is not answered by the one that happens to be of the signature."""
    with pytest.raises(MisfitError):
        Sought(SIGNATURE, "").found_in(f"{CUBES}\n¬Round(a)\n∀x (Round(x) → Flat(x))")
    assert Sought(SIGNATURE, "").found_in(f"¬Round(a) is out.\n\nFinal answer: {CUBES}") == CUBES


@pytest.mark.parametrize(
    "program",
    [
        "Premises:\n{0} ::: Every cube is small.\n{1} ::: Some cube is small.\nConclusion:\n{2} ::: A is small.",
        "Premises:\n{2} ::: A is small.\nConclusion:\n{0} ::: Every cube is small.",
        "Premises:\n{3}\nConclusion:\n{0}",
        "Final answer:\n{0}\n{1}",
        "Answer:\n{0}\n{3}",
        "Here is the translation:\n\n1. {0}\n2. Flat(b)",
        "{0}\nFlat(b)",
    ],
)
@pytest.mark.parametrize("answer", ["{}", '{{"answer": {}}}'])
def test_program_is_no_answer_to_one_of_its_sentences(program: str, answer: str) -> None:
    formulas = CUBES, OTHER, "Cube(a) → Small(a)", "∀x (Round(x) → Flat(x))"
    text = program.format(*formulas)
    task, item = build("logical_translation", reasoning=0), examples.item(CUBES, "Every cube is small.")
    written = answer.format(json.dumps(text, ensure_ascii=False) if answer != "{}" else text)
    reply = task.opened(item, Reply("", "answered", written))
    assert reply.fault or task.judge(item, [reply]).outcome == "unparsable"


@pytest.mark.parametrize(
    "program",
    [
        '{} ::: Every cube is small.\n¬Round("1984") ::: It is not round.',
        "{} ::: Every cube is small.\nSmall(a) ∧ Round(b) ::: They are small and round.",
    ],
)
def test_formula_with_quotes_or_a_part_that_is_read_stands_beside_another(program: str) -> None:
    """Llama-3's and Gemini's lines beside a formula of the signature were no formulas to the finder."""
    with pytest.raises(MisfitError):
        Sought(SIGNATURE, "").found_in(program.format(CUBES))


@pytest.mark.parametrize(
    "text",
    [
        "(assert (forall ((x Obj)) (=> (Cube x) (Small x))))",
        "fof(s, axiom, ! [X] : (cube(X) => small(X))).",
        "ForAll[x, Implies[Cube[x], Small[x]]]",
    ],
)
def test_notations_of_solvers_are_read(text: str) -> None:
    formula = closed_formula(text, SIGNATURE)
    assert formula is not None
    assert equivalence(formula, parse(CUBES)).outcome == "equivalent"


def test_text_is_read_once_for_a_signature(monkeypatch: pytest.MonkeyPatch) -> None:
    forget()
    tried = []
    monkeypatch.setattr("nlfol.logic.reading.tolerant.reading._strictly", lambda text, _: tried.append(text))
    for _ in range(3):
        with pytest.raises(FormulaSyntaxError, match="not closed"):
            read_tolerantly("forall x (Cube(x", signature=SIGNATURE)
    assert tried == ["forall x (Cube(x"]


def test_program_with_a_marked_answer_is_read() -> None:
    text = f"Premises:\n{OTHER}\nSmall(a)\n\nFinal answer: {CUBES}"
    assert Sought(SIGNATURE, "").found_in(text) == CUBES


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (f'{{"answer": "{OTHER}"}} Wait, that is wrong. Final answer: {CUBES}', CUBES),
        (f'{{"answer": "{OTHER}"}}\n\nCorrection: {{"answer": "{CUBES}"}}', CUBES),
        (f'{{"answer": "{OTHER}"}}\n\nWait, is that right? Yes.', OTHER),
        (f'{{"answer": "{CUBES}"}}\n\nNo, that is wrong.', None),
    ],
)
def test_object_is_corrected_by_words_behind_it(text: str, answer: str | None) -> None:
    task, item = build("logical_translation", reasoning=0), examples.item(CUBES, "Every cube is small.")
    reply = task.opened(item, Reply("", "answered", text))
    assert (reply.fault is None) is (answer is not None)
    if answer is not None:
        assert parse(answer) == read_tolerantly(json.loads(reply.answer)["answer"]).formula


def test_finder_bounds_the_spans_that_it_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    read = []
    monkeypatch.setattr("nlfol.logic.reading.finding.closed_formula", lambda text, signature: read.append(text))
    formulas_in("∃x Cube(x) ∧ " * 2_000, SIGNATURE)
    assert 0 < len(read) <= MAX_TRIED
    assert sum(map(len, read)) <= MAX_CHARACTERS + MAX_SPAN


def test_finder_reads_each_line_of_a_list_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read = Counter[str]()

    def counted(text: str, *args: Any, **options: Any) -> TolerantReading:
        read[text.strip()] += 1
        return read_infix(text, *args, **options)

    forget()
    monkeypatch.setattr("nlfol.logic.reading.tolerant.reading.read_infix", counted)
    lines = [f"∀x (Cube(x) → {'¬' * number}Small(x))" for number in range(20)]
    formulas_in("\n".join(lines), SIGNATURE)
    assert read.keys() >= set(lines)
    assert max(read.values()) == 1


@pytest.mark.parametrize("joined", ["\n", "\n- "])
def test_answer_behind_a_list_of_formulas_is_read(joined: str) -> None:
    """The budget of the finder lasts for lists, each line of which is tried with those behind it."""
    listed = joined.join([OTHER, CUBES, "∃x (Cube(x) → Small(x))", "∀x (Small(x) → Cube(x))"] * 2)
    assert Sought(SIGNATURE, "").found_in(f"Candidates:{joined}{listed}\nFinal answer: {CUBES}") == CUBES


def test_words_in_a_row_are_tried_as_a_name_of_the_signature_only_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    spelled: list[str] = []

    def valid_name(name: str, **_: object) -> str:
        spelled.append(name)
        return ""

    monkeypatch.setattr("nlfol.logic.reading.tolerant.names.valid_name", valid_name)
    for number in (500, 2_000):
        spelled.clear()
        forget()
        assert closed_formula("∀x (" + "is " * number, SIGNATURE) is None
        assert sum(map(len, spelled)) < 3 * number


def test_alternatives_of_signs_are_no_disjunction_in_plain_text() -> None:
    task = build("logical_translation")
    item = examples.item(CUBES, "Every cube is small.")
    reply = task.opened(item, Reply("", "answered", f"Final answer: {CUBES} or {OTHER}"))
    assert reply.fault is not None
    assert "different formulas" in reply.fault


def test_gloss_in_an_object_is_cut_as_a_liberty() -> None:
    task = build("logical_translation", reasoning=0)
    item = examples.item(CUBES, "Every cube is small.")
    text = json.dumps({"answer": f"{CUBES}, where Cube(x) means that x is a cube"})
    reply = task.opened(item, Reply("", "answered", text))
    assert json.loads(reply.answer) == {"answer": CUBES}
    assert reply.liberties == ("value",)
