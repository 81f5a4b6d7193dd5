"""Problems in other words: whether they are the same problems, and how fast they are made.

    python benchmarks/diversification.py [--data FOLDER] [--count 2000]

``--data`` has Logic-LM's ``ProofWriter_dev.json``, ``ProntoQA_dev.json`` and ``LogicalDeduction_dev.json``; without it
published problems are left out. ProntoQA is read with its nonce words and with real nouns. Making is measured against
reading the originals and deriving their answers, in the same run.

Measured with 600 drawn problems: of 2,500 at full intensity all but 24, which no form fits, were read back, with all
labels and the fewest repeats that a matching allows.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "workflow/scripts"))

from tests.unit.rewording.judging import fewest_repeats, is_same, places_of

from nlfol.data.entry import read_problems_entry
from nlfol.problems import Problem, read_lexicon
from nlfol.problems.families import FAMILIES, generate
from nlfol.problems.forms import part_of, read_forms
from nlfol.problems.gold import derived
from nlfol.problems.lexicon import Word
from nlfol.problems.rewording import Settings, diversify
from nlfol.problems.rewording.forms import UNCOUNTED

ROOT = Path(__file__).parents[1]
WORDS = read_lexicon(ROOT / "resources/lexicon/problems.yaml")
LEXICON = part_of(read_forms(WORDS, ROOT / "resources/lexicon/diversified.yaml"), "tested")
EACH = 10
"""One problem in so many is diversified at all intensities."""

INTENSITIES = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass
class Shown:
    """Outcome of diversifying a set of problems."""

    problems: int = 0
    same: int = 0
    repeats: int = 0
    fewest: int = 0
    mentions: int = 0
    nested: int = 0
    dispersion: float = 0
    dispersion_of_two: float = 0
    seconds: float = 0
    reading: float = 0
    types: Counter[str] = field(default_factory=Counter)


def published(folder: Path) -> dict[str, Sequence[Problem]]:
    """The three published sets."""

    def read(name: str, **keys: str) -> Sequence[Problem]:
        entry = read_problems_entry(json.dumps({"path": str(folder / f"{name}_dev.json"), **keys}))
        return entry.read(1).problems

    return {
        "ProofWriter": read("ProofWriter", reader="proofwriter"),
        "ProntoQA": read("ProntoQA", reader="prontoqa"),
        "ProntoQA, real nouns": read("ProntoQA", reader="prontoqa", nouns="real"),
        "LogicalDeduction": read("LogicalDeduction", reader="logical_deduction"),
    }


def shown(problems: Sequence[Problem]) -> tuple[Shown, list[Problem]]:
    """Diversify problems at full intensity, and check each by other means."""
    found = Shown(len(problems))
    made = []
    for problem in problems:
        start = process_time()
        list(places_of(problem, problem, LEXICON))
        derived(problem)
        read = process_time()
        done = diversify(problem, LEXICON, Settings(), "benchmark")
        found.seconds += process_time() - read
        found.reading += read - start
        if not done.problem.is_usable:
            print(f"{problem.name}: {done.problem.detail}")
            continue
        made.append(done.problem)
        found.types.update(rewrite.type for rewrite in done.problem.rewrites)
        found.same += is_same(problem, done.problem) and len(list(places_of(problem, done.problem, LEXICON))) > 0
        found.repeats += sum(done.repeats.values())
        found.fewest += sum(fewest_repeats(problem, done.problem, LEXICON).values())
        found.mentions += sum(len(statement.mentions) for statement in done.problem.statements)
        found.dispersion += dispersion(done.problem) / len(problems)
        two = diversify(problem, LEXICON, Settings(forms=2), "benchmark").problem
        found.dispersion_of_two += dispersion(two) / len(problems)
        found.nested += is_nested(problem) if len(made) % EACH == 1 else 0
    return found, made


def dispersion(problem: Problem) -> float:
    """Return the SDS of a translator that has a symbol for each word of a concept: over concepts said twice."""
    words: dict[str, list[str]] = {}
    for mention in (mention for sentence in problem.sentences for mention in sentence.mentions):
        is_word = LEXICON.form(Word(mention.concept, mention.form)).slot not in UNCOUNTED
        words.setdefault(mention.concept, []).append(mention.form if is_word else "")
    repeated = [set(forms) - {""} for forms in words.values() if len(forms) > 1]
    return sum(max(len(forms) - 1, 0) for forms in repeated) / max(len(repeated), 1)


def is_nested(problem: Problem) -> bool:
    """Return whether each intensity has the rewritten statements of the one below, in the same words."""
    before: dict[int, str] = {}
    for intensity in INTENSITIES:
        done = diversify(problem, LEXICON, Settings(intensity), "benchmark").problem
        texts = {
            number: new.text
            for number, (new, old) in enumerate(zip(done.statements, problem.statements, strict=True))
            if new.text != old.text
        }
        if not before.items() <= texts.items():
            return False
        before = texts
    return True


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description="Problems in other words.")
    parser.add_argument("--data", type=Path, help="folder of Logic-LM's files")
    parser.add_argument("--count", type=int, default=2_000, help="problems to draw, over all families")
    options = parser.parse_args()
    sets = published(options.data) if options.data else {}
    for family in FAMILIES:
        sets[family] = tuple(generate(family, seed=2026, count=options.count // len(FAMILIES), lexicon=WORDS))
    for name, problems in sets.items():
        found, done = shown(problems)
        print(f"{name}: {found.same} of {found.problems} read back to the same program in one way, with the answer;")
        print(f"  {found.repeats} repeats in {found.mentions} mentions, fewest possible {found.fewest};", end=" ")
        print(f"{found.nested} of {-(-len(done) // EACH)} nested;")
        print(f"  {', '.join(f'{kind} {count}' for kind, count in found.types.most_common())};")
        sds = f"{found.dispersion:.2f}, of two forms a concept {found.dispersion_of_two:.2f}"
        print(f"  SDS of a translator with a symbol for each word {sds};")
        ratio = found.seconds / found.reading
        print(f"  {found.problems / found.seconds:.0f} a second, {ratio:.1f} times reading the original", flush=True)


if __name__ == "__main__":
    main()
