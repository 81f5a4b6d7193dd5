"""Questions that notice every edit of a premise: what they notice, of edits, real errors and answers that would cheat.

    python benchmarks/adequate_problems.py [--count 4] [--data FOLDER] [--stories 16] [--most 30]

``count`` problems of each family, and with a folder that has FOLIO and what models wrote about it, so many of FOLIO's
training stories with corrected formulas in which the second reading has an error, and validation stories in which
models do. An error is a formula over the story's symbols that is not equivalent to gold. It is *seen* if some answer
changes; by FOLIO's own questions, and by these. Time is CPU time of this process.

Measured: docs/problems.md.
"""

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random
from statistics import fmean, median
from time import process_time
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "workflow/scripts"))
sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.typed_distance import ROOT, TAUTOLOGY, closed, folio, key, lines
from scipy.stats import spearmanr

from nlfol.data.entries.folio import FolioEntry
from nlfol.data.entries.problems import shipped_lexicon
from nlfol.data.patches import text_digest
from nlfol.logic import Formula, LogicError, Outcome, entails, equivalence, parse
from nlfol.logic import syntax as fol
from nlfol.logic.decision.satisfiability import SMALL_BUDGET
from nlfol.problems.adequacy.mutants import EQUIVALENT, SEEN
from nlfol.problems.adequacy.selecting import Adequate, choose
from nlfol.problems.adequacy.stories import adequate
from nlfol.problems.adequacy.story import StoryError
from nlfol.problems.families import generate
from nlfol.randomness import generator

FAMILIES = ("proofs", "premises", "rules")


class Told(NamedTuple):
    """A story with formulas, errors by place, FOLIO's own conclusions, and a whole reading, if there is one."""

    name: str
    premises: tuple[Formula, ...]
    errors: tuple[tuple[int, Formula], ...]
    own: tuple[Formula, ...]
    reading: tuple[Formula, ...] = ()


def label(premises: Sequence[Formula], conclusion: Formula) -> str:
    """Return the answer of premises, or the reason why there is none."""
    try:
        found = entails(list(premises), conclusion, budget=SMALL_BUDGET, with_evidence=False)
    except LogicError:
        return "invalid"
    return "contradictory" if found.inconsistent else found.label.value


def is_seen(premises: Sequence[Formula], others: Sequence[Formula], asked: Iterable[Formula]) -> bool:
    """Return whether a question has another answer of other premises."""
    return any(label(premises, one) != label(others, one) for one in asked)


def with_error(premises: Sequence[Formula], place: int, formula: Formula) -> list[Formula]:
    """Return premises with one replaced."""
    return [*premises[:place], formula, *premises[place + 1 :]]


def report(name: str, found: Sequence[tuple[Adequate, float]]) -> None:
    """Print what a set of stories notices, by kind of edit, and what is not, by reason."""
    fates = Counter(fate for chosen, _ in found for fate in chosen.fates)
    shares = [
        sum(fate in SEEN for fate in chosen.fates) / max(1, sum(fate not in EQUIVALENT for fate in chosen.fates))
        for chosen, _ in found
    ]
    conclusions = [one for chosen, _ in found for one in chosen.conclusions]
    atoms = [sum(isinstance(node, fol.Atomic) for _, node in fol.subformulas(one.formula)) for one in conclusions]
    truths = Counter(one.truth.value for one in conclusions)
    print(f"\n{name}: {len(found)} stories, {sum(fates.values()):,} edits: {dict(sorted(fates.items()))}")
    print(f"mutation score by story: median {median(shares):.3f}, least {min(shares):.3f}, mean {fmean(shares):.3f}")
    print(
        f"conclusions a story: median {median(len(chosen.conclusions) for chosen, _ in found)}, atoms: mean "
        f"{fmean(atoms):.1f}, most {max(atoms)}, repeat a premise or edit: {fmean(c.repeats for c in conclusions):.3f}"
    )
    forms = Counter((type(one.formula).__name__, one.truth) for one in conclusions)
    by_form: dict[str, int] = {}
    for (form, _), count in forms.items():
        by_form[form] = max(by_form.get(form, 0), count)
    print(f"labels: {dict(truths)}; told from the first operator: {sum(by_form.values()) / len(conclusions):.3f}")
    print(f"seconds a story: median {median(s for _, s in found):.2f}, most {max(s for _, s in found):.2f}")
    by_kind: dict[str, Counter[bool]] = defaultdict(Counter)
    for chosen, _ in found:
        for mutant, fate in zip(chosen.mutants, chosen.fates, strict=True):
            if fate not in EQUIVALENT:
                by_kind[mutant.kind.value][fate in SEEN] += 1
    print("| edit | other stories | noticed |\n|---|--:|--:|")
    for kind, counts in sorted(by_kind.items()):
        print(f"| {kind} | {counts.total():,} | {counts[True] / counts.total():.3f} |")


def cheats(stories: Sequence[tuple[Sequence[Formula], Adequate]]) -> None:
    """Print what answers that would cheat earn: their share of right answers, and of stories without a wrong one."""
    made: dict[str, Callable[[Sequence[Formula], int], list[Formula]]] = {
        "all premises a tautology": lambda told, _: [TAUTOLOGY] * len(told),
        "a tautology": lambda told, place: with_error(told, place, TAUTOLOGY),
        "dropped": lambda told, place: [*told[:place], *told[place + 1 :]],
        "the next premise": lambda told, place: with_error(told, place, told[(place + 1) % len(told)]),
        "and the next premise": lambda told, place: with_error(
            told, place, fol.And(told[place], told[(place + 1) % len(told)])
        ),
    }
    print("\n| in place of one premise | right answers | no answer changed |\n|---|--:|--:|")
    unknown = [
        sum(one.truth.value == "unknown" for one in chosen.conclusions) / len(chosen.conclusions)
        for _, chosen in stories
    ]
    print(f"| (always unknown) | {fmean(unknown):.3f} | {fmean(share == 1 for share in unknown):.3f} |")
    for name, change in made.items():
        shares = []
        for told, chosen in stories:
            place = Random(len(told)).randrange(len(told))
            changed = change(told, place)
            asked = [one.formula for one in chosen.conclusions]
            shares.append(fmean(label(told, one) == label(changed, one) for one in asked))
        print(f"| {name} | {fmean(shares):.3f} | {fmean(share == 1 for share in shares):.3f} |")


def training(data: Path, count: int, draw: Random) -> list[Told]:
    """Return training stories in which the second reading has an error, with FOLIO's conclusions."""
    path = data / "folio/folio-train.jsonl"
    about = {"reader": "folio", "path": str(path), "gold": "corrected", "exclusive_or": "include"}
    sentences = FolioEntry.model_validate(about).read().sentences
    by_story: dict[str, list[tuple[str, str | None]]] = defaultdict(list)
    for sentence in sentences:
        by_story[sentence.story].append((sentence.item, sentence.formula))
    said = (ROOT / "resources/answers/second_reading/folio.jsonl").read_text(encoding="utf-8").splitlines()
    answers = {row["item"]: closed(row["answer"]) for row in map(json.loads, said)}
    known = (ROOT / "resources/datasets/folio/conclusions.jsonl").read_text(encoding="utf-8").splitlines()
    formulas = {(row["story"], row["text_sha256"]): row["formula"] for row in map(json.loads, known)}
    asked: dict[str, list[Formula]] = defaultdict(list)
    for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        story = str(row["story_id"])
        formula = closed(formulas.get((story, text_digest(row["conclusion"].strip())), ""))
        asked[story] += [formula] if formula is not None else []
    told = []
    for story in draw.sample(sorted(by_story), len(by_story)):
        rows = [(item, formula) for item, formula in by_story[story] if formula is not None]
        readings = [answers.get(item) for item, _ in rows]
        if len(rows) < len(by_story[story]) or None in readings or not asked[story]:
            continue
        gold = tuple(parse(formula) for _, formula in rows)
        reading = tuple(one for one in readings if one is not None)
        errors = tuple(
            (place, one)
            for place, one in enumerate(reading)
            if equivalence(gold[place], one).outcome is Outcome.NOT_EQUIVALENT
        )
        if errors:
            told.append(Told(story, gold, errors, tuple(asked[story]), reading))
        if len(told) == count:
            break
    return told


def validation(data: Path, count: int) -> list[Told]:
    """Return validation stories in which models have errors in gold's symbols, with FOLIO's conclusions."""
    path = data / "folio/folio-validation-half.jsonl"
    by_sentence = {key(one.item): one for one in folio(path)}
    asked: dict[str, list[Formula]] = defaultdict(list)
    for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        formula = closed(row.get("conclusion-FOL", ""))
        asked[key(row["premises"][0])] += [formula] if formula is not None else []
    errors: dict[tuple[Formula, ...], dict[tuple[int, Formula], None]] = defaultdict(dict)
    own: dict[tuple[Formula, ...], list[Formula]] = {}
    for sentence, premise in by_sentence.items():
        own.setdefault(premise.story, []).extend(asked.get(sentence, []))
    for _, sentence, text in lines(data):
        found = by_sentence.get(key(sentence))
        if found is None or (answer := closed(text)) is None:
            continue
        symbols = frozenset().union(*(one.profile.symbols for one in found.story))
        if answer.profile.symbols <= symbols and equivalence(found.gold, answer).outcome is Outcome.NOT_EQUIVALENT:
            errors[found.story][found.story.index(found.gold), answer] = None
    return [Told(str(n), told, tuple(errors[told]), tuple(own[told])) for n, told in enumerate(errors)][:count]


def compared(name: str, stories: Sequence[Told], most: int) -> None:
    """Print which real errors are seen, and if answers predict right formulas, by FOLIO's questions and by these."""
    found, together, kept = [], [], []
    for told in stories:
        start = process_time()
        try:
            chosen = choose(told.premises, generator(1, "adequate", told.name), most=most)
        except (StoryError, LogicError) as error:
            print(f"{name} {told.name} refused: {error}")
            continue
        found.append((chosen, process_time() - start))
        together.append((told.premises, chosen))
        kept.append(told)
    report(name, found)
    cheats(together)
    questions = {"FOLIO's own": [told.own for told in kept]}
    questions["these"] = [tuple(one.formula for one in chosen.conclusions) for chosen, _ in found]
    for asked, of in questions.items():
        seen, same, shares = [], 0, []
        for told, formulas in zip(kept, of, strict=True):
            for place, formula in told.errors:
                changed = with_error(told.premises, place, formula)
                noticed = is_seen(told.premises, changed, formulas)
                is_same = (
                    not noticed and label(told.premises, formula) == label(changed, told.premises[place]) == "true"
                )
                seen.append(noticed)
                same += is_same
            if told.reading and formulas:
                right = fmean(label(told.premises, one) == label(told.reading, one) for one in formulas)
                shares.append((1 - len(told.errors) / len(told.premises), right))
        rest = (len(seen) - sum(seen) - same) / max(1, len(seen) - same)
        print(
            f"{name}, {asked}: of {len(seen)} errors {1 - fmean(seen):.3f} change no answer; {same} of these "
            f"are proven to leave the same story; of all but these {rest:.3f} change none"
        )
        if len(shares) > 2:
            rank = spearmanr(*zip(*shares, strict=True))
            print(
                f"rank correlation of right formulas and right answers over {len(shares)} stories: {rank.statistic:.2f}"
            )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--families", nargs="*", default=FAMILIES)
    parser.add_argument("--count", type=int, default=4, help="problems of each family")
    parser.add_argument("--data", type=Path, help="folder with folio/, logic_lm/ and released/")
    parser.add_argument("--stories", type=int, default=16, help="stories of FOLIO, of each split")
    parser.add_argument("--most", type=int, default=30, help="most questions a story")
    options = parser.parse_args()
    for family in options.families if options.count else ():
        found = []
        for problem in generate(family, seed=1, count=options.count, lexicon=shipped_lexicon()):
            start = process_time()
            made = adequate(problem, shipped_lexicon(), generator(1, "adequate", problem.name), most=options.most)
            if made.adequate is not None:
                found.append((made.adequate, process_time() - start))
        report(family, found)
    if options.data:
        compared("training", training(options.data, options.stories, Random(1)), options.most)
        compared("validation", validation(options.data, options.stories), options.most)


if __name__ == "__main__":
    main()
