"""Every regular expression that reads what models write takes linear time."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from functools import partial
from itertools import islice, product
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import pytest
from tests.growth import seconds, takes_within

import nlfol.logic.reading
import nlfol.problems.programs
import nlfol.tasks
from nlfol.tasks.envelopes import plain

FUNCTIONS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split")

LOCALS: dict[str, Any] = {
    "names": "reasoning|answer",
    "spelled": r"reasoning|final[\s_]answer",
    "before": rf"{plain._DRESS}(?:final answer[\s*_]*:[\s*_]*)?",
    "quote": '"',
    "signs": re.escape("()*+?|ab"),
    "member": SimpleNamespace(english="A cube."),
    "piece": "(of a cube)",
    "symbol": "Larger",
    "by_word": ("true", "false"),
    "sentence": "A cube",
}
"""Values of the local variables that patterns are made of."""

CALLED = {"_FINAL": "match", "_BEST": "match", "_OTHER": "match", "_titles": "match"}
"""The method of patterns that are called by another name."""

SHORT, LONG = 2_500, 10_000
FAST = 0.02  # seconds
MOST_ATTACKS = 400
CHARACTERS = " \n\ta1_#*`{}()[]|\\\"'<>:.,-=?+/"


class Used(NamedTuple):
    """A regular expression with a method of it that is called."""

    name: str
    pattern: re.Pattern[str]
    method: str


MODULES = [
    found.name
    for package in (nlfol.tasks, nlfol.logic.reading, nlfol.problems.programs)
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
]


def _used(module: ModuleType) -> Iterator[Used]:
    source = Path(str(module.__file__)).read_text(encoding="utf-8")
    owners: dict[int, str] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assign | ast.FunctionDef):
            name = node.name if isinstance(node, ast.FunctionDef) else ast.unparse(node.targets[0])
            owners |= {id(part): name for part in ast.walk(node)}  # the innermost comes last
        if not (
            isinstance(node, ast.Call) and ast.unparse(node.func) in {f"re.{each}" for each in ("compile", *FUNCTIONS)}
        ):
            continue
        known = {**LOCALS, **vars(module)}
        flags = [each for each in (*node.args[1:], *(word.value for word in node.keywords)) if _is_flags(each)]
        pattern, *given = (eval(ast.unparse(each), known) for each in (node.args[0], *flags))
        owner = owners.get(id(node), "")
        called = [ast.unparse(node.func).removeprefix("re.")]
        if called == ["compile"]:
            own = set(re.findall(rf"\b{owner}(?:\[\w+\]|\(.*\))?\.({'|'.join(FUNCTIONS)})\(", source)) if owner else ()
            called = sorted(own) or [CALLED.get(owner, "search")]
        for method in called:
            yield Used(f"{module.__name__}:{owner or node.lineno}.{method}", re.compile(pattern, *given), method)


def _is_flags(node: ast.expr) -> bool:
    return re.fullmatch(r"re\.[A-Z]+(?: \| re\.[A-Z]+)*", ast.unparse(node)) is not None


def _choices(node: Any) -> list[str]:
    """Return short texts that an element of a parsed pattern matches, one of each kind."""
    kind, value = str(node[0]), node[1]
    if kind in ("IN", "ANY", "NOT_LITERAL"):
        listed = value if kind == "IN" else ()
        own = [
            chr(part[1] if str(part[0]) == "LITERAL" else part[1][0])
            for part in listed
            if str(part[0]) in ("LITERAL", "RANGE")
        ]
        element = re._parser.SubPattern(re._parser.State(), [node])  # type: ignore[attr-defined]
        fits = re._compiler.compile(element).fullmatch  # type: ignore[attr-defined]
        return [each for each in dict.fromkeys([*own, *CHARACTERS]) if fits(each)]
    if kind == "BRANCH":
        return [text for branch in value[1] for text in _texts(branch)]
    if kind in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return [text * max(1, value[0]) for text in _texts(value[2])]
    if kind in ("SUBPATTERN", "ATOMIC_GROUP"):
        return _texts(value[-1] if kind == "SUBPATTERN" else value)
    return [chr(value)] if kind == "LITERAL" else [""]


def _texts(parsed: Any) -> list[str]:
    """Return texts that a sequence matches: each choice of one element with the first of the others."""
    choices = [_choices(node) for node in parsed]
    first = [texts[0] for texts in choices]
    changed = ((*first[:place], text, *first[place + 1 :]) for place, texts in enumerate(choices) for text in texts)
    return list(dict.fromkeys("".join(parts) for parts in changed))


def _repeated(parsed: Any, lead: str = "") -> Iterator[tuple[str, str]]:
    """Yield what the repetitions of a pattern repeat, each behind a text that leads there."""
    for node in parsed:
        kind, value = str(node[0]), node[1]
        inner = (
            value[1]
            if kind == "BRANCH"
            else [value]
            if kind == "ATOMIC_GROUP"
            else [value[-1]]
            if isinstance(value, tuple)
            else []
        )
        if kind.endswith("REPEAT") and value[1] > 30:
            yield from ((lead, unit) for unit in _texts(value[2]))
        for part in inner:
            if isinstance(part, re._parser.SubPattern):  # type: ignore[attr-defined]
                yield from _repeated(part, lead)
        lead += _choices(node)[0]


def _attacks(pattern: re.Pattern[str]) -> list[tuple[str, str]]:
    parsed = re._parser.parse(pattern.pattern, pattern.flags)  # type: ignore[attr-defined]
    found = list(_repeated(parsed))
    leads = dict.fromkeys(["", *(lead for lead, _ in found)])
    units = dict.fromkeys([*(unit for _, unit in found), *_texts(parsed)])
    attacks = dict.fromkeys([*found, *product(leads, units)])
    return [*islice((each for each in attacks if each[1]), MOST_ATTACKS)]


def _call(used: Used, text: str) -> None:
    method = getattr(used.pattern, used.method)
    found = method("", text) if used.method.startswith("sub") else method(text)
    if used.method == "finditer":
        list(found)


@pytest.mark.parametrize("module", MODULES)
def test_regular_expressions_run_in_linear_time(module: str) -> None:
    for used in _used(importlib.import_module(module)):
        for lead, unit in _attacks(used.pattern):
            short, long = (f"{lead}{unit * (size // len(unit))}\0" for size in (SHORT, LONG))
            if seconds(partial(_call, used, long), 1) > FAST:
                # Quadratic time is 16 times as long.
                assert takes_within(9, partial(_call, used, long), partial(_call, used, short)), (used.name, lead, unit)


def test_pattern_search_covers_all_readers() -> None:
    of_all = (used for module in MODULES for used in _used(importlib.import_module(module)))
    found = {used.name.removeprefix("nlfol.").rpartition(".")[0] for used in of_all}
    assert {"tasks.envelopes.opening:_begins", "tasks.envelopes.plain:_titles", "tasks.envelopes.plain:_FINAL"} <= found
    assert {"tasks.envelopes.objects:_INSIDE", "logic.reading.tolerant.replies:_FENCE"} <= found
    assert len(found) > 80
