from collections.abc import Iterable
from functools import partial
from typing import Any

import pytest
from tests.stored import frame

from nlfol.results.analyses.drawing import form_of
from nlfol.results.tables.latex import to_latex
from nlfol.results.tables.table import Sample, Table, shown
from nlfol.store import schemas
from nlfol.tasks.choice import is_tied, probability_ends

LOST = ("unparsable", "truncated", "empty", "blank", "refused", "failed", "internal_error")
METRICS = {
    "logical_translation": ("equivalence",),
    "most_similar": ("accuracy",),
    "ranking": ("both", "equivalence", "negation"),
}


def drawn(name: str, cells: Iterable[dict[str, Any]], *more: Any) -> Table:
    return form_of(name).table(frame(schemas.CELLS, *cells), *more)


logical_translation, dialogue, embedding, every_score = (
    partial(drawn, name) for name in ("logical_translation", "dialogue", "embedding", "scores")
)


def cell(task_kind: str, metric: str, model: str, mean: float | None, **other: Any) -> dict[str, Any]:
    """A cell of one seed over all of ten items, of a task named as its kind, unless said otherwise."""
    row: dict[str, Any] = {"dataset": "toy", "task": task_kind, "task_kind": task_kind, "metric": metric}
    row |= {"model": model, "kind": "chat", "protocol": None if task_kind == "logical_translation" else "audited"}
    return row | {"items": 10, "available": 10, "stories": 2, "seeds": 1, "mean": mean, "answered": 10} | other


def choices(model: str, mean: float, **other: Any) -> list[dict[str, Any]]:
    """The cells of both tasks that show candidates."""
    tasks = ("most_similar", "ranking")
    return [cell(task, metric, model, mean, **other) for task in tasks for metric in METRICS[task]]


def texts(table: Table) -> list[list[str]]:
    return [[shown(value) for value in row] for row in table.rows]


def test_logical_translation_table_lists_answer_outcomes() -> None:
    outcomes = (*("equivalent", "not_equivalent", "unknown", "invalid"), *LOST, "repaired", "ambiguous", "opened")
    counts = {name: number for number, name in enumerate(outcomes, start=3)}
    asked = {"seeds": 5, "items": 8, "available": 171, "deviation": 0.0125, **counts}
    cells = [
        cell("logical_translation", "equivalence", "chance", 0.0, kind="chance"),
        cell("logical_translation", "equivalence", "m", 0.425, **asked),
        cell("logical_translation", "on_boards", "m", 0.5, **asked),
        cell("ranking", "both", "m", 0.5),
    ]
    table = logical_translation(cells)
    headers = [column.header for column in table.columns]
    assert headers[:7] == ["Dataset", "Model", "Task", "Shown as", "Items", "Seeds", "Equivalence"]
    assert headers[7] == "On boards"
    assert headers[8:] == [name.replace("_", " ").capitalize() for name in outcomes]
    assert texts(table) == [
        [
            "toy",
            "m",
            "logical_translation",
            "–",
            "8 of 171",
            "5",
            "0.425 ± 0.013",
            "0.500 ± 0.013",
            *map(str, counts.values()),
        ],
        ["toy", "chance", "logical_translation", "–", "10", "–", "0.000", *["–"] * 15],
    ]
    assert any("wrong by logic alone" in note for note in table.notes)


def test_dialogue_table_has_row_per_presentation_and_chance_last() -> None:
    cells = [
        *choices("chance", 0.1, kind="chance"),
        *choices("z", 0.5, presentation="formula", seeds=2, deviation=0.1, failed=3),
        *choices("z", 0.25, presentation="english", seeds=2, deviation=0.2),
        *choices("a", 0.75, presentation="formula"),
        *choices("e", 0.9, kind="embedding"),
    ]
    table = dialogue(cells)
    assert [row[:5] for row in texts(table)] == [
        ["toy", "audited", "z", "formula", "2"],
        ["toy", "audited", "z", "english", "2"],
        ["toy", "audited", "a", "formula", "1"],
        ["toy", "audited", "chance", "–", "–"],
    ]
    half = "0.500 ± 0.100"
    assert texts(table)[0][5:] == [
        *("most_similar", "10", half, "0 / 0 / 0 / 0 / 0 / 3 / 0"),
        *("ranking", "10", half, half, half, "0 / 0 / 0 / 0 / 0 / 3 / 0"),
        *("0", "0"),
    ]
    assert texts(table)[3][5:] == [
        *("most_similar", "10", "0.100", "–"),
        *("ranking", "10", "0.100", "0.100", "0.100", "–"),
        *("–", "–"),
    ]
    fields = [field for column in table.columns for field in column.fields]
    assert fields[5:19] == [
        "most_similar_task",
        *("most_similar_items", "most_similar_items_available"),
        *(f"most_similar_accuracy_{part}" for part in ("mean", "deviation", "low", "high")),
        *(f"most_similar_{name}" for name in LOST),
    ]


def test_dialogue_table_places_reader_between_models_and_chance() -> None:
    cells = [
        *choices("reader", 1.0, kind="reader", presentation="english"),
        *choices("chance", 0.1, kind="chance"),
        *choices("m", 0.5),
    ]
    table = dialogue(cells)
    assert [row[2] for row in texts(table)] == ["m", "reader", "chance"]
    assert embedding(cells).rows == ()


def test_score_tables_place_and_explain_surface_above_chance() -> None:
    marks = [*choices("look", 0.2, kind="surface"), *choices("chance", 0.1, kind="chance")]
    cells = [*marks, *choices("m", 0.5), *choices("e", 0.5, kind="embedding")]
    for table, model in ((dialogue(cells), "m"), (embedding(cells), "e")):
        assert [row[2] for row in texts(table)] == [model, "look", "chance"]
        assert any("do not see the sentence" in note for note in table.notes)
    assert texts(embedding(cells))[1][-1] == "–"
    assert embedding([*marks, *choices("m", 0.5)]).rows == ()


def test_dialogue_table_keeps_dataset_order_with_chance_per_dataset() -> None:
    cells = [
        *choices("m", 0.5, dataset="tarski"),
        *choices("m", 0.5, dataset="folio"),
        *choices("chance", 0.1, dataset="folio", kind="chance"),
        *choices("chance", 0.1, dataset="tarski", kind="chance"),
        *choices("chance", 0.1, dataset="not_asked", kind="chance"),
    ]
    assert [[row[0], row[2]] for row in texts(dialogue(cells))] == [
        ["tarski", "m"],
        ["tarski", "chance"],
        ["folio", "m"],
        ["folio", "chance"],
    ]


def test_embedding_table_counts_ties_per_metric() -> None:
    cells = choices("e", 0.5, kind="embedding", presentation="formula") + choices("chance", 0.1, kind="chance")
    for number, row in enumerate(cells):
        row["tied"] = number
    table = embedding(cells)
    assert [row[-1] for row in texts(table)] == ["0 / 1 / 2 / 3", "–"]
    assert table.columns[-1].fields == (
        "tied_most_similar_accuracy",
        "tied_ranking_both",
        "tied_ranking_equivalence",
        "tied_ranking_negation",
    )


def test_latex_dialogue_table_keeps_all_metrics_and_drops_seeds() -> None:
    cells = [
        *choices("m", 0.5, presentation="formula"),
        *choices("m", 0.4, presentation="english", seeds=3),
        *choices("reasoner", 0.25, kind="reasoner"),
    ]
    (heads,) = (line for line in to_latex(dialogue(cells)).split("\n") if line.startswith("Model &"))
    found = [heads.index(metric) for metric in ("accuracy", "both", "equivalence", "negation")]
    assert found == sorted(found)
    assert "Seeds" not in heads


def test_embedding_tie_note_covers_decisive_ties_only() -> None:
    """A gold formula that ties below the top is tied, and wrong however the tie is broken."""
    assert is_tied([0.9, 0.5, 0.5], [(1,)])
    assert probability_ends([0.9, 0.5, 0.5], (1,), ()) == 0
    (note,) = (note for note in embedding(choices("e", 0.5, kind="embedding")).notes if note.startswith("Tied"))
    assert "where that decides" in note


def test_dialogue_table_shows_empty_task_beside_others() -> None:
    nothing = {"items": 0, "available": 0, "seeds": 0, "answered": 0}
    cells = [cell("most_similar", "accuracy", "m", 0.5, presentation=shown) for shown in ("formula", "english")]
    table = dialogue([*cells, cell("ranking", "", "m", None, **nothing)])
    assert [row[3:] for row in texts(table)] == [
        [
            shown,
            "1",
            *("most_similar", "10", "0.500", "0 / 0 / 0 / 0 / 0 / 0 / 0"),
            *("ranking", "0", "–", "–", "–", "0 / 0 / 0 / 0 / 0 / 0 / 0"),
            *("0", "0"),
        ]
        for shown in ("formula", "english")
    ]
    assert any("no items" in note for note in table.notes)
    alone = dialogue([cell("ranking", "", "m", None, **nothing)])
    assert [row[:6] for row in alone.rows] == [("toy", "audited", "m", None, None, None)]
    assert alone.rows[0][9:] == ("ranking", Sample(0, 0), None, None, None, (0,) * 7, None, 0)


def test_dialogue_table_joins_entries_with_same_protocol() -> None:
    entries = [
        ("most_similar", "most_similar", "audited", 0.1),
        ("most_similar_k3", "most_similar", "audited", 0.2),
        ("most_similar_paper", "most_similar", "paper", 0.3),
        ("ranking_paper", "ranking", "paper", 0.4),
        ("ranking", "ranking", "audited", 0.5),
    ]
    cells = [
        cell(kind, metric, model, mean, task=name, protocol=protocol, kind="chance" if model == "chance" else "chat")
        for model in ("m", "chance")
        for name, kind, protocol, mean in entries
        for metric in METRICS[kind]
    ]
    assert [[row[1], row[2], row[5], row[7], row[9], row[11]] for row in texts(dialogue(cells))] == [
        ["audited", "m", "most_similar", "0.100", "ranking", "0.500"],
        ["audited", "chance", "most_similar", "0.100", "ranking", "0.500"],
        ["audited", "m", "most_similar_k3", "0.200", "–", "–"],
        ["audited", "chance", "most_similar_k3", "0.200", "–", "–"],
        ["paper", "m", "most_similar_paper", "0.300", "ranking_paper", "0.400"],
        ["paper", "chance", "most_similar_paper", "0.300", "ranking_paper", "0.400"],
    ]


def test_dialogue_table_shows_seeds_per_task() -> None:
    cells = choices("m", 0.5, presentation="formula")
    cells[0]["seeds"] = 5
    table = dialogue(cells)
    assert texts(table)[0][4] == "5 / 1"
    assert any(note.startswith("Seeds “a / b”") for note in table.notes)


ONE = choices("m", 0.5)
MARKS = choices("reader", 1.0, kind="reader") + choices("chance", 0.1, kind="chance")
VECTORS = choices("e", 0.5, kind="embedding")


@pytest.mark.parametrize(
    ("table", "said", "unsaid"),
    [
        (dialogue(ONE), ["count as wrong", "95 % interval"], ["sample of the items", "Chance", "a / b", "Bold"]),
        (dialogue(choices("m", 0.5, available=171)), ["spread over seeds"], []),
        # The reader, surface and chance stand in the table and are compared with nobody.
        (dialogue(ONE + MARKS), ["handed the gold formula", "exact expected score"], ["Bold"]),
        (
            dialogue(ONE + choices("n", 0.2) + MARKS),
            ["surface, medoid, written answers and guessers are not compared"],
            [],
        ),
        (embedding(VECTORS), ["95 % interval", "Tied, for most similar / ranking"], ["cosine"]),
    ],
)
def test_table_notes_match_content(table: Table, said: list[str], unsaid: list[str]) -> None:
    whole = " ".join([table.caption, *table.notes])
    assert [each for each in (*said, *unsaid) if each in whole] == said


def test_lost_answer_header_has_explained_letter_per_outcome() -> None:
    table = dialogue(choices("m", 0.5))
    titles = [column.header for column in table.columns if column.header.endswith("u / t / e / b / r / f / i")]
    assert titles == ["Most similar: u / t / e / b / r / f / i", "Ranking: u / t / e / b / r / f / i"]
    (note,) = (note for note in table.notes if note.startswith("u / t / e / b / r / f / i"))
    assert "unparsable, truncated, empty, blank, refused, failed, or met an internal error" in note


def test_scores_table_lists_every_metric_with_outcomes() -> None:
    """Also of kinds of task and of metrics that no other table knows."""
    lost = {
        "unparsable": 1,
        "truncated": 2,
        "empty": 3,
        "blank": 4,
        "refused": 5,
        "failed": 6,
        "internal_error": 7,
        "opened": 8,
    }
    about = {"protocol": None, "items": 8, "seeds": 5, "deviation": 0.25, "answered": 12}
    cells = [
        cell("entailment", "accuracy", "m", 0.5, task="mine", **about, **lost),
        cell("most_similar", "accuracy", "e", 0.75, kind="embedding", presentation="english"),
        cell("logical_translation", "bleu", "m", 1 / 3),
        cell("most_similar", "accuracy", "chance", 0.1, kind="chance"),
        cell("ranking", "both", "n", None, items=0),
    ]
    table = every_score(cells, {("toy", "mine", "accuracy", "", "m")})
    assert [column.header for column in table.columns] == [
        *("Dataset", "Task", "Protocol", "Metric", "Shown as", "Model", "Items", "Seeds", "Score"),
        *("Answered", "Unparsable", "Truncated", "Empty", "Blank", "Refused", "Failed", "Internal error", "Opened"),
    ]
    whole = ["10", *["0"] * 8]
    assert texts(table) == [
        ["toy", "mine", "–", "accuracy", "–", "m", "8 of 10", "5", "0.500 ± 0.250", "12", *"12345678"],
        ["toy", "most_similar", "audited", "accuracy", "english", "e", "10", "1", "0.750", *whole],
        ["toy", "logical_translation", "–", "bleu", "–", "m", "10", "1", "0.333", *whole],
        ["toy", "most_similar", "audited", "accuracy", "–", "chance", "10", "–", "0.100", *["–"] * 9],
        ["toy", "ranking", "audited", "both", "–", "n", "0 of 10", "1", "–", *whole],
    ]
    assert [getattr(row[8], "best", None) for row in table.rows] == [True, False, False, False, None]
