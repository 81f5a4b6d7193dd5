"""A request and its completion so far, token by token: first the thought, if there is one, then the answer.

The thought is free text. It ends with the marker that the model writes, or is made to write at the thought's own
limit. The grammar begins after that.
"""

import random
from collections import deque
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from nlfol.models.local.sampling import stream, word
from nlfol.models.request import ChatError, ChatRequest
from nlfol.models.schema import Grammars


@dataclass(frozen=True)
class Thinking:
    """The end of a model's thoughts: a marker, and the tokens between it and an answer that is held to a grammar.

    ``limit`` is that of a thought, in tokens; None if it shares the answer's limit.
    """

    end: tuple[int, ...]
    gap: tuple[int, ...] = ()
    limit: int | None = None


@dataclass
class Row:
    """A request and its completion.

    Rows of equal ``family`` share more of their prompts than others. ``written`` are the tokens so far, the answer from
    ``answer_start`` on (None while there is only thought). ``logprobs`` are theirs if the request asks for them, None
    of those that the grammar wrote before anything was drawn. ``finished`` is "stop", "thinking_limit" (stopped, but
    its thought was cut short), "length", or empty while it goes on; ``started`` is of ``time.perf_counter``.
    """

    request: ChatRequest
    prompt: list[int]
    thinking: Thinking | None = None
    family: Hashable = None
    written: list[int] = field(default_factory=list)
    logprobs: list[float | None] = field(default_factory=list)
    finished: str = ""
    answer_start: int | None = None
    started: float = 0.0
    _matcher: Any = None
    _forced: deque[int] = field(default_factory=deque)
    _limited: bool = False
    _stream: random.Random = field(default_factory=random.Random)

    @property
    def tokens(self) -> list[int]:
        """Prompt and completion."""
        return self.prompt + self.written

    @property
    def thought(self) -> list[int]:
        """The thought's tokens, without the marker at its end."""
        if self.thinking is None:
            return []
        end = len(self.thinking.end)
        closed = next((at for at in range(end, len(self.written) + 1) if self._ends_thought(at)), None)
        return self.written if closed is None else self.written[: closed - end]

    @property
    def answer(self) -> list[int]:
        """The answer's tokens; empty while there is only thought."""
        return [] if self.answer_start is None else self.written[self.answer_start :]

    @property
    def room(self) -> int:
        """The most tokens that can still be written."""
        thinking = self.thinking
        most = self.request.max_tokens
        if thinking is not None and thinking.limit is not None:
            most += thinking.limit + len(thinking.end) + len(thinking.gap)
        return most - len(self.written)

    @property
    def matcher(self) -> Any:
        """The grammar's state if the next token is held to it, else None."""
        return None if self.finished or self.answer_start is None or self._forced else self._matcher

    def begin(self, grammars: Grammars | None) -> None:
        """Start over: with an empty completion, or with the tokens that the grammar leaves no choice in."""
        self._stream = stream(self.request.key)
        self._matcher = grammars.matcher(self.request.answer_schema) if grammars else None
        self.written, self.answer_start, self._forced = [], None, deque()
        self.finished, self._limited = "", False
        if self.thinking is None:
            self.answer_start = 0
            self.written = self._compelled()[: self.request.max_tokens - 1]
            self._consume(self.written)
        self.logprobs = [None] * len(self.written)

    def word(self) -> int:
        """Draw the next word of the row's random stream."""
        return word(self._stream)

    def take(self, drawn: int, ends: frozenset[int]) -> None:
        """Add the token drawn, or the one that must come instead, and finish if it is the last."""
        forced = bool(self._forced)
        token = self._forced.popleft() if forced else drawn
        self.written.append(token)
        if self.answer_start is None:
            self._think(token, ends)
        elif not forced:
            self._answer(token, ends)
        if not self.finished and self._exhausted():
            self.finished = "length"

    def _think(self, token: int, ends: frozenset[int]) -> None:
        assert self.thinking is not None
        if self._ends_thought(len(self.written)):
            self._open_answer()
        elif token in ends:
            self.finished = "stop"
        elif self.thinking.limit is not None and len(self.written) == self.thinking.limit:
            self._limited = True
            self._forced.extend(self.thinking.end)

    def _open_answer(self) -> None:
        assert self.thinking is not None
        self.answer_start = len(self.written)
        if self._matcher is not None:
            compelled = self._compelled()
            self._consume(compelled)
            self._forced = deque([*self.thinking.gap, *compelled])
            self.answer_start += len(self.thinking.gap)

    def _answer(self, token: int, ends: frozenset[int]) -> None:
        if self._matcher is not None:
            if self._matcher.is_stopped():
                # The grammar left no choice at all: the answer was whole before anything was drawn.
                self.written.pop()
            else:
                self._consume([token])
            stop = bool(self._matcher.is_stopped())
        else:
            stop = token in ends
        if stop:
            self.finished = "thinking_limit" if self._limited else "stop"

    def _exhausted(self) -> bool:
        shared = self.thinking is None or self.thinking.limit is None
        start = 0 if shared else self.answer_start
        return start is not None and len(self.written) - start >= self.request.max_tokens

    def _ends_thought(self, stop: int) -> bool:
        assert self.thinking is not None
        end = self.thinking.end
        return stop >= len(end) and tuple(self.written[stop - len(end) : stop]) == end

    def _compelled(self) -> list[int]:
        return list(self._matcher.compute_ff_tokens()) if self._matcher is not None else []

    def _consume(self, tokens: Sequence[int]) -> None:
        if self._matcher is not None and tokens and not self._matcher.consume_tokens(list(tokens)):
            raise ChatError(f"request {self.request.key}: the grammar's state is lost: {self._matcher.get_error()}")
