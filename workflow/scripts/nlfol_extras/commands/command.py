"""Commands for programs and sets of one's own: ``nlfol solve``, ``generate``, ``audit``, ``sheets`` and ``plan``."""

import sys
from enum import StrEnum
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import typer

from nlfol.cli.lines import judge, opened, say, write
from nlfol.cli.options import Budget, File, Jobs, budget_of, existing, one_of, refusing
from nlfol.plugins import placed


class Notation(StrEnum):
    """Readers of formulas."""

    STRICT = "strict"
    TOLERANT = "tolerant"


def _file_or_folder(path: Path | None) -> Path | None:
    return path if path is not None and path.is_dir() else existing(path)


def _examples(path: Path) -> tuple[str, ...]:
    from nlfol.store.records import SourceError, decode, read_content

    with refusing(SourceError):
        lines = (line.strip() for line in decode(path, read_content(path, "--examples")).splitlines())
        asked = tuple(line for line in lines if line)
    if not asked:
        raise typer.BadParameter(f"{path}: no example; write what they ask, one a line, or leave --examples out")
    return asked


Sets = Annotated[
    Path | None, typer.Argument(callback=_file_or_folder, help="As for other commands, or a folder of released sets.")
]


def _languages() -> list[str]:
    from nlfol.problems.programs import LANGUAGES

    return list(LANGUAGES)


def _levels() -> list[str]:
    from nlfol_extras.lint import Level

    return list(Level)


def _free_variables() -> list[str]:
    from nlfol.problems.programs import FreeVariables

    return list(FreeVariables)


@placed(after="lint")
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
    examples: Annotated[
        Path | None,
        typer.Option(
            exists=True, dir_okay=False, help="Queries or sentences, one a line, that examples of the prompt ask."
        ),
    ] = None,
    jobs: Jobs = 1,
) -> None:
    """Execute programs for solvers; of a single program, show the trace on standard error, too.

    {"id", "language", "program", "options", "examples"} -> {"id", "outcome", "answer", "trace", "repairs", "error"}
    """
    from nlfol.problems.programs import FreeVariables, Policy
    from nlfol.problems.programs.language import DEFAULT_STEPS
    from nlfol.problems.programs.texts import MAX_CHARACTERS
    from nlfol_extras.commands.solve import shown, solved

    shown_before = () if examples is None else _examples(examples)
    policy = Policy(
        FreeVariables(free_variables), budget_of(rlimit), steps or DEFAULT_STEPS, strict, examples=shown_before
    )
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


@placed(after="solve")
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
    from nlfol_extras.commands.generate import run, values_of

    keys["values"] = None if values is None else values_of(values)
    keys["verbnet"] = None if verbnet is None else str(verbnet)
    run(keys, seed, output, check)


@placed(after="generate")
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
    from nlfol.cli.formula_rows import Judging
    from nlfol_extras.commands.audit import as_figures, audited, opened_sets, show

    with opened_sets(file) as sets:
        row = audited(sets, Judging(budget_of(rlimit)), notation, jobs)
    sys.stdout.write(as_figures(row, figures)) if figures else write([row])
    show(row)
    if row["unusable_lines"]:
        raise typer.Exit(1)


@placed(after="audit")
def sheets(
    first: Annotated[Path, typer.Argument(help="results/items/DATASET/question_answering.arrow", exists=True)],
    second: Annotated[Path, typer.Argument(help="The same of the dataset in other words.", exists=True)],
    *,
    output: Annotated[Path | None, typer.Option(help="Folder for the sheets of two groups of people.")] = None,
    filled: Annotated[list[Path], typer.Option(help="A filled sheet; repeatable.", exists=True)] = [],  # noqa: B006
    seed: Annotated[int, typer.Option(min=0, help="Random seed of the division and the orders.")] = 0,
) -> None:
    """Write problems in two wordings on sheets for people, or count the answers of filled sheets.

    Nobody reads a problem twice: each group has half of them in either wording.

    With --filled -> {"both_right", "original_only", "diversified_only", "neither", "unread", "unanswered"}
    """
    from nlfol.store.files import StoreError
    from nlfol.store.records import SourceError
    from nlfol_extras.commands.sheets import contingency, read_wording, write_sheets

    if (output is None) is (not filled):
        raise typer.BadParameter("give --output to write sheets, or --filled to count their answers")
    with refusing(SourceError, StoreError):
        wordings = read_wording(first), read_wording(second)
        if output is None:
            write([contingency(*wordings, filled)])
            return
        for path in write_sheets(*wordings, output, seed):
            typer.echo(f"wrote {path}", err=True)


@placed(after="sheets")
def plan(
    pilot: Annotated[
        Path | None, typer.Argument(help="Results of a finished run, of which each question is planned.")
    ] = None,
    *,
    difference: Annotated[float, typer.Option(min=0, max=1, help="Difference of the two means to be told apart.")],
    models: Annotated[int, typer.Option(min=2, help="Models that are compared in pairs, adjusted together.")] = 2,
    seeds: Annotated[list[int], typer.Option(min=1, help="Seeds under which an item is asked; repeatable.")] = [1, 3],  # noqa: B006
    power: Annotated[float, typer.Option(min=0.01, max=0.99, help="Probability of telling them apart.")] = 0.8,
    mean: Annotated[float | None, typer.Option(min=0, max=1, help="Score of the models (default: 0.5).")] = None,
    story_size: Annotated[float | None, typer.Option(min=1, help="Items of a story (default: 8).")] = None,
    item: Annotated[
        float | None, typer.Option(min=0, max=1, help="Share of the variance of answers between items (0.7).")
    ] = None,
    within_story: Annotated[
        float | None, typer.Option(min=0, max=1, help="Correlation of the difficulties of two items of a story (0.1).")
    ] = None,
    correlation: Annotated[
        float | None, typer.Option(min=0, max=1, help="Correlation of an item's difficulties for two models (0.5).")
    ] = None,
) -> None:
    """Say how many items tell two models apart, by simulating the paired test of the table of differences.

    -> {"dataset", "task", "presentation", "items", "stories", "seeds", "answers", "level", "power"}
    """
    names = ("mean", "story_size", "item", "within_story", "correlation")
    known = {key: given for key, given in locals().items() if key in names and given is not None}
    from nlfol.store.files import StoreError
    from nlfol_extras.commands.plan import PlanError, plans

    with refusing(PlanError, StoreError):
        write(plans(pilot, known, difference, seeds=seeds, models=models, power=power))


def _tasks() -> list[str]:
    from nlfol.tasks.registry import TASKS

    return list(TASKS)


@placed(after="sheets")
def check(
    dataset: Annotated[str, typer.Argument(help="tarski, folio, proofwriter, another name, or a file.")],
    *,
    ontology: Annotated[Path | None, typer.Option(help="Ontology of a file of sentences.")] = None,
    task: Annotated[
        list[str], one_of(_tasks, help="A task whose items are built, too; repeatable. Candidates take proofs.")
    ] = [],  # noqa: B006
    level: Annotated[str, one_of(_levels, help="Findings of nlfol lint: precise, balanced or all.")] = "precise",
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of drawn items; that of config.yaml.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write everything as one JSON object.")] = False,
) -> None:
    """Check a dataset before a model is asked: refused rows, stories, glosses, gold, and what it can tell apart.

    nlfol check sentences.csv --ontology ontology.yaml --task most_similar

    The exit status is 1 if rows are refused.
    """
    from nlfol.cli.named import datasets_of, known_datasets
    from nlfol.randomness import SEED
    from nlfol_extras.commands.check import checked, lines
    from nlfol_extras.lint import Level

    with refusing(ValueError, OSError):
        entries = datasets_of(dataset, known_datasets(), ontology)
        found = checked(entries, list(entries)[-1], SEED if seed is None else seed, task, Level(level))
    if as_json:
        write([found])
    else:
        say("\n".join(lines(found)))
    if found["refused"]:
        raise typer.Exit(1)


def _renamed(values: list[str]) -> dict[str, str]:
    pairs = dict(value.partition("=")[::2] for value in values)
    if not all(pairs) or not all(pairs.values()):
        raise typer.BadParameter("--model: name two models as OLD=NEW")
    return pairs


@placed(after="verify")
def diff(
    runs: Annotated[list[Path], typer.Argument(exists=True, file_okay=False, help="Results of two runs or more.")],
    *,
    model: Annotated[
        list[str], typer.Option(help="OLD=NEW: a model of the first run, and the other run's that it is compared with.")
    ] = [],  # noqa: B006
    every: Annotated[bool, typer.Option("--all", help="All metrics, not the leading one of each task.")] = False,
    show: Annotated[int, typer.Option(min=0, help="Changed items of each question to show.")] = 3,
    as_json: Annotated[bool, typer.Option("--json", help="Write everything as JSON, a line for two runs.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Folder for a page with all runs, and its tables.")
    ] = None,
) -> None:
    """Say what changed from each run to the next: each question with a paired test, each changed item with its board.

    nlfol diff runs/before/results results
    nlfol diff runs/*/results -o compared
    """
    from nlfol.store.files import StoreError
    from nlfol_extras.commands.diff import diff as compared
    from nlfol_extras.commands.diff import lines

    if len(runs) < 2 or (model and (len(runs) > 2 or output is not None)):
        raise typer.BadParameter("name two runs or more; of more than two, or with --output, models have their names")
    with refusing(StoreError):
        if output is not None:
            from nlfol_extras.commands.runs import named, write_runs

            say(f"{write_runs(named(runs), output)} written")
            return
        found = [compared(*pair, _renamed(model), every=every) for pair in pairwise(runs)]
    if as_json:
        write(each._asdict() for each in found)
        return
    for (before, after), each in zip(pairwise(runs), found, strict=True):
        heading = [f"{before} → {after}"] if len(found) > 1 else []
        say("\n".join([*heading, *lines(each, show)]))


@placed(after="check")
def import_(
    files: Annotated[
        list[Path], typer.Argument(exists=True, dir_okay=False, help="Logs of inspect_ai, or samples of lm-eval.")
    ],
    *,
    output: Annotated[Path, typer.Option("--output", "-o", help="The file of answers to write.")] = Path(
        "answers.jsonl"
    ),
) -> None:
    """Take answers from logs of inspect_ai (.eval, .json) and samples of lm-eval (.jsonl), for kind: answers.

    nlfol import logs/*.eval -o answers.jsonl
    """
    from nlfol.store.records import SourceError
    from nlfol_extras.commands.imports import written

    with refusing(SourceError, OSError):
        count = written(files, output)
    typer.echo(f"{count} answers in {output}; in a configuration: {{kind: answers, path: {output}, verbatim: true}}")
