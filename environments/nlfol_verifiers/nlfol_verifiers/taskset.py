"""A taskset whose rows and rewards come from nlfol, which runs in another environment than verifiers."""

import asyncio
import json
import subprocess
from functools import cache
from threading import Lock

import verifiers.v1 as vf

ROWS = """
import json, sys
import nlfol
from nlfol.harnesses.questions import questions
kind, dataset = sys.argv[1:]
for row in questions(kind, dataset or None).rows:
    print(json.dumps([row, nlfol.dialogue(row).messages]))
"""


class Judge:
    """A process of nlfol that computes rewards (``nlfol.tasks.grading``); it is started again if a text ends it."""

    def __init__(self, python: str, seconds: float) -> None:
        self._command = [python, "-m", "nlfol.tasks.grading", str(seconds)]
        self._lock = Lock()
        self._process: subprocess.Popen[str] | None = None

    def reward(self, row: str, text: str) -> float:
        """Return the reward of a completion; of one that ends the process 0.

        Raises ``RuntimeError`` if there is no nlfol, ``ValueError`` if the row cannot be used.
        """
        with self._lock:
            process = self._started()
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps([row, [text]]) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
            if not line:
                process.wait()
                self._process = None
                return 0.0
        value = json.loads(line)
        if isinstance(value, str):
            raise ValueError(value)
        return float(value)

    def _started(self) -> "subprocess.Popen[str]":
        if self._process is None:
            self._process = subprocess.Popen(  # noqa: S603 - the user's interpreter, and a module of nlfol
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
            assert self._process.stdout is not None
            if self._process.stdout.readline() != "ready\n":
                self._process = None
                raise RuntimeError(f"{self._command[0]} does not run nlfol; name an interpreter that does as python")
        return self._process


judge = cache(Judge)


class NlfolData(vf.TaskData):
    """A sentence with its row of nlfol, as JSON text."""

    row: str


class NlfolTaskConfig(vf.TaskConfig):
    """Settings by which completions are judged."""

    python: str = "python"
    """An interpreter of an environment with nlfol."""
    seconds: float = 2.0
    """CPU seconds for a completion."""


class NlfolTask(vf.Task[NlfolData, vf.State, NlfolTaskConfig]):
    """A sentence to be translated."""

    @vf.reward(weight=1.0)
    async def equivalence(self, trace: vf.Trace) -> float:
        """Return what ``nlfol.rewards`` gives the last reply: 1 if it is right."""
        judging = judge(self.config.python, self.config.seconds)
        return await asyncio.to_thread(judging.reward, self.data.row, trace.last_reply)


class NlfolConfig(vf.TasksetConfig):
    """Which rows are asked."""

    kind: str = "logical_translation"
    """A task of a single step, of those of nlfol."""
    dataset: str = ""
    """A name that ``nlfol score`` knows, or a file; by default the first of the shipped configuration."""
    task: NlfolTaskConfig = NlfolTaskConfig()


class NlfolTaskset(vf.Taskset[NlfolTask, NlfolConfig]):
    """The rows of a dataset under a task."""

    def load(self) -> list[NlfolTask]:
        """Build the tasks; raises ``RuntimeError`` with what nlfol said if it cannot."""
        command = [self.config.task.python, "-c", ROWS, self.config.kind, self.config.dataset]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - as above
        if done.returncode:
            raise RuntimeError(f"{command[0]}: no rows of nlfol; it says:\n{done.stderr[-2000:]}")
        tasks = []
        for row, (system, user) in map(json.loads, done.stdout.splitlines()):
            data = NlfolData(
                name=row["item"], system_prompt=system["content"], prompt=user["content"], row=json.dumps(row)
            )
            tasks.append(NlfolTask(data, self.config.task))
        return tasks
