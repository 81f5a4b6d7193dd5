"""Faults planted in problems in other words, each at a place drawn."""

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import NamedTuple

from nlfol.diversification import usable
from nlfol.diversification.audit import Check
from nlfol.problems import Lexicon, Problem
from nlfol.problems.dialects import concepts_of, dialect_of
from nlfol.problems.lexicon import BASE, Form, Slot, Word
from nlfol.problems.problem import Statement


class Planted(NamedTuple):
    problem: Problem
    lexicon: Lexicon


def with_text(problem: Problem, number: int, text: str) -> Problem:
    statements = list(problem.statements)
    statements[number] = Statement(text)
    return replace(problem, statements=tuple(statements))


def shared_form(problem: Problem, lexicon: Lexicon, random: Random) -> Planted | None:
    # A concept is said in words that stand for another one in another statement.
    dialect = dialect_of(problem, usable(concepts_of(problem, lexicon), lexicon).lexicon)
    topics: list[tuple[str, ...]] = [()]
    trees = []
    for statement in problem.statements:
        if statement.line is None:
            return None
        ((tree, _),) = dialect.readings(statement.text, topics[-1])
        trees.append(tree)
        topics.append(dialect.named(tree))
    used = [
        (number, place)
        for number, tree in enumerate(trees)
        for place in dialect.places(tree, topics[number])
        if lexicon.form(place.word).slot is Slot.WORD
    ]
    for number, tree in random.sample(list(enumerate(trees)), len(trees)):
        places = dialect.places(tree, topics[number])
        said = {each.word.concept for each in places}
        for at, place in enumerate(places):
            category = lexicon.concepts[place.word.concept].category
            others = [
                other.word
                for elsewhere, other in used
                if elsewhere != number
                and other.word.concept not in said
                and lexicon.concepts[other.word.concept].category is category
                and lexicon.form(other.word).slot in place.slots
                and lexicon.form(place.word).slot is Slot.WORD
            ]
            if others:
                changed = [each.word for each in places]
                changed[at] = random.choice(others)
                return Planted(with_text(problem, number, dialect.write(dialect.saying(tree, changed)).text), lexicon)
    return None


_NEGATED = ((r"\b(is|are) not ", r"\1 "), (r"\b(is|are) (?!not\b)(?=(?:an? )?[a-z])", r"\1 not "))
_TURNED = (
    ("to the left of", "to the right of"),
    ("less expensive", "more expensive"),
    ("older than", "newer than"),
    ("above", "below"),
    ("nearer", "farther"),
    ("in front of", "behind"),
    ("before", "after"),
)


def changed_polarity(problem: Problem, lexicon: Lexicon, random: Random) -> Planted | None:
    for number in random.sample(range(len(problem.statements)), len(problem.statements)):
        text, line = problem.statements[number].text, problem.statements[number].line or ""
        if problem.family == "order":
            for pair in (*_TURNED, *(turned[::-1] for turned in _TURNED)):
                if f" {pair[0]} " in text and re.search("[<>]", line):
                    return Planted(with_text(problem, number, text.replace(*pair, 1)), lexicon)
        else:
            for pattern, negated in _NEGATED:
                if re.search(pattern, text) and not re.search(r"\b(?:that|who|There|kind of)\b", text):
                    return Planted(with_text(problem, number, re.sub(pattern, negated, text, count=1)), lexicon)
    return None


def lost_statement(problem: Problem, lexicon: Lexicon, random: Random) -> Planted | None:
    number = random.choice([at for at, each in enumerate(problem.statements) if each.line is not None])
    statements = problem.statements[:number] + problem.statements[number + 1 :]
    return Planted(replace(problem, statements=statements, rewrites=()), lexicon)


def second_reading(problem: Problem, lexicon: Lexicon, random: Random) -> Planted | None:
    # A pronoun may stand for two individuals; or, in a lexicon that says so, a word for two concepts.
    facts = [
        number
        for number, each in enumerate(problem.statements)
        if problem.family == "rules"
        and re.fullmatch(r"\w+\(\w+, (True|False)\)", each.line or "")
        and (number == 0 or ">>>" in (problem.statements[number - 1].line or ">>>"))
        and any(form.slot is Slot.REFERENCE for form in lexicon.concepts[each.mentions[0].concept].forms.values())
    ]
    if facts and random.random() < 0.5:
        number = random.choice(facts)
        statement = problem.statements[number]
        mention = statement.mentions[0]
        known = lexicon.concepts[mention.concept].forms.values()
        reference = [form.singular for form in known if form.slot is Slot.REFERENCE][-1]
        text = reference[:1].upper() + reference[1:] + statement.text[mention.end :]
        return Planted(with_text(problem, number, text), lexicon)
    if problem.family == "proofs":
        return None
    concepts = {symbol: lexicon.concepts[symbol] for symbol in concepts_of(problem, lexicon)}
    said = [
        Word(mention.concept, mention.form)
        for each in problem.statements
        for mention in each.mentions
        if mention.form != BASE and lexicon.concepts[mention.concept].forms[mention.form].slot is Slot.WORD
    ]
    for word in random.sample(said, len(said)):
        form = lexicon.form(word)
        others = [
            each
            for each in concepts.values()
            if each.category is concepts[word.concept].category and each.symbol != word.concept
        ]
        if others:
            other = random.choice(others)
            forms = {**other.forms, "synonym.9": Form("synonym.9", form.singular, form.plural)}
            changed = {**lexicon.concepts, other.symbol: replace(other, forms=forms)}
            return Planted(problem, Lexicon(changed, lexicon.scenes))
    return None


PLANTS: dict[Check, Callable[[Problem, Lexicon, Random], Planted | None]] = {
    Check.SHARED_FORM: shared_form,
    Check.CHANGED_POLARITY: changed_polarity,
    Check.LOST_STATEMENT: lost_statement,
    Check.SECOND_READING: second_reading,
}
