"""Ontology extraction: what is asked, what an answer is worth, and what references score."""

import csv
import json
from collections.abc import Iterator, Sequence
from itertools import permutations, product
from pathlib import Path
from statistics import fmean
from typing import Any

import polars as pl
import pytest
from benchmarks.equivalence import in_z3py
from benchmarks.own_ontologies import drawn
from tests.analysing import analyse
from tests.examples import ROOT
from tests.unit.tasks.generated_set import items_file, judged, triples, triples_file
from tests.unit.tasks.problem_items import next_step

from nlfol.asking.asking import usable_items
from nlfol.config import ConfigurationError, as_json, read_configuration
from nlfol.facts import AnswerForm
from nlfol.logic import Formula, holds
from nlfol.logic.ontology.ontology import Ontology, Predicate
from nlfol.logic.reading import parse
from nlfol.models.schema import lark_grammar, strict_schema
from nlfol.problems.alignment import Conjunct, Image, Symbol, merging
from nlfol.problems.programs.formulas.maps import written
from nlfol.problems.programs.symbols import identity
from nlfol.randomness import generator
from nlfol.results.statistics.cells import cells
from nlfol.store import files, schemas
from nlfol.tasks.item import Item
from nlfol.tasks.plan import Reply
from nlfol.tasks.registry import build_task
from nlfol.tasks.task import AnyTask, Judgement
from nlfol_extras.analyses.refusals import REFUSALS
from nlfol_extras.explaining.explanation import item_history
from nlfol_extras.explaining.selection import SelectionError
from nlfol_extras.ontologies.alignment import symbols_of

WHOLES = ("equivalence", "sentences", "sentences_alone", "recall", "precision", "anchored", "sentences_most")
LEAST = "sentences_least"
SHARES = ("refined", "merged", "by_name")
OWN = {"task": "logical_translation", "ontology": "own"}
STORY = [
    ("s", "Tom sleeps.", "Sleeps(tom)"),
    ("s", "Tom is a cat.", "Cat(tom)"),
    ("s", "Every cat chases some mouse.", "∀x (Cat(x) → ∃y (Mouse(y) ∧ Chases(x, y)))"),
]
SYMBOLS = [
    {"name": "Feline", "kind": "predicate", "arity": 1, "gloss": "is a cat"},
    {"name": "Rests", "kind": "predicate", "arity": 1, "gloss": "sleeps"},
    {"name": "Prey", "kind": "predicate", "arity": 1, "gloss": "is a mouse"},
    {"name": "FleesFrom", "kind": "predicate", "arity": 2, "gloss": "is chased by"},
    {"name": "thomas", "kind": "constant", "arity": 0, "gloss": "Tom"},
]
FORMULAS = ["Rests(thomas)", "Feline(thomas)", "∀x (¬∃y (FleesFrom(y, x) ∧ Prey(y)) → ¬Feline(x))"]


def answer(formulas: Any, symbols: Any = SYMBOLS) -> str:
    return json.dumps({"reasoning": "", "symbols": symbols, "answer": formulas})


def own(scope: str, **entry: Any) -> AnyTask:
    return build_task(json.dumps({**OWN, "scope": scope, **entry}))


def tarski() -> list[tuple[str, str, str]]:
    with (ROOT / "resources/datasets/tarski/sentences.csv").open(encoding="utf-8", newline="") as file:
        return [(row["story"], row["text"], str(parse(row["formula"]))) for row in csv.DictReader(file)]


def means(scores: Path) -> dict[str, float]:
    found = pl.DataFrame(files.rows(scores, schemas.SCORES)).group_by("metric").agg(pl.col("score").mean())
    return dict(found.iter_rows())


@pytest.fixture
def items(tmp_path: Path) -> dict[str, list[Item]]:
    source = triples(tmp_path / "triples.arrow", STORY)
    return {scope: usable_items(items_file(tmp_path, source, **OWN, scope=scope)) for scope in ("sentence", "story")}


def sentences_file(folder: Path, source: Path) -> Path:
    rows = [row | {"source_formula": row["formula"]} for row in files.rows(source, schemas.TRIPLES)]
    for row in rows:
        del row["ontology"]
    files.write(folder / "sentences.arrow", schemas.SENTENCES, rows, {"dataset": "toy"})
    return folder / "sentences.arrow"


def judge(item: Item, text: str, scope: str, **entry: Any) -> Judgement:
    return own(scope, **entry).judge(item, [Reply("", "answered", text)])


def test_ontology_key_selects_task_and_given_is_default() -> None:
    plain = {"task": "logical_translation", "limits": {"formula": 80}}
    given, left_out = (
        as_json(build_task(json.dumps(entry)).entry) for entry in ({**plain, "ontology": "given"}, plain)
    )
    assert given == left_out
    assert "ontology" not in given
    datasets = {"d": {"reader": "table", "path": "d.csv"}}
    values: dict[str, Any] = {"seed": 1, "datasets": datasets, "models": {"chance": {"kind": "chance"}}}
    tasks = {"logical_translation": {"ontology": "own"}, "other": {**OWN, "scope": "story"}, "plain": plain}
    configuration = read_configuration({**values, "tasks": tasks})
    assert [entry.task for entry in configuration.tasks.values()] == [*["ontology_extraction"] * 2, plain["task"]]
    assert len(configuration.jobs_of_form(AnswerForm.OWN_FORMULA)) == 2
    with pytest.raises(ConfigurationError, match=r"tasks\.logical_translation: ontology: 'ours'; use given or own"):
        read_configuration({**values, "tasks": {"logical_translation": {"ontology": "ours"}}})
    with pytest.raises(ConfigurationError, match="scope"):
        read_configuration({**values, "tasks": {"logical_translation": {"scope": "story"}}})


@pytest.mark.parametrize("scope", ["sentence", "story"])
def test_own_ontology_prompt_hides_symbols_and_glosses(items: dict[str, list[Item]], scope: str) -> None:
    for item in items[scope]:
        step = next_step(own(scope), item)
        assert item.text in step.user
        for symbol in ("Sleeps(", "Cat(", "Mouse(", "Chases(", "tom"):
            assert symbol not in f"{step.system}\n{step.user}"
        assert '"symbols"' in step.system
        assert lark_grammar(step.schema)
        assert strict_schema(step.schema)
        formula = {"type": "string", "maxLength": 500}
        formulas = {"type": "array", "items": formula, "minItems": 3, "maxItems": 3}
        assert step.schema["properties"]["answer"] == (formula if scope == "sentence" else formulas)


def test_story_item_contains_all_usable_sentences(items: dict[str, list[Item]]) -> None:
    (story,) = items["story"]
    assert story.item == story.story == "s"
    assert story.text == "1. Tom sleeps.\n2. Tom is a cat.\n3. Every cat chases some mouse."
    assert [member.formula for member in story.members] == [formula for _, _, formula in STORY]
    assert parse(story.formula)


def test_overlong_story_is_refused_entirely(tmp_path: Path) -> None:
    long = [("long", f"Tom has number {n}.", f"Has(tom, n{n})") for n in range(41)]
    source = triples(tmp_path / "triples.arrow", [*long, *STORY])
    path = items_file(tmp_path, source, **OWN, scope="story")
    rows = files.rows(path, schemas.ITEMS)
    assert [(row["item"], row["reason"]) for row in rows] == [("long", "story_too_long"), ("s", None)]
    sentences = [sentences_file(tmp_path, source)]
    analyse("refusals", tmp_path, {"datasets": ["toy"]}, sentences=sentences, triples=[source], item_files=[path])
    refusals = files.rows(tmp_path / "refusals.arrow", REFUSALS)
    steps = [row for row in refusals if row["task"] == "t" and row["item"] is None]
    assert [(row["step"], row["reason"], row["sentences"]) for row in steps] == [
        ("refused", "story_too_long", 3),
        ("usable", None, 3),
    ]


def test_story_is_right_if_single_map_fits_all_sentences(items: dict[str, list[Item]]) -> None:
    (story,) = items["story"]
    right = judge(story, answer(FORMULAS), "story")
    assert right.verdict == "equivalent"
    # No word tells the order of "is chased by".
    told = pytest.approx(2 / 3)
    assert right.scores == {**dict.fromkeys(WHOLES, 1), **dict.fromkeys(SHARES, 0), LEAST: told}
    assert "Chases ↦ FleesFrom(2, 1)" in (right.detail or "")
    drifted = judge(story, answer([FORMULAS[0], "Prey(thomas)", FORMULAS[2]]), "story")
    assert drifted.verdict == "not_equivalent"
    assert [drifted.scores[name] for name in WHOLES[:3]] == pytest.approx([0, 2 / 3, 1])
    unread = judge(story, answer([FORMULAS[0], "Feline(", FORMULAS[2]]), "story")
    assert (unread.outcome, unread.verdict) == ("answered", "invalid")
    assert unread.scores["sentences"] == pytest.approx(2 / 3)
    detail = unread.detail or ""
    assert detail.startswith("sentence 2: line 1")
    assert "2 invalid" in detail
    lost = judge(story, answer(["(", "(", "("]), "story")
    assert (lost.outcome, set(lost.scores.values())) == ("unparsable", {0})


@pytest.mark.parametrize(
    ("formula", "entry", "outcome", "verdict"),
    [
        ("Rests(thomas)", {}, "answered", "equivalent"),
        ("¬Rests(thomas)", {}, "answered", "not_equivalent"),
        ("forall x. (x = thomas -> Rests(x))", {}, "answered", "equivalent"),
        ("forall x. (x = thomas -> Rests(x))", {"reading": "strict"}, "unparsable", None),
        ("Sleeps(thomas)", {}, "answered", "invalid"),
        ("Rests(thomas, thomas)", {}, "answered", "invalid"),
        ("Rests(x)", {}, "answered", "invalid"),
        ("Rests(x)", {"unbound": "close"}, "answered", "not_equivalent"),
        ("Rests(", {}, "unparsable", None),
        (" ∧ ".join(["Rests(thomas)"] * 300), {}, "answered", "unknown"),
    ],
)
def test_sentence_judgement_gives_expected_verdict(
    items: dict[str, list[Item]], formula: str, entry: dict[str, str], outcome: str, verdict: str | None
) -> None:
    found = judge(items["sentence"][0], answer(formula), "sentence", **entry)
    assert (found.outcome, found.verdict) == (outcome, verdict)
    assert found.scores["equivalence"] == (verdict == "equivalent")


def test_concept_named_symbol_is_anchored_to_that_concept(tmp_path: Path) -> None:
    source = triples(tmp_path / "triples.arrow", [("s", "Every cat chases Tom.", "∀x (Cat(x) → Chases(x, tom))")])
    (item,) = usable_items(items_file(tmp_path, source, **OWN, scope="sentence"))
    symbols = [
        {"name": name, "kind": "predicate", "arity": arity, "gloss": ""}
        for name, arity in (("IsCat", 1), ("chases", 2))
    ] + [SYMBOLS[4]]
    right = judge(item, answer("forall y (IsCat(y) -> chases(y, thomas))", symbols), "sentence")
    turned = judge(item, answer("forall y (IsCat(y) -> chases(thomas, y))", symbols), "sentence")
    assert [found.scores["anchored"] for found in (right, turned)] == [1, 0]
    assert [found.scores["equivalence"] for found in (right, turned)] == [1, 1]
    assert (turned.verdict, turned.fault) == ("not_equivalent", "turned")
    assert "equivalent by a map that does not keep to names and glosses (turned)" in (turned.detail or "")


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"name": "Rests'); import os"}, "a name is an ASCII letter"),
        ({"name": "R" * 300}, "at most 200 characters"),
        ({"kind": "constant", "arity": 1}, "constant 'Rests' with 1 arguments"),
        ({"kind": "function", "arity": 0}, "function 'Rests' with 0 arguments"),
        ({"kind": "constant", "name": "x", "arity": 0}, "so a variable is called"),
        ({"arity": 7}, "less than or equal to 6"),
        ({"name": "Feline"}, "'Feline' is declared twice"),
        ({"kind": "relation"}, "predicate"),
        ({"more": 1}, "Extra inputs"),
    ],
)
def test_invalid_symbol_declaration_is_unparsable(
    items: dict[str, list[Item]], changed: dict[str, Any], complaint: str
) -> None:
    symbols = [SYMBOLS[0], {**SYMBOLS[1], **changed}, *SYMBOLS[2:]]
    found = judge(items["sentence"][0], answer("Rests(thomas)", symbols), "sentence")
    assert found.outcome == "unparsable"
    assert complaint in (found.detail or "")


def test_malformed_answer_is_unparsable(items: dict[str, list[Item]]) -> None:
    (story,) = items["story"]
    for text in ("no JSON", answer("Rests(thomas)"), answer(FORMULAS[:2]), answer(FORMULAS, SYMBOLS * 60)):
        assert judge(story, text, "story").outcome == "unparsable"


@pytest.mark.parametrize("scope", ["sentence", "story"])
def test_reader_scores_full_marks_and_chance_scores_zero(tmp_path: Path, scope: str) -> None:
    source = triples(tmp_path / "triples.arrow", tarski())
    entry = {**OWN, "scope": scope}
    scores = judged(tmp_path, source, entry, {"kind": "reader"})
    found = means(scores)
    assert 0 <= found.pop(LEAST) < 1
    assert found == {**dict.fromkeys(WHOLES, 1), **dict.fromkeys(SHARES, 0)}
    first = cells([scores])[0]
    assert first["items"] == first["equivalent"] == (208 if scope == "sentence" else 26)
    guessed = judged(tmp_path, source, entry, {"kind": "chance"})
    assert means(guessed) == dict.fromkeys((*WHOLES, *SHARES, LEAST), 0)


def is_equivalent_by_any_map(gold: Formula, other: Formula) -> bool:
    """Return whether an injective map of some symbols makes two formulas equivalent.

    All maps are looked at: refuted by random structures, with a plain evaluator, or put to z3py.
    """
    import z3

    random = generator("own", str(gold))
    for images in _partial_maps(symbols_of([gold]), symbols_of([other])):
        changed = written(gold, images)
        symbols = symbols_of([changed, other])
        structures = (drawn(symbols, 1 + place % 3, random) for place in range(12))
        if all(holds(changed, structure) is holds(other, structure) for structure in structures):
            solver = z3.Solver()
            one: Any = in_z3py(changed, z3)
            solver.add(z3.Not(one == in_z3py(other, z3)))
            if str(solver.check()) == "unsat":
                return True
    return False


def _partial_maps(ours: Sequence[Symbol], theirs: Sequence[Symbol]) -> Iterator[dict[Symbol, Image]]:
    def choices(symbol: Symbol) -> list[Image]:
        alike = [each for each in theirs if (each.kind, each.arity) == (symbol.kind, symbol.arity)]
        orders = list(permutations(range(symbol.arity)))
        fresh = identity(symbol._replace(name=f"Fresh{symbol.name}"))
        return [fresh, *((Conjunct(each, order),) for each in alike for order in orders)]

    for chosen in product(*map(choices, ours)):
        if len({image[0].symbol for image in chosen}) == len(chosen):
            yield dict(zip(ours, chosen, strict=True))


def test_merging_model_is_right_exactly_where_map_exists(tmp_path: Path) -> None:
    sentences = tarski()
    expected = []
    for _, _, text in sentences:
        gold = parse(text)
        other = written(gold, {symbol: merging("", symbol) for symbol in symbols_of([gold])})
        expected.append(is_equivalent_by_any_map(gold, other))
    assert 0 < sum(expected) < len(expected)
    source = triples(tmp_path / "triples.arrow", sentences)
    rows = files.rows(judged(tmp_path, source, {**OWN, "scope": "sentence"}, {"kind": "merging"}), schemas.SCORES)
    right = [row["score"] for row in rows if row["metric"] == "equivalence"]
    assert right == [float(each) for each in expected]
    # Each concept has a symbol of its own, or shares one: the gold formula with these is the answer.
    for metric in ("refined", "by_name"):
        assert not any(row["score"] for row in rows if row["metric"] == metric)
    both = [[row["score"] for row in rows if row["metric"] == metric] for metric in ("recall", "merged")]
    assert [sum(pair) for pair in zip(*both, strict=True)] == pytest.approx([1] * len(sentences))
    of_stories = means(judged(tmp_path, source, {**OWN, "scope": "story"}, {"kind": "merging"}))
    assert of_stories["equivalence"] == 0  # each story has two unary predicates that some sentence depends on
    assert of_stories["sentences_alone"] == pytest.approx(fmean(expected))


def test_own_ontology_covers_propositional_letters(tmp_path: Path) -> None:
    formulas = [(1, "P ∧ ¬Q"), (2, "P → (Q ∨ R)"), (1, "P")]
    ontology = Ontology(tuple(Predicate(name, 0, f"{name} is so", f"{name} is not so") for name in "PQR"))
    source = triples_file(tmp_path / "triples.arrow", "propositional", ontology, formulas, story="s")
    for scope in ("sentence", "story"):
        found = means(judged(tmp_path, source, {**OWN, "scope": scope}, {"kind": "reader"}))
        assert (found["equivalence"], found["recall"]) == (1, 1)
        step = next_step(own(scope), usable_items(tmp_path / "t.items.arrow")[0])
        assert "letters" in step.system
        assert "∀" not in step.system


def test_item_history_traces_story_to_first_sentence(tmp_path: Path) -> None:
    source = triples(tmp_path / "triples.arrow", STORY)
    scores = judged(tmp_path, source, {**OWN, "scope": "story"}, {"kind": "reader"})
    for path, name in (
        (sentences_file(tmp_path, source), "datasets/d/sentences"),
        (tmp_path / "t.items.arrow", "items/d/t"),
        (tmp_path / "t.responses.arrow", "responses/d/t/m"),
        (scores, "scores/d/t/m"),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        path.rename(tmp_path / f"{name}.arrow")
    cell = {"presentation": "", "metric": "equivalence", "items": 1}
    history = item_history("d/t/m", cell, "s", tmp_path, tmp_path / "none")
    assert history["sentence"]["source_row"] == 1
    assert history["sentence"]["text"].startswith("1. Tom sleeps.\n2. Tom is a cat.")
    assert [member["formula"] for member in history["candidates"]] == [formula for _, _, formula in STORY]
    with pytest.raises(SelectionError, match="no item 'other'; an example of one is s"):
        item_history("d/t/m", cell, "other", tmp_path, tmp_path / "none")


def test_constant_model_is_right_for_commonest_form(tmp_path: Path) -> None:
    sentences = [
        *[("s", f"{n}", f"∀x (P{n}(x) → Q{n}(x))") for n in range(3)],
        ("s", "3", "∀x (¬Q3(x) → ¬P3(x))"),
        ("s", "4", "P3(a)"),
        ("s", "5", "∀x (P4(x) ∧ Q4(x))"),
    ]
    source = triples(tmp_path / "triples.arrow", sentences)
    rows = files.rows(
        judged(tmp_path, source, {**OWN, "scope": "sentence"}, {"kind": "constant", "answer": "commonest"}),
        schemas.SCORES,
    )
    assert [row["score"] for row in rows if row["metric"] == "equivalence"] == [1, 1, 1, 1, 0, 0]
    assert not own("story").is_done_by("constant", "commonest")
