"""Edits and laws of regular expressions."""

import pytest
from benchmarks.regular import pair

from nlfol.logic.regular import Dialect, EditKind, Law, edits, equivalence, parse, rewrites, to_text
from nlfol.logic.regular.reading import in_dialect


def edited(text: str, kind: EditKind, dialect: Dialect = Dialect.PUBLISHED, alphabet: str = "01") -> list[str]:
    found = edits(parse(text, dialect), alphabet, dialect)
    return [to_text(edit.expression) for edit in found if edit.kind is kind]


@pytest.mark.parametrize(
    ("kind", "text", "results"),
    [
        (EditKind.LETTER, "01", ["11", "00"]), (EditKind.STAR, "0*1", ["(0*1)*", "01", "0**1", "0*1*"]),
        (EditKind.SCOPE, "(01)*", ["01*"]), (EditKind.SCOPE, "01*", ["(01)*"]),
        (EditKind.ORDER, "0110", ["1010", "0101"]), (EditKind.DROP, "01*", ["1*", "0"]),
        (EditKind.DUPLICATE, "01*", ["001*", "01*1*"]), (EditKind.PLUS, "0", []), (EditKind.CONNECTIVE, "01", []),
    ],
)  # fmt: skip
def test_published_dialect_edits_match_expectation(kind: EditKind, text: str, results: list[str]) -> None:
    assert edited(text, kind) == results


@pytest.mark.parametrize(
    ("kind", "text", "results"),
    [
        (EditKind.PLUS, "0+", ["0", "0++"]),
        (EditKind.OPTION, "0", ["0?"]),
        (EditKind.POSTFIX, "0*", ["0+", "0?"]),
        (EditKind.CONNECTIVE, "01", ["0|1"]),
        (EditKind.CONNECTIVE, "(0|1)1", ["0|1|1", "011"]),
        (EditKind.DROP, "0|1", ["1", "0"]),
    ],
)
def test_full_dialect_edits_match_expectation(kind: EditKind, text: str, results: list[str]) -> None:
    assert edited(text, kind, Dialect.FULL) == results


def test_edits_yield_different_trees_in_dialect() -> None:
    changed = 0
    for number in range(80):
        tested = pair(number)
        tree = parse(tested.first, tested.dialect)
        for edit in edits(tree, "01", tested.dialect):
            assert edit.expression is not tree
            assert in_dialect(edit.expression, tested.dialect)
            changed += equivalence(tree, edit.expression).outcome == "not_equivalent"
    assert changed > 500


def test_laws_preserve_language_and_dialect() -> None:
    applied = 0
    for number in range(120):
        tested = pair(number)
        tree = parse(tested.first, tested.dialect)
        for rewrite in rewrites(tree, tested.dialect):
            applied += 1
            assert rewrite.expression is not tree
            assert in_dialect(rewrite.expression, tested.dialect)
            assert equivalence(tree, rewrite.expression).outcome == "equivalent", rewrite
    assert applied > 2_000


@pytest.mark.parametrize(
    ("law", "before", "after"),
    [
        (Law.STAR_OF_STAR, "0**", "0*"), (Law.STAR_OF_STAR, "0*", "0**"), (Law.STAR_OF_STAR, "(0?)+", "0*"),
        (Law.STAR_SQUARED, "0*0*", "0*"), (Law.STAR_COMMUTATION, "01(01)*", "(01)*01"),
        (Law.STAR_COMMUTATION, "0*0", "00*"), (Law.STAR_UNROLLING, "0*", "ε|00*"),
        (Law.STAR_UNROLLING, "ε|01(01)*", "(01)*"), (Law.PLUS_EXPANSION, "0+", "00*"),
        (Law.PLUS_EXPANSION, "1(01)*01", "1(01)+"), (Law.OPTION_EXPANSION, "0?", "ε|0"),
        (Law.OPTION_EXPANSION, "ε|0", "0?"), (Law.SLIDING, "(01)*0", "0(10)*"), (Law.SLIDING, "0(10)*", "(01)*0"),
        (Law.DENESTING, "(0|1)*", "(0*1*)*"), (Law.DENESTING, "(0*1*)*", "(0|1)*"),
        (Law.DENESTING, "(0*1*)*", "(0*1)*0*"), (Law.DENESTING, "(0|1)*", "0*(10*)*"),
        (Law.DISTRIBUTIVITY, "0(1|0)", "01|00"), (Law.DISTRIBUTIVITY, "01|11", "(0|1)1"),
        (Law.COMMUTATIVITY, "0|1", "1|0"), (Law.IDEMPOTENCE, "0|0", "0"), (Law.IDEMPOTENCE, "0", "0|0"),
        (Law.UNIT, "0ε1", "01"),
    ],
)  # fmt: skip
def test_laws_rewrite_examples(law: Law, before: str, after: str) -> None:
    found = {(rewrite.kind, rewrite.expression) for rewrite in rewrites(parse(before, Dialect.FULL), Dialect.FULL)}
    assert (law, parse(after, Dialect.FULL)) in found


def test_change_paths_lead_to_changed_nodes() -> None:
    found = [edit.path for edit in edits(parse("0(11)*")) if edit.kind is EditKind.LETTER]
    assert found == [(0,), (1, 0, 0), (1, 0, 1)]
    slid = [rewrite.path for rewrite in rewrites(parse("1((01)*0)*")) if rewrite.kind is Law.SLIDING]
    assert slid == [(1, 0)]
