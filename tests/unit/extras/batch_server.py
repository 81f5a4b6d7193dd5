"""The batch endpoints of an OpenAI-compatible server, scripted: a test says what becomes of each batch."""

import json
import re
from collections.abc import Callable
from typing import Any

from pytest_httpserver import HTTPServer
from tests.unit.models.chat_server import completion
from typing_extensions import override
from werkzeug import Request, Response
from werkzeug.datastructures import Headers

Script = Callable[[int, list[dict[str, Any]], int], dict[str, Any]]
"""Given a batch's number from 0, its lines and how often it was looked at before: ``status``, and lists of lines
``output`` and ``error`` where there are such, or ``errors``."""


def answer(line: dict[str, Any], text: str | None = None) -> dict[str, Any]:
    """The line that answers a request, with what was asked unless a text is given."""
    said = line["body"]["messages"][-1]["content"] if text is None else text
    body = completion(json.dumps({"reasoning": "", "answer": said}))
    return {
        "id": "batch_req_1",
        "custom_id": line["custom_id"],
        "response": {"status_code": 200, "request_id": "1", "body": body},
        "error": None,
    }


def lost(line: dict[str, Any], code: str = "batch_expired") -> dict[str, Any]:
    """The line of a request that was not answered in time."""
    error = {"code": code, "message": "This request could not be executed."}
    return {"id": "batch_req_1", "custom_id": line["custom_id"], "response": None, "error": error}


def faulty(line: dict[str, Any], status: int, error: dict[str, Any]) -> dict[str, Any]:
    """The line of a request that the interface answered with an error."""
    response = {"status_code": status, "request_id": "1", "body": {"error": error}}
    return {"id": "batch_req_1", "custom_id": line["custom_id"], "response": response, "error": None}


def at_once(number: int, lines: list[dict[str, Any]], looks: int) -> dict[str, Any]:
    """Every request is answered, the last one first."""
    return {"status": "completed", "output": [answer(line) for line in reversed(lines)]}


class BatchServer(HTTPServer):
    """The server, while the context lasts.

    Args:
        script: what becomes of batches.
        unheard: so many creations whose answers are lost.
        pages: whether lists say that they are at their end; one that does not gives the same list to whoever asks on.
    """

    def __init__(self, script: Script = at_once, unheard: int = 0, *, pages: bool = True) -> None:
        super().__init__(threaded=True)
        self.script = script
        self.unheard = unheard
        self.pages = pages
        self.files: dict[str, bytes] = {}
        self.batches: dict[str, dict[str, Any]] = {}
        self.looks: dict[str, int] = {}
        self.busy: list[str] = []
        """What ``Retry-After`` says to the next requests, each of which is turned away with 429."""
        self.calls: list[str] = []
        """Method and path of every request."""
        self.headers: list[Headers] = []
        self.expect_request(re.compile("/v1/.*")).respond_with_handler(self._answer)

    @property
    def url(self) -> str:
        return self.url_for("/v1")

    def lines(self, batch: str) -> list[dict[str, Any]]:
        """What was asked in a batch."""
        return [json.loads(line) for line in self.files[self.batches[batch]["input_file_id"]].splitlines()]

    @property
    def asked(self) -> list[list[str]]:
        """The last messages of each batch's requests."""
        return [[line["body"]["messages"][-1]["content"] for line in self.lines(batch)] for batch in self.batches]

    @override
    def thread_target(self) -> None:
        assert self.server is not None
        self.server.serve_forever(poll_interval=0.01)

    def _answer(self, request: Request) -> Response:
        path = request.path.removeprefix("/v1")
        self.calls.append(f"{request.method} {path}")
        self.headers.append(request.headers)
        match request.method, path.strip("/").split("/"):
            case "POST", ["files"]:
                return _json({"object": "file", "id": self._keep(request.files["file"].read())})
            case "POST", _:
                return self._create(request.get_json())
            case _ if self.busy:
                return Response('{"error": {"message": "slow down"}}', 429, {"Retry-After": self.busy.pop(0)})
            case _, ["batches"]:
                listed = {"object": "list", "data": list(self.batches.values()), "first_id": None, "last_id": None}
                return _json(listed | ({"has_more": False} if self.pages else {}))
            case _, ["batches", name] if name in self.batches:
                return _json(self._look(name))
            case _, ["files", name, _] if name in self.files:
                return Response(self.files[name])
        return Response('{"error": {"message": "no such object", "code": "not_found"}}', 404)

    def _keep(self, content: bytes) -> str:
        name = f"file-{len(self.files)}"
        self.files[name] = content
        return name

    def _create(self, said: dict[str, Any]) -> Response:
        name = f"batch_{len(self.batches)}"
        self.batches[name] = {"id": name, "object": "batch", "created_at": 0, "status": "validating", **said}
        if self.unheard:
            self.unheard -= 1
            return Response("{}", 503)
        return _json(self.batches[name])

    def _look(self, name: str) -> dict[str, Any]:
        looks = self.looks[name] = self.looks.get(name, 0) + 1
        made = self.script(list(self.batches).index(name), self.lines(name), looks - 1)
        batch = self.batches[name] | {"status": made["status"]}
        for key in ("output", "error"):
            if key in made:
                batch[f"{key}_file_id"] = self._keep(b"".join(json.dumps(line).encode() + b"\n" for line in made[key]))
        if "errors" in made:
            batch["errors"] = {"object": "list", "data": made["errors"]}
        return batch


def _json(body: dict[str, Any]) -> Response:
    return Response(json.dumps(body), content_type="application/json")
