"""Answers that are read out of an envelope, with their liberties, and texts that are left as they were."""

import json
from functools import partial
from typing import Any

import pytest
from tests.growth import seconds, takes_within

from nlfol.tasks.answers import (
    AnswerError,
    index_schema,
    object_schema,
    order_schema,
    read_text,
    text_schema,
    word_schema,
)
from nlfol.tasks.envelopes import opened
from nlfol.tasks.program_answers import array, string

TEXT, NUMBER, ORDER = text_schema(500, 500), index_schema(5, 500), order_schema(3, 500)
VERDICT, LETTER = word_schema(["yes", "no"], 500), word_schema(["A", "B", "C"], 500)
ROWS = object_schema(
    {"lines": array({"sentence": {"type": "integer", "enum": [1, 2]}, "line": string(300)}, 4), "query": string(300)},
)


def answer(text: str, schema: dict[str, Any]) -> Any:
    """Return the answer; ``unread`` if there is none, and a contradiction's reason."""
    found = opened(text, schema)
    if found.fault is not None:
        assert found.text == ""
        return found.fault
    if not found.liberties:
        assert found.text == text
        return "unread"
    return json.loads(found.text)["answer"]


def liberties(text: str, schema: dict[str, Any] = NUMBER) -> list[str]:
    return list(opened(text, schema).liberties)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"reasoning": "", "answer": 3}<|eot_id|>', ["special_token"]),
        ('<think>so</think>{"reasoning": "", "answer": 3}', ["thought"]),
        ('```json\n{"reasoning": "", "answer": 3}\n```', ["fence"]),
        ('My answer: {"reasoning": "", "answer": 3}', ["prose"]),
        ('{"reasoning": "", "answer": 3,}', ["syntax"]),
        ('{"reasoning": "a\nb", "answer": 3}', ["syntax"]),
        (r'{"reasoning": "\forall x", "answer": 3}', ["backslash"]),
        ('{"reasoning": "", "answer": 3, "sure": true}', ["key"]),
        ('{"answer": 3}', ["reasoning"]),
        ('{"reasoning": "", "answer": "3"}', ["value"]),
        ('{"data": {"reasoning": "", "answer": 3}}', ["nested"]),
        ('{"reasoning": "", "answer": 3, "answer": 3}', ["repeated"]),
        ("Answer: 3", ["plain"]),
        ('<think></think>```\n{"Answer": "3"}\n```', ["fence", "key", "reasoning", "thought", "value"]),
    ],
)
def test_envelope_lists_liberties(text: str, expected: list[str]) -> None:
    assert answer(text, NUMBER) == 3
    assert liberties(text) == expected


def test_envelope_reads_requested_plain_text_without_liberty() -> None:
    assert opened("So be it.\nAnswer: 3", NUMBER, plain=True).liberties == ()
    assert opened("Answer: 3<|eot_id|>", NUMBER, plain=True).liberties == ("special_token",)


@pytest.mark.parametrize(
    ("text", "schema", "expected"),
    [
        ('{"answer": 3.0}', NUMBER, 3),
        ('{"answer": [3]}', NUMBER, 3),
        ('{"answer": "Formula 3"}', NUMBER, 3),
        ('{"answer": "3: ∀x P(x)"}', NUMBER, 3),
        ('{"answer": "3 1 2"}', ORDER, [3, 1, 2]),
        ('{"answer": ["3", "1", "2"]}', ORDER, [3, 1, 2]),
        ('{"answer": "3 > 1 > 2"}', ORDER, [3, 1, 2]),
        ('{"answer": true}', VERDICT, "yes"),
        ('{"answer": "YES!"}', VERDICT, "yes"),
        ('{"answer": "No, they differ."}', VERDICT, "no"),
        ('{"answer": "b) Blue is left."}', LETTER, "B"),
        ('{"answer": "Option C"}', LETTER, "C"),
        (r'{"answer": "\forall x (P(x) \rightarrow \neg Q(x))"}', TEXT, r"\forall x (P(x) \rightarrow \neg Q(x))"),
        (r'{"answer": "\\forall x P(x)", "a": 1}', TEXT, r"\forall x P(x)"),
        (r"Therefore \boxed{\forall x P(x)}.", TEXT, r"\forall x P(x)"),
        ("**Final Answer:** `∀x P(x)`", TEXT, "∀x P(x)"),
        ("The formula is:\n\n∀x P(x)", TEXT, "∀x P(x)"),
        ("Answer: (01)*", TEXT, "(01)*"),
    ],
)
def test_envelope_reads_alternative_value_forms(text: str, schema: dict[str, Any], expected: Any) -> None:
    assert answer(text, schema) == expected


@pytest.mark.parametrize(
    ("text", "schema"),
    [
        ('{"answer": "2 or 3"}', NUMBER),
        ('{"answer": "2, 3"}', NUMBER),
        ('{"answer": "2: better than 3"}', NUMBER),
        ('{"answer": 3.5}', NUMBER),
        ('{"answer": 6}', NUMBER),
        ('{"answer": [3, 2]}', NUMBER),
        ('{"answer": true}', NUMBER),
        ('{"answer": "not 3"}', NUMBER),
        ("The answer is not 3.", NUMBER),
        ('{"answer": "3 1 1"}', ORDER),
        ('{"answer": "3 1"}', ORDER),
        ('{"answer": "3, not 1, 2"}', ORDER),
        ('{"answer": "yes or no"}', VERDICT),
        ('{"answer": "yes, or rather no"}', VERDICT),
        ('{"answer": "not yes"}', VERDICT),
        ('{"answer": null}', VERDICT),
        ("I cannot say yes.", VERDICT),
        ('{"answer": "A, B"}', LETTER),
        ('{"answer": "A) B"}', LETTER),
        ('{"answer": "A) red, or B) blue"}', LETTER),
        ('{"answer": null}', TEXT),
        ('{"answer": {"a": 1}}', TEXT),
        ('{"reasoning": "So the answer is: yes, because', VERDICT),
        ('{"reasoning": "", "answer": "yes" if they are equivalent, "no" if not}', VERDICT),
        ('<think>{"answer": "yes"}', VERDICT),
        ("<think>Answer: yes", VERDICT),
        ("I'm sorry, but I can't put this into logic.", TEXT),
        ("First I read it.\nThen I write a formula.", TEXT),
    ],
)
def test_envelope_leaves_doubtful_answer_unread(text: str, schema: dict[str, Any]) -> None:
    assert answer(text, schema) == "unread"


@pytest.mark.parametrize(
    "text",
    [
        '{"answer": "yes"} {"answer": "no"}',
        '{"reasoning": "", "answer": "yes", "answer": "no"}',
        '{"answer": "yes", "Answer": "no"}',
        '{"answer": "yes"}\nFinal answer: no',
        "Answer: yes\nAnswer: no",
        r"\boxed{yes} \boxed{no}",
        "Answer: yes\n<answer>\nAnswer: no\n</answer>",
    ],
)
def test_envelope_rejects_contradictory_answers(text: str) -> None:
    assert str(answer(text, VERDICT)).startswith("the answer contradicts itself: ")


def test_envelope_reads_rows_from_various_line_formats() -> None:
    expected = {"lines": [{"sentence": 1, "line": "P(a)"}, {"sentence": 2, "line": "Q(a)"}], "query": "R(a)"}
    for text in (
        "Lines:\n1. P(a)\n2. Q(a)\nQuery: R(a)",
        "**Lines:**\n- 1) `P(a)`\n\n- 2) `Q(a)`\n\n**Query:** `R(a)`\n\nThat is all.",
        "Lines:\nSentence 1: P(a)\nSentence 2: Q(a)\n\nThese say it.\n\nQuery:\nR(a)",
        '{"lines": {"1": "P(a)", "2": "Q(a)"}, "query": "R(a)"}',
        '{"lines": ["1. P(a)", "2. Q(a)"], "query": "R(a)"}',
        '{"lines": "1. P(a)\\n2. Q(a)", "query": "R(a)"}',
    ):
        assert json.loads(opened(text, ROWS).text) == expected
    for text in ("Lines:\n1. P(a)\nand so on\nQuery: R(a)", "Lines:\n1. P(a)\n", "Lines:\n9. P(a)\nQuery: R(a)"):
        assert opened(text, ROWS).text == text


def test_envelope_leaves_oversized_or_deep_answer_unchanged() -> None:
    for text in ('{"answer": ' + "[" * 100_000, "{'answer': " + "{'a': " * 50 + "3" + "}" * 51, "Answer: 3" * 50_000):
        assert opened(text, NUMBER).text == text
    # Half a character can be in no file.
    text = '{"answer": "\\ud800"}'
    assert opened(text, TEXT).text == text
    with pytest.raises(AnswerError):
        read_text(text)


@pytest.mark.parametrize(
    "schema", [TEXT, NUMBER, ORDER, VERDICT, ROWS], ids=["text", "number", "order", "word", "rows"]
)
def test_envelope_reading_takes_linear_time(schema: dict[str, Any]) -> None:
    pieces = (
        "{", '{"', '{"answer":', "{'a': '", '{"answer": "a" b', "{a:[", "\\", '\\"', "\n", " ", "Answer:\n",
        "Answer: 3\n", "\\boxed{", "\\boxed{1}", "<think>", "</think>", "<|im_start|> ", "```\n", "``` \n x", "** ",
        "# ", "Lines:\n1. a\n", "Query: a\n", "/*", "//", "“", "Answer is ", "1 ", "A) ", "`'\"$", "| a ",
        "answer" + " " * 50, "//{\n",
    )  # fmt: skip
    for piece in pieces:
        for form in ("{}", "Answer: {}}}", "{{{}"):
            short, long = (
                partial(opened, form.format(piece * (size // len(piece))), schema) for size in (5_000, 50_000)
            )
            # Quadratic time is 100 times as long. Hundredths of a second are no evidence of it.
            assert seconds(long, 1) < 0.05 or takes_within(40, long, short), (form, piece)
