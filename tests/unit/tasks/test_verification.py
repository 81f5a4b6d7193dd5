"""Verification: certified pairs in balanced classes, asked apart, answered in one word."""

import json
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from benchmarks.regular import full
from pydantic import ValidationError
from scipy.stats import chisquare
from tests.examples import ROOT, said
from tests.property.generated import formula_with_terms

from nlfol.asking.adherence import breaches
from nlfol.logic.equivalence import equivalence
from nlfol.logic.languages.language import LanguageName
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.reading import parse
from nlfol.logic.regular import matches
from nlfol.logic.structures import Structure, holds
from nlfol.logic.syntax import Formula
from nlfol.models.request import ChatReply, Ending
from nlfol.models.schema import lark_grammar, strict_schema
from nlfol.randomness import generator
from nlfol.sets.pairs import TOKEN, certified_pairs
from nlfol.sets.sets import Candidate, CandidateError, candidate_rows
from nlfol.tasks.answers import AnswerError, read_word, word_schema
from nlfol.tasks.item import Item, Member
from nlfol.tasks.plan import Prompts, Reply, Setting, Step
from nlfol.tasks.reference import Asked
from nlfol.tasks.task import FirstRound
from nlfol.tasks.verification import ANSWERS, Verification, VerificationEntry

SETTING = Setting(7, Prompts(ROOT / "resources/prompts"))
FIRST_ORDER = LANGUAGES["first_order"]
TASK = Verification(VerificationEntry())
WORDS = Ontology(alphabet="01|+?")


Rows = list[Any]


def item(language: LanguageName, text: str, ontology: Ontology | None = None, rows: Rows | None = None) -> Item:
    sentence = LANGUAGES[language].parse(text)
    ontology = ontology or derive([sentence])
    rows = rows or candidate_rows(
        certified_pairs(sentence, LANGUAGES[language], ontology, generator("pairs")), language
    )
    members = tuple(Member(row["formula"], row["english"], row["role"]) for row in rows)
    return Item("w:0", "w", "", text, ontology, members, language)


ITEM = item("first_order", "∀x (Cube(x) → Small(x))")


def test_verification_items_are_bounded_by_any_measure() -> None:
    small = Verification(VerificationEntry(at_most={"operators": 2, "states": 1, "depth": 7}))

    def candidates(text: str, depth: int | None = None) -> list[Candidate]:
        triple: Any = {"language": "first_order", "story": "w", "text": "", "formula": text, "depth": depth}
        return small.candidates(triple | {"ontology": derive([FIRST_ORDER.parse(text)]).to_row(), "source": text}, 7)

    assert len(candidates("∀x (Cube(x) → ¬Small(x))")) == len(candidates("∀x (Cube(x) → ¬Small(x))", 7)) == 4
    # That of its derivation, where it was generated.
    with pytest.raises(CandidateError, match="its depth: 8; at most 7"):
        candidates("∀x (Cube(x) → ¬Small(x))", 8)
    with pytest.raises(CandidateError, match="its operators: 3; at most 2") as raised:
        candidates("∀x (Cube(x) → ¬(Small(x) ∧ Dog(x)))")
    assert raised.value.reason == "too_large"
    with pytest.raises(ValidationError, match="'size' is no measure; use some of operators, "):
        VerificationEntry(at_most={"size": 2})


def asked(item: Item, presentation: str, seed: int = 0, task: Verification = TASK) -> Step:
    step = task.plan(SETTING).following(item, presentation, seed, [])
    assert isinstance(step, Step)
    return step


@pytest.fixture(scope="module")
def drawn() -> list[tuple[Formula, Rows]]:
    """Eighty drawn formulas, but for those that are refused, and their pairs."""
    draw, made = Random("certificates"), []
    for _ in range(80):
        gold = formula_with_terms(draw)
        with suppress(CandidateError):
            pairs = certified_pairs(gold, FIRST_ORDER, derive([gold]), generator(str(gold)))
            made.append((gold, candidate_rows(pairs)))
    return made


def test_pair_certificates_hold_by_independent_check(drawn: list[tuple[Formula, Rows]]) -> None:
    changes = set()
    for _, rows in drawn[:60]:
        assert [row["role"] for row in rows] == ["gold", "perturbation", "equivalent", "corner"]
        formulas = [FIRST_ORDER.parse(row["formula"]) for row in rows]
        assert len({*formulas}) == 4
        certified = {
            (certificate["to"], place): certificate
            for place in (1, 2, 3)
            for certificate in rows[place]["certificates"] or ()
        }
        assert {*certified} == {(0, 1), (0, 2), (1, 3), (2, 3)}
        for (first, second), certificate in certified.items():
            pair = formulas[first], formulas[second]
            assert equivalence(*pair).outcome == certificate["verdict"]
            assert (certificate["verdict"] == "equivalent") == (first + second in (2, 4))
            model = certificate["counter_model"]
            assert model is None or holds(pair[0], Structure.from_json(model)) != holds(
                pair[1], Structure.from_json(model)
            )
            assert model is not None or certificate["means"] != "finite_structure"
        assert [bool({"exchange", "moved"} & {*row["change"]}) for row in rows] == [False, True, False, True]
        changes |= {(row["role"], change) for row in rows[2:] for change in row["change"]}
    assert len(changes) > 6, "of several laws and both kinds of edit"


def test_pairs_of_both_classes_differ_by_equal_counts_of_tokens(drawn: list[tuple[Formula, Rows]]) -> None:
    for _, rows in drawn:
        gold, other, same, corner = (Counter(TOKEN.findall(row["formula"])) for row in rows)
        assert same - gold == other - gold
        assert gold - same == gold - other
        assert same - corner == other - corner
        assert corner - same == corner - other


def taken(**formula: Any) -> list[Any]:
    """The members of an item about what a model made of ``ITEM``."""
    ontology = ITEM.ontology.to_row()
    row: Any = {
        "item": ITEM.item,
        "formula": ITEM.formula,
        "language": ITEM.language,
        "depth": None,
        "ontology": ontology,
    }
    said: Any = dict.fromkeys(("formula", "verdict", "means", "word")) | {"outcome": "answered"} | formula
    return list(TAKING.taken(row, FirstRound(said, said))["candidates"])


TAKING = Verification(VerificationEntry.model_validate({"pairs": {"of": "m", "in": "trip"}}))


@pytest.mark.parametrize(
    ("formula", "verdict", "role", "right"),
    [
        ("¬∃x (Cube(x) ∧ ¬Small(x))", "equivalent", "equivalent", "yes"),
        ("∀x Small(x)", "not_equivalent", "different", "no"),
    ],
)
def test_round_trip_pair_is_labelled_by_verdict(formula: str, verdict: str, role: str, right: str) -> None:
    rows = taken(formula=formula, verdict=verdict, means="z3")
    assert [(row["role"], row["formula"], row["edits"], row["change"]) for row in rows] == [
        ("gold", ITEM.formula, 0, []),
        (role, formula, 0, []),
    ]
    (certificate,) = rows[1]["certificates"]
    world = certificate.pop("counter_model")
    assert certificate == {"to": 0, "verdict": verdict, "means": "z3", "word": None}
    assert (world is not None) is (verdict == "not_equivalent")
    if world is not None:
        first, second = (holds(parse(text), Structure.from_json(world)) for text in (ITEM.formula, formula))
        assert first != second
    members = tuple(Member(row["formula"], row["english"], row["role"]) for row in rows)
    pair = replace(ITEM, members=members)
    assert TAKING.entry.shown_as == ("",)
    step = asked(pair, "", task=TAKING)
    assert sorted(step.order) == [0, 1]
    for word in ("yes", "no"):
        judged = TAKING.judge(pair, [Reply("", "answered", said(word), step.order)])
        assert (judged.verdict, judged.formula, judged.scores["right"]) == (verdict, formula, word == right)
    reader = TAKING.reference("reader", [pair])
    assert json.loads(reader(Asked(pair, "", step, ())))["answer"] == right


@pytest.mark.parametrize(
    ("formula", "reason"),
    [
        ({"outcome": "unparsable"}, "no_formula"),
        ({"outcome": "failed"}, "no_formula"),
        ({"formula": "Cube(x)", "verdict": "invalid"}, "no_formula"),
        ({"formula": "Cube(a)", "verdict": "unknown"}, "unknown_pair"),
    ],
)
def test_round_trip_without_verdict_is_refused_as_pair(formula: dict[str, Any], reason: str) -> None:
    with pytest.raises(CandidateError) as error:
        taken(**formula)
    assert error.value.reason == reason


def test_expression_pairs_are_separated_by_word() -> None:
    draw, refused = Random("expressions"), Counter[str]()
    for _ in range(15):
        gold = full(draw, draw.randint(2, 12))
        try:
            pairs = certified_pairs(gold, LANGUAGES["regular"], WORDS, generator(str(gold)))
        except CandidateError as error:
            refused[error.reason] += 1
            continue
        rows: list[Any] = candidate_rows(pairs, "regular")
        edited, same, _ = (LANGUAGES["regular"].parse(row["formula"]) for row in rows[1:])
        word = rows[1]["certificates"][0]["word"]
        assert matches(gold, word) != matches(edited, word)
        texts = ["", *(f"{number:0{size}b}" for size in range(1, 7) for number in range(2**size))]
        assert [matches(gold, text) for text in texts] == [matches(same, text) for text in texts]
        assert [row["edits"] for row in rows] == [0, 1, 0, 1]
        assert len(rows[1]["path"]) == len(rows[1]["change"])
    # Few tokens in another order mean something else where all letters are one.
    assert {*refused} <= {"no_edit"}
    assert refused.total() < 2


@pytest.mark.parametrize(("formula", "reason"), [("Cube(x)", "open"), ("Cube(a, b)", "signature")])
def test_certified_pairs_refuse_formula_with_reason(formula: str, reason: str) -> None:
    with pytest.raises(CandidateError) as error:
        certified_pairs(FIRST_ORDER.parse(formula), FIRST_ORDER, derive([FIRST_ORDER.parse("Cube(a)")]), generator(1))
    assert error.value.reason == reason


def test_verification_pairs_balance_sentences_and_classes() -> None:
    assert TASK.entry.shown_as == ("equivalent", "perturbation")
    firsts: Counter[tuple[str, int]] = Counter()
    for seed in range(400):
        for presentation, pairs in (("equivalent", [{0, 2}, {1, 3}]), ("perturbation", [{0, 1}, {2, 3}])):
            step = asked(ITEM, presentation, seed)
            assert set(step.order) in pairs
            first, second = (ITEM.members[place].formula for place in step.order)
            assert step.user == f"First: {first}\nSecond: {second}"
            firsts[presentation, step.order[0]] += 1
    assert len(firsts) == 8
    assert chisquare([*firsts.values()]).pvalue > 0.001


def test_blind_verification_withholds_second_sentence() -> None:
    task = Verification(VerificationEntry(control="blind"))
    for seed in range(10):
        seen, blind = asked(ITEM, "perturbation", seed, task), asked(ITEM, "blind_perturbation", seed, task)
        assert seen.order == blind.order
        assert blind.user == f"One: {ITEM.members[blind.order[0]].formula}"


def test_surface_reference_finds_what_counts_tell_of_pairs(drawn: list[tuple[Formula, Rows]]) -> None:
    items = [
        replace(item("first_order", str(gold), rows=rows), item=f"w:{number}", story=f"s{number % 9}")
        for number, (gold, rows) in enumerate(drawn)
    ]
    surface = TASK.reference("surface", items)
    right = [
        TASK.judge_answer(one, step.order, surface(Asked(one, shown, step, ()))).scores["right"]
        for one in items
        for shown in TASK.entry.shown_as
        for step in (asked(one, shown),)
    ]
    # By neighbours of tokens above all; by lengths and edits alone it was at chance.
    assert 0.5 < sum(right) / len(right) < 0.75


@pytest.mark.parametrize(
    ("language", "text", "ontology", "inside", "outside"),
    [
        ("first_order", "P(a) ∧ ∀x Q(x)", None, "∀x (for every x)", "X*"),
        ("propositional", "p ∧ q", None, "whichever statements are true", "∀"),
        ("regular", "(01)*", Ontology(alphabet="01"), "X* is zero", "X|Y"),
        ("regular", "(01)*", WORDS, "X|Y", "¬"),
    ],
)
def test_verification_prompt_explains_language_notation(
    language: LanguageName, text: str, ontology: Ontology | None, inside: str, outside: str
) -> None:
    step = asked(item(language, text, ontology), "equivalent")
    assert inside in step.system
    assert outside not in step.system


@pytest.mark.parametrize(
    ("presentation", "word", "score"),
    [("equivalent", "yes", 1), ("equivalent", "no", 0), ("perturbation", "no", 1), ("perturbation", "yes", 0)],
)
def test_verification_scores_word_against_class(presentation: str, word: str, score: int) -> None:
    """D18: the released parser finds a no in "not different", and cannot read the answer."""
    text = json.dumps({"reasoning": "No, they are not different. [Answer]: yes and no", "answer": word})
    judged = TASK.judge(ITEM, [Reply("", "answered", text, asked(ITEM, presentation).order)])
    assert judged.scores == {"right": score}
    assert (judged.answer, judged.outcome) == (word, "answered")
    assert judged.verdict == ("equivalent" if presentation == "equivalent" else "not_equivalent")
    assert TASK.chance(ITEM).scores == {"right": 0.5}


@pytest.mark.parametrize(
    ("outcome", "text", "expected"),
    [("answered", said("Yes"), "unparsable"), ("answered", said(True), "unparsable"), ("truncated", "{", "truncated")],
)
def test_unreadable_verification_answer_is_wrong_and_keeps_class(outcome: str, text: str, expected: str) -> None:
    judged = TASK.judge(ITEM, [Reply("", outcome, text, asked(ITEM, "perturbation").order)])
    assert (judged.outcome, judged.verdict, judged.scores) == (expected, "not_equivalent", {"right": 0})


def test_word_answers_are_enumerated_in_every_schema_form() -> None:
    schema, answer = word_schema(ANSWERS, 40), {"type": "string", "enum": ["yes", "no"]}
    assert schema["properties"]["answer"] == answer
    assert '"enum":["yes","no"]' in lark_grammar(schema).replace(" ", "")
    assert strict_schema(schema)["properties"] == {"reasoning": {"type": "string"}, "answer": answer}
    assert read_word(said("no"), ANSWERS) == "no"
    with pytest.raises(AnswerError, match="answer 'maybe' is not one of yes, no"):
        read_word(said("maybe"), ANSWERS)


def test_unlisted_word_reveals_interface_breach() -> None:
    replies = [(ITEM, "", ChatReply(word, Ending.ANSWERED, text=said(word))) for word in ("yes", "perhaps")]
    assert breaches("json_schema", TASK, replies) == {"answer 'perhaps' is not one of yes, no": 1}
