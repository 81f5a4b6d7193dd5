"""Write the tables, each in every form asked for."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from nlfol.provenance.manifest import note
from nlfol.store import (
    analysis_schemas,
    claim_schemas,
    problem_schemas,
    rewrite_schemas,
    round_trip_schemas,
    schemas,
    stability_schemas,
    training_schemas,
)
from nlfol.store.figures import read_figures
from nlfol.store.frames import read_frames
from nlfol.store.logs import job_log
from nlfol.tables.registry import TABLES, Sources, build
from nlfol.tables.rendering import RENDERERS
from nlfol.tables.table import Table, TableError

if TYPE_CHECKING:
    snakemake: Any


SCHEMAS = {
    "cells": schemas.CELLS,
    "refusals": schemas.REFUSALS,
    "positions": claim_schemas.POSITIONS,
    "edit_mix": schemas.EDIT_MIX,
    "costs": analysis_schemas.COSTS,
    "audits": schemas.AUDITS,
    "differences": analysis_schemas.DIFFERENCES,
    "thinking": analysis_schemas.THINKING,
    "ontologies": analysis_schemas.ONTOLOGIES,
    "task_agreements": analysis_schemas.TASK_AGREEMENTS,
    "repetitions": analysis_schemas.REPETITIONS,
    "correlations": analysis_schemas.CORRELATIONS,
    "faults": analysis_schemas.FAULTS,
    "complexity": analysis_schemas.COMPLEXITY,
    "corrections": analysis_schemas.CORRECTIONS,
    "gold_audit": analysis_schemas.GOLD_AUDIT,
    "diversity": analysis_schemas.DIVERSITY,
    "counts": analysis_schemas.COUNTS,
    "curves": analysis_schemas.CURVES,
    "claims": claim_schemas.CLAIMS,
    "variances": claim_schemas.VARIANCES,
    "difficulty": claim_schemas.DIFFICULTY,
    "without_suspects": claim_schemas.WITHOUT_SUSPECTS,
    "bounded": round_trip_schemas.BOUNDED,
    "stops": round_trip_schemas.STOPS,
    "few_shot": round_trip_schemas.FEW_SHOT,
    "verifications": round_trip_schemas.VERIFICATIONS,
    "attributions": round_trip_schemas.ATTRIBUTIONS,
    "crossed": round_trip_schemas.CROSSED,
    "benchmarks": round_trip_schemas.BENCHMARKS,
    "solvers": problem_schemas.SOLVERS,
    "classification": problem_schemas.CLASSIFICATION,
    "depths": problem_schemas.DEPTHS,
    "drift": stability_schemas.DRIFT,
    "causes": stability_schemas.CAUSES,
    "stability": stability_schemas.STABILITY,
    "transitions": stability_schemas.TRANSITIONS,
    "ratings": problem_schemas.RATINGS,
    "rewrites": rewrite_schemas.REWRITES,
    "similarity": rewrite_schemas.SIMILARITY,
    "trained": training_schemas.TRAINED,
}

_OTHERS = ("figures", "manifest")
"""Inputs that hold no rows of a stage."""


def main(
    sources: Mapping[str, Sequence[Path]], figures: Sequence[Path], manifest: Path, outputs: Sequence[Path]
) -> None:
    """Write tables.

    Args:
        sources: the files behind each field of ``registry.Sources``, of the schema of that name, in the order of rows;
            those of what the experiment is not about are missing.
        figures: the published figures, CSV files as in ``resources/published``.
        manifest: the run's manifest, which a note names.
        outputs: the files to write: each called as one of ``registry.TABLES``, with a suffix of ``RENDERERS``. Beside
            them nothing stays of other tables that an experiment about more has left there.

    Raises:
        TableError: if there is no such table or no renderer for a suffix.
        StoreError: if a file is missing or of another schema, the manifest included.
    """
    for path in outputs:
        if _suffix(path) not in RENDERERS:
            raise TableError(f"{path}: no renderer for {_suffix(path)}; there are {', '.join(RENDERERS)}")
    drawn = read_sources(sources, figures)
    said = note(manifest)
    tables = {name: _noted(build(name, drawn), said) for name in dict.fromkeys(path.stem for path in outputs)}
    for path in outputs:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(RENDERERS[_suffix(path)](tables[path.stem]), encoding="utf-8", newline="\n")
    for folder in {path.parent for path in outputs}:
        _remove_others(folder, tables, sources)


def _remove_others(folder: Path, names: Collection[str], sources: Collection[str]) -> None:
    """Remove tables and rows of other names: numbers of another experiment."""
    for path in folder.iterdir():
        if (path.stem in TABLES.keys() - names and _suffix(path) in RENDERERS) or (
            path.stem in SCHEMAS.keys() - sources and path.suffix == ".arrow"
        ):
            path.unlink()


def _noted(table: Table, said: str) -> Table:
    return replace(table, notes=(*table.notes, said))


def _suffix(path: Path) -> str:
    return path.suffix.removeprefix(".")


def read_sources(sources: Mapping[str, Sequence[Path]], figures: Sequence[Path]) -> Sources:
    """Read what tables are drawn from; arguments and errors as of ``main``."""
    frames = {source: read_frames(sources.get(source, ()), schema) for source, schema in SCHEMAS.items()}
    return Sources(**frames, figures=pl.concat(map(read_figures, figures)))


def paths(named: str | Sequence[str]) -> list[Path]:
    """The files of one of Snakemake's named inputs, which is a text where there is one."""
    return [Path(named)] if isinstance(named, str) else [Path(path) for path in named]


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            {source: paths(path) for source, path in snakemake.input.items() if source not in _OTHERS},
            paths(snakemake.input.figures),
            Path(snakemake.input.manifest),
            [Path(path) for path in snakemake.output],
        )
