import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stored import frame, stored
from tests.unit.results.by_definition import above

from nlfol.results.analyses.analysis import Given
from nlfol.results.statistics.cells import cells, summarise
from nlfol.results.statistics.checks import SummaryError
from nlfol.results.statistics.summary import Origin, load
from nlfol.store import files, schemas
from nlfol.store.files import StoreError

Write = Callable[..., Path]


def score_row(item: str, seed: int | None, score: float, **other: Any) -> dict[str, Any]:
    """A row of SCORES, of an answered translation unless said otherwise."""
    verdict = "equivalent" if score else "not_equivalent"
    given = {"seed": seed, "metric": "equivalence", "score": score, "verdict": verdict}
    return stored(schemas.SCORES, item=item, **given | other)


@pytest.fixture
def scores_file(tmp_path: Path) -> Callable[..., Path]:
    """Write a SCORES file; keywords change its metadata, None takes a key away."""

    def write(rows: Iterable[dict[str, Any]], name: str = "scores.arrow", **metadata: str | None) -> Path:
        said = {
            "dataset": "toy",
            "task": "logical_translation",
            "task_kind": "logical_translation",
            "protocol": "",
            "model": "m",
            "kind": "chat",
            "available": "4",
        } | metadata
        path = tmp_path / name
        files.write(path, schemas.SCORES, rows, {key: value for key, value in said.items() if value is not None})
        return path

    return write


def test_cells_average_seeds_and_report_deviation(scores_file: Write) -> None:
    # Seed 3: (1 + 0 + 1 + 0) / 4 = 0.5; seed 12: 1/4 = 0.25; seed 26: 3/4 = 0.75.
    solved = {3: (1, 0, 1, 0), 12: (1, 0, 0, 0), 26: (1, 1, 1, 0)}
    path = scores_file(
        score_row(f"{i // 2}:{i % 2}", seed, score) for seed, scores in solved.items() for i, score in enumerate(scores)
    )
    (cell,) = cells([path])
    about = {"dataset": "toy", "task": "logical_translation", "task_kind": "logical_translation", "model": "m"}
    counts = {"items": 4, "available": 4, "stories": 2, "seeds": 3, "answered": 12}
    counts |= {"equivalent": 6, "not_equivalent": 6}
    none = dict.fromkeys(("unknown", "invalid", "repaired", "ambiguous"), 0)
    # Of four items in two stories nothing tells how far they vary.
    assert cell == stored(schemas.CELLS, kind="chat", metric="equivalence", mean=0.5, **about, **counts, **none)
    files.write(path, schemas.CELLS, [cell], {})


@pytest.mark.parametrize(
    ("items", "seeds", "has_deviation"), [(5, 3, True), (4, 3, False), (5, 2, False), (5, 1, False)]
)
def test_cells_report_deviation_from_three_seeds_and_five_items(
    scores_file: Write, items: int, seeds: int, has_deviation: bool
) -> None:
    asked = ((item, seed) for item in range(items) for seed in range(seeds))
    path = scores_file(
        (score_row(f"{item}:0", seed, float(item <= seed)) for item, seed in asked), available=str(items)
    )
    (cell,) = cells([path])
    assert (cell["deviation"] is not None) is has_deviation


def test_cells_keep_lost_answers_in_denominator(scores_file: Write) -> None:
    lost = ("unparsable", "truncated", "empty", "blank", "refused", "failed")
    rows = [score_row("1:0", 3, 1.0)]
    rows += [score_row(f"2:{i}", 3, 0.0, outcome=outcome, verdict=None) for i, outcome in enumerate(lost)]
    (cell,) = cells([scores_file(rows, available="171")])
    assert (cell["mean"], cell["items"], cell["available"], cell["deviation"]) == (1 / 7, 7, 171, None)
    assert [{**cell}[name] for name in ("answered", *lost)] == [1] * 7
    assert (cell["equivalent"], cell["not_equivalent"]) == (1, 0)


def test_cells_count_repairs_and_ambiguities(scores_file: Write) -> None:
    liberties = [([], []), (["a", "b"], []), (["a"], ["caret: ^"])]
    rows = [score_row(f"1:{i}", 3, 1.0, repairs=r, ambiguities=a) for i, (r, a) in enumerate(liberties)]
    unread = {"outcome": "unparsable", "verdict": None, "fault": "ambiguous", "ambiguities": ["caret: ^"]}
    rows.append(score_row("1:3", 3, 0.0, **unread))
    (cell,) = cells([scores_file(rows, available="4")])
    assert (cell["repaired"], cell["ambiguous"], cell["unparsable"]) == (2, 1, 1)


@pytest.mark.parametrize("items_on_boards", [1, 2])
def test_cells_score_boards_only_for_complete_items(scores_file: Write, items_on_boards: int) -> None:
    rows = [score_row(f"1:{i}", 3, 0.0) for i in range(2)]
    rows += [score_row(f"1:{i}", 3, 1.0, verdict="not_equivalent", metric="on_boards") for i in range(items_on_boards)]
    found = {cell["metric"]: cell["mean"] for cell in cells([scores_file(rows)])}
    assert found == ({"equivalence": 0} if items_on_boards == 1 else {"equivalence": 0, "on_boards": 1})


def test_cells_count_verdicts(scores_file: Write) -> None:
    verdicts = ("equivalent", "not_equivalent", "unknown", "invalid", "invalid")
    rows = [score_row(f"1:{i}", 3, float(v == "equivalent"), verdict=v) for i, v in enumerate(verdicts)]
    (cell,) = cells([scores_file(rows, available="5")])
    assert [cell[name] for name in ("equivalent", "not_equivalent", "unknown", "invalid")] == [1, 1, 1, 2]


def test_cells_split_metrics_and_presentations_in_file_order(scores_file: Write) -> None:
    rows = [
        score_row(
            item, None, score, presentation=shown, metric=metric, verdict=None, tied=metric == "both" and item == "1:0"
        )
        for shown in ("formula", "english")
        for item in ("1:0", "1:1")
        for metric, score in (("equivalence", 0.5), ("negation", 0.25), ("both", 0.125))
    ]
    found = cells([scores_file(rows, task="ranking", task_kind="ranking", protocol="audited", kind="embedding")])
    assert [(c["presentation"], c["metric"], c["mean"], c["tied"]) for c in found] == [
        (shown, metric, mean, tied)
        for shown in ("formula", "english")
        for metric, mean, tied in (("equivalence", 0.5, 0), ("negation", 0.25, 0), ("both", 0.125, 1))
    ]
    assert {c["seeds"] for c in found} == {1}
    assert {c["deviation"] for c in found} == {None}
    assert {c["equivalent"] for c in found} == {None}


def test_cells_represent_empty_task(scores_file: Write) -> None:
    path = scores_file([], available="0")
    (cell,) = cells([path])
    assert (cell["metric"], cell["presentation"]) == ("", "")
    assert (cell["items"], cell["available"], cell["seeds"], cell["mean"]) == (0, 0, 0, None)
    files.write(path, schemas.CELLS, [cell], {})


def test_cells_keep_file_order(scores_file: Write) -> None:
    paths = [scores_file([score_row("1:0", 3, 1.0)], name=f"{m}.arrow", model=m) for m in ("z", "a", "chance")]
    assert [cell["model"] for cell in cells(paths)] == ["z", "a", "chance"]


def test_cells_compute_chance_over_asked_items(scores_file: Write) -> None:
    """One of them was asked two, another one of these; the reader and a dataset without models change nothing."""

    def asked(model: str, kind: str, scores: dict[str, float], dataset: str = "toy") -> Path:
        rows = [score_row(item, None, score, verdict=None) for item, score in scores.items()]
        about = {"dataset": dataset, "task": "most_similar", "task_kind": "most_similar", "protocol": "audited"}
        return scores_file(rows, f"{dataset}-{model}.arrow", model=model, kind=kind, **about)

    by_chance = {"1:0": 1 / 2, "1:1": 1 / 4, "2:0": 1 / 3, "2:1": 1 / 5}
    paths = [
        asked("chance", "chance", by_chance),
        asked("m", "chat", {"1:0": 1, "2:0": 0}),
        asked("n", "embedding", {"2:0": 1}),
        asked("reader", "reader", dict.fromkeys(by_chance, 1)),
        asked("chance", "chance", by_chance, "other"),
    ]
    found = {(cell["dataset"], cell["model"]): cell for cell in cells(paths)}
    assert next(iter(found)) == ("toy", "chance")
    assert found["toy", "chance"]["mean"] == pytest.approx((1 / 2 + 1 / 3) / 2)
    assert (found["toy", "chance"]["items"], found["toy", "chance"]["available"]) == (2, 4)
    assert found["other", "chance"]["mean"] == pytest.approx((1 / 2 + 1 / 4 + 1 / 3 + 1 / 5) / 4)
    assert cells([]) == []


@pytest.mark.parametrize(
    ("rows", "metadata", "message"),
    [
        (
            [score_row("1:0", 3, 1.0), score_row("1:1", 3, 1.0), score_row("1:0", 12, 1.0)],
            {},
            r"item '1:1', seed 12, metric 'equivalence', presentation '': missing",
        ),
        (
            [score_row("1:0", 3, 1.0), score_row("1:0", 3, 0.0)],
            {},
            r"item '1:0', seed 3, metric 'equivalence', presentation '': occurs twice",
        ),
        (
            [score_row("1:0", None, 1.0), score_row("1:0", None, 0.0)],
            {},
            r"item '1:0', seed None, .* occurs twice",
        ),
        (
            [score_row("1:0", 3, 1.0, metric=m) for m in ("a", "b")] + [score_row("1:1", 3, 1.0, metric="a")],
            {},
            r"item '1:1', seed 3, metric 'b', presentation '': missing",
        ),
        ([score_row("1:0", 3, 1.5)], {}, r"item '1:0', seed 3, .*: score 1.5 lies outside \[0, 1\]"),
        ([score_row("1:0", 3, -0.1)], {}, r"lies outside"),
        ([score_row("1:0", 3, float("nan"))], {}, r"score nan lies outside"),
        ([score_row("1:0", 3, 0.0, outcome="lost")], {}, r"outcome 'lost' is not one of answered, unparsable"),
        ([score_row("1:0", 3, 0.0, verdict="wrong")], {}, r"verdict 'wrong' is not one of equivalent, not_equivalent"),
        ([score_row("1:0", 3, 1.0, outcome="failed", verdict=None)], {}, r"score 1.0 belongs to no answer"),
        ([score_row("1:0", 3, 0.0, verdict=None)], {}, r"verdict None must be given for an answer"),
        ([score_row("1:0", 3, 0.0, outcome="failed")], {}, r"verdict 'not_equivalent' must be given"),
        ([score_row(f"1:{i}", 3, 1.0) for i in range(5)], {}, r"5 items were asked where toy/.*/m offers 4"),
        (
            [],
            {"kind": "oracle"},
            r"kind 'oracle' where one of chat, .*, merging, vacuous, chance",
        ),
        ([], {"available": "many"}, r"available 'many' is not a number"),
        ([], {"model": None, "kind": None}, r"the schema metadata lacks model, kind"),
    ],
)
def test_cells_report_errors_with_file_and_place(
    scores_file: Write, rows: list[dict[str, Any]], metadata: dict[str, str | None], message: str
) -> None:
    with pytest.raises(SummaryError, match=r"scores\.arrow: .*" + message):
        cells([scores_file(rows, **metadata)])


def test_cells_reject_duplicate_dataset_task_and_model(scores_file: Write) -> None:
    paths = [scores_file([], name=name) for name in ("a.arrow", "b.arrow")]
    with pytest.raises(SummaryError, match=r"b\.arrow: toy/logical_translation/m was already read from .*a\.arrow"):
        cells(paths)


def test_cells_reject_missing_file(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no such file"):
        cells([tmp_path / "none.arrow"])


def test_load_reads_origin_from_metadata(scores_file: Write) -> None:
    source, scores = load(scores_file([score_row("1:0", 3, 1.0)]))
    assert source == Origin("toy", "logical_translation", "logical_translation", None, "m", "chat", 4)
    assert source.name == "toy/logical_translation/m"
    assert scores.height == 1


@given(
    scores=st.integers(1, 4).flatmap(
        lambda seeds: st.lists(
            st.lists(st.floats(0, 1, allow_nan=False), min_size=seeds, max_size=seeds), min_size=1, max_size=8
        )
    ),
    shuffle=st.randoms(use_true_random=False),
)
def test_cell_is_independent_from_row_order(scores: list[list[float]], shuffle: random.Random) -> None:
    rows = [score_row(f"1:{i}", seed, x, verdict=None) for i, line in enumerate(scores) for seed, x in enumerate(line)]
    source = Origin("toy", "most_similar", "most_similar", "audited", "m", "chat", len(scores))
    (first,) = summarise(Path("f"), source, [frame(schemas.SCORES, *rows)])
    shuffle.shuffle(rows)
    (second,) = summarise(Path("f"), source, [frame(schemas.SCORES, *rows)])
    assert first == second
    values = [x for line in scores for x in line]
    assert first["mean"] == pytest.approx(sum(values) / len(values))
    assert first["answered"] == len(values)


CHOICE = {"task": "k", "task_kind": "most_similar", "protocol": "audited", "available": "7"}


def chosen(item: str, seed: int | None, score: float, presentation: str = "english") -> dict[str, Any]:
    return score_row(item, seed, score, metric="accuracy", verdict=None, presentation=presentation)


def test_cells_adjust_scores_for_chance_over_asked_items(scores_file: Write) -> None:
    """Whichever file comes first; of a:1 the model was not asked."""
    asked = [("a:0", 1.0), ("b:0", 0.0), ("b:1", 1.0), ("c:0", 0.0), ("d:0", 1.0), ("e:0", 0.0)]
    guessed = [(item, 1 / 2) for item, _ in asked[3:]]
    guessed += [("a:0", 1 / 2), ("a:1", 1 / 9), ("b:0", 1 / 4), ("b:1", 1 / 3)]
    model = scores_file(
        [chosen(item, 3, score) for item, score in asked], name="m.arrow", **CHOICE | {"available": "7"}
    )
    rows = [chosen(item, None, score, shown) for shown in ("formula", "english") for item, score in guessed]
    chance = scores_file(rows, name="chance.arrow", model="chance", kind="chance", **CHOICE)
    expected = above([[1], [0, 1], [0], [1], [0]], [[1 / 2], [1 / 4, 1 / 3], [1 / 2], [1 / 2], [1 / 2]])
    for paths in ([model, chance], [chance, model]):
        cells_of = {(cell["model"], cell["presentation"]): cell for cell in cells(paths)}
        found = cells_of["m", "english"]
        assert found["chance"] == pytest.approx((4 / 2 + 1 / 4 + 1 / 3) / 6)
        assert [found[name] for name in ("above", "above_low", "above_high")] == pytest.approx(expected)
        assert cells_of["chance", "english"]["above"] is None


def test_cells_skip_adjustment_without_chance_for_every_item(scores_file: Write) -> None:
    model = scores_file([chosen(item, 3, 1.0) for item in ("a:0", "b:0")], name="m.arrow", **CHOICE)
    other = {"presentation": "formula"}
    for rows in ([chosen("a:0", None, 0.5)], [chosen(item, None, 0.5, **other) for item in ("a:0", "b:0")]):
        chance = scores_file(rows, name="chance.arrow", model="chance", kind="chance", **CHOICE)
        (cell, _) = cells([model, chance])
        assert (cell["chance"], cell["above"]) == (None, None)


SCORES = {"a:0": 1.0, "a:1": 0.0, "b:0": 0.0, "b:1": 1.0}


@pytest.mark.parametrize(("kind", "items"), [("chat", ["0", "1"]), ("reader", ["0", "1", "2", "3"])])
def test_analyses_restrict_chance_to_asked_items(scores_file: Write, kind: str, items: list[str]) -> None:
    def rows(names: Iterable[str], score: float) -> list[dict[str, Any]]:
        return [
            stored(schemas.SCORES, item=name, story=name, presentation="", metric="equivalence", score=score)
            for name in names
        ]

    asked = scores_file(rows("01", 1.0), "m.arrow", kind=kind)
    chance = scores_file(rows("0123", 0.25), "chance.arrow", kind="chance", model="chance")
    inputs = Given({"scores": [chance, asked]})
    assert [sorted(one.items["item"]) for one in inputs.series()] == [items, ["0", "1"]]
    assert [len(scores) for _, scores in inputs.loaded("item")] == [len(items), 2]
