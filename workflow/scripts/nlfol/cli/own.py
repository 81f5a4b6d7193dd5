"""``nlfol score --own``: programs in a vocabulary of their own, judged by anchored definitions, story by story."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict, cast

from nlfol.cli.lines import Line, LineError, opened, records, usable
from nlfol.logic import parse
from nlfol.mappings import JsonObject
from nlfol.problems.alignment import Known, judge_story
from nlfol.problems.alignment.own import OwnProgram, plain_sentence, read_own_program
from nlfol.problems.programs.outcome import ProgramError
from nlfol.problems.programs.symbols import Symbol, SymbolKind
from nlfol.store.records import SourceError
from nlfol.store.row_parts import OntologyRow, UsableTriple
from nlfol.tasks.building import read_source

KEYS = ("raw_logic_programs", "program", "answer")
"""Fields that may hold a program, or a list of one."""

MISSING = "missing"
"""The verdict on a sentence that no line of the program is glossed with, or whose line is no formula."""

MAX_FILE = 100_000_000
"""Bytes of a file in JSON that is read."""


class _Sentence(TypedDict):
    id: Any
    story: str
    item: str
    verdict: str
    defined: bool


class _Story(TypedDict):
    id: Any
    story: str
    definitions: list[str]


@dataclass(frozen=True, slots=True)
class OwnScored:
    """Rows of sentences, of stories with their definitions, and of programs that are not judged, with the reason."""

    sentences: list[_Sentence]
    stories: list[_Story]
    refused: list[dict[str, object]]

    @property
    def tables(self) -> dict[str, Sequence[Mapping[str, object]]]:
        """Return all of it by name."""
        return {"summary": [self.summary], "answers": self.sentences, "stories": self.stories, "refused": self.refused}

    @property
    def summary(self) -> dict[str, int]:
        """Return how many sentences there are, and the numbers that bound the one of right ones."""
        counts = Counter(row["verdict"] for row in self.sentences)
        anchored = counts[Known.ANCHORED]
        summary = {"sentences": len(self.sentences), "missing": counts[MISSING], "anchored": anchored}
        return summary | {"any": anchored + counts[Known.UNANCHORED]}

    @property
    def text(self) -> str:
        """Return what people read."""
        summary = self.summary
        low, high = (summary[name] / max(1, summary["sentences"]) for name in ("anchored", "any"))
        lines = [f"equivalent to gold: [{low:.3f}, {high:.3f}] of {summary['sentences']} sentences (anchored, any map)"]
        if summary["missing"]:
            lines.append(f"of these {summary['missing']} without a formula")
        definitions = [", ".join(story["definitions"]) or "nothing anchored" for story in self.stories]
        lines += [
            f"\n{row['id']}: story {row['story']}: {definition}"
            for row, definition in zip(self.stories, definitions, strict=True)
        ]
        lines += [f"\n{row['id']}: refused: {row['reason']}" for row in self.refused]
        return "\n".join(lines)


def score_own(file: Path, datasets: JsonObject, dataset: str, seed: int) -> OwnScored:
    """Judge the programs of a file; raises ``SourceError`` if file or dataset cannot be used.

    A program is about the story of which its lines are glossed with the most sentences.
    """
    stories: dict[str, list[UsableTriple]] = {}
    for row in read_source(datasets, dataset, seed).triples:
        stories.setdefault(row["story"], []).append(cast("UsableTriple", row))
    if not stories:
        raise SourceError(f"{dataset} has no formulas of sentences; name a dataset of sentences")
    story_of = {plain_sentence(row["text"]): story for story, rows in stories.items() for row in rows}
    scored = OwnScored([], [], [])
    for number, record in enumerate(_records(file), 1):
        name = number if isinstance(record, LineError) else record.get("id", number)
        try:
            program = read_own_program(_program(usable(record)))
        except (LineError, ProgramError) as error:
            scored.refused.append({"id": name, "reason": str(error)})
            continue
        about = Counter(story_of[gloss] for gloss in program.glosses if gloss in story_of)
        if not about:
            scored.refused.append({"id": name, "reason": f"no line is glossed (':::') with a sentence of {dataset}"})
            continue
        _judge(name, program, stories[about.most_common(1)[0][0]], scored)
    return scored


def _judge(name: object, program: OwnProgram, rows: Sequence[UsableTriple], scored: OwnScored) -> None:
    sentences = [row["text"] for row in rows]
    formulas = program.by_sentence(sentences)
    readings = [[parse(text) for text in dict.fromkeys((row["formula"], *row["readings"]))] for row in rows]
    verdict = judge_story(readings, formulas, sentences, _glosses(rows[0]["ontology"]), program.declared)
    story = rows[0]["story"]
    for row, formula, known, defined in zip(rows, formulas, verdict.lines, verdict.defined, strict=True):
        anchoring = MISSING if formula is None else known.value
        scored.sentences.append(
            {"id": name, "story": story, "item": row["item"], "verdict": anchoring, "defined": defined}
        )
    scored.stories.append({"id": name, "story": story, "definitions": list(verdict.definitions)})


def _glosses(ontology: OntologyRow) -> dict[Symbol, str]:
    rows = [(SymbolKind.PREDICATE, row["name"], row["arity"], row["positive"]) for row in ontology["predicates"]]
    rows += [(SymbolKind.CONSTANT, row["name"], 0, row["meaning"]) for row in ontology["constants"]]
    return {Symbol(kind, name, arity): gloss for kind, name, arity, gloss in rows}


def _records(file: Path) -> Iterator[Line]:
    if file.suffix != ".json":
        with opened(file) as lines:
            yield from records(lines)
        return
    try:
        if file.stat().st_size > MAX_FILE:
            raise SourceError(f"{file} has more than {MAX_FILE} bytes; write it as JSON Lines")
        rows = json.loads(file.read_bytes())
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{file} is not JSON: {error}") from error
    for row in rows if isinstance(rows, list) else [rows]:
        yield row if isinstance(row, dict) else LineError("not a JSON object")


def _program(record: JsonObject) -> str:
    value = next((record[key] for key in KEYS if key in record), None)
    text = value[0] if isinstance(value, list) and value else value
    if not isinstance(text, str):
        raise LineError(f"no text of a program under {', '.join(KEYS)}")
    return text
