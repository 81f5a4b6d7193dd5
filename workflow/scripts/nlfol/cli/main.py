"""The commands and their options."""

import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from nlfol import __version__
from nlfol.cli.commands import Commands
from nlfol.cli.formulas import FormulasCommand, compare, entails, parse
from nlfol.cli.lines import judge, opened, say, write
from nlfol.cli.options import (
    Budget,
    File,
    Jobs,
    Notation,
    Sets,
    budget_of,
    one_of,
    refusing,
)
from nlfol.cli.score import score

app = typer.Typer(cls=Commands, no_args_is_help=True, pretty_exceptions_enable=False)

for command in (parse, compare, entails):
    app.command(cls=FormulasCommand)(command)


def _languages() -> list[str]:
    from nlfol.problems.programs import LANGUAGES

    return list(LANGUAGES)


def _structures() -> tuple[str, ...]:
    from nlfol.models.entries.provider_table import STRUCTURES

    return STRUCTURES


def _free_variables() -> list[str]:
    from nlfol.problems.programs import FreeVariables

    return list(FreeVariables)


@app.command()
def solve(
    file: File = None,
    *,
    language: Annotated[
        str | None,
        one_of(_languages, help="The file is one program in this language, such as clauses, not JSON Lines."),
    ] = None,
    option: Annotated[
        list[str], typer.Option("--option", help="With --language: an option, as 'A) True'; repeatable.")
    ] = [],  # noqa: B006
    free_variables: Annotated[
        str, one_of(_free_variables, help="Free variables of formulas: refuse, close universally, or take as names.")
    ] = "close",
    rlimit: Budget = None,
    steps: Annotated[int | None, typer.Option("--steps", min=1, help="Most steps of chaining clauses.")] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Forgive no notation but that of Logic-LM's solvers.")
    ] = False,
    jobs: Jobs = 1,
) -> None:
    """Execute programs for solvers; of a single program, show the trace on standard error, too.

    {"id", "language", "program", "options"} -> {"id", "outcome", "answer", "trace", "repairs", "error"}
    """
    from nlfol.cli.solve import shown, solved
    from nlfol.problems.programs import FreeVariables, Policy
    from nlfol.problems.programs.language import DEFAULT_STEPS
    from nlfol.problems.programs.texts import MAX_CHARACTERS

    policy = Policy(FreeVariables(free_variables), budget_of(rlimit), steps or DEFAULT_STEPS, strict)
    if language is None:
        if option:
            raise typer.BadParameter("--option needs --language; in JSON Lines options are in each line")
        judge(file, partial(solved, policy=policy), jobs)
        return
    with opened(file) as source:
        # One byte more than can be read, so that a longer file is refused and not cut.
        text = source.read(4 * MAX_CHARACTERS + 1).decode("utf-8", "replace")
    row = solved({"language": language, "program": text, "options": option}, policy)
    write([row])
    sys.stderr.write(shown(row))
    if row["error"]:
        raise typer.Exit(1)


@app.command()
def generate(
    *,
    grammar: Annotated[str, typer.Argument(help="first_order, propositional, k_sat, regular, ..., or a YAML file.")],
    vocabulary: Annotated[str, typer.Option(help="names, english, meanings, verbnet, or an ontology.")] = "names",
    by: Annotated[str | None, typer.Option(help="Measure to control, e.g. operators.")] = None,
    values: Annotated[str | None, typer.Option(help="Values of the measure: FROM-TO, FROM-TO:STEP, or A,B,C.")] = None,
    count: Annotated[int, typer.Option(min=1, help="Items per value.")] = 50,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 0,
    quantifiers: Annotated[
        tuple[int, int] | None, typer.Option(help="Least and greatest number of quantifiers (default: 1 3).")
    ] = None,
    distinct: Annotated[str, typer.Option(help="trees or formulas.")] = "formulas",
    repetition: Annotated[str | None, typer.Option(help="Repetition of atoms: none or uniform.")] = None,
    letters: Annotated[int | None, typer.Option(help="Propositional letters, or digits of expressions.")] = None,
    clause: Annotated[int | None, typer.Option(help="Literals of a clause, with k_sat.")] = None,
    predicates: Annotated[int | None, typer.Option(help="Predicates that an item chooses from (default: 8).")] = None,
    constants: Annotated[int | None, typer.Option(help="Constants that an item chooses from (default: 12).")] = None,
    arities: Annotated[tuple[int, int] | None, typer.Option(help="Least and greatest arity (default: 1 2).")] = None,
    variables: Annotated[float | None, typer.Option(help="Share of variables in arguments (default: 0.25).")] = None,
    protocol: Annotated[str, typer.Option(help="audited or paper.")] = "audited",
    batch: Annotated[list[int], typer.Option(help="Batch, from 1; repeatable, for several as one set.")] = [1],  # noqa: B006
    language: Annotated[str | None, typer.Option(help="Language of a grammar of your own.")] = None,
    verbnet: Annotated[Path | None, typer.Option(help="The folder of VerbNet, for that vocabulary.")] = None,
    levels: Annotated[int | None, typer.Option(help="With --protocol paper, levels (default: 40).")] = None,
    branching: Annotated[int | None, typer.Option(help="The same: strings a level, and completions (200).")] = None,
    output: Annotated[Path | None, typer.Option(help="A .jsonl or .parquet file; else standard output.")] = None,
    check: Annotated[str | None, typer.Option(help="Expected digest of the set.")] = None,
) -> None:
    """Draw a set of formulas or regular expressions, with their certified English.

    -> {"id", "language", "formula", "english", "ontology", the measure, "tree"}

    The digest of the set can be published before its seed is. With --check, the exit status is 1 if it differs.
    """
    # All options but these are keys of a dataset's entry.
    keys = {key: given for key, given in locals().items() if key not in ("seed", "output", "check")}
    from nlfol.cli.generate import run, values_of

    keys["values"] = None if values is None else values_of(values)
    keys["verbnet"] = None if verbnet is None else str(verbnet)
    run(keys, seed, output, check)


@app.command()
def audit(
    file: Sets = None,
    *,
    rlimit: Budget = None,
    jobs: Jobs = 1,
    notation: Annotated[Notation, typer.Option(help="Reader of formulas.")] = Notation.STRICT,
    figures: Annotated[
        str | None,
        typer.Option(metavar="DATASET", help="Write scores of guessers as CSV, for the key published."),
    ] = None,
) -> None:
    """Check candidate sets; write one line for all, and a table on standard error.

    {"id", "formulas": [...], "roles": [...], "renderings": [...] or null} ->
    {"items", "sets_with_faults", "checks", "unknown", "guesses", "unusable_lines"}
    """
    from nlfol.cli.audit import as_figures, audited, opened_sets, show
    from nlfol.cli.formula_rows import Judging

    with opened_sets(file) as sets:
        row = audited(sets, Judging(budget_of(rlimit)), notation, jobs)
    sys.stdout.write(as_figures(row, figures)) if figures else write([row])
    show(row)
    if row["unusable_lines"]:
        raise typer.Exit(1)


app.command()(score)


@app.command()
def explain(
    *,
    table: Annotated[Path, typer.Argument(help="A table of a run: results/tables/NAME.csv.")],
    row: Annotated[list[str], typer.Option("--row", help="The row: NAME=VALUE, repeatable, or its number from 1.")],
    column: Annotated[str, typer.Option("--column", help="A column of the CSV.")],
    item: Annotated[str | None, typer.Option("--item", help="An item to show in full.")] = None,
    journal: Annotated[Path, typer.Option("--journal", help="The folder of journals.")] = Path("journal"),
    as_json: Annotated[bool, typer.Option("--json", help="Write one line of JSON instead of text.")] = False,
) -> None:
    """Trace a number in a table to its source, and check every file on the way.

    The exit status is 1 if a link is broken.
    """
    from nlfol.cli.results import explained

    found, text = explained(table, row, column, journal, item)
    if as_json:
        write([found])
    else:
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
        sys.stdout.buffer.flush()
    if found["broken"]:
        raise typer.Exit(1)


@app.command()
def verify(
    folders: Annotated[
        list[Path] | None, typer.Argument(help="Folders to check (default: journal and results).")
    ] = None,
) -> None:
    """Check that journals, vectors, results, tables, figures and report are as written; write one line for each fault.

    -> {"file", "line", "problem", "remedy"}

    A folder with a journal or results in it stands for these. The exit status is 1 if there is a fault.
    """
    from nlfol.cli.results import verified

    if not verified(folders or [Path()]):
        raise typer.Exit(1)


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
    from nlfol.installed import workflow_is_here

    if not workflow_is_here():
        raise typer.BadParameter(
            "the workflow is not here: clone the repository and run nlfol there, after make tables"
        )
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
