"""References for candidates: the reader answers by what texts say, surface by their look."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from tests.stored import stored

import answer_by_reference
import judge_answers
from nlfol.asking.asking import Asking, Offered
from nlfol.candidates.audited import Plan, most_similar_set, ranking_set
from nlfol.candidates.sets import candidate_rows
from nlfol.english.styles import Style, render
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading import parse
from nlfol.ontology.derivation import derive
from nlfol.ontology.ontology import Ontology
from nlfol.randomness import generator
from nlfol.store import files, schemas
from nlfol.tasks.item import Item, Member
from nlfol.tasks.most_similar import MostSimilar, MostSimilarEntry
from nlfol.tasks.plan import NoPrompts, Reply, Setting, Step
from nlfol.tasks.ranking import Ranking, RankingEntry
from nlfol.tasks.reference import Asked, ReaderError, Shown, dialogue, expected_grades, features
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
    shown = Random(5).sample(SETS["ranking"], len(SETS["ranking"]))
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


def run(folder: Path, task: str, *, lie: bool = False) -> tuple[Path, Path]:
    """Have the reader answer about two items; of the second, two members have one text where it lies."""
    candidates, output = folder / "candidates.arrow", folder / "responses.arrow"
    members = candidate_rows(SETS[task])
    row = stored(schemas.ITEMS, item="s:0", formula=to_unicode(GOLD), ontology=ONTOLOGY.to_row(), candidates=members)
    twice = [{**members[0], "english": members[-1]["english"]}, *members[1:]] if lie else members
    about = {"task": task, "task_kind": task, "protocol": "audited"}
    files.write(candidates, schemas.ITEMS, [row, {**row, "item": "s:1", "candidates": twice}], about)
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
    assert {(item, *rest) for item, _, *rest in judged} == {("s:0", 1.0, "answered"), ("s:1", 0.0, "failed")}


def test_only_baselines_answer_as_one(tmp_path: Path) -> None:
    task, entry = build_task('{"task": "ranking"}'), '{"kind": "answers", "path": "a.jsonl"}'
    asking = Asking(Offered((), {}), "toy", "ranking", task, "own", entry, 7, tmp_path)
    with pytest.raises(TypeError, match="'own' is no baseline"):
        answer_by_reference.main(asking)


def test_audited_candidate_sets_are_made_in_the_style_that_can_be_read() -> None:
    assert MostSimilarEntry().sets_style is Style.UNAMBIGUOUS
    assert RankingEntry(protocol="paper").sets_style is Style.PAPER


MOST_SIMILAR = MostSimilar(MostSimilarEntry())
TEXTS = ["of some length", "longer by a word or two", "by far the longest of all these texts"]


def alike(number: int, gold: int, story: str = "") -> Item:
    """Return an item of three candidates, the gold formula being the one with that length."""
    english = [TEXTS[gold], *(text for place, text in enumerate(TEXTS) if place != gold)]
    roles = ["gold", "perturbation", "perturbation"]
    members = [Member("P(a)", text, role) for text, role in zip(english, roles, strict=True)]
    return Item(f"s{number}:0", story or f"s{number}", f"sentence {number}", "P(a)", Ontology(), tuple(members))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a is a cube.", [12, 4, 0, 0, 0]),
        ("∀x (Cube(x) → (Small(x) ∨ Large(x)))", [36, 6, 5, 3, 0]),
        ("If (1), then (2):\n  (1) a;\n  (2) b.", [35, 8, 0, 1, 1]),
        ("Both (1) and (2):\n  (1) if (1.1), then (1.2):\n    (1.1) a;\n    (1.2) b;\n  (2) c.", [80, 15, 0, 2, 2]),
    ],
)
def test_features(text: str, expected: list[int]) -> None:
    assert features(text) == expected


def by_surface(items: Sequence[Item]) -> Iterator[Reply]:
    plan, reference = MOST_SIMILAR.plan(Setting("toy", 1, (0,), NoPrompts())), MOST_SIMILAR.reference("surface", items)
    for item in items:
        ((_, reply),) = dialogue(plan, reference, item, "english", 0)
        yield reply


@pytest.mark.parametrize("gold", [0, 1, 2])
def test_a_place_that_the_gold_formula_always_has_is_found(gold: int) -> None:
    items = [alike(number, gold) for number in range(30)]
    for item, reply in zip(items, by_surface(items), strict=True):
        assert MOST_SIMILAR.judge(item, [reply]).scores == {"accuracy": 1}


def test_the_story_that_is_asked_about_is_not_learnt_from() -> None:
    def shown(story: str, best: int) -> Shown:
        return Shown(story, TEXTS, [int(place == best) for place in range(3)])

    items = [shown("first", 0)] * 40 + [shown("second", 2)] * 40
    grades = expected_grades(items)
    assert {tuple(found) for found in grades[:40]} == {(0, 0, 1)}
    assert {tuple(found) for found in grades[40:]} == {(1, 0, 0)}
    assert expected_grades(items) == grades


def test_a_ranking_puts_those_that_look_alike_in_the_order_shown() -> None:
    answer = Ranking(RankingEntry()).answer_of_grades([0.5, -1.0, 1.0, 0.5])
    assert json.loads(answer)["answer"] == [3, 1, 4, 2]


def test_one_story_alone_teaches_nothing() -> None:
    reply = next(by_surface([alike(number, 0, "only") for number in range(3)]))
    assert reply.outcome == "failed"
    assert "one story" in str(reply.error)
