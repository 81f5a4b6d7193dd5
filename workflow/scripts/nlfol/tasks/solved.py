"""Problems that are shown with their program before others: ``resources/solved_examples.yaml``."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from nlfol.datasets.entries.block import shipped
from nlfol.datasets.entries.folio_questions import OPTIONS, QUESTION
from nlfol.problems.families.drawing import QUESTION as OF_FAMILIES
from nlfol.problems.problem import TRUTHS, Mention, Problem, Statement, plain
from nlfol.validation import read_yaml

SOLVED = "resources/solved_examples.yaml"

_MENTION = re.compile(r"\[([^|\]]+)\|([^\]]+)\]")


@lru_cache(maxsize=4)
def solved(kind: str, *, varied: bool) -> Sequence[Problem]:
    """Return the problems of a kind, ``free`` or ``controlled``, in their own words or in others.

    A mention's concept is a symbol, or for two that the words mean at once, both with a blank between them.
    """
    given: Sequence[Mapping[str, Any]] = read_yaml(Path(shipped(SOLVED)))[kind]
    language, asked, options = _AS_ASKED[kind]
    return [
        Problem(
            each["name"],
            "free",
            language,
            tuple(
                _statement(one.get("varied", one["text"]) if varied else one["text"], one) for one in each["statements"]
            ),
            _statement(each["question"]["text"], each["question"]).after(asked),
            options,
            each["answer"],
        )
        for each in given
    ]


_AS_ASKED = {"free": ("formulas", QUESTION, plain(OPTIONS)), "controlled": ("clauses", OF_FAMILIES, TRUTHS)}


def _statement(marked: str, given: Mapping[str, str]) -> Statement:
    text, mentions = "", []
    parts = _MENTION.split(marked)
    for before, words, symbol in zip(parts[::3], parts[1::3], parts[2::3], strict=False):
        text += before
        mentions.append(Mention(len(text), len(text) + len(words), symbol, "said"))
        text += words
    return Statement(text + parts[-1], given["line"], tuple(mentions))
