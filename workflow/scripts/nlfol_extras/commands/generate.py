"""``nlfol generate``: a generated set for other tools, and a published digest held against it."""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import typer
from pydantic import ValidationError

from nlfol.cli.options import refusing
from nlfol.data.entries.grammar import GrammarEntry
from nlfol.data.generation import CHUNK, SetDigest, generated
from nlfol.mappings import JsonDict
from nlfol.store.records import SourceError
from nlfol.validation import describe_faults

SUFFIXES = (".jsonl", ".ndjson", ".parquet")


def values_of(text: str) -> list[int] | dict[str, int]:
    """Return the values that an option names; raises ``typer.BadParameter`` if it names none."""
    if match := re.fullmatch(r"(\d+)-(\d+)(?::(\d+))?", text):
        first, last, step = match.groups(default="1")
        return {"from": int(first), "to": int(last), "step": int(step)}
    if re.fullmatch(r"\d+(,\d+)*", text):
        return [int(value) for value in text.split(",")]
    raise typer.BadParameter(f"--values {text!r}: write FROM-TO, FROM-TO:STEP, or numbers with commas between them")


def run(entry: JsonDict, seed: int, output: Path | None, check: str | None) -> None:
    """Write the items, and say on standard error how many there are, what was refused, and the digest of the set.

    ``entry`` has the keys of a dataset's entry; ``output`` is a file of JSON Lines or Parquet, None is standard output.
    Raises ``typer.BadParameter`` if the entry cannot be followed, or the file has another ending, and ``typer.Exit``
    with status 1 if the set has another digest than that to ``check``.
    """
    if output is not None and output.suffix not in SUFFIXES:
        raise typer.BadParameter(f"{output}: writes {', '.join(SUFFIXES)}; give the file one of these endings")
    digest, reasons = SetDigest(), Counter[str]()
    try:
        with refusing(SourceError):
            rows = _items(GrammarEntry.model_validate({"reader": "grammar", **entry}), seed, digest, reasons)
            _write(rows, output, silent=check is not None and output is None)
    except ValidationError as error:
        raise typer.BadParameter(describe_faults(error, "set")) from error
    refused = "".join(f", {count} {reason}" for reason, count in sorted(reasons.items()) if reason != "items")
    typer.echo(f"{reasons['items']} items; refused draws: {refused.removeprefix(', ') or 'none'}", err=True)
    typer.echo(f"SHA-256 of the set: {digest.hex()}", err=True)
    if check is not None and check.lower() != digest.hex():
        typer.echo(f"not the set of {check}: grammar, vocabulary, values, count or seed differ", err=True)
        raise typer.Exit(1)


def _items(entry: GrammarEntry, seed: int, digest: SetDigest, reasons: Counter[str]) -> Iterator[dict[str, object]]:
    for row, ontology in generated(entry, seed):
        digest.add(row)
        reasons[row["reason"] or "items"] += 1
        if row["reason"] is None:
            yield {
                "id": row["item"],
                "language": row["language"],
                "formula": row["formula"],
                "english": row["text"],
                "ontology": ontology.to_row(),
                entry.measure: row["category"],
                "tree": row["tree"],
            }


def _write(rows: Iterator[dict[str, object]], output: Path | None, *, silent: bool) -> None:
    if output is not None and output.suffix == ".parquet":
        _write_parquet(rows, output)
    elif output is not None:
        with output.open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    else:
        for row in rows:
            if not silent:
                sys.stdout.buffer.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
        sys.stdout.buffer.flush()


def _write_parquet(rows: Iterator[dict[str, object]], output: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    from nlfol.store.schemas import TRIPLES

    first = next(rows, None)
    if first is None:
        raise SourceError("no item can be drawn; choose other values")
    measure = next(name for name in first if name not in ("id", "language", "formula", "english", "ontology", "tree"))
    text, number = pa.string(), pa.int32()
    schema = pa.schema(
        [
            *(pa.field(name, text) for name in ("id", "language", "formula", "english")),
            pa.field("ontology", TRIPLES.field("ontology").type),
            pa.field(measure, number),
            pa.field("tree", text),
        ]
    )
    with parquet.ParquetWriter(output, schema) as writer:
        chunk = [first]
        for row in rows:
            chunk.append(row)
            if len(chunk) == CHUNK:
                writer.write_table(pa.Table.from_pylist(chunk, schema=schema))
                chunk = []
        if chunk:
            writer.write_table(pa.Table.from_pylist(chunk, schema=schema))
