"""Scripts of a run of Snakemake in forks of processes that have imported their modules: that saves most of a start.

In the same way Snakemake itself is started for each job of a cluster, if ``REMOTE`` is set: it is then no child of the
cluster's own processes, so this is not for jobs that are to be killed.

The processes belong to one run: they end with it, and fork once it has imported the library of its checkout. The one
for jobs that load models is itself a fork of a process that holds Torch for all runs, once there is such a job: forks
of that take longer.
"""

import atexit
import gc
import importlib
import json
import os
import runpy
import select
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import snakemake.cli
import snakemake.script
from tests.workflow import warm_job
from tests.workflow.running import REMOTE

LIBRARIES = ("OMP_NUM", "GOTO_NUM", "OPENBLAS_NUM", "MKL_NUM", "VECLIB_MAXIMUM", "NUMEXPR_NUM")
"""Libraries of which Snakemake bounds the threads to those of a job."""

PATH = sys.path[1:]
"""Without the folder that this package was found in."""

SHARED = ("analyse", "judge_answers")
"""Scripts that import most of what others do."""

MODELS = {
    "ask_chat": ("transformers.generation.utils", "transformers.models.qwen3.modeling_qwen3"),
    **dict.fromkeys(("ask_embedding", "compare_glosses", "compare_wordings"), ("sentence_transformers",)),
}
"""Modules that take seconds to import, by the script that needs them for weights: imported once the first one does."""

SERVERS = SMALL, LOADING = "jobs", "loading"
"""Sockets of the processes: for most jobs, and for those that load models."""


def import_library() -> None:
    """Import what both Snakemake and its jobs need of the library, if this folder is a checkout that has it."""
    scripts = Path("workflow/scripts").absolute()
    if scripts.is_dir() and "--snakefile" not in sys.argv:
        # Whatever is wrong with it is for Snakemake to say.
        with suppress(Exception, SystemExit):
            _import(("nlfol.config",), {"PYTHONPATH": str(scripts)})


def models() -> socket.socket:
    """Fork a process that imports what loads models once a run has such a job; returns the socket to ask it at.

    It ends when nobody can ask any more.
    """
    asking, asked = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if not os.fork():
        asking.close()
        _load(asked)
    asked.close()
    return asking


def _load(asked: socket.socket) -> NoReturn:
    # Its standard output is where the process that it was forked from answers.
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    while True:
        message, descriptors, _, _ = socket.recv_fds(asked, 1 << 20, 2)
        if not message:
            os._exit(0)
        _import([module for modules in MODELS.values() for module in modules], {})
        if not os.fork():
            break
        for descriptor in descriptors:
            os.close(descriptor)
    asked.close()
    sockets, folder, environment = json.loads(message)
    # With a session of its own it ends the jobs of a run that was killed.
    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:] = [folder, *added(environment), *PATH]
    listening, ended = descriptors
    if job := _serve(socket.socket(fileno=listening), ended, sockets):
        job()
    _leave(sockets, LOADING)
    os.killpg(0, signal.SIGKILL)
    os._exit(0)


def started(loaded: socket.socket) -> str | None:
    """Fork the processes; returns in the run's process the folder of their sockets.

    In the process of a job, it runs the job to its end and returns None.

    Args:
        loaded: where ``models`` is asked for the process of jobs that load models.
    """
    sockets = tempfile.mkdtemp(prefix=f"nlfol-jobs-{os.getpid()}-")
    for name in SERVERS:
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(f"{sockets}/{name}")
        listening.listen(128)
        ended, alive = os.pipe()
        if os.fork():
            # Held open until this process ends; children do not inherit it.
            os.set_inheritable(alive, False)
            os.close(ended)
            listening.close()
            continue
        os.close(alive)
        if name == LOADING and listening.fileno() in select.select([listening.fileno(), ended], [], [])[0]:
            message = json.dumps([sockets, os.getcwd(), dict(os.environ)])  # noqa: PTH109
            socket.send_fds(loaded, [message.encode()], [listening.fileno(), ended])
            os._exit(0)
        job = _serve(listening, ended, sockets)
        if job is None:
            _leave(sockets, name)
            os._exit(0)
        job()
        return None
    return sockets


def _leave(sockets: str, name: str) -> None:
    os.unlink(f"{sockets}/{name}")  # noqa: PTH108
    # The last one finds it empty.
    with suppress(OSError):
        os.rmdir(sockets)  # noqa: PTH106


def _serve(listening: socket.socket, ended: int, sockets: str) -> Callable[[], None] | None:
    """Fork for each job; returns the job in its process, and None in this one when the run has ended."""
    waiting = selectors.DefaultSelector()
    waiting.register(listening, selectors.EVENT_READ)
    waiting.register(ended, selectors.EVENT_READ)
    while True:
        for key, _ in waiting.select():
            if key.fd == ended:
                return None
            if key.data:
                process, client = key.data
                waiting.unregister(key.fileobj)
                os.close(key.fd)
                with client:
                    client.sendall(b"%d\n" % os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
                continue
            client = listening.accept()[0]
            arguments, folder, environment, streams = _received(client)
            _import(_needed(arguments[0]) or SHARED, environment)
            process = os.fork()
            if not process:
                waiting.close()
                return lambda: _become(arguments, folder, environment, streams, sockets)
            for stream in streams:
                os.close(stream)
            waiting.register(os.pidfd_open(process), selectors.EVENT_READ, (process, client))


def _needed(script: str) -> Sequence[str]:
    """Return the modules of a job that loads a model; none for other jobs."""
    name = Path(script).name.removesuffix(".py").rpartition(".")[2]
    loads = name in MODELS and "/weights/" in Path(script).read_text(encoding="utf-8")
    return (*MODELS[name], name) if loads else ()


def _received(client: socket.socket) -> tuple[list[str], str, dict[str, str], list[int]]:
    """Arguments of the interpreter, folder, environment and the three standard streams of a job."""
    first, streams, _, _ = socket.recv_fds(client, 32, 3)
    while b"\0" not in first:
        first += client.recv(1)
    length, _, said = first.partition(b"\0")
    while len(said) < int(length):
        said += client.recv(1 << 20)
    arguments, folder, *environment = said.decode().split("\0")
    return arguments.split("\1"), folder, dict(each.split("=", 1) for each in environment), streams


def added(environment: Mapping[str, str]) -> list[str]:
    """Return the folders that ``PYTHONPATH`` adds to the path."""
    return list(filter(None, environment.get("PYTHONPATH", "").split(os.pathsep)))


def _import(modules: Sequence[str], environment: Mapping[str, str]) -> None:
    if all(module in sys.modules for module in modules):
        return
    before = sys.path[:]
    sys.path[:] = [*added(environment), *before]
    for module in modules:
        importlib.import_module(module)
    sys.path[:] = before
    gc.freeze()


def fork_scripts(sockets: str) -> None:
    """Have Snakemake run scripts, and on a cluster itself, in forks of the processes of ``started``."""
    alone = snakemake.script.PythonScript.execute_script

    def execute(script: snakemake.script.PythonScript, name: str, edit: bool = False) -> None:
        if script.container_img is not None:
            alone(script, name, edit)
            return
        threads = {f"{library}_THREADS": str(script.threads) for library in LIBRARIES}
        folder = dict.fromkeys(("TMPDIR", "TMP", "TEMPDIR", "TEMP"), script.resources.tmpdir)
        server = f"{sockets}/{LOADING if _needed(name) else SMALL}"
        if status := warm_job.run(server, [name], {**os.environ, **threads, **folder}):
            raise subprocess.CalledProcessError(status, f"{sys.executable} {name}")

    snakemake.script.PythonScript.execute_script = execute
    if any("slurm" in argument for argument in sys.argv):
        # It waits ten seconds longer after each look at which no job has ended.
        executor = importlib.import_module("snakemake_executor_plugin_slurm").Executor
        executor.next_seconds_between_status_checks = property(lambda _: 1, lambda _, seconds: None)
    if REMOTE in os.environ:
        interpreter = f"{sys.executable} -ISE {warm_job.__file__} {sockets}/{SMALL}"
        executors = importlib.import_module("snakemake_interface_executor_plugins.executors.remote").RemoteExecutor
        steps = importlib.import_module("snakemake_executor_plugin_slurm_jobstep").Executor
        executors.get_python_executable = steps.get_python_executable = lambda _: interpreter


def _become(
    arguments: Sequence[str], folder: str, environment: Mapping[str, str], streams: list[int], sockets: str
) -> None:
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    gc.enable()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    if arguments[:2] == ["-m", "snakemake"]:
        sys.path[:] = [folder, *added(environment), *PATH]
        sys.argv = [str(Path(snakemake.__file__).with_name("__main__.py")), *arguments[2:]]
        fork_scripts(sockets)
        end_after(lambda: snakemake.cli.main(arguments[2:]))
    (script,) = arguments
    sys.path[:] = [str(Path(script).parent), *added(environment), *PATH]
    sys.argv = [script]
    end_after(lambda: runpy.run_path(script, run_name="__main__"))


def end_after(run: Callable[[], object]) -> NoReturn:
    """Run, and end the process with the status that the interpreter would give it.

    The interpreter would also take all objects apart: in a fork that copies most of the memory it shares.
    """
    status = 0
    try:
        run()
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else int(error.code is not None)
        if isinstance(error.code, str):
            print(error.code, file=sys.stderr)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        status = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
