"""References, through the files of every stage: the ceiling, the test of the measure, the floor."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import pytest
from tests.stored import stored
from tests.unit.tasks.generated_set import judged, triples_file

import answer_by_reference
import judge_answers
from nlfol.asking.asking import Asking, Offered
from nlfol.logic.english.styles import Style, render
from nlfol.logic.languages.language import LanguageName
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading import parse
from nlfol.randomness import generator
from nlfol.results.statistics.cells import cells
from nlfol.sets.audited import Plan, most_similar_set, ranking_set
from nlfol.sets.sets import candidate_rows
from nlfol.store import files, schemas
from nlfol.tasks.cues import ORDER, WORDS, of_candidate, of_sentence
from nlfol.tasks.encoded import is_encoded
from nlfol.tasks.item import Item, Member
from nlfol.tasks.most_similar import MostSimilar, MostSimilarEntry
from nlfol.tasks.plan import NoPrompts, Reply, Setting, Step
from nlfol.tasks.ranking import RankingEntry
from nlfol.tasks.reference import Asked, Manner, ReaderError, Shown, dialogue, expected_grades, features
from nlfol.tasks.registry import TASKS, build_task

Rows = list[dict[str, Any]]

FORMULAS = [
    (1, "∀x (P(x) → Q(x))"), (1, "∀y (¬Q(y) → ¬P(y))"), (1, "P(a) ∧ ¬Q(a)"), (2, "∃x (P(x) ∧ Q(x)) ∨ R(a, b)"),
    (2, "R(a, b) ∨ ¬∀x (¬P(x) ∨ ¬Q(x))"), (2, "R(b, a)"), (2, "a ≠ b"),
]  # fmt: skip
SETS: Mapping[LanguageName, tuple[Ontology, list[tuple[int | None, str]]]] = {
    "first_order": (derive(parse(formula) for _, formula in FORMULAS), [*FORMULAS]),
    "regular": (Ontology(alphabet="01"), [(2, "(01)*"), (2, "(01)*(01)*"), (3, "0*1"), (3, "(10)*1"), (3, "1(01)*")]),
}


def answered(folder: Path, language: LanguageName, model: dict[str, Any], **entry: Any) -> Rows:
    ontology, formulas = SETS[language]
    triples = triples_file(folder / "triples.arrow", language, ontology, formulas)
    scores = judged(folder, triples, entry, model)
    # Of a ≠ b, an edit leaves a = b alone, so no pair of equal look.
    made = [f for _, f in formulas if entry["task"] != "verification" or f != "a ≠ b"]
    assert [cell["items"] for cell in cells([scores])] == [len(made)] * len(cells([scores]))
    return files.rows(scores, schemas.SCORES)


def means(rows: Rows) -> dict[str, float]:
    metrics = dict.fromkeys(row["metric"] for row in rows)
    return {metric: fmean(row["score"] for row in rows if row["metric"] == metric) for metric in metrics}


@pytest.mark.parametrize("language", SETS)
def test_round_trip_reader_preserves_meaning_in_every_round(tmp_path: Path, language: LanguageName) -> None:
    rows = answered(tmp_path, language, {"kind": "reader"}, task="round_trip", rounds=3)
    found = means(rows)
    for number in ("", "@2", "@3"):
        scores = [found[f"{name}{number}"] for name in ("truth", "truth_uncopied", "compliance", "copied")]
        assert scores == [1, 1, 1, 0]
    assert {row["stop"] for row in rows} == {"completed"}
    assert {row["round"] for row in rows} == {1, 2, 3}
    steps = files.rows(tmp_path / "t.responses.arrow", schemas.RESPONSES)
    assert [row["part"] for row in steps[:6]] == ["informalization", "formalization"] * 3
    assert [row["step"] for row in steps[:6]] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("language", SETS)
def test_echo_reference_is_true_and_fully_copied(tmp_path: Path, language: LanguageName) -> None:
    found = means(answered(tmp_path, language, {"kind": "echo"}, task="round_trip"))
    assert found == {"truth": 1, "compliance": 1, "truth_uncopied": 0, "copied": 1}


@pytest.mark.parametrize("language", SETS)
def test_transliterated_notation_counts_as_copy_when_bracketed_or_no_english(
    tmp_path: Path, language: LanguageName
) -> None:
    rows = answered(tmp_path, language, {"kind": "transliterate"}, task="round_trip")
    found = means(rows)
    assert (found["truth"], found["compliance"]) == (1, 1)
    texts = {row["item"]: row["answer"] or "" for row in rows if row["metric"] == "copied"}
    seen = {name: "open bracket" in text or is_encoded(text, Ontology()) for name, text in texts.items()}
    assert {row["item"]: bool(row["score"]) for row in rows if row["metric"] == "copied"} == seen
    assert found["truth_uncopied"] == pytest.approx(1 - fmean(seen.values()))
    assert found["truth_uncopied"] < 0.7


@pytest.mark.parametrize("language", SETS)
def test_coder_is_true_whatever_its_code(tmp_path: Path, language: LanguageName) -> None:
    copied = {}
    for coding in ("story", "binary"):
        found = means(answered(tmp_path, language, {"kind": "coder", "coding": coding}, task="round_trip"))
        assert found["truth"] == 1
        assert found["truth_uncopied"] == 1 - found["copied"]
        copied[coding] = found["copied"]
    assert copied == {"story": 0, "binary": 1}


def test_stop_on_copies_ends_echo_chain(tmp_path: Path) -> None:
    rows = answered(tmp_path, "first_order", {"kind": "echo"}, task="round_trip", copies="stop", rounds=2)
    assert means(rows)["truth"] == 0
    assert {(row["stop"], row["outcome"]) for row in rows} == {("copied", "answered")}
    assert len(files.rows(tmp_path / "t.responses.arrow", schemas.RESPONSES)) == len(FORMULAS)


def test_constant_reference_scores_commonest_meaning_share(tmp_path: Path) -> None:
    model = {"kind": "constant", "answer": "commonest"}
    rows = answered(tmp_path, "first_order", model, task="round_trip")
    assert means(rows)["truth"] == pytest.approx((2 + 2) / 7)
    assert means(rows)["copied"] == 0
    assert means(answered(tmp_path, "regular", model, task="round_trip"))["truth"] == pytest.approx((2 + 2) / 5)


@pytest.mark.parametrize("language", SETS)
@pytest.mark.parametrize(
    ("model", "same", "different"),
    [
        ({"kind": "reader"}, 1, 1),
        ({"kind": "constant", "answer": "yes"}, 1, 0),
        ({"kind": "constant", "answer": "no"}, 0, 1),
        ({"kind": "chance"}, 0.5, 0.5),
    ],
)
def test_reference_verifiers_have_known_scores_by_class(
    tmp_path: Path, language: LanguageName, model: dict[str, Any], same: float, different: float
) -> None:
    rows = answered(tmp_path, language, model, task="verification")
    for presentation, score, verdict in (
        ("equivalent", same, "equivalent"),
        ("perturbation", different, "not_equivalent"),
    ):
        found = [(row["score"], row["verdict"]) for row in rows if row["presentation"] == presentation]
        assert set(found) == {(score, None if model["kind"] == "chance" else verdict)}
        assert len(found) == len(SETS[language][1]) - (language == "first_order")


@pytest.mark.parametrize(
    ("kind", "model", "answer", "does"),
    [
        ("round_trip", "reader", None, True),
        ("round_trip", "echo", None, True),
        ("round_trip", "transliterate", None, True),
        *((kind, "coder", None, kind == "round_trip") for kind in TASKS),
        ("round_trip", "constant", "commonest", True),
        ("round_trip", "constant", "yes", False),
        ("round_trip", "embedding", None, False),
        ("verification", "echo", None, False),
        ("verification", "constant", "no", True),
        ("verification", "constant", "commonest", False),
        ("most_similar", "echo", None, False),
        *((kind, "order", None, kind in ("most_similar", "ranking")) for kind in TASKS),
        ("most_similar", "constant", "yes", False),
        ("logical_translation", "reader", None, False),
        *((kind, "drifting", None, kind == "program") for kind in TASKS),
        *((kind, "vacuous", None, kind == "program") for kind in TASKS),
        *((kind, "merging", None, kind in ("program", "ontology_extraction")) for kind in TASKS),
    ],
)
def test_reference_kind_supports_listed_tasks_only(kind: str, model: str, answer: str | None, does: bool) -> None:
    task = build_task(json.dumps({"task": kind}))
    assert task.is_done_by(model, answer) is does
    if not does:
        with pytest.raises(TypeError, match=f"{kind} is not done by a"):
            task.reference(model, [], Manner(answer))


GOLD = parse("∀x (Cube(x) ∧ Small(x) → LeftOf(x, a))")
ONTOLOGY = derive([GOLD])
CANDIDATES = {
    "most_similar": most_similar_set(GOLD, ONTOLOGY, Plan(8, style=Style.UNAMBIGUOUS), generator(1)),
    "ranking": ranking_set(GOLD, ONTOLOGY, Plan(3, style=Style.UNAMBIGUOUS), generator(1)),
}
ITEM = Item("s:0", "s", "Small cubes are left of a.", to_unicode(GOLD), ONTOLOGY, ())


def answer(kind: str, texts: Sequence[str]) -> str:
    """Return the reader's answer about candidates with these texts."""
    task = build_task(json.dumps({"task": kind}))
    item = replace(ITEM, members=tuple(Member("", text, "") for text in texts))
    step = Step("", "", "", {}, tuple(range(len(texts))))
    return task.reference("reader", [])(Asked(item, "english", step, ()))


def english(*formulas: str) -> list[str]:
    return [render(parse(formula), ONTOLOGY, Style.UNAMBIGUOUS) for formula in formulas]


def test_most_similar_reader_finds_gold_at_every_position() -> None:
    members = CANDIDATES["most_similar"]
    for place in range(len(members)):
        shown = [*members[1 : place + 1], members[0], *members[place + 1 :]]
        said = json.loads(answer("most_similar", [m.english for m in shown]))
        reasoning = f"Candidate {place + 1} is equivalent to the sentence, no other is."
        assert said == {"reasoning": reasoning, "answer": place + 1}


def test_ranking_reader_places_equivalents_first_and_negations_last() -> None:
    shown = Random(5).sample(CANDIDATES["ranking"], len(CANDIDATES["ranking"]))
    said = json.loads(answer("ranking", [m.english for m in shown]))
    assert list(said) == ["reasoning", "answer"]
    roles = [shown[number - 1].role.value for number in said["answer"]]
    assert set(roles[:2]) == {"gold", "equivalent"}
    assert roles[2:-2] == ["perturbation"] * 3
    assert set(roles[-2:]) == {"negation", "negation_normal_form"}


@pytest.mark.parametrize(
    ("task", "candidates", "message"),
    [
        ("most_similar", ["Every cube is small."], "candidate 1 cannot be read: line 1, column 1: neither words"),
        (
            "most_similar",
            english("Cube(a)", "∀y (Cube(y) ∧ Small(y) → LeftOf(y, a))", to_unicode(GOLD)),
            r"2 candidates are equivalent to the sentence, 1 should be: \[2, 3\]",
        ),
        ("most_similar", english("Cube(a)", "Small(a)"), "0 candidates are equivalent to the sentence, 1 should be"),
        ("ranking", english(to_unicode(GOLD), "Cube(a)"), "1 candidates are equivalent to the sentence, 2 should be"),
        (
            "ranking",
            english(to_unicode(GOLD), "∀y (Cube(y) ∧ Small(y) → LeftOf(y, a))", "Cube(a)"),
            "0 candidates are equivalent to the negation of the sentence, 2 should be",
        ),
    ],
)
def test_reader_rejects_ambiguous_texts(task: str, candidates: list[str], message: str) -> None:
    with pytest.raises(ReaderError, match=message):
        answer(task, candidates)


def test_reader_rejects_paper_style_candidates() -> None:
    shown = [render(m.formula, ONTOLOGY, Style.PAPER) for m in CANDIDATES["ranking"]]
    with pytest.raises(ReaderError, match="cannot be read"):
        answer("ranking", shown)


# The script


def read(folder: Path, task: str, *, lie: bool = False) -> tuple[Rows, Rows]:
    """Return the reader's responses to two items, and scores; with a lie, two members of the second have one text."""
    candidates, output, scores = (folder / f"{name}.arrow" for name in ("candidates", "responses", "scores"))
    members = candidate_rows(CANDIDATES[task])
    row = stored(schemas.ITEMS, item="s:0", formula=to_unicode(GOLD), ontology=ONTOLOGY.to_row(), candidates=members)
    twice = [{**members[0], "english": members[-1]["english"]}, *members[1:]] if lie else members
    about = {"task": task, "task_kind": task, "protocol": "audited"}
    files.write(candidates, schemas.ITEMS, [row, {**row, "item": "s:1", "candidates": twice}], about)
    built = build_task(json.dumps({"task": task, "presentations": ["english"]}))
    asking = Asking(Offered.read(candidates), "toy", task, built, "reader", '{"kind": "reader"}', 7, output)
    answer_by_reference.main(asking)
    judge_answers.main(candidates, output, json.dumps({"task": task}), scores)
    return files.rows(output, schemas.RESPONSES), files.rows(scores, schemas.SCORES)


@pytest.mark.parametrize(
    ("task", "metrics"), [("most_similar", ["accuracy"]), ("ranking", ["both", "equivalence", "negation"])]
)
def test_reference_answers_are_judged_like_model_answers(tmp_path: Path, task: str, metrics: list[str]) -> None:
    rows, scores = read(tmp_path, task)
    assert [(row["presentation"], row["seed"], row["outcome"]) for row in rows] == [("english", None, "answered")] * 2
    assert all(row["order"] != sorted(row["order"]) for row in rows), "the gold formula is not shown first"
    found = [(row["item"], row["metric"], row["score"], row["outcome"]) for row in scores]
    assert found == [(item, metric, 1.0, "answered") for item in ("s:0", "s:1") for metric in metrics]


@pytest.mark.parametrize("task", ["most_similar", "ranking"])
def test_mistranslated_candidate_fails_reader_answer(tmp_path: Path, task: str) -> None:
    (_, failed), scores = read(tmp_path, task, lie=True)
    assert (failed["outcome"], failed["answer"]) == ("failed", None)
    assert "equivalent to the sentence" in failed["error"]
    found = {(row["item"], row["score"], row["outcome"]) for row in scores}
    assert found == {("s:0", 1.0, "answered"), ("s:1", 0.0, "failed")}


def test_answer_by_reference_rejects_non_baselines(tmp_path: Path) -> None:
    task, entry = build_task('{"task": "ranking"}'), '{"kind": "answers", "path": "a.jsonl"}'
    asking = Asking(Offered((), {}), "toy", "ranking", task, "own", entry, 7, tmp_path)
    with pytest.raises(TypeError, match="'own' is no baseline"):
        answer_by_reference.main(asking)


def test_audited_sets_default_to_readable_style() -> None:
    assert MostSimilarEntry().sets_style is Style.EVEN
    assert MostSimilarEntry(protocol="audited").sets_style is Style.UNAMBIGUOUS
    assert RankingEntry(protocol="paper").sets_style is Style.PAPER


MOST_SIMILAR = MostSimilar(MostSimilarEntry())
TEXTS = ["of some length", "longer by a word or two", "by far the longest of all these texts"]


def alike(number: int, gold: int, story: str = "") -> Item:
    """Return an item of three candidates, the gold formula being the one with that length."""
    english = [TEXTS[gold], *(text for place, text in enumerate(TEXTS) if place != gold)]
    roles = ["gold", "perturbation", "perturbation"]
    members = [Member("P(a)", text, role) for text, role in zip(english, roles, strict=True)]
    return Item(f"s{number}:0", story or f"s{number}", f"sentence {number}", "P(a)", Ontology(), tuple(members))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a is a cube.", [12, 4, 0, 0, 0]),
        ("∀x (Cube(x) → (Small(x) ∨ Large(x)))", [36, 6, 5, 3, 0]),
        ("If (1), then (2):\n  (1) a;\n  (2) b.", [35, 8, 0, 1, 1]),
        ("Both (1) and (2):\n  (1) if (1.1), then (1.2):\n    (1.1) a;\n    (1.2) b;\n  (2) c.", [80, 15, 0, 2, 2]),
    ],
)
def test_surface_features_match_expected_values(text: str, expected: list[int]) -> None:
    assert features(text) == expected


def by_surface(items: Sequence[Item]) -> Iterator[Reply]:
    plan, reference = MOST_SIMILAR.plan(Setting(1, NoPrompts())), MOST_SIMILAR.reference("surface", items)
    for item in items:
        ((_, reply),) = dialogue(plan, reference, item, "english", 0)
        yield reply


@pytest.mark.parametrize("gold", [0, 1, 2])
def test_surface_reference_learns_fixed_gold_position(gold: int) -> None:
    items = [alike(number, gold) for number in range(30)]
    for item, reply in zip(items, by_surface(items), strict=True):
        assert MOST_SIMILAR.judge(item, [reply]).scores == {"accuracy": 1}


def test_surface_reference_excludes_asked_story_from_training() -> None:
    def shown(story: str, best: int) -> Shown:
        return Shown(story, TEXTS, [int(place == best) for place in range(3)])

    items = [shown("first", 0)] * 40 + [shown("second", 2)] * 40
    grades = expected_grades(items)
    assert {tuple(round(grade, 2) for grade in found) for found in grades[:40]} == {(0, 0, 1)}
    assert {tuple(round(grade, 2) for grade in found) for found in grades[40:]} == {(1, 0, 0)}
    assert expected_grades(items) == grades


READ = {
    "Every cube is larger than a.": ("∀x (Cube(x) → Larger(x, a))", "∀x (Cube(x) → Larger(a, x))"),
    "No cube is left of b.": ("∀x (Cube(x) → ¬LeftOf(x, b))", "∃x (Cube(x) ∧ ¬LeftOf(x, b))"),
    "Some cube is not small.": ("∃x (Cube(x) ∧ ¬Small(x))", "∃x (¬Cube(x) ∧ Small(x))"),
    "If a is a cube, then b is small.": ("(Cube(a) → Small(b))", "(Small(b) → Cube(a))"),
}


def read_items() -> list[Item]:
    return [
        Item(str(n), "s", text, pair[0], ONTOLOGY, tuple(map(Member, pair, even(*pair), ("gold", "corner"))))
        for n, (text, pair) in enumerate(READ.items())
    ]


def even(*formulas: str) -> list[str]:
    parsed = [*map(parse, formulas)]
    return [render(formula, derive(parsed), Style.EVEN) for formula in parsed]


@pytest.mark.parametrize("presentation", ["formula", "english"])
@pytest.mark.parametrize("kind", ["order", "learner"])
def test_references_without_logic_read_order_and_are_blind_without_sentence(kind: str, presentation: str) -> None:
    items = [
        replace(item, item=item.item + copy, story=copy, source=copy) for item in read_items() for copy in "abcdef"
    ]
    plan, reference = MOST_SIMILAR.plan(Setting(1, NoPrompts())), MOST_SIMILAR.reference(kind, items)

    def right(shown_as: str) -> float:
        replies = [[reply for _, reply in dialogue(plan, reference, item, shown_as, 0)] for item in items]
        return fmean(MOST_SIMILAR.judge(i, given).scores["accuracy"] for i, given in zip(items, replies, strict=True))

    assert right(presentation) == 1
    if kind == "order":
        assert right(f"blind_{presentation}") < 1, "it takes the first"


def test_words_count_what_candidates_share_with_sentence() -> None:
    told = of_sentence("Not every cube is left of a.")
    assert told.tokens == ["¬", "∀", "cub", "left", "a"]
    shown = of_candidate("¬∀x (Cube(x) → LeftOf(x, a))")
    assert (shown.signs, shown.names) == (["¬", "∀", "→"], ["cub", "left", "a"])
    assert [score(told, shown) for score in WORDS] == [3, -1, 0, True, 0]
    assert len(ORDER) == 14
    english = even("¬∀x (Cube(x) → LeftOf(x, a))")[0]
    assert of_candidate(english).tokens == shown.tokens


def test_surface_reference_fails_with_single_story() -> None:
    reply = next(by_surface([alike(number, 0, "only") for number in range(3)]))
    assert reply.outcome == "failed"
    assert "one story" in str(reply.error)
