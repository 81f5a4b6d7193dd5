"""Clues of sets of one kind of edit, from sentences written out by hand."""

from random import Random

from benchmarks.fair_kinds import audited, edits, sets_of

from nlfol.logic import parse
from nlfol.logic.ontology.ontology import ConstantSymbol, Ontology, Predicate
from nlfol.tasks.item import Item

NAMES = ("Cat", "Red", "Big")
ONTOLOGY = Ontology(
    tuple(Predicate(name, 1, f"{{}} is {name.lower()}", f"{{}} is not {name.lower()}") for name in NAMES),
    constants=(ConstantSymbol("tom", "Tom"),),
)
FORMULAS = ("∀x (Cat(x) ∧ Red(x) → Big(x))", "∀x (Cat(x) → Red(x) ∧ Big(x))", "Cat(tom) ∧ Red(tom) → Big(tom)")


def test_moved_operand_is_dropped_here_and_added_there() -> None:
    first, second = (parse(formula) for formula in FORMULAS[:2])
    draw = Random(0)
    assert edits(first, ONTOLOGY, draw)["moved"] == [second]
    assert edits(second, ONTOLOGY, draw)["moved"] == [first]


def test_length_tells_what_is_dropped_or_added_and_repetition_what_is_said_twice() -> None:
    items = [
        Item(f"{story}:0", str(story), "", formula, ONTOLOGY, (), "first_order")
        for story, formula in enumerate(FORMULAS * 2)
    ]
    found = {kind: audited(sets) for kind, sets in sets_of(items, 1).items()}
    for kind in ("dropped", "guard", "added"):
        assert (found[kind].alike, found[kind].by_length) == (0, 1)
    assert found["doubled"].by_repeats == 1
    moved = found["moved"]
    assert (moved.sets, moved.by_length, moved.by_repeats, moved.learner) == (6, 0.5, 0.5, None)
