"""Bad data: one refused row where a row is at fault, one clear error where a file is.

Faults of files are those of ``tests/unit/datasets``, ``ontology`` and ``models``.
"""

from tests.workflow.checkout import SENTENCES, Checkout, configuration

from nlfol.store import files, schemas
from nlfol_extras.analyses.refusals import REFUSALS

PROSE = "farm,Cats like milk.,every cat likes milk\n"
UNKNOWN = "farm,Tom barks.,Barks(tom)\n"
GOOD = "farm,Rex is a dog.,Dog(rex)\n"


def test_refused_rows_have_reason_and_leave_denominators(checkout: Checkout) -> None:
    checkout.write("mine/sentences.csv", SENTENCES + PROSE + UNKNOWN + GOOD)
    values = configuration()
    values["tasks"] = {"logical_translation": {}}
    checkout.configure(values)
    checkout.run("results/tables/refusals.arrow", "results/tables/cells.arrow")

    rows = files.rows(checkout.folder / "results/tables/refusals.arrow", REFUSALS)
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
    assert {(cell["model"], cell["items"], cell["available"]) for cell in cells} == {("chance", 9, 11)}


def test_missing_column_raises_single_error_in_output_and_log(checkout: Checkout) -> None:
    target = "results/datasets/mine/sentences.arrow"
    checkout.write("mine/sentences.csv", SENTENCES.replace("text", "other", 1))
    error = checkout.fail(target).error
    assert error.startswith("mine/sentences.csv: no column 'text'; found [")
    assert checkout.read("results/logs/ingest_dataset/mine.log").count(f" error: {error}\n") == 1
    assert not (checkout.folder / target).exists()
