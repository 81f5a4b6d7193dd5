"""``nlfol score`` gives the figures and judgements of the workflow, of the written answers and of 500 others."""

from pathlib import Path

import pytest
from benchmarks.scored_files import configuration, differences, synthetic, write_answers
from tests.workflow.checkout import Checkout

from nlfol.cli.scored import Wanted, score
from nlfol.randomness import SEED


def test_every_figure_is_that_of_the_workflow(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checkout.folder)
    answers = {"synthetic": Path("mine/synthetic.jsonl"), "written": Path("resources/answers/written.jsonl")}
    write_answers(answers["synthetic"], list(synthetic(500)))
    values = configuration("results", answers["synthetic"])
    checkout.configure(values)
    checkout.run("results/tables/cells.arrow")
    found = {}
    for model, dataset in (("synthetic", "tarski"), *(("written", name) for name in values["datasets"])):
        scored = score(Wanted(answers[model], dataset, values["datasets"], SEED))
        assert differences(Path("results"), model, scored) == []
        found[model, dataset] = {answer["outcome"] for answer in scored.answers}
    assert found["synthetic", "tarski"] == {"answered", "unparsable", "empty", "failed"}
    assert {dataset for _, dataset in found} == {"tarski", "rules", "rules_varied"}
