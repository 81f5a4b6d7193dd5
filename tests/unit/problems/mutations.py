"""Programs with faults: mutations of given ones, and garbage. The same at every run."""

import hashlib
from collections.abc import Iterator, Sequence
from random import Random

PIECES = (
    *("(", ")", "[", "]", "|", "&&", ">>>", ":::", ",", "$", "?", "\n", "\t", " ", "'", '"', "\\", "\0", "\ud800", "é"),
    *(
        "True",
        "False",
        "bool",
        "not ",
        "¬",
        "∀x ",
        "∃y ",
        "→",
        "∧",
        "⊕",
        "=",
        "==",
        "-",
        "999999999999999999999",
        "```",
    ),
    *("Query:", "Facts:", "Rules:", "Premises:", "Conclusion:", "Variables:", "Constraints:", "Predicates:", "Answer:"),
    *("__import__('os').system('false')", "eval('1')", "lambda: 0", "{{7*7}}", "%s", "1..1000000000", "[IN]", "A) "),
)
"""Pieces to insert."""


def mutations(programs: Sequence[str], count: int) -> Iterator[str]:
    """So many texts: nine of ten are a program after 1 to 6 changes, the tenth is garbage."""
    for number in range(count):
        draw = Random(hashlib.sha256(f"mutation {number}".encode()).digest())
        if number % 10 == 9:
            yield "".join(draw.choice(PIECES) for _ in range(draw.randint(0, 60)))
            continue
        text = draw.choice(programs)
        for _ in range(draw.randint(1, 6)):
            text = _changed(text, draw, programs)
        yield text


def _changed(text: str, draw: Random, programs: Sequence[str]) -> str:
    start, end = sorted(draw.randint(0, len(text)) for _ in range(2))
    lines = text.split("\n")
    match draw.randint(0, 6):
        case 0:
            return text[:start] + text[start + draw.randint(1, 8) :]
        case 1:
            return text[:start] + draw.choice(PIECES) + text[start:]
        case 2:
            return text[:start] + text[start:end] * draw.randint(2, 3) + text[end:] if end - start < 400 else text
        case 3:
            draw.shuffle(lines)
            return "\n".join(lines)
        case 4:
            lines[draw.randrange(len(lines))] = draw.choice(draw.choice(programs).split("\n"))
            return "\n".join(lines)
        case 5:
            return text[:end]
        case _:
            return text.replace(draw.choice(PIECES), draw.choice(PIECES))
