"""Members of ranking sets that do not stand at their end: gold formula or equivalent, negation or its other form.

A member is out of place if a candidate that does not belong to its end stands further out; ties count for the member.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypedDict

import polars as pl

from nlfol.facts import BOTH, FIRST, LAST, AnswerForm
from nlfol.results.analyses.analysis import Analysis, Given, Rows
from nlfol.results.statistics.summary import COMPARED, Origin, clustered
from nlfol.results.tables import columns
from nlfol.results.tables.opening import opens
from nlfol.results.tables.table import TableForm
from nlfol.store.columns import KnownInterval, TaskColumns, row_schema, with_ends
from nlfol.store.files import read_frame
from nlfol.store.origins import metadata_at
from nlfol.store.schemas import ITEMS


class _Role(TaskColumns):
    presentation: str
    model: str
    role: str


class _Counted(TypedDict):
    items: int
    stories: int
    answers: int  # that could be read, to sets with such a member
    out: int  # answers with it out of place
    alone: int  # of these, those with the other of its end in place
    wrong: KnownInterval  # share of the items' answers with it out of place


class MisrankedRow(_Role, _Counted):
    """One row a dataset, ranking task, presentation, model and role of a member that belongs to an end."""


MISRANKED = row_schema("misranked", 1, MisrankedRow)

_ENDS = tuple(tuple(role.value for role in end) for end in (FIRST, LAST))

Roles = Mapping[tuple[str, str], pl.DataFrame]
"""By dataset and task: ``item`` and the ``role`` of each member that belongs to an end."""


def roles_of(paths: Iterable[Path]) -> Roles:
    """Return the roles of ITEMS files."""
    roles = {}
    for path in paths:
        about, items = metadata_at(path), read_frame(path, ITEMS)
        members = items.select("item", "candidates").explode("candidates").drop_nulls().unnest("candidates")
        ends = members.filter(pl.col("role").is_in([role for end in _ENDS for role in end]))
        roles[about["dataset"], about["task"]] = ends.select("item", "role")
    return roles


def misranked(scored: Iterable[tuple[Origin, pl.DataFrame]], roles: Roles) -> Iterator[MisrankedRow]:
    """Yield the rows of ``MISRANKED`` for scores, in their order; roles from the first place to the last."""
    for source, scores in scored:
        known = roles.get((source.dataset, source.task))
        if source.asked.form is not AnswerForm.ORDER or source.kind not in COMPARED or known is None:
            continue
        read = scores.filter(pl.col("metric") == BOTH, pl.col("outcome") == "answered")
        out = read.with_columns(out=pl.col("fault").fill_null("").str.split(" ")).join(known, on="item")
        for (presentation,), shown in out.group_by("presentation", maintain_order=True):
            for end in _ENDS:
                for role in end:
                    if not (answers := shown.filter(role=role)).is_empty():
                        row: MisrankedRow = {
                            **source.of_task,
                            "model": source.model,
                            "presentation": str(presentation),
                            "role": role,
                            **_counted(answers, role, [other for other in end if other != role]),
                        }
                        yield with_ends(MisrankedRow, row)


def _counted(answers: pl.DataFrame, role: str, others: list[str]) -> _Counted:
    wrong = pl.col("out").list.contains(role)
    others_out = pl.any_horizontal(pl.col("out").list.contains(other) for other in others)
    items = answers.group_by("item", maintain_order=True).agg(pl.col("story").first(), wrong.mean().alias("wrong"))
    mean = clustered(items, "wrong")
    return {
        "items": mean.items,
        "stories": mean.stories,
        "answers": answers.height,
        "out": answers.filter(wrong).height,
        "alone": answers.filter(wrong & ~others_out).height,
        "wrong": mean.ends,
    }


def _misranked(given: Given) -> Iterator[MisrankedRow]:
    loaded = given.loaded("item story presentation metric outcome fault", forms=[AnswerForm.ORDER], metrics=[BOTH])
    return misranked(loaded, roles_of(given.files["candidates"]))


ANALYSIS = Analysis(
    rows=(Rows(MISRANKED, _misranked),),
    tables=(
        TableForm(
            "misranked",
            "Members of ranking sets out of place",
            "Share of answers in which a member does not stand at its end, with the interval at 95 % (clusters: "
            "stories).",
            (
                *columns.texts("dataset", "task", "protocol", "model", "presentation", "role"),
                *columns.counts("items", "stories", "answers", "out", "alone"),
                columns.interval("wrong"),
            ),
            (
                "Answers: items × seeds that could be read. Out: one of another end, or of none, is further out.",
                "Alone: the other member of that end is in place. Ties of similarities count as in place.",
            ),
            ("misranked",),
            opens=lambda number: opens(number, metric=BOTH),
        ),
    ),
)
