"""Questions that notice every edit of a premise: what they notice, of edits, real errors and answers that would cheat.

    python benchmarks/adequate_problems.py [--count 4] [--data FOLDER] [--stories 16] [--most 60]

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

sys.path.insert(0, str(Path(__file__).parents[1] / "workflow/scripts"))
sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.adequate_translations import Told, label, misread, pairs, predicted, told
from benchmarks.folio_stories import training, validation
from benchmarks.typed_distance import TAUTOLOGY

from nlfol.data.entries.problems import shipped_lexicon
from nlfol.logic import Formula, LogicError
from nlfol.logic import syntax as fol
from nlfol.problems.adequacy.mutants import EQUIVALENT, SEEN
from nlfol.problems.adequacy.selecting import Adequate, choose
from nlfol.problems.adequacy.stories import adequate
from nlfol.problems.adequacy.story import StoryError
from nlfol.problems.families import generate
from nlfol.randomness import generator
from nlfol.results.statistics.clusters import clustered_mean

FAMILIES = ("proofs", "premises", "rules")
MODELS = ("gemini-1.5-pro-preview-0514", "3-70B", "Ours", "Qwen2.5-72B", "Mixtral-8x7B-v0.1", "gemini-1.0")
"""Parts of the names of files of programs whose formulas and answers are compared."""


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
        for premises, chosen in stories:
            place = Random(len(premises)).randrange(len(premises))
            changed = change(premises, place)
            asked = [one.formula for one in chosen.conclusions]
            shares.append(fmean(label(premises, one) == label(changed, one) for one in asked))
        print(f"| {name} | {fmean(shares):.3f} | {fmean(share == 1 for share in shares):.3f} |")


def compared(data: Path, split: str, count: int, most: int) -> None:
    """Print which real errors are seen, what misreading earns, and if answers predict right formulas."""
    problems = training(data) if split == "train" else validation(data)
    files = f"FOLIO_{'train' if split == 'train' else 'dev'}*.json"
    every = list(told(problems, data, files))
    kept = [every[place] for place in sorted(Random(1).sample(range(len(every)), min(count, len(every))))]
    found: dict[str, tuple[Told, Adequate]] = {}
    seconds = []
    for story in kept:
        start = process_time()
        try:
            chosen = choose(story.premises, generator(1, "adequate", story.name), most=most)
        except (StoryError, LogicError) as error:
            print(f"{split} {story.name} refused: {error}")
            continue
        seconds.append(process_time() - start)
        found[story.name] = story, chosen
    print(f"{split}: {len(kept)} of {len(every)} stories")
    report(split, [(chosen, spent) for (_, chosen), spent in zip(found.values(), seconds, strict=True)])
    asked = {name: (story.own, [one.formula for one in chosen.conclusions]) for name, (story, chosen) in found.items()}
    for kind, name in enumerate(("FOLIO's own", "these")):
        seen, names, same = [], [], 0
        for story, _ in found.values():
            for place, formula in story.errors:
                changed = with_error(story.premises, place, formula)
                is_noticed = is_seen(story.premises, changed, asked[story.name][kind])
                seen.append(not is_noticed)
                names.append(story.name)
                same += not is_noticed and (
                    label(story.premises, formula) == label(changed, story.premises[place]) == "true"
                )
        if seen:
            share = clustered_mean([float(one) for one in seen], names)
            ends = "(too few for an interval)" if share.low is None else f"[{share.low:.3f}, {share.high:.3f}]"
            print(
                f"{split}, {name}: of {len(seen)} errors in {share.stories} stories {share.mean:.3f} {ends} change no "
                f"answer; {same} are proven to leave the same story"
            )
    programs = {
        path.stem: json.loads(path.read_text(encoding="utf-8"))
        for path in sorted(data.glob(f"released/*/{files}"))
        if any(word in path.stem for word in MODELS) and "backup" not in path.stem
    }
    gold = {name: story.premises for name, (story, _) in found.items()}
    made = list(pairs(problems, programs, asked, gold))
    several = Counter(pair.story for pair in made)
    made = [pair for pair in made if several[pair.story] > 1]
    if made:
        print(f"\n{split}: {len(made)} pairs of {len({one.model for one in made})} models and {len(several)} stories")
        for kind, name in enumerate(("FOLIO's own", "these")):
            print(f"{name}: {predicted(made, kind)}")
    print(
        "\n| all sentences misread | stories | right: FOLIO's own | these | these, premises alone | no answer changed |"
    )
    print("|---|--:|--:|--:|--:|--:|")
    shares: dict[str, list[tuple[float, float, float]]] = defaultdict(list)
    for own, these in ((asked[name][0], asked[name][1]) for name in list(found)[:12] if asked[name][0]):
        premises = next(story.premises for story, _ in found.values() if story.own is own)
        of_own = {name: alike for name, alike, _ in misread(premises, own)}
        for name, alike, alone in misread(premises, these):
            shares[name].append((of_own[name], alike, alone))
    for name, of in shares.items():
        means = [fmean(each) for each in zip(*of, strict=True)]
        cells = " | ".join(f"{mean:.3f}" for mean in means)
        print(f"| {name} | {len(of)} | {cells} | {fmean(each[1] == 1 for each in of):.3f} |")
    cheats([(story.premises, chosen) for story, chosen in found.values()])


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--families", nargs="*", default=FAMILIES)
    parser.add_argument("--count", type=int, default=4, help="problems of each family")
    parser.add_argument("--data", type=Path, help="folder with folio/, logic_lm/ and released/")
    parser.add_argument("--stories", type=int, default=16, help="stories of FOLIO, of each split")
    parser.add_argument("--splits", nargs="*", default=("validation", "train"), help="splits of FOLIO")
    parser.add_argument("--most", type=int, default=60, help="most questions a story")
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
        for split in options.splits:
            compared(options.data, split, options.stories, options.most)


if __name__ == "__main__":
    main()
