"""``nlfol.rewards``: rewards of completions for reinforcement learning, with the signature that TRL calls.

    trainer = GRPOTrainer(model, reward_funcs=nlfol.rewards, train_dataset=dataset, args=arguments)

The dataset has a column ``prompt`` (``nlfol.dialogue(row).messages``) and ``row``, the row as JSON text. A completion
is a text, or messages of which the last is the model's. Rewards are computed in processes that import nothing of the
trainer's, each completion within a limit of CPU time (``grading``).
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from nlfol.store.logs import LOGGER

SECONDS = 2.0
"""CPU seconds for a completion."""

_LIBRARY = Path(__file__).resolve().parents[2]


class Pool:
    """Processes that grade completions; by default one for each core that this one may use."""

    def __init__(self, workers: int | None = None, seconds: float = SECONDS) -> None:
        count = workers or len(os.sched_getaffinity(0))
        self._threads = ThreadPoolExecutor(count)
        self._workers: SimpleQueue[_Worker] = SimpleQueue()
        for _ in range(count):
            self._workers.put(_Worker(seconds))

    def rewards(self, completions: Sequence[Any], **columns: Any) -> list[float]:
        """Return the reward of each completion, in [0, 1]; of one that takes too long, or is no text, 0.

        ``row`` is the column of rows, as JSON texts or mappings; others are ignored. No completion raises an error.
        Raises ``ValueError`` if a row cannot be used, ``RuntimeError`` if no process can be started.
        """
        rows = columns.get("row")
        if rows is None or len(rows) != len(completions):
            raise ValueError("rewards: give the column 'row', with a row of ITEMS and its task for each completion")
        texts = [(row if isinstance(row, str) else json.dumps(row)) for row in rows]
        said = [_text(completion) for completion in completions]
        groups: dict[str, dict[str, float]] = {}
        for row, text in zip(texts, said, strict=True):
            groups.setdefault(row, {})[text] = 0.0
        graded = self._threads.map(self._grade, groups, map(list, groups.values()))
        for group, values in zip(groups.values(), graded, strict=True):
            group.update(zip(group, values, strict=True))
        return [groups[row][text] for row, text in zip(texts, said, strict=True)]

    def _grade(self, row: str, texts: Sequence[str]) -> list[float]:
        worker = self._workers.get()
        try:
            return worker.grade(row, texts)
        finally:
            self._workers.put(worker)


class _Worker:
    """A process that grades; it starts when it is needed, and again if a completion ended it."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._process: subprocess.Popen[str] | None = None

    def grade(self, row: str, texts: Sequence[str]) -> list[float]:
        values: list[float] = []
        while len(values) < len(texts):
            process = self._started()
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps([row, texts[len(values) :]]) + "\n")
            process.stdin.flush()
            for text in texts[len(values) :]:
                line = process.stdout.readline()
                if not line:
                    LOGGER.warning(f"warning: a completion of {len(text)} characters ended its process: reward 0")
                    values.append(0.0)
                    process.wait()
                    self._process = None
                    break
                value = json.loads(line)
                if isinstance(value, str):
                    raise ValueError(value)
                values.append(value)
        return values

    def _started(self) -> "subprocess.Popen[str]":
        if self._process is None:
            paths = [str(_LIBRARY), *filter(None, [os.environ.get("PYTHONPATH")])]
            self._process = subprocess.Popen(  # noqa: S603 - this interpreter, and a module of ours
                [sys.executable, "-m", "nlfol.tasks.grading", str(self._seconds)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            )
            assert self._process.stdout is not None
            if self._process.stdout.readline() != "ready\n":
                self._process = None
                raise RuntimeError("rewards: no process can be started; the error output says why")
        return self._process


def _text(completion: Any) -> str:
    """Return what a model wrote: a text, or that of the last of some messages; "" of anything else."""
    if isinstance(completion, Sequence) and not isinstance(completion, str) and completion:
        completion = completion[-1]
    if isinstance(completion, Mapping):
        completion = completion.get("content", completion.get("text"))
        if isinstance(completion, Sequence) and not isinstance(completion, str):
            parts = (part.get("text") for part in completion if isinstance(part, Mapping))
            completion = "".join(part for part in parts if isinstance(part, str))
    return completion if isinstance(completion, str) else ""


@cache
def _pool() -> Pool:
    return Pool()


def rewards(completions: Sequence[Any], **columns: Any) -> list[float]:
    """Return the rewards of completions, as ``Pool.rewards`` with one process for each core."""
    return _pool().rewards(completions, **columns)
