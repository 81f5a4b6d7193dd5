"""Schemas of answers: grammars for models that run here, strict schemas for those behind an interface.

The neutral schema (``nlfol.models.request``) becomes

- an llguidance grammar that leaves no white space and bounds every string, so that a model cannot loop. A permutation
  becomes one rule for each set of numbers still to be named, which makes it one by construction: for 7
  numbers 127 rules, compiled in 4 ms, where an enumeration of the 5,040 arrays overflows the parser and a regular
  expression takes 23 ms;
- a schema that OpenAI's strict mode accepts, without the bounds on lengths that an interface does not know.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, get_args

from pydantic import TypeAdapter, ValidationError

from nlfol.mappings import ByName, JsonDict
from nlfol.models.entries.provider_table import Bound
from nlfol.models.request import ChatError
from nlfol.store.canonical import canonical

_OBJECT = TypeAdapter(JsonDict)
_LONGEST = 10
_BOUNDS = frozenset(get_args(Bound))


def permutation_length(schema: object) -> int | None:
    """Return the n of a neutral permutation schema; None for any other schema."""
    if not isinstance(schema, Mapping) or schema.get("uniqueItems") is not True:
        return None
    items = schema.get("items")
    length = schema.get("maxItems")
    if not isinstance(items, Mapping) or not isinstance(length, int) or schema.get("minItems") != length:
        return None
    return length if items.get("enum") == list(range(1, length + 1)) else None


def strict_schema(schema: Mapping[str, object], bounds: Collection[str] = ()) -> dict[str, object]:
    """Return the schema for OpenAI's strict mode, with no bounds on lengths but these."""
    left_out = _BOUNDS.difference(bounds)
    strict: dict[str, object] = {}
    for key, value in schema.items():
        if key == "properties" and isinstance(value, Mapping):
            # Their names are not keywords.
            strict[key] = {name: strict_schema(part, bounds) for name, part in value.items()}
        elif key not in left_out:
            strict[key] = strict_schema(value, bounds) if isinstance(value, Mapping) else value
    return strict


def bounds_in(schema: Mapping[str, object], known: Collection[str]) -> tuple[str, ...]:
    """Return the bounds on lengths that an interface knows and a neutral schema has."""
    without = strict_schema(schema)
    return tuple(sorted(bound for bound in _BOUNDS.intersection(known) if strict_schema(schema, [bound]) != without))


def json_object(text: str) -> JsonDict | None:
    """Return the JSON object that a text is; None if it is none."""
    try:
        return _OBJECT.validate_json(text)
    except ValidationError:
        return None


def lark_grammar(schema: Mapping[str, object]) -> str:
    """Return the Lark grammar, in llguidance's dialect, of a neutral schema: an object with its properties in order.

    Raises ``ValueError`` if the schema is no object with exactly its required properties, has a string without
    ``maxLength``, a list of objects without ``maxItems``, or a permutation of more than 10.
    """
    return "\n".join(_object("start", "property", schema))


def _object(rule: str, prefix: str, schema: Mapping[str, object]) -> Iterator[str]:
    """Yield the rules of an object; those of its properties are named after the prefix."""
    properties = schema.get("properties")
    if (
        schema.get("type") != "object"
        or not isinstance(properties, Mapping)
        or not properties
        or schema.get("required") != list(properties)
        or schema.get("additionalProperties") is not False
    ):
        raise ValueError(f"no object with exactly its required properties, in order: {canonical(schema)}")
    rules: list[str] = []
    members: list[str] = []
    for index, (name, part) in enumerate(properties.items()):
        members.append(f"{_literal(json.dumps(name) + ':')} {prefix}_{index}")
        rules += _rules(f"{prefix}_{index}", name, part)
    yield f'{rule}: "{{" {_literal(",").join(f" {member} " for member in members)} "}}"'
    yield from rules


def _rules(rule: str, name: str, schema: object) -> Iterator[str]:
    if not isinstance(schema, Mapping):
        raise ValueError(f"property {name!r}: no schema: {schema!r}")
    length = permutation_length(schema)
    if length is not None:
        if length > _LONGEST:
            raise ValueError(
                f"property {name!r}: a permutation of {length}; its grammar doubles with each, so {_LONGEST} at most"
            )
        yield f'{rule}: "[" {_rest(rule, (1 << length) - 1)} "]"'
        yield from _permutation(rule, length)
        return
    items = schema.get("items")
    if isinstance(items, Mapping) and items.get("type") == "object":
        yield from _objects(rule, name, items, schema.get("minItems"), schema.get("maxItems"))
        return
    if schema.get("type") == "string" and "enum" not in schema and not isinstance(schema.get("maxLength"), int):
        raise ValueError(f"property {name!r}: a string without maxLength could go on for ever")
    yield f"{rule}: %json {canonical({**schema, 'x-guidance': {'whitespace_flexible': False}})}"


def _objects(rule: str, name: str, items: Mapping[str, object], least: object, most: object) -> Iterator[str]:
    """Yield the rules of a list of objects."""
    if not isinstance(least, int) or not isinstance(most, int) or not 0 <= least <= most or not most:
        raise ValueError(f"property {name!r}: a list of objects without minItems and maxItems could go on for ever")
    others = f'("," {rule}_item){{{max(least - 1, 0)},{most - 1}}} ' if most > 1 else ""
    listed = f"{rule}_item {others}"
    yield f'{rule}: "[" {listed if least else f"({listed})? "}"]"'
    yield from _object(f"{rule}_item", f"{rule}_part", items)


def _permutation(rule: str, length: int) -> Iterator[str]:
    # One rule a set of numbers still to be named, as a bit mask.
    for left in range(1, 1 << length):
        alternatives = []
        for number in range(1, length + 1):
            bit = 1 << (number - 1)
            if left == bit:
                alternatives.append(f'"{number}"')
            elif left & bit:
                alternatives.append(f'"{number}," {_rest(rule, left ^ bit)}')
        yield f"{_rest(rule, left)}: {' | '.join(alternatives)}"


def _rest(rule: str, left: int) -> str:
    return f"{rule}_rest_{left}"


def _literal(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


class Grammars:
    """Grammars for one fast tokenizer; each schema is compiled once.

    ``vocabulary`` is the width of the model's logits, which may be more than the tokenizer's. ``end`` ends a turn.
    """

    def __init__(self, tokenizer: Any, vocabulary: int, end: int) -> None:
        from llguidance.hf import from_tokenizer

        self._tokenizer: Any = from_tokenizer(tokenizer, n_vocab=vocabulary, eos_token=end)
        self._compiled: ByName = {}

    def matcher(self, schema: Mapping[str, object]) -> Any:
        """Return a fresh ``llguidance.LLMatcher``; ``ChatError`` if that fails, ``ValueError`` for other schemas."""
        from llguidance import LLMatcher

        key = canonical(schema)
        if key not in self._compiled:
            matcher = LLMatcher(self._tokenizer, LLMatcher.grammar_from_lark(lark_grammar(schema)), log_level=0)
            if matcher.is_error():
                raise ChatError(f"llguidance cannot compile the grammar of {key}: {matcher.get_error()}")
            self._compiled[key] = matcher
        return self._compiled[key].deep_copy()

    def text(self, tokens: Sequence[int]) -> str:
        """Return the text of an answer's tokens, byte for byte as the grammar saw it."""
        result: str = self._tokenizer.decode_str(list(tokens))
        return result


def forbidden(matchers: Sequence[Any], vocabulary: int, ends: frozenset[int] = frozenset()) -> Any:
    """Return the tokens that may not come next: bool (rows, vocabulary), on the CPU.

    A row without a matcher is not held to a grammar yet; ``ends``, which end a turn, only a grammar allows.
    """
    import numpy as np
    import torch

    free = np.full((vocabulary + 7) // 8, 0xFF, dtype=np.uint8)
    masks = [
        np.frombuffer(matcher.compute_bitmask(), dtype=np.uint8)[: len(free)] if matcher else free
        for matcher in matchers
    ]
    allowed = np.unpackbits(np.stack(masks), axis=1, count=vocabulary, bitorder="little")
    allowed[np.ix_([row for row, matcher in enumerate(matchers) if not matcher], sorted(ends))] = 0
    return torch.from_numpy(allowed == 0)
