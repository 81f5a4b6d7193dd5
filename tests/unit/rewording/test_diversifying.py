"""Problems in other words are the same problems, and as varied as they can be."""

import csv
import re
from collections import Counter
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching
from tests.examples import ROOT
from tests.unit.problems.published import problems
from tests.unit.rewording.judging import fewest_repeats, is_same, oddities, problem_of

from nlfol.problems import Evidence, Lexicon, Problem, Reason, Statement
from nlfol.problems.dialects import concepts_of
from nlfol.problems.families import FAMILIES, generate
from nlfol.problems.gold import derived
from nlfol.problems.lexicon import BASE, FRAME
from nlfol.problems.rewording import Settings, diversify, usable
from nlfol.problems.rewording.diversifying import LEVELS, SYNTAX, dealt

REJECTED = {
    (row["section"], row["concept"], row["form"])
    for row in csv.DictReader((ROOT / "resources/lexicon/verdicts.csv").open(encoding="utf-8"))
    if row["verdict"] in ("stiff", "shift")
}
"""Forms, by section and concept, that nobody would write, or that mean something else."""

INTENSITIES = (0.0, 0.3, 0.7, 1.0)
FORMS = [f"synonym.{number}" for number in range(1, 6)]


def check(problem: Problem, lexicon: Lexicon) -> None:
    done = diversify(problem, lexicon, Settings(), "test")
    made = done.problem
    assert made.reason == (None if made.rewrites else Reason.NOT_REWRITTEN), made.detail
    assert made.rewrites or made.statements == problem.statements
    assert is_same(problem, made)
    assert len(made.statements) == len(problem.statements)
    assert done.repeats == fewest_repeats(problem, made, lexicon)
    assert list(oddities(problem, made, lexicon)) == []
    for mention in (mention for each in made.statements for mention in each.mentions if mention.form != BASE):
        concept = lexicon.concepts[mention.concept]
        base, form = concept.forms[BASE], concept.forms[mention.form]
        said = {(concept.group, *pair) for pair in product(base[1:3], form[1:3])}
        assert said.isdisjoint(REJECTED)


@pytest.mark.parametrize("family", [*FAMILIES])
def test_diversified_drawn_problems_keep_meaning_with_fewest_repeats(
    family: str, drawn: dict[str, list[Problem]], lexicon: Lexicon
) -> None:
    for problem in drawn[family]:
        check(problem, lexicon)


@pytest.mark.parametrize(
    ("reader", "name"),
    [("proofwriter", "ProofWriter"), ("prontoqa", "ProntoQA"), ("logical_deduction", "LogicalDeduction")],
)
def test_diversified_published_problems_keep_meaning_with_fewest_repeats(
    reader: str, name: str, lexicon: Lexicon
) -> None:
    for problem in problems(reader, f"problems/logic_lm/{name}_dev.json")[::10]:
        check(problem, lexicon)


@pytest.mark.parametrize("family", [*FAMILIES])
def test_higher_intensity_keeps_lower_intensity_rewrites(
    family: str, drawn: dict[str, list[Problem]], lexicon: Lexicon
) -> None:
    rewritten = 0
    for problem in drawn[family][:6]:
        before: dict[int, str] = {}
        for intensity in INTENSITIES:
            made = diversify(problem, lexicon, Settings(intensity), "test").problem
            assert is_same(problem, made)
            texts = {
                number: new.text
                for number, (old, new) in enumerate(zip(problem.statements, made.statements, strict=True))
                if old != new
            }
            assert before.items() <= texts.items()
            assert len(texts) <= -(-intensity * len(problem.statements) // 1)
            before = texts
        rewritten += len(before)
    assert rewritten


@pytest.mark.parametrize("kind", LEVELS)
def test_diversifying_uses_only_selected_type(kind: str, drawn: dict[str, list[Problem]], lexicon: Lexicon) -> None:
    found = 0
    for problem in drawn["rules"]:
        done = diversify(problem, lexicon, Settings(types=(kind,)), "test")
        assert is_same(problem, done.problem)
        assert {rewrite.type for rewrite in done.problem.rewrites} <= {kind}
        assert done.repeats == fewest_repeats(problem, done.problem, lexicon, (kind,))
        found += len(done.problem.rewrites)
    assert found


def test_diversifying_respects_rewrite_limit(drawn: dict[str, list[Problem]], lexicon: Lexicon) -> None:
    for family in ("rules", "proofs", "order", "taxonomy"):
        for problem in drawn[family]:
            made = diversify(problem, lexicon, Settings(at_most=2), "test").problem
            assert is_same(problem, made)
            assert len(made.rewrites) <= 2
            forms = [mention.form for each in made.statements for mention in each.mentions]
            turned = sum(rewrite.type == SYNTAX for rewrite in made.rewrites)
            assert sum(form != "base" for form in forms) + turned == len(made.rewrites)


def test_diversifying_refuses_problems_without_fitting_forms(drawn: dict[str, list[Problem]], lexicon: Lexicon) -> None:
    def reason(**settings: Any) -> Reason | None:
        return diversify(drawn["order"][0], lexicon, Settings(types=("voice",), **settings), "test").problem.reason

    assert reason() == Reason.NOT_REWRITTEN
    assert reason(intensity=0.0) is None
    assert reason(at_most=0) is None


def test_rewrites_record_words_before_and_after(drawn: dict[str, list[Problem]], lexicon: Lexicon) -> None:
    for problem in drawn["rules"]:
        made = diversify(problem, lexicon, Settings(), "test").problem
        assert made.rewrites
        for rewrite in made.rewrites:
            assert rewrite.before in problem.statements[rewrite.statement].text
            assert rewrite.after in made.statements[rewrite.statement].text
        assert Problem.from_row(made.to_row()) == made


def test_glossary_states_used_synonyms(lexicon: Lexicon, words: Lexicon) -> None:
    problem = problem_of(words, "Bob is cold.", "Bob is red.", "Anne is red.", "All red things are cold.")
    made = diversify(problem, lexicon, Settings(types=("part_of_speech",), glossary=True), "test").problem
    first, second, *rest = (each.text for each in made.statements)
    said = {frozenset(re.findall('"([^"]*)"', text)) for text in (first, second)}
    assert said == {
        frozenset({"to be red", "to have the color of blood"}),
        frozenset({"to be cold", "to have a low temperature"}),
    }
    assert re.fullmatch(r'Here "[^"]+" and "[^"]+" mean the same\.', first)
    assert len(rest) == 3
    assert made.rewrites[0].statement >= 2


@pytest.mark.parametrize("family", ["rules", "taxonomy", "proofs", "premises"])
def test_merging_decoy_with_concept_makes_problem_inconsistent(
    family: str, drawn: dict[str, list[Problem]], lexicon: Lexicon
) -> None:
    merged = 0
    for problem in drawn[family]:
        made = diversify(problem, lexicon, Settings(decoys=1), "test").problem
        if made.reason is Reason.NO_DECOY:
            continue
        assert made.answer == problem.answer
        assert made.evidence == problem.evidence
        (decoy,) = set(concepts_of(made, lexicon)) - set(concepts_of(problem, lexicon))
        (concept,) = (each.symbol for each in lexicon.concepts.values() if each.decoy == decoy)
        lines = [replace(each, line=(each.line or "").replace(decoy, concept)) for each in made.statements]
        assert derived(replace(made, statements=tuple(lines))).reason is Reason.INCONSISTENT
        merged += 1
    assert merged >= 12


def test_diversifying_refusals_state_reasons(drawn: dict[str, list[Problem]], lexicon: Lexicon) -> None:
    problem = drawn["order"][0]
    assert diversify(problem, lexicon, Settings(decoys=1), "test").problem.reason is Reason.NO_DECOY
    free = Problem("f", "free", None, (Statement("It rains."),), Statement("Is it wet?"), (), "A", Evidence.PUBLISHED)
    assert diversify(free, lexicon, Settings(), "test").problem.reason is Reason.NOT_CONTROLLED
    refused = problem.refused(Reason.INCONSISTENT, "as before")
    assert diversify(refused, lexicon, Settings(), "test").problem is refused
    other = replace(problem, statements=(Statement("Rain falls.", problem.statements[0].line), *problem.statements[1:]))
    made = diversify(other, lexicon, Settings(), "test").problem
    assert made.reason is Reason.NOT_READ_BACK
    assert "Rain falls." in (made.detail or "")


def test_form_shared_by_two_concepts_is_refused_with_reason(lexicon: Lexicon) -> None:
    found = usable(["Big", "Large", "Red", "bob"], lexicon)
    assert set(found.lexicon.concepts["Big"].forms) == {"base"}
    assert set(found.lexicon.concepts["Large"].forms) == {"base"}
    assert len(found.lexicon.concepts["Red"].forms) > 3
    assert {each.concept for each in found.refused} == {"Big", "Large"}
    assert "Big and Large have one sense: of great size" in {each.reason for each in found.refused}
    red = lexicon.concepts["Red"]
    form = red.forms["phrase.1"]
    blue = lexicon.concepts["Blue"]
    shared = replace(blue, forms={**blue.forms, "phrase.7": form._replace(key="phrase.7")})
    found = usable(["Red", "Blue"], Lexicon({**lexicon.concepts, "Blue": shared}, lexicon.scenes))
    assert {(each.concept, each.form) for each in found.refused} == {("Red", "phrase.1"), ("Blue", "phrase.7")}
    assert {each.reason for each in found.refused} == {"'the color of blood' stands for Red and Blue"}


@pytest.mark.parametrize(
    ("concept", "words", "beside"),
    [
        ("cat", "feline", "lion"),
        ("Visit", "calls on", "Call"),
        ("Rude", "impolite", "Polite"),
        ("Tired", "needs rest", "Need"),
        ("Lazy", "avoids work", "Avoid"),
    ],
)
def test_words_describing_present_concept_are_unused(concept: str, words: str, beside: str, lexicon: Lexicon) -> None:
    def said(*concepts: str) -> set[str]:
        return {form.singular for form in usable(concepts, lexicon).lexicon.concepts[concept].forms.values()}

    assert words in said(concept, "bob")
    assert words not in said(concept, beside)
    reasons = [each.reason for each in usable([concept, beside], lexicon).refused if each.concept == concept]
    assert f"{words!r} describes {beside}" in reasons


def test_preposition_is_distinguished_from_verb(lexicon: Lexicon) -> None:
    assert usable(["Round", "Like"], lexicon).refused == ()


def test_frames_are_used_only_on_request(drawn: dict[str, list[Problem]], lexicon: Lexicon) -> None:
    for problem in drawn["order"]:
        made = diversify(problem, lexicon, Settings(types=(FRAME,)), "test").problem
        assert made.rewrites
        assert {rewrite.type for rewrite in made.rewrites} == {FRAME}
        made = diversify(problem, lexicon, Settings(), "test").problem
        assert FRAME not in {rewrite.type for rewrite in made.rewrites}


@pytest.mark.parametrize("most", [1, 2, 3])
def test_diversifying_respects_form_limit_per_concept(
    most: int, drawn: dict[str, list[Problem]], lexicon: Lexicon
) -> None:
    found = 0
    for problem in (problem for family in drawn.values() for problem in family):
        made = diversify(problem, lexicon, Settings(forms=most), "test").problem
        assert is_same(problem, made)
        forms: dict[str, set[str]] = {}
        for mention in (mention for each in made.statements for mention in each.mentions):
            if not mention.form.startswith(("reference", "voice")):
                forms.setdefault(mention.concept, {BASE}).add(mention.form)
        assert max(map(len, forms.values())) <= most
        found = max(found, *map(len, forms.values()))
    assert found == most


def test_backward_inviting_syntax_appears_only_where_label_holds(words: Lexicon, lexicon: Lexicon) -> None:
    def said(asked: str, answer: str, *texts: str) -> set[str]:
        problem = problem_of(words, asked, *texts)
        problem = derived(replace(problem, answer=answer, reason=None, detail=None))
        assert problem.is_usable
        made = (diversify(problem, lexicon, Settings(types=(SYNTAX,)), number).problem for number in range(20))
        return {each.statements[-1].text for each in made}

    rule = "Red things are not big."
    assert said("Anne is red.", "C", "Anne is big.", rule) == {"Whatever is red is not big."}
    assert "Nothing that is red is big." in said("Anne is big.", "B", "Anne is red.", rule)


def test_diversifying_depends_only_on_label(drawn: dict[str, list[Problem]], lexicon: Lexicon) -> None:
    problem = drawn["rules"][0]
    one, again, other = (diversify(problem, lexicon, Settings(), label).problem for label in ("a", "a", "b"))
    assert one == again
    assert one != other


@pytest.mark.parametrize(
    "wrong",
    [{"intensity": 1.5}, {"types": ("rhyme",)}, {"at_most": -1}, {"decoys": -1}, {"intensity": -0.1}, {"forms": 0}],
)
def test_diversifying_settings_reject_invalid_values(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"intensity|type|number"):
        Settings(**wrong)  # type: ignore[arg-type]


def test_generated_problems_are_independent_from_further_forms(words: Lexicon, lexicon: Lexicon) -> None:
    for family in FAMILIES:
        one, other = (generate(family, seed=3, count=2, lexicon=each) for each in (words, lexicon))
        assert one == other


@pytest.mark.parametrize("mentions", range(1, 9))
@pytest.mark.parametrize("forms", range(1, 7))
@pytest.mark.parametrize("fixed", [0, 1])
def test_dealing_repeats_only_surplus_mentions(mentions: int, forms: int, fixed: int) -> None:
    found = [*dealt([FORMS[: forms - 1]] * mentions, fixed), *[BASE] * fixed]
    assert len(found) - len(set(found)) == max(0, mentions + fixed - forms)
    assert max(Counter(found).values()) <= -(-len(found) // forms) + 1


@given(st.lists(st.lists(st.sampled_from(FORMS), unique=True), min_size=1, max_size=8), st.integers(0, 2))
def test_dealing_minimises_repeats_in_all_prefixes(fitting: list[list[str]], fixed: int) -> None:
    found = dealt(fitting, fixed)
    assert all(form == BASE or form in fits for form, fits in zip(found, fitting, strict=True))
    for first in range(1, len(fitting) + 1):
        fits = np.array([[form in each for form in FORMS] for each in fitting[:first]], dtype=np.int8)
        matched = int((maximum_bipartite_matching(csr_array(fits)) >= 0).sum())
        own = {form for form in found[:first] if form != BASE}
        assert len(own) == matched


def test_dealing_spreads_unavoidable_repeats() -> None:
    assert sorted(Counter(dealt([FORMS[:2]] * 9, 0)).values()) == [3, 3, 3]
