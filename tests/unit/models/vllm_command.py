"""A scripted command in the place of vLLM: ``vllm serve`` over the tests' server, with what vLLM says of itself.

It writes what happens to the file that ``NLFOL_SCRIPTED_VLLM`` names, one JSON object a line: its start, with process,
port and arguments, and every text that it is asked. By arguments of its own it fails, ``--broken`` at the start,
``--mortal`` at the fifth request and ``--beaten`` at the first start, as another process takes its port; or is
``--slow``.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nlfol.models.api.probing import QUESTION

from .chat_server import HELD, ChatServer, Scripted
from .embedding_server import serving

ROOT = Path(__file__).parents[3]
RECORD = "NLFOL_SCRIPTED_VLLM"
VERSION = "0.0.0+scripted"


def install(folder: Path) -> dict[str, str]:
    """Put the command into a folder; the environment in which it is found first, and keeps its record there."""
    command = folder / "vllm"
    folder.mkdir(parents=True, exist_ok=True)
    command.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(ROOT)!r})\n"
        "from tests.unit.models.vllm_command import main\nsys.exit(main(sys.argv[1:]))\n"
    )
    command.chmod(0o755)
    return {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", RECORD: str(folder / "record.jsonl")}


class Happened:
    """Notes that the command has written so far."""

    def __init__(self, environment: dict[str, str]) -> None:
        path = Path(environment[RECORD])
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        rows = [json.loads(line) for line in lines]
        self.starts: list[dict[str, Any]] = [row for row in rows if "port" in row]
        self.asked: list[str] = [row["asked"] for row in rows if "asked" in row]


def runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("command", choices=["serve"])
    for name in ("model", "dtype", "host", "port", "served-model-name", "structured-outputs-config"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("gpu-memory-utilization", "generation-config"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--no-enable-chunked-prefill", action="store_true")
    parser.add_argument("--broken", action="store_true")
    parser.add_argument("--mortal", action="store_true")
    parser.add_argument("--beaten", action="store_true")
    parser.add_argument("--slow", action="store_true")
    parser.add_argument("--max-model-len")
    told = parser.parse_args(arguments)
    assert told.host == "127.0.0.1", told
    _write({"pid": os.getpid(), "port": int(told.port), "arguments": list(arguments)})
    if told.broken:
        print("INFO: loading", "ValueError: the model is broken, as it was told to be", sep="\n", file=sys.stderr)
        return 3
    if told.beaten and len(Happened(dict(os.environ)).starts) == 1:
        _take_port(int(told.port))
        return 1
    authorization = f": Bearer {os.environ['VLLM_API_KEY']}\r\n"
    embeds = serving()

    def every(body: dict[str, Any]) -> Scripted | None:
        if authorization not in server.heads[-1]:
            return Scripted(401, {"error": {"message": "Unauthorized"}})
        assert body["model"] == told.served_model_name
        if "messages" in body and body["messages"][-1]["content"] == QUESTION:
            return HELD
        _write({"asked": body["messages"][-1]["content"] if "messages" in body else body["input"]})
        if told.mortal and len(server.asked) == 5:
            os._exit(4)
        return embeds(body) if "input" in body else None

    def page(head: str) -> Scripted:
        path = head.split()[1]
        if path == "/version":
            return Scripted(body={"version": VERSION})
        if path == "/v1/models" and authorization in head:
            return Scripted(body={"object": "list", "data": [{"id": told.served_model_name, "object": "model"}]})
        return Scripted(404, {"error": {"message": "Not found"}})

    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    with ChatServer(seconds=0.3 * told.slow, every=every, page=page, port=int(told.port)) as server:
        ended.wait()
    return 0


def _take_port(port: int) -> None:
    """Leave the port to another process, for as long as a server is tried there."""
    another = f"import socket, time; s = socket.create_server(('127.0.0.1', {port})); print(); time.sleep(30)"
    process = subprocess.Popen([sys.executable, "-uc", another], stdout=subprocess.PIPE, start_new_session=True)
    assert process.stdout is not None
    process.stdout.readline()


def _write(row: dict[str, Any]) -> None:
    with Path(os.environ[RECORD]).open("a", encoding="utf-8") as record:
        record.write(json.dumps(row, ensure_ascii=False) + "\n")
