from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pytest
from tests.examples import lexicon
from tests.unit.tasks.generated_set import triples_file
from tests.unit.tasks.problem_items import item, task
from tests.unit.training.planting import copied, renamed, reworded, shuffled

from nlfol.data.entry import read_entry, root_of
from nlfol.logic.languages.language import LanguageName
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.reading import parse
from nlfol.problems.families import FAMILIES, generate
from nlfol.problems.problem import Problem, Statement
from nlfol.tasks.item import Exemplar
from nlfol.training.leaks import Exam, LeakFinder, Place, formula_tree, program_tree


@lru_cache
def drawn(family: str, seed: int, count: int = 20) -> list[Problem]:
    return generate(family, seed=seed, count=count, lexicon=lexicon())


def finder(problems: list[Problem]) -> LeakFinder:
    found = LeakFinder({"varied": "exam", "exam": "exam"})
    for problem in problems:
        found.add_problem(Place("exam", problem.name), problem)
    return found


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(
    ("plant", "likeness"), [(copied, "text"), (shuffled, "text"), (reworded, "tree"), (renamed, "tree")]
)
def test_leak_finder_recognizes_disguised_problem(
    family: str, plant: Callable[[Problem], Problem], likeness: str
) -> None:
    tested, asked = drawn(family, 5), task("direct")
    known = finder(tested)
    planted = {problem.name: plant(problem) for problem in tested[:5]}
    usable = {name: problem for name, problem in planted.items() if problem.is_usable}
    assert len(usable) == 5 or plant is reworded
    assert usable
    for name, problem in usable.items():
        assert known.leak(Place("mine", problem.name), item(problem, asked)) == (Place("exam", name), likeness)
    for other in drawn(family, 99):
        assert known.leak(Place("mine", other.name), item(other, asked)) is None


def test_leak_finder_recognizes_item_and_derivatives_by_name() -> None:
    tested, asked = drawn("rules", 5), task("direct")
    other = replace(drawn("rules", 99)[0], name=tested[3].name)
    for dataset in ("exam", "varied"):
        found = finder(tested).leak(Place(dataset, other.name), item(other, asked))
        assert found == (Place("exam", tested[3].name), "problem")
    assert finder(tested).leak(Place("mine", other.name), item(other, asked)) is None


def test_leak_finder_checks_solved_examples() -> None:
    tested, asked = drawn("rules", 5), task("direct")
    other, shown = item(drawn("rules", 99)[0], asked), item(tested[4], asked).text
    found = finder(tested).leak(Place("mine", "x"), replace(other, exemplars=(Exemplar(shown, "{}"),)))
    assert found == (Place("exam", tested[4].name), "text")


def test_leak_finder_recognizes_sentences_by_words_and_formula() -> None:
    known = LeakFinder({})
    known.add_sentence(Place("exam", "a:0"), "Every cat sleeps.", "first_order", "∀x (Cat(x) → ∃y Likes(x, y))")
    about = item(drawn("rules", 5, 1)[0], task("direct"))
    sentence = replace(about, problem=None, exemplars=())
    for text, formula, likeness in (
        ("every cat  SLEEPS", "Cat(tom)", "text"),
        ("Dogs bark.", "∀z (Dog(z) → ∃x Barks(z, x))", "tree"),
        ("Dogs bark.", "∀z (Dog(z) → ∃x Barks(x, z))", None),
        ("Dogs bark.", "∀z (Dog(z) → ∀x Barks(z, x))", None),
    ):
        found = known.leak(Place("mine", "b:0"), replace(sentence, text=text, formula=formula))
        assert found == (None if likeness is None else (Place("exam", "a:0"), likeness))


def test_leak_finder_reads_tested_sentences_from_file(tmp_path: Path) -> None:
    formula = "∀x (Cube(x) → Small(x))"
    file = triples_file(tmp_path / "t.arrow", "first_order", derive([parse(formula)]), [(2, formula)])
    known = LeakFinder.read([Exam("exam", file, holds_problems=False)], {})
    sentence = replace(item(drawn("rules", 5, 1)[0], task("direct")), problem=None, text="Dogs bark.")
    found = known.leak(Place("mine", "b:0"), replace(sentence, formula="∀x (Dog(x) → Barks(x))"))
    assert found == (Place("exam", "0:0"), "tree")


def test_leak_finder_separates_bare_problems_by_question() -> None:
    bare = [replace(each, statements=(), language=None) for each in drawn("rules", 5, 2)]
    known = finder(bare[:1])
    other = replace(bare[1], question=Statement("Is snow white?"))
    asked = replace(item(drawn("rules", 5, 1)[0], task("direct")), exemplars=())
    assert known.leak(Place("mine", "x"), replace(asked, problem=other)) is None
    assert known.leak(Place("mine", "x"), replace(asked, problem=bare[0])) == (Place("exam", bare[0].name), "text")


@pytest.mark.parametrize(
    ("language", "one", "same", "other"),
    [
        ("first_order", "∀x (P(x) → Q(x, a))", "∀y (Cat(y) → Likes(y, tom))", "∀y (Cat(y) → Likes(y, y))"),
        ("first_order", "P(a) ∧ P(b)", "Q(c) ∧ Q(d)", "P(a) ∧ Q(a)"),
        ("propositional", "p1 ∧ ¬p2", "q ∧ ¬r", "q ∧ ¬q"),
        ("regular", "(01)*0", "(10)*1", "(10)*0"),
    ],
)
def test_formula_tree_is_invariant_under_renaming(language: LanguageName, one: str, same: str, other: str) -> None:
    first = formula_tree(language, one)
    assert first is not None
    assert first == formula_tree(language, same)
    assert first != formula_tree(language, other)


def test_program_tree_tracks_symbol_identity() -> None:
    problem = drawn("rules", 5, 1)[0]
    assert program_tree(problem) == program_tree(replace(problem, statements=problem.statements[::-1]))
    fewer = replace(problem, statements=problem.statements[:-1])
    assert len({program_tree(problem), program_tree(fewer)}) == 2
    assert program_tree(replace(problem, language=None)) is None


def test_leak_finder_recognizes_a_story_behind_further_questions() -> None:
    tested, asked = drawn("rules", 5), task("direct")
    known = LeakFinder({"asked": "rules"}, frozenset({"asked"}))
    known.add_problem(Place("asked", f"{tested[3].name}-2"), replace(tested[3], name=f"{tested[3].name}-2"))
    other = replace(drawn("rules", 99)[0], name=tested[3].name)
    assert known.leak(Place("rules", other.name), item(other, asked)) == (Place("asked", f"{other.name}-2"), "problem")
    assert known.leak(Place("rules", tested[4].name), item(drawn("rules", 99)[1], asked)) is None


def test_questions_about_other_words_have_the_root_of_these() -> None:
    texts = {
        "rules": '{"reader": "family", "family": "rules"}',
        "varied": '{"reader": "diversified", "of": "rules"}',
        "asked": '{"reader": "adequate", "of": "varied"}',
    }
    datasets = {name: read_entry(text) for name, text in texts.items()}
    assert {root_of(datasets, name) for name in datasets} == {"rules"}
