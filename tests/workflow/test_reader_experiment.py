"""The reader in a run of its own: real candidate sets, real answers, judged as a dialogue model's."""

from __future__ import annotations

import json

from tests.workflow.checkout import CHANCE, Checkout, configuration

from nlfol.store import files, schemas


def test_the_reader_settles_every_item_shown_in_english(checkout: Checkout) -> None:
    checkout.configure(configuration(reader={"kind": "reader"}, chance=CHANCE))
    run = checkout.snakemake("results/tables")
    assert run.status == 0, run.output
    assert {rule: count for rule, count in run.jobs.items() if rule.startswith("answer")} == {
        "answer_by_reference": 2,
        "answer_by_chance": 3,
    }
    (row,) = (row for row in checkout.table("dialogue") if row["model"] == "reader")
    assert row["presentation"] == "english"
    assert (row["most_similar_items"], row["ranking_items"]) == (7, 7)
    assert (row["most_similar_accuracy_mean"], row["ranking_both_mean"]) == (1, 1)
    for path in sorted(checkout.folder.glob("results/responses/mine/*/reader.arrow")):
        for response in files.rows(path, schemas.RESPONSES):
            assert json.loads(response["answer"])["reasoning"]
    assert "handed the gold formula" in checkout.read("results/tables/dialogue.md")


def test_the_reader_is_not_asked_where_candidates_are_shown_as_formulas_only(checkout: Checkout) -> None:
    values = configuration(reader={"kind": "reader"}, chance=CHANCE)
    values["tasks"]["ranking"]["presentations"] = ["formula"]
    checkout.configure(values)
    run = checkout.dry_run()
    assert run.jobs["answer_by_reference"] == 1
    assert "Answering most_similar on mine as reader" in run.messages
