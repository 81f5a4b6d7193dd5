"""Snakemake as a child of ``nlfol run``: a line for each job that asks a model, and how it all ended.

The lines are those about progress in the logs of the jobs.
"""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import BinaryIO

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn

INTERRUPTED = 130
_LOOK = 0.5
_EVERY = 30.0
"""Seconds between lines about a job where they cannot change in their place."""
_GUARD = str(Path(__file__).with_name("group_guard.py"))
_TAIL = 4096
"""Bytes at the end of a job's log in which its last line about progress is sought."""

_COUNTED = re.compile(r"^\S+ \S+ (.+): ((\d+) of (\d+) (answers|vectors)(?:, (\d+) failed)?.*)$", re.MULTILINE)
_STEPS = re.compile(r"^(\d+) of (\d+) steps", re.MULTILINE)
_LOG = re.compile(r"^ +log: (.+?)(?: \(check log file.*\))?$", re.MULTILINE)
_ERROR = re.compile(r"^\S+ \S+ error: (.+)\Z", re.MULTILINE | re.DOTALL)


class Screen:
    """Display of running jobs: a line each that changes in its place, or plain lines where there is no terminal."""

    def __init__(self, results: Path, *, verbose: bool) -> None:
        self._logs = results / "logs"
        # Logs that nobody writes to are those of earlier runs.
        self._times = {path: path.stat().st_mtime_ns for path in self._paths()}
        self._tasks: dict[Path, TaskID] = {}
        self._said: dict[Path, float] = {}
        self._kept: dict[Path, tuple[int, int]] = {}
        self.console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True, quiet=verbose)
        columns = TextColumn("{task.description}", markup=False), BarColumn(20), TextColumn("{task.fields[line]}")
        self.lines = Progress(*columns, console=self.console, disable=verbose or not self.console.is_terminal)
        self._jobs = self.lines.add_task("all jobs", total=None, line="")

    def look(self, said: str = "") -> None:
        """Show what jobs have said since the last call, and of what Snakemake ``said`` warnings and steps."""
        for path in self._paths():
            if self._times.get(path) != (now := path.stat().st_mtime_ns):
                self._times[path] = now
                self._show(path)
        for done, total in _STEPS.findall(said)[-1:]:
            self.lines.update(self._jobs, completed=int(done), total=int(total), line=f"{done} of {total}")
        for line in said.splitlines():
            if line.lower().startswith("warning: "):
                self.console.print(line)

    @property
    def kept(self) -> str:
        """Count of kept answers, as the beginning of a sentence."""
        done, total = map(sum, zip(*self._kept.values(), strict=True)) if self._kept else (0, 0)
        return f"{done:,} of {total:,} answers kept" if total else "Stopped"

    def _show(self, path: Path) -> None:
        with path.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL))
            counts = _COUNTED.findall(file.read().decode("utf-8", "replace"))
        for job, line, right, all_of_them, of, failed in counts[-1:]:
            total, done, now = int(all_of_them), int(right) + int(failed or 0), monotonic()
            if of == "answers":
                self._kept[path] = int(right), total
            if path not in self._tasks:
                self._tasks[path] = self.lines.add_task("", line="")
            shown = {"description": job, "line": line, "visible": done < total}
            self.lines.update(self._tasks[path], completed=done, total=total, **shown)
            if done == total or (self.lines.disable and now - self._said.get(path, -_EVERY) >= _EVERY):
                self._said[path] = now
                self.console.print(f"{job}: {line}")

    def _paths(self) -> list[Path]:
        return sorted(self._logs.glob("ask_*/**/*.log"))


def watch(command: Sequence[str], results: Path, *, verbose: bool) -> int:
    """Run Snakemake to its end, showing what its jobs say, or all that it says; return its exit status.

    Errors are shown with their logs. After Ctrl-C it says what is kept, and the status is ``INTERRUPTED``.
    """
    screen, log = Screen(results, verbose=verbose), results / "logs" / "snakemake.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    # The end of the terminal, and being told to end, are like Ctrl-C: Snakemake would go on.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    with log.open("wb") as output, log.open("rb") as reader:
        try:
            with _guarded(command, None if verbose else output) as process, screen.lines:
                while process.poll() is None:
                    with suppress(subprocess.TimeoutExpired):
                        process.wait(_LOOK)
                    screen.look(reader.read().decode("utf-8", "replace"))
        except KeyboardInterrupt:
            screen.look()
            Console(stderr=True).print(f"{screen.kept}; run the same command to go on.", highlight=False)
            return INTERRUPTED
    if process.returncode:
        _explain(log, screen.console)
    return process.returncode


def _explain(log: Path, console: Console) -> None:
    """Show the errors of jobs with their logs, or the end of Snakemake's log if no job has one."""
    text = log.read_text(encoding="utf-8", errors="replace")
    failed = [Path(name) for name in dict.fromkeys(_LOG.findall(text))]
    for path in failed:
        match = _ERROR.search(path.read_text(encoding="utf-8", errors="replace")) if path.exists() else None
        error = match[1].strip() if match else "a job ended without a word, perhaps killed for want of memory"
        # Of a traceback the last line says what is wrong.
        console.print(f"error: {error.splitlines()[-1] if error.startswith('Traceback') else error}\n  log: {path}")
    if not failed:
        console.print(f"{text.strip()}\n  log: {log}")


@contextmanager
def _guarded(command: Sequence[str], output: BinaryIO | None) -> Iterator[subprocess.Popen[bytes]]:
    """Start Snakemake; it and its jobs end if this process is killed or fails, and the jobs if Snakemake is killed."""
    guarding, null = [sys.executable, "-IS", _GUARD], subprocess.DEVNULL
    # Started first, and in a session of its own, as the terminal's signals are for this process alone.
    with subprocess.Popen(guarding, stdin=subprocess.PIPE, bufsize=0, start_new_session=True) as guard:  # noqa: S603
        assert guard.stdin is not None
        # In a group of its own: Ctrl-C reaches this process alone, and from here all jobs, once.
        process = subprocess.Popen(command, stdin=null, stdout=output, stderr=output, process_group=0)  # noqa: S603
        guard.stdin.write(f"{process.pid}\n".encode())
        try:
            yield process
        except KeyboardInterrupt:
            _stop(process)
            raise
        finally:
            if process.poll() is not None and process.returncode >= 0:
                with suppress(BrokenPipeError):
                    guard.stdin.write(b"done")


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Interrupt all jobs, more harshly at every further Ctrl-C."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        with suppress(KeyboardInterrupt):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, number)
            process.wait()
            return
