"""Rows of the files that users and publishers write, and errors that name the file, the place and the remedy."""

import os
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from nlfol.store import records
from nlfol.store.records import SourceError, Table, json_array, json_lines, read_content, read_table

ROWS = {"name": ["Ann", "Bob, the \u2028 \x85 great"], "text": ["is tall", "sleeps"]}


def table(path: Path) -> Table:
    return read_table(path, read_content(path))


@pytest.mark.parametrize("ending", ["csv", "jsonl", "ndjson", "parquet", "arrow", "feather", "stream.arrow"])
def test_table_reader_yields_same_rows_for_every_format(tmp_path: Path, ending: str) -> None:
    path, frame = tmp_path / f"rows.{ending}", pl.DataFrame(ROWS)
    match ending:
        case "csv":
            frame.write_csv(path, include_bom=True)
        case "parquet":
            frame.write_parquet(path)
        case "arrow" | "feather":
            frame.write_ipc(path, compression="zstd")
        case "stream.arrow":
            frame.write_ipc_stream(path)
        case _:
            frame.write_ndjson(path)
    places = {"csv": ("line 2", "line 3"), "jsonl": ("line 1", "line 2"), "ndjson": ("line 1", "line 2")}
    assert table(path).columns == ["name", "text"]
    assert table(path).rows == list(zip(places.get(ending, ("row 1", "row 2")), frame.to_dicts(), strict=True))


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_csv_reader_skips_blank_lines_and_allows_short_rows(tmp_path: Path, ending: str) -> None:
    path = tmp_path / "rows.csv"
    path.write_bytes(ending.join(["", "a,b", "", "1,2", " ", '"3', '""4"""', ""]).encode())
    assert table(path).rows == [("line 4", {"a": "1", "b": "2"}), ("line 6", {"a": f'3{ending}"4"'})]


GOOD = b'{"a": "x"}\n'


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.csv", b"", "the file is empty"),
        ("a.csv", b" \n", "the file is empty"),
        ("a.csv", b"a,b\ns,caf\xe9,P(a)\n", "line 2: not UTF-8 at byte 9; save it as UTF-8"),
        ("a.csv", b"a,b,c\ns,t,u\ns,t,L(a, b)\n\ns,u,L(b, a)\n", r"header's 3 on line 3, 5; quote .*quotation"),
        ("a.csv", b"a,b,c\n" + b"s,t,L(a, b)\n" * 7, r"on line 2, 3, 4, 5, 6 and 2 others;"),
        ("a.csv", b'a,b\nt,u\n"Bob" sings.,v\n', r"line 3: not a \.csv table: ',' expected"),
        ("a.csv", b'a,b\n"t,P(a)\nu,P(b)\n', r"line 2: not a \.csv table: unexpected end"),
        ("a.csv", b"a,b\nt,u\n" + b"t" * 131_073 + b",u\n", "line 3: a cell of more than 131,072 characters; shorten"),
        ("a.jsonl", b"not json\n", r"line 1: not JSON: .* one JSON object on one line"),
        ("a.jsonl", GOOD + b'\n{"a": "s", "text": "t", "for', "line 3: not JSON"),
        ("a.jsonl", b'{\n"a": "s"\n}\n', "line 1: not JSON"),
        ("a.jsonl", b'[{"a": "s"}]\n', "line 1: not a JSON object"),
        ("a.jsonl", GOOD + b"[" * 100_000, "line 2: not JSON"),
        ("a.jsonl", GOOD + b'{"a": {"b": 1, "b": 2}}\n', "line 2: the key 'b' occurs twice; keep one"),
        ("a.jsonl", b'{"a": ["A\\uD800"]}\n', r"line 1: half a character, '\\ud800'; correct it"),
        ("a.parquet", b"PAR1 no", r"not a \.parquet table"),
        ("a.arrow", b"garbage!", r"not a \.arrow table"),
        ("a.xlsx", b"PK", "unknown file type '.xlsx'"),
    ],
)
def test_table_reader_errors_name_file_and_place(tmp_path: Path, name: str, content: bytes, problem: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(SourceError, match=problem) as caught:
        table(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"{}", "f: not a JSON array"),
        (b"[1]", "f: row 1: not a JSON object"),
        (b"[", "f: not JSON: .*; correct the file, or download it again"),
        (b"\xff", "f: line 1: not UTF-8"),
    ],
)
def test_json_array_reader_requires_objects(content: bytes, problem: str) -> None:
    assert list(json_array("f", b'\xef\xbb\xbf[{"a": 1}, {}]')) == [(1, {"a": 1}), (2, {})]
    with pytest.raises(SourceError, match=problem):
        list(json_array("f", content))


def test_json_lines_reader_decodes_surrogate_escapes() -> None:
    assert list(json_lines("f", b'{"a": "\\ud83d\\ude00"}')) == [(1, {"a": "😀"})]


def test_read_content_rejects_pipes_devices_and_missing_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "zero.csv").symlink_to("/dev/zero")
    for name in ("pipe.csv", "zero.csv"):
        with pytest.raises(SourceError, match=f"{name}: cannot be read .a pipe or device.*correct the key 'path'"):
            read_content(tmp_path / name)
    with pytest.raises(SourceError, match=r"absent: cannot be read .*; correct the key 'patches'"):
        read_content(tmp_path / "absent", "patches")


def test_damaged_arrow_file_raises_source_error(tmp_path: Path) -> None:
    path = tmp_path / "rows.arrow"
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


@pytest.mark.parametrize("ending", ["parquet", "arrow", "stream.arrow"])
@pytest.mark.parametrize(
    ("rows", "counted"),
    [
        ({"item": ["w:0"] * 40_000, "answer": ["∀x P(x)"] * 40_000}, r"80,000 values"),
        ({"item": ["w:0"], "answer": [[7] * 90_000]}, r"90,\d{3} values"),
        ({"item": ["w:0", "w:1"], "answer": ["a" * 600_000] * 2}, r"1,200,\d{3} bytes"),
        ({"item": ["w:0"], "answer": [[{"a": "a" * 600_000}] * 2]}, r"1,200,\d{3} bytes"),
    ],
    ids=["rows", "a long list", "long texts", "texts in lists"],
)
def test_oversized_unpacked_file_is_refused_before_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, rows: dict[str, Any], counted: str
) -> None:
    path, frame = tmp_path / f"rows.{ending}", pl.DataFrame(rows)
    if ending == "parquet":
        frame.write_parquet(path, compression="zstd")
    elif ending == "arrow":
        frame.write_ipc(path, compression="zstd")
    else:
        frame.write_ipc_stream(path, compression="zstd")
    monkeypatch.setattr(records, "MOST_VALUES", 70_000)
    monkeypatch.setattr(records, "MOST_BYTES", 1_000_000)
    with pytest.raises(SourceError, match=rf"{ending}: {counted}.*at most .* are read; split the file"):
        table(path)


def test_unpacked_size_counts_every_dictionary_reference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rows.arrow"
    pl.DataFrame({"answer": pl.Series(["a" * 1_000] * 2_000, dtype=pl.Categorical)}).write_ipc(path)
    assert path.stat().st_size < 100_000
    monkeypatch.setattr(records, "MOST_BYTES", 1_000_000)
    with pytest.raises(SourceError, match="2,000,000 bytes when unpacked"):
        table(path)
