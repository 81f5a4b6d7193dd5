"""Tables of problems, from answers with known scores."""

import json
from pathlib import Path

import pytest
from tests.examples import family
from tests.unit.problems.published import problems
from tests.unit.tasks.problem_experiment import ANSWERING, PROGRAM, Answer, Experiment, answered, gold
from tests.unit.tasks.problem_items import rows

from nlfol.problems.programs import CLAUSES
from nlfol.randomness import generator
from nlfol.results.analyses.answers import classification, depths, items_of
from nlfol.results.statistics.summary import load, series_of
from nlfol.store import files, schemas
from nlfol.store.files import StoreError
from nlfol.tasks.item import Item
from nlfol.tasks.program_gold import gold_answer

PROBLEMS = family("rules", 12)


def turned(number: int, each: Item) -> str:
    """The gold program with the query turned round: wrong, but for what is unknown."""
    answer = gold_answer(each.asked, CLAUSES)
    assert answer is not None
    query = answer["query"]
    other = query.replace("True)", "False)") if "True)" in query else query.replace("False)", "True)")
    return json.dumps({**answer, "query": other})


def test_solver_shares_match_scripted_shares(tmp_path: Path) -> None:
    experiment = Experiment(tmp_path, PROBLEMS)

    # By label (true, false, unknown in turns) of 12: 3 cut off, 3 misspelt, 6 executed.
    def script(number: int, each: Item) -> str | None:
        match number // 3:
            case 0:
                return None
            case 1:
                return gold(number, each).replace('"query": "', '"query": "Un')
            case 2:
                return gold(number, each)
            case _:
                return turned(number, each)

    experiment.add(PROGRAM, "script", script)
    row = experiment.solvers["script"]
    # Executed: 3 right, and of the turned ones the unknown one.
    assert (row["right"], row["executable"]) == (pytest.approx(4 / 12), pytest.approx(6 / 12))
    assert row["right_executed"] == pytest.approx(4 / 6)
    assert row["guessed"] == pytest.approx(4 / 12 + 6 / 12 / 3)
    assert (row["executed"], row["undefined_symbol"], row["lost"], row["unparsable"]) == (6, 3, 3, 0)
    assert (row["answering"], row["fallback"]) == (None, None)
    assert row["right_low"] < row["right"] < row["right_high"]


def test_solver_fallback_uses_same_models_answers(tmp_path: Path) -> None:
    experiment = Experiment(tmp_path, PROBLEMS)
    experiment.add(PROGRAM, "script", lambda number, each: gold(number, each) if number < 6 else "{}")
    # Of the last six, the first three are answered.
    experiment.add(ANSWERING, "script", lambda number, each: answered(each.formula) if 6 <= number < 9 else "?")
    experiment.add(PROGRAM, "alone", lambda number, each: "{}")
    row = experiment.solvers["script"]
    assert (row["right"], row["right_executed"], row["answering"]) == (0.5, 1, "question_answering")
    assert row["fallback"] == pytest.approx(9 / 12)
    alone = experiment.solvers["alone"]
    assert (alone["right_executed"], alone["fallback"], alone["guessed"]) == (None, None, pytest.approx(1 / 3))
    assert alone["unparsable"] == 12


def test_solver_deviation_over_seeds_matches_script(tmp_path: Path) -> None:
    experiment = Experiment(tmp_path, PROBLEMS)

    def right_in(share: int) -> Answer:
        return lambda number, each: gold(number, each) if number % 4 < share else "{}"

    experiment.add(PROGRAM, "script", right_in(1), right_in(3), right_in(2))
    row = experiment.solvers["script"]
    assert (row["right"], row["executable"], row["seeds"]) == (0.5, 0.5, 3)
    assert row["right_deviation"] == pytest.approx(0.25)


@pytest.mark.parametrize("probability", [0.2, 0.7])
def test_solver_estimate_recovers_scripted_probability(tmp_path: Path, probability: float) -> None:
    experiment = Experiment(tmp_path, family("rules", 60))

    def right(seed: int) -> Answer:
        def said(number: int, each: Item) -> str:
            is_right = generator("right", str(probability), str(seed), each.item).random() < probability
            return gold(number, each) if is_right else "{}"

        return said

    experiment.add(PROGRAM, "script", *map(right, range(5)))
    row = experiment.solvers["script"]
    # 300 draws: three standard errors are .08 at most. Who fails otherwise guesses one of three.
    assert row["right"] == pytest.approx(probability, abs=0.08)
    assert row["right_low"] < probability < row["right_high"]
    assert row["guessed"] == pytest.approx(row["right"] + (1 - row["right"]) / 3)
    assert row["right_executed"] == 1


def test_solver_chance_is_exact(tmp_path: Path) -> None:
    experiment = Experiment(tmp_path, PROBLEMS)
    experiment.add(PROGRAM, "chance", lambda number, each: "", kind="chance")
    row = experiment.solvers["chance"]
    assert (row["right"], row["guessed"], row["executed"]) == (0, pytest.approx(1 / 3), None)


def test_label_classification_matches_worked_example(tmp_path: Path) -> None:
    experiment = Experiment(tmp_path, PROBLEMS)
    # Labels are true, false, unknown in turns, four of each: always true but for one false, unread for one unknown.
    said = {1: "false", 2: None}
    experiment.add(ANSWERING, "script", lambda number, each: answered(said.get(number, "true")))
    found = experiment.classification
    true = found["script", "true"]
    assert [true[name] for name in ("answers", "tp", "fp", "tn", "fn", "ip", "in")] == [4, 4, 6, 1, 0, 0, 1]
    assert (true["precision"], true["recall"], true["tnr"]) == (pytest.approx(4 / 10), 1, pytest.approx(1 / 8))
    assert true["f1"] == pytest.approx(8 / 14)
    unknown = found["script", "unknown"]
    assert unknown["answered"] == [{"label": "true", "count": 3}, {"label": None, "count": 1}]
    assert (unknown["precision"], unknown["recall"], unknown["ip"]) == (None, 0, 1)
    assert found["script", "false"]["precision"] == 1
    always = found["always true", "true"]
    assert (always["kind"], always["precision"], always["recall"]) == ("constant", pytest.approx(1 / 3), 1)
    assert ("always true", "false") not in found


def test_label_classification_is_split_by_depth(tmp_path: Path) -> None:
    experiment = Experiment(tmp_path, PROBLEMS)
    # Right about the shallow problems alone; of others nothing can be read.
    experiment.add(ANSWERING, "script", lambda _, each: answered(each.formula if each.asked.depth == 1 else "?"))
    every = list(classification(map(load, experiment.scores), items_of(experiment.items.values())))
    found = {(row["model"], row["depth"], row["label"]): row for row in every if row["group"] == "depth"}
    counts: dict[int | None, int] = {}
    for problem in PROBLEMS:
        counts[problem.depth] = counts.get(problem.depth, 0) + 1
    assert len(counts) > 2
    for depth, count in counts.items():
        rows_of = [row for (model, of, _), row in found.items() if (model, of) == ("script", depth)]
        assert sum(row["answers"] for row in rows_of) == count
        for row in rows_of:
            assert row["tp"] + row["fp"] + row["tn"] + row["fn"] + row["ip"] + row["in"] == count
            assert (row["fp"], row["fn"]) == (0, 0)
            if row["answers"]:
                assert row["f1"] == row["recall"] == (1 if depth == 1 else 0)
            always = found[f"always {row['label']}", depth, row["label"]]
            assert (always["tp"], always["fp"]) == (row["answers"], count - row["answers"])


def test_depth_scores_use_items_at_same_depth(tmp_path: Path) -> None:
    experiment = Experiment(tmp_path, PROBLEMS)
    shallow = {problem.name for problem in PROBLEMS if problem.depth == 1}
    experiment.add(ANSWERING, "script", lambda _, each: answered(each.formula if each.item in shallow else "?"))
    found = depths(series_of(map(load, experiment.scores)), items_of(experiment.items.values()))
    by_depth = {row["depth"]: (row["items"], row["mean"]) for row in found}
    assert by_depth[1] == (len(shallow), 1)
    assert sum(items for items, _ in by_depth.values()) == len(PROBLEMS)
    assert {mean for depth, (_, mean) in by_depth.items() if depth != 1} == {0}


def test_problem_statistics_reject_non_problem_items(tmp_path: Path) -> None:
    experiment = Experiment(tmp_path, PROBLEMS)
    listed = [{**row, "problem": None} for row in rows(PROBLEMS[:1], ANSWERING)]
    path = tmp_path / "items.arrow"
    files.write(path, schemas.ITEMS, listed, {"dataset": "toy", "task": "question_answering"})
    with pytest.raises(StoreError, match="an item that is no problem"):
        items_of([path])
    assert experiment.solvers == {}


@pytest.mark.parametrize(("logic", "f1"), [("pl", 0.859), ("fol", 0.862)])
def test_constant_yes_f1_matches_published_benchmark(tmp_path: Path, logic: str, f1: float) -> None:
    experiment = Experiment(tmp_path, problems("logieval", "multi_logieval/data", logic=logic))
    experiment.add(ANSWERING, "yes", lambda _, each: answered("yes"), kind="constant")
    for name in ("yes", "always yes"):
        row = experiment.classification[name, "yes"]
        assert round(row["f1"], 3) == f1
        assert (row["recall"], row["tnr"]) == (1, 0)
    every = classification(map(load, experiment.scores), items_of(experiment.items.values()))
    assert {row["depth"] for row in every} == {None, 1, 2, 3, 4, 5}
