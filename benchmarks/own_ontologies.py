"""Formulas over an ontology of their own against gold formulas: verdicts up to an alignment of symbols, and their cost.

    NLFOL_DATA=FOLDER python benchmarks/own_ontologies.py [--count N]
    NLFOL_DATA=FOLDER python benchmarks/own_ontologies.py --anchors

The gold formulas are the usable ones of FOLIO with the published ontologies; the folder has ``folio-train.jsonl`` and
the files of the ontologies. Each is given new names at random, and its arguments another order: it must be found
equivalent. Then one of its single edits, drawn at random, is disguised in the same way, and the verdict is held against
all one-to-one maps, if these are at most 2,500: each is refuted by a random structure, pulled back along the map, in
which a plain evaluator finds the two formulas unlike, or else z3py is asked about the two. Then whole stories: all
usable sentences of one, disguised together, must be found equivalent by one map.

With ``--anchors``, sentences of ``tarski`` and FOLIO are answered wrongly in the names of the ontology (arguments of a
relation reversed, two names or two predicates exchanged, a conditional turned round), and rightly in other names: how
many of the first are accepted, and of the second refused, by any map and by anchored ones.

Measured: 1,556 of 1,556 formulas and 338 of 338 stories equivalent, in 16 s of CPU with the edits, none in more than
1.3 s. Of 1,556 edits 2 are equivalent up to names, 1,554 not; the search of all maps agrees on 1,554, in 23 s, and 2
have more maps.
"""

import argparse
import csv
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations, product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import yaml

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "workflow/scripts"))

from benchmarks.equivalence import in_z3py

import attach_ontology
import ingest_dataset
from nlfol.config import as_json, read_configuration
from nlfol.logic import Formula, Outcome, Structure, equivalence, holds, parse
from nlfol.logic.rewriting import edits
from nlfol.logic.syntax import Implies, fold, with_children
from nlfol.problems.alignment import Conjunct, Image, Symbol, SymbolKind
from nlfol.problems.alignment.definitions import Known, judge_story
from nlfol.problems.programs.formulas.maps import written
from nlfol.problems.programs.symbols import identity
from nlfol.randomness import generator
from nlfol.store import files, schemas
from nlfol_extras.ontologies.alignment import disguise, extraction, symbols_of

ROOT = Path(__file__).parents[1]
EQUIVALENT = Outcome.EQUIVALENT
MAX_MAPS = 2_500
"""Maps up to which all are looked at."""
STRUCTURES = 16
"""Random structures that may refute a map."""

Map = dict[Symbol, Conjunct]


@dataclass
class Counted:
    """Findings and their cost.

    Attributes:
        disguised: verdicts on gold formulas in other names.
        edited: verdicts on edited ones.
        compared: of the latter, how they stand to the search of all maps.
        stories: verdicts on whole stories in other names.
        seconds: of processor time for the verdicts.
        slowest: of these, the longest.
        exhaustive: seconds for the search of all maps.
    """

    disguised: Counter[str] = field(default_factory=Counter)
    edited: Counter[str] = field(default_factory=Counter)
    compared: Counter[str] = field(default_factory=Counter)
    stories: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    slowest: float = 0.0
    exhaustive: float = 0.0

    def judged(self, gold: Sequence[Formula], other: Sequence[Formula]) -> Outcome:
        """The verdict; its cost is added."""
        start = process_time()
        found = extraction(gold, other, dict.fromkeys(symbols_of(other), "")).outcome
        spent = process_time() - start
        self.seconds += spent
        self.slowest = max(self.slowest, spent)
        return found


def folio() -> dict[str, list[Formula]]:
    """The usable gold formulas by story."""
    found = defaultdict(list)
    for row in usable_rows("config/folio.yaml", "folio"):
        found[row["story"]].append(parse(row["formula"]))
    return dict(found)


def usable_rows(configuration: str, dataset: str) -> list[dict[str, Any]]:
    """Return the usable rows of TRIPLES of a dataset of a configuration."""
    entries = read_configuration(yaml.safe_load((ROOT / configuration).read_text(encoding="utf-8"))).datasets
    block = as_json(entries[dataset])
    with TemporaryDirectory() as name:
        sentences, triples = Path(name, "sentences"), Path(name, "triples")
        ingest_dataset.main(block, dataset, sentences)
        attach_ontology.main(block, sentences, triples)
        return [row for row in files.rows(triples, schemas.TRIPLES) if row["status"] == "usable"]


def count(stories: Mapping[str, Sequence[Formula]], most: int | None = None) -> Counted:
    """Judge formulas, edits of them and stories, all disguised.

    Args:
        stories: gold formulas by story.
        most: formulas that are judged; all by default. Of stories, those with one of these.
    """
    found = Counted()
    formulas = [formula for several in stories.values() for formula in several][:most]
    for number, gold in enumerate(formulas):
        found.disguised[found.judged([gold], [disguised([gold], number)[0]])] += 1
        changed = generator("edit", number).choice([*edits(gold)]).formula
        (other,) = disguised([changed], "edited", number)
        verdict = found.judged([gold], [other])
        found.edited[verdict] += 1
        start = process_time()
        found.compared[_held(verdict, by_all_maps(gold, other, number))] += 1
        found.exhaustive += process_time() - start
    left = len(formulas)
    for name, several in stories.items():
        if left > 0:
            found.stories[found.judged(several, disguised(several, "story", name))] += 1
        left -= len(several)
    return found


SYNONYMS = {
    "Cube": "Box", "Tet": "Pyramid", "Dodec": "TwelveSided", "Small": "Little", "Medium": "MidSized", "Large": "Big",
    "Smaller": "LessBig", "Larger": "Bigger", "LeftOf": "WestOf", "RightOf": "EastOf", "BackOf": "Behind",
    "FrontOf": "Before", "SameRow": "AlignedAcross", "SameCol": "AlignedAlong", "SameSize": "EquallyBig",
    "SameShape": "Congruent", "Adjoins": "Touches", "Between": "Amid",
}  # fmt: skip
"""Other words for the concepts of ``tarski``."""


def planted(gold: Formula) -> Iterator[tuple[str, Formula]]:
    """Yield wrong answers in the names of the gold formula, by the kind of error."""
    symbols = symbols_of([gold])
    for symbol in symbols:
        if symbol.arity > 1 and symbol.kind is SymbolKind.PREDICATE:
            turned = (Conjunct(symbol, tuple(reversed(range(symbol.arity)))),)
            yield "arguments", written(gold, {each: identity(each) for each in symbols} | {symbol: turned})
    for kind, name in ((SymbolKind.CONSTANT, "names"), (SymbolKind.PREDICATE, "predicates")):
        for one, two in combinations([symbol for symbol in symbols if symbol.kind is kind], 2):
            if one.arity == two.arity:
                exchanged = {each: identity(each) for each in symbols} | {one: identity(two), two: identity(one)}
                yield name, written(gold, exchanged)
    converse = fold(gold, lambda node, parts: with_children(node, parts[::-1] if type(node) is Implies else parts))
    yield "converse", converse


IN_OTHER_WORDS = {
    "Cube": ("IsBlockCube", "x is a cube"), "Tet": ("Pyramid", "x is a pyramid"),
    "Dodec": ("TwelveFaced", "x has twelve faces"), "Small": ("Tiny", "x is tiny"), "Large": ("Huge", "x is huge"),
    "Larger": ("BiggerThan", "x is bigger than y"), "LeftOf": ("ToTheLeft", "x is to the left of y"),
}  # fmt: skip
"""Other names of concepts of ``tarski``, with glosses."""


def exchanges(formulas: Sequence[Formula]) -> dict[str, Counter[str]]:
    """Count wrong answers by exchange that are accepted, in gold's names and in others, with glosses and without."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for gold in formulas:
        for kind, wrong in planted(gold):
            if equivalence(gold, wrong).outcome is EQUIVALENT:
                continue
            symbols = symbols_of([wrong])
            known = [symbol for symbol in symbols if symbol.name in IN_OTHER_WORDS]
            other = {symbol: identity(symbol._replace(name=IN_OTHER_WORDS[symbol.name][0])) for symbol in known}
            glosses = {other[symbol][0].symbol: IN_OTHER_WORDS[symbol.name][1] for symbol in known}
            for names, answer, given in (
                ("gold's names", wrong, {}),
                ("other names", written(wrong, other), {}),
                ("other names, glossed", written(wrong, other), glosses),
            ):
                verdict = judge_story([[gold]], [answer], [""], {}, given)
                found[f"{kind}: {names}"]["n"] += 1
                found[f"{kind}: {names}"]["accepted"] += verdict.lines[0] is Known.ANCHORED
    return found


def in_other_words(gold: Formula, number: int) -> Iterator[tuple[str, Formula]]:
    """Yield right answers: in other words of its concepts, as far as there are any, spelled otherwise, and unlike."""
    symbols = symbols_of([gold])
    if any(symbol.name in SYNONYMS for symbol in symbols):
        yield "synonyms", _named(gold, lambda symbol: SYNONYMS.get(symbol.name, symbol.name))
    yield "spelling", _named(gold, lambda symbol: f"is_{symbol.name.lower()}" if symbol.arity else symbol.name)
    yield "unlike", disguised([gold], "unlike", number)[0]


def _named(gold: Formula, name: Callable[[Symbol], str]) -> Formula:
    return written(gold, {symbol: identity(symbol._replace(name=name(symbol))) for symbol in symbols_of([gold])})


def count_anchored(formulas: Sequence[Formula]) -> dict[tuple[str, str], Counter[str]]:
    """Count wrong and right answers of each kind, and those equivalent by any map and by anchored ones."""
    found: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for number, gold in enumerate(formulas):
        answers = [("wrong", *each) for each in planted(gold) if equivalence(gold, each[1]).outcome is not EQUIVALENT]
        for truth, kind, other in (*answers, *(("right", *each) for each in in_other_words(gold, number))):
            verdicts = extraction([gold], [other], dict.fromkeys(symbols_of([other]), ""))
            found[truth, kind]["answers"] += 1
            found[truth, kind]["any map"] += verdicts.outcome is EQUIVALENT
            found[truth, kind]["anchored"] += verdicts.anchored is EQUIVALENT
    return found


def tarski() -> list[Formula]:
    """Return the gold formulas of ``tarski``."""
    with (ROOT / "resources/datasets/tarski/sentences.csv").open(encoding="utf-8", newline="") as file:
        return [parse(row["formula"]) for row in csv.DictReader(file)]


def disguised(formulas: Sequence[Formula], *labels: str | int) -> list[Formula]:
    """Formulas in other names and orders of arguments."""
    images: dict[Symbol, Image] = disguise(symbols_of(formulas), *labels)
    return [written(formula, images) for formula in formulas]


def _held(verdict: Outcome, truth: Outcome | None) -> str:
    if truth is None or Outcome.UNKNOWN in (verdict, truth):
        return "not compared"
    return "agrees" if verdict is truth else "contradicts"


def by_all_maps(gold: Formula, other: Formula, number: int) -> Outcome | None:
    """Return whether any one-to-one map makes two formulas equivalent, trying all; None if there are too many."""
    maps = list(_maps(symbols_of([gold]), symbols_of([other])))
    if len(maps) > MAX_MAPS:
        return None
    random = generator("structures", number)
    structures = [drawn(symbols_of([other]), 2 + place % 2, random) for place in range(STRUCTURES)]
    truths = [holds(other, structure) for structure in structures]
    undecided = False
    for each in maps:
        if all(
            holds(gold, _pulled_back(structure, each)) is truth
            for structure, truth in zip(structures, truths, strict=True)
        ):
            answer = _asked(written(gold, {symbol: (part,) for symbol, part in each.items()}), other)
            if answer == "unsat":
                return Outcome.EQUIVALENT
            undecided |= answer != "sat"
    return Outcome.UNKNOWN if undecided else Outcome.NOT_EQUIVALENT


def _maps(ours: Sequence[Symbol], theirs: Sequence[Symbol]) -> Iterator[Map]:
    sorts = sorted({(symbol.kind, symbol.arity) for symbol in ours})
    choices = []
    for sort in sorts:
        here, there = ([each for each in side if (each.kind, each.arity) == sort] for side in (ours, theirs))
        orders = list(permutations(range(sort[1])))
        many = 1
        for place in range(len(here)):
            many *= (place + 1) * len(orders)
        if many > MAX_MAPS:
            yield from ({} for _ in range(MAX_MAPS + 1))
            return
        choices.append(
            [
                {symbol: Conjunct(other, order) for symbol, other, order in zip(here, images, places, strict=True)}
                for images in permutations(there)
                for places in product(orders, repeat=len(here))
            ]
        )
    for chosen in product(*choices):
        yield {symbol: part for each in chosen for symbol, part in each.items()}


def drawn(symbols: Sequence[Symbol], size: int, random: Random) -> Structure:
    """A structure for some symbols, each atom true in half of all."""

    def rows(arity: int) -> list[tuple[int, ...]]:
        return list(product(range(size), repeat=arity))

    constants, functions, predicates = {}, {}, {}
    for symbol in symbols:
        if symbol.kind is SymbolKind.CONSTANT:
            constants[symbol.name] = random.randrange(size)
        elif symbol.kind is SymbolKind.FUNCTION:
            functions[symbol.name] = {row: random.randrange(size) for row in rows(symbol.arity)}
        else:
            predicates[symbol.name] = frozenset(row for row in rows(symbol.arity) if random.random() < 0.5)
    return Structure(size, constants, functions, predicates)


def _pulled_back(structure: Structure, images: Map) -> Structure:
    """The structure in which each concept means what its image means in another."""

    def row(part: Conjunct, back: tuple[int, ...]) -> tuple[int, ...]:
        found = [0] * len(back)
        for place, argument in zip(part.places, back, strict=True):
            found[place] = argument
        return tuple(found)

    constants, functions, predicates = {}, {}, {}
    for symbol, part in images.items():
        name = part.symbol.name
        if symbol.kind is SymbolKind.CONSTANT:
            constants[symbol.name] = structure.constants[name]
        elif symbol.kind is SymbolKind.FUNCTION:
            functions[symbol.name] = {row(part, back): value for back, value in structure.functions[name].items()}
        else:
            predicates[symbol.name] = frozenset(row(part, back) for back in structure.predicates[name])
    return Structure(structure.size, constants, functions, predicates)


def _asked(first: Formula, second: Formula) -> str:
    import z3

    solver = z3.Solver()
    solver.set("rlimit", 2_000_000)
    one: Any = in_z3py(first, z3)
    solver.add(z3.Not(one == in_z3py(second, z3)))
    return str(solver.check())


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description="Own ontologies against gold formulas.")
    parser.add_argument("--count", type=int, help="gold formulas; all by default")
    parser.add_argument("--anchors", action="store_true", help="count wrong and right answers that are accepted")
    options = parser.parse_args()
    if options.anchors:
        sets = {"tarski": tarski(), "folio": [formula for story in folio().values() for formula in story]}
        for name, formulas in sets.items():
            for (truth, kind), verdicts in sorted(count_anchored(formulas[: options.count]).items()):
                print(name, truth, kind, ", ".join(f"{what} {number}" for what, number in verdicts.items()), flush=True)
        return
    found = count(folio(), options.count)
    for name in ("disguised", "edited", "compared", "stories"):
        counts: Counter[str] = getattr(found, name)
        print(f"{name}:", ", ".join(f"{what} {number}" for what, number in sorted(counts.items())), flush=True)
    print(
        f"verdicts: {found.seconds:.1f} s of CPU, the slowest {found.slowest:.2f}; all maps: {found.exhaustive:.1f} s"
    )


if __name__ == "__main__":
    main()
