"""Questions of each strategy, and the program that counts. The models are scripted; the solvers are not."""

import json
from dataclasses import replace
from itertools import product, takewhile
from typing import Any

import pytest
from tests.examples import CATS, COLD, family, forms
from tests.unit.tasks.problem_items import (
    BROKEN,
    SETTING,
    WHOLE,
    Answer,
    Talk,
    around,
    examples_of,
    item,
    items,
    lines,
    talk,
    task,
)

from nlfol.problems.families import FAMILIES
from nlfol.problems.problem import Problem
from nlfol.problems.rewording import Settings, diversify
from nlfol.tasks.item import Item, labels
from nlfol.tasks.item_rows import ProblemItems
from nlfol.tasks.plan import Reply, Step
from nlfol.tasks.program import ProgramEntry, exemplars
from nlfol.tasks.program_answers import Attempt
from nlfol.tasks.reference import Manner, dialogue
from nlfol.tasks.shown import EXAMPLES, pieces_of
from nlfol.tasks.strategies import STRATEGIES, StrategyName

UNITS = {"units": [{"place": "1", "unit": "Bob is cold"}, {"place": "query", "unit": "Bob is sad"}]}
SAID = {"units": [{"unit": 1, "line": "Cold(bob, True)"}, {"unit": 2, "line": "Sad(bob, True)"}]}
OTHER = lines("Cold(bob, True)", "Cold($x, True) >>> Sad($x, False)", query="Sad(bob, True)")


def shown_by(strategy: str, *answers: Answer) -> list[str]:
    """Return the texts of the system and user turns of a strategy's dialogue on one problem, without examples."""
    return [text for step in talk(task(strategy), COLD, *answers).steps for text in (step.system, step.user)]


@pytest.mark.parametrize(
    ("strategy", "answers"),
    [("direct", (WHOLE,)), ("refine", (BROKEN, WHOLE)), ("divide", (UNITS, SAID, BROKEN, WHOLE))],
)
def test_baseline_prompts_omit_concept_naming(strategy: str, answers: tuple[Answer, ...]) -> None:
    told = " ".join(shown_by(strategy, *answers)).lower()
    assert not [words for words in ("concept", "one name", "same name", "same line", "another word") if words in told]


def test_tuned_prompt_adds_single_paragraph_to_direct() -> None:
    (direct, asked), (tuned, same) = shown_by("direct", WHOLE), shown_by("tuned", WHOLE)
    assert asked == same
    same_characters = takewhile(lambda pair: pair[0] == pair[1], zip(direct, tuned, strict=False))
    start = "".join(character for character, _ in same_characters)
    rest = direct.removeprefix(start)
    assert rest
    assert tuned.endswith(rest)
    assert "Use one name for one thing" in tuned[len(start) : -len(rest)]


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("strategy", ["tuned", "concept_table", "concept_table_stepwise"])
def test_varied_examples_use_synonyms_and_execute(name: str, strategy: StrategyName) -> None:
    problem, chosen = family(name)[0], STRATEGIES[strategy]
    asked = task(strategy, shots=5, language=problem.language)
    shown = exemplars(problem, asked.language_of(problem), 5, around([problem]), chosen, varied=True)
    plain = exemplars(problem, asked.language_of(problem), 5, around([problem]), STRATEGIES["direct"])
    rows: list[list[str]] = []
    for varied, example, base in zip(examples_of(name, varied=True), shown, plain, strict=True):
        assert example["text"] != base["text"]
        shown_answer: Any = json.loads(example["formula"])
        answers: list[Any] = shown_answer if isinstance(shown_answer, list) else [shown_answer]
        replies = [Reply("", "answered", json.dumps(answer)) for answer in answers]
        found = chosen.result(asked.about(replace(item(varied, task("direct")), problem=varied)), replies)
        assert isinstance(found, Attempt)
        assert found.execution is not None
        assert found.execution.answer == varied.answer
        assert found.written is not None
        rows += [list(expressions) for _, expressions in found.written.table]
        if strategy == "tuned":
            assert example["formula"] == base["formula"]
    assert strategy == "tuned" or any(len(row) > 1 for row in rows)


def test_varied_direct_prompt_lacks_tuned_instruction_only() -> None:
    direct, tuned = (task(strategy, shots=5, examples="varied") for strategy in ("direct", "tuned"))
    first, other = (items(family("rules", 1), each)[0] for each in (direct, tuned))
    assert first.exemplars == other.exemplars != items(family("rules", 1), task(shots=5))[0].exemplars
    (plain,), (told,) = (talk(asked, about, None).steps for asked, about in ((direct, first), (tuned, other)))
    assert (plain.user, plain.schema) == (told.user, told.schema)
    examples = [[text for part, text in pieces_of(step.system) if part == EXAMPLES] for step in (plain, told)]
    assert examples[0] == examples[1] != []
    assert "Use one name for one thing" in told.system
    assert "Use one name for one thing" not in plain.system


def test_truncated_step_ends_dialogue() -> None:
    for strategy in ("concept_table_stepwise", "divide"):
        assert talk(task(strategy), CATS, None).verdict == ("truncated", "truncated", 0)


@pytest.mark.parametrize("strategy", ["concept_table_stepwise", "divide"])
def test_unfinished_program_dialogue_is_rejected_by_judge(strategy: str) -> None:
    asked = task(strategy)
    about = item(CATS, asked)
    first = dialogue(asked.plan(SETTING), asked.reference("reader", [about]), about, "", 0)[0][1]
    with pytest.raises(ValueError, match="ends before its plan does"):
        asked.judge(about, [first])


def test_concept_table_is_kept_with_program() -> None:
    row = {"symbol": "Cold", "arity": 1, "expressions": ["cold", "chilly"]}
    found = talk(task("concept_table"), COLD, {"table": [row], **WHOLE})
    assert found.verdict == ("answered", None, 1)
    written = found.task.written(found.item, found.replies)
    assert written is not None
    assert written.table == (("Cold", ("cold", "chilly")),)
    assert list(found.steps[0].schema["properties"]) == ["table", "lines", "query"]
    assert talk(task("concept_table"), COLD, WHOLE).verdict == ("unparsable", None, 0)
    assert talk(task("direct"), COLD, {"table": [row], **WHOLE}).verdict == ("unparsable", None, 0)


def divide(*answers: Answer) -> Talk:
    return talk(task("divide"), COLD, *answers)


def test_divide_strategy_judges_checked_program_after_four_steps() -> None:
    found = divide(UNITS, SAID, BROKEN, WHOLE)
    assert found.parts == ["division", "translation", "composition", "check"]
    assert found.verdict == ("answered", "completed", 1)
    assert len({step.system for step in found.steps}) == 1
    assert [len(step.earlier) for step in found.steps] == [0, 2, 4, 6]
    assert "1. (1) Bob is cold\n2. (query) Bob is sad" in found.steps[1].user
    assert found.steps[1].schema["properties"]["units"]["maxItems"] == 2
    assert "The solver reports: line" in found.steps[3].user
    executed = divide(UNITS, SAID, WHOLE, OTHER)
    assert "The solver executes it." in executed.steps[3].user
    assert executed.verdict == ("answered", "completed", 0)
    assert divide(UNITS, SAID, WHOLE, "nonsense").verdict == ("unparsable", "completed", 0)
    unlike: list[list[Answer]] = [["nonsense"], [{"units": []}], [UNITS, WHOLE]]
    for answers in unlike:
        assert divide(*answers).verdict == ("unparsable", "unparsable", 0)


@pytest.mark.parametrize("name", ["rules", "proofs", "order"])
def test_divide_prompt_shows_readable_unit_translations(name: str) -> None:
    asked = task("divide")
    about = item(family(name)[0], asked)
    words, language = asked.about(about).language.words, asked.about(about).language
    lines = tuple(line for _, line in words.units)
    whole = (f"{' && '.join(lines[:-1])} >>> {lines[-1]}",) if name == "rules" else lines
    assert len(language.numbered(whole).symbols) >= 2
    steps = [step for step, _ in dialogue(asked.plan(SETTING), asked.reference("reader", [about]), about, "", 0)]
    first, second = (step.user for step in steps[:2])
    assert f'For "{words.sentence}", the units are' in first
    for unit, line in words.units:
        assert f'"{unit}"' in first
        assert line in second


def is_first(step: Step) -> bool:
    """Return whether a comparison shows the broken program first."""
    first, second = step.user.split("Program 2:")
    found = [BROKEN["lines"][1]["line"] in program for program in (first, second)]
    assert sum(found) == 1
    return found[0]


def pairwise(*answers: Answer | bool, rounds: int = 2, problem: Problem = COLD, **keys: Any) -> Talk:
    """Have truth values choose the correction, or the broken program before it, wherever they are shown."""
    left = iter(answers)

    def script(step: Step) -> Answer:
        answer = next(left)
        return {"answer": 1 if is_first(step) is not answer else 2} if isinstance(answer, bool) else answer

    found = talk(task("refine_pairwise", rounds=rounds, **keys), problem, by=script)
    assert not list(left)
    return found


def test_pairwise_refinement_drops_worse_program() -> None:
    kept = pairwise(BROKEN, WHOLE, True)
    assert kept.parts == ["program", "refinement", "comparison"]
    assert kept.verdict == ("answered", "executed", 1)
    # A correction that runs and says something else is dropped, and what is asked then is another request.
    dropped = pairwise(BROKEN, OTHER, False, WHOLE, True)
    assert dropped.parts == ["program", "refinement", "comparison", "refinement", "comparison"]
    assert dropped.verdict == ("answered", "executed", 1)
    first, second = dropped.steps[1], dropped.steps[3]
    assert (first.draw, second.draw) == (0, 1)
    assert first.earlier == second.earlier
    assert "A correction was made already and dropped" in second.user
    assert "dropped" not in first.user
    over = pairwise(BROKEN, OTHER, False, OTHER, False)
    assert over.verdict == ("unparsable", "rounds", 0)
    assert pairwise(WHOLE).verdict == ("answered", "executed", 1)


def test_pairwise_comparison_order_is_randomized() -> None:
    orders = set()
    for number in range(8):
        found = pairwise(BROKEN, OTHER, False, WHOLE, True, problem=replace(COLD, name=f"cold {number}"))
        assert found.verdict == ("answered", "executed", 1)
        orders |= {is_first(step) for step in found.steps[2::2]}
        # Orders of candidates are kept beside scores; these are none.
        assert not any(step.order for step in found.steps)
    assert orders == {True, False}


def test_pairwise_refinement_skips_comparison_without_program() -> None:
    assert pairwise("nonsense", WHOLE).parts == ["program", "refinement"]
    assert pairwise("nonsense", WHOLE).verdict == ("answered", "executed", 1)
    worse = pairwise(BROKEN, "nonsense", None)
    assert worse.parts == ["program", "refinement", "refinement"]
    assert worse.verdict == ("unparsable", "rounds", 0)
    assert pairwise(BROKEN, BROKEN, BROKEN).parts == ["program", "refinement", "refinement"]
    assert pairwise(None).verdict == ("truncated", "truncated", 0)
    # A comparison that says nothing keeps what was there.
    for nothing in (None, "nonsense", {"answer": 3}):
        assert pairwise(BROKEN, OTHER, nothing, rounds=1).verdict == ("unparsable", "rounds", 0)


@pytest.mark.parametrize("part", [0, 1, 2])
def test_failed_request_ends_pairwise_dialogue_as_failed(part: int) -> None:
    asked = task("refine_pairwise")
    about = item(COLD, asked)
    replies = [Reply("", "answered", json.dumps(answer), (0, 1)) for answer in (BROKEN, WHOLE)][:part]
    replies.append(Reply("", "failed", None, error="gone"))
    found = asked.judge(about, replies)
    assert (found.outcome, found.stop, found.detail) == ("failed", "failed", "gone")


@pytest.mark.parametrize("reasoning", [20, 0])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_strategy_prompts_match_language_and_reasoning(strategy: str, reasoning: int) -> None:
    asked = task(strategy, shots=1, reasoning=reasoning, rounds=None)
    for name, notation in (("rules", ">>>"), ("proofs", "∀x"), ("order", "AllDifferentConstraint")):
        about = items(family(name), asked)[0]
        for step, _ in dialogue(asked.plan(SETTING), asked.reference("reader", [about]), about, "", 0):
            assert notation in step.system
            assert ("reasoning" in step.system + step.user) is (reasoning > 0)
            assert ("reasoning" in step.schema["properties"]) is (reasoning > 0)
            assert about.exemplars[0].text in step.system
            assert "\n\n\n" not in step.system + step.user
    words = {"tuned": "one name", "concept_table": "make a table", "concept_table_stepwise": "table of concepts"}
    assert words.get(strategy, "") in step.system


def test_items_keep_mentions_only_for_strategies_that_use_words() -> None:
    for strategy, chosen in STRATEGIES.items():
        (about,) = items(family("rules", 1), task(strategy))
        assert bool(about.asked.statements[0].mentions) is chosen.wants_words


def test_strategy_keys_are_rejected_for_other_strategies() -> None:
    values: dict[str, Any] = {"rounds": 2, "corrections": 3, "refines": "all", "drafts": 4}
    assert {key for chosen in STRATEGIES.values() for key in chosen.keys} == values.keys()
    for (strategy, chosen), (key, value) in product(STRATEGIES.items(), values.items()):
        if key in chosen.keys:
            assert getattr(ProgramEntry(strategy=strategy, **{key: value}), key) == value
        else:
            with pytest.raises(ValueError, match=f"{key} is a key of the strategy .*, not of {strategy}; remove it"):
                ProgramEntry(strategy=strategy, **{key: value})
    bounds = {name: task(name).plan(SETTING).most_steps(item(CATS, task(name))) for name in STRATEGIES}
    steps = {"concept_table_stepwise": 3, "refine": 4, "refine_pairwise": 7, "divide": 4, "majority": 10}
    assert bounds == {name: steps.get(name, 1) for name in STRATEGIES}
    more = {"divide": ({"drafts": 5}, 7), "refine_pairwise": ({"rounds": 2, "corrections": 3}, 13)}
    for name, (keys, most) in more.items():
        assert task(name, **keys).plan(SETTING).most_steps(item(CATS, task(name))) == most


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_reader_is_right_and_lossy_references_lose(name: str, strategy: str) -> None:
    asked = task(strategy, shots=1, reasoning=20)
    about = items(family(name), asked)
    plan = asked.plan(SETTING)

    def right(kind: str, manner: Manner) -> float:
        reference = asked.reference(kind, about, manner)
        scores = []
        for each in about:
            talked = dialogue(plan, reference, each, "", 0)
            for step, reply in talked:
                asked.check(each, step.part, reply.text or "")
            judged = asked.judge(each, [reply for _, reply in talked])
            scores.append(judged.scores["right"])
            if kind == "reader":
                assert (judged.scores["executable"], judged.repairs) == (1, ())
                least = plan.most_steps(each) if strategy in ("divide", "concept_table_stepwise", "majority") else 1
                assert len(talked) == least <= plan.most_steps(each)
        return sum(scores) / len(scores)

    assert right("reader", Manner()) == 1
    assert right("drifting", Manner(probability=0.0, labels=(7, "toy"))) == 1
    assert right("drifting", Manner(probability=1.0, labels=(7, "toy"))) < 0.5
    assert right("merging", Manner()) < 0.5
    if name != "order":
        # Nothing follows from a program about nothing, which is right where that is the answer.
        unsaid = ["unknown" if "unknown" in labels(each.asked).values() else "false" for each in about]
        floor = sum(each.formula == word for each, word in zip(about, unsaid, strict=True)) / len(about)
        assert right("vacuous", Manner()) == floor


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_drifting_reference_depends_on_seed_and_problem(strategy: str) -> None:
    asked = task(strategy)
    about = items(family("rules"), asked)

    def said(*labels: str | int) -> list[str | None]:
        reference = asked.reference("drifting", about, Manner(probability=0.5, labels=labels))
        plan = asked.plan(SETTING)
        return [reply.text for each in about for _, reply in dialogue(plan, reference, each, "", 0)]

    assert said(7, "toy") == said(7, "toy") != said(8, "toy")


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_reworded_problem_shares_examples_and_drift_with_original(name: str, strategy: str) -> None:
    originals, asked = family(name), task(strategy)
    reworded = [
        each for each in (diversify(each, forms(), Settings(), 7).problem for each in originals) if each.rewrites
    ]
    around_reworded = replace(around(reworded), originals={each.name: each for each in originals})
    build = ProblemItems(reworded, asked, around_reworded)
    others = [Item.from_row(row) for row in map(build.row, reworded) if row["status"] == "usable"]
    before = {each.item: each for each in items(originals, asked)}
    drift = asked.reference("drifting", [], Manner(probability=0.5, labels=(7,)))

    def score(about: Item) -> float:
        exchanged = dialogue(asked.plan(SETTING), drift, about, "", 1)
        return asked.judge(about, [reply for _, reply in exchanged]).scores["right"]

    assert others
    for other in others:
        own = before[other.item]
        assert other.text != own.text
        assert (other.source, other.exemplars) == (own.source, own.exemplars)
        assert score(other) == score(own)
