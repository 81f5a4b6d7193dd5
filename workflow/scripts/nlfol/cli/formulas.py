"""The commands on formulas, of JSON Lines or of arguments: ``parse``, ``compare``, ``entails``."""

import os
import re
import sys
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from typer.core import TyperCommand
from typing_extensions import override

from nlfol.cli.lines import judge, say, write
from nlfol.cli.options import Budget, Jobs, Propositions, budget_of, existing
from nlfol.mappings import JsonDict, JsonObject

R = TypeVar("R", bound=Mapping[str, object])

_DENIED = re.compile(r"-(?:\s|\(|[^-].*[(\s])", re.DOTALL)
"""A formula that begins with Prover9's negation; no option has a blank or a parenthesis."""
AsJson = Annotated[bool, typer.Option("--json", help="For formulas as arguments: write JSON Lines instead of text.")]


class FormulasCommand(TyperCommand):
    """A command with formulas as arguments: ``-P(a)`` is one of them and no option."""

    @override
    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [f" {argument}" if _DENIED.match(argument) else argument for argument in args])


class Compared(StrEnum):
    """Languages that ``compare`` reads."""

    FIRST_ORDER = "first_order"
    REGULAR = "regular"


class Notation(StrEnum):
    """Notations that ``parse`` writes."""

    UNICODE = "unicode"
    LATEX = "latex"
    TPTP = "tptp"
    SMTLIB = "smtlib"


def parse(
    texts: Annotated[
        list[str],
        typer.Argument(metavar="FORMULA... | FILE", help="Formulas, or a file of JSON Lines; else standard input."),
    ] = [],  # noqa: B006
    *,
    to: Annotated[Notation, typer.Option(help="The notation to write.")] = Notation.UNICODE,
    propositions: Propositions = False,
    as_json: AsJson = False,
) -> None:
    """Read formulas as models write them.

    nlfol parse 'forall x (Cube(x) -> Small(x))' --to latex

    {"id", "text"} -> {"id", "ok", "formula", "dialect", "repairs", "ambiguous", "error"}
    """
    from nlfol.cli.formula_rows import parsed, shown_reading

    judged = partial(parsed, notation=to.value, propositions=propositions)
    if _is_of_lines(texts):
        judge(_file(texts), judged, 1)
        return
    _answer(texts, [{"text": text} for text in texts], judged, shown_reading, as_json)


def compare(
    texts: Annotated[
        list[str],
        typer.Argument(
            metavar="REFERENCE CANDIDATE | FILE", help="Two formulas, or a file of JSON Lines; else standard input."
        ),
    ] = [],  # noqa: B006
    *,
    rlimit: Budget = None,
    jobs: Jobs = 1,
    propositions: Propositions = False,
    language: Annotated[Compared, typer.Option(help="Language of references and candidates.")] = Compared.FIRST_ORDER,
    as_json: AsJson = False,
) -> None:
    """Decide whether each candidate is equivalent to its reference, and how they differ.

    nlfol compare '∀x P(x)' '¬∃x ¬P(x)'

    {"id", "reference", "candidate"} -> {"id", "verdict", "relation", "stage", "counter_model", "seconds", "error"};
    for regular expressions with "word", the shortest in exactly one of the two languages.
    """
    from nlfol.cli.formula_rows import ComparisonRow, Judging, compared, compared_regular, shown_comparison

    judged: Callable[[JsonDict], ComparisonRow]
    if language is Compared.REGULAR:
        if propositions or rlimit is not None:
            raise typer.BadParameter("--rlimit and --propositions are for formulas, not for --language regular")
        judged = compared_regular
    else:
        judged = partial(compared, judging=Judging(budget_of(rlimit), propositions))
    if _is_of_lines(texts):
        judge(_file(texts), judged, jobs)
        return
    if len(texts) != 2:
        raise typer.BadParameter(
            f"compare needs two formulas, or one file of JSON Lines; {len(texts)} given: {_quoted(texts)}"
        )
    _answer(
        texts,
        [{"reference": texts[0], "candidate": texts[1]}],
        judged,
        partial(shown_comparison, propositions=propositions),
        as_json,
    )


def entails(
    texts: Annotated[
        list[str],
        typer.Argument(
            metavar="PREMISE... CONCLUSION | FILE",
            help="Premises and then the conclusion, or a file of JSON Lines; else standard input.",
        ),
    ] = [],  # noqa: B006
    *,
    rlimit: Budget = None,
    jobs: Jobs = 1,
    propositions: Propositions = False,
    as_json: AsJson = False,
) -> None:
    """Decide whether premises entail a conclusion, its negation, or neither.

    nlfol entails '∀x (Man(x) → Mortal(x))' 'Man(socrates)' 'Mortal(socrates)'

    {"id", "premises", "conclusion"} -> {"id", "label", "inconsistent", "seconds", "error"}
    """
    from nlfol.cli.formula_rows import Judging, entailed, shown_entailment

    judged = partial(entailed, judging=Judging(budget_of(rlimit), propositions))
    if _is_of_lines(texts):
        judge(_file(texts), judged, jobs)
        return
    if len(texts) == 1:
        raise typer.BadParameter(
            f"entails needs premises and then a conclusion, or one file of JSON Lines; only {_quoted(texts)} given"
        )
    _answer(texts, [{"premises": texts[:-1], "conclusion": texts[-1]}], judged, shown_entailment, as_json)


def _answer(
    texts: list[str],
    records: list[JsonDict],
    judged: Callable[[JsonDict], R],
    shown: Callable[[JsonObject, R], tuple[str, str]],
    as_json: bool,
) -> None:
    """Answer records of arguments, with notes on standard error; ``typer.Exit`` with status 1 if one failed.

    Raises ``typer.BadParameter`` if an argument looks like the path of a file.
    """
    for text in texts:
        if _is_file(text):
            raise typer.BadParameter(f"give one file alone, or formulas; {text!r} is a file, or named like one")
    rows = [judged(record) for record in records]
    if as_json:
        write(rows)
    else:
        for record, row in zip(records, rows, strict=True):
            answer, notes = shown(record, row)
            if answer:
                say(answer)
            if notes:
                say(notes, sys.stderr)
    if any(row["error"] for row in rows):
        raise typer.Exit(1)


def _is_file(text: str) -> bool:
    """Return whether an argument is a file, or named like one, and no formula."""
    if text == "-" or os.path.isfile(text):  # noqa: PTH113 - of a long formula pathlib raises
        return True
    if any(sign in text for sign in "()\\ \n"):
        return False
    return os.sep in text or text.endswith((".json", ".jsonl"))


def _is_of_lines(texts: list[str]) -> bool:
    """Return whether there are no formulas among the arguments, but JSON Lines in a file or standard input."""
    return not texts or (len(texts) == 1 and _is_file(texts[0]))


def _file(texts: list[str]) -> Path | None:
    return existing(Path(texts[0]) if texts else None)


def _quoted(texts: list[str]) -> str:
    return ", ".join(repr(text[:80]) for text in texts[:4])
