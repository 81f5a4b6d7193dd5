"""Read problems in other words, and see what became of their meaning."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.datasets.entries.problems import shipped_forms
from nlfol.diversification.audit import Check, audit
from nlfol.problems import Lexicon, Problem
from nlfol.problems.dialects.diversified import CONTROLLED
from nlfol.store import files
from nlfol.store.logs import LOGGER, job_log
from nlfol.store.origins import made_from
from nlfol.store.problem_schemas import PROBLEMS
from nlfol.store.rewrite_schemas import REWRITTEN

if TYPE_CHECKING:
    snakemake: Any

_VERDICTS = {Check.UNREAD: "unread", Check.SECOND_READING: "unread", Check.ADDED_STATEMENT: "added"}
"""Of faults that are no other meaning."""


def main(name: str, originals: Path, problems: Path, output: Path) -> None:
    """Write the REWRITTEN file.

    Args:
        name: what the configuration calls the dataset.
        originals: the PROBLEMS file of the original dataset.
        problems: that of the dataset.
        output: where the file goes.
    """
    before = {row["item"]: Problem.from_row(row) for row in files.rows(originals, PROBLEMS)}
    lexicon = shipped_forms()
    rows = [
        finding
        for row in files.rows(problems, PROBLEMS)
        if (problem := Problem.from_row(row)).is_usable
        for finding in findings(before[problem.name], problem, lexicon)
    ]
    files.write(output, REWRITTEN, rows, {"dataset": name, **made_from(originals, problems)})
    for verdict, count in sorted(Counter(row["verdict"] for row in rows).items()):
        LOGGER.info(f"{name}: {count:>6} {verdict}")


def findings(original: Problem, problem: Problem, lexicon: Lexicon) -> Iterator[dict[str, Any]]:
    """What became of the meaning of a problem's rewritten statements, and of the problem.

    Args:
        original: the problem as it was.
        problem: in other words.
        lexicon: with all forms.
    """
    rewritten = sorted({rewrite.statement for rewrite in problem.rewrites})
    if original.family not in CONTROLLED or original.language is None:
        detail = "its English is of no family"
        yield from (_row(problem, place, "unread", Check.UNREAD, detail) for place in rewritten)
        return
    faulty = set()
    for check, statement, detail in audit(original, problem, lexicon):
        faulty.add(statement)
        yield _row(problem, statement, _VERDICTS.get(check, "changed"), check, detail)
    yield from (_row(problem, place, "kept", None, None) for place in rewritten if place not in faulty)


def _row(
    problem: Problem, statement: int | None, verdict: str, check: Check | None, detail: str | None
) -> dict[str, Any]:
    return {
        "item": problem.name,
        "statement": statement,
        "verdict": verdict,
        "check": None if check is None else check.value,
        "detail": detail,
    }


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.wildcards.dataset,
            Path(snakemake.input.originals),
            Path(snakemake.input.problems),
            Path(snakemake.output[0]),
        )
