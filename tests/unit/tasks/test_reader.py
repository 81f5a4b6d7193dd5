"""The reader answers by what the texts of candidates say, and only where they settle it."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from tests.stored import stored

import answer_by_reference
import judge_answers
from nlfol.asking.asking import Asking, Offered
from nlfol.candidates.audited import Plan, most_similar_set, ranking_set
from nlfol.candidates.sets import Candidate, candidate_rows
from nlfol.english.styles import Style, render
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading import parse
from nlfol.ontology.derivation import derive
from nlfol.randomness import generator
from nlfol.store import files, schemas
from nlfol.tasks.item import Item, Member
from nlfol.tasks.most_similar import MostSimilarEntry
from nlfol.tasks.plan import Step
from nlfol.tasks.ranking import RankingEntry
from nlfol.tasks.reference import Asked, ReaderError
from nlfol.tasks.registry import build_task

GOLD = parse("∀x (Cube(x) ∧ Small(x) → LeftOf(x, a))")
ONTOLOGY = derive([GOLD])
SETS = {
    "most_similar": most_similar_set(GOLD, ONTOLOGY, Plan(8, style=Style.UNAMBIGUOUS), generator(1)),
    "ranking": ranking_set(GOLD, ONTOLOGY, Plan(3, style=Style.UNAMBIGUOUS), generator(1)),
}


ITEM = Item("s:0", "s", "Small cubes are left of a.", to_unicode(GOLD), ONTOLOGY, ())


def answer(kind: str, texts: Sequence[str]) -> str:
    """Return the reader's answer about candidates with these texts."""
    task = build_task(json.dumps({"task": kind}))
    item = replace(ITEM, members=tuple(Member("", text, "") for text in texts))
    step = Step("", "", "", {}, tuple(range(len(texts))))
    return task.reference("reader", [])(Asked(item, "english", step, ()))


def english(*formulas: str) -> list[str]:
    return [render(parse(formula), ONTOLOGY, Style.UNAMBIGUOUS) for formula in formulas]


def shuffled(members: Sequence[Candidate]) -> list[Candidate]:
    return Random(5).sample(members, len(members))


def test_the_most_similar_candidate_is_found_wherever_it_stands() -> None:
    members = SETS["most_similar"]
    for place in range(len(members)):
        shown = [*members[1 : place + 1], members[0], *members[place + 1 :]]
        said = json.loads(answer("most_similar", [m.english for m in shown]))
        assert said == {
            "reasoning": f"Candidate {place + 1} is equivalent to the sentence, no other is.",
            "answer": place + 1,
        }


def test_a_ranking_has_equivalents_first_and_equivalents_of_the_negation_last() -> None:
    shown = shuffled(SETS["ranking"])
    said = json.loads(answer("ranking", [m.english for m in shown]))
    assert list(said) == ["reasoning", "answer"]
    roles = [shown[number - 1].role.value for number in said["answer"]]
    assert set(roles[:2]) == {"gold", "equivalent"}
    assert roles[2:-2] == ["perturbation"] * 3
    assert set(roles[-2:]) == {"negation", "negation_normal_form"}


@pytest.mark.parametrize(
    ("task", "candidates", "message"),
    [
        ("most_similar", ["Every cube is small."], "candidate 1 cannot be read: line 1, column 1: neither words"),
        (
            "most_similar",
            english("Cube(a)", "∀y (Cube(y) ∧ Small(y) → LeftOf(y, a))", to_unicode(GOLD)),
            r"2 candidates are equivalent to the sentence, 1 should be: \[2, 3\]",
        ),
        ("most_similar", english("Cube(a)", "Small(a)"), "0 candidates are equivalent to the sentence, 1 should be"),
        ("ranking", english(to_unicode(GOLD), "Cube(a)"), "1 candidates are equivalent to the sentence, 2 should be"),
        (
            "ranking",
            english(to_unicode(GOLD), "∀y (Cube(y) ∧ Small(y) → LeftOf(y, a))", "Cube(a)"),
            "0 candidates are equivalent to the negation of the sentence, 2 should be",
        ),
    ],
)
def test_what_the_texts_leave_open_is_no_answer(task: str, candidates: list[str], message: str) -> None:
    with pytest.raises(ReaderError, match=message):
        answer(task, candidates)


def test_candidates_in_the_style_of_the_paper_are_not_guessed_at() -> None:
    shown = [render(m.formula, ONTOLOGY, Style.PAPER) for m in SETS["ranking"]]
    with pytest.raises(ReaderError, match="cannot be read"):
        answer("ranking", shown)


# The script


def candidates_file(path: Path, task: str, *, lie: bool) -> Path:
    """Two items, of which the second has its first two members' English exchanged for one text where it lies."""
    members = candidate_rows(SETS[task])
    row = stored(schemas.ITEMS, item="s:0", formula=to_unicode(GOLD), ontology=ONTOLOGY.to_row(), candidates=members)
    twice = [{**members[0], "english": members[-1]["english"]}, *members[1:]] if lie else members
    about = {"task": task, "task_kind": task, "protocol": "audited"}
    files.write(path, schemas.ITEMS, [row, {**row, "item": "s:1", "candidates": twice}], about)
    return path


def run(folder: Path, task: str, *, lie: bool = False) -> tuple[Path, Path]:
    candidates, output = candidates_file(folder / "candidates.arrow", task, lie=lie), folder / "responses.arrow"
    built = build_task(json.dumps({"task": task, "presentations": ["english"]}))
    asking = Asking(Offered.read(candidates), "toy", task, built, "reader", '{"kind": "reader"}', 7, output)
    answer_by_reference.main(asking)
    return candidates, output


def scores(folder: Path, task: str, candidates: Path, responses: Path) -> list[tuple[str, str, float, str]]:
    judge_answers.main(candidates, responses, json.dumps({"task": task}), folder / "scores.arrow")
    rows = files.rows(folder / "scores.arrow", schemas.SCORES)
    return [(row["item"], row["metric"], row["score"], row["outcome"]) for row in rows]


@pytest.mark.parametrize(
    ("task", "metrics"), [("most_similar", ["accuracy"]), ("ranking", ["equivalence", "negation", "both"])]
)
def test_answers_are_judged_like_those_of_a_dialogue_model(tmp_path: Path, task: str, metrics: list[str]) -> None:
    candidates, responses = run(tmp_path, task)
    rows = files.rows(responses, schemas.RESPONSES)
    assert [(row["presentation"], row["seed"], row["outcome"]) for row in rows] == [("english", None, "answered")] * 2
    assert all(row["order"] != sorted(row["order"]) for row in rows), "the gold formula is not shown first"
    assert scores(tmp_path, task, candidates, responses) == [
        (item, metric, 1.0, "answered") for item in ("s:0", "s:1") for metric in metrics
    ]


@pytest.mark.parametrize("task", ["most_similar", "ranking"])
def test_candidates_whose_english_says_something_else_are_a_failed_answer(tmp_path: Path, task: str) -> None:
    candidates, responses = run(tmp_path, task, lie=True)
    failed = files.rows(responses, schemas.RESPONSES)[1]
    assert (failed["outcome"], failed["answer"]) == ("failed", None)
    assert "equivalent to the sentence" in failed["error"]
    judged = scores(tmp_path, task, candidates, responses)
    assert {(score, outcome) for item, _, score, outcome in judged if item == "s:1"} == {(0.0, "failed")}
    assert {(score, outcome) for item, _, score, outcome in judged if item == "s:0"} == {(1.0, "answered")}


ANSWERS = '{"kind": "answers", "path": "a.jsonl"}'


def test_only_baselines_answer_as_one(tmp_path: Path) -> None:
    task = build_task('{"task": "ranking"}')
    asking = Asking(
        Offered((), {}), "toy", "ranking", task, "own", '{"kind": "answers", "path": "a.jsonl"}', 7, tmp_path
    )
    with pytest.raises(TypeError, match="'own' is no baseline"):
        answer_by_reference.main(asking)


def test_audited_candidate_sets_are_made_in_the_style_that_can_be_read() -> None:
    assert MostSimilarEntry().sets_style is Style.UNAMBIGUOUS
    assert RankingEntry(protocol="paper").sets_style is Style.PAPER
