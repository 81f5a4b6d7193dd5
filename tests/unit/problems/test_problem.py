"""A problem as a row, and the lexicon that its words come from."""

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from nlfol.problems import Lexicon, LexiconError, Problem, Reason, Word, read_lexicon
from nlfol.problems.families import generate
from nlfol.problems.gold import program
from nlfol.problems.lexicon import Category, Concept, Form
from nlfol.problems.problem import TRUTHS, Follows, Statement
from nlfol.problems.programs.constraints import arrangements, fewest
from nlfol.store.problem_schemas import PROBLEMS


def test_problem_rows_match_schema_and_round_trip(lexicon: Lexicon) -> None:
    problems = [generate(family, seed=2, count=1, lexicon=lexicon)[0] for family in ("rules", "order", "proofs")]
    problems.append(problems[0].refused(Reason.UNREAD, "why"))
    table = pa.Table.from_pylist([problem.to_row() for problem in problems], schema=PROBLEMS)
    assert [Problem.from_row(row) for row in table.to_pylist()] == problems
    assert table["status"].to_pylist() == ["usable", "usable", "usable", "refused"]


def test_problem_with_corrections_is_hashable(lexicon: Lexicon) -> None:
    """References keep what they wrote of a problem."""
    problem = replace(
        generate("rules", seed=2, count=1, lexicon=lexicon)[0], follows=Follows("s", "both", "True", "True", [{}])
    )
    assert hash(problem) == hash(replace(problem))


def test_problem_options_have_letters() -> None:
    problem = Problem("p", "free", None, (Statement("A."), Statement("B.")), Statement("C?"), TRUTHS, "B")
    assert problem.lettered == ["A) True", "B) False", "C) Unknown"]
    assert (problem.answer_text, problem.context) == ("False", "A. B.")
    with pytest.raises(ValueError, match="no gold program"):
        program(problem)


def test_gold_program_declares_its_predicates(lexicon: Lexicon) -> None:
    statements = (Statement("", "Cold(bob, True)"), Statement("", "Cold($x, True) >>> See($x, bob, False)"))
    problem = Problem("p", "rules", "clauses", statements, Statement("", "Red(bob, True)"), TRUTHS, "C")
    assert program(problem).split("\n") == [
        *("Predicates:", "Cold($x, bool)", "See($x, $y, bool)", "Red($x, bool)", "Facts:", "Cold(bob, True)"),
        *("Rules:", "Cold($x, True) >>> See($x, bob, False)", "Query:", "Red(bob, True)"),
    ]


def test_arrangements_meeting_condition_are_counted() -> None:
    known, things = arrangements(3), ["a", "b", "c"]
    assert known.all.bit_count() == 6
    before, last = known.meeting("a < b", things), known.meeting("c == 3", things)
    assert (before.bit_count(), last.bit_count()) == (3, 2)
    assert known.meeting("b > a", things) == before
    assert fewest([before, last], known.meeting("a == 1", things), known.all) == 2
    assert fewest([before], last, known.all) is None
    assert fewest([before], known.all, known.all) == 0
    with pytest.raises(ValueError, match="no condition"):
        known.meeting("a + b == 3", things)


def test_lexicon_holds_base_form_for_all_concepts(lexicon: Lexicon) -> None:
    assert len(lexicon.concepts) > 250
    assert lexicon.concepts["bald_eagle"] == Concept(
        "bald_eagle", Category.ANIMAL, {"base": Form("base", "bald eagle", "bald eagles")}, "animals"
    )
    assert lexicon.said(Word("Chase")) == "chases"
    assert lexicon.said(Word("Teach")) == "teaches"
    plurals = [lexicon.said(Word(word), plural=True) for word in ("Wumpus", "wolf", "mango")]
    assert plurals == ["wumpuses", "wolves", "mangoes"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("colors: {}", "expected only the sections"),
        ("adjectives: [red]", "a mapping"),
        ("adjectives: {red: {plural: reds}}", "adjectives: red: expected a mapping with 'other'"),
        ("names: {Ada: {}}\nobjects: {ada: {}}", "another concept has the symbol ada"),
        ("scenes: {queue: {things: names}}", "scenes: queue: not a scene"),
        ("adjectives: [", "cannot be read"),
        ("- " * 3_000, "nested too deep"),
        ("adjectives:\n  quiet: {}\n  quiet: {}", "the key 'quiet' occurs twice, first on line 2"),
    ],
)
def test_invalid_lexicon_is_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "problems.yaml"
    path.write_text(text)
    with pytest.raises(LexiconError, match=r"problems\.yaml") as caught:
        read_lexicon(path)
    assert message in str(caught.value)


def test_lexicon_reads_further_forms(tmp_path: Path) -> None:
    path = tmp_path / "problems.yaml"
    path.write_text("verbs: {chase: {synonym: [pursue, {run after: runs after}], phrase: {go after: goes after}}}")
    forms = read_lexicon(path).concepts["Chase"].forms
    assert list(forms.values()) == [
        Form("base", "chases", "chase"),
        Form("synonym.1", "pursues", "pursue"),
        Form("synonym.2", "runs after", "run after"),
        Form("phrase.1", "goes after", "go after"),
    ]
