"""Differences between two formulas: what is not marked is the same in both, and marks are few."""

import csv
import random
import re
from collections.abc import Iterator
from itertools import islice
from time import perf_counter
from typing import Any

import pytest
from tests.unit.report.experiment import ROOT

from nlfol.logic.reading import parse
from nlfol.logic.rewriting import edits
from nlfol.report.page import ASSETS

with (ROOT / "resources/datasets/tarski/sentences.csv").open(encoding="utf-8", newline="") as rows:
    GOLD = [row["formula"] for row in csv.DictReader(rows)]
SIGN = re.compile(r"\w+|[^\w\s]")
MARKS = """([first, second, byCharacter]) => {
    const found = difference(first, second, byCharacter ?? false);
    const text = (signs) => signs.map(({before, sign}) => before + sign).join("");
    const said = (parts) => parts.map(({differs, signs}) => [differs, text(signs)]);
    return [said(found.first), said(found.second), found.names && [...found.names]];
}"""


@pytest.fixture(scope="module")
def page(chromium: Any) -> Iterator[Any]:
    opened = chromium.new_page()
    for name in ("page", "difference"):
        opened.add_script_tag(content=(ASSETS / f"{name}.js").read_text(encoding="utf-8"))
    yield opened
    opened.close()


def marked(page: Any, first: str, second: str, by_character: bool = False) -> tuple[list[str], list[str]]:
    """Return what is marked of each, once it is known to be told rightly."""
    one, other, names = page.evaluate(MARKS, [first, second, by_character])
    assert ["".join(text for _, text in parts) for parts in (one, other)] == [first, second]
    called = dict(names or [])
    same = [
        [called.get(sign, sign) if side else sign for own, text in parts if not own for sign in SIGN.findall(text)]
        for side, parts in enumerate((one, other))
    ]
    assert same[0] == same[1]
    only_first, only_second = ([text.strip() for differs, text in parts if differs] for parts in (one, other))
    return only_first, only_second


@pytest.mark.parametrize(
    ("first", "second", "only_first", "only_second"),
    [
        ("∀x (Cube(x) → Small(x))", "∀x (Cube(x) ∧ Small(x))", ["→"], ["∧"]),
        ("Larger(b, c)", "Larger(c, b)", ["b, c"], ["c, b"]),
        ("∃x (Tet(x) ∧ Larger(x, e) ∧ Small(x))", "∃x (Tet(x) ∧ Larger(x, e))", ["∧ Small(x)"], [""]),
        ("∀x Cube(x)", "∀y Cube(y)", [], []),
        ("∀x ∃y Larger(x, y)", "∀y ∃x Larger(x, y)", ["x ∃y"], ["y ∃x"]),
        ("Cube(b)", "Cube(b)", [], []),
        ("Cube(b)", "Tet(c)", ["Cube", "b"], ["Tet", "c"]),
        ("Cube(b)", "Cube (b )", [], []),
    ],
)
def test_formula_diff_marks_only_differences(
    page: Any, first: str, second: str, only_first: list[str], only_second: list[str]
) -> None:
    assert marked(page, first, second) == (only_first, only_second)


def test_expression_diff_compares_characters(page: Any) -> None:
    assert marked(page, "(01)*0", "(01)+0", by_character=True) == (["*"], ["+"])


def test_formula_diff_leaves_equal_parts_unmarked(page: Any) -> None:
    draw = random.Random("differences")
    for gold in draw.sample(GOLD, 40):
        formula = parse(gold)
        for edit in islice(edits(formula), 6):
            other = str(edit.formula)
            one, two = marked(page, str(formula), other)
            assert bool(one or two) == (str(formula) != other)


def test_long_formula_diff_finishes_quickly(page: Any) -> None:
    draw = random.Random("long")
    words = [f"{draw.choice(['Cube', 'Tet', 'Small'])}({draw.choice('bcdef')})" for _ in range(1_500)]
    first = " ∧ ".join(words)
    changed = dict.fromkeys(draw.sample(range(len(words)), 20), "Large(b)")
    second = " ∧ ".join(changed.get(place, word) for place, word in enumerate(words))
    start = perf_counter()
    one, other = marked(page, first, second)
    assert perf_counter() - start < 5
    assert 20 <= len(other) <= 40
    assert len(first) > 15_000
    # Of what is too long to be compared sign by sign, all is marked but the beginning and the end.
    long = " ".join(draw.choice("ab") for _ in range(9_000))
    one, other = marked(page, f"( {long} c )", f"( {long[::-1]} d )")
    assert (len(one), len(other)) == (1, 1)
