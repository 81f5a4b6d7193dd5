"""Tasks on problems without programs: answers, and ratings beside their originals."""

from dataclasses import replace
from typing import Any

import pytest
from tests.examples import CATS, COLD, ROW, family, said
from tests.unit.tasks.problem_items import around, item, items, next_step, replied, rows

from nlfol.data.entries.problems import shipped_forms
from nlfol.facts import CRITERIA, RATING
from nlfol.problems.problem import Problem, Statement
from nlfol.problems.rewording import Settings, diversify
from nlfol.store.schemas import ItemRow
from nlfol.tasks.item import Item, shown
from nlfol.tasks.item_rows import ProblemItems
from nlfol.tasks.plan import Reply, Step
from nlfol.tasks.question_answering import QuestionAnswering, QuestionAnsweringEntry
from nlfol.tasks.rating import Rating, RatingEntry
from nlfol.tasks.reference import Asked, Manner, Reference, as_agreed


def task(**keys: Any) -> QuestionAnswering:
    return QuestionAnswering(QuestionAnsweringEntry(**keys))


def step(asked: QuestionAnswering, problem: Problem, presentation: str = "english") -> Step:
    return next_step(asked, item(problem, asked), presentation=presentation)


def right(asked: QuestionAnswering, problem: Problem, text: str) -> tuple[float, str]:
    judged = asked.judge(item(problem, asked), [Reply("", "answered", text)])
    return judged.scores["right"], judged.outcome


@pytest.mark.parametrize(
    ("problem", "answer", "score"), [(CATS, "true", 1), (CATS, "unknown", 0), (ROW, "A", 1), (ROW, "B", 0)]
)
def test_question_answer_is_scored_against_label(problem: Problem, answer: str, score: int) -> None:
    assert right(task(), problem, said(answer)) == (score, "answered")


@pytest.mark.parametrize(
    "text",
    [
        *("true", '{"answer": "true"}', said("True"), "[" * 5000, "{}"),
        *("This is untrue.", said("untrue"), "Answer: True/False/Uncertain", said("True/False/Uncertain")),
    ],
)
def test_unreadable_question_answer_is_wrong(text: str) -> None:
    """D19: the released parser takes "untrue", and the line that tells the form of answers, for true."""
    assert right(task(), CATS, text) == (0, "unparsable")


def test_answer_without_reasoning_has_answer_key_only() -> None:
    asked = task(reasoning=0)
    assert right(asked, CATS, '{"answer": "true"}') == (1, "answered")
    assert right(asked, CATS, said("true")) == (0, "unparsable")
    schema = step(asked, CATS).schema
    assert schema["required"] == ["answer"]
    assert schema["properties"]["answer"]["enum"] == ["true", "false", "unknown"]
    assert "reasoning" not in step(asked, CATS).system


def test_problem_is_shown_in_english_or_as_program() -> None:
    asked = task(presentations=["english", "formula"])
    assert step(asked, COLD).user == "1. Bob is cold.\n2. What is cold is sad.\nQuestion: Is Bob sad?"
    formal = step(asked, COLD, "formula")
    assert formal.user == "1. Cold(bob, True)\n2. Cold($x, True) >>> Sad($x, True)\nQuestion: Sad(bob, True)"
    assert ">>>" in formal.system
    assert ">>>" not in step(asked, COLD).system
    assert "that neither follows from the others nor is contradicted by them is unknown." in formal.system
    assert step(asked, ROW).user.endswith(
        "Question: Which is true?\nA) Red is in the middle.\nB) Blue is in the middle."
    )
    assert step(asked, ROW, "formula").user.endswith("A) red == 2\nB) blue == 2")


def test_problem_without_program_is_refused_as_formula() -> None:
    free = replace(CATS, language=None)
    assert [row["status"] for row in rows([free], task())] == ["usable"]
    (row,) = rows([free], task(presentations=["formula"]))
    assert (row["status"], row["reason"]) == ("refused", "no_program")
    # Where it is shown in English, too, it is asked about in English alone.
    both = task(presentations=["english", "formula"])
    found = [(row["status"], row["unasked"]) for row in rows([free, CATS], both)]
    assert found == [("usable", ["formula"]), ("usable", [])]


def test_problem_items_share_story_for_equal_statements() -> None:
    again = replace(CATS, name="again", question=Statement("Is Tom a cat?", "Cat(tom)"))
    first, second, third = items([CATS, again, COLD], task())
    assert (first.story, second.story, third.story) == ("cats", "cats", "cold")
    assert first.asked == replace(CATS, evidence=None)
    assert (first.formula, first.category) == ("true", 2)
    assert len({each.source for each in (first, second, third)}) == 3


def _answers(asked: QuestionAnswering, reference: Reference, problems: tuple[Problem, ...]) -> list[float]:
    asking = [(each, next_step(asked, each, presentation="english")) for each in items(problems, asked)]
    texts = [as_agreed(reference(Asked(each, "english", step, ())), step) for each, step in asking]
    return [right(asked, problem, text)[0] for problem, text in zip(problems, texts, strict=True)]


@pytest.mark.parametrize("name", ["rules", "taxonomy", "order", "proofs"])
@pytest.mark.parametrize("reasoning", [20, 0])
def test_problem_reader_is_right_and_chance_is_exact(name: str, reasoning: int) -> None:
    asked, problems = task(reasoning=reasoning), family(name)
    about = items(problems, asked)
    assert _answers(asked, asked.reference("reader", about), problems) == [1.0] * 6
    assert {asked.chance(each).scores["right"] for each in about} == {1 / len(problem.options) for problem in problems}


def test_constant_answers_score_label_share() -> None:
    asked, problems = task(), family("rules")
    about = items(problems, asked)
    assert sum(_answers(asked, asked.reference("constant", about, Manner("commonest")), problems)) == 2
    yes_no = (Statement("Yes"), Statement("No"))
    free = tuple(replace(CATS, name=name, language=None, options=yes_no, answer=name) for name in "AABA")
    for answer, scores in (("yes", [1, 1, 0, 1]), ("no", [0, 0, 1, 0])):
        assert _answers(asked, asked.reference("constant", items(free, asked), Manner(answer)), free) == scores
    assert asked.is_done_by("constant", "yes")
    assert not asked.is_done_by("echo")


def test_oversized_problem_is_refused() -> None:
    (row,) = rows([replace(CATS, statements=(Statement("x" * 300_000),))], task())
    assert (row["status"], row["reason"], row["problem"]) == ("refused", "too_long", None)


WARM = replace(COLD, statements=(replace(COLD.statements[0], text="Bob is chilly."), *COLD.statements[1:]))
FULLY = dict.fromkeys(CRITERIA, 5)


def row(problem: Problem, *originals: Problem, **keys: Any) -> ItemRow:
    by_name = {original.name: original for original in originals}
    about = replace(around([problem]), originals=by_name)
    return ProblemItems([problem], Rating(RatingEntry(**keys)), about).row(problem)


def judged(answer: dict[str, Any], **keys: Any) -> tuple[dict[str, float], str]:
    task = Rating(RatingEntry(**keys))
    found = task.judge(Item.from_row(row(WARM, COLD, **keys)), [replied(answer)])
    return dict(found.scores), found.outcome


def test_rating_prompt_shows_both_wordings_and_hides_answer() -> None:
    task = Rating(RatingEntry())
    step = next_step(task, Item.from_row(row(WARM, COLD)))
    assert step.user == f"Original:\n{shown(COLD)}\n\nIn other words:\n{shown(WARM)}"
    assert step.user.count("What is cold is sad.") == 2
    assert "true" not in step.user
    assert step.schema["required"] == ["reasoning", *CRITERIA]
    assert all(f'"{name}"' in step.system for name in CRITERIA)


def test_diversified_problem_is_rated_beside_original() -> None:
    originals = family("rules")
    lexicon = shipped_forms()
    for original in originals:
        made = diversify(original, lexicon, Settings(glossary=True, decoys=1), 5, "toy").problem
        if made.is_usable:
            found = row(made, *originals)
            assert found["status"] == "usable"
            assert found["text"] == f"Original:\n{shown(original)}\n\nIn other words:\n{shown(made)}"


def test_rating_refuses_missing_original_or_rewording() -> None:
    assert [row(WARM)[name] for name in ("status", "reason")] == ["refused", "no_original"]
    assert [row(COLD, COLD)[name] for name in ("status", "reason")] == ["refused", "not_rewritten"]


def test_reworded_items_keep_original_story() -> None:
    other = replace(WARM, name="other", statements=(replace(WARM.statements[0], text="Bob lacks warmth."),))
    about = replace(around([WARM, other]), originals={"cold": COLD, "other": replace(COLD, name="other")})
    build = ProblemItems([WARM, other], Rating(RatingEntry()), about)
    assert {build.row(problem)["story"] for problem in (WARM, other)} == {"cold"}


def test_ratings_are_normalized_to_unit_interval_with_mean() -> None:
    scores, outcome = judged({"reasoning": "", **dict(zip(CRITERIA, (1, 2, 4, 5), strict=True))})
    assert outcome == "answered"
    assert scores == {RATING: 0.5, **dict(zip(CRITERIA, (0.0, 0.25, 0.75, 1.0), strict=True))}
    assert judged(FULLY, reasoning=0)[0] == dict.fromkeys((RATING, *CRITERIA), 1.0)
    chance = Rating(RatingEntry()).chance(Item.from_row(row(WARM, COLD)))
    assert chance.scores == dict.fromkeys((RATING, *CRITERIA), 0.5)


@pytest.mark.parametrize(
    "answer",
    [
        *({"reasoning": "", **FULLY, "clarity": rating} for rating in (0, 6, 4.5, "5", True)),
        {"reasoning": "", **FULLY, "style": 5},
        {"reasoning": "", "clarity": 5},
        FULLY,
    ],
)
def test_rating_rejects_anything_but_four_integers_from_1_to_5(answer: dict[str, Any]) -> None:
    assert judged(answer) == (dict.fromkeys((RATING, *CRITERIA), 0.0), "unparsable")
