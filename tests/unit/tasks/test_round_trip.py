"""Round trips: why a chain ends, what each step shows, and what each round is worth."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import cycle
from typing import Any

import pytest
from pydantic import ValidationError
from tests import examples
from tests.examples import CUBES as GOLD
from tests.examples import ROOT, WEATHER, said
from tests.unit.logic.hard_pairs import LEFT_GROUP

from nlfol.logic.ontology.derivation import derive
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.reading import parse
from nlfol.logic.structures import holds
from nlfol.tasks.explaining import with_evidence
from nlfol.tasks.item import Exemplar, Item
from nlfol.tasks.logical_translation import LogicalTranslation, LogicalTranslationEntry
from nlfol.tasks.plan import Prompts, Reply, Setting, Step, Stop
from nlfol.tasks.registry import build_task
from nlfol.tasks.round_trip import RoundTrip, RoundTripEntry
from nlfol.tasks.task import Judgement

SETTING = Setting(7, Prompts(ROOT / "resources/prompts"))
ONTOLOGY = derive([parse(GOLD), parse("Larger(a, b)")])
ITEM = examples.item(GOLD, "Every cube is small.", ontology=ONTOLOGY)
LETTERS = Item("p:0", "p", "It rains or it snows.", "p1 ∨ p2", WEATHER, (), "propositional", 1)
WORDS = Item("r:0", "r", "", "(01)*", Ontology(alphabet="01"), (), "regular", 2)

ENGLISH = "Every cube is small."
COPY = "It says ∀x (Cube(x) → Small(x))."
SAME = "¬∃y (Cube(y) ∧ ¬Small(y))"
OTHER = "∃x (Cube(x) ∧ Small(x))"


def entry(**keys: Any) -> RoundTripEntry:
    return RoundTripEntry.model_validate(keys)


def replies(*answers: str | Reply) -> list[Reply]:
    parts = cycle(("informalization", "formalization"))
    return [
        answer if isinstance(answer, Reply) else Reply(part, "answered", said(answer))
        for part, answer in zip(parts, answers, strict=False)
    ]


def following(task: RoundTrip, item: Item, given: Sequence[Reply], presentation: str = "zero_shot") -> Step | Stop:
    return task.plan(SETTING).following(item, presentation, 0, given)


def asked(task: RoundTrip, item: Item, given: Sequence[Reply] = (), presentation: str = "zero_shot") -> Step:
    step = following(task, item, given, presentation)
    assert isinstance(step, Step)
    return step


def scores(judgements: Iterable[Judgement]) -> dict[str, float]:
    return {metric: score for judgement in judgements for metric, score in judgement.scores.items()}


def judged(item: Item, *answers: str | Reply, **keys: Any) -> tuple[Judgement, ...]:
    return RoundTrip(entry(**keys)).judgements(item, replies(*answers))


LOST = [
    Reply("", outcome, None, (), "why")
    for outcome in ("truncated", "empty", "blank", "refused", "failed", "internal_error")
]


@pytest.mark.parametrize(
    ("answers", "stop"),
    [
        ([ENGLISH, SAME], "completed"), ([ENGLISH, OTHER], "not_equivalent"), ([ENGLISH, "Block(a)"], "invalid"),
        ([ENGLISH, "Cube(x) → Small(x)"], "invalid"), ([ENGLISH, "I do not know."], "unparsable"),
        ([ENGLISH, Reply("", "answered", "no JSON")], "unparsable"),
        ([Reply("", "answered", "no JSON")], "unparsable"), (["  "], "unparsable"), ([COPY], "copied"),
        *(([reply], reply.outcome) for reply in LOST), *(([ENGLISH, reply], reply.outcome) for reply in LOST),
    ],
)  # fmt: skip
def test_round_trip_chain_records_stop_reason(answers: list[str | Reply], stop: str) -> None:
    task, given = RoundTrip(entry(copies="stop")), replies(*answers)
    for count in range(len(given)):
        asked(task, ITEM, given[:count])
    assert following(task, ITEM, given) == Stop(stop)
    of_formula, of_english = task.judgements(ITEM, given)
    assert of_formula.stop == of_english.stop == stop
    found = scores((of_formula, of_english))
    assert (found["truth"], found["truth_uncopied"]) == ((1, 1) if stop == "completed" else (0, 0))
    assert found["compliance"] == float(stop in ("completed", "not_equivalent"))
    assert found["copied"] == float(stop == "copied")
    is_lost = stop == "unparsable" or stop in {reply.outcome for reply in LOST}
    assert of_formula.outcome == (stop if is_lost else "answered")
    for judgement in (of_formula, of_english):
        assert judgement.outcome == "answered" or not any(judgement.scores.values())
    assert of_english.outcome == "answered" or len(answers) == 1


def test_undecided_round_trip_ends_chain() -> None:
    item = replace(ITEM, formula=LEFT_GROUP, ontology=derive([parse(LEFT_GROUP)]))
    task, given = RoundTrip(entry(rounds=2)), replies("It is a group.", f"({LEFT_GROUP}) ∧ ∀x ∀y m(x, y) = m(y, x)")
    assert following(task, item, given) == Stop("unknown")
    found = scores(task.judgements(item, given))
    assert (found["compliance"], found["truth"], found["truth@2"]) == (1, 0, 0)


def test_round_trip_steps_use_fresh_context() -> None:
    task = RoundTrip(entry(rounds=3))
    again, third = "There is no cube that is not small.", "∀z (¬Cube(z) ∨ Small(z))"
    answers = [ENGLISH, SAME, again, third, "All cubes are small.", OTHER]
    given = replies(*answers)
    shown = [asked(task, ITEM, given[:count]) for count in range(len(given))]
    assert following(task, ITEM, given) == Stop("not_equivalent")
    assert {step.earlier for step in shown} == {()}
    assert [step.part for step in shown] == ["informalization", "formalization"] * 3
    before = [GOLD, *answers[:5]]
    assert [step.user for step in shown] == [
        f"{('Formula', 'English')[place % 2]}: {text}" for place, text in enumerate(before)
    ]
    for step in shown[1::2]:
        assert not any(formula in step.system for formula in (GOLD, SAME, third))
    found = scores(task.judgements(ITEM, given))
    assert [found[name] for name in ("truth", "truth@2", "truth@3")] == [1, 1, 0]
    assert [found[name] for name in ("compliance", "compliance@2", "compliance@3")] == [1, 1, 1]
    assert task.plan(SETTING).most_steps(ITEM) == 6


def test_unreached_rounds_count_as_lost() -> None:
    first, _, *later = judged(ITEM, ENGLISH, OTHER, rounds=3)
    assert first.scores["compliance"] == 1
    assert len(later) == 4
    for judgement in later:
        assert not any(judgement.scores.values())
        assert (judgement.outcome, judgement.verdict, judgement.stop) == ("answered", None, "not_equivalent")
    assert [RoundTrip.facts.round_of(metric) for metric in ("truth", "copied@2", "truth_uncopied@3")] == [1, 2, 3]


def test_copied_round_loses_uncopied_truth_only() -> None:
    """D17: in the released scores, who repeats the formula is right."""
    judgements = judged(ITEM, COPY, GOLD, ENGLISH, GOLD, rounds=2)
    found = scores(judgements)
    assert [found[name] for name in ("truth", "truth@2", "copied", "copied@2")] == [1, 1, 1, 0]
    assert [found[name] for name in ("truth_uncopied", "truth_uncopied@2")] == [0, 0]
    assert judgements[1].detail == f"formula at 8-31: {GOLD}"


def test_broken_chain_has_countermodel_or_word() -> None:
    of_formula, _ = with_evidence(RoundTrip(RoundTripEntry()), ITEM, judged(ITEM, ENGLISH, OTHER))
    assert (of_formula.verdict, of_formula.relation) == ("not_equivalent", "independent")
    assert of_formula.counter_model is not None
    assert holds(parse(GOLD), of_formula.counter_model) != holds(parse(OTHER), of_formula.counter_model)
    assert (of_formula.detail or "").endswith("The original is true there, the result false")
    of_expression, _ = judged(WORDS, "01 any number of times", "(01)*1")
    assert (of_expression.verdict, of_expression.word) == ("not_equivalent", "")
    assert of_expression.detail == "the empty word matches the original, and does not match the result"


@pytest.mark.parametrize(
    ("item", "answer", "true", "complies"),
    [
        (LETTERS, "p2 || p1", 1, 1),
        (LETTERS, "p1 && p2", 0, 1),
        *((WORDS, answer, 1, 1) for answer in ("`(01)*(01)*`", "(01)**", "(01)*(01)*")),
        *((WORDS, answer, 0, 1) for answer in ("1(01)*", "(10)*")),
        *((WORDS, answer, 0, 0) for answer in ("(0|1)*", "(01")),
    ],
)
def test_round_trip_scores_every_language(item: Item, answer: str, true: int, complies: int) -> None:
    found = scores(judged(item, "so it is said", answer))
    # There is no English to be near to.
    assert found == {"truth": true, "truth_uncopied": true, "compliance": complies, "copied": 0}


def test_strict_reading_refuses_repairable_formula() -> None:
    answers = ENGLISH, "forall x (Cube(x) -> Small(x))"
    of_formula, _ = judged(ITEM, *answers)
    assert (of_formula.verdict, of_formula.dialect) == ("equivalent", "ascii")
    of_formula, _ = judged(ITEM, *answers, reading="strict")
    assert (of_formula.outcome, of_formula.stop) == ("unparsable", "unparsable")


@pytest.mark.parametrize(("english", "same"), [(ENGLISH, 1), ("Nothing whatever.", 0)])
def test_round_trip_english_is_compared_with_source_text(english: str, same: int) -> None:
    found = scores(judged(ITEM, english, OTHER, rounds=2))
    assert found["rouge_l"] == same
    assert (found["bleu"], found["chrf"]) == pytest.approx((same, same), abs=0 if same else 0.2)


def test_english_scores_survive_unreadable_formula() -> None:
    unread = scores(judged(ITEM, ENGLISH, "no formula at all"))
    assert (unread["truth"], unread["bleu"]) == (0, 1)


@pytest.mark.parametrize(
    ("item", "given", "inside", "outside"),
    [
        (ITEM, "symbols", ["Cube(x)", "- a\n"], ["is cube"]),
        (ITEM, "glosses", ["Cube(x): x is cube"], []),
        (ITEM, "none", ["∀x (for every x)"], ["Cube"]),
        (LETTERS, "symbols", ["- p1\n"], ["∀", "rain"]),
        (WORDS, "symbols", ["letters 0, 1", "X*"], ["¬", "X+", "X|Y"]),
        (replace(WORDS, ontology=Ontology(alphabet="01|+?")), "none", ["X+", "X|Y", "X?"], ["¬"]),
    ],
)
def test_formalization_step_shows_configured_context(
    item: Item, given: str, inside: list[str], outside: list[str]
) -> None:
    step = asked(RoundTrip(entry(given=given)), item, replies(ENGLISH))
    assert all(text in step.system for text in inside), step.system
    assert not any(text in step.system for text in outside), step.system


@pytest.mark.parametrize(("keys", "glosses"), [({}, True), ({"given": "glosses"}, True), ({"given": "symbols"}, False)])
def test_informalization_step_shows_glosses_unless_symbols_are_given(keys: dict[str, str], glosses: bool) -> None:
    step = asked(RoundTrip(entry(**keys)), ITEM)
    assert ("x is small" in step.system) == glosses
    assert ENGLISH not in step.system + step.user, "the gold text is not to be seen"


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ([], "Formula: ∃x (A(x) ∧ B(x))\nEnglish: Some A is B."),
        ([ENGLISH], "English: Some A is B.\nFormula: ∃x (A(x) ∧ B(x))"),
    ],
)
def test_few_shot_examples_appear_in_both_directions(given: list[str], shown: str) -> None:
    """D14: the released prompt never shows its first-order examples."""
    item = replace(ITEM, exemplars=(Exemplar("Some A is B.", "∃x (A(x) ∧ B(x))"),))
    task = RoundTrip(entry(presentations=["zero_shot", "few_shot"]))
    assert shown in asked(task, item, replies(*given), "few_shot").system
    without = asked(task, item, replies(*given))
    assert "Some A is B" not in without.system + without.user
    assert task.wants_exemplars
    assert not RoundTrip(entry()).wants_exemplars


@pytest.mark.parametrize(
    ("key", "value"), [("rounds", 0), ("rounds", 17), ("presentations", []), ("given", "all"), ("reading", "any")]
)
def test_round_trip_entry_rejects_unknown_values(key: str, value: object) -> None:
    with pytest.raises(ValidationError):
        entry(**{key: value})


def test_round_trip_chance_is_zero_without_english_scores() -> None:
    task = build_task('{"task": "round_trip", "rounds": 2}')
    metrics = ("truth", "truth_uncopied", "compliance")
    assert task.chance(ITEM).scores == dict.fromkeys((*metrics, *(f"{metric}@2" for metric in metrics)), 0)


def test_unfinished_round_trip_is_rejected_by_judge() -> None:
    with pytest.raises(ValueError, match="ends before its plan does"):
        judged(ITEM, ENGLISH)


# Faults of the released system (∀uto∃∨∧L) that must not come back


@pytest.mark.parametrize(
    "answer",
    [
        "p1∨p2", "p1 ∨ p2.", "```\np1 ∨ p2\n```", "Formula: p1 ∨ p2", "¬p1 ⇒ p2", "~(~p1 ∧ ~p2)", "p1 ∨\np2",
        "(p1) ∨ (p2)",
    ],
)  # fmt: skip
def test_legal_formula_complies_in_any_layout(answer: str) -> None:
    found = scores(judged(LETTERS, "It rains or snows.", answer))
    assert (found["compliance"], found["truth"]) == (1, 1)


def test_line_break_splits_symbol_name() -> None:
    assert scores(judged(LETTERS, "It rains or snows.", "p1 ∨ p\n2"))["truth"] == 0


def test_arity_mismatch_is_invalid_signature() -> None:
    of_formula, _ = judged(ITEM, ENGLISH, "∀x (Cube(x, x) → Small(x))")
    assert (of_formula.outcome, of_formula.verdict, of_formula.means) == ("answered", "invalid", "signature")


def test_dot_scope_extends_to_end_in_round_trip() -> None:
    assert scores(judged(ITEM, ENGLISH, "∀x. Cube(x) → Small(x)"))["truth"] == 1


def test_prompts_state_operator_precedence() -> None:
    for given in ([], replies(ENGLISH)):
        assert "∧ binds closest, then ∨, ⊕, → and ↔" in asked(RoundTrip(entry()), ITEM, given).system


@pytest.mark.parametrize("item", [ITEM, LETTERS], ids=["first order", "propositional"])
@pytest.mark.parametrize("given", ["symbols", "glosses", "none"])
@pytest.mark.parametrize("presentation", ["zero_shot", "few_shot"])
def test_formalization_prompt_equals_round_trip_step(item: Item, given: str, presentation: str) -> None:
    shown = replace(item, exemplars=(Exemplar("Some cube is large.", "∃x (Cube(x) ∧ Large(x))"),))
    keys = {"given": given, "presentations": [presentation], "reasoning": 9, "limits": {"formula": 700}}
    trip = asked(RoundTrip(entry(**keys)), shown, replies(shown.text), presentation)
    alone = LogicalTranslation(LogicalTranslationEntry.model_validate({"prompt": "formalization", **keys}))
    step = alone.plan(SETTING).following(shown, presentation, 0, [])
    assert isinstance(step, Step)
    assert (step.system, step.user, step.schema) == (trip.system, trip.user, trip.schema)
