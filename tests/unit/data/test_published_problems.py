"""Published problems: read whole, and every label derived from the text."""

import json
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from tests import examples
from tests.unit.problems.judges import label
from tests.unit.problems.published import problems as read
from tests.unit.problems.published import published

from nlfol.data.entries import folio_questions
from nlfol.data.entry import read_problems_entry
from nlfol.problems import Evidence, Problem, Reason
from nlfol.problems.gold import derived
from nlfol.sets.sets import CandidateError
from nlfol.tasks.registry import build_task
from nlfol.tasks.task import Surroundings

LOGIC_LM = "problems/logic_lm"


def reasons(problems: Sequence[Problem]) -> Counter[Reason | None]:
    return Counter(problem.reason for problem in problems)


def test_proofwriter_problems_are_all_read_and_derived() -> None:
    problems = read("proofwriter", f"{LOGIC_LM}/ProofWriter_dev.json")
    assert reasons(problems) == {None: 600}
    assert Counter(problem.answer for problem in problems) == {"A": 200, "B": 200, "C": 200}
    assert all(statement.line and statement.mentions for each in problems for statement in each.statements)
    for problem in problems[::20]:
        assert derived(problem) == problem  # by the program's text
    assert [label(problem) for problem in problems] == [problem.answer for problem in problems]


def test_prontoqa_problems_are_all_read_and_derived() -> None:
    file = f"{LOGIC_LM}/ProntoQA_dev.json"
    problems = read("prontoqa", file)
    assert reasons(problems) == {None: 500}
    assert {problem.depth for problem in problems} == {5}
    assert all(derived(problem) == problem for problem in problems[::20])
    assert [label(problem) for problem in problems] == [problem.answer for problem in problems]
    real = read("prontoqa", file, nouns="real")
    assert reasons(real) == {None: 500}
    assert [each.answer for each in real] == [each.answer for each in problems]
    assert not any("pus" in problem.context for problem in real)
    assert real == read("prontoqa", file, nouns="real") != read("prontoqa", file, seed=2, nouns="real")


def test_logical_deduction_problems_are_all_read_and_derived() -> None:
    problems = read("logical_deduction", f"{LOGIC_LM}/LogicalDeduction_dev.json")
    assert reasons(problems) == {None: 300}
    assert Counter(len(problem.options) for problem in problems) == {3: 60, 5: 100, 7: 140}
    assert {problem.depth for problem in problems} <= set(range(1, 7))
    for problem in problems[::20]:
        assert derived(problem) == problem
        assert label(problem) == problem.answer
    few = read("logical_deduction", f"{LOGIC_LM}/LogicalDeduction_dev.json", things=[3, 7])
    assert few == [problem for problem in problems if len(problem.options) != 5]


def test_unusable_folio_problems_have_documented_reasons() -> None:
    problems = read("folio_questions", "folio/folio-validation-half.jsonl")
    refused = {problem.name: problem.reason for problem in problems if not problem.is_usable}
    unread = dict.fromkeys(("2", "47", "56", "57", "58", "94", "95", "96"), Reason.UNREAD)
    wrong = dict.fromkeys(("27", "59", "61"), Reason.LABEL_NOT_DERIVED)
    assert refused == unread | wrong
    assert len(problems) - len(refused) == 102
    assert all(problem.detail for problem in problems if not problem.is_usable)
    for problem in problems:
        if problem.is_usable:
            assert label(problem) == problem.answer


@pytest.mark.parametrize(("logic", "yes", "score"), [("pl", 395, 0.859), ("fol", 405, 0.862)])
def test_logieval_answer_counts_match_published_constant_baseline(
    logic: str, yes: int, score: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    problems = read("logieval", "multi_logieval/data", logic=logic)
    assert Counter(problem.answer_text for problem in problems) == {"Yes": yes, "No": 130}
    # Precision is the share of yes, recall is 1.
    assert 2 * yes / (2 * yes + 130) == pytest.approx(score, abs=5e-4)
    assert all(problem.language is None and problem.is_usable for problem in problems)
    monkeypatch.setenv("NLFOL_DATA", str(published("multi_logieval")))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    pinned = read_problems_entry(json.dumps({"reader": "logieval", "logic": logic}))
    assert pinned.read(1).problems == problems


@pytest.fixture(scope="module")
def training(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Sequence[Problem]]:
    """The problems of FOLIO's pinned training file, by the gold formulas that they have."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NLFOL_DATA", str(published("folio")))
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        # To say what corrections change, each of the two derives what follows from either gold.
        patch.setattr(folio_questions, "_answered", cache(folio_questions._answered))
        entries = {gold: {"reader": "folio_questions", "gold": gold} for gold in ("published", "corrected")}
        return {gold: read_problems_entry(json.dumps(entry)).read(1).problems for gold, entry in entries.items()}


def test_folio_training_file_is_read_through_pin(training: dict[str, Sequence[Problem]]) -> None:
    lines = published("folio/folio-train.jsonl").read_text(encoding="utf-8").splitlines()
    published_texts = [
        (str(record["example_id"]), [text.strip() for text in record["premises"]]) for record in map(json.loads, lines)
    ]
    assert len(lines) == 1004
    for problems in training.values():
        texts = [(problem.name, [statement.text for statement in problem.statements]) for problem in problems]
        assert texts == published_texts


def test_folio_training_labels_have_documented_counts_for_both_golds(training: dict[str, Sequence[Problem]]) -> None:
    assert reasons(training["published"]) == {
        None: 905,
        Reason.LABEL_NOT_DERIVED: 66,
        Reason.UNREAD: 17,
        Reason.INCONSISTENT: 7,
        Reason.OPEN_FORMULA: 5,
        Reason.ARITY_CONFLICT: 4,
    }
    usable = Counter((one.is_usable, other.is_usable) for one, other in zip(*training.values(), strict=True))
    assert usable == {(True, True): 855, (True, False): 50, (False, True): 46, (False, False): 53}
    checked = [each for each in training["corrected"][::20] if each.is_usable]
    assert all(label(each) == each.answer for each in checked)


def test_unproven_folio_questions_are_kept_with_published_label() -> None:
    file = "folio/folio-validation-half.jsonl"
    proven, kept = read("folio_questions", file), read("folio_questions", file, unproven="keep")
    assert [(each.name, each.answer) for each in kept] == [(each.name, each.answer) for each in proven]
    assert all(problem.is_usable for problem in kept)
    before = [each for each in proven if each.is_usable]
    assert [each for each in kept if each.evidence is not Evidence.PUBLISHED] == before
    # Where formulas can be read, they are shown; no program is asked for.
    unproven = next(each for each in kept if each.evidence is Evidence.PUBLISHED and each.language == "formulas")
    about = Surroundings(1, [unproven], examples.lexicon, examples.forms)
    assert not build_task('{"task": "question_answering", "presentations": ["formula"]}').unasked(unproven)
    with pytest.raises(CandidateError, match="as published, and does not follow"):
        build_task('{"task": "program"}').exemplars(unproven, about)


def test_ar_lsat_problems_are_all_answerable() -> None:
    problems = read("ar_lsat", f"{LOGIC_LM}/AR-LSAT_dev.json")
    assert len(problems) == 231
    assert {problem.evidence for problem in problems} == {Evidence.PUBLISHED}
    assert {len(problem.options) for problem in problems} == {5}


@pytest.mark.parametrize(("level", "count"), [("easy", 24), ("medium", 24), ("hard", 26)])
def test_proverqa_problems_without_formulas_are_answerable(level: str, count: int) -> None:
    problems = read("proverqa", f"proverqa/few-{level}.json")
    assert len(problems) == count
    assert {problem.language for problem in problems} == {None}
