"""Words of symbols: which concept a name, its gloss and constants filled into it speak of, and with which polarity."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from nlfol.logic.naming import WORD
from nlfol.problems.alignment.expressions import plain_expression
from nlfol.problems.programs.symbols import Symbol, SymbolKind, bare

LEAST = 0.15
"""Nearness above which words tell what a symbol stands for."""

_VARIABLE = re.compile(r"\{\}|\b[t-z]\d*\b", re.IGNORECASE)
_NEGATIONS = frozenset(("not", "no", "non", "never", "without", "doesn", "isn", "don", "cannot"))
_PREFIX = re.compile(r"(?:un|in|im|ir|dis|non)(?=.{3})")
_STOP = frozenset(
    re.findall(
        r"\w+",
        "about all also an and any as at by can do does every for from had has have her his if in into it its of on or "
        "out over some than that their them these they thi this those to up which who whose will with",
    )
)
_IRREGULAR = dict(
    re.findall(
        r"(\w+):(\w+)",
        "ate:eat became:becom bought:buy brought:bring built:build caught:catch child:child children:child chose:choos "
        "chosen:choos drank:drink drove:driv eaten:eat fell:fall felt:feel flew:fly found:find gave:giv given:giv "
        "gone:go got:get grew:grow grown:grow held:hold kept:keep knew:know known:know led:lead left:leav lost:los "
        "made:mak men:man met:meet people:person ran:run said:say sang:sing saw:see seen:see sold:sell sought:seek "
        "spoke:speak spoken:speak sung:sing taken:tak taught:teach thought:think took:tak went:go women:woman won:win "
        "wore:wear worn:wear writt:writ written:writ wrote:writ",
    )
)
"""Stems of irregular verbs and plurals, by those of their forms."""


class Said(NamedTuple):
    """The stems of a symbol's name, of a constant filled into it, and of its gloss; ``by`` if the name is a passive."""

    head: frozenset[str]
    spelled: str
    gloss: frozenset[str]
    filled: frozenset[str] = frozenset()
    by: bool = False

    @property
    def name(self) -> frozenset[str]:
        """Return the stems of the name and of what is filled in."""
        return self.head | self.filled

    @property
    def all(self) -> frozenset[str]:
        """Return all stems."""
        return self.head | self.filled | self.gloss

    def filled_with(self, constant: "Said") -> "Said":
        """Return what the symbol says with a constant filled in."""
        return self._replace(filled=constant.head, spelled=self.spelled + constant.spelled)


def stems(text: str) -> list[str]:
    """Return the stems of a name's or gloss's words, without articles and forms of "be"."""
    words = WORD.findall(text)
    spoken = plain_expression(" ".join(word for word in words if not word.isdigit())).split()
    return [_IRREGULAR.get(word, word) for word in spoken] + [word for word in words if word.isdigit()]


def content(words: Iterable[str]) -> frozenset[str]:
    """Return the stems that have content, or all if none has."""
    known = list(words)
    return frozenset(stem for stem in known if stem not in _STOP and stem not in _NEGATIONS) or frozenset(known)


def positive(words: Sequence[str], others: Collection[str]) -> tuple[list[str], bool]:
    """Return stems without negations, and whether they are affirmed; a prefix counts if only the others lack it."""
    kept, value = [], True
    for stem in words:
        prefix = _PREFIX.match(stem) if stem not in others else None
        if stem in _NEGATIONS:
            value = not value
        elif prefix and stem[prefix.end() :] in others:
            kept.append(stem[prefix.end() :])
            value = not value
        else:
            kept.append(stem)
    return kept, value


def said(glosses: Mapping[Symbol, str], others: Iterable[Symbol]) -> tuple[dict[Symbol, Said], frozenset[Symbol]]:
    """Return what each symbol of a side says, and the predicates named by a negation, given the other side's symbols.

    A gloss of another polarity than the name tells nothing.
    """
    theirs = {stem for other in others if other.kind is not SymbolKind.CONSTANT for stem in stems(other.name)}
    by_symbol: dict[Symbol, Said] = {}
    denials = set[Symbol]()
    for symbol, gloss in glosses.items():
        name, meaning = stems(symbol.name), stems(_VARIABLE.sub(" ", gloss))
        if symbol.kind is SymbolKind.CONSTANT:
            by_symbol[symbol] = Said(frozenset(name), bare(symbol.name), frozenset(stems(gloss)))
            continue
        head, value = positive(name, theirs)
        meant, agrees = positive(meaning, theirs)
        known = content(meant) if agrees is value else frozenset[str]()
        by_symbol[symbol] = Said(content(head), bare(symbol.name) if value else "", known, by="by" in name)
        if not value and symbol.kind is SymbolKind.PREDICATE:
            denials.add(symbol)
    return by_symbol, frozenset(denials)


class Nearness:
    """Nearness of symbols, 0 to 1; a word weighs less the more symbols of the story it names."""

    def __init__(self, symbols: Iterable[Said]) -> None:
        self._counts = Counter(stem for symbol in symbols for stem in symbol.name)

    def __call__(self, gold: Said, other: Said) -> float:
        """Return the mean of two shares: of the gold name's words in the other's, and of the other name's in gold's."""
        if gold.spelled and gold.spelled == other.spelled:
            return 1.0
        return (self._share(gold.name, other.all) + self._share(other.name, gold.all)) / 2

    def _share(self, named: frozenset[str], known: frozenset[str]) -> float:
        weights = {stem: 1 / max(self._counts[stem], 1) for stem in named}
        total = sum(weights.values())
        return sum(weight for stem, weight in weights.items() if stem in known) / total if total else 0.0


def digits(found: Iterable[str]) -> set[str]:
    """Return the stems that are numbers."""
    return {stem for stem in found if stem.isdigit()}


def agree_on_digits(gold: Said, other: Said) -> bool:
    """Return whether each number in one's name is in the other."""
    return digits(gold.name) <= other.all and digits(other.name) <= gold.all
