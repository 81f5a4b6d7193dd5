"""Hostile completions by kind: texts that try to raise an error, to take long, or to earn what they are not worth."""

import base64
import codecs
import html
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from urllib.parse import quote

import yaml

GAMES = Path(__file__).parents[1] / "tests/unit/tasks/gaming.yaml"
GOLD = "∀x (Cube(x) → Small(x))"
"""Gold formula of all; no text has to be wrong, as a fence around this is right."""
WRONG = ("∃x (Cube(x) ∧ Small(x))", "∀x (Small(x) → Cube(x))", "∀x Cube(x) → ∀x Small(x)", "∀x (Tet(x) → Small(x))")
UNITS = (
    *("(", ")", "∀x ", "¬", "∃y(", "P(x) ∧ ", "{", '"answer": ', "[", "\n", " ", "Cube(x) ↔ ", "\\forall ", "<think>"),
    *("⊤", "=", "\ud800", "\0", "f(", "```"),
)
STRANGE = "\0\a\b\x1b\x7f\x85\u200b\u200d\u202e\u2028\ufeff\ufffe\ud800\udfff\U000e0041\u0301١𝔽∀Ａ"
CODES: tuple[Callable[[str], str], ...] = (
    lambda text: base64.b64encode(text.encode()).decode(),
    lambda text: text.encode().hex(),
    lambda text: codecs.encode(text, "rot13"),
    lambda text: text[::-1],
    quote,
    html.escape,
    lambda text: text.encode("utf-8").decode("latin-1"),
    lambda text: text.encode("utf-7").decode("ascii"),
    lambda text: text.encode("unicode_escape").decode(),
    lambda text: " ".join(str(ord(sign)) for sign in text),
    "\u200b".join,
)


def size(draw: Random, most: int) -> int:
    """Return a length up to ``most``, of which one in two hundred is it, the others short more often than long."""
    return most if draw.random() < 0.005 else round(10 ** draw.uniform(0, 3.3)) % most + 1


def nested(draw: Random, most: int) -> str:
    """Return brackets or prefixes within one another, closed or not."""
    opens, closes = draw.choice([("(", ")"), ("¬", ""), ("∀x ", ""), ("∃y (", ")"), ("not (", ")"), ("¬(", ")")])
    depth = size(draw, most) // len(opens + closes)
    return opens * depth + draw.choice([*WRONG, "Cube(b)", ""]) + closes * (depth - draw.choice([0, 0, 1]))


def repeated(draw: Random, most: int) -> str:
    """Return some units again and again."""
    unit = "".join(draw.choices(UNITS, k=draw.randint(1, 12)))
    length = size(draw, most)
    return (unit * (1 + length // len(unit)))[:length]


def unbalanced(draw: Random, _most: int) -> str:
    """Return a formula with signs inserted or taken away."""
    signs = list(draw.choice((GOLD, *WRONG)))
    for _ in range(draw.randint(1, 8)):
        place = draw.randrange(len(signs))
        signs[place : place + draw.randint(0, 1)] = draw.choice("()[]{}∀∃¬∧∨→↔=,.\"'`$\\") * draw.randint(0, 3)
        signs = signs or ["("]
    return "".join(signs)


def strange(draw: Random, most: int) -> str:
    """Return a formula among surrogates, control characters and signs without a width."""
    text = "".join(draw.choices(STRANGE, k=size(draw, min(most, 20_000))))
    formula = draw.choice(WRONG)
    place = draw.randrange(len(formula))
    return draw.choice([text + formula, formula + text, formula[:place] + text + formula[place:], text])


def bombs(draw: Random, most: int) -> str:
    """Return JSON that is deep, wide, doubled, huge in a number, or cut off."""
    count = size(draw, most) // 8
    given = json.dumps(draw.choice(WRONG))
    return draw.choice(
        [
            '{"a":' * count + given + "}" * count,
            "[" * count + given + "]" * count,
            '{"reasoning":"","answer":' * (count // 4) + given,
            "{" + ",".join(f'"answer":{given}' for _ in range(count // 8)) + "}",
            '{"answer":' + "9" * count + "}",
            '{"answer":1e' + "9" * count + "}",
            '{"reasoning":' + json.dumps("\\" * count) + ',"answer":' + given + "}",
            '{"answer":"' + "\\u0028" * count + '"}',
            '{"answer":' + json.dumps([draw.choice(WRONG)] * (count // 8)) + "}",
            json.dumps({f"k{n}": draw.choice(WRONG) for n in range(count // 16)}),
        ]
    )


def fenced(draw: Random, most: int) -> str:
    """Return fences, boxes and tags, within one another or never closed."""
    formula = draw.choice(WRONG)
    count = size(draw, most) // 12
    return draw.choice(
        [
            f"```json\n{formula}\n" * count,
            "```\n" * count + formula + "\n```" * count,
            "\\boxed{" * count + formula + "}" * count,
            "<think>" * count + formula + "</think>" * draw.choice([0, count]),
            "**" * count + formula + "**" * count,
            "Answer: " * count + formula,
            f"$${formula}$$ " * (count // 4),
            "`" * count + formula,
        ]
    )


def stressing(draw: Random, most: int) -> str:
    """Return what makes backtracking expressions slow: long runs that almost match."""
    count = size(draw, most) // 2
    run = draw.choice(
        [" ", "a", "\n", "\t ", "(x", "- ", "1.", "::", "'", '"', "\\", "∧ ", "is ", ", ", "A_", ".,", "*_"]
    )
    end = draw.choice(["", "!", "\n", '"', ")", "∀x", "The answer is"])
    return draw.choice(["", "Answer: ", "Formula: ", "∀x (", '{"answer": "', "So, "]) + run * count + end


def alternatives(draw: Random, most: int) -> str:
    """Return up to thousands of answers, the right one among them."""
    count = size(draw, most) // 30 + 2
    made = [draw.choice(WRONG) for _ in range(count - 1)]
    made.insert(draw.randrange(count), GOLD)
    made.append(made[0] if made[-1] == GOLD else made[-1])
    joined = draw.choice(["\n", " or ", "; ", "\n\n", " ∨ ", ", ", "\nAnswer: ", " | ", "\n- "])
    return joined.join(made)


def trivial(draw: Random, _most: int) -> str:
    """Return a tautology or a contradiction, small or large, with gold inside."""
    part = draw.choice([GOLD, *WRONG])
    other = draw.choice([GOLD, *WRONG])
    holds = draw.choice(
        [
            f"({part}) ∨ ¬({part})",
            f"({part}) → ({part})",
            f"({part}) ↔ ({part})",
            f"(({part}) ∧ ({other})) → ({part})",
            f"(({part}) → ({other})) ∨ (({other}) → ({part}))",
            f"¬(({part}) ∧ ¬({part}))",
        ]
    )
    text = " ∧ ".join([f"({holds})"] * draw.choice([1, 2, 8, 40]))
    return draw.choice([text, f"¬({text})"])


def gaming(draw: Random, _most: int) -> str:
    """Return an answer of the gaming file, of any task."""
    cases = yaml.safe_load(GAMES.read_text(encoding="utf-8")) if not _GAMES else {}
    _GAMES.extend(answer for case in cases.values() for answer in case["answers"])
    answer = draw.choice(_GAMES)
    shown = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    return draw.choice([shown, json.dumps({"reasoning": "", "answer": answer}, ensure_ascii=False)])


_GAMES: list[object] = []


def encoded(draw: Random, most: int) -> str:
    """Return a formula in a code, once or several times over."""
    text = draw.choice([GOLD, *WRONG])
    for _ in range(draw.randint(1, 3)):
        text = draw.choice(CODES)(text)
    return text[:most]


def hard(draw: Random, _most: int) -> str:
    """Return that some blocks and one more do not fit into holes, or quantifiers in turn: hard to decide."""
    if draw.random() < 0.5:
        return pigeons(draw.randint(2, 9))
    pairs = draw.randint(1, 8)
    prefix = "".join(f"∀x{n} ∃y{n} " for n in range(pairs))
    parts = [f"(Cube(x{draw.randrange(pairs)}) ↔ Small(y{draw.randrange(pairs)}))" for _ in range(2 * pairs)]
    return f"{prefix}({draw.choice([' ∧ ', ' ∨ ']).join(parts)})"


def pigeons(number: int) -> str:
    """Return that so many blocks and one more do not fit: ever harder to prove."""
    names = [f"c{place}" for place in range(number + 1)]
    somewhere = [" ∨ ".join(f"In{hole}({name})" for hole in range(number)) for name in names]
    alone = [
        f"¬(In{hole}({one}) ∧ In{hole}({other}))"
        for hole in range(number)
        for place, one in enumerate(names)
        for other in names[:place]
    ]
    return " ∧ ".join([*(f"({text})" for text in somewhere), *alone])


KINDS: Mapping[str, Callable[[Random, int], str]] = {
    make.__name__: make
    for make in (
        *(nested, repeated, unbalanced, strange, bombs, fenced),
        *(stressing, alternatives, trivial, gaming, encoded, hard),
    )
}


def hostile(count: int, draw: Random, most: int = 1_000_000) -> Iterator[tuple[str, str]]:
    """Yield kinds in turn, each with a text of up to some ``most`` characters."""
    names = list(KINDS)
    for number in range(count):
        name = names[number % len(names)]
        yield name, KINDS[name](draw, most)
