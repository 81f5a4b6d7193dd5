"""A sentence that leaves open what the answer is, or denies it, gives none."""

from itertools import product

import pytest
from tests.unit.tasks.answered import CASES, Case

LONE = [case for case in CASES if list(case.right) == ["answer"] and not case.after]

by_task = pytest.mark.parametrize("case", LONE, ids=lambda case: case.name)

HEDGES = [
    f"{hedge}{label} @."
    for hedge, label in product(
        (
            "I cannot say whether ", "I can't tell if ", "I do not know whether ", "I don't know if ",
            "I'm not sure that ", "I am not sure whether ", "I’m not entirely certain ", "I am unsure if ",
            "I'm not sure, honestly, that ", "It is unclear whether ", "It is not clear that ",
            "It's uncertain whether ",
            "I don't think ", "I do not believe that ", "I don’t think that ", "I doubt that ", "It is doubtful that ",
            "It is not the case that ", "It isn't true that ", "It is wrong that ", "It is unlikely that ",
            "I was unable to determine whether ", "It is impossible to say whether ", "I wonder if ",
            "It might be that ", "It could be that ", "Perhaps ", "I cannot with certainty say that ",
            "Nobody can say whether ", "We cannot conclude that ", "I would not say that ", "I can't confirm that ",
            "I read it twice. I cannot say whether ", "The sentence is ambiguous, so I can't say whether ",
            "I read it twice.\nBut I do not know whether\n",
        ),
        ("the answer is", "the correct answer is", "the final answer is:"),
    )
] + [
    "The answer is not @.", "The answer is certainly not @.", "The answer isn't @.", "The answer could be @ or %.",
    "The answer could be @.", "The answer may be @.", "The answer might be @ or %.", "My answer is not @.",
    "So the answer is not @, but I do not know what it is.", "The answer can't be @.", "Is the answer @?",
    "I do not know the right formula: @", "I'm not sure about the answer: @", "I read it.\nThe answer is not @.",
]  # fmt: skip

ANSWERS = [
    "I cannot use other symbols here. The answer is @.",
    "The first one is not right. I do not think that it fits. The answer is @.",
    "I was not sure at first, but the answer is @.",
    "I don't think that any other fits, so the answer is @.",
    "I have no doubt that the answer is @.",
    "There is no doubt: the answer is @.",
    "I do not doubt that the answer is @.",
    "If I am not mistaken, the answer is @.",
    "It could be read in two ways; the answer is @.",
    "It is unclear what was meant at first.\nThe answer is @.",
    "I am sure that the answer is @.",
    "I think that the answer is @.",
    "We can say that the answer is @.",
    "As no cube can be left out, the answer is @.",
    "I don't know why anybody would doubt it.\n\nFinal answer: @",
]


def dressed(text: str, case: Case) -> str:
    one, other = (str(fields["answer"]).strip("[]") for fields in (case.right, case.wrong))
    return text.replace("@", one).replace("%", other)


@by_task
def test_hedged_or_denied_answer_stays_unread(case: Case) -> None:
    assert [text for text in HEDGES if case.scored(dressed(text, case))[0] == "right"] == []


@by_task
def test_answer_after_unrelated_doubt_is_read(case: Case) -> None:
    assert [text for text in ANSWERS if case.scored(dressed(text, case))[0] != "right"] == []


def test_answer_in_second_sentence_on_line_is_read() -> None:
    (case,) = (case for case in LONE if case.name == "logical translation")
    text = dressed("I am not sure that the answer is %. The answer is @.", case)
    assert case.scored(text)[0] == "right"
