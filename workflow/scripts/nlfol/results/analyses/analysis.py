"""An analysis: rows of declared schemas, and the tables and figures that are drawn from them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Self, TypeVar

import polars as pl
import pyarrow as pa

from nlfol.facts import learn, written
from nlfol.mappings import AnyRow, JsonObject
from nlfol.results.analyses.figure import Figure
from nlfol.results.analyses.registry import FILES, SETTINGS, TOPICS
from nlfol.results.statistics.aligned import Aligned, load_programs
from nlfol.results.statistics.contrasts import significantly_best
from nlfol.results.statistics.second_looks import Planned
from nlfol.results.statistics.summary import COMPARED, Loaded, Series, series_of_files
from nlfol.results.tables.table import TableForm
from nlfol.store import files
from nlfol.store.evidence import files_of_evidence
from nlfol.store.files import read_figures, read_frame, read_frames
from nlfol.store.origins import made_from, metadata_at
from nlfol.store.parameters import paths_of
from nlfol.store.schemas import AUDITS, MEASURES

WAYS = {
    **dict.fromkeys(("task", "model", "prompt", "glossary", "strategy", "examples", "taken_of", "taken_in"), pl.String),
    **dict.fromkeys(("shots", "reasoning"), pl.Int64),
    "temperature": pl.Float64,
}
"""Columns of how tasks and models are asked, see ``config.configuration.Configuration.ways``."""

T = TypeVar("T")
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Given:
    """Inputs of analyses or tables by the registry's names, read once; ``made`` are rows computed before, by file."""

    files: Mapping[str, Sequence[Path]]
    settings: JsonObject = field(default_factory=dict)
    made: dict[str, list[Any]] = field(default_factory=dict)
    _read: dict[tuple[str, str], Any] = field(default_factory=dict)

    @classmethod
    def of_job(cls, job: Any) -> Self:
        """Return the inputs and settings of a Snakemake job."""
        return cls({name: paths_of(path) for name, path in job.input.items()}, job.params.get("settings", {}))

    def setting(self, name: str) -> Any:
        """Return a setting, or what the registry has for it."""
        return self.settings.get(name, SETTINGS[name])

    @property
    def planned(self) -> Planned:
        """Return what was fixed before results were seen."""
        planned = self.setting("planned")
        variants = tuple(map(tuple, planned.get("variants", ())))
        return Planned(planned.get("models"), tuple(planned.get("looks", ())), variants)

    def loaded(self, columns: str = "", name: str = "scores", **chosen: Any) -> Loaded:
        """Return files of scores, all columns or some, named between blanks; ``chosen`` as of ``Loaded``."""
        return Loaded(self.files[name], files_of_evidence(self.files.get("evidence", ())), columns.split(), **chosen)

    def series(self, name: str = "scores") -> list[Series]:
        """Read files of scores as series."""
        evidence = files_of_evidence(self.files.get("evidence", ()))
        return self._once("series", name, lambda: series_of_files(self.files[name], evidence))

    def programs(self, name: str = "programs") -> list[Aligned]:
        """Read files of programs."""
        return self._once("programs", name, lambda: list(map(load_programs, self.files[name])))

    def measures(self) -> dict[str, pl.DataFrame]:
        """Read the files of measures, by dataset."""
        paths = self.by_dataset("measures")
        return self._once(
            "measures", "", lambda: {dataset: read_frame(path, MEASURES) for dataset, path in paths.items()}
        )

    def frame(self, name: str) -> Any:
        """Read the rows of another analysis or of ``audits``; none where the experiment does not have it.

        Beside them there are ``figures``, the published ones; ``names``, datasets with those of papers; ``ways``,
        how tasks are asked; ``best``, the scores that are significantly the best of their column; and ``planned``.
        """
        return self._once("frame", name, lambda: self._frame(name))

    def _frame(self, name: str) -> Any:
        if name == "figures":
            return pl.concat(map(read_figures, self.files[name]))
        if name == "names":
            rows = list(self.setting("names").items())
            return pl.DataFrame(rows, {"dataset": pl.String, "published": pl.String}, orient="row")
        if name == "ways":
            return pl.DataFrame(self.setting("ways"), WAYS)
        if name == "planned":
            return self.planned
        if name == "best":
            return significantly_best(self.frame("differences"))
        paths = self.files.get(name, ())
        for path in paths:
            learn(metadata_at(path))
        return read_frames(paths, AUDITS if name == "audits" else schema_of(name))

    def by_dataset(self, name: str) -> dict[str, Path]:
        """Return files by the dataset that their metadata name."""
        return {metadata_at(path)["dataset"]: path for path in self.files[name]}

    def of_datasets(self, name: str, rows: Callable[[str, Path], Iterable[Row]]) -> list[Row]:
        """Return rows of each dataset's file of a name."""
        return [row for dataset, path in self.by_dataset(name).items() for row in rows(dataset, path)]

    def _once(self, how: str, name: str, read: Callable[[], T]) -> T:
        if (how, name) not in self._read:
            self._read[how, name] = read()
        value: T = self._read[how, name]
        return value


@dataclass(frozen=True, slots=True)
class Rows:
    """A file of rows: its schema, and what computes them."""

    schema: pa.Schema
    compute: Callable[[Given], Iterable[AnyRow]]

    @property
    def name(self) -> str:
        """Return the name of the file."""
        return str(self.schema.metadata[b"nlfol.schema"].decode())


@dataclass(frozen=True, slots=True)
class Analysis:
    """Declaration of a topic: each file of ``rows`` may use those before it; ``texts`` are other files, by name."""

    rows: tuple[Rows, ...] = ()
    tables: tuple[TableForm, ...] = ()
    figures: tuple[tuple[tuple[str, ...], Callable[..., Figure | None]], ...] = ()
    texts: Mapping[str, Callable[[Given], str]] = field(default_factory=dict)


def analysis_of(topic: str) -> Analysis:
    """Import what a topic's module declares."""
    declared: Analysis = import_module(TOPICS[topic].module).ANALYSIS
    return declared


def grouped(series: Iterable[Series], *names: str) -> list[list[Series]]:
    """Group the series of models that are compared by some columns, in the order of the first of each."""
    groups: dict[tuple[Any, ...], list[Series]] = {}
    for one in series:
        if one.source.kind in COMPARED:
            about: Mapping[str, object] = {**one.about, "model": one.source.model, "kind": one.source.kind}
            groups.setdefault(tuple(about[name] for name in names), []).append(one)
    return list(groups.values())


def schema_of(name: str) -> pa.Schema:
    """Return the schema of a file of rows."""
    return next(rows.schema for rows in analysis_of(FILES[name].name).rows if rows.name == name)


def run(topic: str, given: Given, outputs: Mapping[str, Path]) -> None:
    """Compute and write the files of a topic; ``outputs`` says where they go, by their name with suffix."""
    analysis = analysis_of(topic)
    about = made_from(*(path for name, paths in given.files.items() if name != "figures" for path in paths))
    if given.planned.models:
        about["board"] = str(given.planned.models)
    for rows in analysis.rows:
        given.made[rows.name] = list(rows.compute(given))
        files.write(outputs[f"{rows.name}.arrow"], rows.schema, given.made[rows.name], about | written())
    for name, text in analysis.texts.items():
        outputs[name].write_text(text(given), encoding="utf-8", newline="\n")
