"""Facts about tasks: the same as the code that judges has, and handed on for tasks of other packages."""

from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest
from tests.examples import ROOT

from nlfol import facts
from nlfol.facts import FACTS, AnswerForm, Facts, learn, written
from nlfol.logic.board_proofs import SIDE
from nlfol.logic.equivalence import Outcome
from nlfol.problems.alignment import Cause
from nlfol.problems.programs import Failure
from nlfol.results.statistics.checks import SummaryError
from nlfol.results.statistics.summary import load
from nlfol.store import files
from nlfol.store.schemas import SCORES
from nlfol.tasks.registry import STAGES, TASKS

PUNS = Facts("puns", AnswerForm.CHOICE, ("laughs",), ("groans",), weakest_counts=True)
ABOUT = {
    **dict.fromkeys(("dataset", "task", "model"), "x"),
    "task_kind": "puns",
    "protocol": "",
    "kind": "chat",
    "available": "2",
}


def test_facts_match_definitions_in_other_modules() -> None:
    assert (*Cause, facts.LOST, facts.UNEXPLAINED) == facts.CAUSES
    assert facts.DRIFTS == (Cause.DRIFT, Cause.DRIFT_AND_COLLISION)
    assert tuple(Failure) == facts.FAILURES
    assert tuple(Outcome) == facts.VERDICTS
    assert facts.BOARD_SIDE == SIDE


def test_facts_describe_every_task_in_table_order() -> None:
    assert [*FACTS] == [*TASKS]
    assert [task.facts for task in TASKS.values()] == [*FACTS.values()]
    assert all((task.metrics, task.form) == (task.facts.metrics, task.facts.form) for task in TASKS.values())
    assert not STAGES.keys() & FACTS.keys()


def test_facts_module_imports_nothing_from_nlfol() -> None:
    assert "import nlfol" not in (text := (ROOT / "workflow/scripts/nlfol/facts.py").read_text(encoding="utf-8"))
    assert "from nlfol" not in text


def test_foreign_task_facts_are_learnt_from_scores_file(tmp_path: Path) -> None:
    path = tmp_path / "scores.arrow"
    with patch.dict(facts._known):
        assert written(FACTS["ranking"]) == written() == {}
        files.write(path, SCORES, [], ABOUT | written(FACTS["ranking"]))
        with pytest.raises(SummaryError, match="task_kind 'puns' where one of logical_translation, "):
            load(path)
        files.write(path, SCORES, [], ABOUT | written(PUNS))
        source, _ = load(path)
        assert source.asked == PUNS
        assert source.asked.has_candidates
        assert [*FACTS] == [*TASKS, "puns"]
        assert written() == written(PUNS)


def test_own_task_facts_are_immune_to_files() -> None:
    ranking = FACTS["ranking"]
    with patch.object(facts, "_OURS", {}):
        said = written(replace(ranking, metrics=("other",)))
    learn(said)
    assert FACTS["ranking"] is ranking
