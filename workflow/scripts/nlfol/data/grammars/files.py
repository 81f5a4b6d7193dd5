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
stand the rules as a paper has them, the start symbol's first, which ``protocol: paper`` expands: they may derive one
sentence in several ways.
"""

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from nlfol.data.grammars.counting import AdditiveCounts
from nlfol.data.grammars.grammar import Alternative, Grammar, GrammarError, Token, TokenKind, spell
from nlfol.data.grammars.notation import ALPHABETS, ATOMIC, read_template, scan
from nlfol.installed import PROJECT
from nlfol.logic.languages.language import LanguageName
from nlfol.validation import TextLoader, describe_faults, yaml_fault

RESOURCES = PROJECT / "resources"
"""Folder of the files that the project ships."""

SHIPPED = ("k_sat", "propositional", "first_order", "first_order_full", "regular", "regular_full")
"""Names of the shipped grammars."""

MAX_TREES = 1_000
"""Shortest derivations that are searched for one sentence with two of them."""

MAX_LENGTH = 60
"""Signs and slots of the longest of them."""

_LENGTH = "length"

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


def read_grammar(source: str | Path, parameters: Mapping[str, int] | None = None) -> Grammar:
    """Read a grammar by name or path, with parameters such as ``{"clause": 4}``; `GrammarError` names file and rule."""
    shipped = isinstance(source, str) and source in SHIPPED
    path = RESOURCES / "grammars" / f"{source}.yaml" if shipped else Path(source)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        names = ", ".join(SHIPPED)
        raise GrammarError(f"{path}: cannot be read ({error.strerror}); give a path, or one of {names}") from error
    except UnicodeDecodeError as error:
        raise GrammarError(f"{path}: not UTF-8 at byte {error.start}; save it as UTF-8") from error
    with _naming(str(source if shipped else path)):
        return _built(str(source), text, tuple(sorted((parameters or {}).items())))


def _parsed(text: str) -> _File:
    try:
        loaded: Any = TextLoader(text).get_single_data()
    except yaml.YAMLError as error:
        raise GrammarError(yaml_fault(error, " (put each alternative in quotation marks)")) from error
    try:
        return _File.model_validate(loaded)
    except ValidationError as error:
        raise GrammarError(describe_faults(error, "file")) from error


@lru_cache(maxsize=64)
def _built(name: str, text: str, parameters: tuple[tuple[str, int], ...]) -> Grammar:
    source = _parsed(text)
    merged = {**source.parameters, **dict(parameters)}
    unknown = sorted(set(merged) - set(source.parameters))
    if unknown:
        known = ", ".join(source.parameters) or "none"
        raise GrammarError(f"no parameter {unknown[0]!r}; the grammar has {known}: leave the key out")
    if "depth" in source.costs:
        raise GrammarError("costs: 'depth' is counted in every grammar; rename this cost")
    grammar = _one(name, source, source.start, source.rules, merged)
    _check_unambiguous(grammar)
    if source.published is None:
        return grammar
    with _naming("published"):
        published = _one(name, source, next(iter(source.published)), source.published, merged)
    return replace(grammar, published=published, digest=content_digest(grammar.digest, published.digest))


def _one(name: str, source: _File, start: str, rules: _Rules, parameters: Mapping[str, int]) -> Grammar:
    if start not in rules:
        raise GrammarError(f"start: there is no rule {start!r}; add it, or name one of {', '.join(rules)}")
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
    ranges: list[tuple[int, ...]] = []
    content: list[list[str]] = []
    for number, (nonterminal, texts) in enumerate(rules.items()):
        first = len(alternatives)
        for text, tokens in zip(texts, scanned[nonterminal], strict=True):
            parts = tuple(numbers[token.text] for token in tokens if token.kind is TokenKind.NONTERMINAL)
            with _naming(f"rule {nonterminal}: {text!r}"):
                template = None if source.language == "regular" else read_template(tokens, numbers)
                if len(parts) > MAX_PARTS:
                    raise GrammarError(f"{len(parts)} nonterminals, more than {MAX_PARTS}; split it into several rules")
            alternatives.append(Alternative(number, tokens, parts, costs.of(tokens), template))
        ranges.append(tuple(range(first, len(alternatives))))
        content.append([nonterminal, *map(str, alternatives[first:])])
    by_cost = {cost: [a.costs[index] for a in alternatives] for index, cost in enumerate(source.costs)}
    grammar = Grammar(
        name, source.language, numbers[start], tuple(rules), tuple(ranges), tuple(alternatives),
        tuple(source.costs), content_digest(source.language, start, content, by_cost),
    )  # fmt: skip
    _check_derivable(grammar)
    if source.language != "regular":
        _check_scopes(grammar)
    return grammar


def _scanned(
    rules: _Rules, source: _File, names: Collection[str], parameters: Mapping[str, int]
) -> dict[str, list[tuple[Token, ...]]]:
    scanned: dict[str, list[tuple[Token, ...]]] = {nonterminal: [] for nonterminal in rules}
    for nonterminal, texts in rules.items():
        for text in texts:
            with _naming(f"rule {nonterminal}: {text!r}"):
                scanned[nonterminal].append(tuple(scan(text, ALPHABETS[source.language], names, parameters)))
    return scanned


@contextmanager
def _naming(location: str) -> Iterator[None]:
    """Put a place in front of errors about it."""
    try:
        yield
    except GrammarError as error:
        raise GrammarError(f"{location}: {error}") from error


class _Costs:
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
            costs: dict[tuple[Token, ...], int] = {}
            for key, cost in keys.items():
                if key in alphabet.signs:
                    continue
                with _naming(f"costs: {name}: {key!r}"):
                    tokens = tuple(scan(key, alphabet, names, parameters))
                if tokens not in known:
                    raise GrammarError(f"costs: {name}: {key!r} is no alternative of any rule, and no sign; correct it")
                costs[tokens] = cost
            self._by_alternative.append(costs)

    def of(self, tokens: tuple[Token, ...]) -> tuple[int, ...]:
        costs = []
        for by_tokens, by_sign in zip(self._by_alternative, self._by_sign, strict=True):
            cost = by_tokens.get(tokens)
            costs.append(sum(by_sign.get(token.text, 0) for token in tokens) if cost is None else cost)
        return tuple(costs)


def _check_derivable(grammar: Grammar) -> None:
    """Refuse a nonterminal that is not reached from the start, derives no sentence, or has one alternative twice."""
    names = grammar.nonterminals
    for number, rule in enumerate(grammar.rules):
        texts = [str(grammar.alternatives[index]) for index in rule]
        twice = next((text for text in texts if texts.count(text) > 1), None)
        if twice is not None:
            raise GrammarError(f"rule {names[number]}: the alternative {twice!r} occurs twice, so the grammar is "
                               "ambiguous; keep one")  # fmt: skip
    reached, waiting = {grammar.start}, [grammar.start]
    while waiting:
        for index in grammar.rules[waiting.pop()]:
            new = set(grammar.alternatives[index].parts) - reached
            reached |= new
            waiting += sorted(new)
    unreached = [name for number, name in enumerate(names) if number not in reached]
    if unreached:
        raise GrammarError(f"rule {unreached[0]}: nothing in {names[grammar.start]} leads to it; use it, or remove it")
    ending: set[int] = set()
    while added := {a.nonterminal for a in grammar.alternatives if ending.issuperset(a.parts)} - ending:
        ending |= added
    endless = [name for number, name in enumerate(names) if number not in ending]
    if endless:
        raise GrammarError(f"rule {endless[0]}: it never comes to an end; add an alternative without {endless[0]}")


def _check_unambiguous(grammar: Grammar) -> None:
    """Refuse a grammar in which one of the ``MAX_TREES`` shortest derivations has the sentence of another.

    Whether a context-free grammar is ambiguous cannot be decided in general; among the shortest it shows in practice.
    """
    measured = replace(
        grammar,
        costs=(_LENGTH,),
        alternatives=tuple(
            replace(a, costs=(len(a.tokens) - len(a.parts),)) for a in grammar.alternatives
        ),
    )  # fmt: skip
    try:
        counts = AdditiveCounts(measured, [_LENGTH])
    except GrammarError as error:
        cycle = str(error).split(": ", 1)[1].split(" costs nothing")[0]
        raise GrammarError(f"{cycle} adds nothing, so one sentence has infinitely many derivations; remove one of "
                           "these steps") from error  # fmt: skip
    left, length = MAX_TREES, 0
    while left > 0 and length <= MAX_LENGTH:
        number = counts.count(length)
        seen: dict[str, list[int]] = {}
        for rank in range(min(number, left)):
            derivation = counts.unrank(rank, length)
            sentence = spell(grammar, derivation)
            if sentence in seen:
                one, other = (_named(grammar, d) for d in (seen[sentence], derivation))
                raise GrammarError(f"ambiguous: {sentence!r} is derived by {one} and by {other}; change the rules so "
                                   "that each sentence has one derivation")  # fmt: skip
            seen[sentence] = derivation
        left -= number
        length += 1


def _check_scopes(grammar: Grammar) -> None:
    """Refuse a grammar whose texts would be grouped otherwise than its derivations."""
    names = grammar.nonterminals
    templates = [alternative.template for alternative in grammar.alternatives]
    chains = [alternative.template for alternative in grammar.alternatives if alternative.is_chain]
    rules = [[piece for index in rule if (piece := templates[index])] for rule in grammar.rules]
    loosest = [ATOMIC] * len(rules)
    changed = True
    while changed:
        changed = False
        for number, rule in enumerate(rules):
            least = min(loosest[t.holes[0].nonterminal] if t.precedence is None else t.precedence for t in rule)
            changed = changed or least < loosest[number]
            loosest[number] = min(least, loosest[number])
    for number, rule in enumerate(rules):
        for hole, in_chain in [(hole, piece in chains) for piece in rule for hole in piece.holes]:
            if loosest[hole.nonterminal] < hole.least and not in_chain:
                part = names[hole.nonterminal]
                raise GrammarError(
                    f"rule {names[number]}: {part} can become a formula that would be grouped otherwise here; put "
                    f"parentheses around {part}, or around the alternatives of {part}"
                )


def _named(grammar: Grammar, derivation: Sequence[int]) -> str:
    return ", ".join(
        f"{grammar.nonterminals[grammar.alternatives[index].nonterminal]} → {grammar.alternatives[index]}"
        for index in derivation
    )


def content_digest(*content: Any) -> str:
    """Return the SHA-256 of JSON values."""
    return hashlib.sha256(json.dumps(content, ensure_ascii=False, sort_keys=True).encode()).hexdigest()
