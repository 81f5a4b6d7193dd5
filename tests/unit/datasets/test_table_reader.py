from pathlib import Path

import polars as pl
import pytest

from nlfol.datasets.errors import DatasetError
from nlfol.datasets.reason import Reason
from nlfol.datasets.sentence import Dataset, Repair
from nlfol.datasets.specification import TableSpecification
from nlfol.datasets.table import read_table

ROWS = {
    "story": ["s", "s", "t"],
    "text": ["Ann is tall.", "All are small.", "  Bob sleeps. "],
    "formula": ["Tall(ann)", "∀x Small(x)", "Sleeps(bob)"],
}


def table(path: Path) -> Dataset:
    return read_table(TableSpecification(reader="table", path=str(path)))


def csv(tmp_path: Path, text: str) -> Dataset:
    path = tmp_path / "sentences.csv"
    path.write_text(text, encoding="utf-8")
    return table(path)


@pytest.mark.parametrize("ending", ["csv", "jsonl", "ndjson", "parquet", "arrow", "feather"])
def test_every_format_says_the_same(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"sentences.{ending}"
    frame = pl.DataFrame(ROWS)
    match ending:
        case "csv":
            frame.write_csv(path)
        case "parquet":
            frame.write_parquet(path)
        case "arrow" | "feather":
            frame.write_ipc(path, compression="zstd")
        case _:
            frame.write_ndjson(path)
    dataset = table(path)
    assert [(s.item, s.text, s.formula, s.status) for s in dataset.sentences] == [
        ("s:0", "Ann is tall.", "Tall(ann)", "usable"),
        ("s:1", "All are small.", "∀x Small(x)", "usable"),
        ("t:0", "Bob sleeps.", "Sleeps(bob)", "usable"),
    ]
    assert dataset.notes == ()
    assert len(dataset.digest) == 64


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
def test_refused_rows(tmp_path: Path, row: str, reason: Reason, detail: str) -> None:
    dataset = csv(tmp_path, f"story,text,formula\n{row}\nt,Bob.,Tall(bob)\n")
    first, second = dataset.sentences
    assert (first.status, first.reason) == ("refused", reason)
    assert first.detail is not None
    assert detail in first.detail
    assert second.status == "usable"


def test_duplicates_name_the_first(tmp_path: Path) -> None:
    dataset = csv(tmp_path, "story,text,formula\n" + "s,Ann.,P(ann)\n" * 2 + "t,Ann.,P(ann)\ns,Ann.,Q(ann)\n")
    assert [s.reason for s in dataset.sentences] == [None, Reason.DUPLICATE, None, None]
    assert "as s:0;" in (dataset.sentences[1].detail or "")
    assert len({s.item for s in dataset.sentences}) == 4


def test_wide_scope_is_recorded(tmp_path: Path) -> None:
    (sentence,) = csv(tmp_path, "story,text,formula\ns,All.,∀x P(x) → Q(x)\n").sentences
    assert sentence.formula == "∀x (P(x) → Q(x))"
    assert sentence.repairs == (Repair("quantifier_scope", "∀x P(x) → Q(x)", "∀x (P(x) → Q(x))"),)


def test_extra_columns_are_told_and_numbers_keep_their_zeros(tmp_path: Path) -> None:
    dataset = csv(tmp_path, "id,story,text,formula\n9,007,Ann.,P(ann)\n")
    assert dataset.sentences[0].item == "007:0"
    assert "['id'] are not used" in dataset.notes[0]


def test_byte_order_mark_and_numbered_stories(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"\xef\xbb\xbfstory,text,formula\n1,Ann.,P(ann)\n")
    assert table(path).sentences[0].item == "1:0"
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"story": 1, "text": "Ann.", "formula": "P(ann)"}\n{"story": 1, "text": null, "formula": "P(b)"}\n'
    )
    assert [s.item for s in table(path).sentences] == ["1:0", "1:1"]


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.csv", b"", "file is empty"),
        ("a.csv", b" \n", "file is empty"),
        ("a.csv", b"story,text,formula\n", "no rows"),
        ("a.csv", b"story,text\ns,t\n", r"no column 'formula'; found \['story', 'text'\]"),
        ("a.csv", b"story,text,formula\ns,caf\xe9,P(a)\n", "not UTF-8 at byte 24"),
        ("a.csv", b"story,text,formula\ns,t,P(a),extra,cells\n", r"not a \.csv table"),
        ("a.jsonl", b"not json\n", r"not a \.jsonl table"),
        ("a.jsonl", b'{"story": "s", "text": 3, "formula": "P(a)"}\n', "column 'text' holds Int64"),
        ("a.parquet", b"PAR1 no", r"not a \.parquet table"),
        ("a.arrow", b"garbage!", r"not a \.arrow table"),
        ("a.xlsx", b"PK", "ending '.xlsx' is not understood"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, name: str, content: bytes, problem: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(DatasetError, match=problem) as caught:
        table(path)
    assert name in str(caught.value)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="key 'path'"):
        table(tmp_path / "absent.csv")
