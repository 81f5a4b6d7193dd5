import itertools
import json
from typing import Any, get_args

import pytest
from tests.examples import family
from tests.late import needs
from tests.unit.tasks import problem_items

from nlfol.models.entries.provider_table import Bound
from nlfol.models.schema import Grammars, bounds_in, forbidden, lark_grammar, permutation_length, strict_schema
from nlfol.problems.families import FAMILIES
from nlfol.tasks.reference import dialogue
from nlfol.tasks.strategies import STRATEGIES

from .conftest import CHOICE, FORMULA, answer_schema, permutation

pytestmark = needs("llguidance")


@pytest.fixture(scope="module")
def grammars(tiny_model: Any) -> Grammars:
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(tiny_model("qwen3"))
    return Grammars(tokenizer, len(tokenizer) + 24, tokenizer.eos_token_id)


def accepts(grammars: Grammars, schema: dict[str, object], text: str) -> bool:
    matcher = grammars.matcher(schema)
    tokens = grammars._tokenizer.tokenize_str(text)
    return bool(matcher.try_consume_tokens(tokens) == len(tokens) and matcher.is_stopped())


def written(answer: object) -> str:
    return json.dumps({"reasoning": "so", "answer": answer}, separators=(",", ":"), ensure_ascii=False)


def test_permutation_grammar_accepts_exactly_permutations(grammars: Grammars) -> None:
    schema = answer_schema(permutation(4))
    permitted = {
        numbers
        for length in (3, 4, 5)
        for numbers in itertools.product(range(6), repeat=length)
        if accepts(grammars, schema, written(list(numbers)))
    }
    assert permitted == set(itertools.permutations(range(1, 5)))


@pytest.mark.parametrize("length", [1, 7, 10])
def test_permutation_grammar_handles_short_and_long_lists(grammars: Grammars, length: int) -> None:
    schema = answer_schema(permutation(length))
    assert accepts(grammars, schema, written(list(range(length, 0, -1))))
    assert not accepts(grammars, schema, written([1] * (length + 1)))


def test_grammar_enforces_choice_and_string_bounds(grammars: Grammars) -> None:
    assert accepts(grammars, answer_schema(CHOICE), written(3))
    assert not accepts(grammars, answer_schema(CHOICE), written(4))
    words = answer_schema({"type": "string", "enum": ["yes", "no"]})
    assert [accepts(grammars, words, written(word)) for word in ("yes", "no", "nope", "")] == [True, True, False, False]
    assert accepts(grammars, answer_schema(FORMULA), written("∀x P(x) → Q(x)"))
    assert not accepts(grammars, answer_schema(FORMULA), written("x" * 17))
    assert not accepts(grammars, answer_schema(FORMULA), written("x").replace(":", ": "))


def _lines(most: int) -> dict[str, Any]:
    line = {"type": "string", "maxLength": 9}
    fields = {"sentence": {"type": "integer", "enum": [1, 2]}, "line": line}
    item = {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    listed = {"type": "array", "items": item, "minItems": 1, "maxItems": most}
    properties = {"lines": listed, "query": line}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def test_grammar_enforces_object_list_bounds(grammars: Grammars) -> None:
    def accepted(*lines: tuple[int, str], most: int = 3) -> bool:
        said = [{"sentence": number, "line": line} for number, line in lines]
        text = json.dumps({"lines": said, "query": "∃x P(x)"}, separators=(",", ":"), ensure_ascii=False)
        return accepts(grammars, _lines(most), text)

    assert accepted((1, "P(a)"))
    assert accepted((2, "P(a)"), (1, '"{}[],"'), (2, ""))
    assert accepted((1, "P(a)"), most=1)
    assert not accepted()
    assert not accepted((1, "P(a)"), (1, "P(a)"), most=1)
    assert not accepted(*[(1, "P(a)")] * 4)
    assert not accepted((3, "P(a)"))
    assert not accepted((1, "P(a), or Q"))


def test_grammar_allows_empty_lists_where_bounds_permit(grammars: Grammars) -> None:
    schema = _lines(2)
    schema["properties"]["lines"]["minItems"] = 0
    texts = {"type": "array", "items": {"type": "string", "maxLength": 9}, "minItems": 0, "maxItems": 2}
    schema["properties"]["query"] = texts

    def accepted(lines: int, *query: str) -> bool:
        said = [{"sentence": 1, "line": "P(a)"}] * lines
        return accepts(grammars, schema, json.dumps({"lines": said, "query": query}, separators=(",", ":")))

    assert accepted(0)
    assert accepted(1, "P(a)", "")
    assert accepted(2, "P(a)")
    assert not accepted(3)
    assert not accepted(0, *"abc")
    assert not accepted(0, "a line too long")


def test_grammar_enforces_property_order(grammars: Grammars) -> None:
    turned = '{"lines":[{"line":"P(a)","sentence":1}],"query":"P(a)"}'
    assert not accepts(grammars, _lines(2), turned)


def test_grammar_refuses_unbounded_object_lists() -> None:
    for bound in ("minItems", "maxItems"):
        schema = _lines(3)
        del schema["properties"]["lines"][bound]
        with pytest.raises(ValueError, match="could go on for ever"):
            lark_grammar(schema)
    schema = _lines(3)
    del schema["properties"]["lines"]["items"]["properties"]["line"]["maxLength"]
    with pytest.raises(ValueError, match="'line': a string without maxLength"):
        lark_grammar(schema)


def test_strict_schema_drops_object_list_bounds() -> None:
    strict = json.dumps(strict_schema(_lines(3)))
    assert "maxItems" not in strict
    assert "maxLength" not in strict
    assert strict.count('"additionalProperties": false') == 2


def test_grammar_forces_fixed_prefix_and_masks_rest(grammars: Grammars) -> None:
    matcher = grammars.matcher(answer_schema(CHOICE))
    forced = matcher.compute_ff_tokens()
    assert '{"reasoning":"'.startswith(grammars.text(forced))
    assert len(grammars.text(forced)) > 5
    mask = forbidden([matcher, matcher], 300)
    assert tuple(mask.shape) == (2, 300)
    assert 0 < int((~mask[0]).sum()) < 10


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        ({"type": "string"}, "no object"),
        ({**answer_schema(CHOICE), "required": ["answer"]}, "no object"),
        (answer_schema({"type": "string"}), "a string without maxLength"),
        (answer_schema(permutation(11)), "a permutation of 11"),
    ],
)
def test_grammar_rejects_non_neutral_schemas(schema: dict[str, object], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        lark_grammar(schema)


def test_permutation_length_rejects_other_arrays() -> None:
    assert permutation_length(permutation(5)) == 5
    for change in ({"uniqueItems": False}, {"minItems": 4}, {"items": {"type": "integer", "enum": [0, 1, 2, 3, 4]}}):
        assert permutation_length({**permutation(5), **change}) is None


def test_strict_schema_drops_unsupported_keywords() -> None:
    assert strict_schema(answer_schema(permutation(3))) == {
        "type": "object",
        "properties": {
            "reasoning": {"type": "string"},
            "answer": {"type": "array", "items": {"type": "integer", "enum": [1, 2, 3]}},
        },
        "required": ["reasoning", "answer"],
        "additionalProperties": False,
    }
    named = {"maxLength": FORMULA, "type": FORMULA, "properties": FORMULA}
    strict = strict_schema({"type": "object", "properties": named})
    assert strict["properties"] == {name: {"type": "string"} for name in named}


def test_strict_schema_keeps_bounds_known_to_interface() -> None:
    schema = answer_schema(permutation(3))
    answer = {"type": "array", "items": {"type": "integer", "enum": [1, 2, 3]}, "minItems": 3}
    assert strict_schema(schema, ["minItems"])["properties"] == {"reasoning": {"type": "string"}, "answer": answer}
    assert strict_schema(schema, get_args(Bound)) == schema
    strict = json.dumps(strict_schema(_lines(3), ["maxItems", "maxLength"]))
    assert strict.count('"maxItems"') == 1
    assert strict.count('"maxLength"') == json.dumps(_lines(3)).count('"maxLength"')


def test_bounds_in_lists_supported_schema_bounds() -> None:
    known = ["maxLength", "maxItems", "minItems"]
    assert bounds_in(answer_schema(FORMULA), known) == ("maxLength",)
    assert bounds_in(answer_schema(permutation(3)), ["maxItems", "minItems"]) == ("maxItems", "minItems")
    assert bounds_in(answer_schema(CHOICE), ["maxItems"]) == ()
    assert bounds_in(_lines(3), known) == ("maxItems", "maxLength", "minItems")
    assert bounds_in({"type": "object", "properties": {"maxItems": CHOICE}}, known) == ()


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_gold_programs_match_strategy_schemas(grammars: Grammars, strategy: str) -> None:
    asked = problem_items.task(strategy)
    plan = asked.plan(problem_items.SETTING)
    for name in FAMILIES:
        about = problem_items.items(family(name, 1), asked)
        reference = asked.reference("reader", about)
        for step, reply in dialogue(plan, reference, about[0], "", 0):
            text = json.dumps(json.loads(reply.text or ""), separators=(",", ":"), ensure_ascii=False)
            assert accepts(grammars, dict(step.schema), text)


@pytest.mark.parametrize("vocabulary", [9, 15, 16, 17])
def test_token_mask_leaves_row_without_matcher_unrestricted(
    vocabulary: int,
) -> None:
    class Matcher:
        """Allows the last token alone; its mask has no byte too many."""

        def compute_bitmask(self) -> bytes:
            return (1 << (vocabulary - 1)).to_bytes(-(-vocabulary // 8), "little")

    held, free = forbidden([Matcher(), None], vocabulary).tolist()
    assert held == [True] * (vocabulary - 1) + [False]
    assert free == [False] * vocabulary
