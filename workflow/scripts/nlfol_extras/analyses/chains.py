"""Programs that another solver executed, too: its verdict against ours, item by item, and whom the label favours.

Both executed the same text. The other solver's verdicts are answers of an entry with ``verdicts_of``; one that fell
back on something else is not executed. Where both give an answer and the answers differ, the label is on one side or
on neither.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypedDict, cast

import polars as pl

from nlfol.facts import RIGHT
from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.results.analyses.figure import Figure
from nlfol.results.tables import columns
from nlfol.results.tables.table import Column, Kind, TableForm
from nlfol.store.columns import row_schema
from nlfol.store.files import read_frame
from nlfol.store.origins import metadata_at
from nlfol.store.schemas import SCORES


class _Chain(TypedDict):
    dataset: str
    task: str
    model: str
    chain: str  # the entry with the other solver's verdicts


class _Counts(TypedDict):
    programs: int  # items × seeds of which there is a verdict of either kind
    theirs: int  # that the other solver executed, and of these with the right answer
    theirs_right: int
    ours: int  # the same of nlfol
    ours_right: int
    only_ours: int  # that nlfol alone executed
    only_ours_right: int
    both: int
    agree: int  # of both, with the same answer
    for_ours: int  # of the others, with the label on nlfol's side, on the other's, and on neither
    for_theirs: int
    for_neither: int


class ChainRow(_Chain, _Counts):
    """One row a dataset, task of programs, model and other solver."""


CHAINS = row_schema("chains", 1, ChainRow)

_COUNTS = [*_Counts.__annotations__]


def chains(paths: Iterable[Path], verdicts_of: Mapping[str, str]) -> list[ChainRow]:
    """Return the rows of ``CHAINS``, of SCORES of programs and of answers, in the order of the files."""
    programs: dict[tuple[str, str], list[tuple[str, pl.DataFrame]]] = {}
    verdicts: list[tuple[str, str, pl.DataFrame]] = []
    for path in paths:
        about = metadata_at(path)
        if about["task_kind"] == "program":
            scores = (about["task"], _answers(path))
            programs.setdefault((about["dataset"], about["model"]), []).append(scores)
        elif about["task_kind"] == "question_answering" and about["model"] in verdicts_of:
            verdicts.append((about["dataset"], about["model"], _answers(path)))
    return [
        {"dataset": dataset, "task": task, "model": verdicts_of[chain], "chain": chain, **_counts(ours, theirs)}
        for dataset, chain, theirs in verdicts
        for task, ours in programs.get((dataset, verdicts_of[chain]), [])
    ]


def _answers(path: Path) -> pl.DataFrame:
    """Return the answer to each item and seed, null where there is none, and whether it is right."""
    scores = read_frame(path, SCORES).filter(pl.col("metric") == RIGHT)
    return scores.select("item", "seed", "answer", right=pl.col("score") == 1)


def _counts(ours: pl.DataFrame, theirs: pl.DataFrame) -> _Counts:
    joined = ours.join(theirs, on=["item", "seed"], suffix="_theirs")
    own, other = pl.col("answer").is_not_null(), pl.col("answer_theirs").is_not_null()
    differ, right, right_theirs = pl.col("answer") != pl.col("answer_theirs"), pl.col("right"), pl.col("right_theirs")
    conditions = {
        "programs": pl.lit(value=True),
        "theirs": other,
        "theirs_right": other & right_theirs,
        "ours": own,
        "ours_right": own & right,
        "only_ours": own & ~other,
        "only_ours_right": own & ~other & right,
        "both": own & other,
        "agree": own & other & ~differ,
        "for_ours": differ & right,
        "for_theirs": differ & right_theirs,
        "for_neither": differ & ~right & ~right_theirs,
    }
    return cast("_Counts", {name: joined.filter(condition).height for name, condition in conditions.items()})


def chains_figure(rows: pl.DataFrame) -> Figure | None:
    """Draw the share of programs that each solver executed, and those that it answered right."""
    import altair as alt

    from nlfol.results.analyses import charts

    shown = [
        {
            "panel": f"{row['dataset']} · {row['task']}",
            "by": f"{row['model']}, {solver}",
            "part": part,
            "share": row[key] / row["programs"],
        }
        for row in rows.to_dicts()
        if row["programs"]
        for name, solver in (("theirs", row["chain"].rpartition(".")[2]), ("ours", "nlfol"))
        for part, key in (("executed", name), ("right", f"{name}_right"))
    ]
    marks = charts.chart().mark_point(filled=True, opacity=1, size=60)
    encoded = marks.encode(
        alt.X("share:Q", title="Share of the programs", scale=alt.Scale(domain=[0, 1])),
        alt.Y("by:N", title=None, sort=None),
        alt.Color("part:N", title=None, scale=alt.Scale(range=charts.COLOURS[:2])),
        alt.Shape("part:N", title=None),
        tooltip=charts.tips("by", "part", "share"),
    )
    caption = "Programs that each solver executed, and those whose answer is right, of all that have a verdict."
    title = "The same programs by two solvers"
    return charts.figure(shown, "chains", title, caption, charts.panels(encoded, shown), about="program")


def _words(name: str, form: str) -> Column:
    return columns.column(name, None, Kind.TEXT, form.format_map)


ANALYSIS = Analysis(
    rows=(Rows(CHAINS, lambda given: chains(given.files["problem_scores"], given.setting("verdicts_of"))),),
    tables=(
        TableForm(
            "chains",
            "The same programs by another solver",
            "Programs that each of two solvers executed and answered right, and their answers where both did.",
            (
                *columns.texts("dataset", "task", "model", "chain"),
                _words("executed", "{theirs} → {ours}"),
                _words("right", "{theirs_right} → {ours_right}"),
                _words("nlfol alone", "{only_ours}, {only_ours_right} right"),
                _words("same answer", "{agree} of {both}"),
                _words("label", "{for_ours} nlfol, {for_theirs} other, {for_neither} neither"),
                *columns.counts(*_COUNTS),
            ),
            (
                "Executed, right: by the other solver, without what it fell back on, and by nlfol.",
                "Label: where both answer and differ, whose answer it is.",
            ),
            ("chains",),
            nothing="No program has a verdict of another solver.",
        ),
    ),
    figures=((("chains",), chains_figure),),
)
