"""Reading grammars: those that are shipped, anybody's own, and what is refused by name."""

from pathlib import Path

import pytest

from nlfol.data.grammars.counting import AdditiveCounts
from nlfol.data.grammars.files import SHIPPED, read_grammar
from nlfol.data.grammars.grammar import GrammarError

PLAIN = """
language: propositional
start: S
rules:
  S: ["(S ∧ S)", "¬LETTER", "LETTER"]
costs:
  operators: {"¬": 1, "∧": 1}
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_grammars_have_countable_derivations(name: str) -> None:
    counts = AdditiveCounts(read_grammar(name), ["depth"])
    assert sum(counts.count(depth) for depth in range(1, 8)) > 0


def test_custom_grammar_is_read_from_path(tmp_path: Path) -> None:
    grammar = read_grammar(written(tmp_path, PLAIN))
    assert grammar.costs == ("operators",)
    assert [AdditiveCounts(grammar, ["operators"]).count(value) for value in range(3)] == [1, 2, 4]


def test_documented_grammar_example_reads(tmp_path: Path) -> None:
    text = (Path(__file__).parents[3] / "docs" / "grammars.md").read_text(encoding="utf-8")
    section = text.partition("## A grammar of your own")[2]
    example = section.split("```yaml\n", 1)[1].split("```", 1)[0]
    assert len(read_grammar(written(tmp_path, example)).alternatives) == 9


def test_grammar_digest_depends_on_rules_only(tmp_path: Path) -> None:
    one = read_grammar(written(tmp_path, PLAIN)).digest
    assert read_grammar(written(tmp_path, PLAIN.replace("(S ∧ S)", "(S∧S)"))).digest == one
    assert read_grammar(written(tmp_path, PLAIN.replace("(S ∧ S)", "(S ∨ S)").replace('"∧"', '"∨"'))).digest != one


def test_grammar_parameter_repeats_nonterminal() -> None:
    grammar = read_grammar("k_sat", {"clause": 2})
    assert sorted(map(str, grammar.alternatives)) == ["( P ∨ P )", "C", "LETTER", "S ∧ C", "¬ LETTER"]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("start: S", "start: T", "start: there is no rule 'T'"),
        ("language: propositional", "language: latin", "language: "),
        ('"LETTER"]', '"DOG"]', "rule S: 'DOG': column 1: 'DOG' is neither a rule nor one of the slots LETTER"),
        ('"LETTER"]', '"LETTER", "SS"]', "put a blank between two names"),
        ('"LETTER"]', '"LETTER", "(S ∧)"]', "rule S: '(S ∧)': unexpected ')'"),
        ('"LETTER"]', '"LETTER", "S ∨ S"]', "rule S: S can become a formula that would be grouped otherwise"),
        ('"LETTER"]', '"LETTER", "( LETTER )"]', None),
        ('"LETTER"]', '"LETTER", "LETTER"]', "the alternative 'LETTER' occurs twice"),
        ('"LETTER"]', '"LETTER", "S"]', "S → S adds nothing"),
        ('"LETTER"]', '"LETTER", "T"]\n  T: ["LETTER"]', "ambiguous: 'LETTER' is derived by S → LETTER and by S → T"),
        ('"LETTER"]', '"LETTER"]\n  T: ["LETTER"]', "rule T: nothing in S leads to it"),
        ('"LETTER"]', '"LETTER", "T"]\n  T: ["(T ∨ T)"]', "rule T: it never comes to an end"),
        ('"LETTER"]', '"LETTER"]\n  LETTER: ["S"]', "rule LETTER: that is a slot"),
        ('"LETTER"]', '"LETTER"]\n  S: ["LETTER"]', "the key 'S' occurs twice"),
        ('{"¬": 1', '{"¬": -1', "costs.operators.¬"),
        ('{"¬": 1', '{"(S → S)": 1', "'(S → S)' is no alternative of any rule, and no sign"),
        ("costs:", 'published:\n  S: ["S # S"]\ncosts:', "rule S: 'S # S': column 3: '#' is no sign of the language"),
        ("operators:", "depth:", "'depth' is counted in every grammar"),
        ("rules:", "rulez:", "rulez"),
    ],
)
def test_grammar_error_names_problem_and_file(tmp_path: Path, old: str, new: str, problem: str | None) -> None:
    assert old in PLAIN
    path = written(tmp_path, PLAIN.replace(old, new, 1))
    if problem is None:  # parentheses make another text of the same formula
        read_grammar(path)
        return
    with pytest.raises(GrammarError) as raised:
        read_grammar(path)
    assert problem in str(raised.value)
    assert str(path) in str(raised.value)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            'language: regular\nstart: S\nrules:\n  S: ["S S", "Σ"]\n',
            "ambiguous: 'DIGIT DIGIT DIGIT' is derived by S → S S, S → DIGIT, S → S S, .* and by",
        ),
        (
            'language: first_order\nstart: S\nrules:\n  S: ["∀VARIABLE T"]\n  T: ["PREDICATION ∧ PREDICATION"]\n',
            "rule S: T can become a formula that would be grouped otherwise here",
        ),
        ("", r"mine\.yaml: file: must be a mapping of keys to values"),
    ],
    ids=["a chain without parentheses", "a quantifier reaching past its operand", "an empty file"],
)
def test_unusable_grammar_file_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(GrammarError, match=problem):
        read_grammar(written(tmp_path, text))


def test_infinitely_many_derivations_are_refused_naming_rule() -> None:
    with pytest.raises(GrammarError, match="infinitely many derivations have the same operators: Q → Q costs nothing"):
        AdditiveCounts(read_grammar("first_order"), ["operators"])


@pytest.mark.parametrize("content", [b"\xff", b"- 1", b"{", b"[" * 5000, b"{" * 1_000_000])
def test_non_grammar_content_is_refused_naming_file(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "mine.yaml"
    path.write_bytes(content)
    with pytest.raises(GrammarError, match=r"mine\.yaml"):
        read_grammar(path)


def test_missing_grammar_file_error_lists_shipped_grammars(tmp_path: Path) -> None:
    with pytest.raises(GrammarError, match=r"cannot be read .*give a path, or one of k_sat, propositional"):
        read_grammar(tmp_path / "none.yaml")


@pytest.mark.parametrize(
    ("name", "clause", "problem"),
    [("propositional", 3, "no parameter 'clause'; the grammar has none"), ("k_sat", 61, "more than 60; split it")],
)
def test_unknown_or_excessive_parameter_is_refused(name: str, clause: int, problem: str) -> None:
    with pytest.raises(GrammarError, match=problem):
        read_grammar(name, {"clause": clause})
