"""vLLM's server of a model, as a process of this one."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from nlfol.models.entries.interface import ServableInterface
from nlfol.models.request import ChatError
from nlfol.models.serving import guard
from nlfol.store.logs import LOGGER

_LOOPBACK = "127.0.0.1"
_LOOK = 0.5
"""Seconds between two looks at the server while it starts."""
_ATTEMPT = 5.0
"""Seconds that it may take to say whether it is ready."""
_TAIL = 20
"""Last lines of its log that an error shows."""
_TAIL_BYTES = 4000


class ModelServer:
    """Serves the model of an entry while the context lasts, and no longer than this process, however that ends.

    Args:
        entry: the model's, which has ``serve``.
        log: file for what the server writes; its folder is made.
        grace: seconds that the server has to end by itself.

    Raises:
        ChatError: if there is no command ``vllm``.
    """

    def __init__(self, entry: ServableInterface, log: Path, grace: float = 20.0) -> None:
        assert entry.serve is not None
        self._entry = entry
        self._serve = entry.serve
        self._log = log
        self._grace = grace
        self.host = _LOOPBACK
        self.port = _free_port()
        self.key = secrets.token_hex(16)
        command = shutil.which("vllm")
        if command is None:
            raise ChatError(
                f"{entry.identity}: no command vllm here; install it (pip install vllm, in an environment of its own "
                "where its requirements conflict) and have its folder on PATH"
            )
        self._command = command

    @property
    def command(self) -> list[str]:
        """What is run; of what is given twice, vLLM takes the last."""
        own = {
            "revision": self._serve.revision,
            "tokenizer-revision": self._serve.revision,
            "served-model-name": self._entry.model,
            "host": self.host,
            "port": str(self.port),
        }
        options = [part for name, value in own.items() for part in (f"--{name}", value)]
        return [self._command, "serve", self._entry.model, *self._serve.arguments, *options]

    def wait(self, limit: float) -> None:
        """Wait until the server answers.

        Args:
            limit: for so many seconds at most.

        Raises:
            ChatError: if it ends, or takes longer.
        """
        LOGGER.info(f"{self._entry.identity}: starting vllm at port {self.port}; it writes to {self._log}")
        begin = time.monotonic()
        while not self._answers():
            self.require()
            if time.monotonic() - begin > limit:
                raise ChatError(
                    f"{self._entry.identity}: vllm did not answer within {limit:g} s; see why, and raise "
                    f"serve.start in the model's entry where it only needs longer; {self._last_words()}"
                )
            time.sleep(_LOOK)
        LOGGER.info(f"{self._entry.identity}: answers after {time.monotonic() - begin:.0f} s")

    def require(self) -> None:
        """Raises: ChatError: if the server has ended."""
        status = self._guard.poll()
        if status is not None:
            raise ChatError(
                f"{self._entry.identity}: vllm ended with status {status}; correct serve.arguments or resources in the "
                f"model's entry, or what else it complains of, and run again; {self._last_words()}"
            )

    def version(self) -> str | None:
        """Of vLLM, where the server says so."""
        said = self._get("/version")
        return str(said["version"]) if isinstance(said, dict) and "version" in said else None

    def __enter__(self) -> Self:
        self._log.parent.mkdir(parents=True, exist_ok=True)
        with self._log.open("wb") as log:
            self._guard = subprocess.Popen(  # noqa: S603 - no shell
                [sys.executable, "-I", guard.__file__, str(self._grace), *self.command],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                # Where others could read it on a command line, the environment is its owner's alone.
                env={**os.environ, "VLLM_API_KEY": self.key},
                start_new_session=True,
            )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        assert self._guard.stdin is not None
        self._guard.stdin.close()
        self._guard.wait()

    def _answers(self) -> bool:
        """Whether the server answers, and is this one: another one at the port would not know the key."""
        said = self._get("/v1/models")
        models = said.get("data", []) if isinstance(said, dict) else []
        return any(model.get("id") == self._entry.model for model in models)

    def _get(self, path: str) -> Any:
        """What the server says as JSON; None where it does not."""
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
