from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest
from tests.stored import frame, stored

from nlfol.store import files, schemas
from nlfol_extras.analyses.refusals import FUNNEL, REASONS, REFUSALS, RefusalError, refusals_of_sentences

Fates = Iterable[tuple[str, str | None]]


@pytest.fixture
def stage(tmp_path: Path) -> Callable[[str, pa.Schema, Fates], Path]:
    """Write a stage's file from items and the reasons why they were refused."""

    def write(name: str, schema: pa.Schema, fates: Fates) -> Path:
        rows = [
            stored(
                schema,
                item=item,
                formula="P",
                status="refused" if reason else "usable",
                reason=reason,
                detail=f"{reason} at {item}" if reason else None,
            )
            for item, reason in fates
        ]
        files.write(tmp_path / name, schema, rows, {})
        return tmp_path / name

    return write


def steps(rows: list[Any]) -> list[tuple[Any, ...]]:
    """Return the funnel's steps without the refused rows."""
    names = ("order", "stage", "task", "step", "reason", "stories", "sentences")
    return [tuple(row[name] for name in names) for row in rows if row["item"] is None]


def test_funnel_counts_folio_refusals(stage: Callable[..., Path]) -> None:
    # As published: 340 stories with 1,671 sentences, one of them empty; story 236 of three sentences, whose predicate
    # has two arities; 102 with exclusive or.
    sizes = [5] * 311 + [4] * 28
    assert sum(sizes) == 1667
    fate: dict[str, str | None] = {f"{s}:{i}": None for s, size in enumerate(sizes) for i in range(size)}
    fate |= dict.fromkeys([f"{s}:0" for s in range(102)], "exclusive_or")
    fate |= dict.fromkeys([f"339:{i}" for i in range(3)], "arity_conflict")
    fate["7:99"] = "empty_text"
    attached = fate | {"9:1": "no_ontology", "8:1": "unknown_symbol"}
    drawn = {item: None for item, reason in attached.items() if reason is None}
    rows = refusals_of_sentences(
        "folio",
        stage("s", schemas.SENTENCES, fate.items()),
        stage("t", schemas.TRIPLES, attached.items()),
        {
            "logical_translation": stage("l", schemas.ITEMS, drawn.items()),
            "ranking": stage("r", schemas.ITEMS, (drawn | {"9:2": "too_few_perturbations"}).items()),
        },
    )
    assert steps(rows) == [
        (0, "ingestion", None, "read", None, 340, 1671),
        (1, "ingestion", None, "refused", "empty_text", 340, 1670),
        (2, "ingestion", None, "refused", "arity_conflict", 339, 1667),
        (3, "ingestion", None, "refused", "exclusive_or", 339, 1565),
        (4, "ontology", None, "refused", "no_ontology", 339, 1564),
        (5, "ontology", None, "refused", "unknown_symbol", 339, 1563),
        (6, "ontology", None, "usable", None, 339, 1563),
        (7, "candidates", "logical_translation", "usable", None, 339, 1563),
        (8, "candidates", "ranking", "refused", "too_few_perturbations", 339, 1562),
        (9, "candidates", "ranking", "usable", None, 339, 1562),
    ]
    assert sum(row["item"] is not None for row in rows) == 1671 - 1563 + 1
    files.write(Path(stage("out", schemas.SENTENCES, [])), REFUSALS, rows, {})


def test_funnel_lists_refused_rows_after_their_step(stage: Callable[..., Path]) -> None:
    fate = {"1:0": "syntax", "1:1": None, "2:0": "syntax"}
    rows = refusals_of_sentences(
        "toy", stage("s", schemas.SENTENCES, fate.items()), stage("t", schemas.TRIPLES, fate.items()), {}
    )
    assert [(row["order"], row["item"], row["story"], row["detail"]) for row in rows] == [
        (0, None, None, None),
        (1, None, None, None),
        (1, "1:0", "1", "syntax at 1:0"),
        (1, "2:0", "2", "syntax at 2:0"),
        (2, None, None, None),
    ]
    assert [row["stories"] for row in rows if row["item"] is None] == [2, 1, 1]


def test_funnel_tracks_corrected_and_regained_sentences(stage: Callable[..., Path]) -> None:
    fate = {"1:0": None, "1:1": None, "1:2": "syntax"}
    triples = stage("t", schemas.TRIPLES, fate.items())
    correction = {"kinds": ["symbol"], "reason": "", "evidence": "", "published": "Q", "symbols": None}
    first, second, third = files.rows(triples, schemas.TRIPLES)
    corrected = [first | {"correction": correction}, second | {"regained": "arity_conflict"}]
    files.write(triples, schemas.TRIPLES, [*corrected, third | {"correction": correction}], {})
    candidates = stage("c", schemas.ITEMS, [("1:0", None), ("1:1", "valid")])
    rows = refusals_of_sentences("toy", stage("s", schemas.SENTENCES, fate.items()), triples, {"ranking": candidates})
    counted = [(r["reason"] or r["step"], r["corrected"], r["regained"]) for r in rows if r["item"] is None]
    assert counted == [("read", 2, 1), ("syntax", 1, 1), ("usable", 1, 1), ("valid", 1, 0), ("usable", 1, 0)]


def test_funnel_counts_accepted_readings(stage: Callable[..., Path]) -> None:
    fate = {"1:0": None, "1:1": None, "1:2": None}
    triples = stage("t", schemas.TRIPLES, fate.items())
    readings = (["P"], ["Q"], ["P", "Q"])
    given = zip(files.rows(triples, schemas.TRIPLES), readings, strict=True)
    files.write(triples, schemas.TRIPLES, [row | {"formula": "P", "readings": of} for row, of in given], {})
    rows = refusals_of_sentences("toy", stage("s", schemas.SENTENCES, fate.items()), triples, {})
    counted = [(row["corrected"], row["regained"], row["accepted"]) for row in rows if row["item"] is None]
    assert counted == [(1, 0, 1), (1, 0, 1)]


def test_funnel_tells_words_of_sentences_left_and_refused(stage: Callable[..., Path]) -> None:
    fate = {"1:0": None, "1:1": None, "1:2": "syntax"}
    triples = stage("t", schemas.TRIPLES, fate.items())
    texts = ("All men are mortal.", "It rains.", "No.")
    given = zip(files.rows(triples, schemas.TRIPLES), texts, strict=True)
    files.write(triples, schemas.TRIPLES, [row | {"text": text} for row, text in given], {})
    candidates = stage("c", schemas.ITEMS, [("1:0", "valid"), ("1:1", None)])
    rows = refusals_of_sentences("toy", stage("s", schemas.SENTENCES, fate.items()), triples, {"ranking": candidates})
    told = [(row["item"] or row["reason"] or row["step"], row["words"]) for row in rows]
    left = [("read", 7 / 3), ("syntax", 3), ("1:2", 1), ("usable", 3), ("valid", 2), ("1:0", 4), ("usable", 2)]
    assert told == left


def test_funnel_sorts_foreign_reasons_last_alphabetically(stage: Callable[..., Path]) -> None:
    reasons = ["zebra", "open_formula", "ant", "no_ontology", "syntax", "empty_text"]
    fate = [(f"{i}:0", reason) for i, reason in enumerate(reasons)]
    rows = refusals_of_sentences("toy", stage("s", schemas.SENTENCES, fate), stage("t", schemas.TRIPLES, fate), {})
    found = [row["reason"] for row in rows if row["item"] is None and row["reason"]]
    assert found == ["empty_text", "syntax", "open_formula", "no_ontology", "ant", "zebra"]
    assert not {"ant", "zebra"} & set(REASONS["ingestion"])


def test_funnel_handles_dataset_without_sentences(stage: Callable[..., Path]) -> None:
    rows = refusals_of_sentences("none", stage("s", schemas.SENTENCES, []), stage("t", schemas.TRIPLES, []), {})
    assert steps(rows) == [
        (0, "ingestion", None, "read", None, 0, 0),
        (1, "ontology", None, "usable", None, 0, 0),
    ]


def test_funnel_rejects_mismatched_stages(stage: Callable[..., Path]) -> None:
    one, two = [("1:0", None)], [("1:0", None), ("1:1", None)]
    sentences, triples = stage("s", schemas.SENTENCES, two), stage("t", schemas.TRIPLES, two)
    with pytest.raises(RefusalError, match=r"t1: item '1:1' is missing"):
        refusals_of_sentences("toy", sentences, stage("t1", schemas.TRIPLES, one), {})
    with pytest.raises(RefusalError, match=r"t2: item '1:1' is not handed on"):
        refusals_of_sentences("toy", stage("s1", schemas.SENTENCES, one), stage("t2", schemas.TRIPLES, two), {})
    with pytest.raises(RefusalError, match=r"c: item '1:1' is missing"):
        refusals_of_sentences("toy", sentences, triples, {"ranking": stage("c", schemas.ITEMS, one)})
    with pytest.raises(RefusalError, match=r"t: item '1:1' is usable here but refused in .*s2"):
        refusals_of_sentences("toy", stage("s2", schemas.SENTENCES, [*one, ("1:1", "syntax")]), triples, {})
    with pytest.raises(RefusalError, match=r"s3: item '1:0' occurs twice"):
        refusals_of_sentences("toy", stage("s3", schemas.SENTENCES, one * 2), triples, {})


def test_funnel_rejects_refusal_without_reason(stage: Callable[..., Path]) -> None:
    path = stage("s", schemas.SENTENCES, [("1:0", None)])
    rows = [row | {"status": "refused"} for row in files.rows(path, schemas.SENTENCES)]
    files.write(path, schemas.SENTENCES, rows, {})
    with pytest.raises(RefusalError, match=r"item '1:0': status 'refused' with reason None"):
        refusals_of_sentences("toy", path, path, {})


def test_funnel_table_separates_steps_by_dataset() -> None:
    read: dict[str, Any] = {"dataset": "toy", "stage": "ingestion", "step": "read", "order": 0}
    lost = read | {"step": "refused", "order": 1, "reason": "syntax"}
    every = frame(REFUSALS, read, lost, lost | {"item": "1:0"}, lost | {"item": "1:1"})
    other = every.with_columns(dataset=pl.lit("other")).filter(pl.col("item").is_null())
    rows = FUNNEL.table(pl.concat([every, other])).rows
    assert [row[4] for row in rows if row[0] == "other"] == [None, None]
    assert [row[4] for row in rows if row[0] == "toy"] == [None, 2]
