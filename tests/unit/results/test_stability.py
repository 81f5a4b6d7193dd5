"""Drift, causes, transitions and paired differences of problems in two wordings, by hand."""

import json
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from benchmarks.alignment import pooled
from tests.analysing import analyse
from tests.examples import CATS, family
from tests.stored import frame, records
from tests.unit.results.drifting_programs import (
    DATASETS,
    PROBLEMS,
    PROGRAM,
    RULE,
    THREE,
    with_drift,
)
from tests.unit.tasks.problem_experiment import Experiment, gold
from tests.unit.tasks.problem_items import lines

import align_programs
from nlfol.problems import Mention, Problem, Statement
from nlfol.problems.alignment import align, drifting, mean, measure, rewritten
from nlfol.problems.gold import gold_lines
from nlfol.problems.programs import FORMULAS, Lines
from nlfol.results.analyses.analysis import schema_of
from nlfol.results.analyses.drift import DRIFT, DRIFT_TABLE, causes
from nlfol.results.analyses.drift import drift as drift_rows
from nlfol.results.statistics.aligned import dispersions, load_programs, named
from nlfol.results.statistics.clusters import design_of_rate, rate
from nlfol.results.statistics.contrasts import cleanest
from nlfol.results.statistics.differences import difference
from nlfol.store import files
from nlfol.store.columns import Ends
from nlfol.store.logs import LOGGER
from nlfol.store.parts import Part
from nlfol.store.problem_schemas import PROGRAMS
from nlfol.tasks import program_alignment, program_answers
from nlfol.tasks.item import Item
from nlfol.tasks.program import Program, ProgramEntry
from nlfol.tasks.program_answers import Written
from nlfol.tasks.program_gold import gold_answer

drift: Callable[..., list[Any]] = drift_rows


@pytest.fixture
def asked(tmp_path: Path) -> Experiment:
    made = Experiment(tmp_path, PROBLEMS)
    made.add(PROGRAM, "m", with_drift)
    return made


def test_two_problem_drift_matches_hand_computation(asked: Experiment) -> None:
    path = asked.align(PROGRAM, "m")
    (row,) = drift([load_programs(path)], DATASETS)
    counts = ("answers", "aligned", "lost", "unparsable", "no_gold", "internal_error")
    assert [row[name] for name in counts] == [4, 2, 1, 1, 0, 0]
    assert (row["items"], row["seeds"], row["language"], row["strategy"]) == (4, 1, "clauses", "direct")
    # "Cold" has two symbols too many, of 3 and 4 concepts with two or more mentions, and of 4 and 4 in all.
    assert row["dispersion"] == row["dispersion_least"] == pytest.approx(2 / 7)
    assert row["dispersion_by_problem"] == pytest.approx((2 / 3 + 0) / 2)
    assert row["dispersion_of_all"] == pytest.approx(2 / 8)
    assert (row["collision"], row["by_structure"], row["by_name"], row["unaligned"]) == (0, 1, 0, 0)
    # Of B³ the recall of the 3 mentions of "Cold" is 1/3 each; 8 + 8 mentions.
    recall = (3 * (1 / 3) + 5 + 8) / 16
    assert row["f"] == pytest.approx(2 * recall / (1 + recall))
    assert (row["lines"], row["problems"], row["problems_of_answers"]) == (1, 1 / 2, 1 / 4)
    # Of the three lines with "Cold" one map makes one equivalent.
    assert (row["one_map"], row["one_map_is_most"]) == ((2 + 4) / (4 + 4), 1)
    assert (row["right"], row["table_precision"], row["original"], row["reader"]) == (1 / 4, None, None, "family")
    # Two stories tell nothing of how far it varies.
    assert (row["dispersion_low"], row["dispersion_high"]) == (None, None)


def test_noisy_translator_drift_matches_alignment(tmp_path: Path) -> None:
    """Every figure over 16 problems and two seeds, as alignment itself gives it."""
    listed = [replace(each, name=f"{name} {each.name}") for name in ("rules", "order") for each in family(name, 8)]
    problems = {each.name: each for each in listed}

    def program(seed: int, each: Problem) -> Lines:
        return rewritten(gold_lines(each), drifting(0.3, seed, each.name))

    def answer(seed: int, each: Item) -> str:
        said = program(seed, each.asked)
        numbered = [{"sentence": int(place), "line": line} for place, (line,) in said.lines.items()]
        if each.asked.language != "constraints":
            return json.dumps({"lines": numbered, "query": said.asked["query"]})
        values = [dict(zip(("name", "values"), line.split(" [IN] "), strict=True)) for line in said.variables]
        options = [{"option": letter, "line": line} for letter, line in said.asked.items()]
        return json.dumps({"variables": values, "lines": numbered, "options": options})

    made = Experiment(tmp_path, problems.values())
    made.add(PROGRAM, "m", *(lambda _, each, seed=seed: answer(seed, each) for seed in (0, 1)))
    (row,) = drift([load_programs(made.align(PROGRAM, "m"))], DATASETS)
    found = {
        (name, seed): measure(align(gold_lines(each), program(seed, each)))
        for name, each in problems.items()
        for seed in (0, 1)
    }
    expected = pooled(found.values()).values()
    # Above 1, where an interval for shares would fail.
    assert row["dispersion"] > 1
    assert row["aligned"] == 32
    shares = ("by_structure", "by_name", "lines", "one_map", "one_map_is_most", "problems")
    for name in ("dispersion", "dispersion_of_all", "collision", "f", *shares):
        assert row[name] == pytest.approx(expected[name]), name
    assert row["dispersion_least"] == expected["least"]
    assert row["dispersion_least"] <= row["dispersion"]
    by_item = [mean(found[name, seed].dispersion.value for seed in (0, 1)) for name in problems]
    assert row["dispersion_by_problem"] == pytest.approx(mean(by_item))
    assert row["dispersion_low"] < row["dispersion"] < row["dispersion_high"]


def test_aligned_programs_record_cause_or_omission_reason(asked: Experiment) -> None:
    first, second, cut, torn = files.rows(asked.align(PROGRAM, "m"), PROGRAMS)
    assert (first["outcome"], first["answer"], first["right"], first["cause"]) == (
        "answered",
        "unknown",
        False,
        "drift",
    )
    assert [(each["concept"], each["symbol"], each["aligned_by"]) for each in first["aligned"]][:3] == [
        *(("Cold", "Cold", "structure"), ("bob", "bob", "structure"), ("Cold", "Icy", "structure"))
    ]
    assert [each["place"] for each in first["sentences"]] == ["1", "2", "3", "query"]
    assert (second["cause"], second["status"], second["dispersion"]) == ("right", "aligned", {"sum": 0, "of": 4})
    assert (cut["outcome"], cut["cause"], cut["status"], cut["reason"]) == ("truncated", "lost", "left_out", "lost")
    assert (torn["cause"], torn["reason"], torn["text"], torn["dispersion"]) == ("unparsable", "unparsable", None, None)
    counted = causes([load_programs(asked.folder / "program.m.programs.arrow")], DATASETS)
    assert [(row["cause"], row["answers"], row["of"], row["share"]) for row in counted] == [
        (cause, 1, 4, 1 / 4) for cause in ("right", "drift", "unparsable", "lost")
    ]


def test_wrong_line_is_recorded_beside_gold(tmp_path: Path) -> None:
    made = Experiment(tmp_path, [THREE])
    wrong = "Cold($x, True) >>> Sad($x, False)"
    facts = ("Cold(bob, True)", "Cold(ann, True)")
    answers = lines(*facts, wrong, query="Sad(bob, True)"), lines(*facts, RULE, query="Sad(bob, False)")
    made.add(PROGRAM, "m", *(lambda *_, said=said: json.dumps(said) for said in answers))
    first, second = files.rows(made.align(PROGRAM, "m"), PROGRAMS)
    assert (first["cause"], first["fault_place"], first["fault_lines"]) == ("logic", "3", [wrong])
    assert first["fault_gold"] == [RULE]
    assert json.loads(first["fault_difference"]) == {"missing": [RULE], "extra": [wrong]}
    assert (second["cause"], second["fault_place"], second["fault_difference"]) == ("query", None, None)


def test_alignment_uses_gold_in_answer_language(tmp_path: Path) -> None:
    as_formulas = Program(ProgramEntry(shots=0, language="formulas"))
    (tmp_path / "f").mkdir()
    made = Experiment(tmp_path / "f", family("rules", 2))
    made.add(as_formulas, "m", lambda _, each: json.dumps(gold_answer(each.asked, FORMULAS)))
    rows = list(files.rows(made.align(as_formulas, "m"), PROGRAMS))
    assert [(row["language"], row["cause"], row["problems"]["sum"]) for row in rows] == [("formulas", "right", 1)] * 2
    as_clauses = Program(ProgramEntry(shots=0, language="clauses"))
    other = Experiment(tmp_path, [CATS])
    right = lines("Cat($x, True) >>> Purrs($x, True)", "Cat(tom, True)", query="Purrs(tom, True)")
    other.add(
        as_clauses, "m", lambda *_: json.dumps(right), lambda *_: json.dumps({**right, "query": "Purrs(tom, False)"})
    )
    rows = list(files.rows(other.align(as_clauses, "m"), PROGRAMS))
    assert [(row["reason"], row["cause"], row["detail"]) for row in rows] == [
        ("no_gold", cause, "there is no gold program of clauses") for cause in ("right", "unexplained")
    ]
    (row,) = drift([load_programs(other.folder / "program.m.programs.arrow")], DATASETS)
    assert (row["no_gold"], row["dispersion"], row["right"], row["problems_of_answers"]) == (2, None, 1 / 2, None)


def test_alignment_error_affects_single_program(
    asked: Experiment, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(gold_program: Any, program: Any) -> Any:
        if "Icy(ann, True)" in program.text:
            raise IndexError("a fault of the aligner")
        return align(gold_program, program)

    monkeypatch.setattr(program_alignment, "align", failing)
    LOGGER.propagate = True
    with caplog.at_level(logging.ERROR):
        first, second, *_ = files.rows(asked.align(PROGRAM, "m"), PROGRAMS)
    assert (first["reason"], first["detail"]) == ("internal_error", "IndexError: a fault of the aligner")
    assert (first["cause"], first["right"], second["status"]) == ("unexplained", False, "aligned")
    assert "item 'three' of model m, seed 0" in caplog.text


def test_alignment_reuses_verdicts_from_scores(asked: Experiment, monkeypatch: pytest.MonkeyPatch) -> None:
    before = files.rows(asked.align(PROGRAM, "m"), PROGRAMS)
    monkeypatch.delattr(Program, "judge")
    monkeypatch.setattr(program_answers, "execute", None)
    assert list(files.rows(asked.align(PROGRAM, "m"), PROGRAMS)) == list(before)


def test_alignment_parts_gather_to_identical_bytes(asked: Experiment) -> None:
    whole = asked.align(PROGRAM, "m")
    responses, scores = (asked.folder / f"program.m.{stage}.arrow" for stage in ("responses", "scores"))
    sources = (asked.items["program"], asked.folder / "problems.arrow", responses, scores)
    entry = PROGRAM.entry.model_dump_json()
    parts = [asked.folder / f"part{number}.arrow" for number in (1, 2, 3)]
    for number, path in enumerate(parts, 1):
        align_programs.main(*sources, entry, output=path, part=Part(number, 3))
    align_programs.main(*sources, entry, output=asked.folder / "gathered.arrow", part=Part(made=parts))
    assert (asked.folder / "gathered.arrow").read_bytes() == whole.read_bytes()


def test_symbol_table_is_measured_against_problem_mentions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ "cold" and "icy" mean one concept; the table joins them, and "sad" with them."""
    words = {"cold": "Cold", "icy": "Cold", "sad": "Sad"}
    mentioned = tuple(
        Statement(word, line, (Mention(0, len(word), concept, "base"),))
        for (word, concept), line in zip(words.items(), ("Cold(bob, True)", "Cold(ann, True)", RULE), strict=True)
    )
    made = Experiment(tmp_path, [replace(THREE, statements=mentioned)])
    made.add(PROGRAM, "m", gold)
    written = Program.written

    def with_table(self: Program, *given: Any) -> Written | None:
        found = written(self, *given)
        return None if found is None else replace(found, table=(("Cold", ("Cold", "icy", "sad")), ("Red", ("red",))))

    monkeypatch.setattr(Program, "written", with_table)
    (row,) = files.rows(made.align(PROGRAM, "m"), PROGRAMS)
    assert (row["table_precision"], row["table_recall"]) == ({"sum": 1, "of": 3}, {"sum": 1, "of": 1})
    assert row["table_unknown"] == 1


@pytest.fixture
def compared(tmp_path: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The rows of STABILITY and TRANSITIONS: all right as they stand, and as ``with_drift`` in other words."""
    scores, programs = [], []
    for dataset, answer in (("toy", gold), ("said", with_drift)):
        (tmp_path / dataset).mkdir()
        made = Experiment(tmp_path / dataset, PROBLEMS, dataset)
        made.add(PROGRAM, "m", answer)
        scores += made.scores
        programs.append(made.align(PROGRAM, "m"))
    outputs = tmp_path / "stability.arrow", tmp_path / "transitions.arrow"
    for topic in ("stability", "transitions"):
        analyse(topic, tmp_path, {"wordings": DATASETS}, problem_scores=scores, programs=programs)
    rows = zip(outputs, (schema_of("stability"), schema_of("transitions")), strict=True)
    first, second = (list(files.rows(path, schema)) for path, schema in rows)
    return first, second


def test_stability_drop_is_paired_difference_by_item(compared: tuple[list[dict[str, Any]], ...]) -> None:
    ((row,), _) = compared
    assert (row["dataset"], row["original"], row["intensity"], row["items"]) == ("said", "toy", 0.5, 4)
    assert (row["right_original"], row["right"], row["drop"]) == (1, 1 / 4, 3 / 4)
    expected = difference([1, 1, 1, 1], [0, 1, 0, 0], ["three", "four", "cut", "torn"])
    assert (row["low"], row["high"], row["detectable"]) == (expected.low, expected.high, expected.detectable)
    # Four problems, each a story of its own: too few for a test.
    assert (row["p"], row["adjusted"]) == (1, 1)
    assert (row["dispersion_original"], row["dispersion"]) == (0, pytest.approx(2 / 7))


def test_transitions_between_wordings_are_counted_by_cause(compared: tuple[list[dict[str, Any]], ...]) -> None:
    (_, rows) = compared
    assert {(row["between"], row["first_dataset"], row["second_dataset"]) for row in rows} == {
        ("datasets", "toy", "said")
    }
    assert [(row["before"], row["after"], row["change"], row["answers"]) for row in rows] == [
        ("right", "right", None, 1),
        ("right", "drift", "newly_introduced_without_consistency", 1),
        ("right", "unparsable", "newly_introduced_otherwise", 1),
        ("right", "lost", "newly_introduced_otherwise", 1),
    ]


def strategies_in_two_wordings(tmp_path: Path) -> list[dict[str, Any]]:
    """The rows of STRATEGIES: the table helps in other words alone, one problem of four."""
    table = Program(ProgramEntry(shots=0, strategy="tuned"))
    scores, programs = [], []
    varied = Program(ProgramEntry(shots=0, examples="varied"))
    helped = {"toy": (gold, gold), "said": (with_drift, with_help)}
    for dataset, (plain, tuned) in helped.items():
        (tmp_path / dataset).mkdir()
        tasks = (("direct", PROGRAM, plain), ("tuned", table, tuned), ("direct_varied", varied, tuned))
        for name, task, answer in tasks:
            (tmp_path / dataset / name).mkdir()
            made = Experiment(tmp_path / dataset / name, PROBLEMS, dataset, name)
            made.add(task, "m", answer)
            scores += made.scores
            programs.append(made.align(task, "m"))
    analyse("strategies", tmp_path, {"wordings": DATASETS}, problem_scores=scores, programs=programs)
    return list(files.rows(tmp_path / "strategies.arrow", schema_of("strategies")))


def test_strategy_gain_is_paired_with_base_strategy(tmp_path: Path) -> None:
    listed = strategies_in_two_wordings(tmp_path)
    assert [(row["task"], row["base_task"], row["comparison"], row["pairs"]) for row in listed] == [
        ("tuned", "direct", "strategies", 4),
        ("tuned", "direct_varied", "instructions", 4),
        ("direct_varied", "direct", "example_words", 4),
    ] * 2
    # What differs in instruction and examples at once is exploratory, and not drawn beside what does not.
    assert {row["comparison"]: row["adjusted"] is None for row in listed} == {
        "strategies": True,
        "instructions": listed[1]["p"] is None,
        "example_words": listed[2]["p"] is None,
    }
    assert {row["comparison"] for row in cleanest(listed)} == {"instructions", "example_words"}
    # Examples alone gain what the instruction does not.
    assert [row["gain"] for row in listed if row["dataset"] == "said"] == [1 / 4, 0, 1 / 4]
    rows = {row["dataset"]: row for row in listed if row["comparison"] == "strategies"}
    assert (rows["toy"]["gain"], rows["toy"]["further"]) == (0, None)
    said = rows["said"]
    assert (said["right_base"], said["right"], said["gain"], said["unread"]) == (1 / 4, 2 / 4, 1 / 4, 2)
    assert (said["further"], said["further_items"]) == (1 / 4, 4)
    # Both programs of "three" and "four" are aligned: the first drifts in the base's alone.
    assert (said["aligned"], said["dispersion_base"], said["dispersion"]) == (2, pytest.approx(2 / 7), 0)


def with_help(number: int, each: Item) -> str | None:
    """Like ``with_drift``, but for the first problem, which has one symbol a concept."""
    return gold(number, each) if number == 0 else with_drift(number, each)


def test_dispersions_cover_items_aligned_on_both_sides(asked: Experiment) -> None:
    """One side of "three" has no aligned program, so the drift of the other side there is in neither figure."""
    drifting_side = load_programs(asked.align(PROGRAM, "m"))
    both = replace(drifting_side, rows=drifting_side.rows[:2])
    lost = tuple({**row, "status": "left_out"} if row["item"] == "three" else row for row in both.rows)
    found = dispersions(both, replace(both, rows=lost))
    assert [*(ends.mean for ends in found[:2]), found[2]] == [0, 0, 1]
    assert dispersions(drifting_side, None)[2] is None


def test_low_coverage_drift_is_marked_and_left_uncompared(asked: Experiment) -> None:
    whole = load_programs(asked.align(PROGRAM, "m"))
    lost = replace(
        whole, rows=tuple({**row, "status": "left_out"} if row["item"] == "three" else row for row in whole.rows)
    )
    rows = drift([whole, replace(lost, about={**lost.about, "model": "n"})], DATASETS)
    assert [row["coverage"] for row in rows] == [1 / 2, 1 / 4]
    shown = records(DRIFT_TABLE.table(frame(DRIFT, *rows)))
    assert [row["remark"] for row in shown] == ["design 2", f"{FEW}; design 2"]
    found = dispersions(whole, lost)
    assert found == (Ends(), Ends(), 1)
    # Answers that no gold program can be held to say nothing.
    untold = tuple({**row, "reason": "no_gold"} if row["reason"] == "lost" else row for row in whole.rows)
    (row,) = drift([replace(whole, rows=untold)], DATASETS)
    assert row["coverage"] == pytest.approx(2 / 3)


FEW = "less than 0.5 aligned"


def test_zero_drift_borrows_design_effect_from_other_models(tmp_path: Path) -> None:
    listed = [replace(each, name=f"rules {each.name}") for each in family("rules", 8)]
    made = Experiment(tmp_path, listed)
    made.add(PROGRAM, "right", gold)
    made.add(PROGRAM, "drifts", lambda number, each: gold(number, each) if number else drifted(each))
    right, drifts = (load_programs(made.align(PROGRAM, model)) for model in ("right", "drifts"))
    (alone,) = drift([right], DATASETS)
    beside, other = drift([right, drifts], DATASETS)
    assert alone["design"] == "2"
    # No model has a symbol for two concepts.
    assert beside["design"] == "other models of dispersion; other models of dispersion of all; 2 of collision"
    assert other["dispersion"] > alone["dispersion"] == beside["dispersion"] == 0
    sums = [named("dispersion")(row) for row in drifts.rows]
    stories = [row["story"] for row in drifts.rows]
    told = design_of_rate([part for part, _ in sums], [of for _, of in sums], stories)
    assert told is not None
    expected = rate([0.0] * 8, [of for _, of in sums], stories, max(1.0, told))
    assert (beside["dispersion_high"], told > 1) == (pytest.approx(expected.high), True)


def drifted(each: Item) -> str:
    """The gold program with a symbol of its own for each mention."""
    said = rewritten(gold_lines(each.asked), drifting(1.0, 0, each.asked.name))
    numbered = [{"sentence": int(place), "line": line} for place, (line,) in said.lines.items()]
    return json.dumps({"lines": numbered, "query": said.asked["query"]})
