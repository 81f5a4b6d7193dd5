from typing import Any
from urllib.parse import parse_qs

import pytest

from nlfol.report.page import links
from nlfol.results.analyses.drawing import form_of
from nlfol.results.analyses.registry import TABLES
from nlfol.results.tables.opening import address, plain
from nlfol.results.tables.table import Column, Kind, Sample, Score, Table
from nlfol_extras.analyses.claims import WORDS

ASKED = {"dataset": "d", "task": "t", "model": "m", "metric": "both", "presentation": "english"}
KINDS = {int: Kind.COUNT, float: Kind.SHARE, Score: Kind.SCORE, Sample: Kind.SAMPLE, tuple: Kind.TALLY}
LOST = ("unparsable", "failed")

Opened = dict[str, str | list[str]]


def addresses(name: str, **row: Any) -> list[str]:
    """Return the addresses that a row's numbers open; words and missing values open nothing."""
    opens = form_of(name).opens if name in TABLES else plain
    columns = []
    for column, cell in row.items():
        kind = KINDS.get(type(cell), Kind.TEXT)
        columns.append(Column(column, column, kind, LOST if kind is Kind.TALLY else ()))
    table = Table(name, "T", "C.", tuple(columns), (tuple(row.values()),), opens=opens)
    ((*found,),) = links(table, {"d": "first"})
    return [part for cell in found for part in cell if part is not None]


def opened(name: str, **row: Any) -> list[Opened]:
    chosen = [parse_qs(part.removeprefix("#items?")) for part in addresses(name, **row)]
    return [{key: values if len(values) > 1 else values[0] for key, values in each.items()} for each in chosen]


@pytest.mark.parametrize(
    ("table", "row", "found"),
    [
        ("new", {**ASKED, "score": Score(0.5), "none": None}, [ASKED]),
        # A count of nothing opens nothing, a score of 0 does.
        ("new", {**ASKED, "failed": 0, "score": Score(0.0)}, [ASKED]),
        (
            "differences",
            {"dataset": "d", "task": "t", "first": "one", "second": "other", "p": 0.5},
            [{"dataset": "d", "task": "t", "model": ["one", "other"], "common": "model"}],
        ),
        # Each number of a tally opens its own answers.
        (
            "dialogue",
            {"dataset": "d", "model": "m", "ranking_task": "mine", "ranking": (3, 1)},
            [{"dataset": "d", "model": "m", "task": "mine", "metric": "both", "outcome": outcome} for outcome in LOST],
        ),
        ("complexity", {"dataset": "d", "operators_4": 0.5}, [{"dataset": "d", "operators": "4+", "task": "first"}]),
        # Of diversity only what is of all items of ours opens them.
        ("diversity", {"dataset": "d", "source": "here", "items": 4, "trees": 3}, [{"dataset": "d", "task": "first"}]),
        ("diversity", {"dataset": "d", "source": "published", "items": 10_000, "trees": 8_550}, []),
        ("curves", {**ASKED, "category": "3", "score": Score(0.5)}, []),
        ("difficulty", {**ASKED, "group": "operators", "case": "5+", "items": 4}, [{**ASKED, "operators": "5+"}]),
        ("difficulty", {**ASKED, "group": "score of the other models", "case": "0", "items": 4}, []),
        # What is worked out of all answers, or without some, opens nothing.
        ("above_chance", {**ASKED, "chance": 0.25, "above": Score(0.5)}, [ASKED]),
        (
            "positions",
            {**ASKED, "position": 3, "accuracy": 0.5, "expected": 0.25, "p": 0.125, "adjusted": 0.25},
            [{**ASKED, "metric": "accuracy", "position": "3"}] * 2,
        ),
        ("positions", {**ASKED, "position": None, "accuracy": 0.5}, [{**ASKED, "metric": "accuracy"}]),
    ],
)
def test_table_number_links_to_matching_items(table: str, row: dict[str, Any], found: list[Opened]) -> None:
    assert opened(table, **row) == found


def test_thinking_scores_link_to_matching_models() -> None:
    row = {"dataset": "d", "task": "t", "thinking": "deep", "plain": "quick"}
    found = opened("thinking", **row, score=Score(0.5), score_plain=Score(0.25), difference=Score(0.25))
    assert [part["model"] for part in found] == ["deep", "quick", ["deep", "quick"]]
    assert [part.get("common") for part in found] == [None, None, "model"]


def test_other_metrics_link_items_and_read_answers() -> None:
    items, read = opened("other_metrics", **ASKED, items=Sample(4, 4), read=6)
    assert (items.get("read"), read["read"]) == (None, "read")


@pytest.mark.parametrize(
    ("row", "found"),
    [
        (
            ("ranking", "both", "english", "m", None, "mine", "paper"),
            {"task": "mine", "metric": "both", "presentation": "english", "model": "m"},
        ),
        (
            ("logical_translation", "correlation_le", None, "m", None, "mine", None),
            {"task": "mine", "metric": "le", "model": "m", "read": "read"},
        ),
        (
            ("most_similar_and_ranking", "both", "english", "m", None, "mine / other", "paper"),
            {"task": ["mine", "other"], "presentation": "english", "model": "m", "common": "task"},
        ),
        (
            ("logical_translation", "both", None, "m", "n", "mine", None),
            {"task": "mine", "metric": "equivalence", "model": ["m", "n"], "pair": "both"},
        ),
        ((None, "operators_4", None, None, None, None, None), {"task": "first", "operators": "4+"}),
    ],
)
def test_published_comparison_links_to_own_items(row: tuple[str | None, ...], found: Opened) -> None:
    names = ("task", "metric", "presentation", "model", "second", "entry", "protocol")
    said = dict(zip(names, row, strict=True))
    # The published one opens nothing.
    assert opened("published", dataset="d", **said, published=Score(0.5), ours=Score(0.25)) == [
        {"dataset": "d"} | found
    ]


def test_link_values_are_quoted() -> None:
    assert address({"model": 'a&b "c"=<d>', "task": None}) == "#items?model=a%26b+%22c%22%3D%3Cd%3E"


@pytest.mark.parametrize(
    ("claim", "sides", "found"),
    [
        (
            "negation_dialogue",
            ("k", "english", "m", "equivalence", "negation"),
            {"task": "k", "presentation": "english", "model": "m"},
        ),
        (
            "most_similar",
            (None, "english", "m", "chosen", "ranked"),
            {"task": ["chosen", "ranked"], "common": "task", "presentation": "english", "model": "m"},
        ),
        ("thinking", ("k", None, None, "deep", "quick"), {"task": "k", "model": ["deep", "quick"], "common": "model"}),
        ("chance", ("k", None, None, "m", "chance"), {"task": "k", "model": "m"}),
        ("dialogue", ("k", None, None, "dialogue models (2)", "e"), {"task": "k"}),
    ],
)
def test_claim_links_to_both_sides(claim: str, sides: tuple[str | None, ...], found: Opened) -> None:
    said = dict(zip(("task", "presentation", "model", "first", "second"), sides, strict=True))
    assert opened("claims", dataset="d", claim=WORDS[claim], **said, difference=Score(0.5)) == [
        {"dataset": "d"} | found
    ]


def test_ontology_shares_link_to_answers_and_given_task() -> None:
    row = {"dataset": "d", "task": "own", "scope": "story", "model": "m", "given": "t", "items": Sample(2, 3)}
    own, recall, given = opened("ontologies", **row, recall=0.5, score_given=0.5, score_own=0.25)
    asked = {"dataset": "d", "task": "own", "model": "m"}
    assert own == {**asked, "metric": "anchored"}
    assert recall == {**asked, "metric": "recall"}
    assert given == {**asked, "task": "t", "metric": "equivalence"}
