"""Typed distance: planted slips found again, one against two, answers that would cheat, and time with its tail.

    python benchmarks/typed_distance.py [--data FOLDER] [--premises N] [--within 2]

Into up to ``premises`` formulas of Tarski's World, and of FOLIO's training stories where a folder has its file, one
slip of each kind is planted, and two of different kinds: those of fair sets' dimensions, ∨ for ⊕ or back, an operand or
the left side of → dropped, a literal of the story added. Each is proven not to be equivalent. *Right kind* is the share
whose planted kind is among those of the shortest ways, *alone* where it is the only one. Beside them other sentences of
the story, and what would cheat: a tautology, a contradiction, the formula or another sentence's, and the formula of the
story that earns most as the answer to all its sentences.

Real answers are those of the second reading that are not equivalent to the published formula, and in the folder's
``logic_lm`` and ``released`` lines that models wrote in gold's symbols for FOLIO's validation stories.

Time is CPU time of this process.

Measured: docs/distance.md, with ``--premises 120``, in a minute of CPU time.
"""

import argparse
import csv
import json
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from time import process_time
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "workflow/scripts"))

from nlfol.logic import FormulaError, LogicError, Outcome, equivalence, parse, read_tolerantly
from nlfol.logic import syntax as fol
from nlfol.logic.diagnosis import diagnose
from nlfol.logic.distance import Distance, Search, distance
from nlfol.logic.equivalence import Contingency, contingency
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.ontology.ontology import Ontology
from nlfol.sets.dimensions import apply, dimensions

ROOT = Path(__file__).parents[1]
TAUTOLOGY, CONTRADICTION = parse("∀x (Thing(x) → Thing(x))"), parse("∃x (Thing(x) ∧ ¬Thing(x))")
FURTHER = 3
"""Edits of an answer without a distance, for the order of one and two."""


class Premise(NamedTuple):
    """A gold formula, its number in its story, and the formulas of the story."""

    item: str
    gold: fol.Formula
    story: tuple[fol.Formula, ...]


def tarski() -> list[Premise]:
    """Return the shipped sentences by world."""
    with (ROOT / "resources/datasets/tarski/sentences.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    stories: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in rows:
        stories[row["story"]].append((f"{row['story']}:{len(stories[row['story']])}", row["formula"]))
    return list(_premises(stories))


def folio(path: Path) -> Iterator[Premise]:
    """Yield the premises of a file of FOLIO by story."""
    stories: dict[str, list[tuple[str, str]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        story = str(row.get("story_id", "\n".join(row["premises"])))
        matches = len(row["premises"]) == len(row["premises-FOL"])
        names = (
            row["premises"] if "story_id" not in row else [f"{story}:{place}" for place in range(len(row["premises"]))]
        )
        stories[story] = list(zip(names, row["premises-FOL"], strict=True)) if matches else []
    yield from _premises(stories)


def _premises(stories: Mapping[str, Sequence[tuple[str, str]]]) -> Iterator[Premise]:
    for pairs in stories.values():
        known = {name: formula for name, text in pairs if (formula := closed(text)) is not None}
        try:
            derive(known.values())
        except (LogicError, ValueError):
            continue  # a symbol of two arities
        for name, gold in known.items():
            yield Premise(name, gold, tuple(known.values()))


def closed(text: str) -> fol.Formula | None:
    """Return a closed formula that means something, None for any other text."""
    try:
        formula = read_tolerantly(text).formula
        return None if formula.profile.free or contingency(formula) is not Contingency.CONTINGENT else formula
    except (FormulaError, LogicError):
        return None


def slips(formula: fol.Formula, ontology: Ontology, draw: random.Random) -> dict[str, list[fol.Formula]]:
    """Return what one slip makes of a formula, by kind."""
    made: dict[str, list[fol.Formula]] = defaultdict(list)
    for dimension in dimensions(formula, ontology):
        made[dimension.kind.value].append(apply(formula, [dimension]))
    bound: dict[fol.Path, tuple[fol.Term, ...]] = {}
    for path, node in fol.subformulas(formula):
        around = bound.get(path, ())
        inside = (*around, node.variable) if isinstance(node, fol.Quantified) else around
        bound |= {(*path, index): inside for index in range(len(fol.children(node)))}
        if isinstance(node, fol.And | fol.Or):
            made["dropped"] += [fol.replace(formula, path, part) for part in fol.children(node)]
        if isinstance(node, fol.Implies):
            made["guard"].append(fol.replace(formula, path, node.right))
        if isinstance(node, fol.Or | fol.ExclusiveOr):
            other = fol.ExclusiveOr if isinstance(node, fol.Or) else fol.Or
            made["xor"].append(fol.replace(formula, path, other(node.left, node.right)))
        terms = (*around, *(fol.Constant(constant.name) for constant in ontology.constants))
        fitting = [one for one in ontology.predicates if one.arity and terms]
        if fitting:
            lent = draw.choice(fitting)
            atom = fol.Atom(lent.name, tuple(draw.choice(terms) for _ in range(lent.arity)))
            literal = draw.choice((atom, fol.Not(atom)))
            longer = draw.choice((fol.And(node, literal), fol.Or(node, literal), fol.Implies(literal, node)))
            made["added"].append(fol.replace(formula, path, longer))
    return made


def drawn(gold: fol.Formula, made: Sequence[fol.Formula], draw: random.Random) -> fol.Formula | None:
    """Return one of some formulas that is closed, says something, and is proven not to be equivalent to gold."""
    for formula in draw.sample(made, len(made)):
        if formula.profile.free or contingency(formula) is not Contingency.CONTINGENT:
            continue
        if equivalence(gold, formula).outcome is Outcome.NOT_EQUIVALENT:
            return formula
    return None


NAMED = {"guard": "dropped", "xor": "connective"}
"""Names of planted kinds that are called otherwise there."""


class Timed(NamedTuple):
    """The ways between a formula and an answer, and seconds until the first was found."""

    ways: list[Distance]
    first: Distance
    seconds: float


def timed(gold: fol.Formula, answer: fol.Formula, within: int) -> Timed:
    """Measure an answer, and list all shortest ways to it."""
    start = process_time()
    first = distance(gold, answer, within=within)
    seconds = process_time() - start
    return Timed(list(Search(gold, answer).ways(within)), first, seconds)


def planted(premises: Sequence[Premise], within: int, draw: random.Random) -> dict[str, list[tuple[str, Timed]]]:
    """Return measured answers by group (one, two, other sentence), each with the kinds that were planted."""
    groups: dict[str, list[tuple[str, Timed]]] = defaultdict(list)
    for premise in premises:
        ontology = derive(premise.story)
        singles = slips(premise.gold, ontology, draw)
        for kind, made in singles.items():
            if (single := drawn(premise.gold, made, draw)) is None:
                continue
            groups["one"].append((kind, timed(premise.gold, single, within)))
            again = slips(single, ontology, draw)
            second = draw.choice(sorted({*again} - {kind}) or [kind])
            if (double := drawn(premise.gold, again[second], draw)) is not None:
                groups["two"].append((f"{kind} {second}", timed(premise.gold, double, within)))
        others = [one for one in premise.story if equivalence(one, premise.gold).outcome is Outcome.NOT_EQUIVALENT]
        if others:
            groups["other sentence"].append(("", timed(premise.gold, draw.choice(others), within)))
    return groups


def rewards(premises: Sequence[Premise], draw: random.Random) -> Iterator[tuple[str, float]]:
    """Yield the mean credit of answers that do not read, by what they are."""
    earned: dict[str, list[float]] = defaultdict(list)
    for premise in premises:
        other = draw.choice(premise.story)
        answers = {
            "tautology": TAUTOLOGY,
            "contradiction": CONTRADICTION,
            "another sentence's": next((one for one in premise.story if one is not premise.gold), other),
            "the formula ∨ another": fol.Or(premise.gold, other),
            "the formula ∧ another": fol.And(premise.gold, other),
            "the formula ∨ its negation": fol.Or(premise.gold, fol.Not(premise.gold)),
        }
        for name, answer in answers.items():
            if other is not premise.gold or "another" not in name:
                earned[name].append(distance(premise.gold, answer).credit)
    stories = {premise.story: None for premise in premises if len(premise.story) > 2}
    for story in list(stories)[:40]:
        means = [fmean(distance(gold, one).credit for gold in story if gold is not one) for one in story]
        earned["best of the story for the others"].append(max(means))
    for name, values in earned.items():
        yield name, fmean(values)


def auc(one: Sequence[int], two: Sequence[int]) -> float:
    """Return the chance that one slip is nearer than two, equal ones as a half."""
    of_one, of_two = Counter(one), Counter(two)
    wins = sum(a * b * (1 if x < y else 0.5 if x == y else 0) for x, a in of_one.items() for y, b in of_two.items())
    return wins / (len(one) * len(two))


def lines(data: Path, files: str = "FOLIO_dev*.json") -> Iterator[tuple[str, str, str]]:
    """Yield file, sentence and formula of what models wrote about FOLIO, by default its validation stories."""
    for path in sorted(data.glob("logic_lm/*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            yield path.stem, row["sentence"], row["text"]
    for path in sorted(data.glob(f"released/*/{files}")):
        for row in json.loads(path.read_text(encoding="utf-8")):
            programs = row.get("raw_logic_programs") or []
            for text in [programs] if isinstance(programs, str) else programs:
                for formula, sentence in re.findall(r"^(.*?):::(.*)$", text or "", re.MULTILINE):
                    yield f"{path.parent.name}/{path.stem}", sentence, formula


def real(data: Path | None) -> Iterator[tuple[str, fol.Formula, fol.Formula]]:
    """Yield source, gold formula and wrong answer of real translators, each pair of a source once."""
    if data is None:
        return
    gold = {premise.item: premise for premise in folio(data / "folio/folio-train.jsonl")}
    said = ROOT / "resources/answers/second_reading/folio.jsonl"
    for line in said.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["item"] in gold and (answer := closed(row["answer"])) is not None:
            yield "second reading", gold[row["item"]].gold, answer
    by_sentence = {key(one.item): one for one in folio(data / "folio/folio-validation-half.jsonl")}
    for _, sentence, text in lines(data):
        premise = by_sentence.get(key(sentence))
        if premise is None or (answer := closed(text)) is None:
            continue
        known = frozenset[Any]().union(*(one.profile.symbols for one in premise.story))
        if answer.profile.symbols <= known:
            yield "models", premise.gold, answer


def key(sentence: str) -> str:
    """Return a sentence in small letters without punctuation."""
    return re.sub(r"\W+", " ", sentence.lower()).strip()


def shares(measured: Sequence[Timed]) -> str:
    """Return how many answers, and shares at one, at two, further and without a distance for another reason."""
    names = Counter(str(one.first.name) for one in measured)
    known = ("off_by_one", "off_by_two", "off_by_three", "further")
    rest = len(measured) - sum(names[name] for name in known)
    cells = [f"{names[name] / len(measured):.3f}" for name in known]
    return " | ".join((f"{len(measured):,}", *cells, f"{rest / len(measured):.3f}"))


def times(measured: Sequence[Timed]) -> str:
    """Return the median, the 95th and 99th percentile and the most, in milliseconds."""
    ordered = sorted(one.seconds * 1e3 for one in measured)
    return " | ".join(f"{ordered[min(int(q * len(ordered)), len(ordered) - 1)]:.1f}" for q in (0.5, 0.95, 0.99, 1))


def right(kinds: str, measured: Timed) -> tuple[bool, bool]:
    """Return whether planted kinds are among those of the shortest ways, and whether they are the only ones."""
    wanted = sorted(NAMED.get(kind, kind) for kind in kinds.split())
    ways = [sorted(edit.kind.value for edit in way.path) for way in measured.ways]
    return wanted in ways, ways == [wanted]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder with folio/, logic_lm/ and released/")
    parser.add_argument("--premises", type=int, default=150)
    parser.add_argument("--within", type=int, default=2, choices=(1, 2, 3))
    options = parser.parse_args()
    datasets = {"tarski": tarski()}
    if options.data:
        datasets["folio"] = list(folio(options.data / "folio/folio-train.jsonl"))
    for name, premises in datasets.items():
        draw = random.Random(1)
        chosen = draw.sample(premises, min(options.premises, len(premises)))
        groups = planted(chosen, options.within, draw)
        print(f"\n| {name} | n | one | two | three | further | none | median ms | 95 % | 99 % | most |")
        print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
        for group, measured in groups.items():
            found = [one for _, one in measured]
            print(f"| {group} | {shares(found)} | {times(found)} |")
        ends = {group: [each.first.edits or FURTHER for _, each in groups[group]] for group in ("one", "two")}
        print(f"\nAUC of one slip against two: {auc(ends['one'], ends['two']):.3f}")
        by_kind: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
        for group in ("one", "two"):
            for kinds, each in groups[group]:
                if each.first.edits == len(kinds.split()):
                    by_kind[kinds if group == "one" else "two"].append(right(kinds, each))
        print("\n| planted | n | right kind | alone |\n|---|--:|--:|--:|")
        for kind, hits in sorted(by_kind.items()):
            print(f"| {kind} | {len(hits)} | {fmean(a for a, _ in hits):.2f} | {fmean(b for _, b in hits):.2f} |")
        print("\n| answer | credit |\n|---|--:|")
        for answer, credit in rewards(chosen, draw):
            print(f"| {answer} | {credit:.3f} |")
    sources: dict[str, dict[tuple[fol.Formula, fol.Formula], None]] = defaultdict(dict)
    for source, gold, said in real(options.data):
        if equivalence(gold, said).outcome is Outcome.NOT_EQUIVALENT:
            sources[source][gold, said] = None
    for source, pairs in sources.items():
        found = [timed(gold, said, options.within) for gold, said in pairs]
        print(f"| {source} | {shares(found)} | {times(found)} |")
        known = [diagnose(gold, said) is not None for gold, said in pairs]
        alone = Counter((one, each.first.edits == 1) for one, each in zip(known, found, strict=True))
        print(f"one change found by diagnosis alone {alone[True, False]}, by distance alone {alone[False, True]}")
        counts = Counter(edit.kind.value for one in found if one.first.edits == 1 for edit in one.first.path)
        print(", ".join(f"{kind} {count}" for kind, count in counts.most_common()))


if __name__ == "__main__":
    main()
