"""Judge released programs of checks for AR-LSAT, and decide each by a search of our own.

    python benchmarks/arlsat.py FOLDER [--nodes 20000]

A folder holds, at any depth, Logic-LM's files ``AR-LSAT_*.json``. Of each file the table says how many programs have
one answer, and are right; how many have none because several checks succeed or none does, the constraints contradict
one another, or there is no reading; and how many would be right for a solver that takes the first check that succeeds,
as Logic-LM's does.

The search shares nothing with the library but the programs that it executes. Lines are read as Python's expressions,
never evaluated as such. Values of functions are tried one after another, only where a constraint asks for them, and a
constraint that is false whatever the other values ends a branch. Numbers without bounds are tried from -1 to one more
than the greatest in the program, so that the search is exact where all are bounded. A program whose options differ is
listed, with both verdicts.

Measured with 3,000 nodes: of 462 programs of GPT-3.5 and text-davinci-003, 25 have one answer, right for 17, and 26
would be right for a solver that takes the first. Of 173 that are executed, the search agrees on 113, gives up on 35 and
does not read 25, such as those with Python's ``||``; it differs on none.
"""

import argparse
import ast
import json
import operator
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from nlfol.problems.programs import Execution, Outcome, execute

NODES = 20_000
"""Assignments that are tried for a program."""

_SCOPE = re.compile(r"\[\s*(\w+\s*:\s*\w+(?:\s*,\s*\w+\s*:\s*\w+)*)\s*\]")
_OPERATIONS: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Mod: operator.mod,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
}

Cell = tuple[Any, ...]
_Operation = Callable[..., Any]
_Wanted = tuple[ast.expr, Mapping[str, Any], bool]


class UnreadError(Exception):
    """A program that the search cannot read."""


class GaveUpError(Exception):
    """More assignments than are tried."""


class Open:
    """A value that depends on that of a cell: a function at arguments, or a variable outside its quantifier."""

    def __init__(self, cell: Cell) -> None:
        self.cell = cell


class Search:
    """The structures of a program."""

    def __init__(self, text: str, nodes: int = NODES) -> None:
        head, _, rest = text.partition("# Constraints")
        lines, _, options = rest.partition("# Options")
        if not options:
            raise UnreadError("no sections")
        self.left = nodes
        self.sorts: dict[str, list[Any]] = {"bool": [False, True]}
        self.functions: dict[str, list[str]] = {}
        self.members: set[str] = set()
        stated = []
        for line in _lines(head.partition("# Declarations")[2]):
            name, _, inside = (part.strip() for part in line.partition("="))
            if inside.startswith("EnumSort"):
                members = [part.strip(" '\"") for part in inside[len("EnumSort([") : -2].split(",")]
                self.sorts[name] = [int(part) if part.isdigit() else part for part in members]
                self.members.update(part for part in members if not part.isdigit())
            elif inside.startswith("Function"):
                self.functions[name] = re.findall(r"\w+", inside)[1:]
            else:
                stated.append(line)
        numbers = [int(number) for number in re.findall(r"\b\d{1,9}\b", text)]
        self.window = list(range(-1, max(numbers, default=0) + 2))
        self.outside = {
            name: sort for scope in _SCOPE.findall(text) for name, sort in re.findall(r"(\w+)\s*:\s*(\w+)", scope)
        }
        self.constraints = [part for line in [*stated, *_lines(lines)] for part in self._instances(_parsed(line), {})]
        self.options = [_parsed(line) for line in _lines(options) if not line.startswith("Question")]

    def _instances(self, node: ast.expr, env: Mapping[str, Any]) -> Iterator[tuple[ast.expr, Mapping[str, Any]]]:
        """Yield the parts that a constraint is a conjunction of."""
        if isinstance(node, ast.Call) and _name(node) == "ForAll":
            for inner in self._over(node, env):
                yield from self._instances(node.args[1], inner)
        elif isinstance(node, ast.Call) and _name(node) == "And":
            for part in node.args:
                yield from self._instances(part, env)
        else:
            yield node, env

    def _over(self, node: ast.Call, env: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        scope = node.args[0]
        if not isinstance(scope, ast.Constant) or not isinstance(scope.value, str):
            raise UnreadError("no scope")
        pairs = re.findall(r"(\w+)\s*:\s*(\w+)", scope.value)
        if any(sort not in self.sorts for _, sort in pairs):
            raise UnreadError("a scope without end")
        for values in product(*(self.sorts[sort] for _, sort in pairs)):
            yield {**env, **dict(zip((name for name, _ in pairs), values, strict=True))}

    # Search

    def check(self, node: ast.expr) -> bool:
        """Decide the check of an option."""
        if not isinstance(node, ast.Call):
            raise UnreadError("no check")
        name, (asked,) = _name(node), node.args
        parts = asked.elts if isinstance(asked, ast.List) else [asked]
        if name == "is_exception":
            return not self.check(asked)
        if name == "is_accurate_list":
            denied: list[_Wanted] = [(part, {}, False) for part in parts]
            return not self.solve(denied) and all(self.solve([(part, {}, True)]) for part in parts)
        if name == "is_valid":
            return not self.solve([(asked, {}, False)])
        return self.solve([(part, {}, True) for part in parts]) == (name == "is_sat")

    def solve(self, wanted: Sequence[_Wanted] = ()) -> bool:
        """Return whether a structure meets the constraints, and gives some expressions the values wanted."""
        return self._solve([*((node, env, True) for node, env in self.constraints), *wanted], {})

    def _solve(self, wanted: Sequence[_Wanted], cells: dict[Cell, Any]) -> bool:
        self.left -= 1
        if self.left < 0:
            raise GaveUpError
        still, branch = [], None
        for node, env, value in wanted:
            found = self._value(node, env, cells)
            if isinstance(found, Open):
                still.append((node, env, value))
                branch = branch or found.cell
            elif found is not value:
                return False
        if branch is None:
            return True
        return any(self._solve(still, {**cells, branch: choice}) for choice in self._domain(branch))

    def _domain(self, cell: Cell) -> Sequence[Any]:
        name, *arguments = cell
        *sorts, result = self.functions[name] if arguments else [self.outside[name]]
        listed = all(
            sort not in self.sorts or value in self.sorts[sort] for value, sort in zip(arguments, sorts, strict=True)
        )
        values = self.sorts.get(result, self.window)
        return self.window if values and isinstance(values[0], int) and result != "bool" and not listed else values

    # Values: those of an expression, or Open

    def _value(self, node: ast.expr, env: Mapping[str, Any], cells: Mapping[Cell, Any]) -> Any:
        match node:
            case ast.Constant(value):
                return value
            case ast.Name(name):
                if name in env or name in self.members:
                    return env.get(name, name)
                if name not in self.outside:
                    raise UnreadError(f"no {name}")
                return cells.get((name,), Open((name,)))
            case ast.UnaryOp(ast.USub(), inner):
                found = self._value(inner, env, cells)
                return found if isinstance(found, Open) else -found
            case ast.UnaryOp(ast.Not(), inner):
                found = self._value(inner, env, cells)
                return found if isinstance(found, Open) else not found
            case ast.BinOp(left, sign, right):
                return self._operation([left, right], _OPERATIONS[type(sign)], env, cells)
            case ast.BoolOp(sign, parts):
                return self._joined([(part, env) for part in parts], isinstance(sign, ast.Or), cells)
            case ast.Compare(left, [ast.In()], [ast.List(parts)]):
                same = [ast.Compare(left, [ast.Eq()], [part]) for part in parts]
                return self._joined([(part, env) for part in same], True, cells)
            case ast.Compare(left, [sign], [right]) if type(sign) in _OPERATIONS:
                return self._operation([left, right], _OPERATIONS[type(sign)], env, cells)
            case ast.Call():
                return self._call(node, env, cells)
        raise UnreadError(ast.unparse(node))

    def _operation(
        self,
        parts: Sequence[ast.expr],
        operation: Callable[..., Any],
        env: Mapping[str, Any],
        cells: Mapping[Cell, Any],
    ) -> Any:
        values = [self._value(part, env, cells) for part in parts]
        return next((value for value in values if isinstance(value, Open)), None) or operation(*values)

    def _joined(self, parts: Any, decisive: bool, cells: Mapping[Cell, Any]) -> Any:
        """Return a disjunction, if what is true decides it, or a conjunction."""
        unknown = None
        for part, env in parts:
            found = self._value(part, env, cells)
            if isinstance(found, Open):
                unknown = unknown or found
            elif found is decisive:
                return decisive
        return unknown or not decisive

    def _call(self, node: ast.Call, env: Mapping[str, Any], cells: Mapping[Cell, Any]) -> Any:
        name, args = _name(node), node.args
        if name in self.functions:
            if len(args) != len(self.functions[name]) - 1:
                raise UnreadError(f"arguments of {name}")
            return self._operation(args, lambda *values: cells.get((name, *values), Open((name, *values))), env, cells)
        if isinstance(args[0], ast.Constant) and isinstance(args[0].value, str):
            inner = [(args[1], each) for each in self._over(node, env)]
            if name in ("ForAll", "Exists"):
                return self._joined(inner, name == "Exists", cells)
            values = [self._value(part, each, cells) for part, each in inner]
            unknown = next((value for value in values if isinstance(value, Open)), None)
            return unknown or (sum(values) if name == "Count" else len(set(values)) == len(values))
        parts = args[0].elts if len(args) == 1 and isinstance(args[0], ast.List) else args
        if name in ("And", "Or"):
            return self._joined([(part, env) for part in parts], name == "Or", cells)
        if name == "Implies":
            return self._joined([(ast.UnaryOp(ast.Not(), parts[0]), env), (parts[1], env)], True, cells)
        plain: dict[str, Callable[..., Any]] = {
            "Not": operator.not_,
            "Abs": abs,
            "abs": abs,
            "Xor": operator.xor,
            "If": lambda test, then, other: then if test else other,
            "Distinct": lambda *values: len(set(values)) == len(values),
        }
        if name not in plain:
            raise UnreadError(name)
        return self._operation(parts, plain[name], env, cells)


def _lines(text: str) -> Iterator[str]:
    yield from (code for line in text.split("\n") if (code := line.partition(":::")[0].strip()))


def _parsed(line: str) -> ast.expr:
    try:
        return ast.parse(_SCOPE.sub(r"'\1'", line), mode="eval").body
    except (SyntaxError, RecursionError, ValueError) as error:
        raise UnreadError(str(error)) from error


def _name(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else ""


def searched(text: str, nodes: int = NODES) -> list[bool] | str:
    """Return whether each check succeeds, ``contradictory``, ``unread`` or ``gave up``."""
    try:
        search = Search(text, nodes)
        return [search.check(option) for option in search.options] if search.solve() else "contradictory"
    except (UnreadError, KeyError, TypeError, ValueError, IndexError):
        return "unread"
    except GaveUpError:
        return "gave up"


def first_of(execution: Execution) -> str | None:
    """Return the first option whose check succeeds; contradictory constraints are not told here."""
    return next((letter for letter, holds in execution.trace.get("options", {}).items() if holds), None)


def judged(path: Path, nodes: int = NODES) -> tuple[Counter[str], list[str]]:
    """Return the counts of a file, and a line for each program on which both disagree."""
    counts: Counter[str] = Counter()
    differing = []
    for row in json.loads(path.read_text(encoding="utf-8")):
        written = row["raw_logic_programs"]
        text = written if isinstance(written, str) else written[0]
        found = execute("checks", text, row["options"])
        counts["programs"] += 1
        counts[found.failure or found.outcome] += 1
        counts["right"] += found.answer == row["answer"]
        counts["right, first"] += first_of(found) == row["answer"]
        if found.outcome is Outcome.UNPARSABLE or found.failure not in (None, "contradictory"):
            continue
        ours = list(found.trace["options"].values()) if found.trace else "contradictory"
        other = searched(text, nodes)
        verdict = other if other in ("unread", "gave up") else "agreed" if other == ours else "differs"
        counts[f"search {verdict}"] += 1
        if verdict == "differs":
            differing.append(f"{path.name} {row['id']}: Z3 {ours}, search {other}")
    return counts, differing


def main() -> None:
    """Print the counts of each file, then the disagreements."""
    parser = argparse.ArgumentParser(description="Released programs for AR-LSAT, by Z3 and by search.")
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--nodes", type=int, default=NODES, help="assignments that are tried for a program")
    options = parser.parse_args()
    differing = []
    for path in sorted(options.folder.rglob("AR-LSAT_*.json")):
        counts, lines = judged(path, options.nodes)
        differing += lines
        print(path.name, *(f"  {name}: {count}" for name, count in sorted(counts.items())), sep="\n")
    print(f"{len(differing)} disagreements", *differing, sep="\n")


if __name__ == "__main__":
    main()
