"""Models' answers are read, refused with a reason, and put together so that words repeat little."""

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

from nlfol.problems import Lexicon, Problem, Reason, Statement
from nlfol.problems.dialects.rules_readings import Rules
from nlfol.problems.problem import TRUTHS, plain
from nlfol.problems.rewording.paper.assembling import (
    Candidate,
    Change,
    assembled,
    candidate_sets,
    limited,
    with_fewest_repeats,
)
from nlfol.problems.rewording.paper.expressions import repeated
from nlfol.problems.rewording.paper.proposing import Proposal, together
from nlfol.tasks.answers import AnswerError
from nlfol.tasks.assembling import Assembling, AssemblingEntry, offered
from nlfol.tasks.item import Item
from nlfol.tasks.rewrites import answer_rows, assembling_row, joined_rows, proposal_row, rewriting_row
from nlfol.tasks.rewriting import Rewriting, RewritingEntry

TEXTS = ("Rex is red.", "Every red dog barks.", "Red things run.", "Max barks.")
PROBLEM = Problem("p", "free", None, plain(TEXTS), Statement("Is Rex loud?"), TRUTHS, "A")
REWRITING, ASSEMBLING = Rewriting(RewritingEntry()), Assembling(AssemblingEntry())


@pytest.fixture
def statement() -> Item:
    expressions = [each for each in repeated(PROBLEM) if each.statement == 1]
    assert [each.words for each in expressions] == ["red", "barks"]
    return Item.from_row(rewriting_row(PROBLEM, expressions, expressions[:1]))


def rewrite(kind: str, expression: str, replacement: str, sentence: str) -> dict[str, str]:
    return {"type": kind, "expression": expression, "replacement": replacement, "sentence": sentence}


def test_unusable_rewrites_state_reason(statement: Item) -> None:
    answer = [
        rewrite("synonym", "red", "scarlet", "Every scarlet  dog barks."),
        rewrite("synonym", "red", "scarlet", "Every scarlet dog barks."),
        rewrite("phrase", "red", "red", "Every red dog barks loudly."),
        rewrite("phrase", "red", "of red color", "Every crimson dog barks."),
        rewrite("voice", "barks", "is made to bark", f"Every red dog is made to bark{'!' * 500}"),
        rewrite("reference", "barks", "does it", "Every red dog does it."),
    ]
    text = json.dumps({"rewrites": answer})
    found = [(each.sentence, each.reason) for each in REWRITING.rewritten(statement, text)]
    assert found[0] == ("Every scarlet dog barks.", None)
    assert [reason for _, reason in found[1:]] == ["unchanged", "unchanged", "not_said", "malformed", None]
    response: Any = {"item": statement.item, "outcome": "answered", "answer": text, "error": None}
    rows: list[Any] = list(answer_rows(REWRITING, statement, response))
    named = ("item", "statement", "start", "level", "fallback", "before", "status")
    assert [rows[0][name] for name in named] == ["p", 1, 6, "word", True, "red", "usable"]
    assert [rows[-1][name] for name in named] == ["p", 1, 14, "sentence", False, "barks", "usable"]


@pytest.mark.parametrize(
    ("response", "reason", "detail"),
    [
        ({"outcome": "refused", "answer": "No.", "error": "declined"}, "refused", "declined"),
        ({"outcome": "answered", "answer": "No."}, "unparsable", "JSON"),
        (
            {"outcome": "answered", "answer": json.dumps({"rewrites": [rewrite("voice", "dog", "cat", "x")]})},
            "unparsable",
            "expression 'dog' was not named",
        ),
    ],
)
def test_unreadable_answer_is_kept_with_reason(
    statement: Item, response: dict[str, Any], reason: str, detail: str
) -> None:
    whole: Any = {"item": statement.item, "error": None, **response}
    (row,) = answer_rows(REWRITING, statement, whole)
    assert (row["status"], row["type"], row["reason"], row["sentence"]) == ("refused", "answer", reason, None)
    assert detail in (row["detail"] or "")


def candidate(text: str, before: str, after: str, start: int, similarity: float) -> Candidate:
    return Candidate(text, (Change("word", "synonym", before.lower(), start, before, after),), similarity)


SETS: Sequence[Sequence[Candidate]] = [
    [Candidate(TEXTS[0]), candidate("Rex is scarlet.", "red", "scarlet", 7, 0.99)],
    [
        Candidate(TEXTS[1]),
        candidate("Every scarlet dog barks.", "red", "scarlet", 6, 0.98),
        candidate("Every crimson dog barks.", "red", "crimson", 6, 0.91),
    ],
    [Candidate(TEXTS[2])],
    [Candidate(TEXTS[3]), candidate("Max yaps.", "barks", "yaps", 4, 0.95)],
]


def test_invalid_choices_fall_back_to_fewest_repeats() -> None:
    item = Item.from_row(assembling_row(PROBLEM, SETS))
    assert {place: len(sentences) for place, sentences in offered(item).items()} == {0: 2, 1: 3, 3: 2}
    choices = [{"statement": 1, "sentence": 3}, {"statement": 2, "sentence": 2}, {"statement": 2, "sentence": 1}]
    chosen, faults = ASSEMBLING.choices(item, json.dumps({"choices": [*choices, {"statement": 4, "sentence": 1}]}))
    assert chosen == {3: 0}
    assert faults == {0: "statement 1: there is no sentence 3", 1: "statement 2: 2 are chosen"}
    with pytest.raises(AnswerError):
        ASSEMBLING.choices(item, '{"choices": 1}')

    choice = with_fewest_repeats(PROBLEM, SETS, chosen)
    assert choice == [1, 2, 0, 0], "red is said in three ways, and what was chosen stays"
    assert with_fewest_repeats(PROBLEM, SETS, {}) == [1, 2, 0, 1]
    made = assembled(PROBLEM, SETS, choice)
    assert [each.text for each in made.statements] == ["Rex is scarlet.", "Every crimson dog barks.", *TEXTS[2:]]
    assert [(each.statement, each.before, each.after) for each in made.rewrites] == [
        (0, "red", "scarlet"),
        (1, "red", "crimson"),
    ]


def test_joint_changes_combine_several_expressions() -> None:
    problem = Problem("p", "free", None, plain(["A red dog barks.", "A dog is red."]), Statement("So?"), TRUTHS, "A")
    found = [each for each in repeated(problem) if each.statement == 0]
    singly = [
        Proposal(found[0], "synonym", "wordnet", "orange", "An orange dog barks."),
        Proposal(found[0], "synonym", "wordnet", "ruddy", "A ruddy dog barks."),
        Proposal(found[1], "phrase", "ppdb", "guard dog", "A red guard dog barks."),
        Proposal(found[1], "voice", "rewriter", "dog", "Barked by a red dog."),
    ]
    joined = list(together(problem.statements[0].text, singly))
    texts = ["An orange guard dog barks.", "A ruddy guard dog barks."]
    assert [each.text for each in joined] == [texts[0], texts[0], texts[1], texts[1]]
    assert list(together("A red dog barks.", singly[:2])) == []
    rows = [proposal_row("p", each) for each in (*singly, *joined)]
    assert list(joined_rows("A red dog barks.", rows[:4])) == rows[4:]
    sets = candidate_sets(problem, rows, {(0, texts[0]): 0.95, (0, "A ruddy dog barks."): 0.93}, 5)
    assert [(each.text, len(each.changes), each.type) for each in sets[0]] == [
        ("A red dog barks.", 0, ""),
        (texts[0], 2, "synonym+phrase"),
        ("A ruddy dog barks.", 1, "synonym"),
    ]
    assert with_fewest_repeats(problem, sets, {}) == [1, 0], "both are said otherwise"
    made = assembled(problem, sets, [1, 0])
    assert [(each.before, each.after, each.type) for each in made.rewrites] == [
        ("red", "orange", "synonym"),
        ("dog", "guard dog", "phrase"),
    ]


def test_mentions_shift_with_all_sentence_changes(words: Lexicon) -> None:
    statement = Rules(words).read("Bob chases the cat.")[1]
    chase, cat = statement.mentions[1:]
    changes = (
        Change("word", "synonym", "Chase", chase.start, "chases", "runs after"),
        Change("phrase", "phrase", "cat", cat.start, "cat", "old feline"),
    )
    problem = Problem("p", "rules", "clauses", (statement,), Statement("Q"), TRUTHS, "A")
    sets = [[Candidate(statement.text), Candidate("Bob runs after the old feline.", changes, 0.9)]]
    (made,) = assembled(problem, sets, [1]).statements
    assert [made.text[each.start : each.end] for each in made.mentions] == ["Bob", "runs after", "old feline"]
    assert [each.form for each in made.mentions] == ["base", "synonym", "phrase"]


def test_intensity_and_limit_bound_changed_statements() -> None:
    def changed(intensity: float, at_most: int | None) -> set[int]:
        return {n for n, each in enumerate(limited(PROBLEM, SETS, intensity, at_most, 7, "set")) if len(each) > 1}

    assert changed(1, None) == {0, 1, 3}
    assert changed(0, None) == set()
    smaller = [changed(share, None) for share in (0.25, 0.5, 0.75, 1)]
    assert all(one <= other for one, other in pairwise(smaller))
    assert changed(1, 1) < changed(1, 2) < changed(1, None)
    kept = limited(PROBLEM, SETS, 1, 1, 7, "set")
    assert [each[0] for each in kept] == [each[0] for each in SETS]
    others = {
        tuple(sorted(changed(0.5, None))),
        *(
            tuple(sorted(n for n, each in enumerate(limited(PROBLEM, SETS, 0.5, None, seed)) if len(each) > 1))
            for seed in range(20)
        ),
    }
    assert len(others) > 1


def test_problem_without_rewrite_is_refused_with_reason() -> None:
    alone = candidate_sets(PROBLEM, [], {}, 5)
    made = assembled(PROBLEM, alone, [0] * len(alone))
    assert (made.reason, made.detail) == (Reason.NOT_REWRITTEN, "p: no rewrite was similar enough")
    other = Problem("q", "free", None, plain(["Rex naps."]), Statement("Is it so?"), TRUTHS, "A")
    assert assembled(other, candidate_sets(other, [], {}, 5), [0]).detail == "q: no concept is said twice"
