"""A wrong configuration is explained in a line for each key at fault, before anything runs.

Which faults there are, ``tests/unit/test_config.py`` shows.
"""

from tests.workflow.checkout import Checkout, Run, configuration

SECRET = "sk-proj-Abc123-do-not-show"


def _explained(run: Run) -> list[str]:
    """Return the lines after the headline of a refused run, which names no line of the workflow."""
    assert run.status != 0
    assert "Traceback" not in run.output
    assert run.jobs == {}
    assert "Nothing to be done" not in run.output
    assert ".smk" not in run.output
    _, _, rest = run.output.partition("cannot be used:\n")
    return [line.strip() for line in rest.splitlines()]


def test_configuration_errors_have_line_per_key_and_hide_secret(checkout: Checkout) -> None:
    paid = {"kind": "chat", "backend": "openai", "model": "m", "api_key": SECRET}
    checkout.configure({**configuration(paid=paid), "seed": -1, "sede": 7})
    run = checkout.snakemake("results/tables")
    keys = [line.partition(": ")[0] for line in _explained(run)]
    assert sorted(keys) == ["models.paid.api_key", "sede", "seed"]
    assert not checkout.bytes("results/**/*.arrow")
    assert SECRET not in run.output
    written = checkout.bytes(".snakemake/**/*") | checkout.bytes("results/**/*") | checkout.bytes("cache/**/*")
    assert not [name for name, content in written.items() if SECRET.encode() in content]


def test_dry_run_reports_missing_api_key_unless_answered(checkout: Checkout) -> None:
    paid = {"kind": "chat", "backend": "openai", "model": "m", "api_key_env": "NLFOL_NO_KEY"}
    checkout.configure(configuration(paid=paid))
    run = checkout.fail("--dry-run", "results/tables")
    assert run.output.splitlines()[-1] == (
        "models.paid: environment variable NLFOL_NO_KEY is not set; put the key there, or leave the model out"
    )
    assert "ask_api" in checkout.snakemake("--dry-run", "results/tables", environment={"NLFOL_NO_KEY": "k"}).jobs
    for task in ("logical_translation", "most_similar", "ranking"):
        checkout.write(f"journal/paid/mine.{task}.jsonl", "")
    assert "ask_api" in checkout.snakemake("--dry-run", "results/tables").jobs


def test_missing_files_are_reported_even_after_earlier_run(checkout: Checkout) -> None:
    sentences = "results/datasets/mine/sentences.arrow"
    checkout.run(sentences)
    for name in ("sentences.csv", "ontology.yaml"):
        (checkout.folder / "mine" / name).rename(checkout.folder / "mine" / f"renamed-{name}")
    assert _explained(checkout.snakemake(sentences)) == [
        f"datasets.mine: no file mine/{name}; correct the path, or put the file there"
        for name in ("sentences.csv", "ontology.yaml")
    ]
