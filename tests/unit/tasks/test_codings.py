"""Codes in place of English: what is told from English, and what is not."""

from collections.abc import Iterator
from typing import get_args

import pytest
from tests.examples import CUBES, WEATHER, item, said
from tests.property.notation_in_english import said as certified

import nlfol
from nlfol.facts import CodingName
from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.english.styles import Style, render
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.ontology.ontology import ConstantSymbol, Ontology, Predicate
from nlfol.logic.reading import parse
from nlfol.tasks.codings import CODINGS
from nlfol.tasks.copies import copies
from nlfol.tasks.encoded import is_encoded
from nlfol.tasks.item import Item

LONG = "∀x (Cube(x) ∧ ∃y (Larger(y, x) ∨ x = y) → Small(x) ⊕ ¬Larger(a, x)) ↔ ∃z (Small(z) ∧ ¬Cube(z))"
ITEMS = (
    item(LONG, "", ontology=derive([parse(LONG)])),
    Item("p:0", "p", "", "p1 ∨ (¬p2 ∧ p1)", WEATHER, (), "propositional", 1),
    Item("r:0", "r", "", "(0|1+)*(10)?", Ontology(alphabet="01"), (), "regular", 2),
)
EMPTY = Ontology()


@pytest.mark.parametrize("name", CODINGS)
def test_each_coding_is_undone_to_the_same_meaning(name: CodingName) -> None:
    for each in ITEMS:
        language = LANGUAGES[each.language]
        sentence = language.parse(each.formula)
        back = CODINGS[name].decoded(CODINGS[name].encoded(sentence, each), each)
        read = language.read(back, each.ontology).sentence
        assert language.compare(sentence, read).outcome is Outcome.EQUIVALENT, back


def test_only_grammatical_codings_of_a_long_formula_are_taken_for_english() -> None:
    long = ITEMS[0]
    texts = {name: coding.encoded(parse(LONG), long) for name, coding in CODINGS.items()}
    assert texts.keys() == set(get_args(CodingName))
    taken = [
        name
        for name, text in texts.items()
        if not (copies(text, long.ontology, "first_order") or is_encoded(text, long.ontology))
    ]
    assert taken == ["story", "articles"]


def plain_english() -> Iterator[tuple[str, Ontology]]:
    """Yield certified English in all styles, and wordings of people and models."""
    for one in certified(200, "english"):
        yield one.english, one.ontology
        if one.language != "regular":
            yield from ((render(one.sentence, one.ontology, style), one.ontology) for style in Style)
    for text in (
        "Musoke fought Yakovlev at UFC Fight Night.",
        "Columbia Pictures produced Adventures of Rusty",
        "Real Madrid and Atlético Madrid both scored one goal in 2016 UCL final during the regular time.",
        "Nevertheless, “Hooray! It's a Holi-Holiday!” broke Boney M's streak of consecutive German #1 singles.",
        "p1 or not p2, and p3 unless p4",
        "There exists an x1 such that pred2 holds of x1 and p7, or p3 is not pred4.",
        "A 0 followed by zero or more 1s, then either 01 or 10 repeated at least once, and an optional 1 at the end.",
        "**Translation:** Every cube is *small*.\n\n- If something is a cube, it isn't larger than `b`.",
        "b is larger than a.",
        "p1",
    ):
        yield text, EMPTY


def test_no_english_is_encoded() -> None:
    assert [text for text, ontology in plain_english() if is_encoded(text, ontology)] == []


def test_symbols_that_certified_english_adds_are_no_code() -> None:
    names = [ConstantSymbol(f"c{number}", "Ann") for number in range(9)]
    ontology = Ontology(
        (Predicate("Meet", 9, "; ".join(["{}"] * 9), "no " + "; ".join(["{}"] * 9)),), constants=tuple(names)
    )
    formula = parse(f"Meet({', '.join(name.name for name in names)})")
    text = render(formula, ontology, Style.UNAMBIGUOUS)
    assert "[Meet(" in text or "[c1]" in text
    assert not is_encoded(text, ontology)


@pytest.mark.parametrize("name", ["prefix", "polish", "rot13"])
def test_short_codes_are_no_english(name: CodingName) -> None:
    short = "∀x (Cube(x) → ¬Larger(x, b))"
    text = CODINGS[name].encoded(parse(short), item(short, "", ontology=derive([parse(short)])))
    assert len(text.split()) < 12
    assert is_encoded(text, EMPTY)


def test_name_of_several_words_counts_as_one() -> None:
    name = "Pierre de Rigaud de Vaudreuil"
    ontology = Ontology(constants=(ConstantSymbol("pierre", name), ConstantSymbol("fort", "Fort Carillon")))
    assert is_encoded(f"{name} built Fort Carillon.", EMPTY)
    assert not is_encoded(f"{name} built Fort Carillon.", ontology)


def test_english_around_a_code_does_not_hide_it() -> None:
    code = CODINGS["prefix"].encoded(parse(LONG), ITEMS[0])
    english = "This sentence is about some cubes that are larger than the others in the world. "
    assert is_encoded(code, EMPTY)
    assert is_encoded(english * 3 + code + ". " + english * 3, EMPTY)


@pytest.mark.parametrize(("english", "uncopied"), [(CUBES.encode().hex(), 0), ("Every cube is small.", 1)])
def test_encoded_english_counts_as_copied(english: str, uncopied: int) -> None:
    row = {**item(CUBES, "Every cube is small.").to_row(), "task": "round_trip"}
    judged = nlfol.score(row, [said(english), said(CUBES)])
    assert [judged.scores[name] for name in ("truth_uncopied", "truth", "copied")] == [uncopied, 1, 1 - uncopied]
    stopped = nlfol.score({**row, "task": {"task": "round_trip", "copies": "stop"}}, [said(english), said(CUBES)])
    assert stopped.stop == ("completed" if uncopied else "copied")
