"""What a wrong configuration comes to: one line for the key at fault, before anything runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.workflow.checkout import Checkout, Run, configuration

SECRET = "sk-proj-Abc123-do-not-show"
API = {"kind": "chat", "backend": "openai", "model": "m"}


def _rejected(checkout: Checkout, values: dict[str, Any]) -> Run:
    """The run of a configuration that must stop before the first job."""
    checkout.configure(values)
    run = checkout.snakemake("results/tables")
    assert run.status != 0
    assert "Traceback" not in run.output
    assert run.jobs == {}
    assert "Nothing to be done" not in run.output
    assert not checkout.bytes("results/**/*.arrow")
    return run


def _explained(run: Run) -> list[str]:
    """The lines between the headline and Snakemake's own place of the error."""
    _, _, rest = run.output.partition("cannot be used:\n")
    return [line.strip() for line in rest.splitlines() if not line.lstrip().startswith("File ")]


@pytest.mark.parametrize(
    ("edit", "explanation"),
    [
        (lambda values: values.update(sede=7), "sede: Extra inputs are not permitted; remove the key"),
        (lambda values: values["tasks"]["ranking"].update(k=3), "tasks.ranking.k: Extra inputs are not permitted"),
        (lambda values: values.pop("seed"), "seed: Field required"),
        (lambda values: values.update(models={}), "models: Dictionary should have at least 1 item"),
        (
            lambda values: values["models"]["chance"].update(kind="luck"),
            "models.chance: no kind is called 'luck'; there are chat, ",
        ),
        (
            lambda values: values["models"].update(llm={**API, "backend": "vllm"}),
            "models.llm.chat: no backend is called 'vllm'; there are ",
        ),
        (
            lambda values: values["tasks"]["ranking"].update(perturbations=-1),
            "tasks.ranking.perturbations: Input should be greater than or equal to 1",
        ),
        (
            lambda values: values["datasets"]["mine"].update(reader="tabel"),
            "datasets.mine: no reader is called 'tabel' (did you mean table?); there are folio, ",
        ),
    ],
    ids=["unknown", "unknown-in-task", "no-seed", "no-models", "kind", "backend", "negative-k", "reader"],
)
def test_one_line_names_the_key_at_fault(
    checkout: Checkout, edit: Callable[[dict[str, Any]], object], explanation: str
) -> None:
    values = configuration()
    edit(values)
    (line,) = _explained(_rejected(checkout, values))
    assert line.startswith(explanation)


def test_every_key_at_fault_has_a_line(checkout: Checkout) -> None:
    values = {**configuration(), "seed": -1, "sede": 7}
    lines = _explained(_rejected(checkout, values))
    assert sorted(line.partition(":")[0] for line in lines) == ["sede", "seed"]


@pytest.mark.parametrize("field", ["api_key_env", "api_key"])
def test_a_key_in_the_configuration_is_not_echoed(checkout: Checkout, field: str) -> None:
    run = _rejected(checkout, configuration(paid={**API, field: SECRET}))
    (line,) = _explained(run)
    assert line.startswith(f"models.paid.chat.openai.{field}: ")
    assert SECRET not in run.output
    written = checkout.bytes(".snakemake/**/*") | checkout.bytes("results/**/*") | checkout.bytes("cache/**/*")
    assert not [name for name, content in written.items() if SECRET.encode() in content]


@pytest.mark.parametrize("key", ["path", "ontology"])
def test_a_missing_file_is_named(checkout: Checkout, key: str) -> None:
    values = configuration()
    values["datasets"]["mine"][key] = "mine/nowhere.csv"
    (line,) = _explained(_rejected(checkout, values))
    assert line == "datasets.mine: no file mine/nowhere.csv; correct the path, or put the file there"


def test_a_file_that_went_missing_is_named_even_where_an_earlier_run_has_read_it(checkout: Checkout) -> None:
    sentences = "results/datasets/mine/sentences.arrow"
    assert checkout.snakemake(sentences).status == 0
    (checkout.folder / "mine/sentences.csv").rename(checkout.folder / "mine/renamed.csv")
    run = checkout.snakemake(sentences)
    assert run.status != 0
    (line,) = _explained(run)
    assert line.startswith("datasets.mine: no file mine/sentences.csv;")
