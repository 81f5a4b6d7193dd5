"""References and other syntax: what they mean, what is left unread, and premises as people say them."""

import pytest
from tests.examples import forms
from tests.unit.problems.test_diversified_dialects import check

from nlfol.logic import parse
from nlfol.problems.dialects import order
from nlfol.problems.dialects.dialect import BACKWARDS, Dialect
from nlfol.problems.dialects.order import Order
from nlfol.problems.dialects.premises import Premises
from nlfol.problems.dialects.rules_readings import Rules
from nlfol.problems.dialects.taxonomy import Taxonomy
from nlfol.problems.dialects.words import TAILS, DialectError
from nlfol.problems.lexicon import Slot, Word

LEXICON = forms()


def read(dialect: Dialect, text: str, *before: str) -> str | None:
    """The line of the one reading of a text behind a sentence."""
    named = dialect.named(dialect.readings(before[0], ())[0][0]) if before else ()
    ((_, statement),) = dialect.readings(text, named)
    return statement.line


@pytest.mark.parametrize(
    ("first", "text", "line"),
    [
        ("Anne is red.", "She is cold.", "Cold(anne, True)"),
        ("Anne likes Bob.", "She is cold.", "Cold(anne, True)"),
        ("Anne likes Bob.", "Dave helps him.", "Help(dave, bob, True)"),
        ("Anne likes Bob.", "He is helped by her.", "Help(anne, bob, True)"),
        ("The cat likes Bob.", "It is cold.", "Cold(cat, True)"),
        ("The cat likes the dog.", "The former is cold.", "Cold(cat, True)"),
        ("The cat is liked by the dog.", "The former is cold.", "Cold(cat, True)"),
        ("The cat likes the dog.", "Bob sees the latter.", "See(bob, dog, True)"),
        ("If Bob is red then Bob is big.", "He is cold.", "Cold(bob, True)"),
        ("Bob is red.", "If Anne likes Dave then he is cold.", "Like(anne, dave, True) >>> Cold(dave, True)"),
    ],
)
def test_references_resolve_to_only_possible_antecedent(first: str, text: str, line: str) -> None:
    assert read(Rules(LEXICON.of(["Red", "Big", "Cold", *NAMES])), text, first) == line


NAMES = ("Like", "Help", "See", "anne", "bob", "dave", "fiona", "alex", "cat", "dog")


@pytest.mark.parametrize(
    ("first", "text"),
    [
        ("Anne likes Fiona.", "She is cold."),
        ("Alex likes Bob.", "He is cold."),
        ("The cat likes the dog.", "It is cold."),
        ("The cat is red.", "The former is cold."),
        ("The cat likes the cat.", "The latter is cold."),
        ("Anne is red.", "She likes her."),
        ("Red things are big.", "It is cold."),
        ("If something likes the cat then it is red.", "It is cold."),
        ("Bob is red.", "If he is cold then he is big."),
        ("Bob is red.", "If someone likes him then they are red."),
    ],
)
def test_ambiguous_references_are_refused(first: str, text: str) -> None:
    dialect = Rules(LEXICON.of(["Red", "Big", "Cold", *NAMES]))
    with pytest.raises(DialectError):
        read(dialect, text, first)


def test_references_resolve_to_classes_and_things() -> None:
    dialect = Taxonomy(LEXICON)
    for text in ("They are numpuses.", "Each one of them is a numpus.", "Every one of them is a numpus."):
        assert read(dialect, text, "Wumpuses are shy.") == "Wumpus($x, True) >>> Numpus($x, True)"
        with pytest.raises(DialectError):
            read(dialect, text, "Wumpuses are rompuses.")
    birds, golfers = (Order(LEXICON, LEXICON.scenes[name], 3) for name in ("birds", "golfers"))
    assert read(birds, "The crow is to the left of it.", "The owl is the rightmost.") == "crow < owl"
    assert read(birds, "The latter is the leftmost.", "The owl is to the left of the crow.") == "crow == 1"
    assert read(golfers, "Joe finished below her.", "Ada finished first.") == "joe > ada"
    assert read(golfers, "She finished first.", "Ada finished above Joe.") == "ada == 1"
    for text in ("It is the leftmost.", "The bird is the leftmost."):
        with pytest.raises(DialectError):
            read(birds, text, "The owl is to the left of the crow.")


@pytest.mark.parametrize(
    ("text", "others"),
    [
        (
            "All red things are round.",
            ["Anything that is red is round.", "There is nothing that is red but is not round."],
        ),
        ("Red people are round.", ["Anyone who is red is round.", "Those who are red are round."]),
        (
            "All red, big people are round.",
            ["Those who are red and big are round.", "Whoever is red and big is round."],
        ),
        ("If someone likes Bob then they are red.", ["There is no one who likes Bob but is not red."]),
        ("Red, big things are round.", ["Red things that are big are round.", "Whatever is red and big is round."]),
        ("Red things are not round.", ["Whatever is red is not round.", "Nothing that is red is round."]),
        ("Big people are not cold.", ["No one who is big is cold."]),
        (
            "All red, big things are not cold.",
            ["Red, big things are not cold.", "Red things that are big are not cold."],
        ),
        ("If someone likes Bob and they are red then they are cold.", ["Whoever likes Bob and is red is cold."]),
        ("If something is red and not big then it likes Bob.", ["Anything that is red and not big likes Bob."]),
        ("If something is not red and big then it is cold.", ["Whatever is not red and is big is cold."]),
        (
            "If Bob is red and Bob is big then Bob is cold.",
            ["Bob is cold if Bob is red and big.", "If Bob is red and big then Bob is cold."],
        ),
        ("If Bob is not red and Bob is big then Bob is cold.", ["Bob is cold if Bob is not red and Bob is big."]),
        ("Bob is not red.", ["It is not true that Bob is red."]),
        ("Dave is not red.", ["Dave is not red, either.", "It is not true that Dave is red."]),
        ("Bob does not like Anne.", ["It is not true that Bob likes Anne."]),
        ("Dave is red.", ["Dave is red, too.", "Dave is red as well."]),
        ("Dave likes Anne.", ["Dave likes Anne, too."]),
    ],
)
def test_rule_syntax_variants_read_as_same_rule(text: str, others: list[str]) -> None:
    dialect = Rules(LEXICON.of(["Red", "Big", "Cold", "Round", *NAMES]))
    ((tree, statement),) = dialect.readings(text, ())
    before = dialect.readings(text.replace("Dave", "Fiona"), ())[0][0]
    turns = [dialect.write(turn) for turn in dialect.turns(tree, before)]
    assert {turn.line for turn in turns} == {statement.line}
    assert set(others) <= {turn.text for turn in turns}
    for turn in turns:
        assert read(dialect, turn.text) == statement.line


@pytest.mark.parametrize(
    ("formula", "text", "turned"),
    [
        ("Shy(bob)", "Bob is shy.", None),
        ("¬Poet(bob)", "Bob is not a poet.", None),
        ("¬Like(bob, anne)", "Bob does not like Anne.", None),
        ("Shy(bob) → ¬Poet(bob)", "If Bob is shy, then Bob is not a poet.", None),
        ("∀x Shy(x)", "Everyone is shy.", None),
        ("∀x ¬Shy(x)", "No one is shy.", None),
        ("∃x ¬Shy(x)", "There is someone who is not shy.", None),
        ("∀x (Poet(x) → Shy(x))", "Everyone who is a poet is shy.", "There is no one who is a poet but is not shy."),
        ("∀x (¬Poet(x) → ¬Shy(x))", "No one who is not a poet is shy.", None),
        ("∀x (Poet(x) ∧ Tall(x) → Shy(x))", "Everyone who is a poet and is tall is shy.", None),
        ("∀x (Poet(x) ↔ Shy(x))", "Everyone who is a poet is shy, and vice versa.", None),
        ("∀x (Poet(x) ⊕ Shy(x))", "Everyone either is a poet or is shy, but not both.", None),
        ("∀x (Poet(x) → Shy(x) ∨ Tall(x))", "Everyone who is a poet is shy or is tall, or both.", None),
        ("¬∃x (Poet(x) ∧ Shy(x))", "There is no one who is a poet and is shy.", None),
        ("∃x (Poet(x) ∧ ¬Shy(x))", "There is someone who is a poet and is not shy.", None),
        (
            "∀x (Poet(x) → ∃y (Like(x, y) ∧ ¬Shy(y)))",
            "Everyone who is a poet likes someone who is not shy.",
            "Whoever is a poet likes someone who is not shy.",
        ),
    ],
)
def test_premise_wordings_read_back_as_original_formula(formula: str, text: str, turned: str | None) -> None:
    dialect = Premises(LEXICON.of(["Shy", "Poet", "Tall", "Like", "bob", "anne"]))
    tree = dialect.plain(parse(formula))
    statement = check(dialect, tree)
    assert (statement.text, statement.line) == (text, formula)
    turns = [dialect.write(turn).text for turn in dialect.turns(tree, None)]
    assert turned is None or turned in turns
    for turn in turns:
        assert read(dialect, turn) == formula
    places = dialect.places(tree, ())
    for number, place in enumerate(places):
        for key, form in LEXICON.concepts[place.word.concept].forms.items():
            if form.slot in place.slots:
                words = [each.word for each in places]
                words[number] = place.word._replace(form=key)
                assert read(dialect, dialect.write(dialect.saying(tree, words)).text) == formula


@pytest.mark.parametrize(
    ("first", "second", "tails"),
    [
        ("Bob is red.", "Bob is big.", True),
        ("Bob likes Anne.", "Bob likes Dave.", True),
        ("Bob likes Anne.", "Bob sees Anne.", True),
        ("Bob is not red.", "Bob is not big.", True),
        ("Bob is red.", "Bob likes Anne.", False),
        ("Bob likes Anne.", "Bob sees Dave.", False),
        ("Bob is red.", "Bob is not big.", False),
        ("Bob is red.", "Anne is big.", False),
        ("Bob is red.", "Bob is red.", False),
        ("Red things are big.", "Bob is big.", False),
    ],
)
def test_too_is_added_only_after_similar_sentence(first: str, second: str, tails: bool) -> None:
    dialect = Rules(LEXICON.of(["Red", "Big", *NAMES]))
    before, tree = (dialect.readings(text, ())[0][0] for text in (first, second))
    assert any(each.turn in TAILS for each in dialect.turns(tree, before)) is tails


def test_too_is_added_for_classes_and_people() -> None:
    dialect = Taxonomy(LEXICON)

    def said(*texts: str) -> set[str]:
        before, tree = (dialect.readings(text, ())[0][0] for text in texts)
        return {dialect.write(turn).text for turn in dialect.turns(tree, before)}

    assert "Poets are tall, too." in said("Every poet is shy.", "Poets are tall.")
    assert "Poets are not tall, either." in said("Poets are not shy.", "Poets are not tall.")
    # "Every poet is not tall, either" might deny that all are.
    assert not any("either" in text for text in said("Poets are not shy.", "Every poet is not tall."))
    premises = Premises(LEXICON)
    first, second = (premises.plain(parse(text)) for text in ("Shy(bob)", "Tall(bob)"))
    assert [premises.write(turn).text for turn in premises.turns(second, first)] == [
        "Bob is tall, too.",
        "Bob is tall as well.",
    ]


@pytest.mark.parametrize(
    "text", ["If something is not red then it is not big.", "If something is not red then it is big."]
)
def test_negative_rules_lack_backward_variants(text: str) -> None:
    dialect = Rules(LEXICON.of(["Red", "Big"]))
    turns = dialect.turns(dialect.readings(text, ())[0][0], None)
    assert turns
    assert not BACKWARDS & {turn.turn for turn in turns}


@pytest.mark.parametrize(
    ("text", "verbs"),
    [
        ("Bob likes Anne.", [True]),
        ("If Bob is red then Bob likes Anne.", [False]),
        ("If Anne is red then Bob likes Anne.", [True]),
        ("If Bob likes Anne then Dave sees Bob.", [False, True]),
        ("If Bob likes Anne then Anne sees Dave.", [False, False]),
        ("Dave sees Bob if Bob likes Anne.", [False, False]),
        ("Bob is red if Anne likes Bob.", [True]),
        ("If something is red then Bob likes Anne.", [True]),
    ],
)
def test_passives_appear_only_where_subject_is_topic(text: str, verbs: list[bool]) -> None:
    dialect = Rules(LEXICON.of(["Red", *NAMES]))
    places = dialect.places(dialect.readings(text, ())[0][0], ())
    assert [Slot.PASSIVE in place.slots for place in places if place.word.concept in NAMES[:3]] == verbs
    denied = dialect.readings("It is not true that Bob likes Anne.", ())[0][0]
    assert not any(Slot.PASSIVE in place.slots for place in dialect.places(denied, ()))


@pytest.mark.parametrize("formula", ["∃x (Shy(x) ∨ Poet(x))", "∀x ∃y Like(x, y)", "Shy(bob) ∧ Poet(bob)"])
def test_premises_refuse_unsupported_formula_shapes(formula: str) -> None:
    with pytest.raises(DialectError, match="no sentence has a formula of this shape"):
        Premises(LEXICON).plain(parse(formula))


@pytest.mark.parametrize("text", ["If something is red and Bob is big then it is round.", "Bob is red."])
def test_sentences_without_variants_stay_unchanged(text: str) -> None:
    dialect = Rules(LEXICON)
    assert dialect.turns(dialect.readings(text, ())[0][0], None) == []


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("Every wumpus is a numpus.", ["If something is a wumpus, then it is a numpus.", "All wumpuses are numpuses."]),
        ("Wumpuses are numpuses.", ["Anything that is a wumpus is a numpus.", "A wumpus is a kind of numpus."]),
        ("Every wumpus is a numpus.", ["There is no wumpus that is not a numpus."]),
        (
            "Every wumpus is not shy.",
            ["Whatever is a wumpus is not shy.", "No wumpus is shy.", "Wumpuses are not shy."],
        ),
        (
            "Each poet is shy.",
            ["Anyone who is a poet is shy.", "All poets are shy.", "There is no poet who is not shy."],
        ),
        ("Max is not a wumpus.", ["It is not true that Max is a wumpus."]),
        ("Max is shy.", ["Max is shy, too.", "Max is shy as well."]),
    ],
)
def test_taxonomy_syntax_variants_read_as_same_line(text: str, others: list[str]) -> None:
    dialect = Taxonomy(LEXICON)
    ((tree, statement),) = dialect.readings(text, ())
    turns = [dialect.write(turn) for turn in dialect.turns(tree, dialect.readings("Rex is shy.", ())[0][0])]
    assert {turn.line for turn in turns} == {statement.line}
    assert set(others) <= {turn.text for turn in turns}
    for turn in turns:
        assert read(dialect, turn.text) == statement.line


@pytest.mark.parametrize(
    "text", ["Max is shy, too, and tall.", "Max is shy, too tall.", "Max is shy too.", "Max is shy, as well."]
)
def test_taxonomy_refuses_misplaced_too(text: str) -> None:
    assert len(Taxonomy(LEXICON).readings("Max is shy, too.", ())) == 1
    with pytest.raises(DialectError, match="column"):
        Taxonomy(LEXICON).readings(text, ())


def test_order_syntax_variants_read_as_same_line() -> None:
    found = set()
    for scene in LEXICON.scenes.values():
        for size in (3, 5):
            dialect = Order(LEXICON, scene, size)
            first, second = (Word(item) for item in scene.items[:2])
            trees: list[order.Sentence] = [order.Relation(first, second, after) for after in (True, False)]
            trees += [order.Position(first, place, back) for place in (1, 2, 3) for back in (True, False)]
            for tree in trees:
                statement = dialect.write(tree)
                for turn in dialect.turns(tree, None):
                    assert dialect.write(turn).line == statement.line == read(dialect, dialect.write(turn).text)
                    found.add(dialect.write(turn).text)
    assert {
        "To the right of the blue book is the black book.",
        "The second from the left is the blue jay.",
        "The blue jay is in the middle.",
        "No other vehicle is as old as the bus.",
        "The cantaloupes cost more than the apples.",
        "Amy finished behind Ada.",
        "In front of Bruno stands Amir.",
    } <= found
