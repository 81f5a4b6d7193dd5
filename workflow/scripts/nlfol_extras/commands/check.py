"""``nlfol check``: what a dataset is worth before a model is asked: rows, stories, glosses, gold, and what it can tell.

Everything is read and refused by the functions of the workflow. ``detectable`` is the difference of two models' means
that the paired test of the tables shows with probability ``POWER``, one seed each, for the stories at hand; models as
``plan.Design`` assumes them. ``counts_as`` is Kish's number of equal stories, (Σn)² / Σn², of n items.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypedDict

from scipy.optimize import brentq

from nlfol.asking.asking import Offered
from nlfol.data.gold import refusal
from nlfol.logic import to_unicode
from nlfol.logic.measuring import signature
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.reading import parse
from nlfol.store.schemas import TripleRow
from nlfol.tasks.building import Source, item_rows, read_source
from nlfol.tasks.registry import build_task
from nlfol.validation import shortened
from nlfol_extras.commands.plan import LEVEL, Design, Simulation
from nlfol_extras.lint import Level, Statement, Story, lint

POWER = 0.8
SHOWN = 3
"""Examples of each kind of refusal and finding."""

LEAST_STORIES = 20
"""Stories below which intervals by story rest on few numbers."""

_SAMPLES = 200


class Kind(TypedDict):
    """Number of a kind, and the first of them."""

    count: int
    examples: list[str]


class Offer(TypedDict):
    """The items of a task, and its own refusals."""

    items: int
    refused: dict[str, Kind]


class Checked(TypedDict):
    """Findings in a dataset; ``answers`` are of problems, ``glosses`` and ``findings`` of sentences."""

    dataset: str
    rows: int
    usable: int
    refused: dict[str, Kind]
    stories: int
    largest_story: int
    counts_as: float
    answers: dict[str, int]
    glosses: dict[str, Kind]
    findings: dict[str, Kind]
    tasks: dict[str, Offer]
    detectable: float | None


def checked(entries: Mapping[str, object], name: str, seed: int, tasks: Sequence[str], level: Level) -> Checked:
    """Return what is found in a dataset, one of ``entries``; ``SourceError`` if it is unusable.

    ``tasks`` are kinds whose items are built besides; those with candidates take proofs, seconds to minutes.
    """
    source = read_source(entries, name, seed)
    kinds = dict.fromkeys(("question_answering" if source.problems else "logical_translation", *tasks))
    offers = {kind: _offered(source, kind, seed) for kind in kinds}
    items = next(iter(offers.values())).items
    sizes = sorted(Counter(item.story for item in items).values())
    answers = Counter(problem.answer for problem in source.problems if problem.is_usable)
    return {
        "dataset": name,
        "rows": source.gold.rows,
        "usable": len(items),
        "refused": _kinds((str(fate.reason), f"{fate.item}: {refusal(fate)}") for fate in source.gold.refused),
        "stories": len(sizes),
        "largest_story": max(sizes, default=0),
        "counts_as": round(sum(sizes) ** 2 / sum(size**2 for size in sizes), 1) if sizes else 0.0,
        "answers": dict(answers.most_common()),
        "glosses": _kinds(_glosses(source.triples)),
        "findings": _kinds(_findings(source.triples, level)),
        "tasks": {kind: _task(offered, source) for kind, offered in offers.items()},
        "detectable": detectable(sizes),
    }


def _offered(source: Source, kind: str, seed: int) -> Offered:
    task = build_task(json.dumps({"task": kind}))
    return Offered.of(item_rows(source, task, seed), source.gold.refused, stories=task.joins_stories)


def _task(offered: Offered, source: Source) -> Offer:
    """Count a task's items, and the reasons why it refuses others; those of gold rows are told apart."""
    of_gold = {fate.item for fate in source.gold.refused} | {fate.story for fate in source.gold.refused}
    refused = ((reason, item) for item, reason in offered.refused.items() if item not in of_gold)
    return {"items": len(offered.items), "refused": _kinds(refused)}


def detectable(sizes: Sequence[int]) -> float | None:
    """Return the difference of means that stories of these sizes show; None if none below 1 is shown."""
    if len(sizes) < 2:
        return None
    design = Design(sizes=tuple(sizes))

    def missing(difference: float) -> float:
        return Simulation(design, difference, 1, LEVEL).power(len(sizes), _SAMPLES) - POWER

    most = 0.98
    return round(brentq(missing, 0.005, most, xtol=0.005), 3) if missing(most) > 0 else None


def _kinds(found: Iterable[tuple[str, str]]) -> dict[str, Kind]:
    """Count by kind, the most frequent first."""
    by_kind: dict[str, list[str]] = defaultdict(list)
    for kind, example in found:
        by_kind[kind].append(example)
    ordered = sorted(by_kind.items(), key=lambda each: (-len(each[1]), each[0]))
    return {kind: {"count": len(examples), "examples": examples[:SHOWN]} for kind, examples in ordered}


def _stories(triples: Sequence[TripleRow]) -> Iterator[tuple[str, list[TripleRow]]]:
    stories: dict[str, list[TripleRow]] = defaultdict(list)
    for row in triples:
        stories[row["story"]].append(row)
    yield from stories.items()


def _glosses(triples: Sequence[TripleRow]) -> Iterator[tuple[str, str]]:
    """Yield glosses that are made from names, that two symbols of a story share, and of symbols that it never uses."""
    for story, rows in _stories(triples):
        known = rows[0]["ontology"]
        if known is None or known["alphabet"]:
            continue
        if known["derived"]:
            yield "no ontology: glosses are made from the names of symbols", story
        symbols = [(each["name"], each["positive"]) for each in known["predicates"]]
        symbols += [(each["name"], each["meaning"]) for each in (*known["functions"], *known["constants"])]
        first: dict[str, str] = {}
        for name, meaning in symbols:
            if (other := first.setdefault(meaning, name)) != name:
                yield "two symbols mean the same", f"{story}: {other} and {name}: {meaning}"
        said = signature(*(parse(row["formula"] or "") for row in rows))
        unused = sorted({name for name, _ in symbols} - {*said.predicates, *said.functions, *said.constants})
        if unused:
            yield "symbols that no formula of the story uses", f"{story}: {', '.join(unused[:SHOWN])}"


def _findings(triples: Sequence[TripleRow], level: Level) -> Iterator[tuple[str, str]]:
    for _, rows in _stories(triples):
        known = rows[0]["ontology"]
        if known is None or known["alphabet"]:
            continue
        statements = [Statement(row["item"], row["text"], row["formula"] or "") for row in rows]
        for found in lint(Story(statements, None if known["derived"] else Ontology.from_row(known)), level):
            meant = f"; perhaps {to_unicode(found.suggestion)}" if found.suggestion else ""
            yield found.rule.name, f"{found.statement.id}: {found.message}{meant}"


def lines(found: Checked) -> Iterator[str]:
    """Yield a page for people."""
    yield f"{found['dataset']}: {found['usable']} of {found['rows']:,} rows can be asked about"
    yield from _told("refused rows", found["refused"])
    stories, largest, counts_as = found["stories"], found["largest_story"], found["counts_as"]
    yield f"stories: {stories}, the largest of {largest}; like {counts_as} of equal size"
    if stories < LEAST_STORIES:
        yield f"  intervals go by story, and fewer than {LEAST_STORIES} make them wide and uncertain: add stories"
    if found["detectable"] is None:
        yield "  no difference of two models can be shown: ask for more stories, or several seeds"
    else:
        least = f"{found['detectable']:.2f}"
        yield f"  shows a difference of {least} between two models (power {POWER}, one seed, means near 0.5)"
    if answers := found["answers"]:
        total = sum(answers.values())
        yield "answers: " + ", ".join(f"{label} {count / total:.2f}" for label, count in answers.items())
        yield f"  always the commonest one is right in {max(answers.values()) / total:.2f}"
    yield from _told("glosses", found["glosses"])
    yield from _told("gold formulas to look at (nlfol lint)", found["findings"])
    for kind, offer in found["tasks"].items():
        yield f"{kind}: {offer['items']} items"
        yield from _told("", offer["refused"])


def _told(title: str, kinds: dict[str, Kind]) -> Iterator[str]:
    if title and kinds:
        yield f"{title}:"
    for name, kind in kinds.items():
        yield f"  {kind['count']:5} {name}"
        yield from (f"        {shortened(example)}" for example in kind["examples"])
