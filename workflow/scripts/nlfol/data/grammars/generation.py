"""Generation of items one after the other; a draw that is refused is drawn again.

``audited`` draws ranks uniformly among all derivation trees of a value, ``paper`` among those that an expansion has
found. A draw depends on the seed, the grammar, the vocabulary, the value and its number, and on no other item but for
one thing: a formula that an item of a smaller number has is drawn again. So values are independent of each other, and
a larger count keeps the items of a smaller one.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any, Literal

from nlfol.data.grammars.counting import QUANTIFIERS
from nlfol.data.grammars.drawing import BRANCHING, LEVELS, AllDerivations, Derivations, ExpandedDerivations
from nlfol.data.grammars.files import read_grammar
from nlfol.data.grammars.filling import VARIABLE_SHARE, Filling, UnboundError, prefixed
from nlfol.data.grammars.grammar import DEPTH, Grammar, GrammarError, spell
from nlfol.data.grammars.vocabularies import AS_PUBLISHED, Sizes, Vocabulary, Words, read_vocabulary
from nlfol.logic.equivalence import Contingency, contingency
from nlfol.logic.infix import UNICODE, write_formula
from nlfol.logic.judging import without_collecting
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.languages.regular import OPTIONAL_OPERATORS
from nlfol.logic.ontology.ontology import Ontology
from nlfol.mappings import JsonDict
from nlfol.randomness import generator

MAX_VALUE = 500
"""Greatest value of a measure."""

MAX_DRAWS = 500
"""Refused draws in a row after which a value gets no more items."""

Refusal = Literal["constant", "undecided", "vacuous", "unbound", "duplicate", "exhausted"]
"""Reasons to refuse a draw: it is true everywhere or nowhere (an expression matches all words or none); that is
undecided; a quantifier's variable does not occur; an argument has no possible term; another item of the value has the
formula, or the tree where trees must differ; the value has no more items."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """Settings of a generation: the keys of a dataset's entry with ``reader: grammar``, which documents them."""

    grammar: str
    vocabulary: str
    by: str
    values: tuple[int, ...]
    count: int = 50
    protocol: Literal["audited", "paper"] = "audited"
    batch: int = 1
    quantifiers: tuple[int, int] | None = None
    repetition: Literal["none", "uniform"] | None = None
    distinct: Literal["formulas", "trees"] = "formulas"
    letters: int | None = None
    clause: int | None = None
    verbnet: str | None = None
    levels: int = LEVELS
    branching: int = BRANCHING
    sizes: Sizes = AS_PUBLISHED
    variables: float = VARIABLE_SHARE

    @property
    def repeats(self) -> bool:
        """Return whether an atom may stand twice while there are others."""
        return (self.repetition or ("uniform" if self.protocol == "paper" else "none")) == "uniform"

    def read(self) -> tuple[Grammar, Vocabulary]:
        """Read grammar and vocabulary; raises `GrammarError` if they do not fit each other and the other settings."""
        grammar = read_grammar(self.grammar, {} if self.clause is None else {"clause": self.clause})
        folder = None if self.verbnet is None else Path(self.verbnet)
        vocabulary = read_vocabulary(self.vocabulary, letters=self.letters, verbnet=folder, sizes=self.sizes)
        self._check(grammar, vocabulary)
        return grammar, vocabulary

    def digest(self) -> str:
        """Return the SHA-256 of everything but the seed that a draw depends on; raises as ``read``."""
        grammar, vocabulary = self.read()
        content: JsonDict = asdict(self) | {"grammar": grammar.digest, "vocabulary": vocabulary.digest}
        del content["verbnet"]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    def _check(self, grammar: Grammar, vocabulary: Vocabulary) -> None:
        measures = (DEPTH, *grammar.costs)
        fits = vocabulary.languages
        if self.by not in measures:
            raise GrammarError(f"by: the grammar {self.grammar!r} counts {', '.join(measures)}, not {self.by!r}")
        if grammar.language not in fits:
            raise GrammarError(f"vocabulary {self.vocabulary!r} is for {' and '.join(fits)}, but the grammar "
                               f"{self.grammar!r} is {grammar.language}; take another, such as 'names'")  # fmt: skip
        if not self.values or min(self.values) < 0 or max(self.values) > MAX_VALUE:
            raise GrammarError(f"values: give one or more between 0 and {MAX_VALUE}")
        if len(set(self.values)) < len(self.values):
            raise GrammarError("values: one occurs twice; keep one of them")
        if self.count < 1 or self.batch < 1:
            raise GrammarError("count and batch are 1 or more")
        if self.quantifiers is not None:
            self._check_quantifiers(grammar, *self.quantifiers)

    def _check_quantifiers(self, grammar: Grammar, least: int, most: int) -> None:
        if QUANTIFIERS not in grammar.costs:
            raise GrammarError(f"quantifiers: the grammar {self.grammar!r} has no cost of that name; leave the key out")
        if self.protocol == "paper":
            raise GrammarError("quantifiers: the published procedure does not limit them; leave the key out, or set "
                               "protocol: audited")  # fmt: skip
        if self.by == QUANTIFIERS:
            raise GrammarError("quantifiers: the values are numbers of quantifiers already; leave the key out")
        if not 0 <= least <= most <= 20:
            raise GrammarError("quantifiers: give the least and the largest number, between 0 and 20")


_NO_SYMBOLS = Ontology()


@dataclass(frozen=True, slots=True)
class Drawn:
    """An item, or a draw that was refused; of a value that has no more items, without text and sentence."""

    value: int
    number: int  # of the item in its value, from 1
    text: str = ""
    sentence: Any = None
    ontology: Ontology = _NO_SYMBOLS
    depth: int | None = None  # of the derivation, see grammars.grammar.DEPTH
    tree: str = ""  # SHA-256 of the sentence without its vocabulary; items with one tree are one story
    refusal: Refusal | None = None
    detail: str = ""


@dataclass(slots=True)
class _Draw:
    text: str
    sentence: Any
    ontology: Ontology
    tree: str
    source: str  # as drawn; of published expressions without the digits, as each is filled once
    vacuous: int
    contingency: Callable[[], Contingency]


class Generation:
    """Draws the items of a recipe; raises `GrammarError`, naming file or key and remedy, if it cannot be followed."""

    def __init__(self, recipe: Recipe, seed: int) -> None:
        self._recipe = recipe
        audited, self._vocabulary = recipe.read()
        self._is_paper = recipe.protocol == "paper"
        self._grammar = (audited.published or audited) if self._is_paper else audited
        digests = audited.digest, self._vocabulary.digest
        self._labels = (seed, "grammar", recipe.protocol, *digests, recipe.by, recipe.batch)
        self._language: Any = LANGUAGES[self._grammar.language]
        used = {token.text for alternative in self._grammar.alternatives for token in alternative.tokens}
        self._operators = "".join(sign for sign in OPTIONAL_OPERATORS if sign in used)
        self._derivations: Derivations
        if self._is_paper:
            randomness = generator(*self._labels, "completions")
            self._derivations = ExpandedDerivations(
                self._grammar, recipe.by, recipe.values, randomness, levels=recipe.levels, branching=recipe.branching
            )
        else:
            self._derivations = AllDerivations(self._grammar, recipe.by, recipe.quantifiers)

    def items(self, values: Sequence[int] | None = None) -> Iterator[Drawn]:
        """Yield items and refused draws of some values or all, an item after the draws that were refused for it."""
        for value in self._recipe.values if values is None else values:
            yield from self._of_value(value)

    def _of_value(self, value: int) -> Iterator[Drawn]:
        if self._derivations.is_empty(value):
            where = "none was found by expansion" if self._is_paper else "the grammar has none"
            yield Drawn(value, 1, refusal="exhausted", detail=f"no derivation with {self._recipe.by} {value}: {where}")
            return
        seen: set[bytes] = set()
        for number in range(1, self._recipe.count + 1):
            refused: list[Drawn] = []
            for attempt in range(MAX_DRAWS):
                randomness = generator(*self._labels, value, number, attempt)
                with without_collecting():
                    drawn = self._drawn(value, number, randomness, seen)
                if drawn.refusal is None:
                    yield from refused
                    yield drawn
                    break
                refused.append(drawn)
            else:
                reasons = ", ".join(f"{n} {reason}" for reason, n in Counter(d.refusal for d in refused).most_common())
                detail = f"items {number} to {self._recipe.count}: of {MAX_DRAWS} draws in a row, {reasons}"
                yield Drawn(value, number, refusal="exhausted", detail=detail)
                return

    def _drawn(self, value: int, number: int, randomness: Random, seen: set[bytes]) -> Drawn:
        derivation = self._derivations.draw(value, randomness)
        depth = self._grammar.depth(derivation)
        words = self._vocabulary.draw(self._grammar.language, randomness)
        try:
            make = self._expression if self._grammar.language == "regular" else self._formula
            draw = make(derivation, words, randomness)
        except UnboundError as error:
            return Drawn(value, number, depth=depth, refusal="unbound", detail=str(error))
        refusal, detail = self._refusal(draw, seen)
        return Drawn(value, number, draw.text, draw.sentence, draw.ontology, depth, draw.tree, refusal, detail)

    def _formula(self, derivation: list[int], words: Words, randomness: Random) -> _Draw:
        alternatives = self._grammar.alternatives
        signs = prefixed(template.symbols for index in derivation if (template := alternatives[index].template))
        recipe, is_paper = self._recipe, self._is_paper
        filling = Filling(
            signs, words, randomness, is_published=is_paper, repeats=recipe.repeats, variables=recipe.variables
        )
        formula = filling.formula()
        return _Draw(
            text := write_formula(formula, UNICODE, ()), formula, filling.ontology(), _digest("".join(signs)), text,
            filling.vacuous, lambda: contingency(filling.renamed(), confirmed=False),
        )  # fmt: skip

    def _expression(self, derivation: list[int], words: Words, randomness: Random) -> _Draw:
        spelled = spell(self._grammar, derivation)
        pieces = spelled.split()
        text = "".join(randomness.choice(words.digits) if piece == "DIGIT" else piece for piece in pieces)
        sentence = self._language.parse(text)
        written = self._language.write(sentence)
        tree = _digest("".join("0" if character.isalnum() else character for character in written))
        symbols = Ontology(alphabet=words.digits + self._operators)
        return _Draw(
            written, sentence, symbols, tree, spelled if self._is_paper else written, 0,
            lambda: self._language.contingency(sentence, symbols),
        )  # fmt: skip

    def _refusal(self, draw: _Draw, seen: set[bytes]) -> tuple[Refusal | None, str]:
        """Return why a draw is refused; or note it among those seen and return None."""
        by_tree = self._recipe.distinct == "trees"
        key = bytes.fromhex(draw.tree)[:16] if by_tree else hashlib.sha256(draw.source.encode()).digest()[:16]
        if key in seen:
            return "duplicate", f"an item of this value has the same {'tree' if by_tree else 'formula'}"
        if not self._is_paper:
            if draw.vacuous:
                return "vacuous", f"{draw.vacuous} quantifiers whose variable does not occur"
            contingency_of = draw.contingency()
            if contingency_of is Contingency.UNKNOWN:
                return "undecided", "whether it is constant was not decided within the budget"
            if contingency_of is not Contingency.CONTINGENT:
                return "constant", contingency_of.value
        seen.add(key)
        return None, ""


def _digest(tree: str) -> str:
    return hashlib.sha256(tree.encode()).hexdigest()
