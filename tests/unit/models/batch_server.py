"""The batch endpoints of an OpenAI-compatible server, scripted: a test says what becomes of each batch."""

import json
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from tests.unit.models.chat_server import completion

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


class BatchServer:
    """The server, in a thread of its own while the context lasts.

    Args:
        script: what becomes of batches.
        unheard: so many creations whose answers are lost.
        pages: whether lists say that they are at their end; one that does not gives the same list to whoever asks on.
    """

    def __init__(self, script: Script = at_once, unheard: int = 0, *, pages: bool = True) -> None:
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
        self.headers: list[dict[str, str]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def lines(self, batch: str) -> list[dict[str, Any]]:
        """What was asked in a batch."""
        return [json.loads(line) for line in self.files[self.batches[batch]["input_file_id"]].splitlines()]

    @property
    def asked(self) -> list[list[str]]:
        """The last messages of each batch's requests."""
        return [[line["body"]["messages"][-1]["content"] for line in self.lines(batch)] for batch in self.batches]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _keep(self, lines: list[dict[str, Any]]) -> str:
        name = f"file-{len(self.files)}"
        self.files[name] = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        return name

    def _upload(self, body: bytes, kind: str) -> dict[str, Any]:
        boundary = kind.partition("boundary=")[2].encode()
        (part,) = (part for part in body.split(b"--" + boundary) if b'name="file"' in part)
        name = f"file-{len(self.files)}"
        self.files[name] = part.partition(b"\r\n\r\n")[2].removesuffix(b"\r\n")
        return {"id": name, "object": "file", "bytes": 0, "created_at": 0, "filename": "f", "purpose": "batch"}

    def _create(self, said: dict[str, Any]) -> dict[str, Any]:
        name = f"batch_{len(self.batches)}"
        self.batches[name] = {"id": name, "object": "batch", "created_at": 0, "status": "validating", **said}
        return self.batches[name]

    def _look(self, name: str) -> dict[str, Any]:
        looks = self.looks[name] = self.looks.get(name, 0) + 1
        made = self.script(list(self.batches).index(name), self.lines(name), looks - 1)
        batch = self.batches[name] | {"status": made["status"]}
        for key in ("output", "error"):
            if key in made:
                batch[f"{key}_file_id"] = self._keep(made[key])
        if "errors" in made:
            batch["errors"] = {"object": "list", "data": made["errors"]}
        return batch

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *arguments: object) -> None:
                pass

            def _send(self, body: bytes, status: int = 200, headers: Mapping[str, str] = {}) -> None:
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def _seen(self) -> str:
                path = self.path.partition("?")[0].removeprefix("/v1")
                outer.calls.append(f"{self.command} {path}")
                outer.headers.append(dict(self.headers))
                return path

            def do_GET(self) -> None:
                parts = self._seen().strip("/").split("/")
                if outer.busy:
                    self._send(b'{"error": {"message": "slow down"}}', 429, {"Retry-After": outer.busy.pop(0)})
                elif parts == ["batches"]:
                    data = list(outer.batches.values())
                    listed: dict[str, Any] = {"object": "list", "data": data, "first_id": None, "last_id": None}
                    if outer.pages:
                        listed["has_more"] = False
                    self._send(json.dumps(listed).encode())
                elif parts[1] not in (outer.batches if parts[0] == "batches" else outer.files):
                    self._send(b'{"error": {"message": "no such object", "code": "not_found"}}', 404)
                elif parts[0] == "batches":
                    self._send(json.dumps(outer._look(parts[1])).encode())
                else:
                    self._send(outer.files[parts[1]])

            def do_POST(self) -> None:
                path = self._seen()
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if path == "/files":
                    self._send(json.dumps(outer._upload(body, self.headers["Content-Type"])).encode())
                    return
                batch = outer._create(json.loads(body))
                if outer.unheard:
                    outer.unheard -= 1
                    self._send(b"{}", 503)
                else:
                    self._send(json.dumps(batch).encode())

        return Handler
