"""One answer a line through real pipes, whatever stands in the lines and whoever reads the answers."""

import json
import os
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.property.generated import pairs
from tests.unit.cli.rows import COMMAND, ENVIRONMENT, status

from nlfol.logic.printing import to_unicode

COMMANDS = ("parse", "compare", "entails")
GOOD = {
    "id": "good",
    "text": "Cube(a)",
    "reference": "Cube(a)",
    "candidate": "Cube(b)",
    "premises": ["Cube(a)"],
    "conclusion": "Cube(a)",
}
"""A line that every command can work on."""

BAD_LINES = {
    "nothing": b"",
    "blanks": b"   ",
    "a carriage return": b"\r",
    "no JSON": b"nonsense",
    "half a line": b'{"id": 1, "text": "Cu',
    "a list": b"[1, 2]",
    "a number": b"17",
    "NUL bytes": b"\x00\x00\x00",
    "a NUL in a text": b'{"id": "\x00"}',
    "an escaped NUL": json.dumps(dict.fromkeys(GOOD, "Cube(\0)")).encode(),
    "invalid UTF-8": b'{"id": 1, "text": "\xff\xc3("}',
    "UTF-16": '{"id": 1}'.encode("utf-16-le"),
    "not a number": b'{"id": NaN}',
    "infinity": b'{"id": 1e999}',
    "more digits than are read": b'{"id": ' + b"9" * 10_000 + b"}",
    "nested brackets": b"[" * 100_000,
    "a nested id": b'{"id": ' + b"[" * 990 + b"]" * 990 + b"}",
    "no keys": b"{}",
    "missing keys": b'{"id": 1}',
    "wrong types": json.dumps(dict.fromkeys(GOOD, 5)).encode(),
    "wrong types inside": json.dumps(GOOD | {"text": [], "reference": {}, "premises": ["Cube(a)", None]}).encode(),
    "lone surrogates": json.dumps(dict.fromkeys(GOOD, "\udc80")).encode(),
    "a long text": json.dumps(dict.fromkeys(GOOD, "Cube(a) ∧ " * 100_000)).encode(),
    "a huge line": b'{"id": "' + b"x" * 5_000_000 + b'"}',
    "prose": json.dumps(dict.fromkeys(GOOD, "Every cube is small.") | {"premises": ["Well."]}).encode(),
    "open formulas": json.dumps(dict.fromkeys(GOOD, "Cube(x)") | {"text": "Cube(", "premises": ["Cube(x)"]}).encode(),
    "two arities": json.dumps(
        GOOD | {"text": "", "candidate": "Cube(a, b)", "premises": ["Cube(a)", "Cube(a, b)"]}
    ).encode(),
}


def started(*arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    environment = {**ENVIRONMENT, **options.pop("env", {})}
    pipe = subprocess.PIPE
    return subprocess.Popen([*COMMAND, *arguments], env=environment, stdin=pipe, stdout=pipe, stderr=pipe, **options)


def answers(lines: bytes, *arguments: str, **options: Any) -> list[dict[str, Any]]:
    process = started(*arguments, **options)
    out, errors = process.communicate(lines)
    rows = [json.loads(line, parse_constant=pytest.fail) for line in out.decode().splitlines()]
    failed = sum(bool(row["error"]) for row in rows)
    assert process.returncode == status(rows)
    assert errors.decode() == (f"{failed} of {len(rows)} lines failed: see 'error' in their rows\n" if failed else "")
    return rows


def has_failed(row: dict[str, Any]) -> bool:
    return bool(row["error"]) and (row.get("ok"), row.get("verdict"), row.get("label")) in (
        (False, None, None),
        (None, "invalid", None),
        (None, None, "unknown"),
    )


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
@pytest.mark.parametrize("command", COMMANDS)
def test_stream_commands_answer_every_line(command: str, newline: bytes) -> None:
    good = json.dumps(GOOD).encode()
    lines = [line for bad in BAD_LINES.values() for line in (bad, good)]
    rows = answers(newline.join(lines) + newline, command)
    assert len(rows) == 2 * len(BAD_LINES)
    for name, bad, after in zip(BAD_LINES, rows[::2], rows[1::2], strict=True):
        # A name that nothing binds is a constant of the problem, which is noted.
        assert has_failed(bad) or (command != "parse" and name == "open formulas" and bad["notes"]), name
        assert after["id"] == "good", name
        assert not after["error"], name


@pytest.mark.parametrize("command", COMMANDS)
def test_stream_commands_accept_empty_input_and_unterminated_line(command: str) -> None:
    assert answers(b"", command) == []
    (row,) = answers(json.dumps(GOOD).encode(), command, "-")
    assert row["id"] == "good"


@pytest.mark.parametrize("command", COMMANDS)
def test_stream_commands_flush_after_every_line(command: str) -> None:
    with started(command) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in range(3):
            process.stdin.write(json.dumps(GOOD | {"id": number}).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
        assert process.wait() == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_unusable_input_exits_with_status_2(command: str, tmp_path: Path) -> None:
    for path in ("/no/such/file", str(tmp_path)):
        process = started(command, path)
        out, errors = process.communicate()
        assert (process.returncode, out) == (2, b"")
        assert path.encode() in errors.replace(b"\n", b"")
    closed = started(command, preexec_fn=lambda: os.close(0))
    out, errors = closed.communicate()
    assert (closed.returncode, out) == (2, b"")
    assert b"standard input is closed" in errors


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_closed_output_pipe_stops_work(jobs: str, tmp_path: Path) -> None:
    made = [pair for pair in pairs(Random("closed pipe"), "nested", 50) if pair.kind != "nested negated"]
    texts = [{"id": 0, "reference": to_unicode(pair.first), "candidate": to_unicode(pair.second)} for pair in made]
    easy, hard = json.dumps(GOOD) + "\n", "".join(json.dumps(text) + "\n" for text in texts)
    path = tmp_path / "pairs.jsonl"
    path.write_text(easy * 400 + hard * 100)
    with started("compare", str(path), "--jobs", jobs) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert json.loads(process.stdout.readline())["id"] == "good"
        process.stdout.close()
        # All 15,000 hard lines would take an hour: that this comes back at all is the test.
        assert process.wait() != 2
        assert process.stderr.read() == b""


def test_compare_output_is_independent_from_order_jobs_and_hash_seed(tmp_path: Path) -> None:
    counts = {"prenex": 2, "nested": 1, "terms": 25}
    made = [pair for kind, count in counts.items() for pair in pairs(Random(f"order {kind}"), kind, count)]
    lines = [
        json.dumps({"id": n, "reference": to_unicode(pair.first), "candidate": to_unicode(pair.second)})
        for n, pair in enumerate(made)
    ]
    assert len(lines) > 100

    def judged(order: int, jobs: str, seed: str) -> list[str]:
        text = "\n".join(lines[::order]) + "\n"
        options = ("--jobs", jobs, "--rlimit", "5000")
        rows = answers(text.encode(), "compare", *options, env={"PYTHONHASHSEED": seed})
        return [json.dumps(row | {"seconds": 0}) for row in rows][::order]

    first = judged(1, "1", "1")
    assert [json.loads(row)["id"] for row in first] == list(range(len(lines)))
    assert {json.loads(row)["verdict"] for row in first} >= {"equivalent", "not_equivalent"}
    assert judged(-1, "2", "2") == first
