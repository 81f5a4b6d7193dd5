"""Benchmarks against one another over numbers of operators (∀uto∃∨∧L, figure 17).

A point is a number of operators, counted as published: its two scores are the means, over the models that both
benchmarks have, of each model's mean over the items with so many. A number counts with five items of each model or more
in both benchmarks.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import polars as pl

from nlfol.results.analyses.benchmark_pairs import HERE, Benchmark
from nlfol.results.statistics.summary import COMPARED, LEAST_ITEMS, Origin

_SIZE = "operators_published"


def over_sizes(
    compared: Iterable[tuple[Benchmark, Benchmark]],
    loaded: Iterable[tuple[Origin, pl.DataFrame]],
    measures: Mapping[str, pl.DataFrame],
) -> Iterator[tuple[Benchmark, Benchmark]]:
    """Yield the pairs of ours about different sets of formulas, their scores by number of operators.

    Scores up to a size are over all sizes here, so that each two quantities make one pair.
    """
    sizes = {name: frame.select("item", _SIZE).drop_nulls() for name, frame in measures.items()}
    by_task: dict[tuple[str, str], pl.DataFrame] = {}
    for source, scores in loaded:
        if source.kind in COMPARED and source.dataset in sizes:
            by_size = scores.join(sizes[source.dataset], on="item").group_by("presentation", "metric", _SIZE)
            means = by_size.agg(pl.col("score").mean(), pl.col("item").n_unique().alias("items"))
            means = means.filter(pl.col("items") >= LEAST_ITEMS).with_columns(model=pl.lit(source.model))
            key = source.dataset, source.task
            by_task[key] = pl.concat([by_task[key], means]) if key in by_task else means
    done = set()
    for pair in compared:
        ours = tuple(replace(benchmark, metric=benchmark.unlimited) for benchmark in pair)
        if ours in done or any(
            benchmark.source != HERE or (benchmark.dataset, benchmark.task) not in by_task for benchmark in ours
        ):
            continue
        first, second = ours
        if first.dataset != second.dataset:
            done.add(ours)
            yield _by_size(first, second, by_task)


def _by_size(
    first: Benchmark, second: Benchmark, by_task: Mapping[tuple[str, str], pl.DataFrame]
) -> tuple[Benchmark, Benchmark]:
    sides = [
        by_task[benchmark.dataset, benchmark.task]
        .filter(presentation=benchmark.presentation, metric=benchmark.metric)
        .drop("presentation")
        for benchmark in (first, second)
    ]
    common = set.intersection(*(set(side["model"]) for side in sides))
    means = [
        side.filter(pl.col("model").is_in(common))
        .group_by(_SIZE)
        .agg(pl.col("score").mean(), pl.len().alias("models"))
        .filter(pl.col("models") == len(common))
        .sort(_SIZE)
        for side in sides
    ]
    one, other = (
        replace(benchmark, scores={f"{size:g}": score for size, score in mean.select(_SIZE, "score").iter_rows()})
        for benchmark, mean in zip((first, second), means, strict=True)
    )
    return one, other
