"""Logic-LM's released programs of two models: executed, confirmed by second engines, and timed.

    python benchmarks/programs.py --programs outputs/logic_programs [--mutations 10000]

The folder has files such as ``ProntoQA_dev_gpt-3.5-turbo.json``, as github.com/teacherpeterpan/Logic-LLM gives them. In
each cell of the first table, ``expected`` is a figure that was counted once by other code, ``counted`` counts again the
way it did (see ``program_judges.py``), and ``right`` is this library's: it reads more programs, and says
``contradictory`` where a statement is both true and false. Every program where the two differ is listed, each with what
a second engine says: clingo, a search through all values, or cvc5.

Measured: the second engines contradicted no execution.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.program_judges import by_clingo, by_cvc5, by_search, counted_clauses, counted_formulas
from tests.unit.problems.mutations import mutations

from nlfol.logic import parse
from nlfol.logic.decision.solver import Answer
from nlfol.problems.programs import LANGUAGES as SOLVER_LANGUAGES
from nlfol.problems.programs import Execution, Failure, FreeVariables, Outcome, Policy, execute, read
from nlfol.problems.programs.clauses import ClauseProgram
from nlfol.problems.programs.constraints import ConstraintProgram

MODELS = ("gpt-3.5-turbo", "text-davinci-003")
LANGUAGES = {
    "ProntoQA": "clauses",
    "ProofWriter": "clauses",
    "LogicalDeduction": "constraints",
    "FOLIO": "formulas",
}
EXPECTED = {"ProntoQA": (229, 411), "ProofWriter": (267, 457), "LogicalDeduction": (194, 186), "FOLIO": (101, 107)}
TOLERANCE = 0.02
"""Share of a cell's programs by which ``counted`` may miss ``expected``."""


@dataclass
class Cell:
    """A dataset and model.

    Attributes:
        dataset: its name.
        model: its name.
        expected: programs that were right by the earlier count.
        rows: of the file: ``id``, ``options``, ``answer``, ``raw_logic_programs``.
        found: executions, in the order of the rows.
        counted: letters by the earlier count.
        seconds: processor time of all executions.
    """

    dataset: str
    model: str
    expected: int
    rows: list[dict[str, Any]]
    found: list[Execution] = field(default_factory=list)
    counted: list[str | None] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def language(self) -> str:
        """The language of its programs."""
        return LANGUAGES[self.dataset]

    @property
    def right(self) -> int:
        """Answers that are the dataset's."""
        return sum(each.answer == row["answer"] for each, row in zip(self.found, self.rows, strict=True))

    @property
    def counted_right(self) -> int:
        """Number of right answers by the earlier count."""
        return sum(letter == row["answer"] for letter, row in zip(self.counted, self.rows, strict=True))


def cells(folder: Path, share: int = 1) -> list[Cell]:
    """The cells of a folder, of every so many-th program.

    Raises:
        FileNotFoundError: if a file is missing.
    """
    found = []
    for dataset, expected in EXPECTED.items():
        for model, figure in zip(MODELS, expected, strict=True):
            rows = json.loads((folder / f"{dataset}_dev_{model}.json").read_text(encoding="utf-8"))
            found.append(Cell(dataset, model, figure, rows[::share]))
    return found


def program_of(row: dict[str, Any]) -> str:
    """The text of a row's program."""
    return str(row["raw_logic_programs"][0])


def run(cell: Cell) -> None:
    """Execute the programs of a cell, and count them as they were counted before."""
    start = process_time()
    cell.found = [execute(cell.language, program_of(row), row["options"]) for row in cell.rows]
    cell.seconds = process_time() - start
    for row, found in zip(cell.rows, cell.found, strict=True):
        cell.counted.append(_counted(cell, row, found))


def _counted(cell: Cell, row: dict[str, Any], found: Execution) -> str | None:
    match cell.language:
        case "clauses":
            has_unknown = len(row["options"]) > 2
            return counted_clauses(program_of(row), has_unknown=has_unknown, open_ends=has_unknown)
        case "formulas":
            named = execute(cell.language, program_of(row), row["options"], Policy(FreeVariables.NAME))
            return counted_formulas(named)
        case _:
            return found.answer


@dataclass(frozen=True, slots=True)
class Difference:
    """A program whose letter is not the one counted before.

    Attributes:
        name: the problem's.
        letters: ours, the one counted, and the dataset's.
        why: the repairs in reading it, or why it has no answer.
        complaint: what a second engine says against our execution; empty where it confirms it, none where there was
            nothing to execute.
    """

    name: str
    letters: tuple[str | None, str | None, str]
    why: str
    complaint: str | None

    def __str__(self) -> str:
        """A line of the list."""
        ours, counted, labelled = self.letters
        said = {None: "not executed", "": "confirmed"}.get(self.complaint, f"contradicted: {self.complaint}")
        return f"{self.name}: {ours}, counted {counted}, labelled {labelled}; {self.why}; {said}"


def differences(cell: Cell) -> list[Difference]:
    """The programs whose letter is not the one counted before, each with the reason and a second engine's word."""
    found = []
    for row, ours, letter in zip(cell.rows, cell.found, cell.counted, strict=True):
        if ours.answer != letter:
            kinds = ", ".join(sorted({repair.kind.value for repair in ours.repairs})) or "none"
            why = f"repairs: {kinds}" if ours.error is None else f"{ours.failure or ours.outcome}: {ours.error}"
            complaint = judged(cell.language, row, ours)
            found.append(Difference(row["id"], (ours.answer, letter, row["answer"]), why, complaint))
    return found


def listed(cell: Cell) -> str:
    """All differences of a cell, with how many of them a second engine confirms."""
    found = differences(cell)
    confirmed = sum(each.complaint == "" for each in found)
    unexecuted = sum(each.complaint is None for each in found)
    contradicted = len(found) - confirmed - unexecuted
    counts = f"{len(found)} differ: {confirmed} confirmed, {contradicted} contradicted, {unexecuted} not executed"
    return "\n    ".join([f"{cell.dataset}, {cell.model}: {counts}", *map(str, found)])


def disagreements(cell: Cell) -> tuple[int, list[str]]:
    """Executions that a second engine was asked about, and those it contradicts."""
    asked, lines = 0, []
    for row, found in zip(cell.rows, cell.found, strict=True):
        complaint = judged(cell.language, row, found)
        asked += complaint is not None
        if complaint:
            lines.append(f"{row['id']}: {complaint}")
    return asked, lines


def judged(language: str, row: dict[str, Any], found: Execution) -> str | None:
    """Return a second engine's objection to an execution; empty if it agrees, None where nothing was executed."""
    judge = {
        "clauses": _judged_by_clingo,
        "constraints": _judged_by_search,
        "formulas": _judged_by_cvc5,
    }[language]
    return judge(program_of(row), found) if found.trace else None


def _judged_by_clingo(text: str, found: Execution) -> str:
    program = read("clauses", text)
    assert isinstance(program, ClauseProgram)
    truth = found.trace["truth"]
    ours = (truth == "true", truth == "false")
    if found.failure is Failure.CONTRADICTORY:
        ours = True, True
    theirs = by_clingo(program)
    return "" if ours == theirs else f"true and false are {ours}, by clingo {theirs}"


def _judged_by_search(text: str, found: Execution) -> str:
    program = read("constraints", text)
    assert isinstance(program, ConstraintProgram)
    theirs = by_search(program)
    return "" if found.trace["options"] == theirs else f"options hold in {found.trace['options']}, by search {theirs}"


def _judged_by_cvc5(_: str, found: Execution) -> str:
    premises, conclusion = map(parse, found.trace["premises"]), parse(found.trace["conclusion"])
    affirmed, denied = by_cvc5(list(premises), conclusion)
    possible = {
        "true": (Answer.NO if found.failure is Failure.CONTRADICTORY else Answer.YES, Answer.NO),
        "false": (Answer.NO, Answer.YES),
        "uncertain": (Answer.YES, Answer.YES),
    }[found.trace["label"]]
    pairs = zip((affirmed, denied), possible, strict=True)
    if all(theirs in (ours, Answer.UNKNOWN) for theirs, ours in pairs):
        return ""
    return f"label {found.trace['label']}, by cvc5 {affirmed} with and {denied} without the conclusion"


def table(found: Sequence[Cell]) -> str:
    """A line a cell: what became of its programs, and how many are right by both counts."""
    heads = "".join(f" {name:>8}" for name in ("programs", "right", "counted", "expected", "seconds", "a second"))
    lines = [f"{'dataset':16} {'model':17}{heads}  outcomes"]
    for cell in found:
        outcomes = Counter(str(each.failure or each.outcome) for each in cell.found)
        lines.append(
            f"{cell.dataset:16} {cell.model:17} {len(cell.rows):8} {cell.right:8} {cell.counted_right:8} "
            f"{cell.expected:8} {cell.seconds:8.2f} {len(cell.rows) / cell.seconds:8.0f}  "
            + ", ".join(f"{name} {count}" for name, count in sorted(outcomes.items()))
        )
    return "\n".join(lines)


def timed(judge: Callable[[Cell], tuple[int, list[str]]], cell: Cell) -> str:
    """A line on a second engine: what it confirms, and its time against ours."""
    start = perf_counter()
    asked, lines = judge(cell)
    ratio = (perf_counter() - start) / cell.seconds
    verdict = f"{asked:5} asked, {len(lines)} contradicted, {ratio:.1f} times our time"
    return "\n    ".join([f"{cell.dataset:16} {cell.model:17} {verdict}", *lines])


def mutate(found: Sequence[Cell], count: int) -> str:
    """Outcomes of mutated programs of every language; whatever is raised ends the benchmark."""
    outcomes: Counter[str] = Counter()
    start, slowest = process_time(), 0.0
    for language in SOLVER_LANGUAGES:
        texts = [program_of(row) for cell in found if cell.language is language for row in cell.rows]
        for text in mutations(texts, -(-count // len(SOLVER_LANGUAGES))):
            before = process_time()
            outcome = execute(language, text)
            slowest = max(slowest, process_time() - before)
            assert outcome.outcome in Outcome
            outcomes[f"{language} {outcome.failure or outcome.outcome}"] += 1
    seconds = process_time() - start
    lines = [f"{sum(outcomes.values())} mutated programs, {seconds:.1f} s, the slowest {slowest:.2f} s"]
    return "\n".join([*lines, *(f"    {name} {number}" for name, number in sorted(outcomes.items()))])


def _large() -> dict[str, tuple[str, str]]:
    """Programs far larger than any model writes, by what they have."""
    chain = "\n".join(f"P{number}($x, True) >>> P{number + 1}($x, True)" for number in range(100_000))
    names = [f"x{number}" for number in range(20)]
    domains = "\n".join(f"{name} [IN] [1..1000000000]" for name in names)
    pigeons = "\n".join(f"{name} [IN] [1..19]" for name in names)
    different = f"AllDifferentConstraint([{', '.join(names)}])"
    total = " + ".join(names)
    join = " && ".join(f"P($x{number}, True)" for number in range(12))
    facts = "\n".join(f"P(a{number}, True)" for number in range(60))
    query = "Query:\nA) x0 == 1\nB) x0 == 1000000000"
    return {
        "100,000 rules": (
            "clauses",
            f"Facts:\nP0(a, True)\nRules:\n{chain}\nQuery:\nP99999(a, True)",
        ),
        "a join of 60^12 ways": (
            "clauses",
            f"Facts:\n{facts}\nR(a, True)\nRules:\n{join} && R($x0, True) >>> Q($x1, True)\nQuery:\nQ(a, True)",
        ),
        "20 domains of 10^9": (
            "constraints",
            f"Variables:\n{domains}\nConstraints:\n{different}\n{total} == 9999999999\n{query}",
        ),
        "20 pigeons in 19 holes": ("constraints", f"Variables:\n{pigeons}\nConstraints:\n{different}\n{query}"),
        "100,000 premises": (
            "formulas",
            "Premises:\n" + "P(a)\n" * 100_000 + "Conclusion:\nP(a)",
        ),
        "code": ("clauses", "Facts:\n__import__('os').system('false')\nQuery:\nP(a, True)"),
    }


def exhaust() -> str:
    """Execute large programs; return outcomes and times, a line each."""
    lines = ["large programs:"]
    for name, (language, text) in _large().items():
        start = process_time()
        found = execute(language, text)
        seconds = process_time() - start
        lines.append(f"{name}: {found.failure or found.outcome}, {seconds:.2f} s: {(found.error or '')[:100]}")
    return "\n    ".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Execute, confirm and time all programs of a folder."""
    parser = argparse.ArgumentParser(description="Logic-LM's released programs, executed.")
    parser.add_argument("--programs", type=Path, required=True, help="the folder of released programs")
    parser.add_argument(
        "--mutations", type=int, default=0, help="mutated programs to execute besides, and some large ones"
    )
    options = parser.parse_args(arguments)
    try:
        found = cells(options.programs)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    execute("constraints", "Variables:\nx [IN] [1]\nQuery:\nA) x == 1")  # Z3 is imported before time is taken
    for cell in found:
        run(cell)
    print(table(found))
    off = [cell for cell in found if abs(cell.counted_right - cell.expected) > TOLERANCE * len(cell.rows)]
    print(f"{len(off)} of {len(found)} cells miss the expected figure by more than {TOLERANCE:.0%}")
    for cell in found:
        print(timed(disagreements, cell))
    for cell in found:
        print(listed(cell))
    if options.mutations:
        print(mutate(found, options.mutations))
        print(exhaust())


if __name__ == "__main__":
    main()
