"""Clues of candidate sets of one kind of edit, to who does not see the sentence.

    python benchmarks/fair_kinds.py [--folio FOLDER] [--rows N]

For each kind a set has the gold formula and one edit of it, proven to mean something else, each in a form drawn as in
fair sets; chance is .5. The kinds are the dimensions of fair sets, and those that they lack:

- ``dropped``: an operand of ∧ or ∨ left out; ``guard``: the left side of →; ``added``: a literal of the story added;
- ``coin``: dropped or added, by a coin, where both can be;
- ``doubled``: A ∧ A for A ∧ B, which keeps the number of symbols;
- ``moved``: A → (B ∧ C) for (A ∧ B) → C, and back: dropped at one place and added at the other.

Printed: sets, the share of them whose members are equally long (as formulas and in English), and right answers of
three that see the formulas alone, ties as one half: who always takes the longer one, or always the shorter, whichever
is more; who takes the one that repeats fewer atoms; and a logistic regression on n-grams of operators, names and
variables (each as one letter), learnt from other stories.

Measured with ``--rows 500``: docs/fair-sets.md.
"""

import random
import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "workflow/scripts"))
sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
from benchmarks.surface_cues import asked, chosen
from benchmarks.typed_distance import drawn, slips
from scipy.sparse import vstack
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from nlfol.facts import Role
from nlfol.logic import parse
from nlfol.logic import syntax as fol
from nlfol.logic.english.styles import Style
from nlfol.logic.equivalence import equivalence
from nlfol.logic.ontology.ontology import Ontology
from nlfol.randomness import generator
from nlfol.sets.audited import Plan
from nlfol.sets.cubes import certificates, certified, is_as_long, shown_as
from nlfol.sets.sets import Candidate, candidate_rows
from nlfol.tasks.item import Item, Member

LACKING = ("dropped", "guard", "added", "coin", "doubled", "moved")
FOLDS = 5
FEWEST = 30
"""Sets below which nothing is learnt."""


_ATOM = re.compile(r"\w+\([^()]*\)")
_TOKEN = re.compile(r"\w+|[^\w\s]")


class Audited(NamedTuple):
    """Sets of a kind, the share that is equally long, and right answers of three that do not see the sentence."""

    sets: int
    alike: float
    by_length: float
    by_repeats: float
    learner: float | None


def edits(formula: fol.Formula, ontology: Ontology, draw: random.Random) -> dict[str, list[fol.Formula]]:
    """Return what one edit makes of a formula, by kind."""
    made = {**slips(formula, ontology, draw), "doubled": [], "moved": []}
    for path, node in fol.subformulas(formula):
        if isinstance(node, fol.And | fol.Or):
            made["doubled"] += [fol.replace(formula, path, type(node)(part, part)) for part in fol.children(node)]
        if isinstance(node, fol.Implies):
            made["moved"] += [fol.replace(formula, path, each) for each in _moved(node)]
    if made.get("dropped") and made.get("added"):
        made["coin"] = made[draw.choice(("dropped", "added"))]
    return made


def _moved(node: fol.Implies) -> Sequence[fol.Formula]:
    left, right = node.left, node.right
    found: list[fol.Formula] = []
    if isinstance(left, fol.And):
        found.append(fol.Implies(left.left, fol.And(left.right, right)))
    if isinstance(right, fol.And):
        found.append(fol.Implies(fol.And(left, right.left), right.right))
    return found


def sets_of(items: Sequence[Item], seed: int) -> dict[str, list[tuple[Item, bool]]]:
    """Return the sets of two by kind, and whether both members are equally long."""
    made: dict[str, list[tuple[Item, bool]]] = {}
    for item in items:
        gold = parse(item.formula)
        draw = generator(seed, item.item, "fair_kinds")
        for kind, formulas in edits(gold, item.ontology, draw).items():
            if (other := drawn(gold, formulas, draw)) is not None:
                made.setdefault(kind, []).append(_pair(item, gold, other, draw))
    return made


def _pair(item: Item, gold: fol.Formula, other: fol.Formula, draw: random.Random) -> tuple[Item, bool]:
    shown = shown_as(item.ontology, Plan(1, style=Style.EVEN))
    drafts = [Candidate(gold, "", Role.GOLD), Candidate(other, "", Role.CORNER, 1)]
    known = certificates({}, {(gold, other): equivalence(gold, other)})
    found = certified(drafts, known, shown, draw, is_as_long)
    rows = candidate_rows(found, item.language, bracketed=True)
    members = tuple(Member(row["formula"], row["english"], row["role"]) for row in rows)
    asked_of = Item(item.item, item.story, item.text, item.formula, item.ontology, members, item.language)
    return asked_of, is_as_long(gold, other, shown)


def audited(found: Sequence[tuple[Item, bool]]) -> Audited:
    """Return the figures of the sets of a kind."""
    items = [item for item, _ in found]
    longer = fmean(_is_more(*(len(member.formula) for member in item.members)) for item in items)
    repeats = fmean(_is_more(*(-_repeated(member.formula) for member in item.members)) for item in items)
    return Audited(
        len(items),
        fmean(alike for _, alike in found),
        max(longer, 1 - longer),
        repeats,
        learnt(items) if len(items) >= FEWEST else None,
    )


def learnt(items: Sequence[Item]) -> float:
    """Return the right answers of a learner that sees what the members of a set have more of than one another."""
    seen = []
    for item in items:
        gold, other = (_grams(member.formula) for member in item.members)
        seen.append({gram: gold[gram] - other[gram] for gram in gold.keys() | other.keys()})
    features = DictVectorizer().fit_transform(seen)
    stories, right = [item.story for item in items], []
    for known, asked_of in GroupKFold(FOLDS).split(seen, groups=stories):
        # Each set both ways, so that no side of it is the right one more often.
        both = vstack([features[known], -features[known]])
        sides = np.repeat([1, 0], len(known))
        learner = LogisticRegression(fit_intercept=False, max_iter=1000).fit(both, sides)
        right += (np.sign(learner.decision_function(features[asked_of]).round(9)) / 2 + 0.5).tolist()
    return fmean(right)


def _grams(formula: str) -> Counter[str]:
    letters = [
        token[0] if token[0] in "xyzuvw" else "P" if token[0].isalpha() else token for token in _TOKEN.findall(formula)
    ]
    return Counter("".join(letters[at : at + size]) for size in (1, 2, 3, 4) for at in range(len(letters) - size + 1))


def _is_more(gold: int, other: int) -> float:
    return (gold > other) + (gold == other) / 2


def _repeated(formula: str) -> int:
    atoms = _ATOM.findall(formula)
    return len(atoms) - len(set(atoms))


def main() -> None:
    """Print the figures by dataset and kind."""
    options = chosen(__doc__)
    for dataset in ["tarski", "folio"] if options.folio else ["tarski"]:
        _, items, setting = asked(dataset, "most_similar", options.rows, "fair")
        found = sets_of(items, setting.seed)
        for kind in sorted(found, key=lambda kind: (kind in LACKING, kind)):
            figures = audited(found[kind])
            said = ["   –" if value is None else f"{value:.3f}" for value in figures[1:]]
            print(f"{dataset:7} {kind:15} {figures.sets:5} {' '.join(said)}", flush=True)


if __name__ == "__main__":
    main()
