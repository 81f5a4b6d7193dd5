"""Formulas, vocabularies, items and problems that tests of all packages share."""

import json
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from nlfol.logic.ontology.derivation import derive
from nlfol.logic.ontology.ontology import ConstantSymbol, Ontology, Predicate
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading import parse
from nlfol.problems import Lexicon, Problem, Statement, read_lexicon
from nlfol.problems.families import generate
from nlfol.problems.forms import read_forms
from nlfol.problems.problem import TRUTHS
from nlfol.sets.sets import Candidate
from nlfol.tasks.item import Item, Member

ROOT = Path(__file__).parents[1]
LEXICON = ROOT / "resources/lexicon/problems.yaml"

CUBES = "∀x (Cube(x) → Small(x))"
"""Every cube is small."""

WEATHER = Ontology((Predicate("p1", 0, "it rains", "it does not rain"), Predicate("p2", 0, "it snows", "no snow")))
PEOPLE = Ontology((Predicate("Likes", 2, "{} likes {}", "{} does not like {}"),), (), (ConstantSymbol("ann", "Ann"),))

CATS = Problem(
    "cats",
    "free",
    "formulas",
    (Statement("All cats purr.", "∀x (Cat(x) → Purrs(x))"), Statement("Tom is a cat.", "Cat(tom)")),
    Statement("Does Tom purr?", "Purrs(tom)"),
    TRUTHS,
    "A",
    depth=2,
)

COLD = Problem(
    "cold",
    "free",
    "clauses",
    (
        Statement("Bob is cold.", "Cold(bob, True)"),
        Statement("What is cold is sad.", "Cold($x, True) >>> Sad($x, True)"),
    ),
    Statement("Is Bob sad?", "Sad(bob, True)"),
    TRUTHS,
    "A",
    depth=1,
)

ROW = Problem(
    "row",
    "free",
    "constraints",
    (
        Statement("There are a red, a blue and a green book.", "AllDifferentConstraint([red, blue, green])"),
        Statement("The red book is left of the blue one.", "red < blue"),
        Statement("The green book is leftmost.", "green == 1"),
    ),
    Statement("Which is true?"),
    (Statement("Red is in the middle.", "red == 2"), Statement("Blue is in the middle.", "blue == 2")),
    "A",
    depth=2,
)


def item(formula: str, text: str = "", candidates: Iterable[Candidate] = (), **fields: Any) -> Item:
    """Return an item of story "w", over the vocabulary of its formula unless another is given.

    Args:
        formula: the gold formula.
        text: its sentence.
        candidates: its candidate set.
        fields: other fields of the item.
    """
    members = tuple(Member(to_unicode(each.formula), each.english, each.role) for each in candidates)
    own = {} if "ontology" in fields else {"ontology": derive([parse(formula)])}
    return Item(**{"item": "w:0", "story": "w", "text": text, "formula": formula, "members": members, **own, **fields})


def said(answer: object) -> str:
    """Return an answer as a model writes it."""
    return json.dumps({"reasoning": "", "answer": answer})


def default() -> dict[str, Any]:
    """Return the values of the default configuration."""
    return dict(yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8")))


def lexicon() -> Lexicon:
    return read_lexicon(LEXICON)


def forms() -> Lexicon:
    return read_forms(lexicon(), ROOT / "resources/lexicon/diversified.yaml")


@lru_cache
def family(name: str, count: int = 6) -> tuple[Problem, ...]:
    """Return problems of a family, drawn with seed 5."""
    return tuple(generate(name, seed=5, count=count, lexicon=lexicon()))
