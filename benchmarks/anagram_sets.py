"""Anagram sets beside fair ones: how many there are, and how far readers get in them who do no logic.

    python benchmarks/anagram_sets.py {tarski,folio,first_order,propositional,first_order_full} [--folio FOLDER]
        [--stories N] [--forms N] [--items {single,pairs}] [--drawn] [--wordings] [--counts]

For ``most_similar`` on single sentences and on two neighbours at once: items with eight candidates, four, two or none,
and sets a second of CPU. Then for ``fair`` and ``anagram`` with forms plain and drawn, in both presentations: the mean
of chance, and of the references ``medoid``, ``words``, ``order``, ``learner`` without the sentence, ``learner``, and of
a reader that knows the laws: the same learner, to which each candidate is shown in that of its ``forms`` drawn forms
that is nearest to the sentence by ``order``. Behind each, in brackets, the share of what chance leaves.

``--stories`` takes so many stories, drawn at random; of generated sets, so many sentences. With
``--wordings`` each set of generated sentences is asked about once more in drawn wordings.

Of sets with the converse of gold among them, there is also how often ``order`` prefers gold to it, as formulas, where
the sentence has all its words, and where it lacks those that say what implies what: *if*, *only if* and the like.

Measured: docs/fair-sets.md.
"""

import argparse
import json
import os
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from statistics import fmean
from time import process_time
from typing import Any, cast

sys.path.insert(0, str(Path(__file__).parents[1] / "workflow/scripts"))
sys.path.insert(0, str(Path(__file__).parents[1]))

import yaml
from benchmarks.fair_sets import GENERATED, SEED
from benchmarks.surface_cues import CONFIGURATIONS, ROOT, by_reference

from nlfol.config import as_json, read_configuration
from nlfol.facts import BLIND
from nlfol.logic.english import even
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.printing import to_bracketed
from nlfol.randomness import source_label
from nlfol.sets.drawn import rearranged
from nlfol.sets.sets import CandidateError, candidate_rows
from nlfol.store.schemas import TripleRow
from nlfol.tasks import cues
from nlfol.tasks.building import read_source
from nlfol.tasks.item import Item, Member
from nlfol.tasks.neighbours import paired
from nlfol.tasks.plan import NoPrompts, Setting
from nlfol.tasks.registry import build_task
from nlfol.tasks.task import AnyTask

ENTRIES: Sequence[Mapping[str, str]] = (
    {"protocol": "fair", "forms": "plain"},
    {"protocol": "fair"},
    {"protocol": "anagram", "forms": "plain"},
    {"protocol": "anagram"},
)


IMPLYING = re.compile(r"\b(?:only if|if|then|is it true that)\b", re.IGNORECASE)
"""Words of an implication."""


def triples(dataset: str, stories: int | None) -> list[TripleRow]:
    """Usable rows of a dataset, of so many of its stories."""
    if dataset in GENERATED:
        block = {
            "reader": "grammar",
            "values": {"from": 1, "to": 10},
            "count": max(1, (stories or 500) // 10),
            "distinct": "trees",
            **GENERATED[dataset],
        }
    else:
        text = (ROOT / CONFIGURATIONS[dataset]).read_text(encoding="utf-8")
        block = json.loads(as_json(read_configuration(yaml.safe_load(text)).datasets[dataset]))
    rows = read_source({dataset: block}, dataset, SEED).triples
    names = sorted({row["story"] for row in rows})
    drawn = random.Random(SEED).sample(names, min(len(names), stories or len(names)))
    return [row for row in rows if row["story"] in drawn]


def made(task: AnyTask, rows: Sequence[TripleRow]) -> tuple[list[Item], Counter[str], float]:
    """The items of rows, why others are refused, and the CPU seconds that making sets took."""
    items, refused, started = [], Counter[str](), process_time()
    for row in rows:
        triple: Any = {**row, "source": source_label(row["story"], row["text"] or "")}
        try:
            members = task.candidates(triple, SEED)
        except CandidateError as error:
            refused[error.reason] += 1
            continue
        shown = candidate_rows(members, triple["language"], bracketed=True)
        text, formula = task.asked_instead(triple, members) or (triple["text"], triple["formula"])
        whole = {**triple, "text": text, "formula": formula, "candidates": shown, "unasked": [], "exemplars": []}
        items.append(Item.from_row(cast("Any", {**whole, "problem": None})))
    return items, refused, process_time() - started


def nearest_forms(item: Item, count: int) -> Item:
    """The item with each candidate in that drawn form which is nearest to the sentence, by presentation."""
    draw = random.Random(item.source)
    members = []
    for member in item.members:
        formula = LANGUAGES[item.language].parse(member.formula)
        forms = {formula: None, **{rearranged(formula, draw, regroups=True): None for _ in range(count)}}
        texts = ([to_bracketed(form) for form in forms], [even.render(form, item.ontology) for form in forms])
        by_formula, by_english = (max(zip(_nearness(item.text, some), some, strict=True))[1] for some in texts)
        members.append(Member(by_formula, by_english, member.role))
    return replace(item, members=tuple(members))


def _nearness(sentence: str, texts: Sequence[str]) -> list[float]:
    return [round(sum(row), 9) for row in cues.scored(sentence, texts, cues.ORDER)]


def readers(
    task: AnyTask, items: Sequence[Item], setting: Setting, presentation: str, forms: int
) -> Iterator[tuple[str, float]]:
    """Yield the names and right answers of readers."""
    for name in ("medoid", "words", "order"):
        yield name, _right(by_reference(task, items, setting, presentation, name))
    yield "learner blind", _right(by_reference(task, items, setting, f"{BLIND}{presentation}", "learner"))
    yield "learner", _right(by_reference(task, items, setting, presentation, "learner"))
    known = [nearest_forms(item, forms) for item in items]
    yield "knows the laws", _right(by_reference(task, known, setting, presentation, "learner"))


def converses(items: Sequence[Item]) -> list[tuple[float, float]]:
    """Return for each converse of gold if ``order`` prefers gold, with and without cue words; of equals, a half."""
    told = []
    for item in items:
        gold, *others = item.members
        for other in others:
            if other.change == ("converse",):
                texts = [gold.formula, other.formula]
                pairs = (_nearness(text, texts) for text in (item.text, IMPLYING.sub("", item.text)))
                with_cues, without = ((one > two) + (one == two) / 2 for one, two in pairs)
                told.append((with_cues, without))
    return told


def _right(scores: Mapping[str, float]) -> float:
    return scores["accuracy"]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset", choices=("tarski", "folio", *GENERATED))
    parser.add_argument("--folio", help="folder with FOLIO's data and published ontologies")
    parser.add_argument("--stories", type=int, help="stories at most, drawn at random")
    parser.add_argument("--forms", type=int, default=24, help="forms that who knows the laws draws of a candidate")
    parser.add_argument("--items", choices=("single", "pairs"), help="these alone")
    parser.add_argument("--drawn", action="store_true", help="leave out sets in plain forms")
    parser.add_argument("--wordings", action="store_true", help="ask generated sentences in drawn wordings as well")
    parser.add_argument("--counts", action="store_true", help="count sets, and ask no reader")
    options = parser.parse_args()
    os.chdir(ROOT)
    if options.folio:
        os.environ["NLFOL_DATA"] = options.folio
    rows = triples(options.dataset, options.stories)
    asked: dict[str, Sequence[TripleRow]] = {"single": rows}
    if options.dataset not in GENERATED:
        pairs = defaultdict[str, list[TripleRow]](list)
        for row in paired(rows):
            pairs[str(row.get("asked_with"))].append(row)
        asked["pairs"] = [two[0] for name, two in pairs.items() if name != "None"]
    setting = Setting(SEED, NoPrompts())
    wanted = [keys for keys in ENTRIES if not (options.drawn and "forms" in keys)]
    if options.wordings:
        wanted = [{**keys, **more} for keys in wanted for more in ({}, {"wordings": "drawn"})]
    for about, keys in product([name for name in asked if options.items in (None, name)], wanted):
        some = asked[about]
        task = build_task(json.dumps({"task": "most_similar", **keys}))
        items, refused, seconds = made(task, some)
        sizes = Counter(len(item.members) for item in items)
        words = " ".join([options.dataset, about, *(f"{key}: {value}," for key, value in keys.items())])
        print(f"{words}: {len(some)} items, sizes {dict(sizes)}, refused {dict(refused)}; ", end="")
        print(f"{len(some) / seconds:.0f} sets/s", flush=True)
        if told := converses(items):
            shares = " and ".join(f"{fmean(some):.3f}" for some in zip(*told, strict=True))
            print(f"  order prefers gold to {len(told)} converses, with cue words and without: {shares}", flush=True)
        if options.counts:
            continue
        chance = fmean(_right(task.chance(item).scores) for item in items)
        for presentation in ("formula", "english"):
            print(f"  {presentation}: chance {chance:.3f}", end="")
            for name, right in readers(task, items, setting, presentation, options.forms):
                print(f"; {name} {right:.3f} ({(right - chance) / (1 - chance):.2f})", end="", flush=True)
            print(flush=True)


if __name__ == "__main__":
    main()
