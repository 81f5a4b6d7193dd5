"""Questions about a story that notice every edit of a premise."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from tests.unit.problems.published import published

import adequate_problems
import diversify_problems
import ingest_problems
from nlfol.config import read_configuration
from nlfol.data.entries.adequate import AdequateEntry
from nlfol.data.entries.folio import FolioEntry
from nlfol.data.entries.problems import shipped_lexicon
from nlfol.logic import Formula, Label, entails, equivalence, holds, parse
from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.english.reading import read_english
from nlfol.logic.measuring import signature
from nlfol.logic.mistakes import EditKind
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.ontology.files import Ontologies
from nlfol.problems import Problem
from nlfol.problems.adequacy.candidates import candidates
from nlfol.problems.adequacy.mutants import EQUIVALENT, SEEN, Fate, mutants
from nlfol.problems.adequacy.neighbours import WIDTH, neighbours
from nlfol.problems.adequacy.selecting import Adequate, choose
from nlfol.problems.adequacy.stories import adequate, score, stories
from nlfol.problems.adequacy.story import StoryError, opposite
from nlfol.problems.families import generate
from nlfol.problems.problem import Statement
from nlfol.problems.programs.outcome import Truth
from nlfol.store import files
from nlfol.store.problem_schemas import MUTANTS, PROBLEMS
from nlfol.store.records import SourceError
from nlfol.tasks.adequate import adequate_stories

INFINITE = "∀x ¬R(x, x) ∧ ∀x ∃y R(x, y) ∧ ∀x ∀y ∀z (R(x, y) ∧ R(y, z) → R(x, z))"
STORY = tuple(map(parse, ("∀x (Cat(x) → Shy(x))", "Cat(tom) ∧ ¬Tall(tom)", "∀x (Shy(x) → ¬Loud(x))")))


@pytest.fixture(scope="module")
def chosen() -> Adequate:
    return choose(STORY, Random(1))


def changed(place: int, formula: Formula) -> list[Formula]:
    return [*STORY[:place], formula, *STORY[place + 1 :]]


def answer(premises: list[Formula], conclusion: Formula) -> str:
    found = entails(premises, conclusion, with_evidence=False)
    return "contradictory" if found.inconsistent else found.label.value


def test_every_other_story_of_one_edit_is_noticed(chosen: Adequate) -> None:
    assert score(chosen.fates) == (sum(fate in SEEN for fate in chosen.fates),) * 2
    assert len(chosen.conclusions) <= 24
    kinds = {mutant.kind for mutant, fate in zip(chosen.mutants, chosen.fates, strict=True) if fate is Fate.NOTICED}
    assert {EditKind.ADDED, EditKind.DROPPED, EditKind.CONVERSE, EditKind.QUANTIFIER, EditKind.NAMES} - kinds <= {
        EditKind.NAMES
    }


def test_conclusions_have_the_truth_that_is_proven(chosen: Adequate) -> None:
    labels = {Truth.TRUE: Label.TRUE, Truth.FALSE: Label.FALSE, Truth.UNKNOWN: Label.UNCERTAIN}
    for conclusion in chosen.conclusions:
        assert entails(STORY, conclusion.formula).label is labels[conclusion.truth]


def test_noticed_mutants_change_the_answers_that_are_named(chosen: Adequate) -> None:
    told = list(zip(chosen.mutants, chosen.fates, chosen.noticed_by, strict=True))
    for mutant, fate, noticed_by in told[::9]:
        assert bool(noticed_by) is (fate in SEEN)
        for place in noticed_by[:2]:
            conclusion = chosen.conclusions[place].formula
            assert answer([*STORY], conclusion) != answer(changed(mutant.premise, mutant.formula), conclusion)


def test_equivalent_mutants_are_proven_to_leave_the_story(chosen: Adequate) -> None:
    told = [pair for pair in zip(chosen.mutants, chosen.fates, strict=True) if pair[1] in EQUIVALENT]
    assert Fate.SAME_STORY in {fate for _, fate in told}
    for mutant, fate in told[::7]:
        other = changed(mutant.premise, mutant.formula)
        assert entails(STORY, mutant.formula).label is Label.TRUE
        assert entails(other, STORY[mutant.premise]).label is Label.TRUE
        same = equivalence(STORY[mutant.premise], mutant.formula).outcome is Outcome.EQUIVALENT
        assert same is (fate is Fate.SAME_MEANING)


def test_conclusions_have_labels_in_equal_numbers(chosen: Adequate) -> None:
    counts = Counter(conclusion.truth for conclusion in chosen.conclusions)
    assert len(counts) == 3
    assert max(counts.values()) - min(counts.values()) <= 1


def test_edits_of_redundant_premises_are_listed_as_such() -> None:
    told = [parse(text) for text in ("∀x (Cat(x) → Shy(x))", "Cat(tom)", "Shy(tom)")]
    made = choose(told, Random(1))
    reasons = {fate for mutant, fate in zip(made.mutants, made.fates, strict=True) if mutant.premise == 2}
    assert Fate.REDUNDANT in reasons
    assert Fate.REDUNDANT not in {
        fate for mutant, fate in zip(made.mutants, made.fates, strict=True) if mutant.premise == 1
    }


def test_another_premise_added_leaves_the_story_and_is_not_noticed(chosen: Adequate) -> None:
    both = parse(f"({STORY[1]}) ∧ {STORY[2]}")
    assert {answer([*STORY], one.formula) == answer(changed(1, both), one.formula) for one in chosen.conclusions} == {
        True
    }


@pytest.mark.parametrize("place", range(3))
def test_dropped_premises_and_copies_of_a_neighbour_change_an_answer(place: int, chosen: Adequate) -> None:
    for other in (parse("Cat(tom) ∨ ¬Cat(tom)"), STORY[(place + 1) % 3]):
        answers = [answer(changed(place, other), one.formula) for one in chosen.conclusions]
        assert answers != [answer([*STORY], one.formula) for one in chosen.conclusions]


def test_no_premises_answer_a_third(chosen: Adequate) -> None:
    right = [one.truth is Truth.UNKNOWN for one in chosen.conclusions]
    assert sum(right) / len(right) == pytest.approx(1 / 3, abs=0.02)
    assert all(
        answer([parse("Cat(x1) → Cat(x1)".replace("x1", "tom"))], one.formula) == "uncertain"
        for one in chosen.conclusions
    )


def test_contradictory_premises_are_refused() -> None:
    with pytest.raises(StoryError, match="contradict"):
        choose([parse("Cat(tom)"), parse("¬Cat(tom)")], Random(1))


def test_equal_stories_get_equal_conclusions(chosen: Adequate) -> None:
    assert choose(STORY, Random(1)) == chosen
    assert [one.formula for one in choose(STORY, Random(2)).conclusions] != [one.formula for one in chosen.conclusions]


def test_fewer_conclusions_notice_less_and_the_rest_is_listed() -> None:
    few = choose(STORY, Random(1), most=3)
    assert len(few.conclusions) <= 3
    assert Fate.UNNOTICED in few.fates


def test_neighbours_have_all_premises_or_all_but_one() -> None:
    family = neighbours(STORY)
    assert family is not None
    symbols = signature(*STORY)
    for place in (0, 7, WIDTH - 1, WIDTH + 3):
        structure = family.structure(place, symbols)
        true = [holds(premise, structure) for premise in STORY]
        assert true == [bool((family.truth(premise) or 0) >> place & 1) for premise in STORY]
        assert sum(true) >= len(STORY) - 1


def test_premises_of_many_variables_have_small_neighbours() -> None:
    text = "∀x ∀y ∀z ∀w ∀u (R(x, y) ∧ R(y, z) ∧ R(z, w) ∧ R(w, u) → S(x, u))"
    premises = [parse(text), *map(parse, ("R(a, b)", "R(b, c)", "S(d, e)"))]
    family = neighbours(premises)
    assert family is not None
    assert family.truth(premises[0])


def test_mutants_are_closed_and_each_is_listed_once() -> None:
    found = list(mutants(STORY))
    assert len({(mutant.premise, mutant.formula) for mutant in found}) == len(found)
    assert not any(mutant.formula.profile.free for mutant in found)
    assert (1, EditKind.DROPPED, parse("Cat(tom)")) in found
    assert (1, EditKind.CONNECTIVE, parse("Cat(tom) ∨ ¬Tall(tom)")) in found
    assert any(mutant.kind is EditKind.ADDED for mutant in found)


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("∀x (Cat(x) → Shy(x))", "∃x (Cat(x) ∧ ¬Shy(x))"),
        ("∃x (Cat(x) ∧ ¬Shy(x))", "∀x (Cat(x) → Shy(x))"),
        ("Cat(tom) → ¬Shy(tom)", "Cat(tom) ∧ Shy(tom)"),
        ("¬Cat(tom)", "Cat(tom)"),
    ],
)
def test_opposites_are_negations(text: str, denied: str) -> None:
    assert opposite(parse(text)) is parse(denied)
    assert equivalence(opposite(parse(text)), parse(f"¬({text})")).outcome is Outcome.EQUIVALENT


def test_letters_under_two_quantifiers_capture_no_variable() -> None:
    told = [parse("∀y (Cat(y) → ∃x Sees(y, x))"), parse("Cat(tom)")]
    found = set(map(str, candidates(told)))
    assert "∃x Sees(tom, x)" in {text.replace("y", "x") for text in found}
    assert not any(formula.profile.free for formula in candidates(told))


def test_questions_of_a_family_are_derived_and_read_back() -> None:
    story = generate("proofs", seed=1, count=1, lexicon=shipped_lexicon(), depths=(2, 2))[0]
    made = adequate(story, shipped_lexicon(), Random(1), most=12)
    assert {(problem.reason, problem.language, problem.family) for problem in made.problems} == {
        (None, "formulas", "proofs")
    }
    assert all(problem.question.mentions for problem in made.problems)
    assert max(Counter(problem.answer for problem in made.problems).values()) <= 4


def test_clauses_become_formulas_and_their_english_is_free() -> None:
    story = replace(
        told(("Bob is kind.", "Kind(bob, True)"), ("All.", "Kind($x, True) >>> Shy($x, False)")), language="clauses"
    )
    problem = adequate(story, shipped_lexicon(), Random(1), most=6).problems[0]
    assert [statement.line for statement in problem.statements] == ["Kind(bob)", "∀x (Kind(x) → ¬Shy(x))"]
    assert (problem.is_usable, problem.language, problem.family) == (True, "formulas", "free")


def told(*pairs: tuple[str, str | None]) -> Problem:
    statements = tuple(Statement(text, line) for text, line in pairs)
    options = tuple(map(Statement, ("True", "False", "Unknown")))
    return Problem("mine", "free", "formulas", statements, Statement("Is Tom shy?", "Shy(tom)"), options, "A")


def test_questions_of_free_english_are_read_back_as_their_formulas() -> None:
    story = told(("Cats are shy.", "∀x (Cat(x) → Shy(x))"), ("Hello!", None), ("Tom is a cat.", "Cat(tom)"))
    made = adequate(story, shipped_lexicon(), Random(1))
    ontology = derive([parse("∀x (Cat(x) → Shy(x))"), parse("Cat(tom)")])
    for problem in made.problems:
        text = problem.question.text.partition("unknown? ")[2]
        assert read_english(text, ontology) is parse(problem.question.line or "")
    assert [statement.line for statement in made.problems[0].statements] == [it.line for it in story.statements]
    assert [place for place, _ in made.premises] == [0, 2]


@pytest.mark.parametrize(
    ("story", "reason", "detail"),
    [
        (told(("Tom is a cat.", "Cat(tom)"), ("He is not.", "¬Cat(tom)")), "inconsistent", "contradict one another"),
        (told(("Tom is a cat.", "Cat(x)")), "undecided", "free variables"),
        (told(("Hello!", None)), "undecided", "no statement"),
        (told(("Tom is a cat.", "Cat(tom)"), ("He is.", "Cat(tom, tom)")), "unread", "Cat"),
        (told(("It grows.", INFINITE)), "undecided", "no structure of 2 elements"),
    ],
)
def test_refused_stories_have_a_reason(story: Problem, reason: str, detail: str) -> None:
    (refused,) = adequate(story, shipped_lexicon(), Random(1)).problems
    assert refused.reason == reason
    assert detail in (refused.detail or "")


def test_problems_of_one_text_are_one_story() -> None:
    one, other = told(("Tom is a cat.", "Cat(tom)")), told(("Tom is a dog.", "Dog(tom)"))
    assert stories([one, one, other]) == [one, other]


def test_dataset_of_questions_keeps_what_notices_each_mutant(tmp_path: Path) -> None:
    source, output, found = (tmp_path / f"{name}.arrow" for name in ("proofs", "problems", "mutants"))
    ingest_problems.main(json.dumps({"reader": "family", "family": "proofs", "count": 3}), "proofs", source, seed=7)
    entry = json.dumps({"reader": "adequate", "of": "proofs", "stories": 1, "most": 9})
    adequate_problems.main(entry, "asked", source, output, found, seed=7)
    rows, told = files.rows(output, PROBLEMS), files.rows(found, MUTANTS)
    assert {row["status"] for row in rows} == {"usable"}
    assert len({tuple(statement["text"] for statement in row["statements"]) for row in rows}) == 1
    assert {item for row in told for item in row["noticed_by"]} <= {row["item"] for row in rows}
    assert all(bool(row["noticed_by"]) is (row["fate"] in ("noticed", "contradictory")) for row in told)


def test_datasets_that_have_no_stories_are_refused() -> None:
    values = {
        "datasets": {"asked": {"reader": "adequate", "of": "nothing"}},
        "tasks": {"question_answering": {}},
        "models": {"yes": {"kind": "constant", "answer": "yes"}},
    }
    with pytest.raises(ValueError, match="nothing has no stories"):
        read_configuration(values)
    assert AdequateEntry(reader="adequate", of="rules").made_of == "rules"


def test_folio_stories_notice_all_but_few_edits() -> None:
    path = str(published("folio/folio-train.jsonl"))
    entry = FolioEntry.model_validate({"reader": "folio", "path": path, "exclusive_or": "include"})
    premises = [parse(sentence.formula or "") for sentence in entry.read().sentences if sentence.story == "406"]
    noticed, other = score(choose(premises, Random(1)).fates)
    assert noticed / other > 0.95


def test_questions_about_stories_in_other_words_keep_their_words(tmp_path: Path) -> None:
    source, varied, output, found = (tmp_path / f"{name}.arrow" for name in ("rules", "varied", "problems", "mutants"))
    ingest_problems.main(json.dumps({"reader": "family", "family": "rules", "count": 2}), "rules", source, seed=7)
    diversify_problems.main(json.dumps({"reader": "diversified", "of": "rules"}), "varied", source, varied, seed=7)
    entry = {"reader": "adequate", "of": "varied", "stories": 1, "most": 6}
    adequate_problems.main(json.dumps(entry), "asked", varied, output, found, seed=7)
    rows = files.rows(output, PROBLEMS)
    texts = {tuple(statement["text"] for statement in row["statements"]) for row in files.rows(varied, PROBLEMS)}
    assert {row["status"] for row in rows} == {"usable"}
    assert {tuple(statement["text"] for statement in row["statements"]) for row in rows} <= texts
    assert all(row["rewrites"] for row in rows)


def test_glosses_say_the_questions_of_a_story_that_has_them(tmp_path: Path) -> None:
    glosses = tmp_path / "glosses.yaml"
    glosses.write_text(
        "predicates:\n  Cat: {arity: 1, positive: '{} is a tabby', negative: '{} is not a tabby'}\n"
        "constants:\n  tom: Tommy\n",
        encoding="utf-8",
    )
    entry = AdequateEntry(reader="adequate", of="mine", most=3, ontology=str(glosses))
    (made,) = adequate_stories(entry, [told(("Tom is a cat.", "Cat(tom)"))], 1)
    assert {"Tommy is a tabby" in problem.question.text for problem in made.problems} == {True}


def test_glosses_by_story_need_problems_that_name_their_story(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nlfol.tasks.adequate.read_ontologies", lambda _: Ontologies("digest", None, {}))
    entry = AdequateEntry(reader="adequate", of="mine", ontology="folder")
    with pytest.raises(SourceError, match="mine name no story"):
        adequate_stories(entry, [told(("Tom is a cat.", "Cat(tom)"))], 1)
