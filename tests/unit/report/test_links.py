from typing import Any
from urllib.parse import parse_qs

import pytest

from nlfol.analyses.claims import WORDS
from nlfol.analyses.drawing import form_of
from nlfol.analyses.registry import TABLES
from nlfol.report.page import links
from nlfol.tables.opening import address, plain
from nlfol.tables.table import Column, Kind, Sample, Score, Table

TEXTS = [Column(name, name, Kind.TEXT) for name in ("dataset", "task", "model", "metric", "presentation")]
ROW = ("d", "t", "m", "both", "english")
FIRST = {"d": "first"}


def opened(name: str, columns: list[Column], row: tuple[object, ...]) -> list[dict[str, list[str]]]:
    opens = form_of(name).opens if name in TABLES else plain
    table = Table(name, "T", "C.", tuple(columns), (row,), opens=opens)  # type: ignore[arg-type]
    (found,) = links(table, FIRST)
    return [parse_qs(part.removeprefix("#items?")) for cell in found for part in cell if part is not None]


def test_a_number_opens_what_its_row_names() -> None:
    columns = [*TEXTS, Column("score", "Score", Kind.SCORE), Column("none", "None", Kind.COUNT)]
    named = {"dataset": ["d"], "task": ["t"], "model": ["m"], "metric": ["both"], "presentation": ["english"]}
    assert opened("new", columns, (*ROW, Score(0.5), None)) == [named], "words and what is missing open nothing"


def test_a_comparison_opens_both_models() -> None:
    columns = [Column(name, name, Kind.TEXT) for name in ("dataset", "task", "first", "second")]
    (found,) = opened("differences", [*columns, Column("p", "p", Kind.SHARE)], ("d", "t", "one", "other", 0.5))
    assert found == {"dataset": ["d"], "task": ["t"], "model": ["one", "other"], "common": ["model"]}


def test_a_score_of_thinking_opens_the_model_that_thinks_and_the_other_the_other() -> None:
    columns = [Column(name, name, Kind.TEXT) for name in ("dataset", "task", "thinking", "plain")]
    columns += [Column(name, name, Kind.SCORE) for name in ("score", "score_plain", "difference")]
    found = opened("thinking", columns, ("d", "t", "deep", "quick", Score(0.5), Score(0.25), Score(0.25)))
    assert [part["model"] for part in found] == [["deep"], ["quick"], ["deep", "quick"]]
    assert [part.get("common") for part in found] == [None, None, ["model"]]


def test_each_number_of_a_tally_opens_its_own_answers() -> None:
    columns = [Column(name, name, Kind.TEXT) for name in ("dataset", "model", "ranking_task")]
    lost = Column("ranking", "u / f", Kind.TALLY, ("unparsable", "failed"))
    first, second = opened("dialogue", [*columns, lost], ("d", "m", "mine", (3, 1)))
    assert first == {"dataset": ["d"], "model": ["m"], "task": ["mine"], "metric": ["equivalence"], "outcome": ["unparsable"]}  # fmt: skip # noqa: E501
    assert second["outcome"] == ["failed"]


def test_a_count_of_nothing_opens_nothing_but_a_score_of_zero_does() -> None:
    columns = [*TEXTS, Column("failed", "Failed", Kind.COUNT), Column("score", "Score", Kind.SCORE)]
    assert len(opened("new", columns, (*ROW, 0, Score(0.0)))) == 1


def test_items_of_other_metrics_open_all_of_them_and_the_count_those_that_were_read() -> None:
    columns = [*TEXTS, Column("items", "Items", Kind.SAMPLE), Column("read", "Read", Kind.COUNT)]
    items, read = opened("other_metrics", columns, (*ROW, Sample(4, 4), 6))
    assert "read" not in items
    assert read["read"] == ["read"]


def test_without_a_task_the_first_one_is_opened() -> None:
    columns = [Column("dataset", "Dataset", Kind.TEXT), Column("operators_4", "≥ 4", Kind.SHARE)]
    assert opened("complexity", columns, ("d", 0.5)) == [{"dataset": ["d"], "operators": ["4+"], "task": ["first"]}]


PUBLISHED = [
    Column(name, name, Kind.TEXT)
    for name in ("dataset", "task", "metric", "presentation", "model", "second", "entry", "protocol")
] + [Column("published", "P", Kind.SCORE), Column("ours", "O", Kind.SCORE)]


@pytest.mark.parametrize(
    ("row", "found"),
    [
        (
            ("ranking", "both", "english", "m", None, "mine", "paper"),
            {"task": ["mine"], "metric": ["both"], "presentation": ["english"], "model": ["m"]},
        ),
        (
            ("logical_translation", "correlation_le", None, "m", None, "mine", None),
            {"task": ["mine"], "metric": ["le"], "model": ["m"], "read": ["read"]},
        ),
        (
            ("most_similar_and_ranking", "both", "english", "m", None, "mine / other", "paper"),
            {"task": ["mine", "other"], "presentation": ["english"], "model": ["m"], "common": ["task"]},
        ),
        (
            ("logical_translation", "both", None, "m", "n", "mine", None),
            {"task": ["mine"], "metric": ["equivalence"], "model": ["m", "n"], "pair": ["both"]},
        ),
        ((None, "operators_4", None, None, None, None, None), {"task": ["first"], "operators": ["4+"]}),
    ],
)
def test_a_figure_beside_a_published_one_opens_what_it_is_of(row: tuple[object, ...], found: dict[str, Any]) -> None:
    # The published one opens nothing.
    assert opened("published", PUBLISHED, ("d", *row, Score(0.5), Score(0.25))) == [{"dataset": ["d"], **found}]


def test_values_are_quoted() -> None:
    assert address({"model": 'a&b "c"=<d>', "task": None}) == "#items?model=a%26b+%22c%22%3D%3Cd%3E"


def test_of_diversity_only_what_is_of_all_items_of_ours_opens_them() -> None:
    columns = [Column("dataset", "Dataset", Kind.TEXT), Column("source", "Source", Kind.TEXT)]
    columns += [Column(name, name, Kind.COUNT) for name in ("items", "trees")]
    assert opened("diversity", columns, ("d", "here", 4, 3)) == [{"dataset": ["d"], "task": ["first"]}]
    assert opened("diversity", columns, ("d", "published", 10_000, 8_550)) == []


def test_a_score_of_a_category_opens_nothing() -> None:
    columns = [*TEXTS, Column("category", "Category", Kind.TEXT), Column("score", "Score", Kind.SCORE)]
    assert opened("curves", columns, (*ROW, "3", Score(0.5))) == []


SIDES = [
    Column(name, name, Kind.TEXT) for name in ("dataset", "claim", "task", "presentation", "model", "first", "second")
] + [Column("difference", "D", Kind.SCORE)]


@pytest.mark.parametrize(
    ("claim", "sides", "found"),
    [
        (
            "negation_dialogue",
            ("k", "english", "m", "equivalence", "negation"),
            {"task": ["k"], "presentation": ["english"], "model": ["m"]},
        ),
        (
            "most_similar",
            (None, "english", "m", "chosen", "ranked"),
            {"task": ["chosen", "ranked"], "common": ["task"], "presentation": ["english"], "model": ["m"]},
        ),
        (
            "thinking",
            ("k", None, None, "deep", "quick"),
            {"task": ["k"], "model": ["deep", "quick"], "common": ["model"]},
        ),
        ("chance", ("k", None, None, "m", "chance"), {"task": ["k"], "model": ["m"]}),
        ("dialogue", ("k", None, None, "dialogue models (2)", "e"), {"task": ["k"]}),
    ],
)
def test_a_claim_opens_both_sides(claim: str, sides: tuple[str | None, ...], found: dict[str, list[str]]) -> None:
    row = ("d", WORDS[claim], *sides, Score(0.5))
    assert opened("claims", SIDES, row) == [{"dataset": ["d"], **found}]


def test_difficulty_opens_items_of_equal_complexity() -> None:
    columns = [*TEXTS, Column("group", "By", Kind.TEXT), Column("case", "Which", Kind.TEXT)]
    columns.append(Column("items", "Items", Kind.COUNT))
    (found,) = opened("difficulty", columns, (*ROW, "operators", "5+", 4))
    assert found["operators"] == ["5+"]
    assert opened("difficulty", columns, (*ROW, "score of the other models", "0", 4)) == []


def test_what_the_explorer_cannot_choose_opens_nothing() -> None:
    above = [*TEXTS, Column("chance", "Chance", Kind.SHARE), Column("above", "Above", Kind.SCORE)]
    assert len(opened("above_chance", above, (*ROW, 0.25, Score(0.5)))) == 1
    without = [*TEXTS, Column("score", "Score", Kind.SCORE), Column("without", "Without", Kind.SCORE)]
    assert len(opened("without_suspects", without, (*ROW, Score(0.5), Score(0.75)))) == 1


def test_of_a_position_answers_open_and_what_is_worked_out_of_all_does_not() -> None:
    columns = [*TEXTS, Column("position", "P", Kind.COUNT), Column("accuracy", "A", Kind.SHARE)]
    columns += [Column(name, name, Kind.SHARE) for name in ("expected", "p", "adjusted")]
    found = opened("positions", columns, (*ROW, 3, 0.5, 0.25, 0.125, 0.25))
    assert [one["position"] for one in found] == [["3"], ["3"]]
    (whole,) = opened("positions", columns, (*ROW, None, 0.5, 0.25, 0.125, 0.25))
    assert "position" not in whole


def test_shares_of_own_ontologies_open_their_answers_and_the_given_score_the_other_task() -> None:
    columns = [Column(name, name, Kind.TEXT) for name in ("dataset", "task", "scope", "model", "given")]
    columns += [Column("items", "Items", Kind.SAMPLE), Column("recall", "Recall", Kind.SHARE)]
    columns += [Column(name, name, Kind.SHARE) for name in ("score_given", "score_own")]
    own, recall, given = opened("ontologies", columns, ("d", "own", "story", "m", "t", Sample(2, 3), 0.5, 0.5, 0.25))
    asked = {"dataset": ["d"], "task": ["own"], "model": ["m"]}
    assert own == {**asked, "metric": ["anchored"]}
    assert recall == {**asked, "metric": ["recall"]}
    assert given == {**asked, "task": ["t"], "metric": ["equivalence"]}
