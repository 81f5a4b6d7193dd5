"""Problems in other words, rated beside their originals."""

from dataclasses import replace
from typing import Any

import pytest
from tests.examples import COLD, family
from tests.unit.tasks.problem_items import around, next_step, replied

from nlfol.datasets.entries.problems import shipped_forms
from nlfol.diversification import Settings, diversify
from nlfol.problems import Problem
from nlfol.tasks.item import Item, shown
from nlfol.tasks.item_rows import ProblemItems
from nlfol.tasks.rating import CRITERIA, RATING, Rating, RatingEntry

WARM = replace(COLD, statements=(replace(COLD.statements[0], text="Bob is chilly."), *COLD.statements[1:]))
FULLY = dict.fromkeys(CRITERIA, 5)


def row(problem: Problem, *originals: Problem, **keys: Any) -> dict[str, Any]:
    by_name = {original.name: original for original in originals}
    about = replace(around([problem]), originals=by_name)
    return ProblemItems([problem], Rating(RatingEntry(**keys)), about).row(problem)


def judged(answer: dict[str, Any], **keys: Any) -> tuple[dict[str, float], str]:
    task = Rating(RatingEntry(**keys))
    found = task.judge(Item.from_row(row(WARM, COLD, **keys)), [replied(answer)])
    return dict(found.scores), found.outcome


def test_a_rating_is_asked_about_the_original_and_the_other_words_and_not_told_the_answer() -> None:
    task = Rating(RatingEntry())
    step = next_step(task, Item.from_row(row(WARM, COLD)))
    assert step.user == f"Original:\n{shown(COLD)}\n\nIn other words:\n{shown(WARM)}"
    assert step.user.count("What is cold is sad.") == 2
    assert "true" not in step.user
    assert step.schema["required"] == ["reasoning", *CRITERIA]
    assert all(f'"{name}"' in step.system for name in CRITERIA)


def test_what_is_drawn_in_other_words_is_shown_beside_the_problem_it_was_made_from() -> None:
    originals = family("rules")
    lexicon = shipped_forms()
    for original in originals:
        made = diversify(original, lexicon, Settings(glossary=True, decoys=1), 5, "toy").problem
        if made.is_usable:
            found = row(made, *originals)
            assert found["status"] == "usable"
            assert found["text"] == f"Original:\n{shown(original)}\n\nIn other words:\n{shown(made)}"


def test_without_other_words_or_an_original_there_is_nothing_to_rate() -> None:
    assert [row(WARM)[name] for name in ("status", "reason")] == ["refused", "no_original"]
    assert [row(COLD, COLD)[name] for name in ("status", "reason")] == ["refused", "not_rewritten"]


def test_items_in_other_words_have_the_stories_of_their_originals() -> None:
    other = replace(WARM, name="other", statements=(replace(WARM.statements[0], text="Bob lacks warmth."),))
    about = replace(around([WARM, other]), originals={"cold": COLD, "other": replace(COLD, name="other")})
    build = ProblemItems([WARM, other], Rating(RatingEntry()), about)
    assert {build.row(problem)["story"] for problem in (WARM, other)} == {"cold"}


def test_ratings_are_scores_from_0_to_1_and_their_mean() -> None:
    scores, outcome = judged({"reasoning": "", **dict(zip(CRITERIA, (1, 2, 4, 5), strict=True))})
    assert outcome == "answered"
    assert scores == {RATING: 0.5, **dict(zip(CRITERIA, (0.0, 0.25, 0.75, 1.0), strict=True))}
    assert judged(FULLY, reasoning=False)[0] == dict.fromkeys((RATING, *CRITERIA), 1.0)
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
def test_anything_but_four_whole_numbers_from_1_to_5_is_no_rating(answer: dict[str, Any]) -> None:
    assert judged(answer) == (dict.fromkeys((RATING, *CRITERIA), 0.0), "unparsable")


def test_a_rating_is_no_right_answer() -> None:
    assert Rating.metrics == ()
    assert not any(map(Rating.rates, (RATING, *CRITERIA)))
