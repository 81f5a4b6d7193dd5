"""Components of what is asked: each part of a request is in one of them, and they travel with responses and scores."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.unit.asking.conversations import ITEM

from nlfol.asking.components import of_request, of_vectors
from nlfol.asking.questions import messages_of
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.reading import parse
from nlfol.models.request import ChatRequest
from nlfol.results.statistics.pairing import COMPARISONS
from nlfol.store.schemas import COMPONENTS
from nlfol.tasks.answers import text_schema
from nlfol.tasks.item import Exemplar, Item, Member
from nlfol.tasks.logical_translation import LogicalTranslation, LogicalTranslationEntry
from nlfol.tasks.plan import Prompts, Reply, Setting, Step, Turn
from nlfol.tasks.ranking import Ranking, RankingEntry
from nlfol.tasks.reference import answer_json
from nlfol.tasks.registry import build_task
from nlfol.tasks.round_trip import RoundTrip, RoundTripEntry
from nlfol.tasks.task import AnyTask

PROMPTS = Prompts(Path(__file__).parents[3] / "resources/prompts")
MEMBERS = (Member("P(a)", "A is P.", "gold"), Member("¬P(a)", "A is not P.", "negation"))
CHOSEN = replace(ITEM, members=MEMBERS, exemplars=(Exemplar("B is Q.", "Q(b)"),))
STEP = Step(
    "",
    PROMPTS.render("ranking/system", CHOSEN, "formula", (0, 1), limits=RankingEntry().limits, reasoning=9, blind=False),
    "",
    {},
)
SETTING = Setting(0, PROMPTS)


def asked(step: Step, **changed: Any) -> Mapping[str, str | None]:
    """Return the digests of a request for a step, some of whose fields are others."""
    role = changed.pop("role", "system")
    plain, bounds = changed.pop("plain", "m;dtype=float32"), changed.pop("held", ())
    served = changed.pop("served", None)
    request = ChatRequest(plain, messages_of(step, role), step.schema, 0.5, None, 100, 3)
    return of_request(step, replace(request, **changed), plain, bounds, served)


def test_reasoning_budget_is_separate_from_limits_component() -> None:
    one, other = (replace(STEP, schema=text_schema(9, reasoning)) for reasoning in (0, 20))
    assert differing(asked(one), asked(other, max_tokens=120)) == {"reasoning", "schema"}


def differing(one: Mapping[str, str | None], other: Mapping[str, str | None]) -> set[str]:
    assert one.keys() == other.keys() == set(COMPONENTS)
    return {name for name in COMPONENTS if one[name] != other[name]}


@pytest.mark.parametrize(
    ("component", "changed"),
    [
        ("model", {"plain": "n;dtype=float32"}),
        ("model", {"role": "user"}),
        ("model", {"held": ("maxLength",), "bounds": ("maxLength",)}),
        ("thinking", {"model": "m;dtype=float32;thinking=[1000]"}),
        ("served", {"served": "m-2026-01-01"}),
        ("sampling", {"temperature": 0.0}),
        ("sampling", {"top_p": 0.9}),
        ("limits", {"max_tokens": 99}),
        ("seed", {"seed": 4}),
        ("schema", {"answer_schema": {"type": "object"}}),
    ],
)
def test_request_fields_map_to_single_component(component: str, changed: dict[str, Any]) -> None:
    assert differing(asked(STEP), asked(STEP, **changed)) == {component}


def test_thinking_component_is_independent_from_model() -> None:
    thought = {"model": "n;dtype=float32;thinking=[1000]", "plain": "n;dtype=float32"}
    one = asked(STEP, model="m;dtype=float32;thinking=[1000]")
    assert differing(one, asked(STEP, **thought)) == {"model"}


def step_of(task: AnyTask, item: Item, presentation: str = "", replies: Sequence[Reply] = (), seed: int = 3) -> Step:
    """Return what a task asks."""
    step = task.plan(SETTING).following(item, presentation, seed, replies)
    assert isinstance(step, Step)
    return step


def informalized(english: str) -> Reply:
    """Return the reply to the first step of a round trip."""
    return Reply("informalization", "answered", answer_json({"reasoning": "", "answer": english}))


GLOSSED = replace(CHOSEN, ontology=derive([parse("P(a) ∧ R(a)")]))
TRANSLATION, RANKING = LogicalTranslation(LogicalTranslationEntry()), Ranking(RankingEntry())
TRIP = RoundTrip(RoundTripEntry(presentations=("zero_shot", "few_shot")))


@pytest.mark.parametrize(
    ("component", "one", "other"),
    [
        ("text", step_of(TRANSLATION, CHOSEN), step_of(TRANSLATION, replace(CHOSEN, text="A is Q."))),
        ("text", step_of(TRIP, CHOSEN, "zero_shot"), step_of(TRIP, replace(CHOSEN, formula="¬P(a)"), "zero_shot")),
        ("glossary", step_of(TRANSLATION, CHOSEN), step_of(TRANSLATION, GLOSSED)),
        ("glossary", step_of(TRIP, CHOSEN, "zero_shot"), step_of(TRIP, GLOSSED, "zero_shot")),
        ("examples shots", step_of(TRIP, CHOSEN, "zero_shot"), step_of(TRIP, CHOSEN, "few_shot")),
        (
            "examples",
            step_of(TRIP, CHOSEN, "few_shot"),
            step_of(TRIP, replace(CHOSEN, exemplars=(Exemplar("C is Q.", "Q(c)"),)), "few_shot"),
        ),
        (
            "candidates",
            step_of(RANKING, CHOSEN, "english"),
            step_of(
                RANKING, replace(CHOSEN, members=(MEMBERS[0], replace(MEMBERS[1], english="A is no P."))), "english"
            ),
        ),
        (
            "order",
            step_of(RANKING, CHOSEN, "english", seed=3),
            step_of(RANKING, CHOSEN, "english", seed=7),
        ),
        (
            "replies",
            step_of(TRIP, CHOSEN, "zero_shot", [informalized("A.")]),
            step_of(TRIP, CHOSEN, "zero_shot", [informalized("B.")]),
        ),
        ("replies", replace(STEP, earlier=(Turn("assistant", "A"),)), replace(STEP, earlier=(Turn("assistant", "B"),))),
        ("prompt", STEP, replace(STEP, user="Be quick.")),
    ],
)
def test_prompt_fillers_map_to_their_components(component: str, one: Step, other: Step) -> None:
    assert differing(asked(one), asked(other)) == set(component.split())


def test_embedding_and_chat_requests_share_text_and_candidates() -> None:
    step = step_of(RANKING, CHOSEN, "english")
    compared = of_vectors(CHOSEN.text, [member.english for member in reversed(MEMBERS)], "e")
    unlike = {"model", "thinking", "reasoning", "sampling", "seed", "limits", "schema", "prompt", "order"}
    assert differing(asked(step), compared) == unlike
    assert {*COMPARISONS["kinds"].equal} == {"text", "candidates"}


@pytest.mark.parametrize(("scope", "members"), [("sentence", ()), ("story", MEMBERS)])
def test_own_ontology_request_differs_in_prompt_schema_and_glossary(scope: str, members: tuple[Member, ...]) -> None:
    own = build_task(json.dumps({"task": "logical_translation", "ontology": "own", "scope": scope}))
    apart = differing(asked(step_of(TRANSLATION, GLOSSED)), asked(step_of(own, replace(GLOSSED, members=members))))
    assert {"prompt", "schema", "glossary"} <= apart
    assert apart.isdisjoint(COMPARISONS["ontologies" if scope == "sentence" else "ontologies_of_stories"].equal)


def test_prompt_rendering_keeps_mark_like_text() -> None:
    for text in ("<0>", "{{ x }}", "  A  ", "<deadbeef:0>"):
        assert PROMPTS.render("logical_translation/user", replace(ITEM, text=text)) == f"Sentence: {text}".strip()
