"""What the responses of a dialogue model say of thinking: a real client asks a local server over the loopback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.tables import recorded

import ask_chat
from nlfol.asking.asking import Asking, Offered
from nlfol.models.job_files import JobFiles
from nlfol.store import files, schemas

from .chat_server import ChatServer

PROMPTS = Path(__file__).parents[3] / "resources/prompts"


@pytest.mark.parametrize(("effort", "thinking"), [("high", "yes"), ("none", "no"), (None, None)])
def test_responses_say_whether_the_model_thinks_and_what_it_is_apart_from_that(
    tmp_path: Path, effort: str | None, thinking: str | None
) -> None:
    recorded.write(tmp_path)
    candidates, output = tmp_path / "logical_translation.arrow", tmp_path / "responses.arrow"
    with ChatServer() as server:
        entry: dict[str, Any] = {"kind": "chat", "backend": "openai", "model": "tiny", "base_url": server.url}
        entry |= {"api_key_env": None, "reasoning_effort": effort, "items": 1}
        task = "logical_translation"
        offered = Offered.read(candidates)
        asking = Asking(offered, "toy", task, recorded.task_of(task), "m", json.dumps(entry), 7, output)
        ask_chat.main(asking, PROMPTS, JobFiles(tmp_path / "j.jsonl", tmp_path / "sharers"))
        url = server.url
    said = files.metadata_of(files.read(output, schemas.RESPONSES))
    assert said.get("thinking") == thinking
    assert said.get("apart_from_thinking") == (thinking and f"openai:{url}/tiny;reasoning_effort=none")
