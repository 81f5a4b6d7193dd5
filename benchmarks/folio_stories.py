"""FOLIO's problems with the readings that are accepted of each sentence, for benchmarks of symbols of their own."""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from nlfol.logic import Formula, FormulaSyntaxError, read_decided, to_unicode
from nlfol.logic.reading import close_universally
from nlfol.problems.alignment import Known, StoryVerdict, judge_story
from nlfol.problems.alignment.own import OwnProgram
from nlfol.problems.programs import LANGUAGES
from nlfol.problems.programs.formulas.maps import numbered
from nlfol.problems.programs.language import QUERY, Lines
from nlfol.problems.programs.symbols import Symbol, SymbolKind

FORMULAS = LANGUAGES["formulas"]


def lines_of(premises: Sequence[Formula | None], conclusion: Formula | None = None) -> Lines:
    """Return formulas by their places, those that there are."""
    lines = {str(number): (to_unicode(each),) for number, each in enumerate(premises, 1) if each is not None}
    return Lines(FORMULAS, lines, {} if conclusion is None else {QUERY: to_unicode(conclusion)})


class Gold(NamedTuple):
    """A story's or problem's sentences, each with the formulas that are accepted, and the glosses of its symbols."""

    story: str
    sentences: tuple[str, ...]
    readings: tuple[tuple[Formula, ...], ...]
    glosses: dict[Symbol, str]

    def judged(self, program: OwnProgram, formulas: Sequence[Formula | None]) -> StoryVerdict:
        """Judge formulas over the symbols of a program."""
        return judge_story(self.readings, formulas, self.sentences, self.glosses, program.declared)

    def accepts(self, reading: Formula, program: OwnProgram, formulas: Sequence[Formula | None], place: int) -> bool:
        """Return whether one reading of the sentence at a place makes its formula anchored."""
        readings = (*self.readings[:place], (reading,), *self.readings[place + 1 :])
        return self._replace(readings=readings).judged(program, formulas).lines[place] is Known.ANCHORED

    def taken(self, program: OwnProgram, formulas: Sequence[Formula | None]) -> list[Formula | None]:
        """Return the first reading that each formula takes; None where no reading does."""
        return [
            next((each for each in readings if self.accepts(each, program, formulas, place)), None)
            for place, readings in enumerate(self.readings)
        ]


def _formulas(texts: Sequence[str | None]) -> tuple[Formula, ...]:
    found = []
    for text in texts:
        try:
            if text:
                found.append(close_universally(read_decided(text).formula))
        except FormulaSyntaxError:
            pass
    return tuple(dict.fromkeys(found))


def training(folder: Path) -> dict[str, tuple[Gold, str]]:
    """Return FOLIO's training problems by id, with the label that corrected gold gives; the conclusion is last."""
    premises: dict[str, list[Any]] = defaultdict(list)
    conclusions: dict[str, list[Any]] = defaultdict(list)
    for name, table in (("premises", premises), ("conclusions", conclusions)):
        for row in _rows(folder / f"folio_readings/{name}.jsonl"):
            table[row["story"]].append(row)
    glosses = json.loads((folder / "nl_fol_lt/ontologies.json").read_text(encoding="utf-8"))
    counts: Counter[str] = Counter()
    found: dict[str, tuple[Gold, str]] = {}
    for number, row in enumerate(_rows(folder / "folio/folio-train.jsonl")):
        story = str(row["story_id"])
        conclusion = conclusions[story][counts[story]]
        counts[story] += 1
        readings = [
            _formulas([note["corrected"] or text, *note["also"]])
            for text, note in zip(row["premises-FOL"], premises[story], strict=False)
        ]
        if len(readings) != len(row["premises"]):
            continue
        sentences = (*row["premises"], row["conclusion"])
        gold = (*readings, _formulas([conclusion["formula"]]))
        label = str(conclusion["corrected_premises"])
        found[f"FOLIO_train_{number}"] = Gold(story, sentences, gold, _glosses(gold, glosses.get(story, {}))), label
    return found


def validation(folder: Path) -> dict[str, tuple[Gold, str]]:
    """Return the problems of half of FOLIO's validation split by their letters and digits."""
    found: dict[str, tuple[Gold, str]] = {}
    stories: dict[tuple[str, ...], int] = {}
    for row in _rows(folder / "folio/folio-validation-half.jsonl"):
        if len(row["premises-FOL"]) != len(row["premises"]):
            continue
        gold = tuple(_formulas([text]) for text in (*row["premises-FOL"], row["conclusion-FOL"]))
        story = str(stories.setdefault(tuple(row["premises"]), len(stories)))
        sentences = (*row["premises"], row["conclusion"])
        found[letters("".join(sentences))] = Gold(story, sentences, gold, {}), row["label"]
    return found


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _glosses(gold: Sequence[Sequence[Formula]], published: dict[str, Any]) -> dict[Symbol, str]:
    predicates, constants = published.get("predicates", {}), published.get("constants", {})
    symbols = dict.fromkeys(symbol for readings in gold for each in readings for symbol in numbered(each).symbols)
    return {
        symbol: constants.get(symbol.name, "")
        if symbol.kind is SymbolKind.CONSTANT
        else predicates.get(symbol.name, {}).get("positive", "")
        for symbol in symbols
    }


def letters(text: str) -> str:
    """Return the letters and digits of a text."""
    return "".join(filter(str.isalnum, text.casefold()))
