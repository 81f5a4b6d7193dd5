"""Further forms of the concepts of problems: ``resources/lexicon/diversified.yaml``."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from nlfol.mappings import JsonDict, JsonObject
from nlfol.problems.lexicon import (
    BASE,
    FRAME,
    KINDS,
    Category,
    Concept,
    Form,
    Lexicon,
    LexiconError,
    further_form,
    read_words,
    several,
    symbol,
)
from nlfol.randomness import label_digest

DEFAULT_FORMS = Path("resources/lexicon/diversified.yaml")

DECOYS = "decoys"
"""The group of concepts that sound like others."""

_WORDS = re.compile(r"[A-Za-z]+(?:['-][A-Za-z]+)*(?: [A-Za-z]+(?:['-][A-Za-z]+)*)*")
_GRAMMAR = frozenset(
    {"and", "or", "not", "if", "then", "by", "all", "each", "every", "is", "are", "something", "someone"}
)
"""Words that tell the grammars what comes next, so that no form has them."""

Part = Literal["tested", "shown"]
"""Forms of tested problems, and those of solved examples and of problems to learn from."""

_PARTICIPLE = "voice.1"
"""The participle of a verb, of the verb itself unless another form begins like it."""

_SHORT = frozenset({"from", "have", "into", "like", "make", "take", "that", "with"})
"""Words of four letters that say nothing of a concept."""

_ALONE = 4
"""One in this many concepts with a single further word has that word in examples alone."""

_KEYS = ("sense", "decoy", "not_beside", *KINDS)


@lru_cache(maxsize=4)
def read_forms(base: Lexicon, path: Path = DEFAULT_FORMS) -> Lexicon:
    """Read further forms, senses and decoys into a lexicon; ``LexiconError`` names the entry and the remedy."""
    data = read_words(path)
    if not isinstance(data, dict):
        raise LexiconError(f"{path}: not a mapping; expected sections of concepts, and 'templates'")
    templates = _mapping(f"{path}: templates", data.pop("templates", {}))
    concepts = dict(base.concepts)
    groups = {concept.group for concept in base.concepts.values()}
    symbols = _symbols(base)
    for group, entries in data.items():
        if group not in groups:
            raise LexiconError(f"{path}: {group}: no section of the words; use {', '.join(sorted(groups))}")
        for word, entry in _mapping(f"{path}: {group}", entries).items():
            location = f"{path}: {group}: {word}"
            concept = _concept(location, group, str(word), base)
            given = _mapping(location, entry or {})
            template = templates.get(_section(concept, base), {})
            phrasing = _mapping(f"{path}: templates: {group}", template)
            for further in _said(location, concept, given, phrasing, symbols):
                concepts[further.symbol] = further
    return Lexicon(concepts, base.scenes)


@lru_cache(maxsize=8)
def part_of(lexicon: Lexicon, part: Part) -> Lexicon:
    """Return the lexicon with the forms of one part, so that examples teach no word that is tested.

    Forms of a concept that share the beginning of a word go together. Of several such groups one is shown, the others
    are tested; a concept with a single group has it in one part. The draw depends on the concept alone, so that no
    experiment's examples, or set to learn from, teach what another one tests. Words of several concepts, and frames,
    are tested.
    """
    by_words: dict[str, set[str]] = defaultdict(set)
    for concept in lexicon.concepts.values():
        for form in concept.forms.values():
            for words in (form.singular.lower(), form.plural.lower()):
                by_words[words].add(concept.symbol)
    shared = {words for words, symbols in by_words.items() if len(symbols) > 1}
    kept = {}
    for concept in lexicon.concepts.values():
        both, shown = _divided(concept, shared)
        forms = {
            key: form
            for key, form in concept.forms.items()
            if key in both or form.kind == "reference" or (key in shown) is (part == "shown")
        }
        kept[concept.symbol] = replace(concept, forms=forms)
    return Lexicon(kept, lexicon.scenes)


def _divided(concept: Concept, shared: set[str]) -> tuple[set[str], set[str]]:
    """Return the keys of a concept's forms that both parts share, and of those for examples."""
    groups: list[tuple[set[str], set[str]]] = []
    for key, form in concept.forms.items():
        if key == BASE or form.kind in ("reference", FRAME):
            continue
        own_words = f"{form.singular} {form.plural}".lower().split()
        words = {beginning[:4] for word in set(own_words) - _SHORT for beginning in re.findall(r"[a-z]{4,}", word)}
        alike = [group for group in groups if group[1] & words]
        groups = [group for group in groups if group not in alike]
        groups.append(({key}.union(*(keys for keys, _ in alike)), words.union(*(further for _, further in alike))))
    both = {BASE}.union(*(keys for keys, _ in groups if keys == {_PARTICIPLE}))
    words_of = [keys for keys, _ in groups if keys != {_PARTICIPLE}]
    free = [
        keys
        for keys in words_of
        if not shared & {words.lower() for key in keys for words in concept.forms[key][1:3]}
        and (len(words_of) > 1 or label_digest("words", concept.symbol)[0] % _ALONE == 0)
    ]
    return both, min(free, key=lambda keys: label_digest("words", concept.symbol, *sorted(keys)), default=set())


def _mapping(location: str, value: Any) -> JsonDict:
    if not isinstance(value, dict):
        raise LexiconError(f"{location}: expected a mapping, such as 'quiet: {{synonym: hushed}}'")
    return value


def _concept(location: str, group: str, word: str, base: Lexicon) -> Concept:
    for category in Category:
        concept = base.concepts.get(symbol(word, category))
        if concept is not None and concept.group == group:
            return concept
    raise LexiconError(f"{location}: no concept of this section; add it to the words of problems first")


def _section(concept: Concept, base: Lexicon) -> str:
    """Return the section of templates for a concept; an object has its scene's."""
    if concept.category is not Category.OBJECT:
        return concept.group
    return next((name for name, scene in base.scenes.items() if concept.symbol in scene.items), concept.group)


def _said(
    location: str,
    concept: Concept,
    given: JsonObject,
    template: JsonObject,
    symbols: Mapping[str, frozenset[str]],
) -> Iterator[Concept]:
    """Yield the decoy of a concept, and the concept with its further forms."""
    if unknown := [key for key in (*given, *template) if key not in _KEYS]:
        raise LexiconError(f"{location}: {unknown[0]!r}; expected {', '.join(_KEYS)}")
    base = concept.forms[BASE]
    fill = {"{}": base.singular, "{s}": base.plural}
    forms = {BASE: base}
    for kind in KINDS:
        words = [
            *_listed(location, kind, given),
            *((like, _filled(frame, fill)) for like, frame in _listed(location, kind, template)),
        ]
        for number, (like, phrase) in enumerate(words, 1):
            form = further_form(f"{kind}.{number}", phrase, concept.category, like)
            _check(location, form)
            forms[form.key] = form
    if len({form.singular for form in forms.values()}) < len(forms):
        raise LexiconError(f"{location}: two forms have the same words; keep one of them")
    sense = given.get("sense") or _filled(template.get("sense", ""), fill)
    if len(forms) > 1 and not sense:
        raise LexiconError(f"{location}: no sense; say what all its forms mean")
    beside = _not_beside(location, forms, _mapping(f"{location}: not_beside", given.get("not_beside", {})), symbols)
    further = replace(concept, forms=forms, sense=sense or None, not_beside=beside)
    if decoy := next(iter(several(given.get("decoy", []))), None):
        category = concept.category
        form = further_form(BASE, decoy, category)
        _check(location, form)
        other = Concept(symbol(decoy, category), category, {BASE: form}, DECOYS, None)
        further = replace(further, decoy=other.symbol)
        yield other
    yield further


def _listed(location: str, kind: str, given: JsonObject) -> Iterator[tuple[str, Any]]:
    """Yield the words of a kind, each with the kind of forms whose place it takes; empty if its own."""
    if kind != FRAME:
        yield from (("", words) for words in several(given.get(kind, [])))
        return
    for like, frames in _mapping(f"{location}: {FRAME}", given.get(FRAME, {})).items():
        if like not in KINDS or like == FRAME:
            raise LexiconError(f"{location}: {FRAME}: {like!r}; use {', '.join(KINDS[:-1])}")
        yield from ((like, words) for words in several(frames))


def _symbols(base: Lexicon) -> Mapping[str, frozenset[str]]:
    """Return the symbols of concepts by the words that name them in the file."""
    by_words: dict[str, set[str]] = {}
    for concept in base.concepts.values():
        form = concept.forms[BASE]
        words = form.plural if concept.category is Category.VERB else form.singular
        by_words.setdefault(words, set()).add(concept.symbol)
    return {words: frozenset(symbols) for words, symbols in by_words.items()}


def _not_beside(
    location: str, forms: Mapping[str, Form], given: JsonObject, symbols: Mapping[str, frozenset[str]]
) -> Mapping[str, frozenset[str]]:
    """Return by the key of a form the symbols of the concepts that it is not used beside."""
    beside = {}
    for words, others in given.items():
        keys = [key for key, form in forms.items() if words in (form.singular, form.plural)]
        if not keys or (unknown := [other for other in several(others) if other not in symbols]):
            problem = f"{words!r} is no form of it" if not keys else f"{unknown[0]!r} is no concept"
            raise LexiconError(
                f"{location}: not_beside: {problem}; name a form above, and concepts by their base forms"
            )
        beside[keys[0]] = frozenset[str]().union(*(symbols[other] for other in several(others)))
    return beside


def _check(location: str, form: Form) -> None:
    for words in (form.singular, form.plural):
        if not _WORDS.fullmatch(words) or not _GRAMMAR.isdisjoint(words.split()):
            names = ", ".join(sorted(_GRAMMAR))
            raise LexiconError(f"{location}: {form.key}: {words!r}; use letters and hyphens only, and none of {names}")


def _filled(template: Any, fill: Mapping[str, str]) -> Any:
    if isinstance(template, dict):
        return {_filled(key, fill): _filled(value, fill) for key, value in template.items()}
    text = str(template)
    for slot, words in fill.items():
        text = text.replace(slot, words)
    return text
