"""The service file, by which a model's server and the jobs that ask it find one another.

The serving job writes it at once, since Snakemake waits for it only briefly, and starts nothing yet. A job that has
something to ask puts an empty file beside it; only then is the server started, and its address written when it answers.
So a job that finds all its answers in the journal waits for no server, and starts none.
"""

import os
import socket
import tempfile
import time
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from nlfol.models.entries.base import Part
from nlfol.models.entries.interface import Interface
from nlfol.models.request import ChatError
from nlfol.store.canonical import canonical
from nlfol.store.locks import runs

_LOOK = 0.2
"""Seconds between two looks."""

AnyInterface = TypeVar("AnyInterface", bound=Interface)


class State(Part):
    """The content of a service file, as JSON."""

    node: str
    """The machine."""
    pid: int
    """The process that starts the server and ends it."""
    host: str | None = None
    """The server's address there; None before it answers."""
    port: int | None = None
    key: str | None = None
    """Its key, drawn at each start, so that no job asks another's server by mistake."""
    engine: str = ""
    """The name of its software."""
    version: str | None = None
    """The software's version, if it tells."""
    error: str | None = None
    """Why there is no server."""


def own_state() -> State:
    """Return the state of this process, which serves nothing yet."""
    return State(node=socket.gethostname(), pid=os.getpid())


def write_state(path: Path, state: State) -> None:
    """Write a service file, readable by its owner alone; a reader never sees half of one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(state.model_dump_json())
    os.replace(temporary, path)


def wish(path: Path) -> Path:
    """Return the file beside a service file by which a job asks for the server."""
    return path.with_name(f"{path.name}.wish")


class Server:
    """A model's server, by its service file, as the jobs that ask see it."""

    def __init__(self, path: Path, identity: str) -> None:
        self._path = path
        self._identity = identity

    def reached(self, entry: AnyInterface) -> AnyInterface:
        """Have the server started, wait for it, and return the entry with its address; raises ``ChatError``."""
        return entry.model_copy(update={"base_url": f"http://{self._state.host}:{self._state.port}/v1"})

    @property
    def key(self) -> str | None:
        """The server's key."""
        return self._state.key

    @property
    def engine(self) -> str:
        """The software that computes answers, as canonical JSON."""
        return canonical({self._state.engine: self._state.version})

    def require(self) -> None:
        """Check that the server runs; raises ``ChatError`` if it has ended, whether or not there is another one now."""
        if self._read().pid != self._state.pid:
            raise self._gone("another one has taken its place")

    @cached_property
    def _state(self) -> State:
        self._read()
        wish(self._path).touch()
        while (state := self._read()).port is None:
            time.sleep(_LOOK)
        return state

    def _read(self) -> State:
        try:
            state = State.model_validate_json(self._path.read_bytes())
        except (FileNotFoundError, ValidationError) as error:
            reason = f"no file {self._path}, which a failed job of the model deletes"
            raise self._gone(reason) from error
        if state.error is not None:
            raise self._gone(state.error)
        if state.node != socket.gethostname():
            raise self._gone(f"it runs on {state.node} and this job on {socket.gethostname()}")
        if not runs(state.pid):
            raise self._gone(f"server process {state.pid} exited")
        return state

    def _gone(self, reason: str) -> ChatError:
        return ChatError(
            f"{self._identity}: its server is gone: {reason}; answers are kept. See what "
            "serve_model says, and run again"
        )
