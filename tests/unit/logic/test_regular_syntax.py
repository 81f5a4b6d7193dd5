"""Trees of regular expressions: interning, flattening, depth; and that the package stands alone."""

import copy
import gc
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from nlfol.interning import interned, sweep
from nlfol.logic import regular
from nlfol.logic.regular import Dialect, ExpressionError, letters, parse, to_text
from nlfol.logic.regular.syntax import (
    EPSILON,
    LETTERS,
    Concatenation,
    Expression,
    Letter,
    Star,
    Union,
    concatenation,
    replace,
    subexpressions,
    union,
)

ZERO, ONE = Letter("0"), Letter("1")


def test_equal_trees_are_identical_objects() -> None:
    assert Star(Concatenation((ZERO, ONE))) is Star(Concatenation((Letter("0"), Letter("1"))))
    assert Star(ZERO) is not Star(ONE)
    assert len({Concatenation((ZERO, ONE)), Union((ZERO, ONE)), Union((ONE, ZERO))}) == 3


def test_nodes_are_immutable() -> None:
    with pytest.raises(AttributeError):
        ZERO.symbol = "1"  # type: ignore[misc]


@pytest.mark.parametrize("symbol", ["", "01", "A", "*", "ä", "٣", " "])
def test_letters_must_be_ascii_digits_or_lower_case(symbol: str) -> None:
    with pytest.raises(ExpressionError, match="is no letter"):
        Letter(symbol)


def test_chains_are_flattened() -> None:
    nested = concatenation((concatenation((ZERO, ONE)), ZERO))
    assert nested is concatenation((ZERO, concatenation((ONE, ZERO)))) is Concatenation((ZERO, ONE, ZERO))
    assert union((union((ZERO, ONE)), ZERO)) is Union((ZERO, ONE, ZERO))
    assert concatenation((ZERO,)) is union((ZERO,)) is ZERO
    assert concatenation(()) is EPSILON
    with pytest.raises(ExpressionError, match="empty language"):
        union(())
    for kind in (Concatenation, Union):
        with pytest.raises(ExpressionError, match="two or more operands"):
            kind((ZERO,))
        with pytest.raises(ExpressionError, match="two or more operands"):
            kind((kind((ZERO, ONE)), ZERO))


def test_replacement_is_flattened_into_surroundings() -> None:
    tree = parse("0(01)*1")
    assert dict(subexpressions(tree))[1, 0] is Concatenation((ZERO, ONE))
    assert replace(tree, (1,), Concatenation((ZERO, ONE))) is parse("0011")
    assert replace(tree, (1, 0, 1), ZERO) is parse("0(00)*1")
    assert replace(tree, (), ONE) is ONE


def test_letters_are_listed_in_order() -> None:
    assert letters(parse("b(a*1)0a")) == "01ab"
    assert letters(EPSILON) == ""
    assert "".join(sorted(LETTERS)) == LETTERS


def test_deep_trees_are_processed_without_recursion() -> None:
    tree: Expression = ZERO
    for _ in range(30_000):
        tree = Star(Concatenation((tree, ONE)))
    assert to_text(tree) == "(" * 30_000 + "0" + "1)*" * 30_000
    assert pickle.loads(pickle.dumps(tree)) is tree
    assert copy.deepcopy(tree) is copy.copy(tree) is tree
    assert letters(tree) == "01"
    del tree


def test_operators_survive_pickling() -> None:
    tree = parse("(0|ε|1?)+(01|a*)b", Dialect.FULL)
    assert pickle.loads(pickle.dumps([tree, tree])) == [tree, tree]


def test_unreferenced_nodes_are_freed() -> None:
    sweep()
    before = len(interned)
    tree = parse("z(y(x(w*v)*u)*t)*s")
    assert len(interned) > before
    del tree
    gc.collect()
    sweep()
    assert len(interned) <= before


def test_interning_is_thread_safe() -> None:
    def build(number: int) -> list[Expression]:
        return [parse(f"(q{'r' * (place % 50)}*)*") for place in range(500)]

    with ThreadPoolExecutor(8) as pool:
        built = list(pool.map(build, range(16)))
    for place in range(500):
        assert len({id(trees[place]) for trees in built}) == 1


def test_regular_import_loads_only_standard_library() -> None:
    """Beside ``nlfol.logic`` itself, which is left empty here."""
    room = Path(regular.__file__).parents[1]
    script = (
        "import types; sys.modules['nlfol.logic'] = empty = types.ModuleType('nlfol.logic'); "
        f"empty.__path__ = ['{room}']; "
        "import nlfol.logic.regular; loaded = {name.split('.')[0] for name in set(sys.modules) - before}; "
        "others = [n for n in sys.modules if n.startswith('nlfol.logic.') and '.regular' not in n]; "
        "print(sorted(loaded - sys.stdlib_module_names), others)"
    )
    folders = [folder for folder in sys.path if folder]
    code = f"import sys; sys.path[:0] = {folders!r}; before = set(sys.modules); {script}"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "['nlfol'] []\n"
