"""Count the mutants of a package that its tests kill, to see whether rewritten tests detect as much.

    python benchmarks/mutants.py --package logic [--sample 60] [--tests tests/unit/logic] [--root CHECKOUT]

A mutant changes one expression of a function, or leaves out a call. The sample has the least SHA-256 of function and
expression: two checkouts share it but for functions that differ, in whatever module. One temporary copy holds them all;
MUTANT switches one on. A first run finds the tests that reach each; these are run, then all tests. A mutant is killed
if a test fails or takes far too long.
"""

import argparse
import ast
import json
import os
import subprocess
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory
from typing import Any

SWITCH = """
import json, os, pathlib, resource
resource.setrlimit(resource.RLIMIT_DATA, (8 << 30, 8 << 30))
active, reached, tests, seconds = int(os.environ.get("MUTANT", "-1")), set(), {}, {}

def on(number):
    reached.add(number)
    return number == active

def pytest_runtest_logreport(report):
    seconds[report.nodeid] = seconds.get(report.nodeid, 0) + report.duration
    for number in reached:
        tests.setdefault(number, {})[report.nodeid] = None
    reached.clear()

def pytest_sessionfinish():
    if "REACHED" in os.environ:
        data = {"seconds": seconds, "tests": {number: list(ids) for number, ids in tests.items()}}
        pathlib.Path(os.environ["REACHED"]).write_text(json.dumps(data), encoding="utf-8")
"""
_SWAPPED: dict[type[ast.AST] | str, Any] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd, "any": "all", "all": "any", "min": "max", "max": "min",
}  # fmt: skip


def mutated(node: ast.AST) -> ast.expr | None:
    """Return the mutant of an expression, or of a statement that is one; None if it has none."""
    match node:
        case ast.Compare(left, [operator], right) if type(operator) in _SWAPPED:
            return ast.Compare(left, [_SWAPPED[type(operator)]()], right)
        case ast.BoolOp(operator, values):
            return ast.BoolOp(_SWAPPED[type(operator)](), values)
        case ast.BinOp(left, operator, right) if type(operator) in _SWAPPED:
            return ast.BinOp(left, _SWAPPED[type(operator)](), right)
        case ast.Call(ast.Name(name), arguments, keywords) if name in _SWAPPED:
            return ast.Call(ast.Name(_SWAPPED[name]), arguments, keywords)
        case ast.UnaryOp(ast.Not(), operand):
            return operand
        case ast.Constant(int(value)):
            return ast.Constant(not value if isinstance(value, bool) else value + 1)
        case ast.Expr(ast.Call()):
            return ast.Constant(None)
    return None


class Sites(ast.NodeTransformer):
    """The mutants of a module's functions by their keys, each with a switch if it was chosen.

    Patterns, annotations, defaults, decorators, assertions and f-strings have none.
    """

    def __init__(self, source: str, chosen: dict[str, int] | None = None) -> None:
        self.keys: list[str] = []
        self._chosen = chosen or {}
        self._function = ""
        self._seen: Counter[str] = Counter()
        self.module = ast.unparse(ast.fix_missing_locations(self.visit(ast.parse(source))))

    def visit(self, node: Any) -> Any:  # noqa: D102
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            outer, self._function = self._function, node.name
            node.body = [self.visit(statement) for statement in node.body]
            self._function = outer
        elif isinstance(node, ast.AnnAssign):
            node.value = node.value and self.visit(node.value)
        elif not isinstance(node, ast.pattern | ast.Assert | ast.JoinedStr):
            new = mutated(node) if self._function else None
            return self.generic_visit(node) if new is None else self._site(node, ast.unparse(new))
        return node

    def _site(self, node: Any, new: str) -> Any:
        change = f"{self._function}: {ast.unparse(node)} -> {new}"
        self._seen[change] += 1
        self.keys.append(key := f"{change} ({self._seen[change]})")
        number = self._chosen.get(key)
        old = self.generic_visit(node)
        if number is None:
            return old
        switch: Any = ast.parse(f"({new}) if __import__('mutant_switch').on({number}) else 0").body[0]
        switch.value.orelse = old.value if isinstance(old, ast.Expr) else old
        return switch if isinstance(old, ast.Expr) else switch.value


def copy(root: Path, packages: list[str], size: int, tree: Path) -> list[str]:
    """Copy a checkout with a sample of mutants in it, and return their keys in the order of their numbers."""
    tree.mkdir()
    (tree.parent / "shared").symlink_to(root.parent / "shared")
    for entry in root.iterdir():
        if entry.name in ("workflow", "tests", "benchmarks"):
            copytree(entry, tree / entry.name, ignore=ignore_patterns("__pycache__"))
        elif entry.name not in (".git", ".hypothesis"):
            (tree / entry.name).symlink_to(entry)
    library = tree / "workflow" / "scripts"
    (library / "mutant_switch.py").write_text(SWITCH, encoding="utf-8")
    modules = [module for name in packages for module in sorted((library / "nlfol" / name).rglob("*.py"))]
    keys = {key for module in modules for key in Sites(module.read_text(encoding="utf-8")).keys}
    chosen = sorted(keys, key=lambda key: sha256(key.encode()).digest())[:size]
    numbers = {key: number for number, key in enumerate(chosen)}
    for module in modules:
        module.write_text(Sites(module.read_text(encoding="utf-8"), numbers).module, encoding="utf-8")
    return chosen


def main() -> None:
    """Print what becomes of each mutant, and how many are killed."""
    parser = argparse.ArgumentParser(description="Count the mutants of packages that their tests kill.")
    parser.add_argument("--package", nargs="+", required=True, help="folders of nlfol")
    parser.add_argument("--tests", nargs="+", help="folders of tests; tests/unit/PACKAGE unless given")
    parser.add_argument("--sample", type=int, default=60, help="mutants")
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[1], help="the checkout")
    options = parser.parse_args()
    everything = options.tests or [f"tests/unit/{name}" for name in options.package]
    with TemporaryDirectory() as folder:
        tree, reached = Path(folder, "tree"), Path(folder, "reached.json")
        keys = copy(options.root.resolve(), options.package, options.sample, tree)

        def passes(tests: list[str], seconds: float | None, **variables: str) -> bool:
            command = [sys.executable, "-m", "pytest", "-qx", "-p", "mutant_switch", "-p", "no:cacheprovider", *tests]
            environment = {**os.environ, "PYTHONPATH": str(tree / "workflow" / "scripts"), **variables}
            try:
                run = subprocess.run(command, check=False, cwd=tree, env=environment, timeout=seconds, stdout=-3)
            except subprocess.TimeoutExpired:
                return False
            return run.returncode == 0

        if not passes(everything, None, REACHED=str(reached)):
            sys.exit("the tests fail without a mutant")
        first = json.loads(reached.read_text(encoding="utf-8"))
        killed = 0
        for number, key in enumerate(keys):
            reaching = first["tests"].get(str(number), [])
            limits = [30 + 5 * sum(map(first["seconds"].get, tests)) for tests in (reaching, first["seconds"])]
            alive = not reaching or passes(reaching, limits[0], MUTANT=str(number))
            alive = alive and passes(everything, limits[1], MUTANT=str(number))
            killed += not alive
            print(f"{'SURVIVES' if alive else 'killed'} ({len(reaching)} tests reach it) {key}", flush=True)
    print(f"{killed} of {len(keys)} mutants killed")


if __name__ == "__main__":
    main()
