"""The commands and their options."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from nlfol import __version__
from nlfol.cli.commands import Commands
from nlfol.cli.formulas import FormulasCommand, compare, entails, parse
from nlfol.cli.lines import say
from nlfol.cli.options import (
    one_of,
    refusing,
    require_workflow,
)
from nlfol.cli.score import score

LEAST_DIGITS = 32
"""Digits of a root that tables have."""

app = typer.Typer(cls=Commands, no_args_is_help=True, pretty_exceptions_enable=False)

for command in (parse, compare, entails):
    app.command(cls=FormulasCommand)(command)


def _structures() -> tuple[str, ...]:
    from nlfol.models.entries.provider_table import STRUCTURES

    return STRUCTURES


app.command()(score)


@app.command()
def verify(
    folders: Annotated[
        list[Path] | None, typer.Argument(help="Folders to check (default: journal and results).")
    ] = None,
    *,
    again: Annotated[
        bool, typer.Option("--again", help="Make every stage again from journals and items, and compare the files.")
    ] = False,
    allowed_signers: Annotated[
        Path | None,
        typer.Option(exists=True, dir_okay=False, help="Who may have signed the manifest, as ssh-keygen(1) has it."),
    ] = None,
    root: Annotated[
        str | None, typer.Option(help="The root that was published for the run, or 32 digits or more of it.")
    ] = None,
) -> None:
    """Check that journals, vectors, results, tables, figures and report are as written; write one line for each fault.

    -> {"file", "line", "problem", "remedy"}

    A folder with a journal or results in it stands for these. The exit status is 1 if there is a fault, and 3 if there
    is none but something could not be checked.
    """
    from nlfol.cli.results import verified

    if root is not None and len(root) < LEAST_DIGITS:
        raise typer.BadParameter(f"--root {root}: give {LEAST_DIGITS} digits or more, as tables have them")
    if again:
        require_workflow()
    if status := verified(folders or [Path()], again=again, signers=allowed_signers, root=root):
        raise typer.Exit(status)


@app.command()
def run(
    file: Annotated[
        Path | None, typer.Argument(help="A configuration to run as it is, in place of --model and the like.")
    ] = None,
    *,
    model: Annotated[
        list[str], typer.Option("--model", help="openai/NAME, hf:REPOSITORY@COMMIT, or one of config.yaml; repeatable.")
    ] = [],  # noqa: B006
    dataset: Annotated[
        list[str], typer.Option("--dataset", help="tarski, folio, another of config.yaml, or a file; repeatable.")
    ] = ["tarski"],  # noqa: B006
    ontology: Annotated[Path | None, typer.Option(help="Ontology of a --dataset file.")] = None,
    tasks: Annotated[str | None, typer.Option(help="Tasks, as most_similar,ranking; by default all that fit.")] = None,
    items: Annotated[int | None, typer.Option(min=1, help="Most items per dataset and task.")] = None,
    seeds: Annotated[str | None, typer.Option(help="Sampling seeds, as 3,12,26.")] = None,
    temperature: Annotated[float | None, typer.Option(min=0, help="Sampling temperature (default: 0, greedy).")] = None,
    base_url: Annotated[str | None, typer.Option(help="URL of an OpenAI-compatible server, for openai/NAME.")] = None,
    key_env: Annotated[str | None, typer.Option(help="Environment variable that holds its key.")] = None,
    structured: Annotated[
        str | None, one_of(_structures, help="How its answers are held to a schema; none asks for plain text.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Name of the folder in runs.")] = None,
    cores: Annotated[str, typer.Option(help="Cores to use: a number, or all.")] = "all",
    profile: Annotated[str | None, typer.Option(help="A profile of Snakemake: slurm, or a folder.")] = None,
    report: Annotated[bool, typer.Option("--report", help="Make the report, too.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask about the cost.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Show all that Snakemake says.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", "-n", help="Show the jobs, and run none.")] = False,
    show: Annotated[bool, typer.Option("--print", help="Show the configuration, and write nothing.")] = False,
) -> None:
    """Write a configuration to runs/NAME/config.yaml and run it with Snakemake.

    nlfol run --model openai/gpt-4o-mini --dataset tarski --items 20

    If models may cost something, it says how much, and asks before it spends more than a dollar. A configuration file
    can say more: see --print, and nlfol init.
    """
    require_workflow()
    from nlfol.cli import run as running
    from nlfol.cli.named import UnusableRunError

    if (file is None) == (not model):
        raise typer.BadParameter("give a model with --model, or a file")
    with refusing(UnusableRunError, OSError):
        options = ["--cores", cores] if profile is None else ["--workflow-profile", running.profile_of(profile)]
        if file is None:
            of_tasks, of_seeds = tasks.split(",") if tasks else (), running.seeds_of(seeds) if seeds else ()
            reached = base_url, key_env, structured
            wanted = running.Wanted(model, dataset, ontology, of_tasks, items, of_seeds, temperature, *reached)
            folder, values = running.experiment(wanted, name)
            text = running.text_of(folder, values)
            if show:
                say(text.rstrip("\n"))
                return
            file = running.written(folder, text)
        configuration = running.configuration_of(file)
        running.tell_refused(configuration)
        if dry_run:
            running.dry_run(file, configuration.results, options)
        raise typer.Exit(running.run(file, configuration, options, report=report, yes=yes, verbose=verbose))


@app.command()
def init(path: Annotated[Path, typer.Argument(help="The file to write.")] = Path("experiment.yaml")) -> None:
    """Write a commented configuration to start from."""
    from nlfol.cli.named import UnusableRunError, started

    with refusing(UnusableRunError, OSError):
        say(started(path))


def _version(wanted: bool) -> None:
    if wanted:
        say(f"nlfol {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Work with first-order logic, and trace the numbers of a run."""


def main() -> None:
    """Run the command; exit status 2 for unusable arguments, and where a package is not installed."""
    try:
        app()
    except ModuleNotFoundError as error:
        if (error.name or "nlfol").startswith("nlfol"):
            raise
        from nlfol.installed import remedy, workflow_is_here

        of_a_run = sys.argv[1] in ("explain", "run", "verify") and workflow_is_here()
        how = "pip install -r requirements.txt" if of_a_run else remedy(str(error.name))
        say(f"nlfol {sys.argv[1]} needs the package {error.name}: {how}", sys.stderr)
        raise SystemExit(2) from None


if __name__ == "__main__":
    main()
