"""The server of a model, as a process of this one, for as long as jobs ask it."""

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Self

from nlfol.models.entries.interface import ServableInterface
from nlfol.models.local.devices import claimed
from nlfol.models.request import ChatError
from nlfol.models.serving.service import own_state, wish, write_state
from nlfol.store.logs import LOGGER
from nlfol_extras.serving import engines, guard
from nlfol_extras.serving.engines import Place

_LOOPBACK = "127.0.0.1"
_LOOK = 0.2
"""Seconds between two looks at whether a job has something to ask, and whether the server still runs."""
_STARTING = 0.5
"""Seconds between two looks at the server while it starts."""
_ENDS = (signal.SIGTERM, signal.SIGINT)
_ATTEMPT = 5.0
"""Seconds that it may take to say whether it is ready."""
_TAIL = 20
"""Last lines of its log that an error shows."""
_TAIL_BYTES = 4000
_PORTS = 3
"""Ports that are tried: between its choice and the server's start another process may take one."""


class PortTakenError(ChatError):
    """A server that ended because another process has its port."""


class ModelServer:
    """The server of a model while the context lasts, ended within ``grace`` seconds; ``ChatError`` without engine."""

    def __init__(self, entry: ServableInterface, place: Place, log: Path, grace: float = 20.0) -> None:
        assert entry.serve is not None
        self._place = place
        self._entry = entry
        self._serve = entry.serve
        self._log = log
        self._grace = grace
        self.host = _LOOPBACK
        self.port = _free_port()
        self.key = secrets.token_hex(16)
        self._command = engines.command(entry, place, self.host, self.port)

    def wait(self, limit: float) -> None:
        """Wait for the server's answer, ``limit`` seconds at most; raises ``ChatError`` if it ends, or takes longer."""
        engine = self._serve.engine
        LOGGER.info(f"{self._entry.identity}: starting {engine} at port {self.port}; it writes to {self._log}")
        begin = time.monotonic()
        while not self._answers():
            self.require()
            if time.monotonic() - begin > limit:
                raise ChatError(
                    f"{self._entry.identity}: {engine} did not answer within {limit:g} s; see why, and raise "
                    f"serve.start in the model's entry where it only needs longer; {self._last_words()}"
                )
            time.sleep(_STARTING)
        LOGGER.info(f"{self._entry.identity}: answers after {time.monotonic() - begin:.0f} s")

    def require(self) -> None:
        """Check that the server runs; raises ``ChatError`` if it has ended."""
        status = self._guard.poll()
        if status is not None:
            kind = PortTakenError if _is_taken(self.port) else ChatError
            raise kind(
                f"{self._entry.identity}: {self._serve.engine} ended with status {status}; correct serve.arguments or "
                f"resources in the model's entry, or what else it complains of, and run again; {self._last_words()}"
            )

    def version(self) -> str | None:
        """Return the version of the engine, if the server tells it."""
        reply = self._get("/version" if self._serve.engine == "vllm" else "/props")
        return engines.version(self._serve, reply) if isinstance(reply, dict) else None

    def __enter__(self) -> Self:
        self._log.parent.mkdir(parents=True, exist_ok=True)
        with self._log.open("wb") as log:
            self._guard = subprocess.Popen(  # noqa: S603 - no shell
                [sys.executable, "-I", guard.__file__, str(self._grace), *self._command],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=engines.environment(self._serve, self._place, self.key),
                start_new_session=True,
            )
        return self

    def __exit__(self, *_: object) -> None:
        assert self._guard.stdin is not None
        self._guard.stdin.close()
        self._guard.wait()

    def _answers(self) -> bool:
        """Return whether the server answers, and is this one: another one at the port would not know the key."""
        reply = self._get("/v1/models")
        models = reply.get("data", []) if isinstance(reply, dict) else []
        return any(model.get("id") == self._entry.model for model in models)

    def _get(self, path: str) -> Any:
        """Return the server's reply as JSON; None if there is none."""
        address = f"http://{self.host}:{self.port}{path}"
        request = urllib.request.Request(address, headers={"Authorization": f"Bearer {self.key}"})
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with direct.open(request, timeout=_ATTEMPT) as response:
                return json.load(response)
        except (urllib.error.URLError, OSError, ValueError):
            return None

    def _last_words(self) -> str:
        with self._log.open("rb") as log:
            log.seek(max(0, self._log.stat().st_size - _TAIL_BYTES))
            lines = log.read().decode(errors="replace").replace(self.key, "***").splitlines()[-_TAIL:]
        return "\n".join([f"the end of {self._log}:", *lines]) if lines else f"it wrote nothing to {self._log}"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((_LOOPBACK, 0))
        port: int = probe.getsockname()[1]
    return port


def _is_taken(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((_LOOPBACK, port)) == 0


@contextmanager
def started(entry: ServableInterface, place: Place, log: Path, limit: float) -> Iterator[ModelServer]:
    """Give a server that answers, at another port where one was taken; raises ``ChatError`` as ``ModelServer.wait``."""
    for attempt in range(_PORTS):
        with ExitStack() as stack:
            server = stack.enter_context(ModelServer(entry, place, log))
            try:
                server.wait(limit)
            except PortTakenError:
                if attempt + 1 == _PORTS:
                    raise
                LOGGER.info(f"{entry.identity}: another process has port {server.port}; trying another one")
                continue
            yield server
            return


def serve(entry: ServableInterface, place: Place, start: float, service: Path, server_log: Path) -> None:
    """Serve a model to the jobs that ask it, until this process is told to end.

    The server may take ``start`` seconds to start; of GPUs it has those of its place where no scheduler says so. For
    the service file see ``nlfol.models.serving.service``. Raises ``ChatError`` if the server does not start, or ends.
    """
    assert entry.serve is not None
    state = own_state()
    wish(service).unlink(missing_ok=True)  # of a run that was killed
    write_state(service, state)
    try:
        while not wish(service).exists():
            time.sleep(_LOOK)
        with claimed(place.gpus), started(entry, place, server_log, start) as server:
            reached = {"host": server.host, "port": server.port, "key": server.key, "version": server.version()}
            write_state(service, state.model_copy(update={**reached, "engine": entry.serve.engine}))
            while True:
                server.require()
                time.sleep(_LOOK)
    except Exception as error:
        first, *_ = str(error).splitlines() or [repr(error)]
        write_state(service, state.model_copy(update={"error": first}))
        raise
    finally:
        wish(service).unlink(missing_ok=True)


@contextmanager
def until_told() -> Iterator[None]:
    """End the block when this process is told to end, or its parent has ended."""

    def end(*_: object) -> None:
        for number in _ENDS:  # a second one must not disturb what the first one has begun to end
            signal.signal(number, lambda *_: None)
        raise SystemExit(0)

    for number in _ENDS:
        signal.signal(number, end)
    threading.Thread(target=_follow, args=(os.getppid(),), daemon=True).start()
    yield


def _follow(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK)
    os.kill(os.getpid(), signal.SIGTERM)
