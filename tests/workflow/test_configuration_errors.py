"""A wrong configuration is explained in a line for each key at fault, before anything runs.

Which faults there are, ``tests/unit/test_config.py`` shows.
"""

from tests.workflow.checkout import Checkout, Run, configuration

SECRET = "sk-proj-Abc123-do-not-show"


def _explained(run: Run) -> list[str]:
    """Return the lines between the headline of a refused run and Snakemake's own place of the error."""
    assert run.status != 0
    assert "Traceback" not in run.output
    assert run.jobs == {}
    assert "Nothing to be done" not in run.output
    _, _, rest = run.output.partition("cannot be used:\n")
    return [line.strip() for line in rest.splitlines() if not line.lstrip().startswith("File ")]


def test_every_key_at_fault_has_a_line_nothing_runs_and_a_key_is_not_echoed(checkout: Checkout) -> None:
    paid = {"kind": "chat", "backend": "openai", "model": "m", "api_key": SECRET}
    checkout.configure({**configuration(paid=paid), "seed": -1, "sede": 7})
    run = checkout.snakemake("results/tables")
    keys = [line.partition(": ")[0] for line in _explained(run)]
    assert sorted(keys) == ["models.paid.chat.openai.api_key", "sede", "seed"]
    assert not checkout.bytes("results/**/*.arrow")
    assert SECRET not in run.output
    written = checkout.bytes(".snakemake/**/*") | checkout.bytes("results/**/*") | checkout.bytes("cache/**/*")
    assert not [name for name, content in written.items() if SECRET.encode() in content]


def test_missing_files_are_named_even_where_an_earlier_run_has_read_them(checkout: Checkout) -> None:
    sentences = "results/datasets/mine/sentences.arrow"
    checkout.run(sentences)
    for name in ("sentences.csv", "ontology.yaml"):
        (checkout.folder / "mine" / name).rename(checkout.folder / "mine" / f"renamed-{name}")
    assert _explained(checkout.snakemake(sentences)) == [
        f"datasets.mine: no file mine/{name}; correct the path, or put the file there"
        for name in ("sentences.csv", "ontology.yaml")
    ]
