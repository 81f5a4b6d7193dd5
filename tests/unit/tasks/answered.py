"""Answers to every task: a right and a wrong one, and what becomes of a text that says one of them."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tests import examples
from tests.examples import CATS, COLD, CUBES, ROW, said
from tests.unit.tasks import problem_items

from nlfol.asking.judging import score_tables
from nlfol.asking.responses import response_row
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.reading import parse
from nlfol.randomness import generator
from nlfol.sets.audited import Plan, most_similar_set, ranking_set
from nlfol.sets.pairs import certified_pairs
from nlfol.sets.sets import candidate_rows
from nlfol.tasks.answers import AnswerError
from nlfol.tasks.item import Item, Member
from nlfol.tasks.plan import Reply
from nlfol.tasks.registry import build_task
from nlfol.tasks.task import AnyTask

SENTENCE = "Every cube is small."
OTHER = "∃x (Cube(x) ∧ Small(x))"


@dataclass(frozen=True)
class Case:
    """A step of a task with a right and a wrong answer, without reasoning.

    ``before`` and ``after`` are the dialogue's other answers, right ones. ``metric`` says whether all is right; of
    English ``answer`` is what it was read as.
    """

    name: str
    task: AnyTask
    item: Item
    right: Mapping[str, Any]
    wrong: Mapping[str, Any]
    metric: str
    part: str = ""
    order: tuple[int, ...] = ()
    before: tuple[tuple[str, str], ...] = ()
    after: tuple[tuple[str, str], ...] = ()
    presentation: str = ""

    def with_envelope(self, envelope: str) -> "Case":
        """Return the case under another policy."""
        entry = self.task.entry.model_copy(update={"envelope": envelope})
        return replace(self, task=type(self.task)(entry))

    def scored(self, text: str) -> tuple[str, list[str]]:
        """Return ``right``, ``wrong`` or ``unread``, and the liberties taken with a text."""
        texts = [*self.before, (self.part, text), *self.after]
        rows = [
            response_row(self.item, self.presentation, seed=1, step=step, part=part, order=self.order, answer=answer)
            for step, (part, answer) in enumerate(texts, 1)
        ]
        # A dialogue ends where an answer could not be read.
        english = self.after and not self._is_read(text)
        rows = rows[: len(self.before) + 1] if english else rows
        scores = {
            row["metric"]: row
            for table in score_tables(self.task, {"kind": "chat", "model": "m"}, examples.ROOT, [(self.item, rows)])
            for row in table.to_pylist()
        }
        row = scores[self.metric]
        assert row["outcome"] != "internal_error", row["detail"]
        if self.after:
            found = scores["copied"]
            if found["outcome"] != "answered":
                return "unread", found["liberties"]
            return ("right" if found["answer"] == self.right["answer"] else "wrong"), found["liberties"]
        if row["score"] == 1:
            return "right", row["liberties"]
        return ("wrong" if row["outcome"] == "answered" else "unread"), row["liberties"]

    @property
    def asks_reasoning(self) -> bool:
        """Whether an answer has its reasoning in it."""
        return "reasoning" in self.task.agreed(self.item, self.part)["properties"]

    def _is_read(self, text: str) -> bool:
        try:
            reply = self.task.opened(self.item, Reply(self.part, "answered", text))
            self.task.check(self.item, self.part, reply.answer)
        except AnswerError:
            return False
        return True


def _choice(kind: str) -> Case:
    make = most_similar_set if kind == "most_similar" else ranking_set
    members = make(parse(CUBES), derive([parse(CUBES)]), Plan(5 if kind == "most_similar" else 3), generator(1))
    item = examples.item(CUBES, SENTENCE, members)
    order = (*range(1, len(item.members)), 0)
    if kind == "most_similar":
        order = (1, 2, 0, *range(3, len(item.members)))
        return Case("most similar", build(kind), item, {"answer": 3}, {"answer": 1}, "accuracy", order=order,
                    presentation="formula")  # fmt: skip
    roles = [item.members[place].role for place in order]
    first = [n for n, role in enumerate(roles, 1) if role in ("gold", "equivalent")]
    last = [n for n, role in enumerate(roles, 1) if role.startswith("negation")]
    middle = [n for n in range(1, len(roles) + 1) if n not in first + last]
    right = [*first, *middle, *last]
    return Case("ranking", build(kind), item, {"answer": right}, {"answer": right[::-1]}, "both", order=order,
                presentation="formula")  # fmt: skip


def build(kind: str, **keys: Any) -> AnyTask:
    return build_task(json.dumps({"task": kind, **keys}))


def _verification() -> Case:
    language = LANGUAGES["first_order"]
    formula = language.parse(CUBES)
    rows = candidate_rows(certified_pairs(formula, language, derive([formula]), generator("pairs")), "first_order")
    members = tuple(Member(row["formula"], row["english"], row["role"]) for row in rows)
    item = Item("w:0", "w", "", CUBES, derive([formula]), members)
    place = next(place for place, member in enumerate(members) if member.role == "equivalent")
    return Case("verification", build("verification"), item, {"answer": "yes"}, {"answer": "no"}, "right",
                order=(0, place), presentation=members[place].role)  # fmt: skip


def _programs() -> Iterator[Case]:
    clauses = problem_items.task()
    item = problem_items.item(COLD, clauses)
    wrong = {**problem_items.WHOLE, "query": "Sad(bob, False)"}
    yield Case("program", clauses, item, problem_items.WHOLE, wrong, "right", "program")
    table = problem_items.task("concept_table")
    rows = [
        {"symbol": "Cold", "arity": 1, "expressions": ["is cold", "cold"]},
        {"symbol": "Sad", "arity": 1, "expressions": ["sad"]},
        {"symbol": "bob", "arity": 0, "expressions": ["Bob"]},
    ]
    yield Case("concept table", table, item, {"table": rows, **problem_items.WHOLE}, {"table": rows, **wrong},
               "right", "program")  # fmt: skip
    arranged = {
        "variables": [{"name": name, "values": "[1, 2, 3]"} for name in ("red", "blue", "green")],
        "lines": [
            {"sentence": 1, "line": "AllDifferentConstraint([red, blue, green])"},
            {"sentence": 2, "line": "red < blue"},
            {"sentence": 3, "line": "green == 1"},
        ],
        "options": [{"option": "A", "line": "red == 2"}, {"option": "B", "line": "blue == 2"}],
    }
    swapped = [{"option": "A", "line": "blue == 2"}, {"option": "B", "line": "red == 2"}]
    row = problem_items.item(ROW, clauses)
    yield Case("constraints", clauses, row, arranged, {**arranged, "options": swapped}, "right", "program")
    formulas = {
        "lines": [{"sentence": 1, "line": "∀x (Cat(x) → Purrs(x))"}, {"sentence": 2, "line": "Cat(tom)"}],
        "query": "Purrs(tom)",
    }
    cats = problem_items.item(CATS, clauses)
    yield Case("formulas", clauses, cats, formulas, {**formulas, "query": "¬Purrs(tom)"}, "right", "program")


def _ontology() -> Case:
    symbols = [
        {"name": "Cube", "kind": "predicate", "arity": 1, "gloss": "is a cube"},
        {"name": "Small", "kind": "predicate", "arity": 1, "gloss": "is small"},
    ]
    task = build("logical_translation", ontology="own", scope="sentence")
    item = examples.item(CUBES, SENTENCE)
    return Case("own ontology", task, item, {"symbols": symbols, "answer": CUBES},
                {"symbols": symbols, "answer": OTHER}, "anchored")  # fmt: skip


def cases() -> list[Case]:
    """Return all cases."""
    sentence = examples.item(CUBES, SENTENCE)
    question = build("question_answering")
    rating = {"semantic_equivalence": 5, "reasoning_preserved": 5, "answer_invariance": 5, "clarity": 5}
    return [
        Case("logical translation", build("logical_translation"), sentence, {"answer": CUBES}, {"answer": OTHER},
             "equivalence"),
        _choice("most_similar"),
        _choice("ranking"),
        Case("round trip, formula", build("round_trip"), sentence, {"answer": CUBES}, {"answer": OTHER}, "truth",
             "formalization", before=(("informalization", said(SENTENCE)),), presentation="zero_shot"),
        Case("round trip, English", build("round_trip"), sentence, {"answer": SENTENCE},
             {"answer": "Some cube is small."}, "truth", "informalization",
             after=(("formalization", said(CUBES)),), presentation="zero_shot"),
        _verification(),
        Case("question answering", question, problem_items.item(COLD, question), {"answer": "true"},
             {"answer": "false"}, "right", presentation="english"),
        _ontology(),
        *_programs(),
        Case("rating", build("rating"), problem_items.item(COLD, question), rating, {**rating, "clarity": 1}, "rating"),
    ]  # fmt: skip


CASES = cases()
