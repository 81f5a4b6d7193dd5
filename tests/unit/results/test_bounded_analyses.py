"""Analyses whose memory does not grow with answers: they let a chunk of rows go before they take the next."""

import weakref
from collections.abc import Iterator
from random import Random

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from nlfol.results.analyses.faults import CorrelationRow, FaultRow, correlations, faults
from nlfol.results.statistics.pairing import COMPARISONS, pairs
from nlfol.results.statistics.summary import Origin, Series
from nlfol.store.schemas import COMPONENTS
from nlfol_extras.analyses.facets import FacetRow, _answers, facet_rows

SOURCE = Origin("toy", "t", "logical_translation", None, "m", "chat", 9)
METRICS = ("equivalence", "bleu", "le")


def answers(items: int, seeds: int) -> pl.DataFrame:
    """Judged translations of items in stories of three, with evidence."""
    draw, rows = Random(items), []
    for item in range(items):
        for seed in range(seeds):
            outcome = draw.choice(("answered", "answered", "truncated"))
            verdict = draw.choice(("equivalent", "not_equivalent", "invalid")) if outcome == "answered" else None
            about = {"item": f"a long name of a story {item // 3}:{item}", "story": f"a long name of {item // 3}"}
            said = {"outcome": outcome, "verdict": verdict, "means": "signature", "formula": verdict and "P(a)"}
            evidence = {"relation": None, "fault": draw.choice(("quantifier", None)), "distance": "off_by_one"}
            more = {"edits": "quantifier (∀ to ∃)", "rule": draw.choice((None, "either"))}
            strictly = {"strictly": verdict and draw.choice(("right", "wrong")), "position": None}
            for metric in METRICS:
                score = float(verdict == "equivalent") if metric == "equivalence" else draw.random()
                seeded = {"seed": seed, "metric": metric, "score": score, "presentation": ""}
                rows.append({**about, **said, **evidence, **more, **strictly, **seeded})
    shown = pl.lit(dict.fromkeys(COMPONENTS, "same"), pl.Struct(dict.fromkeys(COMPONENTS, pl.String)))
    texts = {"verdict": pl.String, "relation": pl.String, "position": pl.Int32, "strictly": pl.String}
    return pl.DataFrame(rows, schema_overrides=texts, infer_schema_length=None).with_columns(shown=shown)


def one_at_a_time(rows: pl.DataFrame, height: int = 40) -> Iterator[pl.DataFrame]:
    """Yield chunks of rows, each when no more than the last one is still held."""
    held: list[weakref.ref[pl.DataFrame]] = []
    for start in range(0, rows.height, height):
        assert sum(chunk() is not None for chunk in held) <= 1, "chunks are kept"
        chunk = rows.slice(start, height)
        held.append(weakref.ref(chunk))
        yield chunk
        del chunk


def of_faults(chunks: Iterator[pl.DataFrame]) -> list[FaultRow]:
    return list(faults(iter([(SOURCE, chunks)])))


def of_correlations(chunks: Iterator[pl.DataFrame]) -> list[CorrelationRow]:
    return list(correlations(iter([(SOURCE, chunks)])))


def of_facets(rows: pl.DataFrame, height: int) -> list[FacetRow]:
    right = rows.filter(metric="equivalence")
    return list(facet_rows(lambda: iter([(SOURCE, one_at_a_time(right, height))])))


@pytest.mark.parametrize("analysis", [of_faults, of_correlations])
def test_faults_hold_one_chunk_and_count_as_whole_files(analysis: object) -> None:
    rows = answers(30, 4)
    assert callable(analysis)
    found = analysis(one_at_a_time(rows))
    assert found == analysis(iter([rows]))
    assert len(found) > 1


def test_facets_hold_one_chunk_and_tell_what_whole_files_tell() -> None:
    rows = answers(30, 4)
    assert len(of_facets(rows, 40)) > 5
    assert of_facets(rows, 7) == of_facets(rows, rows.height)


def test_sums_of_facets_do_not_grow_with_seeds() -> None:
    few, many = (_answers(SOURCE, one_at_a_time(answers(12, seeds))) for seeds in (2, 20))
    assert few.cells.height == many.cells.height == 2 * 12
    assert many.cells["answers"].sum() == 10 * few.cells["answers"].sum()
    assert few.asked.height == many.asked.height == 12


def test_paired_answers_take_few_bytes_however_long_names_are() -> None:
    right = answers(100, 2).filter(metric="equivalence").with_columns(unread=pl.col("verdict").is_null())
    first, second = (Series(SOURCE, "equivalence", name, right) for name in ("few_shot", "zero_shot"))
    keyed = first.keyed(COMPARISONS["models"].equal)
    made = pairs(first, second, COMPARISONS["models"])
    for rows in (keyed, made.kept):
        assert rows.estimated_size() <= 42 * right.height
    assert_frame_equal(made.items.select("item", "story", "score"), first.items.drop("right"))
