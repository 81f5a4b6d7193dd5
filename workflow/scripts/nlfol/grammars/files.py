"""Grammar files: context-free grammars as data, shipped in ``resources/grammars`` or written by users.

::

    language: propositional
    start: S
    rules:
      S: ["(S ∧ S)", "(S ∨ S)", "(¬N)", "¬LETTER", "LETTER"]
      N: ["(S ∧ S)", "(S ∨ S)", "(¬N)", "¬LETTER"]
    costs:
      operators: {"∧": 1, "∨": 1, "¬": 1}

Each cost is additive over a derivation. Its keys are alternatives, as they stand in a rule, or signs, which count as
often as they occur in an alternative that is no key itself; what is not named costs nothing. Under ``published`` may
stand the rules as a paper has them, which ``protocol: paper`` expands: they may derive one sentence in several ways.
"""

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from nlfol.grammars.errors import GrammarError
from nlfol.grammars.grammar import Alternative, Grammar, written
from nlfol.grammars.notation import ALPHABETS, Token, TokenKind, read_template, scan
from nlfol.grammars.soundness import check_derivable, check_scopes, check_unambiguous
from nlfol.languages.language import LanguageName
from nlfol.validation import TextLoader, describe_faults

RESOURCES = Path(__file__).resolve().parents[4] / "resources"
"""Folder of the files that the project ships."""

SHIPPED = ("k_sat", "propositional", "first_order", "first_order_full", "regular", "regular_full")
"""Names of the shipped grammars."""

MAX_RULES, MAX_PARTS = 500, 60
"""Rules, or alternatives of one; nonterminals in one alternative."""

_Cost = Annotated[int, Field(ge=0, le=100)]
_Alternatives = Annotated[list[str], Field(min_length=1, max_length=MAX_RULES)]
_Rules = Annotated[dict[str, _Alternatives], Field(min_length=1, max_length=MAX_RULES)]
_Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]


class _File(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    language: LanguageName
    start: str
    rules: _Rules
    published: _Rules | None = None
    costs: dict[_Name, dict[str, _Cost]] = {}
    parameters: dict[_Name, Annotated[int, Field(ge=1)]] = {}


def read_grammar(place: str | Path, parameters: Mapping[str, int] | None = None) -> Grammar:
    """Return a shipped grammar, or read one from a file.

    Args:
        place: a name in ``SHIPPED``, or a path.
        parameters: numbers that replace those of the file, such as ``{"clause": 4}``.

    Raises:
        GrammarError: naming file, rule and remedy.
    """
    shipped = isinstance(place, str) and place in SHIPPED
    path = RESOURCES / "grammars" / f"{place}.yaml" if shipped else Path(place)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        names = ", ".join(SHIPPED)
        raise GrammarError(f"{path}: cannot be read ({error.strerror}); give a path, or one of {names}") from error
    except UnicodeDecodeError as error:
        raise GrammarError(f"{path}: not UTF-8 at byte {error.start}; save it as UTF-8") from error
    try:
        return _read(str(place), text, tuple(sorted((parameters or {}).items())))
    except GrammarError as error:
        raise GrammarError(f"{place if shipped else path}: {error}") from error


@lru_cache(maxsize=64)
def _read(name: str, text: str, parameters: tuple[tuple[str, int], ...]) -> Grammar:
    return _built(name, _parsed(text), dict(parameters))


def _parsed(text: str) -> _File:
    try:
        loaded: Any = TextLoader(text).get_single_data()
    except (yaml.YAMLError, RecursionError) as error:
        raise GrammarError(f"not valid YAML (put each alternative in quotation marks): {error}") from error
    try:
        return _File.model_validate(loaded)
    except ValidationError as error:
        raise GrammarError(describe_faults(error, "file")) from error


def _built(name: str, source: _File, parameters: Mapping[str, int]) -> Grammar:
    unknown = sorted(set(parameters) - set(source.parameters))
    if unknown:
        known = ", ".join(source.parameters) or "none"
        raise GrammarError(f"no parameter {unknown[0]!r}; the grammar has {known}: leave the key out")
    if "depth" in source.costs:
        raise GrammarError("costs: 'depth' is counted in every grammar; rename this cost")
    merged = {**source.parameters, **parameters}
    grammar = _one(name, source, source.rules, merged)
    check_unambiguous(grammar)
    if source.published is None:
        return grammar
    try:
        published = _one(name, source, source.published, merged)
    except GrammarError as error:
        raise GrammarError(f"published: {error}") from error
    return replace(grammar, published=published, digest=_digest(grammar.digest, published.digest))


def _one(name: str, source: _File, rules: _Rules, parameters: Mapping[str, int]) -> Grammar:
    if source.start not in rules:
        raise GrammarError(f"start: there is no rule {source.start!r}; add it, or name one of {', '.join(rules)}")
    alphabet = ALPHABETS[source.language]
    for nonterminal in rules:
        if not nonterminal.isidentifier() or not nonterminal.isascii() or nonterminal.startswith("_"):
            raise GrammarError(f"rule {nonterminal!r}: a name is an ASCII letter, then letters, digits and '_'")
        if nonterminal in alphabet.slots or nonterminal in alphabet.aliases:
            raise GrammarError(f"rule {nonterminal}: that is a slot of the vocabulary; rename the rule")
    numbers = {nonterminal: number for number, nonterminal in enumerate(rules)}
    scanned = _scanned(rules, source, numbers, parameters)
    costs = _Costs(source, parameters)
    alternatives: list[Alternative] = []
    for number, (nonterminal, texts) in enumerate(rules.items()):
        for text, tokens in zip(texts, scanned[nonterminal], strict=True):
            parts = tuple(numbers[token.text] for token in tokens if token.kind is TokenKind.NONTERMINAL)
            with _naming(nonterminal, text):
                template = None if source.language == "regular" else read_template(tokens, numbers)
                if len(parts) > MAX_PARTS:
                    raise GrammarError(f"{len(parts)} nonterminals, more than {MAX_PARTS}; split it into several rules")
            alternatives.append(Alternative(number, tokens, parts, costs.of(tokens), template))
    places = tuple(
        tuple(place for place, alternative in enumerate(alternatives) if alternative.nonterminal == number)
        for number in range(len(rules))
    )
    content = _digest(
        source.language,
        source.start,
        [[nonterminal, *map(written, texts)] for nonterminal, texts in scanned.items()],
        {cost: [a.costs[place] for a in alternatives] for place, cost in enumerate(source.costs)},
    )
    grammar = Grammar(
        name, source.language, numbers[source.start], tuple(rules), places, tuple(alternatives), tuple(source.costs),
        content,
    )  # fmt: skip
    check_derivable(grammar)
    if source.language != "regular":
        check_scopes(
            [[template for place in rule if (template := alternatives[place].template)] for rule in places],
            grammar.nonterminals,
        )
    return grammar


def _scanned(
    rules: _Rules, source: _File, names: Collection[str], parameters: Mapping[str, int]
) -> dict[str, list[tuple[Token, ...]]]:
    """Return the tokens of each rule's alternatives."""
    found: dict[str, list[tuple[Token, ...]]] = {nonterminal: [] for nonterminal in rules}
    for nonterminal, texts in rules.items():
        for text in texts:
            with _naming(nonterminal, text):
                found[nonterminal].append(tuple(scan(text, ALPHABETS[source.language], names, parameters)))
    return found


@contextmanager
def _naming(rule: str, alternative: str) -> Iterator[None]:
    """Put rule and alternative in front of an error about them."""
    try:
        yield
    except GrammarError as error:
        raise GrammarError(f"rule {rule}: {alternative!r}: {error}") from error


class _Costs:
    """The costs of a grammar's alternatives."""

    def __init__(self, source: _File, parameters: Mapping[str, int]) -> None:
        self._by_sign: list[dict[str, int]] = []
        self._by_alternative: list[dict[tuple[Token, ...], int]] = []
        alphabet = ALPHABETS[source.language]
        names = source.rules.keys() | (source.published or {}).keys()
        known = {
            tokens
            for rules in (source.rules, source.published or {})
            for alternatives in _scanned(rules, source, names, parameters).values()
            for tokens in alternatives
        }
        for name, keys in source.costs.items():
            self._by_sign.append({key: cost for key, cost in keys.items() if key in alphabet.signs})
            whole: dict[tuple[Token, ...], int] = {}
            for key, cost in keys.items():
                if key in alphabet.signs:
                    continue
                try:
                    tokens = tuple(scan(key, alphabet, names, parameters))
                except GrammarError as error:
                    raise GrammarError(f"costs: {name}: {key!r}: {error}") from error
                if tokens not in known:
                    raise GrammarError(f"costs: {name}: {key!r} is no alternative of any rule, and no sign; correct it")
                whole[tokens] = cost
            self._by_alternative.append(whole)

    def of(self, tokens: tuple[Token, ...]) -> tuple[int, ...]:
        costs = []
        for whole, by_sign in zip(self._by_alternative, self._by_sign, strict=True):
            cost = whole.get(tokens)
            costs.append(sum(by_sign.get(token.text, 0) for token in tokens) if cost is None else cost)
        return tuple(costs)


def _digest(*content: Any) -> str:
    return hashlib.sha256(json.dumps(content, ensure_ascii=False, sort_keys=True).encode()).hexdigest()
