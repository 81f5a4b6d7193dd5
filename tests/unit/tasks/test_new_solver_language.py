"""A solver language is one class, a line in the registry and a prompt."""

import ast
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest
from tests.examples import ROOT
from tests.unit.tasks.problem_items import item, lines, replied

from nlfol.problems import Problem, Statement, programs
from nlfol.problems.alignment import Cause, align, cause_of, measure
from nlfol.problems.gold import derived, gold_lines
from nlfol.problems.problem import TRUTHS, Evidence
from nlfol.problems.programs.language import Derivation, Lines, Placed, Policy, SolverLanguage, Words
from nlfol.problems.programs.outcome import Execution, ProgramError, Repair, Truth, answered
from nlfol.problems.programs.symbols import Fits, Image, Numbered, NumberedConjunct, Numbering, Symbol, SymbolKind
from nlfol.problems.programs.texts import needed, sections
from nlfol.tasks.plan import Prompts, Setting, Step
from nlfol.tasks.program import Program, ProgramEntry
from nlfol.tasks.program_alignment import program_row
from nlfol.tasks.strategies import STRATEGIES
from nlfol_extras.commands.solve import solved

_LETTER = re.compile(r"[a-z]+")


@dataclass(frozen=True)
class _Letters:
    lines: tuple[str, ...]
    query: str
    repairs: tuple[Repair, ...] = ()


class Letters(SolverLanguage):
    """Facts such as ``rain``, and rules such as ``rain > wet``."""

    name: ClassVar[str] = "letters"
    headings: ClassVar[Mapping[str, str]] = {"lines": "lines", "query": "query"}
    stating: ClassVar[tuple[str, ...]] = ("lines",)
    words: ClassVar[Words] = Words("a line", "lines", "letter")

    def read(self, text: str) -> _Letters:
        found = sections(text, self.headings)
        lines, query = (tuple(line.text for line in needed(found, name)) for name in ("lines", "query"))
        if wrong := [line for line in lines if not re.fullmatch(r"[a-z]+( > [a-z]+)?", line)]:
            raise ProgramError(f"{wrong[0]!r} is no line")
        return _Letters(lines, query[0])

    def run(self, program: _Letters, letters: Mapping[Truth, str], policy: Policy) -> Execution:
        return answered(self._truth(program), letters, {}, program.repairs)

    def _truth(self, program: _Letters) -> Truth:
        known = {line for line in program.lines if ">" not in line}
        for _ in program.lines:
            rules = [line.split(" > ") for line in program.lines if ">" in line]
            known |= {head for body, head in rules if body in known}
        return Truth.TRUE if program.query in known else Truth.UNKNOWN

    def sections(
        self, stated: Sequence[Placed], asked: Sequence[Placed], variables: Sequence[Placed], *, declared: bool = True
    ) -> Mapping[str, Sequence[Placed]]:
        return {"Lines": stated, "Query": asked}

    def derive(self, lines: Lines) -> Derivation:
        return Derivation(self._truth(self.read(lines.text)), "derivation", len(lines.lines))

    def numbered(self, lines: tuple[str, ...]) -> Numbered:
        numbering = Numbering()

        def number(found: re.Match[str]) -> str:
            return str(numbering.mention(Symbol(SymbolKind.PREDICATE, found[0], 0)))

        return numbering.numbered(tuple(_LETTER.sub(number, line) for line in lines))

    def fits(self, gold: Numbered, other: Numbered) -> Fits:
        same = tuple((NumberedConjunct(number, ()),) for number in gold.mentions)
        return Fits((same,) if gold.shape == other.shape else (), exhaustive=True)

    def renamed(self, lines: tuple[str, ...], image: Callable[[Symbol], Image]) -> tuple[str, ...]:
        def name(found: re.Match[str]) -> str:
            return image(Symbol(SymbolKind.PREDICATE, found[0], 0))[0].symbol.name

        return tuple(_LETTER.sub(name, line) for line in lines)

    def difference(self, first: tuple[str, ...], second: tuple[str, ...]) -> Any:
        return [first, second]


RAIN = Problem(
    "rain",
    "free",
    "letters",
    (Statement("It rains.", "rain"), Statement("If it rains, the street is wet.", "rain > wet")),
    Statement("Is the street wet?", "wet"),
    TRUTHS,
    "A",
)
ANSWER = lines("rains", "rain > wet", query="wet")


@pytest.fixture(autouse=True)
def prompts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Prompts:
    monkeypatch.setitem(programs.LANGUAGES, "letters", Letters())
    shutil.copytree(ROOT / "resources/prompts", tmp_path, dirs_exist_ok=True)
    (tmp_path / "program/letters.jinja").write_text("You turn English into letters.\n")
    return Prompts(tmp_path)


def test_new_language_programs_are_executed_derived_and_aligned() -> None:
    row = solved({"language": "letters", "program": "Lines:\nrain\nQuery:\nrain", "options": []}, Policy())
    assert (row["outcome"], row["answer"]) == ("answered", "A")
    made = derived(RAIN)
    assert (made.is_usable, made.evidence, made.depth) == (True, Evidence.DERIVATION, 2)
    other = Lines(Letters(), {"1": ("rains",), "2": ("rain > wet",)}, {"query": "wet"})
    found = align(gold_lines(RAIN), other)
    assert measure(found).dispersion.sum == 1
    assert cause_of(found, "A", RAIN.lettered).cause is Cause.DRIFT


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_new_language_programs_are_prompted(strategy: str, prompts: Prompts) -> None:
    task = Program(ProgramEntry.model_validate({"shots": 0, "strategy": strategy, "language": "letters"}))
    about = item(RAIN, task)
    step = task.plan(Setting(7, prompts)).following(about, "", 1, [])
    assert isinstance(step, Step)
    assert "You turn English into letters." in step.system


def test_new_language_answers_are_judged_with_causes() -> None:
    task = Program(ProgramEntry(shots=0))
    about, replies = item(RAIN, task), [replied(ANSWER)]
    judged = task.judge(about, replies)
    assert (judged.scores["right"], judged.answer) == (0, "unknown")
    known = {name: getattr(judged, name) for name in ("outcome", "fault", "answer", "formula")}
    score: Any = {"score": 0.0, "detail": None, **known}
    row = program_row(task, about, replies, score, None)
    assert (row["status"], row["cause"], row["language"]) == ("aligned", "drift", "letters")
    # What the solver could not execute is explained alike, and its fault stays beside the cause.
    score["fault"] = "undefined_symbol"
    stopped = program_row(task, about, replies, score, None)
    assert (stopped["outcome"], stopped["cause"]) == ("undefined_symbol", "drift")


def test_language_switches_stay_inside_programs_package() -> None:
    library = ROOT / "workflow/scripts/nlfol"
    switches = []
    for path in [*library.rglob("*.py"), *library.parent.glob("*.py")]:
        if path.relative_to(library.parent).parts[:2] == ("nlfol", "programs"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare):
                values = [node.left, *node.comparators]
            elif isinstance(node, ast.MatchValue):
                values = [node.value]
            else:
                continue
            known = {each.value for value in values for each in ast.walk(value) if isinstance(each, ast.Constant)}
            if known & {"clauses", "constraints"}:
                switches.append(f"{path.name}:{values[0].lineno}")
    assert switches == []
    for path in (ROOT / "resources/prompts").rglob("*.jinja"):
        assert not re.search(r"== \"(clauses|constraints|formulas)", path.read_text(encoding="utf-8")), path
