"""The summary of a report: who is ahead, findings, and the run."""

import re
from html import unescape
from typing import Any

import pytest
from tests.stored import ranks_of, stored
from tests.unit.report.experiment import Experiment

from nlfol.provenance.manifest import read
from nlfol.report.page import Contents, to_html
from nlfol.report.summary import Summary, summary
from nlfol.results.analyses.reading import READING
from nlfol.results.tables.headlines import asked_of, standings
from nlfol.store import files, schemas


def cells_of(experiment: Experiment) -> list[dict[str, Any]]:
    return list(files.rows(experiment.folder / "cells.arrow", schemas.CELLS))


def summed_up(experiment: Experiment, cells: list[dict[str, Any]] | None = None, **more: Any) -> Summary:
    said = read(experiment.manifest)
    said["environment"] |= more.pop("environment", {})
    cells = cells_of(experiment) if cells is None else cells
    contrasts, possible = more.pop("contrasts", {}), more.pop("possible", ())
    return summary(cells, standings(cells, ranks_of(cells, *possible)), contrasts, said, items=18, answers=400, **more)


def text_of(experiment: Experiment, found: Summary) -> str:
    collection = experiment.collection()
    page = to_html(Contents("A run", [], [], collection.as_data(), collection.first_task(), "", found))
    body = re.sub(r"<(script|style)\b.*?</\1>", "", page, flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", body)))


def test_summary_states_models_tasks_and_answers(small_experiment: Experiment) -> None:
    assert (
        "2 dialogue models, 1 embedding model and 1 reference answered 3 tasks on 1 dataset: 400 answers to 18 items."
    ) in text_of(small_experiment, summed_up(small_experiment))


def test_summary_lists_judging_failures_first(small_experiment: Experiment) -> None:
    cells = cells_of(small_experiment)
    first = next(cell for cell in cells if cell["kind"] == "chat")
    first["internal_error"] = 3
    said = text_of(small_experiment, summed_up(small_experiment, cells))
    told = said.index(f"nlfol failed to judge 3 answers of {first['model']} (")
    assert told < said.index("Leaderboard", said.index("answers to 18 items"))
    assert "failed to judge" not in text_of(small_experiment, summed_up(small_experiment))


def test_summary_states_date_cost_and_revision(small_experiment: Experiment) -> None:
    # Each of the requests took 100 tokens at one dollar a million, and 10 at two.
    found = summed_up(small_experiment, environment={"git": {"commit": "ab" * 20, "dirty": True}})
    said = text_of(small_experiment, found)
    number = re.search(r"Requests ([\d,]+)", said)
    assert number
    requests = int(number[1].replace(",", ""))
    assert requests > 200
    assert f"{requests * 100:,} read, {requests * 10:,} written" in said
    assert f"Cost {requests * 120e-6:.2f} USD" in said
    assert "Finished 2026-01-02, 03:04 UTC" in said
    assert f"Experiment {read(small_experiment.manifest)['digest'][:12]}" in said
    assert f"at {'ab' * 6}, with local changes" in said


def test_summary_states_detectable_differences(small_experiment: Experiment) -> None:
    ranking = {"dataset": "tarski", "task": "ranking", "task_kind": "ranking", "metric": "both", "items": 208}
    told = [
        ranking | {"detectable": 0.09},
        ranking | {"detectable": 0.118},
        ranking | {"detectable": 0.7, "items": 2},  # of a model that was asked little
        ranking | {"detectable": 0.8, "metric": "negation"},
        ranking | {"detectable": None},
        ranking | {"dataset": "rules", "detectable": 0.6},
        # A class of a verification is no question of its own.
        ranking
        | {"task": "verification", "task_kind": "verification", "metric": "right", "detectable": 0.3}
        | {"presentation": "equivalent"},
    ]
    said = text_of(small_experiment, summed_up(small_experiment, differences=told))
    assert "12 points in ranking on tarski (208 items), more than 50 points in 1 other task." in said
    assert "told apart" not in text_of(small_experiment, summed_up(small_experiment))


def test_summary_states_looks_that_were_not_planned(small_experiment: Experiment) -> None:
    seen = "m was seen before on fewer of these items, and p is not adjusted for it: mine/t (20 items)."
    assert seen in text_of(small_experiment, summed_up(small_experiment, seen=[seen]))


def test_summary_names_model_with_unknown_cost(small_experiment: Experiment) -> None:
    took = read(small_experiment.manifest)["environment"]["answers"]
    took["talker"]["cost"] = None
    found = summed_up(small_experiment, environment={"answers": took})
    assert re.search(r"Cost [\d.]+ USD, unknown of talker", text_of(small_experiment, found))


def test_summary_with_only_references_lacks_leaderboard_and_cost(small_experiment: Experiment) -> None:
    cells = [cell for cell in cells_of(small_experiment) if cell["kind"] == "chance"]
    found = summed_up(small_experiment, cells, environment={"answers": {}, "prices": {}})
    said = text_of(small_experiment, found)
    assert "1 reference answered 3 tasks" in said
    assert not found.models
    assert not found.findings
    assert not re.search("Requests [0-9]|Tokens [0-9]|Cost [0-9]", said)


def test_leaderboard_separates_models_references_and_written_answers(small_experiment: Experiment) -> None:
    cells = [cell | {"kind": "written"} if cell["model"] == "talker" else cell for cell in cells_of(small_experiment)]
    found = summed_up(small_experiment, cells)
    assert set(found.models) == {"rival", "vectors"}
    said = text_of(small_experiment, found)
    assert re.search(
        "rival .* References, no competitors .* chance .* Written examples: no model .* talker: ranking", said
    )


def many(cell: dict[str, Any], **other: Any) -> dict[str, Any]:
    """Return a cell over enough items for a rank."""
    return {**cell, "items": 80, "available": 80, "stories": 20, "low": 0.4, "high": 0.6, "mean": 0.5, **other}


def test_summary_names_questions_without_ranks(small_experiment: Experiment) -> None:
    few = [cell for cell in cells_of(small_experiment) if cell["kind"] == "chat"]
    few = [cell | {"low": None, "high": None} for cell in few]
    assert len(summed_up(small_experiment, few).questions) == 4
    ranked = [many(cell) if cell["task"] == "ranking" else cell for cell in few]
    found = summed_up(small_experiment, ranked)
    assert [asked_of(question.about) for question in found.questions] == ["ranking on tarski (formula)"]
    assert "Too few items for a rank: logical translation on tarski; most" in text_of(small_experiment, found)
    # A study with data says what they show; one without, which are missing.
    assert found.findings["Choosing and ranking"].said.startswith("ranking on tarski (formula): ")
    assert found.findings["Choosing and ranking"].tells
    assert "too few stories to say anything" in found.findings["Translation"].said
    assert not found.findings["Translation"].tells


def test_leaderboard_orders_by_questions_led_and_separates_rarely_asked(small_experiment: Experiment) -> None:
    one = next(cell for cell in cells_of(small_experiment) if cell["task"] == "most_similar")
    asked = {"first": "weak strong middle", "second": "weak strong middle", "third": "middle strong lucky weak"}
    cells = [many(one, task=task, model=model) for task, models in asked.items() for model in models.split()]
    found = summed_up(small_experiment, cells, possible=("strong", "lucky"))
    assert (found.models, found.fewer) == (["strong", "middle", "weak"], ["lucky"])
    said = text_of(small_experiment, found)
    assert re.search("weak .* Asked fewer than half of the questions lucky", said)
    assert re.search("strong .* best 1 of 3 .* tied 1–4 of 4 middle .* 2–3 of 3 ", said)


def contrast(difference: float | None, adjusted: float, model: str = "one", **other: Any) -> dict[str, Any]:
    about: dict[str, Any] = {
        "dataset": "toy",
        "task": "most_similar",
        "task_kind": "most_similar",
        "metric": "accuracy",
    }
    about |= {"model": model, "kind": "chat", "items": 80, "available": 80, "adjusted": adjusted}
    ends: dict[str, Any] = dict.fromkeys(("score", "score_blind", "difference", "low", "high"))
    if difference is not None:
        ends = {"score": 0.2 + difference, "score_blind": 0.2, "difference": difference}
        ends |= {"low": difference - 0.05, "high": difference + 0.05}
    return stored(READING, **{**about, **ends, **other})


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (
            [contrast(0.6, 1e-6, "lucky"), contrast(0.0, 1.0, "copy"), contrast(0.3, 0.001)],
            (
                "one reads: 0.500 against 0.200 without the sentence (difference 0.300 [0.250, 0.350], "
                "adjusted p 0.001, 80 items). The median of 3 comparisons; significant: 2."
            ),
        ),
        (
            [contrast(0.01, 0.7), contrast(0.9, 1.0, "lucky", items=2, low=None, high=None)],
            "one shows no reading: 0.210 against 0.200 without the sentence (difference 0.010 [-0.040, 0.060],",
        ),
        ([contrast(-0.1, 0.01)], "one does better without the sentence: 0.100 against 0.200"),
        (
            [contrast(None, 1.0, items=2)],
            "one has too few items to say whether it reads: 2 of 80 in common.",
        ),
    ],
)
def test_contrast_finding_states_evidence(small_experiment: Experiment, rows: list[dict[str, Any]], said: str) -> None:
    finding = summed_up(small_experiment, contrasts={"reading": rows}).findings["Reading"]
    assert finding.said.startswith(f"most similar on toy: {said}")
    assert finding.tells == ("too few" not in said)


def test_reading_finding_tells_what_is_above_order_in_the_first_task(small_experiment: Experiment) -> None:
    """A reader of words and their order gains by reading, too; another task says nothing of this one."""
    ends: dict[str, Any] = {
        "above_order": -0.09,
        "above_order_low": -0.16,
        "above_order_high": -0.02,
        "above_order_adjusted": 0.02,
    }
    rows = [contrast(0.3, 0.001, **ends), contrast(0.0, 1.0, task="ranking", task_kind="ranking", metric="both")]
    finding = summed_up(small_experiment, contrasts={"reading": rows}).findings["Reading"].said
    assert finding.startswith("most similar on toy: one reads")
    assert finding.endswith("80 items). Less order, which does no logic: -0.090 [-0.160, -0.020], adjusted p 0.020.")


def test_reading_finding_counts_unread_blind_answers(small_experiment: Experiment) -> None:
    def told(unread: int) -> str:
        rows = [contrast(0.05, 0.2, pairs=80, unread=40, unread_second=unread)]
        return summed_up(small_experiment, contrasts={"reading": rows}).findings["Reading"].said

    assert told(30).endswith("80 items). 30 of 80 answers without the sentence are unread, and count as guesses.")
    assert told(8).endswith("80 items).")
