"""Scores files read in chunks come to what whole files come to, and answers on disk to what was put there."""

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal
from tests.stored import stored

from nlfol.results.statistics.cells import over_what_was_asked
from nlfol.results.statistics.packed import Packed, by_question
from nlfol.results.statistics.pairing import together
from nlfol.results.statistics.summary import FIRST, Loaded, Series, load
from nlfol.store import files
from nlfol.store.evidence import comparable, explained, joined, served
from nlfol.store.schemas import COMPONENTS, EVIDENCE, SCORES
from nlfol.store.spilled import Spilled

METRICS = ("equivalence", "bleu", "on_boards")


def score_rows(answers: int, *, on_boards: int, names: tuple[str | None, ...]) -> list[dict[str, Any]]:
    """Rows of SCORES of so many items under two seeds, some explained, with and without boards and served names."""
    draw, rows = Random(answers), []
    for item in range(answers):
        for seed in (3, 12):
            shown = dict.fromkeys(COMPONENTS, "d") | {"served": draw.choice(names), "text": str(item)}
            for metric in METRICS[: 3 if item < on_boards else 2]:
                verdict = draw.choice(("equivalent", "not_equivalent"))
                score = float(verdict == "equivalent") if metric == "equivalence" else None
                said = {"seed": seed, "metric": metric, "score": score, "verdict": verdict, "shown": shown}
                shows = draw.choice(("formula", "blind_formula"))
                rows.append(stored(SCORES, item=f"{item}:0", pair=f"p{item % 5}", presentation=shows, **said))
    return rows


def written(path: Path, rows: list[dict[str, Any]], kind: str = "chat", chunk: int = 7) -> Path:
    """Write a SCORES file in small chunks."""
    about = {"dataset": "toy", "task": "t", "task_kind": "logical_translation", "protocol": ""}
    files.write(path, SCORES, rows, {**about, "model": path.stem, "kind": kind, "available": "99"}, chunk=chunk)
    return path


@pytest.mark.parametrize(("known", "on_boards"), [(0, 5), (4, 9), (5, 0), (5, 5), (5, 9)])
@pytest.mark.parametrize("names", [("a", "b"), ("b", "a", None)])
def test_scores_in_chunks_are_those_of_whole_file(
    tmp_path: Path, known: int, on_boards: int, names: tuple[str | None, ...]
) -> None:
    path = written(tmp_path / "m.arrow", score_rows(9, on_boards=on_boards, names=names))
    pairs = [stored(EVIDENCE, pair=f"p{n}", bleu=n / 9, on_boards="equivalent") for n in range(known)]
    files.write(tmp_path / "e.arrow", EVIDENCE, pairs, {})
    chunks = list(explained(path, tmp_path / "e.arrow"))
    whole = files.read_frame(path, SCORES)
    expected = comparable(joined(served(whole), files.read_frame(tmp_path / "e.arrow", EVIDENCE)))
    assert len(chunks) > 5
    assert_frame_equal(pl.concat(chunks), expected)
    some = pl.concat(explained(path, tmp_path / "e.arrow", ("item", "seed", "shown")))
    assert_frame_equal(some.select("item", "seed", "shown"), expected.select("item", "seed", "shown"))
    assert {*some["metric"]} == {*expected["metric"]}


def test_file_without_rows_is_a_frame_without_rows(tmp_path: Path) -> None:
    source, scores = load(written(tmp_path / "m.arrow", []))
    assert (source.model, scores.height) == ("m", 0)
    assert {*SCORES.names} <= {*scores.columns}


def test_loaded_files_are_over_what_was_asked_each_time(tmp_path: Path) -> None:
    rows = score_rows(30, on_boards=30, names=(None,))
    for row in rows:
        row["presentation"], row["score"] = "", row["score"] or 0.0
    paths = [written(tmp_path / "chance.arrow", rows, "chance"), written(tmp_path / "m.arrow", rows[:60])]
    loaded = Loaded(paths, {})
    for _ in range(2):
        for (source, scores), (other, expected) in zip(
            loaded, over_what_was_asked(list(map(load, paths))), strict=True
        ):
            assert source == other
            assert_frame_equal(scores, expected)
    assert [scores["item"].n_unique() for _, scores in loaded] == [10, 10]
    some = replace(loaded, columns=("item", "metric"), metrics=[FIRST])
    assert [{*scores["metric"]} for _, scores in some] == [{"equivalence"}] * 2
    assert [scores.columns for _, scores in some] == [["item", "metric"]] * 2


def test_answers_on_disk_come_back_as_they_were() -> None:
    draw = Random(1)
    rows = pl.DataFrame({"item": [str(n) for n in range(20_000)], "score": [draw.random() for _ in range(20_000)]})
    packed = Packed.of(rows)
    assert_frame_equal(packed.frame(), rows)
    assert_frame_equal(packed.frame("score"), rows.select("score"))
    assert [part.height for part in packed.frames()] == [8_192, 8_192, 3_616]
    assert Packed.of(rows.clear()).frame().is_empty()
    scores = rows.with_columns(presentation=pl.Series(["b", "a"] * 10_000), metric=pl.lit("m"))
    parts = by_question(scores.iter_slices(999))
    assert list(parts) == [("b", "m"), ("a", "m")]
    for (presentation, _), part in parts.items():
        assert_frame_equal(part.frame(), scores.filter(presentation=presentation))


def test_parts_together_are_of_answers_that_all_parts_have(tmp_path: Path) -> None:
    source, scores = load(written(tmp_path / "m.arrow", score_rows(40, on_boards=0, names=("a",))), controls=True)
    answers = scores.filter(metric="equivalence").with_columns(unread=pl.lit(value=False))
    columns = "item", "story", "seed", "score", "unread", "shown"
    shown = {name: answers.filter(presentation=name).select(columns) for name in ("blind_formula", "formula")}
    shown["formula"] = pl.concat([shown["formula"], shown["blind_formula"].head(9)]).reverse()
    series = [Series(source, "equivalence", name, frame) for name, frame in shown.items()]
    both = together(series, "all").answers
    assert both["item"].to_list() == shown["blind_formula"]["item"].head(9).to_list()
    assert_frame_equal(both.select("score"), shown["blind_formula"].head(9).select("score"))


def test_spilled_rows_make_the_file_of_rows(tmp_path: Path) -> None:
    rows = score_rows(900, on_boards=0, names=("a",))
    spilled = Spilled[Any](tmp_path / "b.arrow", SCORES)
    for start in range(0, len(rows), 11):
        spilled.add(rows[start : start + 11])
    files.write(tmp_path / "a.arrow", SCORES, rows, {}, chunk=files.CHUNK)
    for _ in range(2):
        files.write_tables(tmp_path / "b.arrow", SCORES, spilled.tables(), {}, chunk=files.CHUNK)
        assert (tmp_path / "a.arrow").read_bytes() == (tmp_path / "b.arrow").read_bytes()


def test_spilled_row_of_another_type_names_file_and_row(tmp_path: Path) -> None:
    rows = score_rows(600, on_boards=0, names=("a",))
    del rows[1_500]["item"]
    spilled = Spilled[Any](tmp_path / "b.arrow", SCORES)
    with pytest.raises(files.StoreError, match=r"b\.arrow: row 1500: columns differ .*item"):
        spilled.add(rows)
