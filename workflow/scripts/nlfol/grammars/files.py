"""Context-free grammars as data: the form of the files in ``resources/grammars``, and of anybody's own.

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

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from nlfol.grammars.errors import GrammarError
from nlfol.grammars.grammar import Alternative, Grammar, spelled
from nlfol.grammars.soundness import check_derivable, check_unambiguous
from nlfol.grammars.templates import check_scopes, read_template
from nlfol.grammars.tokens import ALPHABETS, Kind, Token, scan
from nlfol.languages.language import LanguageName
from nlfol.ontology.yaml_text import TextLoader
from nlfol.validation import describe_faults

RESOURCES = Path(__file__).resolve().parents[4] / "resources"
"""What the project ships."""

SHIPPED = ("k_sat", "propositional", "first_order", "first_order_full", "regular", "regular_full")
"""Grammars that a name alone asks for."""

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
    """The grammar of a shipped name, or of a file.

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
    scanned: list[list[tuple[Token, ...]]] = []
    for nonterminal, texts in rules.items():
        scanned.append([])
        for text in texts:
            with _Naming(nonterminal, text):
                scanned[-1].append(tuple(scan(text, alphabet, numbers, parameters)))
    costs = _Costs(source, parameters)
    alternatives: list[Alternative] = []
    for number, (nonterminal, texts) in enumerate(rules.items()):
        for text, tokens in zip(texts, scanned[number], strict=True):
            with _Naming(nonterminal, text):
                template = None if source.language == "regular" else read_template(tokens, numbers)
            parts = tuple(numbers[token.text] for token in tokens if token.kind is Kind.NONTERMINAL)
            if len(parts) > MAX_PARTS:
                with _Naming(nonterminal, text):
                    raise GrammarError(f"{len(parts)} nonterminals, more than {MAX_PARTS}; split it into several rules")
            alternatives.append(Alternative(number, tokens, parts, costs.of(tokens), template))
    places = tuple(
        tuple(place for place, alternative in enumerate(alternatives) if alternative.nonterminal == number)
        for number in range(len(rules))
    )
    content = _digest(
        source.language,
        source.start,
        [[nonterminal, *map(spelled, scanned[number])] for nonterminal, number in numbers.items()],
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


class _Naming:
    """Puts rule and alternative in front of what is wrong with them."""

    def __init__(self, rule: str, alternative: str) -> None:
        self._place = f"rule {rule}: {alternative!r}"

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if isinstance(error, GrammarError):
            raise GrammarError(f"{self._place}: {error}") from error


class _Costs:
    """What the alternatives of a grammar cost."""

    def __init__(
        self,
        source: _File,
        parameters: Mapping[str, int],
    ) -> None:
        self._by_sign: list[dict[str, int]] = []
        self._by_alternative: list[dict[tuple[Token, ...], int]] = []
        alphabet = ALPHABETS[source.language]
        sets = [source.rules, *([source.published] if source.published else [])]
        names = {name for rules in sets for name in rules}
        known: set[tuple[Token, ...]] = set()
        for rules in sets:
            known.update(tuple(scan(text, alphabet, names, parameters)) for texts in rules.values() for text in texts)
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
        found = []
        for whole, by_sign in zip(self._by_alternative, self._by_sign, strict=True):
            cost = whole.get(tokens)
            found.append(sum(by_sign.get(token.text, 0) for token in tokens) if cost is None else cost)
        return tuple(found)


def _digest(*content: Any) -> str:
    return hashlib.sha256(json.dumps(content, ensure_ascii=False, sort_keys=True).encode()).hexdigest()
