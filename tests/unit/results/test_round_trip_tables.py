"""Round trips and verification, from files of scores to rendered tables, worked out by hand."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.analysing import analyse
from tests.stored import records, stored
from tests.unit.results.by_definition import interval
from tests.unit.results.worked_out import beside_figures, check, score

from nlfol.results.analyses.analysis import WAYS, schema_of
from nlfol.results.analyses.drawing import form_of
from nlfol.results.analyses.round_trip import stops
from nlfol.results.statistics.differences import difference
from nlfol.results.statistics.summary import OF_SERIES, load
from nlfol.results.tables.rendering import RENDERERS
from nlfol.results.tables.table import Score, Table
from nlfol.store import files, schemas
from nlfol.store.files import read_frame
from nlfol.store.schemas import MEASURES

ITEMS = ("a", "b", "c", "d")
"""Each a story; c and d have 8 operators, and of these c has a depth."""

FIGURES = pl.DataFrame(
    [
        ("k_sat", "round_trip", "truth_operators_6", "zero_shot", "gpt", 0.5),
        ("k_sat", "round_trip", "truth_operators_6", "zero_shot", "gpt", 0.75),
        ("k_sat", "round_trip", "truth_depth_7", "zero_shot", "gpt", 0.25),
        ("k_sat", "round_trip", "truth_operators_6", "few_shot", "gpt", 0.5),
        ("elsewhere", "round_trip", "truth_operators_6", "zero_shot", "gpt", 0.5),
        ("k_sat", None, "trees", None, None, 8550.0),
    ],
    schema=["dataset", "task", "metric", "presentation", "model", "mean"],
    orient="row",
)

NAMES = pl.DataFrame({"dataset": ["k_sat", "mine"], "published": ["k_sat", "k_sat"]})

TRIPS: dict[str, dict[str, list[tuple[float, float, float, float]]]] = {
    # Of each item: truth, and truth of the second round; whether it complied, and whether it was copied.
    "alpha": {
        "zero_shot": [(1, 1, 1, 0), (1, 0, 1, 1), (0, 0, 1, 0), (0, 0, 0, 0)],
        "few_shot": [(1, 1, 1, 0), (1, 1, 1, 0), (1, 0, 1, 0), (0, 0, 1, 0)],
    },
    "echo": {"zero_shot": [(1, 1, 1, 1)] * 4},
}

STOPS = {
    ("alpha", "zero_shot"): ["completed", "not_equivalent", "unknown", "truncated"],
    ("alpha", "few_shot"): ["completed", "completed", "copied", "invalid"],
    ("echo", "zero_shot"): ["completed"] * 4,
}


def write(path: Path, kind: str, model: str, rows: Sequence[Mapping[str, Any]], task: str | None = None) -> Path:
    made = [stored(schemas.SCORES, **{"seed": 3, **row}) for row in rows]
    said = {"dataset": "k_sat", "task": task or kind, "task_kind": kind, "protocol": "", "model": model}
    said["available"] = "4"
    said["kind"] = "chat" if model == "alpha" else "constant" if model.startswith("always") else model
    files.write(path, schemas.SCORES, made, said)
    return path


def trip_rows(model: str) -> Iterator[dict[str, Any]]:
    for presentation, items in TRIPS[model].items():
        for item, scored, stop in zip(ITEMS, items, STOPS[model, presentation], strict=True):
            true, later, complied, copied = scored
            lost = stop == "truncated"
            for metric, number, value in (
                ("truth_uncopied", 1, true * (1 - copied)),
                ("truth", 1, true),
                ("compliance", 1, complied),
                ("copied", 1, copied),
                ("truth_uncopied@2", 2, later * (1 - copied)),
                ("truth@2", 2, later),
                ("compliance@2", 2, later),
                ("copied@2", 2, copied),
            ):
                yield {
                    "item": f"{item}:0",
                    "story": item,
                    "presentation": presentation,
                    "stop": stop,
                    "metric": metric,
                    "round": number,
                    "score": float(value),
                    "outcome": "truncated" if lost else "answered",
                }


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pl.DataFrame]:
    """Make the inputs of the tables."""
    folder = tmp_path_factory.mktemp("trips")
    scores = [
        *(
            write(folder / f"trip.{model}.arrow", "round_trip", model, list(trip_rows(model)), "trip")
            for model in TRIPS
        ),
        write(folder / "pure.arrow", "logical_translation", "alpha", list(pure_rows())),
    ]
    rows = [
        stored(MEASURES, item=f"{item}:0", category=size, operators_published=size, depth=depth, edits=1, detected=1)
        for item, size, depth in (("a", 2, None), ("b", 2, None), ("c", 8, 3.0), ("d", 8, None))
    ]
    measures = folder / "measures.arrow"
    files.write(measures, MEASURES, rows, {"dataset": "k_sat"})
    for topic in ("scores", "curves", "round_trip", "attribution"):
        analyse(topic, folder, scores=scores, round_trip_scores=scores, measures=[measures])
    drawn = ("cells", "bounded", "stops", "few_shot", "attributions")
    return {name: read_frame(folder / f"{name}.arrow", schema_of(name)) for name in drawn}


def pure_rows() -> Iterator[dict[str, Any]]:
    """Only b and c are formalized rightly."""
    for item, presentation in product(ITEMS, ("zero_shot", "few_shot")):
        right = item in "bc"
        yield {
            "item": f"{item}:0",
            "story": item,
            "presentation": presentation,
            "metric": "equivalence",
            "score": float(right),
            "outcome": "answered",
            "verdict": "equivalent" if right else "not_equivalent",
        }


def checked(table: Table, folder: Path, expected: Sequence[Sequence[Any]]) -> None:
    (folder / f"{table.name}.csv").write_text(RENDERERS["csv"](table), encoding="utf-8")
    check(folder, table.name, expected)


def of_four(mean: float) -> list[Any]:
    """Four stories of one item each."""
    right = round(4 * mean)
    return score([[1.0]] * right + [[0.0]] * (4 - right), None)


def test_round_trip_table_matches_hand_computation(made: dict[str, pl.DataFrame], tmp_path: Path) -> None:
    table = beside_figures(form_of("round_trip"), FIGURES, **made, names=NAMES)
    nothing = [None] * 4
    # a and b have at most 6 operators: two stories.
    small = dict.fromkeys(("alpha", "echo"), score([[1], [1]], None))

    def row(model: str, shown: str, number: int, scores: list[Any], more: list[Any]) -> list[Any]:
        return ["k_sat", "trip", model, shown, "here", number, 4, 4, 1, *scores, *more]

    def four(*means: float) -> list[Any]:
        return [value for mean in means for value in of_four(mean)]

    only = [1.0, None, None, None]
    # Formulas have no sentence of their own to be compared with.
    overlaps = nothing * 5
    unended = [*overlaps, *[None] * 8]
    without = [*small["alpha"], *four(2 / 4), 0, *nothing[1:], *overlaps]
    few = [*score([[1], [1]], None), *four(3 / 4), *only, *overlaps]
    published = ["k_sat", "trip", "gpt", "zero_shot", "published", 1, None, None, None, *nothing * 4]
    expected = [
        row("alpha", "zero_shot", 1, four(1 / 4, 2 / 4, 3 / 4, 1 / 4), [*without, 1, 1, 1, 0, 0, 0, 1, None]),
        row("alpha", "zero_shot", 2, four(1 / 4, 1 / 4, 1 / 4, 1 / 4), [*nothing * 3, *unended]),
        row(
            "echo",
            "zero_shot",
            1,
            four(0, 1, 1, 1),
            [*small["echo"], *four(1), *only, *overlaps, 4, 0, 0, 0, 0, 0, 0, None],
        ),
        row("echo", "zero_shot", 2, four(0, 1, 1, 1), [*nothing * 3, *unended]),
        # The figure printed first is shown.
        [*published, 0.5, *nothing[1:], *nothing, 0.25, *nothing[1:], *unended],
        # Of the two presentations few shot is the best of the calibrated dataset.
        row("alpha", "few_shot", 1, four(3 / 4, 3 / 4, 1, 0), [*few, 2, 0, 0, 1, 0, 1, 0, "best: cannot tell of 0.95"]),
        row("alpha", "few_shot", 2, four(2 / 4, 2 / 4, 2 / 4, 0), [*nothing * 3, *unended]),
        ["k_sat", "trip", "gpt", "few_shot", *published[4:], 0.5, *nothing[1:], *nothing * 2, *unended],
    ]
    checked(table, tmp_path, expected)


def test_round_trip_english_pairs_with_published_informalization(made: dict[str, pl.DataFrame]) -> None:
    """The echo repeats the formula: all of it is true, and none of it the sentence."""
    cells = made["cells"].filter(pl.col("model") == "echo", pl.col("metric") == "truth")
    about = cells.with_columns(dataset=pl.lit("sentences"), metric=pl.lit("rouge_l"), mean=pl.lit(0.0))
    names = pl.DataFrame({"dataset": ["sentences"], "published": ["folio"]})
    theirs = [("folio", "informalization", name, "", "gpt", 0.5) for name in ("rouge", "bleu", "meteor")]
    figures = pl.DataFrame(theirs, schema=FIGURES.schema, orient="row")
    table = beside_figures(form_of("round_trip"), figures, cells=about, names=names)
    found = [
        (row["model"], row["source"], name, value.mean)
        for row in records(table)
        for name in ("bleu", "chrf", "rouge_l", "meteor", "bertscore")
        if isinstance(value := row[name], Score)
    ]
    assert found == [
        ("echo", "here", "rouge_l", 0),
        ("gpt", "published", "bleu", 0.5),
        ("gpt", "published", "rouge_l", 0.5),
        ("gpt", "published", "meteor", 0.5),
    ]


def test_round_trip_table_tests_calibration_threshold(made: dict[str, pl.DataFrame]) -> None:
    def said(dataset: str, mean: float, half: float = 0.04) -> list[Any]:
        about = {"dataset": dataset, "mean": mean, "low": mean - half, "high": mean + half}
        cells = (
            made["cells"].filter(pl.col("model") == "alpha").with_columns(**{k: pl.lit(v) for k, v in about.items()})
        )
        table = beside_figures(form_of("round_trip"), FIGURES.clear(), cells=cells, names=names)
        return [row[-1] for row in table.rows if row[-1]]

    names = NAMES
    assert said("k_sat", 0.95) == said("mine", 0.95) == ["best: reaches 0.95"]
    assert said("k_sat", 0.94) == ["best: below 0.95"]
    assert said("k_sat", 1.0, 0.06) == said("k_sat", 0.5, 0.06) == ["best: cannot tell of 0.95"]
    assert said("propositional", 0.95) == []
    # Whatever the entry is called: what it draws counts.
    names = NAMES.with_columns(published=pl.lit(""))
    assert said("k_sat", 0.95) == []


def test_bounded_scores_cover_items_within_size(made: dict[str, pl.DataFrame]) -> None:
    # Of four items a and b have at most 6 operators, and c a depth.
    found = made["bounded"].filter(pl.col("model") == "echo").select("measure", "most", "items", "available")
    assert set(found.rows()) == {
        ("operators_published", 6, 2, 2),
        ("operators_published", 30, 4, 4),
        ("depth", 7, 1, 1),
    }


def test_round_trip_table_sorts_models_best_first_before_references(made: dict[str, pl.DataFrame]) -> None:
    cells = made["cells"].filter(pl.col("presentation") == "zero_shot")
    alpha = cells.filter(pl.col("model") == "alpha")
    beta = alpha.with_columns(model=pl.lit("beta"), mean=pl.col("mean") + 0.1)
    both = pl.concat([cells.filter(pl.col("model") == "echo"), alpha, beta])
    table = beside_figures(form_of("round_trip"), FIGURES.clear(), cells=both, names=NAMES)
    assert [row[2] for row in table.rows] == ["beta", "beta", "alpha", "alpha", "echo", "echo"]


def test_rows_go_by_lower_of_own_reading_and_best_cross(made: dict[str, pl.DataFrame]) -> None:
    """Beta reads its own English best, but nobody else can."""
    trips = made["cells"].filter(model="alpha", presentation="zero_shot", task="trip")
    beta = trips.with_columns(model=pl.lit("beta"), mean=pl.lit(1.0))
    read = [("alpha", "by_beta", "beta", 1.0), ("beta", "by_alpha", "alpha", 0.1), ("beta", "by_alpha", "gamma", 0.2)]
    plain = trips.filter(metric="truth").with_columns(
        metric=pl.lit("equivalence"), items=pl.lit(2, trips["items"].dtype)
    )
    crossed = [
        plain.with_columns(
            task=pl.lit(task), model=pl.lit(model), mean=pl.lit(mean), task_kind=pl.lit("logical_translation")
        )
        for _, task, model, mean in read
    ]
    ways = pl.DataFrame([{"task": task, "taken_of": of, "taken_in": "trip"} for of, task, *_ in read], WAYS)
    cells = pl.concat([beta, trips, *crossed])
    table = beside_figures(form_of("round_trip"), FIGURES.clear(), cells=cells, names=NAMES, ways=ways)
    rows = [(row["model"], row["cross"]) for row in records(table) if row["round"] == 1]
    # Two of four items have English that was read.
    assert rows == [("alpha", 0.5), ("beta", 0.1)]
    own = beside_figures(form_of("round_trip"), FIGURES.clear(), cells=cells, names=NAMES)
    assert [row["model"] for row in records(own) if row["round"] == 1] == ["beta", "alpha"]
    assert [note for note in own.notes if "english: {of, in}" in note]


def test_encoded_english_has_a_column_and_a_note_where_there_is_any(made: dict[str, pl.DataFrame]) -> None:
    plain = beside_figures(form_of("round_trip"), FIGURES.clear(), **made, names=NAMES)
    encoded = made["stops"].filter(model="echo").with_columns(stop=pl.lit("encoded"), count=pl.col("count") - 1)
    table = beside_figures(
        form_of("round_trip"), FIGURES.clear(), **{**made, "stops": pl.concat([made["stops"], encoded])}, names=NAMES
    )
    assert {row["model"]: row["encoded"] for row in records(table) if row["round"] == 1} == {"alpha": 0, "echo": 3}
    assert "encoded" not in {column.name for column in plain.columns}
    assert len(table.notes) == len(plain.notes) + 1


def test_encoded_english_is_counted_once_a_chain(tmp_path: Path) -> None:
    rows = [{**row, "fault": "encoded" if row["metric"] == "copied" else None} for row in trip_rows("echo")]
    path = write(tmp_path / "trip.echo.arrow", "round_trip", "echo", rows, "trip")
    counts = {row["stop"]: row["count"] for row in stops([load(path, columns=(*OF_SERIES, "stop"))])}
    assert counts == {"completed": 4, "encoded": 4}


def test_few_shot_table_matches_hand_computation(made: dict[str, pl.DataFrame], tmp_path: Path) -> None:
    rows: list[list[Any]] = []
    for task, metric, first, second in (
        ("trip", "truth_uncopied", (1, 1, 1, 0), (1, 0, 0, 0)),
        ("trip", "truth", (1, 1, 1, 0), (1, 1, 0, 0)),
        ("trip", "compliance", (1, 1, 1, 1), (1, 1, 1, 0)),
        ("trip", "truth_uncopied@2", (1, 1, 0, 0), (1, 0, 0, 0)),
        ("trip", "truth@2", (1, 1, 0, 0), (1, 0, 0, 0)),
        ("trip", "compliance@2", (1, 1, 0, 0), (1, 0, 0, 0)),
        ("logical_translation", "equivalence", (0, 1, 1, 0), (0, 1, 1, 0)),
    ):
        found = difference(first, second, ITEMS)
        means = [sum(first) / 4, sum(second) / 4]
        assert found.mean == means[0] - means[1]
        ends = [found.mean, None, found.low, found.high]
        # One model is a family of its own in each task's first metric; the others are exploratory.
        adjusted = found.p if metric in ("truth_uncopied", "equivalence") else None
        rows.append(["k_sat", task, metric, "alpha", 4, 4, *means, *ends, found.p, adjusted, found.detectable])
    checked(form_of("few_shot").table(made["few_shot"]), tmp_path, rows)


def test_attribution_table_matches_hand_computation(made: dict[str, pl.DataFrame], tmp_path: Path) -> None:
    """Broken without examples: c, which is formalized rightly, and d, without English; with them: d."""
    table = form_of("attribution").table(made["attributions"])
    (tmp_path / "attribution.csv").write_text(RENDERERS["csv"](table), encoding="utf-8")
    with (tmp_path / "attribution.csv").open(encoding="utf-8") as file:
        without, with_examples = csv.DictReader(file)
    counts = ("items", "chains", "broken", "no_english", "informalization", "formalization", "rounds")
    assert [without[name] for name in counts] == ["4", "4", "3", "1", "3", "0", "2"]
    assert [with_examples[name] for name in counts] == ["4", "4", "1", "0", "0", "1", "2"]
    assert float(without["p_a_mean"]) == 2 / 4
    assert without["p_a_low"] == ""  # of four stories
    # 1/4 - 1/2, and (1/4) / (1/2), of the one chain that copied nothing; ((1 - 0) (1 - 1/2))².
    assert [float(without[name]) for name in ("p_i_least_mean", "p_i_most_mean", "bound")] == [0, 1 / 2, 1 / 4]
    assert float(without["truth_last"]) == 1 / 4


def verification_rows(said: str) -> Iterator[dict[str, Any]]:
    for item in ITEMS:
        for shown, truth in (("equivalent", "yes"), ("perturbation", "no")):
            yield {
                "item": f"{item}:0",
                "story": item,
                "presentation": shown,
                "metric": "right",
                "score": float(said == truth),
                "outcome": "answered",
                "answer": said,
            }


def test_verification_table_matches_hand_computation(tmp_path: Path) -> None:
    members = [("gold", []), ("perturbation", ["negation"]), ("equivalent", ["de_morgan"])]
    candidate = schemas.ITEMS.field("candidates").type.value_type
    candidates = [stored(candidate, role=role, change=change) for role, change in members]
    rows = [stored(schemas.ITEMS, item=f"{item}:0", category=1, candidates=candidates) for item in ITEMS]
    about = {"dataset": "k_sat", "task": "verification", "task_kind": "verification", "protocol": ""}
    files.write(tmp_path / "items.arrow", schemas.ITEMS, rows, about)
    scores = [
        write(tmp_path / f"{said}.arrow", "verification", f"always_{said}", list(verification_rows(said)))
        for said in ("yes", "no")
    ]
    analyse("verification", tmp_path, verification_scores=scores, verification_items=[tmp_path / "items.arrow"])
    found = read_frame(tmp_path / "verifications.arrow", schema_of("verifications"))
    who = ["k_sat", "verification"]
    # Of the two pairs of an item one is equivalent; in F1 a true positive counts twice on either side.
    half = score([[1 / 2]] * 4, None)
    f1 = [2 / 3, None, *interval([[2]] * 4, wholes=[[3]] * 4)]
    nothing = [None] * 4
    checked(
        form_of("verification").table(found),
        tmp_path,
        [
            [*who, "always_yes", 4, 8, 0, *half, *f1, *half, *of_four(1), *nothing, 4.0, 4.0, 0.0, 0.0],
            [*who, "always_no", 4, 8, 0, *half, *of_four(0), *nothing, *of_four(0), *nothing, 0.0, 0.0, 4.0, 4.0],
        ],
    )
    checked(
        form_of("verification_strata").table(found),
        tmp_path,
        [
            row
            for said, rights, of_size in (("yes", (1, 0), f1), ("no", (0, 1), of_four(0)))
            for row in (
                [*who, f"always_{said}", "size", "1", 4, 8, 0, *score([[1, 0]] * 4, None), *of_size],
                [*who, f"always_{said}", "law", "de morgan", 4, 4, 0, *of_four(rights[0]), *nothing],
                [*who, f"always_{said}", "edit", "negation", 4, 4, 0, *of_four(rights[1]), *nothing],
            )
        ],
    )
