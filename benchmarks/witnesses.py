"""Labels with a witness: how many errors they forgive that were planted, made, or meant to be forgiven.

    python benchmarks/witnesses.py [--data FOLDER] [--premises N] [--show N]

*Planted*: of each premise two single edits of each shape, each proven to change the meaning, and listed as no accepted
reading: all of ``mistakes``, and a literal of the story added (any, or one whose name the sentence says), the left side
of → dropped (*guard*), →/↔ (*iff*) and ∨/⊕ (*xor*: whatever comes to that). *Gaming*: answers made of gold and the
other premises to be forgiven. *Natural*: published formulas that are corrected, as answers to the correction. *Second
reading* and *models*: answers that are not equivalent to gold. Premises are FOLIO's of the folder, the training split
corrected, ``unseen`` half of the validation split; without a folder Tarski's World.

``--show`` prints so many labelled answers of each group. Exits with 1 if a bar is missed: 2 % of each shape but *xor*
and of each kind of gaming, no natural error.

Measured: docs/readings.md, in four minutes of CPU time.
"""

import argparse
import csv
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from pathlib import Path
from time import process_time
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "workflow/scripts"))
sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import typed_distance

from nlfol.data.entries.folio import FolioEntry
from nlfol.logic import Outcome, equivalence, parse
from nlfol.logic import syntax as fol
from nlfol.logic.mistakes import EditKind, edits_of
from nlfol.logic.readings import Rule, Said, eithers
from nlfol.logic.witnesses import Witness, witness

EACH = 2
"""Edits of a shape that are planted in a premise."""

MADE_AS = {EditKind.ADDED: "dropped", EditKind.DROPPED: "added"}
"""Names of edits that are called after what their repair does."""

APART = ("xor",)
BAR = 0.02
X = fol.Variable("x")


class Premise(NamedTuple):
    """A sentence with its gold formula, what is accepted of it, and the other formulas of its story."""

    item: str
    gold: fol.Formula
    said: Said
    accepted: tuple[str, ...] = ()


class Answer(NamedTuple):
    """A wrong answer, with its label."""

    premise: Premise
    formula: fol.Formula
    label: Witness | None


Groups = dict[str, list[Answer]]


def stories(rows: Sequence[tuple[str, str, str, fol.Formula, tuple[str, ...]]]) -> list[Premise]:
    """Return premises of rows of story, item, sentence, formula and accepted readings."""
    by_story: dict[str, list[fol.Formula]] = defaultdict(list)
    for story, _, _, formula, _ in rows:
        by_story[story].append(formula)
    return [
        Premise(item, gold, Said(text, tuple(one for one in by_story[story] if one is not gold)), accepted)
        for story, item, text, gold, accepted in rows
    ]


def tarski() -> list[Premise]:
    """Return the shipped sentences by world."""
    with (typed_distance.ROOT / "resources/datasets/tarski/sentences.csv").open(encoding="utf-8", newline="") as file:
        rows = enumerate(csv.DictReader(file))
        return stories(
            [(row["story"], f"{row['story']}:{n}", row["text"], parse(row["formula"]), ()) for n, row in rows]
        )


def folio(path: Path, gold: str) -> list[Premise]:
    """Return the premises of FOLIO's training stories with a closed formula, ⊕ included."""
    with (typed_distance.ROOT / "resources/datasets/folio/accepted.jsonl").open(encoding="utf-8") as lines:
        listed = {f"{row['story']}:{row['index']}": tuple(row["also"]) for row in map(json.loads, lines)}
    entry = {"reader": "folio", "path": str(path), "gold": gold, "exclusive_or": "include"}
    return stories(
        [
            (one.story, one.item, one.text, parse(one.formula), listed.get(one.item, ()))
            for one in FolioEntry.model_validate(entry).read().sentences
            if one.reason is None and one.formula is not None
        ]
    )


def unseen(path: Path) -> list[Premise]:
    """Return the premises of half of FOLIO's validation stories."""
    return [
        Premise(one.item, one.gold, Said(one.item, tuple(other for other in one.story if other is not one.gold)))
        for one in typed_distance.folio(path)
    ]


def planted(premise: Premise, draw: random.Random) -> Iterator[tuple[str, fol.Formula]]:
    """Yield single edits of a premise with their shapes, in random order, each shape at most ``EACH`` times."""
    gold, said = premise.gold, premise.said
    formulas = (gold, *said.story)
    made: dict[str, list[fol.Formula]] = defaultdict(list)
    for kind, _, formula in edits_of(gold, reduce(fol.And, formulas)):
        made[MADE_AS.get(kind, kind.value)].append(formula)
    unary = sorted({name for one in formulas for name, arity in one.profile.named("predicate") if arity == 1})
    bound: dict[fol.Path, tuple[fol.Term, ...]] = {}
    for path, node in fol.subformulas(gold):
        around = bound.get(path, ())
        inside = (*around, node.variable) if isinstance(node, fol.Quantified) else around
        bound |= {(*path, index): inside for index in range(len(fol.children(node)))}
        if isinstance(node, fol.Implies):
            made["guard"].append(fol.replace(gold, path, node.right))
        for shape, kinds in (("xor", (fol.Or, fol.ExclusiveOr)), ("iff", (fol.Implies, fol.Iff))):
            if isinstance(node, kinds):
                other = kinds[isinstance(node, kinds[0])]
                made[shape].append(fol.replace(gold, path, other(node.left, node.right)))
        terms = (*around, *(fol.Constant(name) for name, _ in gold.profile.named("constant")))
        for shape, names in (("added", unary), ("added, said", [name for name in unary if said.has(name)])):
            for term in terms if names else ():
                atom = fol.Atom(draw.choice(names), (term,))
                literal = draw.choice((atom, atom, fol.Not(atom)))
                longer = (fol.And(node, literal), fol.Or(node, literal), fol.Implies(literal, node))
                made[shape].append(fol.replace(gold, path, draw.choice(longer)))
    for shape, edits in made.items():
        distinct = [one for one in dict.fromkeys(edits) if not one.profile.free]
        taken = 0
        for formula in draw.sample(distinct, len(distinct)):
            if taken < EACH and is_error(premise, formula):
                taken += 1
                yield "xor" if is_other_or(gold, formula) else shape, formula


def is_error(premise: Premise, formula: fol.Formula) -> bool:
    """Return whether a formula is proven to mean something else than gold, and no accepted reading."""
    if equivalence(premise.gold, formula).outcome is not Outcome.NOT_EQUIVALENT:
        return False
    return not any(equivalence(parse(one), formula).outcome is Outcome.EQUIVALENT for one in premise.accepted)


def is_other_or(gold: fol.Formula, formula: fol.Formula) -> bool:
    """Return whether an edit of any shape comes to ∨ for ⊕ or back, as (A ⊕ B) ∨ A does."""
    return any(equivalence(one, formula).outcome is Outcome.EQUIVALENT for one in eithers(gold))


def gaming(premise: Premise, draw: random.Random) -> Iterator[tuple[str, fol.Formula]]:
    """Yield answers that would be forgiven: gold beside what the story says anyway."""
    gold, others = premise.gold, premise.said.story
    yield "tautology", typed_distance.TAUTOLOGY
    yield "contradiction", typed_distance.CONTRADICTION
    facts = [one for one in others if isinstance(one, fol.Atom)]
    unary = {name for one in others for name, arity in one.profile.named("predicate") if arity == 1}
    beside: dict[str, list[fol.Formula]] = {
        "premise": [*others],
        "all others": [reduce(fol.And, others)] if others else [],
        "fact": [*facts],
        "∀x K(x)": [fol.ForAll(X, fol.Atom(name, (X,))) for name in sorted(unary - _names(gold))],
    }
    for name, parts in beside.items():
        if not parts:
            continue
        part = draw.choice(parts)
        if name in ("premise", "all others"):
            yield f"another {name}" if name == "premise" else name, part
        yield f"gold ∧ {name}", fol.And(gold, part)
        yield f"{name} → gold", fol.Implies(part, gold)
        if name == "premise":
            yield "gold ↔ premise", fol.Iff(gold, part)
    if sorts := sorted(name for name in unary | _names(gold) if premise.said.has(name)):
        yield "every guard that is said", fol.fold(gold, _guarded(sorts))


def _names(formula: fol.Formula) -> set[str]:
    return {name for name, _ in formula.profile.named("predicate")}


def _guarded(sorts: Sequence[str]) -> Callable[[fol.Formula, tuple[fol.Formula, ...]], fol.Formula]:
    def step(node: fol.Formula, parts: tuple[fol.Formula, ...]) -> fol.Formula:
        if not isinstance(node, fol.Quantified):
            return fol.with_children(node, parts)
        guards: list[fol.Formula] = [fol.Atom(sort, (node.variable,)) for sort in sorts]
        guard = reduce(fol.And, guards)
        joined = fol.Implies if isinstance(node, fol.ForAll) else fol.And
        return type(node)(node.variable, joined(guard, parts[0]))

    return step


def labelled(premises: Sequence[Premise], seed: int = 1) -> tuple[Groups, Groups]:
    """Return planted errors by shape, and gaming answers by kind."""
    draw = random.Random(seed)
    shapes, games = defaultdict(list), defaultdict(list)
    for premise in premises:
        for shape, formula in planted(premise, draw):
            shapes[shape].append(answer(premise, formula))
        for kind, formula in gaming(premise, draw):
            if is_error(premise, formula):
                games[kind].append(answer(premise, formula))
    return shapes, games


def answer(premise: Premise, formula: fol.Formula) -> Answer:
    """Return an answer with its label."""
    return Answer(premise, formula, witness(premise.gold, formula, premise.said))


def translated(train: Path) -> Groups:
    """Return natural errors, and answers of the second reading that are wrong by published or corrected gold."""
    published, corrected = ({one.item: one for one in folio(train, gold)} for gold in ("published", "corrected"))
    groups: Groups = defaultdict(list)
    for item, premise in corrected.items():
        if item in published and _differ(premise.gold, published[item].gold):
            groups["natural"].append(answer(premise, published[item].gold))
    with (typed_distance.ROOT / "resources/answers/second_reading/folio.jsonl").open(encoding="utf-8") as lines:
        said = {row["item"]: typed_distance.closed(row["answer"]) for row in map(json.loads, lines)}
    for name, premises in (("published", published), ("corrected", corrected)):
        for item, formula in said.items():
            if item in premises and formula and _differ(premises[item].gold, formula):
                groups[f"second reading, {name}"].append(answer(premises[item], formula))
    return groups


def modelled(data: Path) -> Groups:
    """Return wrong answers of released models in gold's symbols, each of a file and sentence once."""
    premises = {"training": folio(data / "folio/folio-train.jsonl", "corrected")}
    premises["unseen"] = unseen(data / "folio/folio-validation-half.jsonl")
    by_sentence = {typed_distance.key(one.said.sentence): (name, one) for name in premises for one in premises[name]}
    groups: Groups = defaultdict(list)
    known = set()
    for source, sentence, text in typed_distance.lines(data, "FOLIO_*.json"):
        found, formula = by_sentence.get(typed_distance.key(sentence)), typed_distance.closed(text)
        if found is None or formula is None:
            continue
        name, premise = found
        symbols = {symbol for one in (premise.gold, *premise.said.story) for symbol in one.profile.symbols}
        if formula.profile.symbols <= symbols and (source, premise.item, formula) not in known:
            known.add((source, premise.item, formula))
            if _differ(premise.gold, formula):
                groups[f"models, {name}"].append(answer(premise, formula))
    return groups


def _differ(gold: fol.Formula, formula: fol.Formula) -> bool:
    return equivalence(gold, formula).outcome is Outcome.NOT_EQUIVALENT


def forgiven(answers: Sequence[Answer]) -> float:
    """Return the share of answers with a label."""
    return sum(one.label is not None for one in answers) / len(answers)


def missed(groups: Groups) -> list[str]:
    """Return the groups that miss the bar."""
    return [name for name, answers in groups.items() if forgiven(answers) >= BAR and name not in APART]


def table(title: str, groups: Groups) -> None:
    """Print how many answers of each group get which label."""
    print(f"\n| {title} | n | {' | '.join(Rule)} | share |\n|---|{'--:|' * (len(Rule) + 2)}")
    for name, answers in groups.items():
        found = Counter(one.label.rule for one in answers if one.label)
        counts = " | ".join(str(found[rule]) for rule in Rule)
        print(f"| {name} | {len(answers):,} | {counts} | {forgiven(answers):.4f} |")


def shown(title: str, groups: Groups, count: int) -> None:
    """Print labelled answers, drawn at random."""
    for name, answers in groups.items():
        found = [one for one in answers if one.label]
        for one in random.Random(1).sample(found, min(count, len(found))):
            assert one.label
            print(f"\n{title}, {name}: {one.premise.item}: {one.premise.said.sentence}\n  gold   {one.premise.gold}")
            print(f"  answer {one.formula}\n  {one.label.rule}: {one.label.licence}")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder with folio/, logic_lm/ and released/")
    parser.add_argument("--premises", type=int)
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    sets = {"tarski": tarski()}
    if options.data:
        folder = options.data / "folio"
        sets = {
            "training": folio(folder / "folio-train.jsonl", "corrected"),
            "unseen": unseen(folder / "folio-validation-half.jsonl"),
        }
    wrong: list[str] = []
    for name, premises in sets.items():
        chosen = premises[:: max(1, len(premises) // options.premises)] if options.premises else premises
        start = process_time()
        for title, groups in zip((f"{name}: planted", f"{name}: gaming"), labelled(chosen), strict=True):
            table(title, groups)
            wrong += missed(groups)
            shown(title, groups, options.show)
        print(f"{process_time() - start:.0f} s", file=sys.stderr)
    if options.data:
        groups = translated(options.data / "folio/folio-train.jsonl") | modelled(options.data)
        table("real", groups)
        shown("real", groups, options.show)
        wrong += ["natural"] * any(one.label for one in groups["natural"])
    sys.exit(f"at or above the bar: {', '.join(wrong)}" if wrong else 0)


if __name__ == "__main__":
    main()
