"""A dialogue model behind an OpenAI-compatible interface."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from nlfol.models.request import ChatError, ChatReply, ChatRequest, Outcome
from nlfol.models.specification import ApiChatSpecification
from nlfol.models.structured import strict_schema

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI
    from openai.types.chat import ChatCompletion

_LONGEST_ERROR = 300
_NO_CREDIT = "insufficient_quota"


class ApiChat:
    """Asks over the network, several requests at once; faults that may pass are retried by the client itself.

    The seed is sent, but a provider need not honour it: what was answered is what the journal says.

    Args:
        specification: the model's entry.

    Raises:
        ChatError: if the environment variable with the key is not set.
    """

    def __init__(self, specification: ApiChatSpecification) -> None:
        self.identity = specification.identity
        self._specification = specification
        key = os.environ.get(specification.api_key_env, "").strip()
        if not key:
            raise ChatError(
                f"{self.identity}: environment variable {specification.api_key_env} is not set; put the key there"
            )
        self._key = key

    def answer(self, requests: Sequence[ChatRequest]) -> Iterator[ChatReply]:
        """Yield exactly one reply a request, each as it arrives; never more than ``concurrency`` are under way.

        Raises:
            ChatError: if the interface refuses the key or does not know the model, or if its credit is spent.
        """
        waiting = iter(requests)
        # The loop runs only while this generator is asked for the next reply, so nothing happens behind its caller's
        # back; leaving the runner cancels what is under way when the caller stops early.
        with asyncio.Runner() as runner:
            client = runner.run(self._open())
            under_way: set[asyncio.Task[ChatReply]] = set()
            try:
                while True:
                    while len(under_way) < self._specification.concurrency and (request := next(waiting, None)):
                        under_way.add(runner.get_loop().create_task(self._ask(client, request)))
                    if not under_way:
                        return
                    done, under_way = runner.run(_first(under_way))
                    # What has been answered, and paid for, before the error that ends it all.
                    for task in sorted(done, key=lambda task: task.exception() is not None):
                        yield task.result()
            finally:
                runner.run(_close(client, under_way))

    async def _open(self) -> AsyncOpenAI:
        from openai import AsyncOpenAI

        # The address is always given: without one the client would take it from its own environment variable, and the
        # journal would hold one provider's answers under another's name.
        return AsyncOpenAI(
            api_key=self._key,
            base_url=self._specification.url,
            timeout=self._specification.timeout,
            max_retries=self._specification.retries,
        )

    async def _ask(self, client: AsyncOpenAI, request: ChatRequest) -> ChatReply:
        import openai

        start = time.perf_counter()
        try:
            completion = await client.chat.completions.create(**self._body(request))
        except openai.APIStatusError as error:
            self._stop_if_permanent(error)
            problem = f"{error.status_code} {error.message}"
        except openai.APITimeoutError:
            problem = f"no answer in {self._specification.timeout:g} s"
        except openai.OpenAIError as error:
            problem = f"{type(error).__name__}: {error}"
        else:
            return _reply(request, completion, time.perf_counter() - start)
        return ChatReply(
            request.key, Outcome.FAILED, seconds=time.perf_counter() - start, error=self._presentable(problem)
        )

    def _body(self, request: ChatRequest) -> dict[str, Any]:
        return {
            "model": self._specification.model,
            "messages": [{"role": message.role, "content": message.content} for message in request.messages],
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "answer", "strict": True, "schema": strict_schema(request.answer_schema)},
            },
            "temperature": request.temperature,
            "top_p": request.top_p,
            "max_completion_tokens": request.max_tokens,
            "seed": request.seed,
        }

    def _stop_if_permanent(self, error: APIStatusError) -> None:
        variable = self._specification.api_key_env
        remedies = {
            401: f"the key in {variable} is refused; put a valid one there",
            403: f"the key in {variable} may not use this model; ask for access or choose another model",
            404: "no such model or address; correct model or base_url",
        }
        remedy = remedies.get(error.status_code)
        if error.code == _NO_CREDIT:
            remedy = f"the account of the key in {variable} has no credit left; add some and run again"
        if remedy is not None:
            # Without the cause: its text and its request hold the key, or parts of it.
            raise ChatError(f"{self.identity}: {error.status_code}: {remedy}") from None

    def _presentable(self, text: str) -> str:
        return " ".join(text.replace(self._key, "***").split())[:_LONGEST_ERROR]


async def _first(
    tasks: set[asyncio.Task[ChatReply]],
) -> tuple[set[asyncio.Task[ChatReply]], set[asyncio.Task[ChatReply]]]:
    return await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)


async def _close(client: AsyncOpenAI, tasks: set[asyncio.Task[ChatReply]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await client.close()


def _reply(request: ChatRequest, completion: ChatCompletion, seconds: float) -> ChatReply:
    usage = completion.usage
    # Compatible interfaces have been seen to answer 200 with no choice at all.
    choice = completion.choices[0] if completion.choices else None
    text = choice.message.content if choice else None
    finish = choice.finish_reason if choice else None
    refusal = choice.message.refusal if choice else None
    error = None
    if refusal or finish == "content_filter":
        outcome, text = Outcome.REFUSED, refusal or text
    elif finish == "length":
        outcome = Outcome.TRUNCATED
    elif not text:
        outcome, text = Outcome.FAILED, None
        error = f"the interface sent an empty answer (finish_reason {finish})"
    else:
        outcome = Outcome.ANSWERED
    return ChatReply(
        request.key,
        outcome,
        text=text,
        finish_reason=finish,
        prompt_tokens=usage.prompt_tokens if usage else None,
        completion_tokens=usage.completion_tokens if usage else None,
        seconds=seconds,
        error=error,
    )
