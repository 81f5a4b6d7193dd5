"""Arms of comparisons, and the requests that they were asked, as a server recorded them."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

Body = dict[str, Any]

LABEL = re.compile(r"^(?:Sentence|Formula|Rephrasing|Statement)(?: \d+)?: ", re.MULTILINE)


class Arm(NamedTuple):
    """A model's answers to a task in one presentation."""

    dataset: str
    task: str
    presentation: str = ""
    model: str = "plain"


@dataclass(frozen=True)
class Request:
    """The body of the first request about an item, the item, the order of its candidates, and the requests in all."""

    body: Body
    item: Mapping[str, Any]
    order: list[int]
    steps: int

    @property
    def system(self) -> str:
        return str(self.body["messages"][0]["content"])

    @property
    def user(self) -> str:
        return str(self.body["messages"][-1]["content"])

    def without(self, *names: str) -> str:
        """Return the body as JSON, less some fields and messages."""
        messages = [each for each in self.body["messages"] if each["role"] not in names]
        kept = {name: value for name, value in {**self.body, "messages": messages}.items() if name not in names}
        return json.dumps(kept, ensure_ascii=False)

    def candidates(self, shown_as: str) -> list[str]:
        """Return the texts of the candidates, in the order in which they are shown."""
        return [self.item["candidates"][place][shown_as] for place in self.order]

    @property
    def texts(self) -> list[str]:
        """Return the sentence and the candidates, as shown."""
        return [text.strip() for text in LABEL.split(self.user)[1:]]

    @property
    def framing(self) -> str:
        """Return the user's message less the problem and its sentences."""
        text = self.user.replace(self.item["text"], "<text>")
        for line in self.item["text"].splitlines():
            text = text.replace(line.partition(". ")[2] or line, "<sentence>")
        return text

    @property
    def glossary(self) -> str:
        """Return the symbols with their meaning; empty where none are shown."""
        return self.system.partition("Predicates:")[2].partition("Notation:")[0]
