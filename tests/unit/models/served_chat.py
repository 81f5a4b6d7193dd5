"""A local dialogue model behind the tests' OpenAI-compatible server."""

from collections.abc import Mapping
from typing import Any

from nlfol.models.local.chat import LocalChat
from nlfol.models.request import ChatRequest, Ending, Message
from nlfol.tasks.answers import CHARACTERS_A_TOKEN
from nlfol.tasks.entry import FormulaLimits

from .chat_server import Scripted, completion

FINISHED = {Ending.ANSWERED: "stop", Ending.TRUNCATED: "length"}


def neutral(schema: Mapping[str, Any], limits: FormulaLimits, reasoning: int) -> dict[str, Any]:
    """A strict schema with the bounds that a server holds all answers to."""
    longest = {"reasoning": reasoning * CHARACTERS_A_TOKEN, "answer": limits.formula}

    bounded = {name: {**part, "maxLength": longest[name]} for name, part in schema["properties"].items()}
    return {**schema, "properties": bounded}


class Served:
    """Answers of a server over a local model, one request at a time.

    Args:
        chat: the model.
        limits, reasoning: the bounds of its answers, which strict schemas do not carry.
    """

    def __init__(self, chat: LocalChat, limits: FormulaLimits, reasoning: int) -> None:
        self._chat = chat
        self._limits = limits, reasoning

    def __call__(self, body: dict[str, Any]) -> Scripted:
        request = ChatRequest(
            model=self._chat.identity,
            messages=tuple(Message(one["role"], one["content"]) for one in body["messages"]),
            answer_schema=neutral(body["response_format"]["json_schema"]["schema"], *self._limits),
            temperature=body["temperature"],
            top_p=body["top_p"],
            max_tokens=body["max_completion_tokens"],
            seed=body["seed"],
        )
        (reply,) = self._chat.answer([request])
        said = completion(reply.text, FINISHED[reply.outcome])
        said["usage"] = {"prompt_tokens": reply.prompt_tokens, "completion_tokens": reply.completion_tokens}
        return Scripted(body=said)
