"""Common to all tasks: metrics, samples of items, prompts, and forms of answers."""

from dataclasses import replace
from pathlib import Path

import jinja2
import pytest
from tests import examples
from tests.examples import CUBES as GOLD
from tests.examples import ROOT, said

from nlfol.asking.asking import sample
from nlfol.facts import FACTS
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.reading import parse
from nlfol.randomness import generator
from nlfol.sets.audited import Plan, ranking_set
from nlfol.tasks.answers import (
    MAX_ANSWER,
    AnswerError,
    index_schema,
    order_schema,
    read_index,
    read_order,
    read_text,
    text_schema,
)
from nlfol.tasks.entry import FormulaLimits, Limits
from nlfol.tasks.item import Item, Member
from nlfol.tasks.plan import PromptError, Prompts
from nlfol.tasks.registry import TASKS

RANKED = ranking_set(parse(GOLD), derive([parse(GOLD)]), Plan(3), generator(1))
SENTENCE = examples.item(GOLD, "Every cube is small.", RANKED)
PROBLEM = replace(SENTENCE, problem=examples.CATS)


KEYS = {"round_trip": {"meteor": "/wordnet", "bertscore": {"model": "m"}}}
"""Keys of entries that have metrics of their own."""


def test_tasks_declare_their_metrics() -> None:
    for kind, task in TASKS.items():
        assert task.kind == kind
        built = task(task.entry_type.model_validate({"task": kind, **KEYS.get(kind, {})}))
        declared = {*task.metrics, *task.other_metrics}
        about = PROBLEM if task.takes == {"problems"} else SENTENCE
        lost = {metric for lost in built.lost(about, "failed", None, None) for metric in lost.scores}
        assert lost - {"on_boards"} == declared
        assert set(task.metrics) <= built.chance(about).scores.keys() <= declared
        assert all(map(task.facts.rates, task.metrics))
        assert not any(map(task.facts.rates, task.other_metrics))
        assert FACTS[kind] is task.facts
    assert {kind for kind, task in TASKS.items() if task.facts.has_candidates} == {"most_similar", "ranking"}


def test_larger_sample_contains_smaller_sample() -> None:
    items = [replace(SENTENCE, source=str(number), item=f"w1:{number}") for number in range(40)]
    few, more = sample(items, 5, 1), sample(items, 10, 1)
    assert len(few) == 5
    assert [each for each in more if each in few] == few
    assert sample(items[::-1], 5, 1) == few[::-1]
    assert sample(items, None, 1) == sample(items, 99, 1) == items
    assert few != sample(items, 5, 2)
    corrected = [replace(each, formula="Cube(b)", text="In other words.") for each in items]
    assert [each.item for each in sample(corrected, 5, 1)] == [each.item for each in few]


def test_answer_schema_puts_reasoning_before_answer() -> None:
    for schema in (text_schema(40, 50), index_schema(3, 50), order_schema(3, 50)):
        assert list(schema["properties"]) == schema["required"] == ["reasoning", "answer"]
        assert schema["additionalProperties"] is False
        assert schema["properties"]["reasoning"]["maxLength"] == 200
    assert text_schema(40, 50)["properties"]["answer"] == {"type": "string", "maxLength": 40}


def test_answers_are_converted_to_zero_based() -> None:
    assert read_text(said("Cube(a)")) == "Cube(a)"
    assert read_index(said(2), 3) == 1
    assert read_order(said([3, 1, 2]), 3) == [2, 0, 1]


@pytest.mark.parametrize(
    "text",
    ["", "1", "[]", "{}", "Cube(a)", '{"answer": 1}', said(1)[:-1], said(1) + " x", said(1)[:-1] + ', "extra": 2}'],
)
def test_malformed_answer_object_is_refused(text: str) -> None:
    with pytest.raises(AnswerError):
        read_index(text, 3, 50)


@pytest.mark.parametrize("value", [0, 4, -1, "1", 1.0, True, None, [1]])
def test_index_answer_must_be_shown_number(value: object) -> None:
    with pytest.raises(AnswerError):
        read_index(said(value), 3)


@pytest.mark.parametrize("value", [[], [1, 2], [1, 2, 2], [0, 1, 2], [1, 2, 3, 4], ["1", 2, 3], 123])
def test_order_answer_must_be_permutation(value: object) -> None:
    with pytest.raises(AnswerError):
        read_order(said(value), 3)


def test_answer_size_and_depth_are_bounded() -> None:
    with pytest.raises(AnswerError, match="characters"):
        read_text(said("x" * MAX_ANSWER))
    for text in ("[" * 100_000, said(1)[:-1] + "0" * 5_000 + "}"):
        with pytest.raises(AnswerError):
            read_index(text, 3)


PROMPTS = ROOT / "resources" / "prompts"
LARGER = "∀x (Cube(x) → LargerThan(x, b))"
MEMBERS = (Member(LARGER, "Gold in English.", "gold"), Member("Cube(b)", "Other in English.", "perturbation"))


def item(text: str = "Every cube is larger than b.") -> Item:
    return examples.item(LARGER, text, members=MEMBERS)


def prompt(
    task: str, presentation: str, order: list[int], asked: Item | None = None, *, blind: bool = False
) -> tuple[str, str]:
    known = {"limits": FormulaLimits(formula=80), "reasoning": 70, "protocol": "audited", "blind": blind}
    return Prompts(PROMPTS).turns(f"{task}/", asked or item(), presentation, order, **known)


def test_translation_prompt_shows_symbols_and_hides_gold() -> None:
    system, user = prompt("logical_translation", "", [])
    assert "Cube(x)" in system
    assert "LargerThan(x, y): x is larger than y" in system
    assert "- b: b" in system
    assert user == "Sentence: Every cube is larger than b."
    assert "→ LargerThan" not in system


@pytest.mark.parametrize("task", ["most_similar", "ranking"])
def test_candidates_are_shown_in_order_and_requested_presentation(task: str) -> None:
    _, formulas = prompt(task, "formula", [1, 0])
    assert formulas.index("1: Cube(b)") < formulas.index(f"2: {LARGER}")
    assert "English" not in formulas
    system, english = prompt(task, "english", [0, 1])
    assert english.index("1: Gold in English.") < english.index("2: Other in English.")
    assert "Cube(" not in english + system


@pytest.mark.parametrize("task", ["logical_translation", "most_similar", "ranking"])
@pytest.mark.parametrize("presentation", ["formula", "english"])
def test_system_turn_contains_output_contract(task: str, presentation: str) -> None:
    system, _ = prompt(task, presentation, [0, 1])
    assert '"reasoning"' in system
    assert '"answer"' in system
    assert "in at most 70 tokens (280 characters)" in system
    assert "gold" not in system.lower()


def test_instance_appears_in_user_turn_only() -> None:
    other = item("Another sentence.")
    for task in ("most_similar", "ranking"):
        assert prompt(task, "formula", [0, 1])[0] == prompt(task, "formula", [1, 0], other)[0]


@pytest.mark.parametrize("task", ["most_similar", "ranking"])
@pytest.mark.parametrize("presentation", ["formula", "english"])
def test_blind_prompt_is_independent_from_sentence(task: str, presentation: str) -> None:
    other = item("Another sentence.")
    asked, of_other = (prompt(task, presentation, [0, 1], one, blind=True) for one in (item(), other))
    assert asked == of_other
    assert "withheld from you" in asked[0]
    assert asked[1] in prompt(task, presentation, [0, 1])[1]


def test_dataset_text_is_never_rendered_as_template() -> None:
    text = "{{ 7 * 7 }} {% raw %}"
    assert prompt("logical_translation", "", [], item(text))[1] == f"Sentence: {text}"


def test_undefined_template_name_raises(tmp_path: Path) -> None:
    (tmp_path / "ranking").mkdir()
    for part in ("system", "user"):
        (tmp_path / "ranking" / f"{part}.jinja").write_text("{{ nonsense }}")
        with pytest.raises(jinja2.UndefinedError, match="nonsense"):
            Prompts(tmp_path).render(f"ranking/{part}", item(), "formula", [0, 1], limits=Limits())


def test_missing_prompt_error_suggests_nearest(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/systm.jinja").write_text("")
    with pytest.raises(PromptError, match=rf"no prompt mine/system\.jinja in {tmp_path} \(did you mean mine/systm"):
        Prompts(tmp_path).render("mine/system", item())


def test_propositional_prompt_omits_quantifiers() -> None:
    ontology = derive([parse("rain ∧ snow", propositions=True)])
    rainy = Item("w1:0", "w1", "It rains.", "rain", ontology, (), "propositional")
    text = Prompts(PROMPTS).render("logical_translation/system", rainy, limits=FormulaLimits(), reasoning=1)
    assert "propositional logic" in text
    assert "∀" not in text
    asked = Prompts(PROMPTS).render("logical_translation/system", item(), limits=FormulaLimits(), reasoning=1)
    assert "propositional" not in asked
