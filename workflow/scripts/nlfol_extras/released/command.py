"""``nlfol released``: what others released of real models, judged as if it were ours."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nlfol.cli.lines import say
from nlfol.cli.options import refusing, require_workflow
from nlfol.plugins import placed

if TYPE_CHECKING:
    from nlfol_extras.released.sources import Source

_Names = Annotated[list[str] | None, typer.Argument(help="Sources, as in the list; none lists them.")]


@placed(after="run")
def released(
    sources: _Names = None,
    *,
    dataset: Annotated[list[str], typer.Option("--dataset", help="Only these datasets; repeatable.")] = [],  # noqa: B006
    model: Annotated[list[str], typer.Option("--model", help="Only these models; repeatable.")] = [],  # noqa: B006
    items: Annotated[int | None, typer.Option(min=1, help="Most items per dataset.")] = None,
    folio: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="FOLIO's validation split, for gold formulas.")
    ] = None,
    folder: Annotated[
        Path | None, typer.Option("--sources", exists=True, file_okay=False, help="Folder of sources of your own.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Name of the folder in runs.")] = None,
    cores: Annotated[str, typer.Option(help="Cores to use: a number, or all.")] = "all",
    report: Annotated[bool, typer.Option("--report", help="Make the report, too.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Show all that Snakemake says.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", "-n", help="Show the jobs, and run none.")] = False,
    show: Annotated[bool, typer.Option("--print", help="Show the configuration, and write nothing.")] = False,
) -> None:
    """Judge what others released of real models.

    nlfol released logic_lm nsombekke --dataset prontoqa

    Downloads are pinned by SHA-256, or taken from NLFOL_DATA. Answers and configuration go to runs/NAME.
    """
    require_workflow()
    from nlfol.cli import run as running
    from nlfol_extras.released.experiment import Chosen, experiment, sources_folder
    from nlfol_extras.released.sources import read_sources

    with refusing(ValueError, OSError):
        known = read_sources(folder or sources_folder())
        if not sources:
            say(_listed(known))
            return
        to = Path("runs", name or ".".join(["released", *sources]))
        made = experiment(known, Chosen(sources, dataset, model, items, folio), to)
        for warning in made.warnings:
            say(f"warning: {warning}", sys.stderr)
        text = running.text_of(to, made.values).replace("nlfol run, which", "nlfol released, which")
        if show:
            say(text.rstrip("\n"))
            return
        made.write()
        file = running.written(to, text)
        configuration = running.configuration_of(file)
        options = ["--cores", cores]
        if dry_run:
            running.dry_run(file, configuration.results, options)
        raise typer.Exit(running.run(file, configuration, options, report=report, yes=True, verbose=verbose))


def _listed(sources: Mapping[str, Source]) -> str:
    """Return the sources as a table for people."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for header in ("Source", "Repository", "Licence", "Prompt", "Datasets", "Models", "MB"):
        table.add_column(header, justify="right" if header == "MB" else "left")
    for name, source in sources.items():
        held = [file for release in source.files for file in (release, release.solver) if file is not None]
        size = f"{sum(file.bytes or 0 for file in held) / 1e6:.1f}" if all(file.bytes for file in held) else "yours"
        prompt = f"{source.prompt.id}, {source.prompt.examples}"
        datasets = ", ".join(dict.fromkeys(file.dataset for file in source.files))
        about = (f"{source.repository} {source.commit[:7]}", source.licence or "none", prompt, datasets)
        table.add_row(name, *about, ", ".join(source.models), size)
    written = StringIO()
    Console(file=written, width=160, highlight=False, markup=False, emoji=False).print(table)
    return "\n".join(line.rstrip() for line in written.getvalue().split("\n") if line.strip())
