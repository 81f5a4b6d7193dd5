"""Ontologies derived from the symbols themselves, for datasets that have none.

A name is split into words at capitals, digits and ``_`` (``PlaysFor``: plays, for); acronyms keep their capitals.
A propositional letter is glossed by its words, negated at a form of *be* or a modal verb that is not the first of them
(``ItIsRaining``: it is raining, it is not raining); without one, ``rain holds`` and ``rain does not hold``. Other
predicates are glossed by the first of these rules that applies:

1. the name starts with a form of *be* (``IsHappy``) or with a modal verb (``CanFly``): that verb is negated;
2. it starts with *has* or *have*: ``{} has ...``, ``{} does not have ...``;
3. it has two or more words, or two or more arguments, and the first word is a verb in the third person (by its ending
   in -s, known nouns aside): ``{} plays for {}``, ``{} does not play for {}``;
4. it has one argument: ``{} is cube``, ``{} is not cube``;
5. it is a comparative of a short list: ``{} is larger than {}``;
6. it ends in a preposition: ``{} is left of {}``;
7. otherwise nothing is guessed about its grammar: ``{} stands in the relation "hold" to {}``.

The words after the verb stand before the second argument, further arguments follow after commas and "and".
"""

import re
from collections.abc import Iterable

from nlfol.logic.errors import SignatureError
from nlfol.logic.measuring import signature
from nlfol.logic.ontology.ontology import SLOT, ConstantSymbol, FunctionSymbol, Ontology, Predicate
from nlfol.logic.syntax import Formula

_WORD = re.compile(
    r"[A-Z]{2,}(?=[A-Z][a-z])"  # an acronym before a capitalised word
    r"|[A-Z]{2,}[0-9]*(?![a-z])"
    r"|(?<![A-Za-z])[A-Za-z][0-9]+(?![A-Za-z])"  # "t13" is one word
    r"|[A-Z]?[a-z]+|[A-Z]|[0-9]+"
)
_NEGATED = {"can": "cannot"} | {
    verb: f"{verb} not"
    for verb in ("is", "are", "was", "were", "could", "may", "might", "must", "should", "will", "would")
}
# fmt: off
PREPOSITIONS = frozenset([
    "about", "above", "across", "after", "against", "along", "among", "around", "as", "at", "before", "behind",
    "below", "beneath", "beside", "between", "beyond", "by", "during", "for", "from", "in", "inside", "into",
    "near", "next", "of", "off", "on", "onto", "over", "since", "than", "through", "to", "toward", "towards",
    "under", "until", "up", "upon", "via", "with", "within", "without",
])
_COMPARATIVES = frozenset([
    "better", "bigger", "cheaper", "closer", "colder", "darker", "earlier", "faster", "greater", "heavier",
    "higher", "hotter", "larger", "later", "lighter", "longer", "lower", "newer", "older", "richer", "shorter",
    "slower", "smaller", "smarter", "stronger", "taller", "thicker", "thinner", "warmer", "weaker", "wider",
    "worse", "younger",
])
_NOT_VERBS = frozenset([
    "arts", "goods", "less", "news", "sales", "series", "species", "sports", "this",
])
# fmt: on
_IRREGULAR = {"has": "have", "does": "do", "goes": "go", "dies": "die", "lies": "lie", "ties": "tie"}


def derive(formulas: Iterable[Formula]) -> Ontology:
    """Return the least ontology for all the formulas; ``SignatureError`` for a symbol of two arities or kinds."""
    symbols = signature(*formulas)
    if both := sorted(symbols.functions.keys() & symbols.constants):
        raise SignatureError(f"{both[0]!r} is used as a function and as a constant", both[0])
    return Ontology(
        tuple(_predicate(name, arity) for name, arity in symbols.predicates.items()),
        tuple(
            FunctionSymbol(name, arity, f"the {_text(name)} of {_listed(arity)}")
            for name, arity in symbols.functions.items()
        ),
        tuple(ConstantSymbol(name, _text(name)) for name in symbols.constants),
        derived=True,
    )


def words(name: str) -> list[str]:
    """Return the words of a symbol's name, in lower case but for acronyms; at least one."""
    parts = _WORD.findall(name)
    return [word if len(word) > 1 and word.isupper() else word.lower() for word in parts] or [name]


def _text(name: str) -> str:
    return " ".join(words(name))


def _predicate(name: str, arity: int) -> Predicate:
    if not arity:
        return Predicate(name, 0, *_sentences(words(name)))
    affirmed, denied = _verb_phrases(words(name), arity)
    rest = f" {_listed(arity - 1)}" if arity > 1 else ""
    return Predicate(name, arity, f"{SLOT} {affirmed}{rest}", f"{SLOT} {denied}{rest}")


def _sentences(parts: list[str]) -> tuple[str, str]:
    """Return the sentence of a propositional letter, affirmed and denied."""
    text = " ".join(parts)
    verb = next((index for index, word in enumerate(parts) if index and word in _NEGATED), None)
    if verb is None:
        return f"{text} holds", f"{text} does not hold"
    return text, " ".join([*parts[:verb], _NEGATED[parts[verb]], *parts[verb + 1 :]])


def _verb_phrases(parts: list[str], arity: int) -> tuple[str, str]:
    """Return the words between the first argument and the second, affirmed and denied."""
    text, first, after = " ".join(parts), parts[0], parts[1:]
    if first in _NEGATED and (after or arity > 1):
        return text, " ".join([_NEGATED[first], *after])
    if first in ("has", "have"):
        return " ".join(["has", *after]), " ".join(["does not have", *after])
    if is_third_person(first) and (after or arity > 1):
        return text, " ".join(["does not", _base(first), *after])
    if arity == 1:
        return f"is {text}", f"is not {text}"
    if len(parts) == 1 and first in _COMPARATIVES:
        return f"is {text} than", f"is not {text} than"
    if parts[-1] in PREPOSITIONS:
        return f"is {text}", f"is not {text}"
    return f'stands in the relation "{text}" to', f'does not stand in the relation "{text}" to'


def is_third_person(word: str) -> bool:
    """Return whether a word ends as a verb in the third person does; plural nouns do, too."""
    is_plain = len(word) > 2 and word.islower() and word not in _NOT_VERBS
    return is_plain and word.endswith("s") and not word.endswith(("ss", "us", "is"))


def _base(verb: str) -> str:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    if verb.endswith(("ches", "shes", "sses", "xes", "zzes")):
        return verb[:-2]
    return verb[:-1]


def _listed(count: int) -> str:
    """Return that many slots as an English list."""
    slots = [SLOT] * count
    return slots[0] if count == 1 else f"{', '.join(slots[:-1])} and {slots[-1]}"
