"""The reader in a run of its own: real candidate sets, real answers, judged as a dialogue model's."""

import json

from tests.workflow.checkout import Checkout, configuration

from nlfol.store import files, schemas


def test_reader_solves_every_item_shown_in_english(checkout: Checkout) -> None:
    checkout.configure(configuration(reader={"kind": "reader"}))
    scores = [f"results/scores/mine/{task}/reader.arrow" for task in ("most_similar", "ranking")]
    run = checkout.run(*scores)
    assert run.jobs["answer_by_reference"] == 2
    for path, metric in zip(scores, ("accuracy", "both"), strict=True):
        rows = [row for row in files.rows(checkout.folder / path, schemas.SCORES) if row["metric"] == metric]
        assert {row["presentation"] for row in rows} == {"english"}
        assert [row["score"] for row in rows] == [1] * 7
    for answers in sorted(checkout.folder.glob("results/responses/mine/*/reader.arrow")):
        for response in files.rows(answers, schemas.RESPONSES):
            assert json.loads(response["answer"])["reasoning"]
