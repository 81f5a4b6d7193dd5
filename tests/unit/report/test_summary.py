from typing import Any

import pytest
from tests.unit.report.experiment import Experiment

from nlfol.provenance.manifest import read
from nlfol.report.summary import Summary, summary
from nlfol.statistics.pilots import Pilot
from nlfol.statistics.planning import Assumptions
from nlfol.statistics.summary import COMPARED
from nlfol.store import files, schemas


def summed_up(experiment: Experiment, **environment: Any) -> Summary:
    said = read(experiment.manifest)
    said["environment"] |= environment
    cells = files.rows(experiment.folder / "cells.arrow", schemas.CELLS)
    return summary(list(cells), set(), said, items=18, answers=400)


def test_what_was_asked_of_whom_is_said_in_a_sentence(small_experiment: Experiment) -> None:
    assert summed_up(small_experiment).lead == (
        "2 dialogue models, 1 embedding model and 1 reference answered 3 tasks on 1 dataset: 400 answers to 18 items."
    )


def test_when_and_at_what_cost(small_experiment: Experiment) -> None:
    # Each of the requests took 100 tokens at one dollar a million, and 10 at two.
    facts = dict(summed_up(small_experiment, git={"commit": "ab" * 20, "dirty": True}).facts)
    requests = int(facts["Requests"])
    assert requests > 200
    assert facts["Tokens"] == f"{requests * 100:,} read, {requests * 10:,} written"
    assert facts["Cost"] == f"{requests * 120e-6:.2f} USD"
    assert facts["Finished"] == "2 January 2026, 03:04 UTC"
    assert facts["Experiment"] == read(small_experiment.manifest)["digest"][:12]
    assert facts["Code"].endswith(f"at {'ab' * 6}, with local changes")


def test_which_differences_the_run_tells(small_experiment: Experiment) -> None:
    given = Assumptions(mean=0.5, item=0.7, correlation=0.5)
    told = [Pilot("tarski", "ranking", 6, 208, 3, given), Pilot("rules", "program", 6, 2, 3, given)]
    said = read(small_experiment.manifest)
    found = summary([], set(), said, items=18, answers=400, told=told).told
    # (2.94 + 0.84)² * 2 * (.25 * .8 - .5 * .25 * .7) / d² = 208: of 15 pairs each is tested at 0.33 %.
    assert "12 points in ranking on tarski (208 items), more than 50 points in 1 other task." in found
    assert summary([], set(), said, items=18, answers=400).told == ""


def test_a_model_of_unknown_cost_is_named(small_experiment: Experiment) -> None:
    took = read(small_experiment.manifest)["environment"]["answers"]
    took["talker"]["cost"] = None
    facts = dict(summed_up(small_experiment, answers=took).facts)
    assert facts["Cost"].endswith(" USD, unknown of talker")


def test_the_best_model_of_each_task_with_its_interval_and_chance(small_experiment: Experiment) -> None:
    lines = summed_up(small_experiment).headlines
    assert [line["task"] for line in lines] == ["logical_translation", "most_similar", "ranking"]
    cells = list(files.rows(small_experiment.folder / "cells.arrow", schemas.CELLS))
    for line in lines:
        (cell,) = (
            c for c in cells if all(c[name] == line[name] for name in ("task", "model", "metric", "presentation"))
        )
        asked = ("task", "metric", "presentation")
        rivals = [c["mean"] for c in cells if c["kind"] in COMPARED and all(c[name] == line[name] for name in asked)]
        assert cell["mean"] == max(mean for mean in rivals)
        assert line["score"] == f"{cell['mean']:.3f}"
        assert (line["interval"] == "") == (cell["low"] is None)
        assert float(line["bar"]["mean"].rstrip("%")) == pytest.approx(100 * cell["mean"], abs=0.01)
        assert line["chance"] is not None


def test_all_models_stand_in_one_table_with_a_column_a_question(small_experiment: Experiment) -> None:
    scores = summed_up(small_experiment).scores
    assert scores is not None
    assert [row[0]["text"] for row in scores["rows"]] == ["talker", "rival", "vectors", "chance"]
    groups, leaves = scores["heads"]
    assert [head["text"] for head in groups] == [
        *("Model", "logical translation (equivalence)", "most similar (accuracy)", "ranking (equivalence)")
    ]
    assert [head["text"] for head in leaves] == ["tarski", "tarski · formula", "tarski · english", "tarski · formula"]
    assert [cell["text"] for cell in scores["rows"][2]][1] == "–", "vectors do not translate"


def test_a_model_whose_answers_were_written_is_said_to_be_none(small_experiment: Experiment) -> None:
    cells = list(files.rows(small_experiment.folder / "cells.arrow", schemas.CELLS))
    cells = [cell | {"kind": "written"} if cell["model"] == "talker" else cell for cell in cells]
    scores = summary(cells, set(), read(small_experiment.manifest), items=18, answers=400).scores
    assert scores is not None
    assert [row[0]["text"] for row in scores["rows"]][:2] == ["talker (written, not asked)", "rival"]


def test_who_was_asked_and_what_it_took(small_experiment: Experiment) -> None:
    asked = summed_up(small_experiment).asked
    assert asked is not None
    rows = {row[0]["text"]: [cell["text"] for cell in row] for row in asked["rows"]}
    assert rows["talker"][1] == "dialogue"
    assert "–" in rows["vectors"]


def test_a_run_of_references_alone_has_no_cost(small_experiment: Experiment) -> None:
    cells = [c for c in files.rows(small_experiment.folder / "cells.arrow", schemas.CELLS) if c["kind"] == "chance"]
    said = read(small_experiment.manifest)
    said["environment"] |= {"answers": {}, "prices": {}}
    found = summary(cells, set(), said, items=17, answers=34)
    assert found.lead.startswith("1 reference answered 3 tasks")
    assert found.headlines == []
    assert not {"Requests", "Tokens", "Cost"} & {term for term, _ in found.facts}
