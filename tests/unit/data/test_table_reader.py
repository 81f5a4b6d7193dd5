from pathlib import Path

import pytest

from nlfol.data.entries.table import TableEntry
from nlfol.data.reason import Reason
from nlfol.data.sentences import Dataset, Repair
from nlfol.store.records import SourceError


def table(path: Path) -> Dataset:
    return TableEntry(reader="table", path=str(path)).read()


def csv(tmp_path: Path, text: str) -> Dataset:
    path = tmp_path / "sentences.csv"
    path.write_text(text, encoding="utf-8")
    return table(path)


@pytest.mark.parametrize(
    ("row", "reason", "detail"),
    [
        ("s,,Tall(ann)", Reason.EMPTY_TEXT, "no text"),
        ("s, ,Tall(ann)", Reason.EMPTY_TEXT, "no text"),
        (",Ann.,Tall(ann)", Reason.EMPTY_STORY, "no story"),
        ("s,Ann.,", Reason.EMPTY_FORMULA, "no formula"),
        ("s,Ann.,Tall(ann", Reason.SYNTAX, "column 9"),
        ("s,Ann.,Anti-social(ann)", Reason.SYNTAX, "unexpected character '-'"),
        ('s,Ann.,"∀x Likes(x, y)"', Reason.OPEN_FORMULA, "binds y"),
        ('s,Ann.,"P(a) ∧ P(a, a)"', Reason.ARITY_CONFLICT, "'P' is used with 1 and with 2"),
    ],
)
def test_faulty_rows_are_refused_with_reason(tmp_path: Path, row: str, reason: Reason, detail: str) -> None:
    dataset = csv(tmp_path, f"story,text,formula\n{row}\nt,Bob.,Tall(bob)\n")
    first, second = dataset.sentences
    assert (first.status, first.reason) == ("refused", reason)
    assert first.detail is not None
    assert detail in first.detail
    assert second.status == "usable"


def test_duplicate_row_names_first_occurrence(tmp_path: Path) -> None:
    dataset = csv(tmp_path, "story,text,formula\n" + "s,Ann.,P(ann)\n" * 2 + "t,Ann.,P(ann)\ns,Ann.,Q(ann)\n")
    assert [s.reason for s in dataset.sentences] == [None, Reason.DUPLICATE, None, None]
    assert "as s:0;" in (dataset.sentences[1].detail or "")
    assert len({s.item for s in dataset.sentences}) == 4


def test_duplicate_check_ignores_spacing_and_parentheses(tmp_path: Path) -> None:
    dataset = csv(
        tmp_path, "story,text,formula\ns,All.,∀x(P(x))\ns,All.,∀x  P( x )\ns,All.,∀y P(y)\ns,All.,P(\ns,All.,P(\n"
    )
    assert [s.reason for s in dataset.sentences] == [None, Reason.DUPLICATE, None, Reason.SYNTAX, Reason.DUPLICATE]
    assert "as s:0;" in (dataset.sentences[1].detail or "")


def test_row_without_story_is_identified_by_number(tmp_path: Path) -> None:
    dataset = csv(tmp_path, "story,text,formula\ns,Ann.,P(ann)\n,Bob.,P(bob)\n,Bob.,P(bob)\n")
    assert [s.detail for s in dataset.sentences[1:]] == ["row 2 has no story; name one", "row 3 has no story; name one"]


def test_wide_quantifier_scope_repair_is_recorded(tmp_path: Path) -> None:
    (sentence,) = csv(tmp_path, "story,text,formula\ns,All.,∀x P(x) → Q(x)\n").sentences
    assert sentence.formula == "∀x (P(x) → Q(x))"
    assert sentence.repairs == (Repair("quantifier_scope", "∀x P(x) → Q(x)", "∀x (P(x) → Q(x))"),)


def test_free_numbered_name_reads_as_constant_unless_story_quantifies(tmp_path: Path) -> None:
    rows = 's,Ann was born in 2008.,"Born(ann, y2008)"\nt,All.,∀x1 P(x1)\nt,In 2008.,P(y2008)\nt,It.,∀y2008 P(y2008)\n'
    named, _, refused, bound = csv(tmp_path, f"story,text,formula\n{rows}").sentences
    assert (named.status, named.formula) == ("usable", "Born(ann, y_2008)")
    assert named.repairs == (Repair("name", "y2008", "y_2008"),)
    assert (refused.reason, bound.status) == (Reason.OPEN_FORMULA, "usable")


def test_table_reader_notes_extra_columns_and_keeps_leading_zeros(tmp_path: Path) -> None:
    dataset = csv(tmp_path, "id,story,text,formula\n9,007,Ann.,P(ann)\n")
    assert dataset.sentences[0].item == "007:0"
    assert "['id'] are not used" in dataset.notes[0]


def test_table_reader_accepts_byte_order_mark_and_numeric_stories(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"\xef\xbb\xbfstory,text,formula\n1,Ann.,P(ann)\n")
    assert table(path).sentences[0].item == "1:0"
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"story": 1, "text": "Ann.", "formula": "P(ann)"}\n{"story": 1, "text": null, "formula": "P(b)"}\n'
    )
    assert [s.item for s in table(path).sentences] == ["1:0", "1:1"]


def test_csv_reader_handles_quoted_cells(tmp_path: Path) -> None:
    dataset = csv(tmp_path, 'story,text,formula\ns,"Ann, ""the\ngreat"", sings.","P(a)\n∧ Q(a)"\ns,Ann "Bob" C.,P(c)\n')
    assert [s.text for s in dataset.sentences] == ['Ann, "the\ngreat", sings.', 'Ann "Bob" C.']
    assert [s.formula for s in dataset.sentences] == ["P(a) ∧ Q(a)", "P(c)"]


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.csv", b"story,text,formula\n", "no rows"),
        ("a.csv", b"story,text\ns,t\n", r"no column 'formula'; found \['story', 'text'\]"),
        ("a.csv", b"\xef\xbb\xbf", "no column 'story'"),
        ("a.csv", b"story,text,formula,text\ns,t,P(a),u\n", "the column 'text' occurs twice"),
        ("a.jsonl", b'{"story": "s", "text": ["t"], "formula": "P(a)"}\n', r"line 1: 'text' holds \['t'\] where"),
        ("a.jsonl", b'{"story": true, "text": "t", "formula": "P(a)"}\n', "line 1: 'story' holds True"),
        ("a.jsonl", b'{"story": "s", "text": "t"}\n', "no column 'formula'"),
        ("b.csv", None, "cannot be read .*; correct the key 'path'"),
    ],
)
def test_unreadable_table_files_raise_source_error(
    tmp_path: Path, name: str, content: bytes | None, problem: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SourceError, match=problem) as caught:
        table(path)
    assert name in str(caught.value)
