from pathlib import Path

import jinja2
import pytest
from tests import examples
from tests.examples import ROOT

from nlfol.logic.reading import parse
from nlfol.ontology.derivation import derive
from nlfol.tasks.entry import FormulaLimits, Limits
from nlfol.tasks.item import Item, Member
from nlfol.tasks.plan import Prompts

PROMPTS = ROOT / "resources" / "prompts"
GOLD = "∀x (Cube(x) → LargerThan(x, b))"
MEMBERS = (Member(GOLD, "Gold in English.", "gold"), Member("Cube(b)", "Other in English.", "perturbation"))


def item(text: str = "Every cube is larger than b.") -> Item:
    return examples.item(GOLD, text, members=MEMBERS)


def prompt(task: str, presentation: str, order: list[int], asked: Item | None = None) -> tuple[str, str]:
    limits = FormulaLimits(reasoning=70, formula=80)
    return Prompts(PROMPTS).turns(f"{task}/", asked or item(), presentation, order, limits=limits, protocol="audited")


def test_translation_shows_symbols_and_sentence_but_not_the_gold_formula() -> None:
    system, user = prompt("logical_translation", "", [])
    assert "Cube(x)" in system
    assert "LargerThan(x, y): x is larger than y" in system
    assert "- b: b" in system
    assert user == "Sentence: Every cube is larger than b."
    assert "→ LargerThan" not in system


@pytest.mark.parametrize("task", ["most_similar", "ranking"])
def test_candidates_are_shown_in_order_and_as_asked(task: str) -> None:
    _, formulas = prompt(task, "formula", [1, 0])
    assert formulas.index("1: Cube(b)") < formulas.index(f"2: {GOLD}")
    assert "English" not in formulas
    system, english = prompt(task, "english", [0, 1])
    assert english.index("1: Gold in English.") < english.index("2: Other in English.")
    assert "Cube(" not in english + system


@pytest.mark.parametrize("task", ["logical_translation", "most_similar", "ranking"])
@pytest.mark.parametrize("presentation", ["formula", "english"])
def test_the_output_contract_stands_in_every_system_turn(task: str, presentation: str) -> None:
    system, _ = prompt(task, presentation, [0, 1])
    assert '"reasoning"' in system
    assert '"answer"' in system
    assert "70 characters" in system
    assert "gold" not in system.lower()


def test_the_instance_stands_in_the_user_turn_alone() -> None:
    other = item("Another sentence.")
    for task in ("most_similar", "ranking"):
        assert prompt(task, "formula", [0, 1])[0] == prompt(task, "formula", [1, 0], other)[0]


def test_what_a_dataset_holds_is_never_a_template() -> None:
    text = "{{ 7 * 7 }} {% raw %}"
    assert prompt("logical_translation", "", [], item(text))[1] == f"Sentence: {text}"


def test_an_unknown_name_in_a_template_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "ranking").mkdir()
    for part in ("system", "user"):
        (tmp_path / "ranking" / f"{part}.jinja").write_text("{{ nonsense }}")
        with pytest.raises(jinja2.UndefinedError, match="nonsense"):
            Prompts(tmp_path).render(f"ranking/{part}", item(), "formula", [0, 1], limits=Limits(reasoning=1))


def test_propositional_sentences_are_asked_for_without_quantifiers() -> None:
    ontology = derive([parse("rain ∧ snow", propositions=True)])
    rainy = Item("w1:0", "w1", "It rains.", "rain", ontology, (), "propositional")
    text = Prompts(PROMPTS).render("logical_translation/system", rainy, limits=FormulaLimits())
    assert "propositional logic" in text
    assert "∀" not in text
    asked = Prompts(PROMPTS).render("logical_translation/system", item(), limits=FormulaLimits())
    assert "propositional" not in asked
