"""Items of tasks as a data set of the Hub: Parquet files, a card, and ``eval.yaml``, which makes it a benchmark.

The format of ``eval.yaml`` is that of https://huggingface.co/docs/hub/eval-results, of the card's head that of
https://huggingface.co/docs/hub/datasets-cards. Each task and presentation is a configuration and a leaderboard.

Items repeat sentences, formulas and glosses: to publish them you need a public licence of every part, or own it.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import jinja2
import polars as pl

from nlfol import __version__
from nlfol.data.entries.problems import ProblemsEntry
from nlfol.data.entry import read_entry
from nlfol.data.pin import Pin
from nlfol.facts import FACTS, Facts, is_blind
from nlfol.harnesses.lm_tasks import document
from nlfol.harnesses.questions import Questions
from nlfol.installed import PROJECT
from nlfol.mappings import JsonDict, JsonObject
from nlfol.store.records import SourceError
from nlfol_extras.works import works_of

_OURS = "Apache-2.0"
_SHIPPED = dict.fromkeys(("datasets/tarski", "datasets/everyday", "grammars", "lexicon"), _OURS)
_SHIPPED["datasets/folio"] = "CC-BY-SA-4.0"  # formulas adapted from FOLIO's


class Part(NamedTuple):
    """A file that items are made of, with its SPDX licence, None if only its owner knows it; ``url`` of a pin."""

    name: str
    licence: str | None
    url: str | None = None


def parts_of(entries: JsonObject, dataset: str) -> list[Part]:
    """Return the files of a dataset, and of the one that its problems are made of; raises ``SourceError``."""
    block = read_entry(json.dumps(entries[dataset]))
    made_of = block.made_of if isinstance(block, ProblemsEntry) else None
    parts = [part for file in (*block.source_files, *block.ontology_files) for part in _parts(Path(file))]
    return list(dict.fromkeys([*(parts_of(entries, made_of) if made_of else []), *parts]))


def _parts(path: Path) -> Iterator[Part]:
    if path.name.endswith(("pin.json", "pins.json")):
        pins = Pin.all_from_file(path) if path.name.endswith("pins.json") else [Pin.from_file(path)]
        yield from (Part(f"{pin.repository}, {pin.path}", pin.licence, pin.url) for pin in pins)
        return
    shipped = (PROJECT / "resources").resolve()
    folder = next((of for of in _SHIPPED if path.resolve().is_relative_to(shipped / of)), None)
    yield Part(f"nlfol, {folder}", _SHIPPED[folder]) if folder else Part(path.name, None)


def licence_of(parts: list[Part], given: str | None) -> str:
    """Return the licence of items, ``given`` by the owner of files without one; raises ``SourceError`` if none fits."""
    if reserved := [part.name for part in parts if part.licence == "NOASSERTION"]:
        raise SourceError(
            f"{'; '.join(reserved)}: no licence is stated, so only its owners may publish it; leave it out in a "
            "configuration of your own (of FOLIO: the key 'ontology'), and name that with --config"
        )
    own = [part.name for part in parts if part.licence is None]
    if own and given is None:
        raise SourceError(f"{', '.join(own)}: unknown licence; if you may publish it, name one: --license CC-BY-4.0")
    found = sorted({part.licence or given or "" for part in parts} - {_OURS}) or [_OURS]
    if len(found) > 1 or (given is not None and not own):
        raise SourceError(f"the data are under {' and '.join(found)}; publish parts of one licence, without --license")
    return found[0]


class Split(NamedTuple):
    """The rows of a leaderboard; ``shown`` is their presentation, None where the weakest of several counts."""

    name: str
    facts: Facts
    asked: Questions
    rows: Sequence[JsonDict]
    shown: str | None = None


def splits(kind: str, asked: Questions) -> list[Split]:
    """Return the leaderboards of a task; controls, which withhold the sentence, have none."""
    facts = FACTS[kind]
    if facts.weakest_counts:
        return [Split(asked.task, facts, asked, asked.rows)]
    return [
        Split("_".join(filter(None, (asked.task, shown))), facts, asked, list(rows), shown)
        for shown, rows in groupby(asked.rows, key=lambda row: str(row.get("presentation", "")))
        if not is_blind(shown)
    ]


class Published(NamedTuple):
    """A data set of the Hub; ``reader`` is that of its dataset."""

    repository: str
    dataset: str
    reader: str
    licence: str
    parts: Sequence[Part]
    splits: Sequence[Split]

    def write(self, folder: Path) -> None:
        """Write the files of the repository; equal items give equal bytes. Raises ``OSError`` if they are there."""
        (folder / "data").mkdir(parents=True)
        for split in self.splits:
            documents = [document(row, False, split.asked) for row in split.rows]
            pl.DataFrame(documents).drop("plain").write_parquet(folder / f"data/{split.name}.parquet")
        loader = jinja2.FileSystemLoader(Path(__file__).parent)
        made = jinja2.Environment(loader=loader, trim_blocks=True, undefined=jinja2.StrictUndefined)  # noqa: S701
        for name in ("README.md", "eval.yaml"):
            text = made.get_template(f"{name}.jinja").render(
                **self._asdict(), version=__version__, works=works_of(self.reader)
            )
            (folder / name).write_text(f"{text}\n", encoding="utf-8")
