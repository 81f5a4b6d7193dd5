"""The grammar of conditions.

condition  = conjunct { "or" conjunct }         conjunct = negated { "and" negated }
negated    = { "not" } ( comparison | all-different | "(" condition ")" )
comparison = sum ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) sum { … sum }
sum        = [ "-" ] part { ( "+" | "-" ) part }
part       = integer | name | "|" sum "|" | "abs" "(" sum ")" | "(" sum ")"
all-different = "AllDifferentConstraint" "(" "[" sum { "," sum } "]" ")"

Tokens are spelled in one way, each liberty with a repair; pyparsing reads what they make. A sum or a condition may
stand at each place of its grammar; which of them it must be is decided by what stands around it.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate
from typing import Any, NamedTuple, cast

from nlfol.problems.programs.constraints import conditions
from nlfol.problems.programs.outcome import ProgramError, Repair, RepairKind
from nlfol.problems.programs.texts import quoted

MAX_NESTING = 20
"""Brackets within brackets."""

MAX_DIGITS = 18
"""Digits of an integer."""

_REMEMBERED = 5_000

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+)|(?P<name>[^\W\d]\w*)|(?P<sign>[=!<>]=|=[<>]|&&|[-+−–()|\[\],<>=≠≤≥!¬~&∧∨]))", re.ASCII
)
_NAME = re.compile(r"\s*([^\W\d]\w*)")
_SPELLINGS = {
    **dict.fromkeys(("≤", "=<"), "<="),
    **dict.fromkeys(("≥", "=>"), ">="),
    **dict.fromkeys(("−", "–"), "-"),
    **dict.fromkeys(("&&", "&", "∧"), "and"),
    **dict.fromkeys(("!", "¬", "~"), "not"),
    "=": "==",
    "≠": "!=",
    "∨": "or",
}
_WORDS = {
    **dict.fromkeys(("alldifferentconstraint", "alldifferent", "all_different", "distinct"), "AllDifferentConstraint"),
    "and": "and",
    "or": "or",
    "not": "not",
    "abs": "abs",
}

_CONDITIONS = (conditions.Comparison, conditions.AllDifferent, conditions.Negation, conditions.Junction)


class _Token(NamedTuple):
    kind: str
    text: str
    place: int


def read_condition(text: str, line: int, repairs: list[Repair]) -> conditions.Condition:
    """Read a condition; raises ``ProgramError`` if the line is not a condition."""
    import pyparsing as pp

    tokens = _tokens(text, line, repairs)
    deep = _too_deep(tokens)
    # Lines that differ in names alone are parsed once.
    names: dict[str, str] = {}
    words = []
    for kind, word, _ in tokens[:-1][:deep]:
        if kind == "name":
            words.append(names.setdefault(word, f"v{len(names)}"))
        else:
            words.append(word if kind == "number" else kind)
    try:
        return conditions.with_names(_parsed(" ".join(words)), {other: name for name, other in names.items()})
    except pp.ParseBaseException as error:
        index = bisect_left([0, *accumulate(len(word) + 1 for word in words)], error.loc)
        if index == deep:
            raise ProgramError(f"more than {MAX_NESTING} brackets within one another", line) from None
        token = tokens[index]
        shown = quoted(token.text) if token.text else "the end"
        needed = error.msg.removeprefix("Expected ")
        raise ProgramError(f"column {token.place + 1}: {shown} where {needed} is needed", line) from None


@lru_cache(maxsize=_REMEMBERED)
def _parsed(spelled: str) -> conditions.Condition:
    condition, end = _grammar().parse_string(spelled)
    _check(condition, _CONDITIONS, spelled, end)
    return cast("conditions.Condition", condition)


def _tokens(text: str, line: int, repairs: list[Repair]) -> list[_Token]:
    tokens = []
    position, end = 0, len(text.rstrip().removesuffix("."))
    while position < end:
        match = _TOKEN.match(text, position, end)
        if match is None:
            name = _NAME.match(text, position, end)
            if name is None:
                shown = quoted(text[position:end].lstrip()[:1])
                raise ProgramError(f"{shown} is no part of the notation of constraints", line)
            match, kind, word = name, "name", name[1]
        else:
            kind = str(match.lastgroup)
            word = match[kind]
        if kind == "number" and len(word) > MAX_DIGITS:
            raise ProgramError(f"an integer of {len(word)} digits; at most {MAX_DIGITS} are read", line)
        spelled = _SPELLINGS.get(word, word) if kind == "sign" else _WORDS.get(word.lower(), kind)
        if kind != "number" and spelled not in ("name", word):
            repairs.append(Repair(RepairKind.CONNECTIVE, line, f"{word!r} read as {spelled!r}"))
        tokens.append(_Token(spelled, word, match.end() - len(word)))
        position = match.end()
    tokens.append(_Token("end", "", end))
    return tokens


def _too_deep(tokens: Sequence[_Token]) -> int | None:
    """Return how many tokens there are up to the first bracket that is nested too deeply; None if none is."""
    open_brackets: list[str] = []
    before = ""
    for number, token in enumerate(tokens, 1):
        kind = token.kind
        if kind == "|" and before in ("number", "name", ")", "closed"):
            kind = "closed"
        if kind in ("(", "|"):
            open_brackets.append(kind)
            if len(open_brackets) > MAX_NESTING:
                return number
        elif kind in (")", "closed") and open_brackets:
            open_brackets.pop()
        before = kind
    return None


@cache
def _grammar() -> Any:
    """Return the parser of tokens with a blank between two."""
    import pyparsing as pp

    def sign(text: str) -> Any:
        return pp.Suppress(pp.Literal(text).set_name(repr(text)))

    def operators(pattern: str) -> Any:
        return pp.Regex(pattern).set_parse_action(lambda _, position, tokens: (tokens[0], position))

    expression = pp.Forward()
    here = pp.Empty().set_parse_action(lambda _, position, __: position)
    number = pp.Regex(r"\d+").set_parse_action(lambda tokens: conditions.Sum(int(tokens[0])))
    name = pp.Regex(r"(?!(?:and|or|not|abs|AllDifferentConstraint)\b)[^\W\d]\w*")
    name.set_parse_action(lambda tokens: conditions.Sum(0, ((1, tokens[0]),)))
    inside = (expression + here).set_parse_action(_absolute)
    bars = sign("|") - inside - sign("|")
    absolute = pp.Suppress(pp.Keyword("abs")) - sign("(") - inside - sign(")")
    bracket = sign("(") - expression - sign(")")
    part = (name | number | absolute | bars | bracket).set_name("a variable or an integer")
    minus = operators("-?")
    addition = (minus + part + (operators("[+-]") - part)[...] + here).set_parse_action(_summed)
    listed = addition + (sign(",") - addition)[...]
    brackets = (sign("[") - listed - sign("]") | listed).set_name("a variable or an integer")
    different = pp.Suppress(pp.Keyword("AllDifferentConstraint")) - sign("(") - brackets - sign(")")
    different.set_parse_action(lambda tokens: conditions.AllDifferent(tuple(tokens)))
    comparison = minus + part + (operators("[+-]|(?:[=!<>]=|[<>])(?: -)?") - part)[...] + here
    comparison.set_parse_action(_compared)
    operand = (comparison | different).set_name("a variable or an integer")
    first = operators(r"(?:not\b ?)*")
    expression <<= first + operand + (operators(r"(?:and|or)\b(?: not\b)*") - operand)[...] + here
    expression.add_parse_action(_joined)
    return expression + pp.StringEnd().set_name("an operator or the end") + here


def _check(operand: Any, kind: type | tuple[type, ...], text: str, position: int) -> None:
    """Raise pyparsing's error if a sum stands where a condition is needed, or the other way round."""
    from pyparsing import ParseFatalException

    if not isinstance(operand, kind):
        name = "a number, not a condition," if kind is conditions.Sum else "a comparison"
        raise ParseFatalException(text, position, f"Expected {name}")


def _absolute(text: str, _: int, tokens: Any) -> conditions.Sum:
    inside, position = tokens
    _check(inside, conditions.Sum, text, position)
    return conditions.Sum(0, ((1, conditions.Absolute(inside)),))


def _operations(tokens: Any) -> Iterator[tuple[str, Any, int]]:
    """Yield operators with what stands behind each, and the place behind that."""
    positions = [*(position for _, position in tokens[2:-1:2]), tokens[-1]]
    for (operator_, _), operand, position in zip(tokens[0:-1:2], tokens[1::2], positions, strict=True):
        yield operator_, operand, position


def _summed(text: str, position: int, tokens: Any) -> Any:
    total = _compared(text, position, tokens)
    _check(total, conditions.Sum, text, tokens[-1])
    return total


def _compared(text: str, _: int, tokens: Any) -> Any:
    """Return a sum, a comparison or the conjunction of several; or what stands alone."""
    compared: list[conditions.Comparison] = []
    left: Any = None
    sign, parts = "", list[tuple[str, Any, int]]()
    for operation in (*_operations(tokens), ("==", None, tokens[-1])):
        further, __, minus = operation[0].partition(" ")
        if further in conditions.SIGNS:
            position = parts[-1][2]
            right = _added(text, parts)
            if sign:
                _check(left, conditions.Sum, text, position)
                _check(right, conditions.Sum, text, position)
                compared.append(conditions.Comparison(sign, left, right))
            left, sign, parts = right, further, []
        parts.append((minus if further in conditions.SIGNS else further, *operation[1:]))
    if not compared:
        return left
    return compared[0] if len(compared) == 1 else conditions.Junction("and", tuple(compared))


def _added(text: str, parts: Sequence[tuple[str, Any, int]]) -> Any:
    if len(parts) == 1 and not parts[0][0]:
        return parts[0][1]
    constant, terms = 0, list[tuple[int, str | conditions.Absolute]]()
    for sign, part, position in parts:
        _check(part, conditions.Sum, text, position)
        factor = -1 if sign == "-" else 1
        constant += factor * part.constant
        terms += [(factor * inner, term) for inner, term in part.parts]
    return conditions.Sum(constant, tuple(terms))


def _joined(text: str, _: int, tokens: Any) -> Any:
    """Return a condition, or what stands alone: ``and`` binds more tightly than ``or``."""
    conjunctions: list[Any] = []
    conjuncts: list[Any] = []
    end = 0
    for operation, operand, position in _operations(tokens):
        if operation.startswith("or"):
            conjunctions.append(_junction("and", conjuncts, text, end))
            conjuncts = []
        end = position
        if operation.count("not") % 2:
            _check(operand, _CONDITIONS, text, position)
            conjuncts.append(conditions.Negation(operand))
        else:
            conjuncts.append(operand)
    conjunctions.append(_junction("and", conjuncts, text, end))
    return _junction("or", conjunctions, text, end)


def _junction(kind: str, parts: Sequence[Any], text: str, position: int) -> Any:
    if len(parts) == 1:
        return parts[0]
    for part in parts:
        _check(part, _CONDITIONS, text, position)
    return conditions.Junction(kind, tuple(parts))
