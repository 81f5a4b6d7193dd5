"""People's corrections of FOLIO and MALLS as the yardstick of ``nlfol lint`` and of second readings.

    python benchmarks/verified_gold.py [--source malls] [--path FOLDER] [--answers FILE]
    python benchmarks/verified_gold.py --stories FILE

Of FOLIO's own stories in FILE, put together as annotations are: how many are split as they were, and how many are taken
as matched though a formula is parted and another one left out. Else:

Without FOLDER, FOLIO's annotations are downloaded. An entry is a story's premises or a conclusion, as their authors
count; it is wrong if they corrected it.

- Shares: of wrong entries, of stories with one, of sentences whose formula is another one after correction; and of
  labels that are.
- What corrections change, by sentence: nothing but signs (``equal``, ``equivalent``), names that the corrected story
  does not have (``names``), a text that is no closed formula, or what it says (``meaning``). By the conventions of our
  own audit the last is wrong; of the others, few are.
- The curve: entries are read in the order of ``nlfol lint``, those with the surest findings first, and put right if
  they are wrong. Confidences c of an entry's rules count together as 1 - product of (1 - c); among equals the order is
  random, and means are given. A story that has not as many published formulas as sentences has a finding of .5. Beside
  it: no order, and the best one. Long stories come early and are read for one entry, so shares of sentences stand
  beside shares of entries.
- Answers: JSON Lines with ``item`` and ``answer``, formulas of a second reader in the symbols as published. It doubts a
  sentence if these are not equivalent.
"""

import argparse
import json
import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "workflow/scripts"))

from nlfol.data.annotations import Annotation, Block, conjuncts
from nlfol.data.entries.verified import VerifiedEntry
from nlfol.data.sentences import Sentence
from nlfol.logic import FormulaSyntaxError, Outcome, equivalence, parse, read_decided, to_unicode
from nlfol.logic.syntax import NAME, Formula
from nlfol.results.statistics.clusters import clustered_mean
from nlfol_extras.lint import Level, Statement, Story, lint

SHARES = (0.1, 0.2, 0.24, 0.3, 0.4, 0.5, 0.75)
GOAL = 0.9
UNEVEN = 0.5
"""Confidence that premises with more or fewer published formulas are wrong."""


class Entry(NamedTuple):
    """Sentences that people judged as one, with the confidence of ``nlfol lint`` that they are wrong."""

    story: str
    is_wrong: bool
    confidence: float
    sentences: int = 1


def surely(confidences: Iterable[float]) -> float:
    """Return the confidence of several findings together."""
    return 1 - math.prod(1 - confidence for confidence in confidences)


def entries_of(block: Block) -> list[Entry]:
    """Return the entries of a story; conclusions are linted beside its premises."""
    formulas, problem = block.formulas("published")
    count = len(block.sentences)
    pairs = list(enumerate(zip(block.texts, formulas, strict=True)))
    statements = [
        Statement(str(place), text, formula, place, is_conclusion=place >= count)
        for place, (text, formula) in (pairs if problem is None else pairs[count:])
    ]
    found: defaultdict[int, set[tuple[str, float]]] = defaultdict(set)
    for finding in lint(Story(statements), Level.ALL):
        found[max(finding.statement.line, count - 1)].add((finding.rule.name, finding.rule.confidence))
    if problem is not None:
        found[count - 1].add(("uneven", UNEVEN))
    rows = [block.premises, *block.conclusions] if block.premises else block.conclusions
    return [
        Entry(
            *(block.name, row.is_corrected, surely(confidence for _, confidence in found[place])),
            max(1, count) if row is block.premises else 1,
        )
        for place, row in enumerate(rows, count - (block.premises is not None))
    ]


def curve(
    entries: Sequence[Entry], shares: Iterable[float] = SHARES, *, by_sentences: bool = False
) -> dict[float, float]:
    """Return the share of wrong entries that is expected among the first of the order, by share of what is read."""
    groups: defaultdict[float, list[Entry]] = defaultdict(list)
    for entry in entries:
        groups[entry.confidence].append(entry)
    points = [(0.0, 0.0)]
    for _, group in sorted(groups.items(), reverse=True):
        read = sum(entry.sentences if by_sentences else 1 for entry in group)
        points.append((points[-1][0] + read, points[-1][1] + sum(entry.is_wrong for entry in group)))
    total = max(1.0, points[-1][1])
    return {share: round(_between(points, share * points[-1][0]) / total, 4) for share in shares}


def _between(points: Sequence[tuple[float, float]], place: float) -> float:
    for (left, low), (right, high) in pairwise(points):
        if place <= right:
            return low + (high - low) * (place - left) / (right - left)
    return points[-1][1]


def read_until(entries: Sequence[Entry], goal: float = GOAL) -> tuple[float, float, float]:
    """Return the share of entries read until so many are right: in the order, in none, and in the best one."""
    wrong = sum(entry.is_wrong for entry in entries) / len(entries)
    needed = max(0.0, (wrong - (1 - goal)) / wrong) if wrong else 0.0
    steps = [step / 1000 for step in range(1001)]
    reached = curve(entries, steps)
    return next(step for step in steps if reached[step] >= needed - 1e-4), needed, needed * wrong


def change(before: Sentence, after: Sentence, known: Collection[str] = ()) -> str:
    """Return what a correction changes in a sentence; ``known`` are the names that the corrected story has."""
    if after.formula is None or after.reason is not None:
        return f"correction: {after.reason}"
    if before.formula is None or before.reason is not None:
        return "no closed formula"
    if before.formula == after.formula:
        return "equal"
    first, second = parse(before.formula), parse(after.formula)
    if equivalence(first, second).outcome is Outcome.EQUIVALENT:
        return "equivalent"
    (one, old), (other, new) = map(_numbered, (first, second))
    # A name that the story has elsewhere is another symbol, and not another spelling of this one.
    changed = [name for name, made in zip(old, new, strict=False) if name != made]
    return "names" if one == other and not set(changed) & {*known, *new} else "meaning"


def _numbered(formula: Formula) -> tuple[str, list[str]]:
    """Return the formula with numbers for symbols in the order in which they occur, and the symbols."""
    names = names_of(formula)
    numbers: dict[str, str] = {}
    text = NAME.sub(
        lambda match: numbers.setdefault(match[0], f"#{len(numbers)}") if match[0] in names else match[0],
        to_unicode(formula),
    )
    return text, list(numbers)


def names_of(formula: Formula) -> set[str]:
    """Return the names of a formula's symbols."""
    return {name for _, name, _ in formula.profile.symbols}


def doubted(published: Mapping[str, Sentence], lines: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the items whose answers are not equivalent to what was published."""
    items = set()
    for line in lines:
        sentence = published.get(str(line["item"]))
        if sentence is None or sentence.formula is None:
            continue
        try:
            answer = read_decided(str(line["answer"])).formula
        except FormulaSyntaxError:
            continue
        if equivalence(parse(sentence.formula), answer).outcome is Outcome.NOT_EQUIVALENT:
            items.add(sentence.item)
    return items


def together(texts: Sequence[str], before: Sequence[str], after: Sequence[str]) -> Block:
    """Return a story's premises as one text with one formula; parts that would not stay together have parentheses."""
    parts = [part if len(conjuncts(f"{part} ∧ {part}")) % 2 == 0 else f"({part})" for part in after]
    row = {"id": "story_1", "corrected": True, "NL_sentence": " ".join(texts)}
    formulas = {"FOL_sentence_old": "\n".join(before), "FOL_sentence": " ∧ ".join(parts)}
    return Block("1", Annotation.model_validate({**row, **formulas}))


def put_together(path: Path) -> Iterator[str]:
    """Yield how many of FOLIO's stories are split as they were, and what else is taken as matched."""
    with path.open(encoding="utf-8") as file:
        rows = {json.dumps(row["premises"]): row for row in map(json.loads, file)}
    counts: Counter[str] = Counter()
    for row in rows.values():
        texts = [text.strip() for text in row["premises"]]
        formulas = [formula.strip() for formula in row["premises-FOL"] if formula.strip()]
        block = together(texts, formulas, formulas)
        same = block.sentences == texts
        counts["split as it was" if same else f"{'as' if len(block.sentences) == len(texts) else 'not as'} many"] += 1
        if not same or len(formulas) != len(texts):
            continue
        matched, problem = block.formulas("corrected")
        counts["matched"] += problem is None
        counts["formulas at their sentences"] += [*map(_letters, matched)] == [*map(_letters, formulas)]
        for parted, left_out in permutations(range(len(formulas)), 2):
            parts = conjuncts(formulas[parted])
            if len(parts) == 2:
                changed = [
                    piece
                    for place, formula in enumerate(formulas)
                    if place != left_out
                    for piece in (parts if place == parted else [formula])
                ]
                counts["planted"] += 1
                counts["planted, matched"] += together(texts, formulas, changed).formulas("corrected")[1] is None
    yield from (f"{name}: {count}" for name, count in sorted(counts.items()))


def _letters(formula: str) -> str:
    return re.sub(r"[\s()]", "", formula)


def share(hits: Sequence[bool], stories: Sequence[str]) -> str:
    """Return a share with its interval at 95 %, stories together."""
    if not hits:
        return "–"
    mean = clustered_mean([float(hit) for hit in hits], stories)
    bounds = "" if mean.low is None or mean.high is None else f" ({mean.low:.2f} to {mean.high:.2f})"
    return f"{sum(hits)} of {len(hits)}, {mean.mean:.3f}{bounds}"


def report(dataset: VerifiedEntry, answers: Path | None = None) -> None:
    """Print all figures of a dataset."""
    blocks = dataset.blocks()
    entries = [entry for block in blocks for entry in entries_of(block)]
    stories = {block.name: any(entry.is_wrong for entry in entries_of(block)) for block in blocks}
    print(f"wrong entries: {share([entry.is_wrong for entry in entries], [entry.story for entry in entries])}")
    print(f"stories with one: {share([*stories.values()], [*stories])}")

    published, corrected = (dataset.model_copy(update={"gold": gold}) for gold in ("published", "corrected"))
    rows: list[tuple[Annotation, Sentence, str]] = []
    for block in blocks:
        sides = published.sentences(block), [*corrected.sentences(block)]
        known = set().union(*(names_of(parse(each.formula)) for each in sides[1] if each.formula))
        rows += [
            (row, before, change(before, after, known)) for row, before, after in zip(block.rows(), *sides, strict=True)
        ]
    for flag in (True, False):
        counts = Counter(kind for row, _, kind in rows if row.is_corrected is flag)
        print(f"sentences of entries {'corrected' if flag else 'left as they were'}: {dict(counts.most_common())}")
    comparable = [(sentence, kind) for _, sentence, kind in rows if not kind.startswith("correction")]
    for name, kinds in (("meaning", {"meaning"}), ("any", {"meaning", "names", "no closed formula"})):
        hits = [kind in kinds for _, kind in comparable]
        print(f"sentences with another formula, {name}: {share(hits, [each.story for each, _ in comparable])}")
    flags = [bool(row.is_ambiguous) for block in blocks for row in (block.premises, *block.conclusions) if row]
    print(f"ambiguous entries: {sum(flags)} of {len(flags)}")
    labelled = [row for block in blocks for row in block.conclusions if row.label and row.label_published]
    print(f"labels changed: {sum(row.label != row.label_published for row in labelled)} of {len(labelled)}")

    for name, by_sentences in (("entries", False), ("sentences", True)):
        print(f"wrong entries found by share of {name} read: {curve(entries, by_sentences=by_sentences)}")
    order, none, best = read_until(entries)
    print(f"read until {GOAL} are right: {order:.2f} in the order of lint, {none:.2f} in none, {best:.2f} in the best")
    if answers is not None:
        with answers.open(encoding="utf-8") as file:
            doubts = doubted({each.item: each for _, each, _ in rows}, map(json.loads, file))
        wrong = {each.item for each, kind in comparable if kind == "meaning"}
        for name, part, whole in (("right", wrong, doubts), ("found", doubts, wrong)):
            items = sorted(whole)
            print(f"doubts, {name}: {share([item in part for item in items], [item.split(':')[0] for item in items])}")


def main() -> None:
    """Print the figures of a source."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", choices=("folio", "malls"), default="folio")
    parser.add_argument("--path", help="a folder with instances and ontology; by default FOLIO's are downloaded")
    parser.add_argument("--answers", type=Path)
    parser.add_argument("--stories", type=Path, metavar="FILE")
    options = parser.parse_args()
    if options.stories is not None:
        print(*put_together(options.stories), sep="\n")
        return
    entry = {"reader": "verified", "source": options.source, "path": options.path}
    report(VerifiedEntry.model_validate(entry), options.answers)


if __name__ == "__main__":
    main()
