"""``nlfol lint``: findings in sentences and their formulas, as JSON Lines, for people, or as annotations of GitHub."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nlfol.cli.lines import Line, LineError, id_of, opened, records, say, text_of, usable, write
from nlfol.cli.options import existing, one_of, refusing
from nlfol.mappings import JsonDict
from nlfol.plugins import placed

if TYPE_CHECKING:
    from nlfol.logic.ontology.files import Ontologies
    from nlfol_extras.lint import Level, Story

_Numbered = tuple[int, JsonDict]
"""The number of a line, and the row that says what is found there, or why it is unusable."""

_TABLES = (".csv", ".parquet", ".arrow", ".feather")


class Format(StrEnum):
    """Forms of output."""

    JSON = "json"
    TEXT = "text"
    GITHUB = "github"


def _levels() -> list[str]:
    from nlfol_extras.lint import Level

    return list(Level)


@placed(after="entails")
def lint(
    files: Annotated[
        list[Path] | None,
        typer.Argument(help="Files of JSON Lines or tables (CSV, Parquet); by default, or with '-', standard input."),
    ] = None,
    *,
    level: Annotated[
        str, one_of(_levels, help="precise: few false alarms; balanced, all: more findings, and more of these.")
    ] = "precise",
    ontology: Annotated[Path | None, typer.Option(help="Ontology of the stories, for nlfol's own English.")] = None,
    form: Annotated[Format, typer.Option("--format", help="github: annotations of a pull request.")] = Format.JSON,
) -> None:
    """Find wrong gold formulas: by form, against their sentences, and in their stories.

    {"id", "story", "text", "formula"} -> {"id", "rule", "confidence", "message", "suggestion"}, a line a finding

    Optional keys: "conclusion": true for what a story does not hold for true, and "ontology". A table has the keys as
    columns. The exit status is 1 if anything is found. docs/lint.md has the rules.
    """
    from nlfol.logic.ontology.ontology import OntologyError
    from nlfol.store.records import SourceError
    from nlfol_extras.lint import Level

    counts: Counter[str] = Counter()
    paths = list(map(existing, files or [Path("-")]))
    with refusing(OntologyError, OSError, SourceError):
        known = None
        if ontology is not None:
            from nlfol.logic.ontology.files import read_ontologies

            known = read_ontologies(ontology)
        for path in paths:
            for line, row in _rows(_lines(path), known, Level(level)):
                counts[row["rule"] or "unusable line"] += 1
                _show(row, f"{path}", line, form)
    for rule, count in counts.most_common():
        say(f"{count:6} {rule}", sys.stderr)
    if counts:
        raise typer.Exit(1)


def _lines(path: Path | None) -> Iterator[tuple[int, Line]]:
    """Yield the lines of a file of JSON Lines, or the rows of a table, each with its number."""
    from nlfol.store.records import SourceError, read_table
    from nlfol.validation import read_bytes

    if path is None or path.suffix.lower() not in _TABLES:
        with opened(path) as source:
            yield from enumerate(records(source), 1)
        return
    table = read_table(path, read_bytes(path))
    for column in ("text", "formula"):
        if table.columns.count(column) != 1:
            raise SourceError(f"{path}: name one column {column!r}; found {table.columns}")
    for place, row in table.rows:
        yield int(place.split()[1]), _of_cells(row)


def _of_cells(row: JsonDict) -> Line:
    """Return the record of a row: keys of empty cells are left out, and texts of truth values and ontologies read."""
    record = {name: cell for name, cell in row.items() if cell not in (None, "") or name in ("text", "formula")}
    if isinstance(truth := record.get("conclusion"), str):
        record["conclusion"] = {"true": True, "false": False}.get(truth.strip().lower(), truth)
    if isinstance(text := record.get("ontology"), str):
        try:
            record["ontology"] = json.loads(text)
        except (ValueError, RecursionError) as error:
            return LineError(f"'ontology' is not JSON: {error}; write it as `generate` does")
    return record


def _rows(lines: Iterable[tuple[int, Line]], ontologies: Ontologies | None, level: Level) -> Iterator[_Numbered]:
    """Yield a row for each finding and unusable line, with the number of its line."""
    from nlfol.logic import to_unicode
    from nlfol_extras.lint import lint as linted

    stories, faults = _stories(lines, ontologies)
    for story in stories:
        for statement, rule, message, meant in linted(story, level):
            row = {"id": statement.id, "rule": rule.name, "confidence": rule.confidence, "message": message}
            yield statement.line, {**row, "suggestion": None if meant is None else to_unicode(meant)}
    yield from faults


def _stories(lines: Iterable[tuple[int, Line]], ontologies: Ontologies | None) -> tuple[list[Story], list[_Numbered]]:
    """Return the stories in the order of their first lines, and the unusable lines; one without a story is its own."""
    from nlfol.logic.ontology.ontology import Ontology, OntologyError
    from nlfol_extras.lint import Statement, Story

    statements: dict[str, list[Statement]] = {}
    given: dict[str, Ontology] = {}
    faults: list[_Numbered] = []
    for number, line in lines:
        try:
            record = usable(line)
            name = json.dumps(record["story"]) if "story" in record else f"line {number}"
            texts = text_of(record, "text"), text_of(record, "formula")
            if not isinstance(is_concluded := record.get("conclusion") or False, bool):
                raise LineError(f"'conclusion' is {is_concluded!r}; write true or false")
            statement = Statement(str(record.get("id", number)), *texts, number, is_concluded)
            if (own := record.get("ontology")) is not None:
                given[name] = Ontology.from_row({"derived": False, "alphabet": "", "noun": "thing", **own})
            elif ontologies and (shared := ontologies.of(str(record.get("story")))):
                given[name] = shared
        except (LineError, OntologyError, KeyError, TypeError) as error:
            problem = (
                str(error) if isinstance(error, ValueError) else f"ontology: {error!r}; write it as `generate` does"
            )
            faults.append((number, {"id": id_of(line), "rule": None, "message": problem, "error": problem}))
        else:
            statements.setdefault(name, []).append(statement)
    return [Story(of_story, given.get(name)) for name, of_story in statements.items()], faults


def _show(row: JsonDict, path: str, line: int, form: Format) -> None:
    if form is Format.JSON:
        write([row])
        return
    meant = f"; perhaps {row['suggestion']}" if row.get("suggestion") else ""
    rule, text = row["rule"] or "unusable line", f"{row['id']}: {row['message']}{meant}"
    if form is Format.TEXT:
        say(f"{path}:{line}: {rule}: {text}")
        return
    # What GitHub takes for the end of a property, or of the command, is escaped.
    path, text = (part.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A") for part in (path, text))
    path = path.replace(":", "%3A").replace(",", "%2C")
    say(f"::warning file={path},line={line},title={rule}::{text}")
