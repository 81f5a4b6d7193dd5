"""Look up synonyms for repeated expressions of a dataset's problems, and list those that a model is asked for."""

from pathlib import Path

from nlfol.data.entries.problems import shipped_lexicon, source_digest
from nlfol.data.entry import read_diversified_entry
from nlfol.problems import LexiconError, Problem
from nlfol.problems.rewording.paper.expressions import Expression, repeated
from nlfol.problems.rewording.paper.lexica import is_installed
from nlfol.problems.rewording.paper.proposing import Lexica, proposed
from nlfol.store import files
from nlfol.store.jobs import run_job
from nlfol.store.logs import LOGGER
from nlfol.store.origins import PREFIX, made_from
from nlfol.store.problem_schemas import LEXICAL, PROBLEMS, ProposalRow
from nlfol.store.records import SourceError
from nlfol.store.schemas import ItemRow
from nlfol.tasks.registry import build_task
from nlfol.tasks.rewrites import proposal_row, rewriting_row, write_items


def main(dataset_json: str, task_json: str, dataset: str, source: Path, lexical: Path, statements: Path) -> None:  # noqa: PLR0917
    """Write the LEXICAL file, and the ITEMS file of statements to rewrite; ``SourceError`` for an unusable input."""
    entry = read_diversified_entry(dataset_json)
    problems = [problem for row in files.rows(source, PROBLEMS) if (problem := Problem.from_row(row)).is_usable]
    by_problem = {problem.name: repeated(problem) for problem in problems}
    try:
        words = shipped_lexicon()
        expressions = [expression for several in by_problem.values() for expression in several]
        lexica = Lexica.read(
            expressions, Path(entry.wordnet) if entry.wordnet else None, Path(entry.ppdb) if entry.ppdb else None
        )
    except LexiconError as error:
        raise SourceError(str(error)) from error
    rows: list[ProposalRow] = []
    asked: list[ItemRow] = []
    for problem in problems:
        controlled = words if any(statement.mentions for statement in problem.statements) else None
        by_statement: dict[int, list[Expression]] = {}
        wanted: set[Expression] = set()
        for expression in by_problem[problem.name]:
            proposals = list(proposed(problem.statements[expression.statement], expression, lexica, controlled))
            rows += [proposal_row(problem.name, proposal) for proposal in proposals]
            by_statement.setdefault(expression.statement, []).append(expression)
            if not expression.is_name and not any(proposal.reason is None for proposal in proposals):
                wanted.add(expression)
        asked += [rewriting_row(problem, several, wanted) for several in by_statement.values()]
    metadata = {
        "dataset": dataset,
        **made_from(source),
        f"{PREFIX}source/{dataset}": source_digest(entry),
        "inflected": "yes" if is_installed() else "no",
    }
    files.write(lexical, LEXICAL, rows, metadata)
    write_items(statements, asked, dataset, build_task(task_json), [source, lexical])
    LOGGER.info(f"{dataset}: {len(rows):>6} proposals of lexica; {len(asked)} statements for the rewriter")


if __name__ == "__main__":
    run_job(main)
