"""The ceiling of round trips, the measure of copies, and certified pairs, over whole datasets.

    python benchmarks/round_trip_references.py [--config config/round_trip.yaml] [--datasets NAME ...] [--rounds 3]

Through the files of every stage. Of each dataset of a configuration that holds sentences, formulas or expressions:

- ``reader``: the least truth of any round, over all usable items; ``echo`` likewise, and its greatest uncopied truth of
  an item that holds a sign, an applied symbol, ``*`` or a group, and so can be copied;
- ``pairs``: certified ones of verification; ``faults`` and ``undecided``, what an audit finds that trusts no
  certificate (``candidates.audit``; of expressions, automata-lib's comparison and a plain matcher); ``always_yes``,
  the F1 of who says yes to all.
"""

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

import yaml

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.regular import Pair, theirs
from tests.property.notation_in_english import is_notation

import answer_by_reference
import attach_ontology
import audit_candidates
import build_items
import ingest_dataset
import judge_answers
from nlfol.asking.asking import Asking, Offered, usable_items
from nlfol.config import Configuration, as_json, read_configuration
from nlfol.facts import TRUTH, TRUTH_UNCOPIED
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.regular import Dialect, matches
from nlfol.results.analyses.verification import pairs_of, verifications
from nlfol.results.statistics.summary import load
from nlfol.store import files, schemas
from nlfol.tasks.item import Item
from nlfol.tasks.registry import build_task

ROOT = Path(__file__).parents[1]
ECHO, READER, ALWAYS_YES = {"kind": "echo"}, {"kind": "reader"}, {"kind": "constant", "answer": "yes"}


class Stages:
    """The files of one dataset.

    Args:
        configuration: the experiment.
        dataset: its name there.
        folder: where files go.
    """

    def __init__(self, configuration: Configuration, dataset: str, folder: Path) -> None:
        self._seed, self._dataset, self._folder = configuration.seed, dataset, folder
        entry = as_json(configuration.datasets[dataset])
        sentences, self.triples = folder / "sentences.arrow", folder / "triples.arrow"
        ingest_dataset.main(entry, dataset, sentences, seed=configuration.seed)
        attach_ontology.main(entry, sentences, self.triples, seed=configuration.seed)

    def items(self, **entry: Any) -> Path:
        """The ITEMS file of a task."""
        output = self._folder / f"{entry['task']}.arrow"
        build_items.main(
            self.triples,
            dataset=self._dataset,
            task=entry["task"],
            task_json=json.dumps(entry),
            seed=self._seed,
            output=output,
        )
        return output

    def scores(self, items: Path, model: dict[str, Any], **entry: Any) -> Path:
        """The SCORES file of a reference."""
        task = build_task(json.dumps(entry))
        responses, output = self._folder / "responses.arrow", self._folder / "scores.arrow"
        asking = Asking(
            Offered.read(items), self._dataset, task.kind, task, "m", json.dumps(model), self._seed, responses
        )
        answer_by_reference.main(asking)
        judge_answers.main(items, responses, json.dumps(entry), output)
        return output


def least(path: Path, metric: str, chosen: set[str]) -> float:
    """The least mean of a metric in any round, over some items."""
    rows = [row for row in files.rows(path, schemas.SCORES) if row["item"] in chosen]
    names = {row["metric"] for row in rows if row["metric"].partition("@")[0] == metric}
    return min(fmean(row["score"] for row in rows if row["metric"] == name) for name in names)


def faulty(items: Path, folder: Path) -> tuple[int, int]:
    """Count certified pairs that an audit contradicts, and those that it leaves undecided."""
    rows = [row for row in files.rows(items, schemas.ITEMS) if row["status"] == "usable"]
    if rows[0]["language"] == "regular":
        return sum(map(_contradicted, rows)), 0
    audit_candidates.main(items, dataset="d", task="verification", output=folder / "audit.arrow")
    found = Counter(
        {row["check"]: row["pairs"] for row in files.rows(folder / "audit.arrow", schemas.AUDITS) if row["pairs"]}
    )
    wrong = ("distractor_equivalent_to_gold", "equivalent_not_equivalent", "two_arities", "malformed", "open")
    return sum(found[name] for name in wrong), found["unknown"]


def _contradicted(row: dict[str, Any]) -> int:
    gold, *others = row["candidates"]
    parsed = {each["formula"]: LANGUAGES["regular"].parse(each["formula"]) for each in row["candidates"]}
    wrong = 0
    for each in others:
        word = each["certificates"][0]["word"]
        said = each["role"] == "equivalent"
        told = word is None or matches(parsed[gold["formula"]], word) != matches(parsed[each["formula"]], word)
        wrong += theirs(Pair(Dialect.FULL, "edit", gold["formula"], each["formula"])) is not said or not told
    return wrong


def measured(stages: Stages, folder: Path, rounds: int) -> Iterator[tuple[str, Any]]:
    """Return the printed lines of a dataset."""
    trip = {"task": "round_trip", "rounds": rounds}
    items = stages.items(**trip)
    asked: list[Item] = usable_items(items)
    every = {item.item for item in asked}
    copied = {item.item for item in asked if is_notation(LANGUAGES[item.language].parse(item.formula))}
    yield "items", len(every)
    yield "reader", least(stages.scores(items, READER, **trip), TRUTH, every)
    echoed = stages.scores(items, ECHO, **trip)
    yield "echo", least(echoed, TRUTH, every)
    yield "can_be_copied", len(copied)
    yield (
        "echo_uncopied",
        max(
            row["score"]
            for row in files.rows(echoed, schemas.SCORES)
            if row["item"] in copied and row["metric"] == TRUTH_UNCOPIED
        ),
    )
    pairs = stages.items(task="verification")
    known = pairs_of(row for row in files.rows(pairs, schemas.ItemRow) if row["status"] == "usable")
    yield "pairs", len(known)
    yield from zip(("faults", "undecided"), faulty(pairs, folder), strict=True)
    whole = next(verifications(*load(stages.scores(pairs, ALWAYS_YES, task="verification")), known))
    yield "always_yes", whole["f1"]


def main() -> None:
    """Print a line a dataset."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", type=Path, default=ROOT / "config/round_trip.yaml")
    parser.add_argument("--datasets", nargs="*")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    configuration = read_configuration(yaml.safe_load(arguments.config.read_text(encoding="utf-8")))
    for dataset in arguments.datasets or configuration.having("sentences"):
        with tempfile.TemporaryDirectory() as folder:
            stages = Stages(configuration, dataset, Path(folder))
            print(json.dumps({"set": dataset, **dict(measured(stages, Path(folder), arguments.rounds))}), flush=True)


if __name__ == "__main__":
    main()
