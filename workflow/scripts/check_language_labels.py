"""Check that gold programs give their labels in another language, too: PROBLEMS -> LANGUAGE_LABELS."""

from pathlib import Path

from nlfol.problems.problem import Problem
from nlfol.problems.programs import solver_language
from nlfol.store import files
from nlfol.store.jobs import run_job
from nlfol.store.origins import made_from
from nlfol.store.problem_schemas import LANGUAGE_LABELS, PROBLEMS
from nlfol.tasks.program_gold import label_fault


def main(problems: Path, language: str, output: Path) -> None:
    """Write the LANGUAGE_LABELS file, which the items of all tasks with programs in the language are made with."""
    usable = (Problem.from_row(row) for row in files.rows(problems, PROBLEMS) if row["status"] == "usable")
    rows = [{"item": problem.name, "fault": label_fault(problem, solver_language(language))} for problem in usable]
    files.write(output, LANGUAGE_LABELS, rows, {"language": language, **made_from(problems)})


if __name__ == "__main__":
    run_job(main)
