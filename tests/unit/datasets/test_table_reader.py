import os
from pathlib import Path

import polars as pl
import pytest

from nlfol.datasets.entries.table import TableEntry
from nlfol.datasets.reason import Reason
from nlfol.datasets.sentences import Dataset, Repair
from nlfol.store.records import SourceError

ROWS = {
    "story": ["s", "s", "t"],
    "text": ["Ann is tall.", "All are small.", "  Bob sleeps. "],
    "formula": ["Tall(ann)", "∀x Small(x)", "Sleeps(bob)"],
}


def table(path: Path) -> Dataset:
    return TableEntry(reader="table", path=str(path)).read()


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


def test_one_formula_written_in_two_ways_is_a_duplicate(tmp_path: Path) -> None:
    dataset = csv(
        tmp_path, "story,text,formula\ns,All.,∀x(P(x))\ns,All.,∀x  P( x )\ns,All.,∀y P(y)\ns,All.,P(\ns,All.,P(\n"
    )
    assert [s.reason for s in dataset.sentences] == [None, Reason.DUPLICATE, None, Reason.SYNTAX, Reason.DUPLICATE]
    assert "as s:0;" in (dataset.sentences[1].detail or "")


def test_a_row_without_a_story_is_named_by_its_number(tmp_path: Path) -> None:
    dataset = csv(tmp_path, "story,text,formula\ns,Ann.,P(ann)\n,Bob.,P(bob)\n,Bob.,P(bob)\n")
    assert [s.detail for s in dataset.sentences[1:]] == [
        "row 2 has no story; name one",
        "row 3 has no story; name one",
    ]


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


GOOD = b'{"story": "s", "text": "t", "formula": "P(a)"}\n'


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_lines_of_white_space_are_no_rows(tmp_path: Path, ending: str) -> None:
    path = tmp_path / "sentences.csv"
    path.write_bytes(ending.join(["", "story,text,formula", "", "s,Ann.,P(ann)", " ", "s,Bob.", "", ""]).encode())
    assert [(s.item, s.text, s.reason) for s in table(path).sentences] == [
        ("s:0", "Ann.", None),
        ("s:1", "Bob.", Reason.EMPTY_FORMULA),
    ]


def test_cells_in_quotation_marks(tmp_path: Path) -> None:
    dataset = csv(tmp_path, 'story,text,formula\ns,"Ann, ""the\ngreat"", sings.","P(a)\n∧ Q(a)"\ns,Ann "Bob" C.,P(c)\n')
    assert [s.text for s in dataset.sentences] == ['Ann, "the\ngreat", sings.', 'Ann "Bob" C.']
    assert [s.formula for s in dataset.sentences] == ["P(a) ∧ Q(a)", "P(c)"]


def test_arrow_streams_are_read(tmp_path: Path) -> None:
    path = tmp_path / "sentences.arrow"
    pl.DataFrame(ROWS).write_ipc_stream(path)
    assert [s.item for s in table(path).sentences] == ["s:0", "s:1", "t:0"]


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.csv", b"", "file is empty"),
        ("a.csv", b" \n", "file is empty"),
        ("a.csv", b"story,text,formula\n", "no rows"),
        ("a.csv", b"story,text\ns,t\n", r"no column 'formula'; found \['story', 'text'\]"),
        ("a.csv", b"story,text,formula\ns,caf\xe9,P(a)\n", "not UTF-8 at byte 24"),
        ("a.csv", b"\xef\xbb\xbf", "no column 'story'"),
        ("a.csv", b"story,text,formula,text\ns,t,P(a),u\n", "the column 'text' occurs twice"),
        (
            "a.csv",
            b"story,text,formula\ns,t,P(a)\ns,t,L(a, b)\n\ns,u,L(b, a)\n",
            r"header's 3 on line 3, 5; quote .*quotation",
        ),
        ("a.csv", b"story,text,formula\n" + b"s,t,L(a, b)\n" * 7, r"on line 2, 3, 4, 5, 6 and 2 others;"),
        ("a.csv", b'story,text,formula\ns,t,P(a)\ns,"Bob" sings.,P(b)\n', r"line 3: not a \.csv table: ',' expected"),
        ("a.csv", b'story,text,formula\ns,"t,P(a)\ns,u,P(b)\ns,v,P(c)\n', r"line 2: not a \.csv table: unexpected end"),
        (
            "a.csv",
            b"story,text,formula\ns,t,P(a)\ns," + b"t" * 131_073 + b",P(a)\n",
            "line 3: a cell of more than 131,072 characters; shorten it",
        ),
        ("a.jsonl", b"not json\n", r"line 1: not JSON: .* one JSON object on one line"),
        ("a.jsonl", GOOD + b'\n{"story": "s", "text": "t", "for', "line 3: not JSON"),
        ("a.jsonl", b'{\n"story": "s"\n}\n', "line 1: not JSON"),
        ("a.jsonl", b'[{"story": "s", "text": "t", "formula": "P(a)"}]\n', "line 1: not a JSON object"),
        ("a.jsonl", GOOD + b"[" * 100_000, "line 2: not JSON"),
        ("a.jsonl", GOOD + b'{"story": "s", "story": "t"}\n', "line 2: the key 'story' occurs twice"),
        (
            "a.jsonl",
            GOOD + b'{"story": "s", "text": ["t", "u"], "formula": "P(a)"}\n',
            r"line 2: 'text' holds \['t', 'u'\]",
        ),
        ("a.jsonl", b'{"story": "s", "text": 3, "formula": "P(a)"}\n', "line 1: 'text' holds 3 where text is expected"),
        ("a.jsonl", b'{"story": true, "text": "t", "formula": "P(a)"}\n', "line 1: 'story' holds True"),
        (
            "a.jsonl",
            b'{"story": "s", "text": "A\\ud800", "formula": "P(a)"}\n',
            "line 1: half a character",
        ),
        ("a.jsonl", b'{"story": "s", "text": "t"}\n', "no column 'formula'"),
        ("a.parquet", b"PAR1 no", r"not a \.parquet table"),
        ("a.arrow", b"garbage!", r"not a \.arrow table"),
        ("a.xlsx", b"PK", "unknown file type '.xlsx'"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, name: str, content: bytes, problem: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(SourceError, match=problem) as caught:
        table(path)
    assert name in str(caught.value)


def test_a_dataset_is_a_file_with_an_end(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "zero.csv").symlink_to("/dev/zero")
    for name in ("pipe.csv", "zero.csv"):
        with pytest.raises(SourceError, match=f"{name}: cannot be read .a pipe or device.*correct the key 'path'"):
            table(tmp_path / name)


def test_a_damaged_arrow_file_is_an_error_wherever_the_damage_is(tmp_path: Path) -> None:
    path = tmp_path / "sentences.arrow"
    pl.DataFrame(ROWS).write_ipc(path)
    content = path.read_bytes()
    problems = []
    for place in range(len(content) * 2 // 3, len(content)):  # the footer, which says where everything is
        path.write_bytes(content[:place] + b"\xff" + content[place + 1 :])
        try:
            table(path)
        except SourceError as error:
            problems.append(str(error))
    assert problems
    assert all(problem.startswith(f"{path}: ") for problem in problems)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="key 'path'"):
        table(tmp_path / "absent.csv")
