"""Choices by likelihood of a model that runs here: its prompt is read once, and every option after it."""

import math
import time
from collections.abc import Iterator, Sequence

from typing_extensions import override

from nlfol.models.likelihood import chosen, options_of
from nlfol.models.local import cache
from nlfol.models.local.cache import States
from nlfol.models.local.chat import LocalChat
from nlfol.models.local.generation import forward
from nlfol.models.request import ChatReply, ChatRequest, Ending


class LocalOptions(LocalChat):
    """A loaded model that writes nothing, but chooses among options by ``nlfol.models.likelihood``."""

    @override
    def answer(self, requests: Sequence[ChatRequest]) -> Iterator[ChatReply]:
        """Yield exactly one reply a request; raises ``ChatError`` if a template refuses it, or it has no options."""
        for request in requests:
            start, prompt = time.perf_counter(), self.prompt(request)
            options = [
                list(self.tokenizer(option, add_special_tokens=False)["input_ids"])
                for option in options_of(request.answer_schema)
            ]
            if (most := len(prompt) + max(map(len, options))) > self._entry.context:
                error = f"{most} tokens of prompt and option exceed the context of {self._entry.context}"
                yield ChatReply(request.key, Ending.FAILED, prompt_tokens=len(prompt), error=error)
                continue
            yield chosen(
                request,
                [math.fsum(told) for told in self.logprobs(prompt, options)],
                prompt_tokens=len(prompt),
                completion_tokens=0,
                seconds=time.perf_counter() - start,
                engine=self.engine,
            )

    def logprobs(self, prompt: Sequence[int], options: Sequence[Sequence[int]]) -> list[list[float]]:
        """Return the log-probability of each token of each option, given the prompt and the option's tokens before."""
        import torch

        count, told = len(options), [list[float]() for _ in options]
        shared = cache.droppable(self.model.config)
        with torch.inference_mode():
            mask = torch.zeros((1 if shared else count, 0), dtype=torch.bool, device=self.model.device)
            states = States(cache.empty(self.model.config), mask)
            logits = forward(self.model, states, [prompt] * len(mask)).expand(count, -1)
            if shared:
                states = cache.packed([(states, [0] * count)])
            for place in range(longest := max(map(len, options))):
                logits = torch.log_softmax(logits, dim=-1)
                for row, option in enumerate(options):
                    if place < len(option):
                        told[row].append(float(logits[row, option[place]]))
                if place + 1 < longest:
                    # Where an option has ended, its last token stands again, and nobody looks at what follows.
                    logits = forward(
                        self.model, states, [option[place : place + 1] or option[-1:] for option in options]
                    )
        return told
