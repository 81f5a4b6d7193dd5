"""Rules on the symbols and statements of a story: names, lost words, exchanged formulas, contradictions."""

from collections.abc import Iterator
from difflib import SequenceMatcher

from nlfol.logic import entails
from nlfol.logic.naming import words
from nlfol.logic.trees import Symbol
from nlfol_extras.lint.rules import Level, Remark, rule
from nlfol_extras.lint.statements import Statement, Story

_LEAST = 5
"""Letters that a name must have to be like another one."""
_NEAR = 0.88
"""Share of two names' letters that stand in the same order, above which they are alike."""


@rule(Level.PRECISE)
def two_arities(statement: Statement, story: Story) -> Iterator[Remark]:
    """A symbol has another number of arguments in as many statements, or more."""
    for kind, name, arity in sorted(statement.symbols):
        others = {used[2]: count for used, count in story.uses.items() if used[:2] == (kind, name) and used[2] != arity}
        if others and max(others.values()) >= story.uses[kind, name, arity]:
            yield Remark(f"{name} has {arity} arguments here, {max(others, key=others.__getitem__)} elsewhere")


@rule(Level.PRECISE)
def near_name(statement: Statement, story: Story) -> Iterator[Remark]:
    """A symbol is nearly named like another one of the story."""
    for symbol in sorted(statement.symbols):
        for other in sorted(story.uses):
            if symbol[::2] != other[::2] or symbol[1] == other[1]:
                continue
            if words(symbol[1]) == words(other[1]) or _flat(symbol) == _flat(other):
                is_worse = (story.uses[symbol], _style(symbol)) < (story.uses[other], _style(other))
            else:
                is_worse = _are_near(_flat(symbol), _flat(other)) and not statement.spoken.spells(symbol[1])
                is_worse = is_worse and _is_known(other, symbol, story)
            if is_worse:
                yield Remark(f"{symbol[1]} may be {other[1]}")


@rule(Level.PRECISE)
def replaced(statement: Statement, story: Story) -> Iterator[Remark]:
    """The sentence has no word of a symbol, but all words of one that the formula lacks."""
    for symbol in _unsaid(statement, story):
        fitting = [other for other in _lacking(statement, story) if other[::2] == symbol[::2]]
        if fitting:
            yield Remark(f"the sentence has no word of {symbol[1]}; {fitting[0][1]} fits it")


@rule(Level.BALANCED)
def unsaid(statement: Statement, story: Story) -> Iterator[Remark]:
    """The sentence has no word of a predicate of one argument, sentences of other statements with it have."""
    for symbol in _unsaid(statement, story):
        if symbol[2] == 1:
            yield Remark(f"the sentence has no word of {symbol[1]}, other sentences with it have")


@rule(Level.PRECISE)
def swapped(statement: Statement, story: Story) -> Iterator[Remark]:
    """Two formulas fit each other's sentences better than their own."""
    here = _fit(statement, statement)
    for other in story.statements:
        if other is statement or not other.symbols or not statement.symbols or other.symbols == statement.symbols:
            continue
        there, crossed, back = _fit(other, other), _fit(statement, other), _fit(other, statement)
        if crossed > here and back > there and crossed + back - here - there >= 0.8:
            yield Remark(f"this formula and that of {other.id} may be exchanged", other.formula)
            return


@rule(Level.PRECISE)
def shifted(statement: Statement, story: Story) -> Iterator[Remark]:
    """Formulas are shifted by one: from here on, each sentence fits the formula before or after its own."""
    run, step = story.shifted
    if run and statement is run[0]:
        side = "after" if step > 0 else "before"
        yield Remark(f"shifted by one: from here to {run[-1].id} each sentence fits the formula {side} its own")


@rule(Level.PRECISE)
def contradiction(statement: Statement, story: Story) -> Iterator[Remark]:
    """The formula contradicts those before it in the story."""
    if story.clash == statement.id:
        yield Remark("no structure makes this and the formulas before it true")


@rule(Level.ALL)
def redundant(statement: Statement, story: Story) -> Iterator[Remark]:
    """The formula follows from the others of its story."""
    others = [formula for name, formula in story.premises.items() if name != statement.id]
    own = story.premises.get(statement.id)
    if own is not None and others and story.clash is None and entails(others, own, with_evidence=False).label == "true":
        yield Remark("follows from the other formulas")


def _style(symbol: Symbol) -> tuple[bool, int]:
    """Return how well a name is written: predicates with a capital, words told apart."""
    return symbol[0] != "predicate" or symbol[1][0].isupper(), len(words(symbol[1]))


def _flat(symbol: Symbol) -> str:
    return symbol[1].replace("_", "").lower()


def _is_known(symbol: Symbol, other: Symbol, story: Story) -> bool:
    """Return whether more statements use a symbol than another, or as many and a sentence has its name."""
    if story.uses[symbol] != story.uses[other]:
        return story.uses[symbol] > story.uses[other]
    return any(statement.spoken.spells(symbol[1]) for statement in story.statements if symbol in statement.symbols)


def _are_near(one: str, other: str) -> bool:
    digits = [[sign for sign in name if sign.isdigit()] for name in (one, other)]
    is_long = min(len(one), len(other)) >= _LEAST
    return is_long and digits[0] == digits[1] and SequenceMatcher(None, one, other).ratio() > _NEAR


def _unsaid(statement: Statement, story: Story) -> list[Symbol]:
    """Return predicates that the sentence has no word of, though others that use them have."""
    symbols = sorted(symbol for symbol in statement.symbols if symbol[0] == "predicate")
    return [symbol for symbol in symbols if story.spoken[symbol] and not statement.spoken.says(symbol[1])]


def _lacking(statement: Statement, story: Story) -> list[Symbol]:
    """Return symbols of other statements that the sentence has all words of, and not as words of the formula's own."""
    taken = {position for _, name, _ in statement.symbols for position in statement.spoken.places(name)}
    return [
        symbol
        for symbol in sorted(story.uses)
        if symbol not in statement.symbols
        and statement.spoken.has_all(symbol[1])
        and (positions := set(statement.spoken.places(symbol[1])))
        and not positions & taken
    ]


def _fit(sentence: Statement, formula: Statement) -> float:
    """Return the share of a formula's symbols that a sentence has words of."""
    return sum(sentence.spoken.says(name) for _, name, _ in formula.symbols) / max(1, len(formula.symbols))
