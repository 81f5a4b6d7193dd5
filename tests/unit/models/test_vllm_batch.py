"""A file of requests answered by vLLM's own command, of which a script takes the place."""

import stat
from pathlib import Path

import pytest
from tests.unit.asking.conversations import ask
from tests.unit.models.test_chat_batch import TEXTS, an_entry, questions, said

from nlfol.models.api.batches.chat import VllmBatchChat
from nlfol.models.journal.journal import Journal
from nlfol.models.request import ChatError, Ending

VLLM = """#!/usr/bin/env python3
import json, sys
assert sys.argv[1:2] == ["run-batch"] and sys.argv[6:] == ["--model", "tiny", "--max-model-len=99"], sys.argv
source, target = sys.argv[3], sys.argv[5]
with open(source) as lines, open(target, "w") as answers:
    for line in list(lines)[1:]:
        asked = json.loads(line)
        text = json.dumps({"reasoning": "", "answer": asked["body"]["messages"][-1]["content"]})
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        body = {"id": "1", "choices": [choice], "usage": {"prompt_tokens": 3, "completion_tokens": 2}}
        response = {"status_code": 200, "request_id": "1", "body": body}
        said = {"id": "v", "custom_id": asked["custom_id"], "response": response, "error": None}
        print(json.dumps(said), file=answers)
"""


def test_a_scripted_command_in_the_place_of_vllm_answers_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = tmp_path / "bin" / "vllm"
    command.parent.mkdir()
    command.write_text(VLLM)
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(command.parent), prepend=":")
    entry = an_entry("http://localhost:8000/v1", batch={"kind": "vllm", "arguments": ["--max-model-len=99"]})
    asked = questions(entry)
    with Journal(tmp_path / "journal" / "m" / "d.t.jsonl") as journal:
        replies = ask(VllmBatchChat(entry), asked, journal)
    outcomes = [replies[each.key].outcome for each in asked]
    assert outcomes == [Ending.FAILED] + [Ending.ANSWERED] * 5
    assert replies[asked[0].key].error == "no line for it in the output"
    assert [said(replies[each.key]) for each in asked[1:]] == TEXTS[1:]


def test_without_vllm_the_error_names_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(ChatError, match="no command vllm here; install it"):
        VllmBatchChat(an_entry("http://localhost:8000/v1", batch={"kind": "vllm"}))
