"""Round trips: why a chain ends, what each step shows, and what each round is worth."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError
from tests import examples
from tests.examples import CUBES as GOLD
from tests.examples import ROOT, WEATHER
from tests.unit.logic.hard_pairs import LEFT_GROUP

from nlfol.logic.reading import parse
from nlfol.logic.structures import holds
from nlfol.ontology.derivation import derive
from nlfol.ontology.ontology import Ontology
from nlfol.regular import matches
from nlfol.regular import parse as parse_expression
from nlfol.tasks.item import Exemplar, Item
from nlfol.tasks.plan import Prompts, Reply, Setting, Step, Stop
from nlfol.tasks.registry import build_task
from nlfol.tasks.round_trip import RoundTrip, RoundTripEntry
from nlfol.tasks.task import Judgement

PROMPTS = ROOT / "resources" / "prompts"
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


def said(answer: object) -> str:
    return json.dumps({"reasoning": "r", "answer": answer})


def replies(answers: Iterable[str | Reply]) -> list[Reply]:
    """Answers in their turn; what is a reply already stays as it is."""
    return [
        answer
        if isinstance(answer, Reply)
        else Reply(("informalization", "formalization")[turn % 2], "answered", answer)
        for turn, answer in enumerate(said(each) if isinstance(each, str) else each for each in answers)
    ]


def following(task: RoundTrip, item: Item, given: Sequence[Reply], presentation: str = "zero_shot") -> Step | Stop:
    plan = task.plan(Setting("toy", 7, (0,), Prompts(PROMPTS)))
    return plan.following(item, presentation, 0, given)


def scores(judgements: Iterable[Judgement]) -> dict[str, float]:
    return {metric: score for judgement in judgements for metric, score in judgement.scores.items()}


LOST = [
    Reply("", outcome, None, (), "why")
    for outcome in ("truncated", "empty", "blank", "refused", "failed", "internal_error")
]


@pytest.mark.parametrize(
    ("answers", "stop"),
    [
        ([ENGLISH, SAME], "completed"),
        ([ENGLISH, OTHER], "not_equivalent"),
        ([ENGLISH, "Block(a)"], "invalid"),
        ([ENGLISH, "Cube(x) → Small(x)"], "invalid"),
        ([ENGLISH, "I do not know."], "unparsable"),
        ([ENGLISH, Reply("", "answered", "no JSON")], "unparsable"),
        ([Reply("", "answered", "no JSON")], "unparsable"),
        (["  "], "unparsable"),
        ([COPY], "copied"),
        *(([reply], reply.outcome) for reply in LOST),
        *(([ENGLISH, reply], reply.outcome) for reply in LOST),
    ],
)
def test_a_chain_says_why_it_ends(answers: list[str | Reply], stop: str) -> None:
    task = RoundTrip(entry(copies="stop"))
    given = replies(answers)
    for count in range(len(given)):
        assert isinstance(following(task, ITEM, given[:count]), Step)
    assert following(task, ITEM, given) == Stop(stop)
    judged = task.judgements(ITEM, given)
    assert {judgement.stop for judgement in judged} == {stop}
    found = scores(judged)
    assert (found["truth"], found["truth_uncopied"]) == ((1, 1) if stop == "completed" else (0, 0))
    assert found["compliance"] == float(stop in ("completed", "not_equivalent"))
    assert found["copied"] == float(stop == "copied")
    of_formula, of_english = judged
    assert of_formula.outcome == (
        stop if stop == "unparsable" or stop in {reply.outcome for reply in LOST} else "answered"
    )
    assert all(judgement.outcome == "answered" or not any(judgement.scores.values()) for judgement in judged)
    assert of_english.outcome == "answered" or len(answers) == 1


def test_what_no_means_decides_ends_a_chain() -> None:
    item = replace(ITEM, formula=LEFT_GROUP, ontology=derive([parse(LEFT_GROUP)]))
    task, given = RoundTrip(entry(rounds=2)), replies(["It is a group.", f"({LEFT_GROUP}) ∧ ∀x ∀y m(x, y) = m(y, x)"])
    assert following(task, item, given) == Stop("unknown")
    found = scores(task.judgements(item, given))
    assert (found["compliance"], found["truth"], found["truth@2"]) == (1, 0, 0)


def test_each_step_is_a_fresh_context_that_shows_what_it_may() -> None:
    task = RoundTrip(entry(rounds=3))
    answers = [
        ENGLISH,
        SAME,
        "There is no cube that is not small.",
        "∀z (¬Cube(z) ∨ Small(z))",
        "All cubes are small.",
        OTHER,
    ]
    given = replies(answers)
    shown = []
    for count in range(len(given)):
        step = following(task, ITEM, given[:count])
        assert isinstance(step, Step)
        assert step.earlier == ()
        shown.append(step)
    assert following(task, ITEM, given) == Stop("not_equivalent")
    assert [step.part for step in shown] == ["informalization", "formalization"] * 3
    assert [step.user for step in shown] == [
        f"Formula: {GOLD}",
        f"English: {ENGLISH}",
        f"Formula: {SAME}",
        f"English: {answers[2]}",
        f"Formula: {answers[3]}",
        f"English: {answers[4]}",
    ]
    for step in shown[1::2]:
        assert not any(formula in step.system for formula in (GOLD, SAME, answers[3]))
    found = scores(task.judgements(ITEM, given))
    assert [found[name] for name in ("truth", "truth@2", "truth@3")] == [1, 1, 0]
    assert [found[name] for name in ("compliance", "compliance@2", "compliance@3")] == [1, 1, 1]
    assert task.plan(Setting("toy", 7, (0,), Prompts(PROMPTS))).most_steps(ITEM) == 6


def test_rounds_that_were_not_reached_count_as_lost() -> None:
    task = RoundTrip(entry(rounds=3))
    judged = task.judgements(ITEM, replies([ENGLISH, OTHER]))
    found = scores(judged)
    assert found["compliance"] == 1
    assert not any(score for metric, score in found.items() if "@" in metric)
    later = [judgement for judgement in judged if any("@" in metric for metric in judgement.scores)]
    assert {(judgement.outcome, judgement.verdict, judgement.stop) for judgement in later} == {
        ("answered", None, "not_equivalent")
    }
    assert [RoundTrip.round_of(metric) for metric in ("truth", "copied@2", "truth_uncopied@3")] == [1, 2, 3]


def test_a_copy_is_counted_and_its_rounds_are_lost_to_uncopied_truth_only() -> None:
    task = RoundTrip(entry(rounds=2))
    judged = task.judgements(ITEM, replies([COPY, GOLD, ENGLISH, GOLD]))
    found = scores(judged)
    assert [found[name] for name in ("truth", "truth@2", "copied", "copied@2")] == [1, 1, 1, 0]
    assert [found[name] for name in ("truth_uncopied", "truth_uncopied@2")] == [0, 0]
    (of_english,) = (judgement for judgement in judged if "copied" in judgement.scores)
    assert of_english.detail == f"formula at 8-31: {GOLD}"


def test_a_broken_chain_comes_with_the_evidence() -> None:
    of_formula, _ = RoundTrip(entry()).judgements(ITEM, replies([ENGLISH, OTHER]))
    assert (of_formula.verdict, of_formula.relation) == ("not_equivalent", "independent")
    assert of_formula.counter_model is not None
    assert holds(parse(GOLD), of_formula.counter_model) != holds(parse(OTHER), of_formula.counter_model)
    assert (of_formula.detail or "").endswith("The original is true there, the result false")
    of_expression, _ = RoundTrip(entry()).judgements(WORDS, replies(["01 any number of times", "(01)*1"]))
    assert of_expression.verdict == "not_equivalent"
    word = of_expression.word
    assert word is not None
    assert matches(parse_expression("(01)*"), word) != matches(parse_expression("(01)*1"), word)
    assert of_expression.detail == "the empty word matches the original, and does not match the result"


@pytest.mark.parametrize(
    ("item", "answer", "true"),
    [(LETTERS, "p2 || p1", 1), (LETTERS, "p1 && p2", 0), (WORDS, "`(01)*(01)*`", 1), (WORDS, "(0|1)*", 0)],
)
def test_every_language_makes_the_trip(item: Item, answer: str, true: int) -> None:
    found = scores(RoundTrip(entry()).judgements(item, replies(["so it is said", answer])))
    assert found["truth"] == true
    assert found.keys() == {"truth", "truth_uncopied", "compliance", "copied"}, "there is no English to be near to"


def test_strict_reading_refuses_what_tolerant_reading_repairs() -> None:
    given = replies([ENGLISH, "forall x (Cube(x) -> Small(x))"])
    of_formula, _ = RoundTrip(entry()).judgements(ITEM, given)
    assert (of_formula.verdict, of_formula.dialect) == ("equivalent", "ascii")
    of_formula, _ = RoundTrip(entry(reading="strict")).judgements(ITEM, given)
    assert (of_formula.outcome, of_formula.stop) == ("unparsable", "unparsable")


def test_the_english_of_sentences_is_held_against_the_text() -> None:
    for english, same in ((ENGLISH, 1), ("Nothing whatever.", 0)):
        judged = RoundTrip(entry(rounds=2)).judgements(ITEM, replies([english, OTHER]))
        found = scores(judged)
        assert found["rouge_l"] == same
        assert (found["bleu"], found["chrf"]) == (
            (1, 1) if same else (pytest.approx(0, abs=0.2), pytest.approx(0, abs=0.2))
        )
    unread = scores(RoundTrip(entry()).judgements(ITEM, replies([ENGLISH, "no formula at all"])))
    assert (unread["truth"], unread["bleu"]) == (0, 1), "the English was answered, whatever became of the formula"


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
def test_the_second_step_is_given_what_the_entry_says(
    item: Item, given: str, inside: list[str], outside: list[str]
) -> None:
    step = following(RoundTrip(entry(given=given)), item, replies([ENGLISH]))
    assert isinstance(step, Step)
    assert all(text in step.system for text in inside), step.system
    assert not any(text in step.system for text in outside), step.system


@pytest.mark.parametrize(("glosses", "shown"), [(True, True), (False, False)])
def test_the_first_step_says_what_symbols_mean_where_it_should(glosses: bool, shown: bool) -> None:
    step = following(RoundTrip(entry(glosses=glosses)), ITEM, [])
    assert isinstance(step, Step)
    assert ("x is small" in step.system) == shown
    assert ENGLISH not in step.system + step.user, "the gold text is not to be seen"


def test_examples_are_shown_both_ways_where_they_are_asked_for() -> None:
    item = replace(ITEM, exemplars=(Exemplar("Some A is B.", "∃x (A(x) ∧ B(x))"),))
    task = RoundTrip(entry(presentations=["zero_shot", "few_shot"]))
    for given, shown in ((replies([]), "Formula: ∃x (A(x) ∧ B(x))\nEnglish: Some A is B."),
                         (replies([ENGLISH]), "English: Some A is B.\nFormula: ∃x (A(x) ∧ B(x))")):  # fmt: skip
        with_examples, without = (following(task, item, given, each) for each in ("few_shot", "zero_shot"))
        assert isinstance(with_examples, Step)
        assert isinstance(without, Step)
        assert shown in with_examples.system
        assert "Some A is B" not in without.system + without.user
    assert task.wants_exemplars
    assert not RoundTrip(entry()).wants_exemplars


@pytest.mark.parametrize(
    "keys",
    [
        {"rounds": 0},
        {"rounds": 17},
        {"presentations": []},
        {"presentations": ["few_shot", "few_shot"]},
        {"presentations": ["formula"]},
        {"copies": "ignore"},
        {"given": "all"},
        {"reading": "any"},
        {"limits": {"english": 0}},
        {"round": 2},
    ],
)
def test_what_an_entry_cannot_say_is_refused(keys: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        entry(**keys)


def test_chance_has_no_score_in_any_round_and_none_for_english() -> None:
    task = build_task('{"task": "round_trip", "rounds": 2}')
    assert task.chance(ITEM).scores == dict.fromkeys(
        ("truth", "truth_uncopied", "compliance", "truth@2", "truth_uncopied@2", "compliance@2"), 0
    )


def test_a_dialogue_that_is_not_at_its_end_is_not_judged() -> None:
    with pytest.raises(ValueError, match="ends before its plan does"):
        RoundTrip(entry()).judgements(ITEM, replies([ENGLISH]))


# Faults of the released system (∀uto∃∨∧L) that must not come back


@pytest.mark.parametrize(
    "answer",
    [
        "p1∨p2",
        "p1 ∨ p2.",
        "```\np1 ∨ p2\n```",
        "Formula: p1 ∨ p2",
        "¬p1 ⇒ p2",
        "~(~p1 ∧ ~p2)",
        "p1 ∨\np2",
        "(p1) ∨ (p2)",
    ],
)
def test_legal_formulas_in_any_layout_comply(answer: str) -> None:
    found = scores(RoundTrip(entry()).judgements(LETTERS, replies(["It rains or snows.", answer])))
    assert (found["compliance"], found["truth"]) == (1, 1)


def test_a_line_break_inside_a_name_does_not_join_it() -> None:
    found = scores(RoundTrip(entry()).judgements(LETTERS, replies(["It rains or snows.", "p1 ∨ p\n2"])))
    assert found["truth"] == 0


def test_a_symbol_with_another_arity_is_invalid_and_no_error_of_a_prover() -> None:
    of_formula, _ = RoundTrip(entry()).judgements(ITEM, replies([ENGLISH, "∀x (Cube(x, x) → Small(x))"]))
    assert (of_formula.outcome, of_formula.verdict, of_formula.means) == ("answered", "invalid", "signature")


def test_the_scope_of_a_dot_reaches_to_the_end() -> None:
    found = scores(RoundTrip(entry()).judgements(ITEM, replies([ENGLISH, "∀x. Cube(x) → Small(x)"])))
    assert found["truth"] == 1


@pytest.mark.parametrize(
    ("answer", "true"), [("1(01)*", 0), ("(10)*", 0), ("(01", 0), ("(01)**", 1), ("(01)*(01)*", 1)]
)
def test_expressions_are_compared_with_letters_and_start_and_read_whole(answer: str, true: int) -> None:
    found = scores(RoundTrip(entry()).judgements(WORDS, replies(["so it is said", answer])))
    assert found["truth"] == true
    assert found["compliance"] == float(answer != "(01")


def test_signs_and_their_binding_are_told() -> None:
    for given in ([], replies([ENGLISH])):
        step = following(RoundTrip(entry()), ITEM, given)
        assert isinstance(step, Step)
        assert "∧ binds closest, then ∨, ⊕, → and ↔" in step.system
