"""Reading a controlled English inverts writing it, and every mention is where it says."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import ROOT

from nlfol.logic import parse
from nlfol.problems import Lexicon, Statement, Word, read_lexicon
from nlfol.problems.dialects import order, rules, taxonomy
from nlfol.problems.dialects.order import Order
from nlfol.problems.dialects.proofs import Proofs
from nlfol.problems.dialects.rules_readings import Rules
from nlfol.problems.dialects.taxonomy import Taxonomy
from nlfol.problems.dialects.words import DialectError
from nlfol.problems.programs.clauses import read_clauses

LEXICON = read_lexicon(ROOT / "resources/lexicon/problems.yaml")
RULES, TAXONOMIES = Rules(LEXICON), Taxonomy(LEXICON)

ADJECTIVES, VERBS, CLASSES, NONCE, NAMES, ANIMALS = (
    st.sampled_from(LEXICON.group(name)) for name in ("adjectives", "verbs", "classes", "nonce", "names", "animals")
)
INDIVIDUALS = NAMES | ANIMALS

PLAIN = st.just("")
"""No other syntax: the reader of originals has none."""


@st.composite
def conditionals(draw: Callable[..., Any]) -> rules.Conditional:
    variable = draw(st.booleans())
    subjects = st.none() | INDIVIDUALS if variable else INDIVIDUALS
    conditions = [draw(phrases(subjects)) for _ in range(draw(st.integers(1, 3)))]
    if variable and all(phrase.subject is not None for phrase in conditions):
        conditions[0] = conditions[0]._replace(subject=None)
    for place in range(1, len(conditions)):
        before, phrase = conditions[place - 1 : place + 1]
        if phrase.object is None and before.object is None and phrase.subject == before.subject:
            conditions[place] = phrase._replace(short=draw(st.booleans()))
    return rules.Conditional(tuple(conditions), draw(phrases(subjects)), variable and draw(st.booleans()))


@st.composite
def phrases(draw: Callable[..., Any], subjects: st.SearchStrategy[Word | None]) -> rules.Phrase:
    if draw(st.booleans()):
        return rules.Phrase(draw(subjects), draw(ADJECTIVES), None, draw(st.booleans()))
    return rules.Phrase(draw(subjects), draw(VERBS), draw(INDIVIDUALS), draw(st.booleans()))


GENERICS = st.builds(
    rules.Generic, st.lists(ADJECTIVES, min_size=1, max_size=3).map(tuple), ADJECTIVES, *[st.booleans()] * 3, PLAIN
)

SENTENCES = st.one_of(phrases(INDIVIDUALS), conditionals(), GENERICS)

TAXONOMY = st.builds(
    taxonomy.Sentence,
    CLASSES | NONCE,
    CLASSES | NONCE | ADJECTIVES,
    st.booleans(),
    st.sampled_from(taxonomy.QUANTIFIERS),
    PLAIN,
) | st.builds(taxonomy.Sentence, NAMES, CLASSES | NONCE | ADJECTIVES, st.booleans(), st.none(), PLAIN)


def check_mentions(statement: Statement, lexicon: Lexicon) -> None:
    """Each mention holds words of its concept, and every symbol of the line is mentioned."""
    assert statement.line is not None
    for mention in statement.mentions:
        words = statement.text[mention.start : mention.end]
        form = lexicon.concepts[mention.concept].forms[mention.form]
        assert words[:1].lower() + words[1:] in {text[:1].lower() + text[1:] for text in form[1:]}
        assert mention.concept in statement.line
    places = [mention[:2] for mention in statement.mentions]
    assert places == sorted(places)


@given(SENTENCES)
def test_rules_dialect_reading_inverts_writing(sentence: rules.Sentence) -> None:
    statement = rules.write(sentence, LEXICON)
    assert RULES.read(statement.text) == (sentence, statement)
    check_mentions(statement, LEXICON)


@given(SENTENCES)
def test_rule_line_reads_as_its_clause(sentence: rules.Sentence) -> None:
    clause = rules.clause(sentence)
    text = f"Facts:\n{rules.write(sentence, LEXICON).line}\nRules:\nQuery:\nCold(bob, True)"
    (read,) = read_clauses(text).clauses
    assert (read.body, read.heads) == (clause.body, clause.heads)


@given(TAXONOMY)
def test_taxonomy_dialect_reading_inverts_writing(sentence: taxonomy.Sentence) -> None:
    statement = taxonomy.write(sentence, LEXICON)
    assert TAXONOMIES.read(statement.text) == (sentence, statement)
    check_mentions(statement, LEXICON)


@given(st.data())
def test_order_dialect_reading_inverts_writing(data: st.DataObject) -> None:
    scene = data.draw(st.sampled_from(list(LEXICON.scenes.values())))
    size = data.draw(st.integers(3, 7))
    things = tuple(Word(item) for item in data.draw(st.permutations(scene.items)))[:size]
    introduction = order.Introduction(things)
    written = order.write(introduction, scene, size, LEXICON)
    assert order.read_introduction(written.text, LEXICON) == (scene, introduction, written)
    check_mentions(written, LEXICON)
    first, second = data.draw(st.permutations(things))[:2]
    sentence = data.draw(
        st.builds(order.Position, st.just(first), st.integers(1, size), st.booleans(), PLAIN)
        | st.builds(order.Relation, st.just(first), st.just(second), st.booleans(), PLAIN)
    )
    statement = order.write(sentence, scene, size, LEXICON)
    of_things = LEXICON.of(thing.concept for thing in things)
    assert Order(of_things, scene, size).read(statement.text) == (sentence, statement)
    check_mentions(statement, LEXICON)


def test_proofs_dialect_writes_mentions_and_reads_back() -> None:
    words = [Word(symbol) for symbol in ("Quiet", "Artist", "Chase", "bob", "anne")]
    english = Proofs.of(LEXICON.of(word.concept for word in words))
    formula = parse("∀x (Artist(x) ∧ ¬Chase(x, bob) → Quiet(x) ∨ Chase(anne, x))")
    statement = english.write(english.plain(formula))
    ((read, _),) = english.readings(statement.text, ())
    assert read.formula is formula
    said = [(statement.text[start:end], concept) for start, end, concept, _ in statement.mentions]
    assert said == [
        ("artist", "Artist"),
        ("chase", "Chase"),
        ("Bob", "bob"),
        ("quiet", "Quiet"),
        ("Anne", "anne"),
        ("chases", "Chase"),
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("The bald eagle does not need the cow.", "Need(bald_eagle, cow, False)"),
        (
            "If someone is kind and not big then they do not like Bob.",
            "Kind($x, True) && Big($x, False) >>> Like($x, bob, False)",
        ),
        (
            "If the cow is big and something is red then it eats the cow.",
            "Big(cow, True) && Red($x, True) >>> Eat($x, cow, True)",
        ),
        ("All red, rough things are not white.", "Red($x, True) && Rough($x, True) >>> White($x, False)"),
    ],
)
def test_rules_dialect_reads_published_wordings(text: str, line: str) -> None:
    assert RULES.read(text)[1].line == line


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        ("Bob is purplish.", 7, "an adjective of the lexicon"),
        ("Bob is quiet and kind.", 13, "the full stop"),
        ("Bob is quiet", 12, "the full stop"),
        ("If it is cold then it is blue.", 3, "'something' or 'someone' or a name of the lexicon or 'the' is needed"),
        ("If something is cold then they are blue.", 26, "'it' or a name of the lexicon or 'the' is needed"),
        ("The cow chases bear.", 15, "a name of the lexicon or 'the' is needed"),
        ("The cow chase the bear.", 8, "a verb of the lexicon"),
        ("bob is quiet.", 0, "an adjective"),
        ("Cold things  are blue.", 12, "'are'"),
        ("The Cow is blue.", 4, "an animal"),
        ("", 0, "the end"),
    ],
)
def test_rules_dialect_refusal_states_place_and_reason(text: str, place: int, problem: str) -> None:
    with pytest.raises(DialectError, match="column") as caught:
        RULES.read(text)
    assert caught.value.place == place
    assert problem in caught.value.problem


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Wumpus are red.", "a noun of the lexicon in the plural"),
        ("Every impus is an wumpus.", "write it so"),
        ("Each wumpuses is red.", "a noun of the lexicon"),
        ("Max are red.", "'is'"),
    ],
)
def test_taxonomy_dialect_refusal_states_reason(text: str, problem: str) -> None:
    with pytest.raises(DialectError) as caught:
        TAXONOMIES.read(text)
    assert problem in caught.value.problem


def test_order_dialect_accepts_only_its_things_and_places() -> None:
    text = "On a shelf, there are three books: a red book, a blue book, and a gray book."
    scene, introduction, _ = order.read_introduction(text, LEXICON)
    dialect = Order(LEXICON.of(thing.concept for thing in introduction.things), scene, 3)
    for wrong, problem in (
        ("The green book is the leftmost.", "an object of the lexicon is needed"),
        ("The red book is the fourth from the left.", "'the leftmost'"),
        ("The red book is under the blue book.", "'to the left of'"),
    ):
        with pytest.raises(DialectError) as caught:
            dialect.read(wrong)
        assert problem in caught.value.problem
    with pytest.raises(DialectError, match="no scene"):
        order.read_introduction("In a box, there are three hats: a red hat, a blue hat, and a gray hat.", LEXICON)


def test_synonym_reads_as_concept_unless_ambiguous(tmp_path: Path) -> None:
    path = tmp_path / "problems.yaml"
    path.write_text(
        "adjectives: {smart: {synonym: bright}, bright: {}, red: {synonym: scarlet}}\n"
        "verbs: {chase: {phrase: {run after: runs after}}}\nnames: {Bob: {}, Anne: {}}\n"
    )
    lexicon = read_lexicon(path)
    for text, line in (
        ("Bob is scarlet.", "Red(bob, True)"),
        ("Anne does not run after Bob.", "Chase(anne, bob, False)"),
        ("Scarlet things are smart.", "Red($x, True) >>> Smart($x, True)"),
    ):
        statement = Rules(lexicon).read(text)[1]
        assert statement.line == line
        check_mentions(statement, lexicon)
    problem = r"reads as Smart\(bob, True\) and as Bright\(bob, True\); use words for one of them"
    with pytest.raises(DialectError, match=problem):
        Rules(lexicon).read("Bob is bright.")
    assert Rules(lexicon.of(["Smart", "bob"])).read("Bob is bright.")[1].line == "Smart(bob, True)"


def test_published_rules_reader_refuses_other_syntax() -> None:
    text = "Anything that is quiet is kind."
    assert [statement.text for _, statement in RULES.readings(text, ())] == [text]
    with pytest.raises(DialectError, match="the published set has no such syntax"):
        RULES.read(text)


def test_dialect_refuses_overlong_sentence() -> None:
    with pytest.raises(DialectError, match="characters"):
        RULES.read("If " + "Bob is quiet and " * 100_000)
