"""The published figures beside those of an experiment.

Of SoLT and MenTaL (``solt.csv``) names of datasets follow from the reader of the original and, of ProofWriter, from the
language of the programs; ``original`` and ``diversified`` from the wording; tasks are strategies. So an entry's own
name plays no part, nor does it where the reader of a dataset says which one it is (``published_as``).

A figure stands beside ours if all that its file says of the way of asking is so here, too (``published_ways``).
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, product
from statistics import fmean

import polars as pl

from nlfol.facts import FACTS, PROBLEM
from nlfol.results.analyses.analysis import Analysis
from nlfol.results.analyses.generated import COUNTED
from nlfol.results.statistics.aligned import LEAST_COVERAGE
from nlfol.results.statistics.binning import bounded_name
from nlfol.results.statistics.published_error import (
    DATASETS,
    DATASETS_BY_LANGUAGE,
    DIVERSIFIED,
    ORIGINAL,
    WIDEST,
    agreement,
    decimals,
    published_dataset,
    published_name,
    published_quantity,
    published_wording,
)
from nlfol.results.statistics.published_ways import Way, differences, ways
from nlfol.results.tables import columns
from nlfol.results.tables.opening import Filter, Number, of_complexity
from nlfol.results.tables.table import Kind, Row, Sample, Score, TableForm
from nlfol_extras.analyses.published_quantities import GROWING, Asked, above_chance

_KEY = ("dataset", "task", "metric", "presentation", "model", "second")
_MEASURED = (
    *("cells", "bounded", "differences", "task_agreements", "correlations", "complexity", "diversity"),
    *("classification", "drift", "stability", "ratings", "rewrites", "similarity", "costs"),
)

_OF_YES = {"precision": "precision", "recall": "true_positive_rate", "tnr": "true_negative_rate", "f1": "f1"}
_COUNT = "^count_[A-Z]{2}$"
"""Names of counts of answers by true label and answer."""

_SHARES = {"both": "both", "first_only": "second_only", "second_only": "first_only", "neither": "neither"}
"""Outcomes of two series of answers, and the name of each when the second series comes first."""

_TYPES = {"reference": "third_person", "synonym": "synonym", "part_of_speech": "part_of_speech", "voice": "syntactic"}
"""Kinds of rewriting, and what figure 2 calls them."""

_MENTIONS = 2
"""Mentions that are rewritten in a problem of figure 2, at most."""


@dataclass(frozen=True, slots=True)
class _Ours:
    entry: str | None
    protocol: str | None
    score: Score
    sample: Sample | None = None


_Samples = Mapping[tuple[str, ...], Sample | None]
"""Numbers of items asked, by dataset, task and model."""

Named = Iterator[tuple[tuple[str, ...], _Ours]]
"""Our figures, each after the values of ``_KEY`` under which it may be published."""


def _beside(*frames: pl.DataFrame) -> Iterator[Row]:
    """Yield each published figure whose dataset and model the experiment has, with ours or what keeps them apart."""
    *of_analyses, names, asked, printed = frames
    figures = _of_runs(printed)
    published = dict(names.rows())
    measured = dict(zip(_MEASURED, of_analyses, strict=True))
    ours: dict[tuple[str, ...], list[tuple[str, _Ours]]] = {}
    for (dataset, *key), result in chain(_measured(measured), _ratios(measured["costs"], asked)):
        ours.setdefault((published.get(dataset, dataset), *key), []).append((dataset, result))
    chance = {
        (dataset, result.entry, *key[2:4]): result.score.mean
        for key, results in ours.items()
        for dataset, result in results
        if key[4] == "chance" and result.protocol
    }
    digits = _digits(figures)
    asked_as = ways(asked, measured["cells"])
    listed = [{**row, "number": number} for number, row in enumerate(figures.to_dicts())]
    papers = {row["paper"] for row in listed if row["task"] is not None and _quantity(row) in ours}
    others = Asked.of(ours).missing((row for row in listed if _quantity(row) not in ours), papers)
    without = {figure["number"]: reason for figure, reason in others}
    for figure in listed:
        shown = figure | {"published": Score(figure["mean"], figure["deviation"]), "differs": None}
        results = [
            (dataset, result, differences(figure, _asked(figure, result, asked_as)))
            for dataset, result in ours.get(_quantity(figure), [])
        ]
        equal = [(dataset, result) for dataset, result, differing in results if not differing]
        for dataset, result in equal:
            floor = chance.get((dataset, result.entry, *_quantity(figure)[2:4]))
            yield shown | {
                "dataset": dataset,
                "entry": result.entry,
                "protocol": result.protocol,
                "items": result.sample,
                "ours": result.score,
                "difference": result.score.mean - figure["mean"],
                "published_above": above_chance(figure["mean"], floor),
                "ours_above": above_chance(result.score.mean, floor),
                "agrees": _agreement(result.score, figure, digits[_printed(figure)]),
            }
        if not equal and results:
            dataset, result, differing = min(results, key=lambda nearest: len(nearest[2]))
            yield shown | _APART | {"dataset": dataset, "entry": result.entry, "differs": "; ".join(differing)}
        elif figure["number"] in without:
            yield shown | _APART | {"differs": without[figure["number"]]}


_APART = dict.fromkeys(("entry", "protocol", "items", "ours", "difference", "published_above", "ours_above", "agrees"))
"""Columns of a figure that stands beside none of ours."""


def _quantity(figure: Row) -> tuple[str, ...]:
    return tuple(figure[name] or "" for name in _KEY)


def _asked(figure: Row, ours: _Ours, asked_as: Mapping[tuple[str, str], Way]) -> list[Way]:
    """Return the ways in which all answers behind a figure of ours were asked."""
    models = [model for model in (figure["model"], figure["second"]) if model is not None]
    jobs = product((ours.entry or "").split(" / "), models)
    return [{**asked_as.get(job, {}), "protocol": ours.protocol} for job in jobs] or [{"protocol": ours.protocol}]


def _of_runs(figures: pl.DataFrame) -> pl.DataFrame:
    """Return figures with the counts of a model's answers, which papers sum over runs, as shares of these answers."""
    is_count = pl.col("metric").str.contains(_COUNT)
    total = pl.col("mean").sum().over("paper", "table", "dataset", "task", "presentation", "model", is_count)
    return figures.with_columns(
        metric=pl.when(is_count).then(pl.col("metric").str.replace("count", "share")).otherwise("metric"),
        mean=pl.when(is_count).then(pl.col("mean") / total).otherwise("mean"),
    )


def _without(shown: list[Row], *frames: pl.DataFrame) -> Iterator[str]:
    count = len(frames[-1])
    beside = len({row["number"] for row in shown if row["ours"] is not None})
    apart = len({row["number"] for row in shown if row["ours"] is None})
    yield (
        f"Of {count:,} published figures {beside:,} stand beside ours, {apart:,} do not, as “differs” says, and "
        f"{count - beside - apart:,} are of other papers, datasets or models."
    )


def _printed(figure: Row) -> tuple[str, ...]:
    """Return the digits to which figures are printed."""
    return figure["paper"], figure["table"], figure["metric"]


def _digits(figures: pl.DataFrame) -> dict[tuple[str, ...], int]:
    digits: dict[tuple[str, ...], int] = {}
    for figure in figures.to_dicts():
        digits[_printed(figure)] = max(digits.get(_printed(figure), 0), decimals(figure["mean"]))
    return digits


def _agreement(ours: Score, figure: Row, digits: int) -> str | None:
    if ours.low is None or ours.high is None:
        return None
    return agreement((ours.mean, ours.low, ours.high), figure["mean"], figure["items"], digits, figure["metric"])


def _measured(measured: Mapping[str, pl.DataFrame]) -> Named:
    asked = measured["cells"].filter(pl.col("mean").is_not_null())
    for row in [*asked.to_dicts(), *measured["bounded"].to_dicts()]:
        score = Score(row["mean"], row["deviation"], row["low"], row["high"])
        kind, metric, shown = published_quantity(row["task_kind"], bounded_name(row), row["presentation"])
        ours = _Ours(row["task"], row["protocol"], score, columns.sample_of(row))
        yield _key({**row, "presentation": shown}, kind, metric, row["model"]), ours
    yield from _classified(measured["classification"])
    samples = {_job(row): columns.sample_of(row) for row in measured["cells"].to_dicts()}
    yield from _worded(measured["drift"], samples)
    yield from _sizes(measured["drift"], samples)
    yield from _drops(measured["stability"])
    worded = dict(measured["rewrites"].select("dataset", "protocol").rows())
    for row in measured["ratings"].filter(pl.col("reader").is_not_null(), pl.col("rating").is_not_null()).to_dicts():
        ours = _Ours(row["task"], worded.get(row["dataset"]), _score(row, "rating"), samples.get(_job(row)))
        yield (published_name(row["reader"]), "diversification", "rating", "diversified", row["model"], ""), ours
    yield from _similar(measured["similarity"])
    for row in measured["correlations"].filter(pl.col("correlation").is_not_null()).to_dicts():
        key = _key(row, "logical_translation", f"correlation_{row['metric']}", row["model"])
        yield key, _Ours(row["task"], None, Score(row["correlation"], row["deviation"]))
    for row in measured["task_agreements"].filter(pl.col("both").is_not_null()).to_dicts():
        entries = f"{row['most_similar']} / {row['ranking']}"
        for name in _SHARES:
            key = _key(row, "most_similar_and_ranking", name, row["model"])
            yield key, _Ours(entries, row["protocol"], Score(row[name]), columns.sample_of(row))
    for row in measured["differences"].filter(pl.col("both").is_not_null()).to_dicts():
        for name, swapped in _SHARES.items():
            share = _Ours(row["task"], row["protocol"], Score(row[name]), columns.sample_of(row))
            yield _key(row, row["task_kind"], name, row["first"], row["second"]), share
            yield _key(row, row["task_kind"], swapped, row["second"], row["first"]), share
    for row in measured["complexity"].to_dicts():
        for name, value in row.items():
            if isinstance(value, float):
                yield _key(row, "", name, ""), _Ours(None, None, Score(value))
    for row in measured["diversity"].to_dicts():
        for name in COUNTED:
            if name not in GROWING and row[name] is not None:
                yield _key(row, "", name, ""), _Ours(None, None, Score(float(row[name])))


def _job(row: Row) -> tuple[str, ...]:
    return row["dataset"], row["task"], row["model"]


def _classified(rows: pl.DataFrame) -> Named:
    """Answers, precision, recall label by label (∀uto∃∨∧L, tables 15 to 18); of yes and no, those of yes (19, 20)."""
    asked = rows.filter(pl.col("group") == "all", pl.col("kind") == "chat").to_dicts()
    answered: Counter[tuple[str, ...]] = Counter()
    for row in asked:
        answered[_series(row)] += sum(_counts(row).values())
    for row in asked:
        for name, count in _counts(row).items() if answered[_series(row)] else ():
            ours = _Ours(row["task"], row["protocol"], Score(count / answered[_series(row)]))
            yield _key(row, row["task_kind"], f"share_{name}", row["model"]), ours
        label = row["label"]
        of_label = {"precision": f"precision_{label}", "recall": f"recall_{label}"}
        for name, metric in (_OF_YES if label == "yes" else of_label).items():
            if row[name] is not None:
                ours = _Ours(row["task"], row["protocol"], _score(row, name))
                yield _key(row, row["task_kind"], metric, row["model"]), ours


def _series(row: Row) -> tuple[str, ...]:
    return (*_job(row), row["presentation"])


def _counts(row: Row) -> dict[str, int]:
    """Answers by what they say, read ones alone; of yes and no, all six counts of yes."""
    label = row["label"]
    if label == "yes":
        return {name.upper(): row[name] for name in ("tp", "fp", "tn", "fn", "ip", "in")}
    cases = row["answered"] if label != "no" else ()
    return {f"{label[0]}{case['label'][0]}".upper(): case["count"] for case in cases if case["label"] is not None}


def _key(row: Row, task: str, metric: str, model: str, second: str = "") -> tuple[str, ...]:
    return row["dataset"], task, metric, row.get("presentation", ""), model, second


def _score(row: Row, name: str, times: int = 1) -> Score:
    low, high = (None if (end := row[f"{name}_{part}"]) is None else times * end for part in ("low", "high"))
    return Score(times * row[name], None, low, high)


def _worded(drift: pl.DataFrame, samples: _Samples) -> Named:
    """Yield what is published of programs for problems as they stand, and in other words."""
    for row in drift.to_dicts():
        name, shown = published_dataset(row), published_wording(row)
        if name is None or shown is None:
            continue
        is_told = row["coverage"] is None or row["coverage"] >= LEAST_COVERAGE
        figures = [("accuracy_percent", "right", 100), *([("dispersion", "dispersion", 1)] if is_told else [])]
        # The paper's consistency is a share of translations, which at its accuracy cannot be whole programs; lines with
        # a map each are no consistency of a program.
        figures += [("consistency", "one_map", 1)] if shown == DIVERSIFIED else []
        for metric, column, times in figures:
            if row[column] is not None:
                ours = _Ours(row["task"], row["procedure"], _score(row, column, times), samples.get(_job(row)))
                yield (name, row["strategy"], metric, shown, row["model"], ""), ours


def _similar(rows: pl.DataFrame) -> Named:
    """Yield the cosines of whole problems with their originals (SoLT, table 1)."""
    for row in rows.filter(pl.col("unit") == PROBLEM, pl.col("mean").is_not_null()).to_dicts():
        if published_wording(row) == DIVERSIFIED:
            key = published_name(row["reader"]), "diversification", "similarity", DIVERSIFIED, row["model"], ""
            yield key, _Ours(None, row["procedure"], Score(row["mean"], None, row["low"], row["high"]))


def _sizes(drift: pl.DataFrame, samples: _Samples) -> Named:
    """Yield the number of problems of each original, refused ones included."""
    counted = {
        (published_name(row["reader"]), sample.available)
        for row in drift.filter(pl.col("reader").is_not_null()).to_dicts()
        if published_wording(row) == ORIGINAL and (sample := samples.get(_job(row))) is not None
    }
    for name, count in sorted(counted):
        yield (name, "", "count_problems", ORIGINAL, "", ""), _Ours(None, None, Score(count))


def _drops(stability: pl.DataFrame) -> Named:
    """Yield the mean drop over datasets, the only one that the paper prints."""
    known = [*DATASETS, *(reader for reader, _ in DATASETS_BY_LANGUAGE)]
    alone = stability.filter(
        pl.col("reader").is_in(known),
        pl.col("strategy").is_not_null(),
        pl.col("types").list.len() == 1,
        pl.col("at_most") == _MENTIONS,
        pl.col("intensity") == 1,
        ~pl.col("glossary"),
        pl.col("decoys") == 0,
        # A pair that shares no item has none.
        pl.col("drop").is_not_null(),
    )
    by_key: dict[tuple[str, str, str, str], list[float]] = {}
    for row in alone.to_dicts():
        if row["types"][0] in _TYPES:
            key = _TYPES[row["types"][0]], row["strategy"], row["model"], row["task"]
            by_key.setdefault(key, []).append(row["drop"])
    for (kind, strategy, model, task), drops in by_key.items():
        # Only the audited protocol has single kinds.
        ours = _Ours(task, "audited", Score(fmean(drops)))
        yield ("", strategy, f"accuracy_drop_{kind}", DIVERSIFIED, model, ""), ours


def _ratios(costs: pl.DataFrame, asked: pl.DataFrame) -> Named:
    """Yield the tokens of strategies over those of the direct one, as means over datasets (SoLT, appendix D)."""
    strategies = dict(asked.select("task", "strategy").rows())
    ratios: dict[tuple[str, ...], list[float]] = {}
    for row in costs.to_dicts():
        if strategies.get(row["against"]) == "direct" and (strategy := strategies.get(row["task"])):
            for part in ("prompt", "completion"):
                if (ratio := row[f"{part}_ratio"]) is not None:
                    key = strategy, f"tokens_ratio_{part}", row["model"], row["task"]
                    ratios.setdefault(key, []).append(ratio)
    for (strategy, metric, model, task), of_datasets in ratios.items():
        yield ("", strategy, metric, "", model, ""), _Ours(task, None, Score(fmean(of_datasets)))


def _answers(number: Number) -> Filter | None:
    if number.column == "published":
        return None
    kind, metric = number.row["task"], str(number.row["metric"])
    if kind is None:
        return of_complexity(Number(number.row, metric, ""))
    chosen = number.named("dataset", "presentation") | {
        "task": str(number.row["entry"]).split(" / "),
        "model": list(number.named("model", "second").values()),
    }
    if number.row["second"] is not None:
        return {**chosen, "metric": FACTS[str(kind)].metrics[0], "pair": metric}
    if kind not in FACTS:
        # Answers to two tasks; what is published of problems in other words is under no name of the explorer.
        return {**chosen, "common": "task"} if len(chosen["task"]) > 1 else None
    compared = metric.removeprefix("correlation_")
    return {**chosen, "metric": compared, **({"read": "read"} if compared != metric else {})}


TABLE = TableForm(
    "published",
    "Published figures and ours",
    "Figures of the papers that resources/published/README.md names, of files under the key `published`, and ours of "
    "the same name.",
    (
        *columns.texts("paper", "table", *_KEY, "entry", "protocol"),
        columns.column("items", None, Kind.SAMPLE),
        columns.column("published", None, Kind.SCORE),
        columns.column("ours", None, Kind.SCORE),
        columns.share("difference", "Ours less published"),
        columns.share("published_above", "Published above chance"),
        columns.share("ours_above", "Ours above chance"),
        columns.text("agrees", "Agree within error"),
        columns.column("differs", None, Kind.PROSE),
    ),
    (
        "Paper: file in resources/published; Table: in it. Entry: of the tasks here.",
        "Items “k of n”: k of the dataset's n were asked, or of its usable ones up to a size; papers asked all.",
        "Agree within error: by our interval and, where the paper says of how many items, that of its figure.",
        f"Cannot tell: the interval of the difference holds 0, but is wider than {WIDEST:g} of the metric's range.",
        "Agree –: ours has no interval. Both may be of the same items, so that the error is less.",
        "Differs: what keeps a figure from ours: prompt, glossary, protocol, examples, reasoning, temperature or runs.",
        "Above chance: of the way from the model `chance` on the sets of the entry to 1, if it is asked.",
        "Sets without free points: by nl_fol_lt's procedure, but none of gold alone, as 286 of its 1,565 are.",
        "The code of nl_fol_lt leaves unreadable answers to ranking out of the denominator; here they are wrong.",
        "Its deviations of BLEU in table 5 are taken from the mean of LE, and are none.",
        "share_TF and the like: of all read answers those of this true label and answer; papers print sums over runs.",
        "autoeval: formalization is translation by `prompt: formalization` beside examples, its FOLIO(A).",
        "autoeval: tables 8 and 9 print the same scores under two captions, and 9 and 12 others for one quantity.",
        "solt: datasets by reader and language, tasks by strategy; drops are means over datasets.",
        f"solt: dispersion is left out where less than {LEAST_COVERAGE:g} of the mentions are aligned.",
        "solt: consistency of table 12 is beside lines under one map of the problem.",
        "solt: table 12 has more programs right by meaning than table 3 by answer, and table 5 does not add up.",
        "Sets of the protocol “audited” are harder and fairer: a difference there says nothing of the model.",
        _without,
    ),
    (*_MEASURED, "names", "ways", "figures"),
    _beside,
    _answers,
    nothing="No dataset, task and model here is named as in the published figures.",
)

ANALYSIS = Analysis(tables=(TABLE,))
