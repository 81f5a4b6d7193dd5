"""Every form of the lexicon is read in every frame where it can stand, as its concept and as nothing else."""

import csv
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import ROOT

from nlfol.logic import parse
from nlfol.problems import LexiconError, read_lexicon
from nlfol.problems.dialects import order, rules, taxonomy
from nlfol.problems.dialects.dialect import Dialect
from nlfol.problems.dialects.order import Order
from nlfol.problems.dialects.premises import Premises
from nlfol.problems.dialects.proofs import Proofs
from nlfol.problems.dialects.references import REFERENCES
from nlfol.problems.dialects.rules_readings import Rules
from nlfol.problems.dialects.taxonomy import Taxonomy
from nlfol.problems.dialects.words import DialectError
from nlfol.problems.forms import DECOYS, DEFAULT_FORMS, read_forms
from nlfol.problems.lexicon import BASE, FRAME, Category, Concept, Form, Lexicon, Slot, Word
from nlfol.problems.problem import Statement

WORDS = read_lexicon(ROOT / "resources/lexicon/problems.yaml")
LEXICON = read_forms(WORDS, ROOT / DEFAULT_FORMS)
BOB, CAT, RED = Word("bob"), Word("cat"), Word("Red")


def of(*groups: str) -> list[tuple[Concept, Word]]:
    concepts = [concept for concept in LEXICON.concepts.values() if concept.group in groups]
    return [(concept, Word(concept.symbol, key)) for concept in concepts for key in concept.forms]


def without(*symbols: str) -> Lexicon:
    return LEXICON.of(symbol for symbol in LEXICON.concepts if symbol not in symbols)


PLAIN, SHARING = without("Large", "Tidy"), without("Big", "Neat")
"""Concepts that share words are never used side by side."""


def before(word: Word) -> tuple[str, ...]:
    """Return the concepts that the sentence before names so that a form is plain: none, its own, or two."""
    other = "cat" if word.concept != "cat" else "bob"
    if LEXICON.concepts[word.concept].category is Category.OBJECT:
        other = "owl" if word.concept != "owl" else "crow"
    match LEXICON.form(word).slot:
        case Slot.REFERENCE | Slot.THIS:
            return (word.concept,)
        case Slot.FORMER:
            return word.concept, other
        case Slot.LATTER:
            return other, word.concept
        case _:
            return ()


def check(dialect: Dialect, tree: object, before: Sequence[str] = (), *, is_offered: bool = True) -> Statement:
    """Check that the text of a tree is read as it alone, among all concepts of the lexicon.

    Forms other than the base form are offered, except where others may write them, but nobody does.
    """
    statement = dialect.write(tree)
    assert dialect.readings(statement.text, before) == [(tree, statement)]
    places = dialect.places(tree, before)
    assert dialect.saying(tree, [place.word for place in places]) == tree
    for place in places:
        is_base = place.word.form == BASE
        assert is_base or (LEXICON.form(place.word).slot in place.slots) is is_offered
    for mention in statement.mentions:
        form = LEXICON.form(Word(mention.concept, mention.form))
        assert statement.text[mention.start : mention.end].lower() in (form.singular.lower(), form.plural.lower())
    return statement


def test_rules_dialect_reads_adjectives_in_all_frames() -> None:
    for _, word in of("adjectives", DECOYS):
        dialect = Rules(SHARING if word.concept in ("Large", "Tidy") else PLAIN)
        if LEXICON.concepts[word.concept].category is not Category.ADJECTIVE:
            continue
        for value in (True, False):
            one = rules.Phrase(None, word, None, value)
            check(dialect, rules.Phrase(BOB, word, None, value))
            for people in (True, False):
                other = rules.Phrase(None, Word("Blue" if word.concept == "Red" else "Red"), None, value)
                for short in (True, False):
                    check(dialect, rules.Conditional((one, other._replace(short=short)), one, people))
                    check(dialect, rules.Conditional((other, one._replace(short=short)), other, people))
                third = (other, other._replace(value=not value), one._replace(short=True))
                check(dialect, rules.Conditional(third, one, people))
                for qualities in ((word,), (word, other.predicate), (other.predicate, word)):
                    check(dialect, rules.Generic(qualities, word, value, universal=people, people=not people))


def test_rules_dialect_reads_verbs_and_individuals_in_all_frames() -> None:
    dialect = Rules(LEXICON)
    for _, word in of("verbs", "names", "animals"):
        category, slot = LEXICON.concepts[word.concept].category, LEXICON.form(word).slot
        for value in (True, False):
            if slot in REFERENCES:
                fact = rules.Phrase(word, RED, None, value)
                check(dialect, fact, before(word))
                plain = rules.Phrase(Word(word.concept), RED)
                if slot is Slot.REFERENCE:
                    check(dialect, rules.Conditional((plain, plain), fact))
                with pytest.raises(DialectError):
                    dialect.readings(dialect.write(fact).text, ())
            elif category is Category.VERB:
                fact = rules.Phrase(BOB, word, CAT, value)
                check(dialect, fact)
                check(dialect, rules.Conditional((fact, fact), fact))
                if slot is Slot.WORD:
                    one = rules.Phrase(None, word, CAT, value)
                    for people in (True, False):
                        check(dialect, rules.Conditional((one, one), one, people))
            else:
                check(
                    dialect, rules.Phrase(word, Word("Like", "voice.1"), CAT if word.concept != "cat" else BOB, value)
                )
                check(dialect, rules.Phrase(word, RED, None, value))


def test_references_are_placed_only_after_antecedent() -> None:
    # Of several mentions in a sentence the last, no agent of a passive, and "this animal" in another sentence alone.
    def slots(tree: rules.Sentence, *before: str) -> list[frozenset[Slot]]:
        return [place.slots for place in Rules(LEXICON).places(tree, before) if place.word in (BOB, CAT)]

    bob, cat = rules.Phrase(BOB, RED), rules.Phrase(CAT, RED)
    assert [Slot.REFERENCE in each for each in slots(rules.Conditional((bob, bob), bob))] == [False, False, True]
    assert slots(cat, "cat") == [{Slot.WORD, Slot.REFERENCE, Slot.THIS}]
    assert slots(rules.Conditional((cat,), cat)) == [frozenset(), {Slot.REFERENCE}]
    chased = rules.Phrase(CAT, Word("Chase", "voice.1"), BOB)
    assert slots(chased, "cat") == [{Slot.WORD}, {Slot.WORD}]
    assert Slot.REFERENCE in slots(chased._replace(predicate=Word("Chase")), "cat")[0]


def test_taxonomy_dialect_reads_classes_in_all_frames() -> None:
    for _, word in of("classes", "nonce", "adjectives", "names", DECOYS):
        dialect = Taxonomy(SHARING if word.concept in ("Large", "Tidy") else PLAIN)
        category, slot = LEXICON.concepts[word.concept].category, LEXICON.form(word).slot
        for value in (True, False):
            if category is Category.NAME:
                check(dialect, taxonomy.Sentence(word, RED, value), before(word))
            elif category is not Category.VERB and slot is not Slot.REFERENCE:
                check(dialect, taxonomy.Sentence(BOB, word, value))
                for quantifier in taxonomy.QUANTIFIERS:
                    other = Word("Member" if word.concept != "Member" else "Poet")
                    is_offered = slot is not Slot.VERB_PHRASE or value or not quantifier
                    check(dialect, taxonomy.Sentence(other, word, value, quantifier), is_offered=is_offered)
                    if category is Category.NOUN:
                        assert slot in (Slot.WORD, Slot.VERB_PHRASE)
                        check(dialect, taxonomy.Sentence(word, other, value, quantifier))


def test_order_dialect_reads_things_in_all_scenes() -> None:
    for scene in LEXICON.scenes.values():
        dialect = Order(LEXICON, scene, 3)
        for item in scene.items:
            others = tuple(Word(other) for other in scene.items if other != item)[:2]
            for key in LEXICON.concepts[item].forms:
                word = Word(item, key)
                named = before(word)
                for after in (True, False):
                    check(dialect, order.Relation(word, others[0], after), named)
                    check(dialect, order.Position(word, 2, after), named)
                if not named:
                    check(dialect, order.Introduction((word, *others)), is_offered=False)
                    check(dialect, order.Introduction((*others, word)), is_offered=False)


def test_proofs_dialect_reads_all_forms() -> None:
    lexicon = LEXICON.of(["Quiet", "Doctor", "Chase", "bob", "anne"])
    dialect = Proofs.of(lexicon)
    tree = dialect.plain(parse("∀x (Doctor(x) ∧ Chase(x, bob) → ¬Quiet(anne))"))
    for place, word in enumerate(tree.words):
        for key, form in lexicon.concepts[word.concept].forms.items():
            if form.slot not in REFERENCES:
                words = list(tree.words)
                words[place] = word._replace(form=key)
                changed = dialect.saying(tree, words)
                statement = dialect.write(changed)
                assert dialect.readings(statement.text, ()) == [(changed, statement)]
                assert statement.line == dialect.write(tree).line


def test_shared_forms_occur_only_in_synonymous_concepts() -> None:
    found = defaultdict(set)
    for concept in LEXICON.concepts.values():
        for form in concept.forms.values():
            if form.slot not in REFERENCES:
                found[concept.category, form.singular.lower()].add(concept.symbol)
                found[concept.category, form.plural.lower()].add(concept.symbol)
    shared = {frozenset(symbols) for symbols in found.values() if len(symbols) > 1}
    assert shared == {frozenset({"Big", "Large"}), frozenset({"Neat", "Tidy"})}
    for symbols in shared:
        assert len({LEXICON.concepts[symbol].sense for symbol in symbols}) == 1


VERDICTS = list(csv.DictReader((ROOT / "resources/lexicon/verdicts.csv").open(encoding="utf-8")))


def named(concept: Concept) -> str:
    form = concept.forms[BASE]
    return form.plural if concept.category is Category.VERB else form.singular


def test_verdicts_cover_all_lexicon_forms() -> None:
    said = defaultdict(set)
    decoys = {}
    for concept in LEXICON.concepts.values():
        for key, form in concept.forms.items():
            if key != BASE:
                words = (
                    form.plural if concept.category is Category.VERB or form.slot is Slot.VERB_PHRASE else form.singular
                )
                said[concept.group, named(concept)].add((form.kind == FRAME, words))
        if concept.decoy is not None:
            decoys[concept.group, named(concept)] = named(LEXICON.concepts[concept.decoy])
    for row in VERDICTS:
        at = row["section"], row["concept"]
        if row["section"] == "templates" or row["verdict"] == "none":
            continue
        if row["kind"] == "decoy":
            assert (decoys[at] == row["form"]) == (row["used"] == "used")
            continue
        assert ((False, row["form"]) in said[at]) == (row["used"] == "used"), row
        assert ((True, row["form"]) in said[at]) == (row["used"] == "frame"), row
        if row["verdict"] in ("stiff", "shift"):
            assert row["used"] == "out"
        if row["verdict"] == "clash" and row["used"] == "used":
            assert row["note"].startswith("not beside ")
        assert row["used"] == "used" or row["verdict"] != "add" or row["note"]
    judged = {(row["section"], row["concept"], row["form"]) for row in VERDICTS if row["used"] in ("used", "frame")}
    templates = {form for section, _, form in judged if section == "templates"}
    for (group, base), forms in said.items():
        for _, words in forms:
            filled = any(re.fullmatch(re.sub(r"\\{s?\\}", ".+", re.escape(each)), words) for each in templates)
            assert (group, base, words) in judged or filled, (base, words)


def test_verdicts_name_concepts_without_further_forms() -> None:
    none = {(row["section"], row["concept"]) for row in VERDICTS if row["verdict"] == "none"}
    for concept in WORDS.concepts.values():
        further = LEXICON.concepts[concept.symbol].forms.values()
        kinds = {form.kind for form in further} - {BASE, FRAME, "reference", "voice"}
        assert kinds or (concept.group, named(concept)) in none or named(concept) in ALONE, concept.symbol


ALONE = {"know": "no words but the participle", "badger": "its one name is of tales"}


PIECES = ["If", "something", "someone", "is", "not", "and", "then", "it", "they", "All", "things", "people", "that"]
PIECES += ["who", "does", "do", "Bob", "the cat", "quiet", "makes little noise", "make little noise", "chased by", "by"]
PIECES += ["Each", "individual that", "Individuals that", "wumpuses", "a", "an", "member of the wumpus family", "she"]
PIECES += ["On a shelf, there are three books:", "the", "black book in the row", "leftmost", ":", ",", ".", " ", "İ"]
PIECES += [
    "Everyone",
    "No one who",
    "either",
    "or",
    "vice versa",
    "Whoever",
    "Anything that",
    "No",
    "It is not true that",
    "too",
    "if",
    "her",
    "the former",
    "they",
    "include all",
]
PIECES += ["bald", "eagle", "chases", "last", "\n", "ﬁ", "’"]


@given(st.text() | st.lists(st.sampled_from(PIECES)).map(" ".join) | st.lists(st.sampled_from(PIECES)).map("".join))
def test_dialects_read_or_refuse_arbitrary_text(text: str) -> None:
    scene = LEXICON.scenes["books"]
    readers: list[Callable[[], Sequence[tuple[object, Statement]]]] = [
        lambda: Rules(LEXICON).readings(text, ()),
        lambda: Taxonomy(LEXICON).readings(text, ()),
        lambda: Premises(LEXICON).readings(text, ()),
        lambda: Order(LEXICON, scene, 3).readings(text, ()),
        lambda: [Rules(WORDS).read(text)],
        lambda: [Taxonomy(WORDS).read(text)],
        lambda: [order.read_introduction(text, WORDS)[1:]],
        lambda: [Order(WORDS, scene, 3).read(text)],
    ]
    for read in readers:
        place = 0
        found: Sequence[tuple[object, Statement]] = []
        try:
            found = read()
        except DialectError as error:
            place = error.place
        assert 0 <= place <= len(text)
        assert all(statement.text == text for _, statement in found)


def test_sentence_with_too_many_readings_is_refused() -> None:
    blue, red = LEXICON.concepts["Blue"], LEXICON.concepts["Red"]
    crimson = Form("synonym.9", "crimson", "crimson")
    changed = {each.symbol: replace(each, forms={**each.forms, "synonym.9": crimson}) for each in (blue, red)}
    dialect = Rules(Lexicon({**LEXICON.concepts, **changed}, LEXICON.scenes))
    assert len(dialect.readings("Crimson, crimson things are crimson.", ())) == 8
    many = ", ".join(["crimson"] * 100)
    for text in (f"All {many} things are red.", f"If Bob is {many.replace(', ', ' and ')} then Bob is red."):
        with pytest.raises(DialectError, match="more than 64 readings"):
            dialect.readings(text, ())
    long = " and ".join(["Bob is red"] * 100)
    (found,) = dialect.readings(f"If {long} then Bob is red.", ())
    assert (found[1].line or "").count("&&") == 99


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "not a mapping"),
        ("adverbs: {}", "adverbs: no section of the words"),
        ("adjectives: {glossy: {}}", "adjectives: glossy: no concept of this section"),
        ("adjectives: {red: {synonym: ruddy}}", "adjectives: red: no sense"),
        ("adjectives: {red: {sense: x, rhyme: bed}}", "'rhyme'; expected sense, decoy, not_beside, synonym"),
        ("adjectives: {red: {sense: x, synonym: not blue}}", "'not blue'; use letters and hyphens"),
        ("adjectives: {red: {sense: x, synonym: red}}", "two forms have the same words"),
        ("adjectives: {red: scarlet}", "red: expected a mapping"),
        ("adjectives: {}\nadjectives: {}", "the key 'adjectives' occurs twice, first on line 1"),
        ("adjectives: 3", "adjectives: expected a mapping"),
        ("adjectives: {red: {sense: x, synonym: [1]}}", "'1'; use letters"),
        ("adjectives: {red: {sense: x, frame: [reddish]}}", "frame: expected a mapping"),
        ("adjectives: {red: {sense: x, frame: {rhyme: bed}}}", "frame: 'rhyme'; use synonym"),
        ("adjectives: {red: {sense: x, synonym: ruddy, not_beside: {rosy: blue}}}", "'rosy' is no form of it"),
        ("adjectives: {red: {sense: x, synonym: ruddy, not_beside: {ruddy: pinkish}}}", "'pinkish' is no concept"),
    ],
)
def test_invalid_forms_file_is_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "diversified.yaml"
    path.write_text(text)
    with pytest.raises(LexiconError, match=r"diversified\.yaml") as caught:
        read_forms(WORDS, path)
    assert message in str(caught.value)
