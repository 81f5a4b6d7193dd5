"""Formulas and programs without their vocabulary: what stays when symbols are renamed and sentences reworded.

A line is its shape, which has numbers in place of names (``programs.symbols``). The lines of a program share symbols,
so each symbol is told apart by where it occurs, in rounds, as the vertices of a graph are in colour refinement
(Weisfeiler and Leman): programs that differ in names or in the order of their lines have one digest. Different programs
may rarely have one, too; nothing is lost by that but an example.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

from nlfol.languages.language import LanguageName, ReadingError
from nlfol.languages.registry import LANGUAGES
from nlfol.problems.gold import gold_lines
from nlfol.problems.problem import Problem
from nlfol.programs.formulas import maps
from nlfol.programs.language import QUERY
from nlfol.programs.symbols import LineError, Numbered, Symbol
from nlfol.store.canonical import canonical, sha256

_REMEMBERED = 5_000
"""Trees that are kept: each step of a dialogue, under each seed, is about the same."""


@lru_cache(maxsize=_REMEMBERED)
def formula_tree(language: LanguageName, text: str) -> str | None:
    """SHA-256 of a formula, or regular expression, without its vocabulary; None if it cannot be read.

    Args:
        language: of the text.
        text: in canonical notation.
    """
    try:
        sentence = LANGUAGES[language].parse(text)
    except ReadingError:
        return None
    if language == "regular":
        return sha256(f"regular {_without_letters(text)}")
    return sha256(f"formula {_shape(maps.numbered(sentence))}")


@lru_cache(maxsize=_REMEMBERED)
def program_tree(problem: Problem) -> str | None:
    """SHA-256 of a problem's gold program without its vocabulary; None if it is missing or cannot be read."""
    placed = [("statement", statement.line) for statement in problem.statements]
    placed.append((QUERY, problem.question.line))
    placed += [("option", option.line) for option in problem.options]
    lines = [(place, line) for place, line in placed if line is not None]
    if problem.language is None or not lines:
        return None
    gold = gold_lines(problem)
    language = gold.language.within(gold)
    try:
        numbered = [(place, language.numbered((line,))) for place, line in lines]
    except LineError:
        return None
    return sha256(canonical([problem.language, *_signatures(numbered)]))


def _signatures(lines: Sequence[tuple[str, Numbered]]) -> list[str]:
    """What is said in each place, with what tells its symbols apart, in an order of its own."""
    colours = {symbol: f"{symbol.kind} {symbol.arity}" for _, said in lines for symbol in said.symbols}
    while True:
        signatures = [
            sha256(canonical([place, _shape(said), *(colours[symbol] for symbol in said.symbols)]))
            for place, said in lines
        ]
        occurrences = defaultdict[Symbol, list[str]](list)
        for signature, (_, said) in zip(signatures, lines, strict=True):
            for number, symbol in enumerate(said.symbols):
                occurrences[symbol].append(f"{signature} {number}")
        finer = {
            symbol: sha256(canonical([colour, *sorted(occurrences[symbol])])) for symbol, colour in colours.items()
        }
        if len(set(finer.values())) == len(set(colours.values())):
            return sorted(signatures)
        colours = finer


def _shape(said: Numbered) -> str:
    # The names of variables begin with as many z as none of the formula's own does.
    return re.sub(r"\bz+(?=\d)", "z", repr(said.shape))


def _without_letters(expression: str) -> str:
    """A regular expression with numbers for its letters, by their first places."""
    numbers = {letter: str(number) for number, letter in enumerate(dict.fromkeys(filter(str.isalnum, expression)))}
    return "".join(f"<{numbers[sign]}>" if sign in numbers else sign for sign in expression)
