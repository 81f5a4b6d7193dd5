"""Requests of both arms of every comparison, as a server recorded them: they differ in the declared factor alone."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import pyarrow.feather
import pytest
from tests.unit.models.chat_server import HELD, ChatServer, Scripted, completion
from tests.unit.models.embedding_server import serving
from tests.workflow.checkout import Checkout, configuration, interface
from tests.workflow.recorded_requests import Arm, Body, Request

from nlfol.models.api.probing import QUESTION
from nlfol.results.statistics.pairing import COMPARISONS, pairs
from nlfol.results.statistics.summary import Series, load, series_of
from nlfol.store import files, schemas

Check = Callable[[Request, Request], None]

BOTH = FORMULA, ENGLISH = "formula", "english"
SHORT = {"reasoning": 1, "datasets": ["mine"], "models": ["plain", "other", "thinker", "vectors"]}
SETS = {**SHORT, "minimum": 1, "presentations": [*BOTH]}
PAIRED = ["plain", "other"]
OWN = {"task": "logical_translation", "ontology": "own", "scope": "sentence", "datasets": ["mine"], "models": ["plain"]}
PROGRAM = {"task": "program", "shots": 2, "datasets": ["rules", "varied"], "models": PAIRED}
ANSWERING = {"task": "question_answering", "reasoning": 1, "datasets": ["rules", "varied"], "models": PAIRED}
STRATEGIES: dict[str, dict[str, Any]] = {
    **{name: {"strategy": name} for name in ("tuned", "concept_table", "concept_table_stepwise", "divide", "refine")},
    "refine_pairwise": {"strategy": "refine_pairwise"},
    "refine_all": {"strategy": "refine_pairwise", "rounds": 1, "corrections": 2, "refines": "all"},
    "majority": {"strategy": "majority", "drafts": 2},
    "divide_thrice": {"strategy": "divide", "drafts": 3},
}
TASKS: dict[str, dict[str, Any]] = {
    "most_similar": {**SETS, "perturbations": 2, "control": "blind"},
    "ranking": {**SETS, "perturbations": 1, "control": "blind"},
    "published": {**SETS, "task": "most_similar", "protocol": "paper", "perturbations": 3},
    "round_trip": {
        "presentations": ["zero_shot", "few_shot"],
        "rounds": 1,
        "reasoning": 1,
        "limits": {"english": 40, "formula": 40},
        "datasets": ["formulas"],
        "models": ["plain"],
    },
    "translation": {"task": "logical_translation", "datasets": ["mine"], "models": ["plain"]},
    "own": OWN,
    "direct": PROGRAM,
    "direct_varied": {**PROGRAM, "examples": "varied"},
    **{task: {**PROGRAM, **keys} for task, keys in STRATEGIES.items()},
    "answering": ANSWERING,
    "answering_shown": {**ANSWERING, "shots": 2},
    # A second factor: fewer solved examples.
    "one_shot": {**PROGRAM, "strategy": "concept_table", "shots": 1},
}
GRAMMAR = {"reader": "grammar", "grammar": "first_order", "vocabulary": "english", "quantifiers": [1, 2]}


def differ_in(field: str) -> Check:
    """Return a check of bodies that differ in one field."""

    def check(one: Request, other: Request) -> None:
        assert one.without(field) == other.without(field)
        assert one.body[field] != other.body[field]

    return check


def examples(few: Request, zero: Request) -> None:
    assert few.without("system") == zero.without("system")
    start = next(place for place, (one, other) in enumerate(zip(few.system, zero.system, strict=False)) if one != other)
    shown = len(few.system) - len(zero.system)
    assert few.system[:start] + few.system[start + shown :] == zero.system
    assert len(few.item["exemplars"]) == 2
    for each in few.item["exemplars"]:
        assert each["text"] in few.system[start : start + shown]
        assert each["formula"] in few.system[start : start + shown]


def wording(one: Request, other: Request) -> None:
    assert one.without("user") == other.without("user")
    assert one.framing == other.framing
    assert one.item["text"] != other.item["text"]


def strategy(one: Request, base: Request) -> None:
    assert one.without("messages", "response_format") == base.without("messages", "response_format")
    assert one.item["text"] == base.item["text"]
    for each in (one, base):
        assert each.item["text"] in each.user
        assert len(each.item["exemplars"]) == 2
        assert all(exemplar["text"] in each.system for exemplar in each.item["exemplars"])
    # A refinement begins as the base does.
    assert (one.without(), one.steps) != (base.without(), base.steps)


def ontologies(given: Request, own: Request) -> None:
    assert given.without("messages", "response_format") == own.without("messages", "response_format")
    assert given.texts == own.texts == [given.item["text"]]
    assert "Predicates:" in given.system
    assert "Predicates:" not in own.system


def instructions(one: Request, base: Request) -> None:
    strategy(one, base)
    assert [each["text"] for each in one.item["exemplars"]] == [each["text"] for each in base.item["exemplars"]]


def words_of_examples(one: Request, base: Request) -> None:
    assert one.without("system") == base.without("system")
    bare = []
    for each in (one, base):
        text = each.system
        for exemplar in each.item["exemplars"]:
            assert exemplar["text"] in text
            text = text.replace(exemplar["text"], "<example>")
        bare.append(text)
    assert bare[0] == bare[1]
    assert one.system != base.system


def training_and_strategy(one: Request, base: Request) -> None:
    strategy(replace(one, body={**one.body, "model": base.body["model"]}), base)
    assert one.body["model"] != base.body["model"]


def presentation(formulas: Request, english: Request) -> None:
    assert formulas.without("messages") == english.without("messages")
    for request, shown_as in ((formulas, FORMULA), (english, ENGLISH)):
        assert request.texts == [request.item["text"], *request.candidates(shown_as)]
    assert (formulas.texts[0], formulas.order) == (english.texts[0], english.order)


def sentence(seen: Request, blind: Request) -> None:
    assert seen.without("messages") == blind.without("messages")
    assert (seen.texts[1:], seen.order, seen.glossary) == (blind.texts, blind.order, blind.glossary)
    assert seen.texts[0] == seen.item["text"]
    assert seen.item["text"] not in blind.without()


def nothing(one: Request, other: Request) -> None:
    assert one == other


def sets(one: Request, other: Request) -> None:
    assert one.without("messages", "response_format") == other.without("messages", "response_format")
    assert one.glossary == other.glossary
    assert one.texts[0] == other.texts[0]


def kind(one: Request, vectors: Request) -> None:
    """The texts that were encoded are those that the dialogue model was shown."""
    shown_as = FORMULA if one.glossary else ENGLISH
    compared = [vectors.item["text"], *(each[shown_as] for each in vectors.item["candidates"])]
    assert sorted(one.texts) == sorted(compared)
    assert set(compared) <= set(vectors.body["input"])


def of(dataset: str, task: str, presentation: str = "", model: str = "plain") -> Arm:
    return Arm(dataset, task, presentation, model)


SHOWN = [(task, shown_as) for task in ("most_similar", "ranking", "published") for shown_as in (FORMULA, ENGLISH)]
PROBLEMS = [(dataset, task) for dataset in ("rules", "varied") for task in ("direct", *STRATEGIES)]
CHECKS: dict[str, tuple[Check, list[tuple[Arm, Arm]]]] = {
    "models": (
        differ_in("model"),
        [
            (of(*asked), of(*asked)._replace(model="other"))
            for asked in [*PROBLEMS, *(("mine", *shown) for shown in SHOWN)]
        ],
    ),
    "thinking": (
        differ_in("reasoning_effort"),
        [(of("mine", *shown, "thinker"), of("mine", *shown)) for shown in SHOWN],
    ),
    "reading": (
        sentence,
        [
            (of("mine", task, shown_as), of("mine", task, f"blind_{shown_as}"))
            for task in ("most_similar", "ranking")
            for shown_as in BOTH
        ],
    ),
    "few_shot": (
        examples,
        [
            (of("formulas", "round_trip", "few_shot"), of("formulas", "round_trip", "zero_shot")),
            *(
                (of(dataset, "answering_shown", "english"), of(dataset, "answering", "english"))
                for dataset in ("rules", "varied")
            ),
        ],
    ),
    "wording": (
        wording,
        [
            *((of("rules", task), of("varied", task)) for task in ("direct", *STRATEGIES)),
            *(
                (of("rules", task, "english"), of("varied", task, "english"))
                for task in ("answering", "answering_shown")
            ),
        ],
    ),
    "strategies": (
        strategy,
        [(of(dataset, task), of(dataset, "direct")) for dataset, task in PROBLEMS if task != "direct"],
    ),
    "ontologies": (ontologies, [(of("mine", "translation"), of("mine", "own"))]),
    "instructions": (
        instructions,
        [(of("varied", task), of("varied", "direct_varied")) for task in ("tuned", "concept_table")],
    ),
    "example_words": (words_of_examples, [(of("varied", "direct_varied"), of("varied", "direct"))]),
    # A model with an adapter that is served under a name of its own.
    "training": (differ_in("model"), [(of(*asked)._replace(model="other"), of(*asked)) for asked in PROBLEMS]),
    "training_strategy": (
        training_and_strategy,
        [
            (of(dataset, task)._replace(model="other"), of(dataset, "direct"))
            for dataset, task in PROBLEMS
            if task != "direct"
        ],
    ),
    "presentations": (
        presentation,
        [(of("mine", task, FORMULA), of("mine", task, ENGLISH)) for task in ("most_similar", "ranking", "published")],
    ),
    "metrics": (nothing, [(of("mine", "ranking", shown_as), of("mine", "ranking", shown_as)) for shown_as in BOTH]),
    "tasks": (sets, [(of("mine", "most_similar", shown), of("mine", "ranking", shown)) for shown in BOTH]),
    "protocols": (sets, [(of("mine", "published", shown), of("mine", "most_similar", shown)) for shown in BOTH]),
    "kinds": (kind, [(of("mine", *shown), of("mine", *shown, "vectors")) for shown in SHOWN]),
}
"""The check of two requests about one item, and the arms, by comparison."""


def answer(body: Body, number: int) -> Scripted:
    """Answer alike whatever is asked; the response's name is the number of the request."""
    if body["messages"][-1]["content"] == QUESTION:
        return HELD
    said = {"reasoning": "", "answer": "Something is a thing."}
    return Scripted(body={**completion(json.dumps(said)), "id": str(number)})


@dataclass(frozen=True)
class Recorded:
    """The results of an experiment, and the bodies that it sent."""

    checkout: Checkout
    bodies: list[Body]

    def requests(self, arm: Arm) -> dict[str, Request]:
        """Return the first request about each item; of vectors all texts that were encoded."""
        items = {row["item"]: row for row in self._rows(f"items/{arm.dataset}/{arm.task}", schemas.ITEMS)}
        encoded = {"input": [text for body in self.bodies for text in body.get("input", ())]}
        rows = self._rows(f"responses/{arm.dataset}/{arm.task}/{arm.model}", schemas.RESPONSES)
        shown = [row for row in rows if row["presentation"] == arm.presentation]
        steps = Counter(row["item"] for row in shown)
        return {
            row["item"]: Request(
                encoded if row["response_id"] is None else self.bodies[int(row["response_id"])],
                items[row["item"]],
                row["order"],
                steps[row["item"]],
            )
            for row in shown
            if row["step"] == 1
        }

    def series(self, arm: Arm) -> list[Series]:
        """Return the scores, by metric."""
        path = self.checkout.folder / f"results/scores/{arm.dataset}/{arm.task}/{arm.model}.arrow"
        return [one for one in series_of([load(path, controls=True)]) if one.presentation == arm.presentation]

    def _rows(self, name: str, schema: Any) -> list[dict[str, Any]]:
        return list(files.rows(self.checkout.folder / f"results/{name}.arrow", schema))


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recorded]:
    checkout = Checkout.make(tmp_path_factory.mktemp("recorded") / "checkout")
    embed = serving()
    with ChatServer() as server:

        def every(body: Body) -> Scripted:
            number = next(place for place, each in enumerate(server.bodies) if each is body)
            return embed(body) if "input" in body else answer(body, number)

        server.every = every
        settings: dict[str, Any] = {"sampling": {"temperature": 0.2}, "limits": {"tokens": 500}, "items": 3}
        capabilities = {"reasoning_effort": ["none", "low"]}
        plain = interface(server.url, **settings, reasoning_effort="none", capabilities=capabilities)
        vectors = {"kind": "embedding", "backend": "openai", "model": "vectors", "base_url": server.url}
        values = configuration(
            plain=plain,
            other={**plain, "model": "another"},
            thinker={**plain, "reasoning_effort": "low"},
            vectors={**vectors, "api_key_env": None, "items": 3},
        )
        values["datasets"] |= {
            "formulas": {**GRAMMAR, "values": [2], "count": 4},
            "rules": {"reader": "family", "family": "rules", "count": 4, "depth": [1, 2]},
            "varied": {"reader": "diversified", "of": "rules"},
        }
        checkout.configure({**values, "tasks": TASKS})
        checkout.run("results/tables")
        yield Recorded(checkout, server.bodies)


# Stories and their sentences are no arms of one item.
@pytest.mark.parametrize("name", [name for name in COMPARISONS if name != "ontologies_of_stories"])
def test_comparison_arms_differ_in_declared_factor_only(recorded: Recorded, name: str) -> None:
    check, arms = CHECKS[name]
    for first, second in arms:
        one, other = recorded.requests(first), recorded.requests(second)
        assert len(one) == 3
        assert one.keys() == other.keys()
        for item in one:
            check(one[item], other[item])
        if check is sets:
            assert any(set(one[item].texts) != set(other[item].texts) for item in one)
        made = pairs(recorded.series(first)[0], recorded.series(second)[-1], COMPARISONS[name])
        assert (made.kept.height, made.refused) == (3, 0), (first, second, made.reason)


def test_strategy_comparisons_use_same_examples(recorded: Recorded) -> None:
    """By the words that items show, of which the rule that aligns programs is told nothing."""
    path = recorded.checkout.folder / "results/tables/strategies.arrow"
    rows = [row for row in pyarrow.feather.read_table(path).to_pylist() if row["comparison"] == "instructions"]
    found = {(row["dataset"], row["model"], row["task"]) for row in rows if row["base_task"] == "direct_varied"}
    clean = product(("rules", "varied"), PAIRED, ("tuned", "concept_table", "concept_table_stepwise"))
    assert {*clean} <= found
    assert all(row["pairs"] for row in rows if row["task"] != "one_shot")


def test_tables_refuse_exactly_pairs_with_planted_second_factor(recorded: Recorded) -> None:
    refused = {}
    for path in (recorded.checkout.folder / "results/tables").glob("*.arrow"):
        for row in pyarrow.feather.read_table(path).to_pylist():
            if row.get("refusal") is not None and path.stem == "transitions":
                assert (row["second_task"], row["refusal"]) == ("one_shot", "shots")
            elif row.get("refusal") is not None and row.get("claim") == "dispersion":
                # No answer is a program, so that no mention is aligned.
                assert (row["refused"], row["refusal"], row["data"]) == (0, "mentions aligned", "unpaired")
            elif row.get("refusal") is not None and path.stem == "claims":
                assert (row["first"], row["refusal"], row["data"]) == ("one_shot", "shots", "unpaired")
            elif row.get("refusal") is not None:
                refused[path.stem, row["dataset"], row["model"], row["task"]] = row["refused"], row["refusal"]
    planted = [("strategies", dataset, model, "one_shot") for dataset in ("rules", "varied") for model in PAIRED]
    assert refused == dict.fromkeys(planted, (3, "shots"))
    shown = {row["task"]: row["refused"] for row in recorded.checkout.table("strategies")}
    assert shown.pop("one_shot") == "3 (shots)"
    assert set(shown.values()) == {None}
