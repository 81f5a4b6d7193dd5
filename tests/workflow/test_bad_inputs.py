"""Bad rows: each is refused alone, with its reason; faults of files are in ``tests/unit/datasets`` and ``ontology``."""

from tests.workflow.checkout import SENTENCES, Checkout, configuration

from nlfol.analyses.refusals import REFUSALS
from nlfol.store import files, schemas

PROSE = "farm,Cats like milk.,every cat likes milk\n"
UNKNOWN = "farm,Tom barks.,Barks(tom)\n"
GOOD = "farm,Rex is a dog.,Dog(rex)\n"


def test_refused_rows_have_their_reason_and_are_in_no_denominator(checkout: Checkout) -> None:
    checkout.write("mine/sentences.csv", SENTENCES + PROSE + UNKNOWN + GOOD)
    values = configuration()
    values["tasks"] = {"logical_translation": {}}
    checkout.configure(values)
    run = checkout.snakemake("results/tables/refusals.arrow", "results/tables/cells.arrow")
    assert run.status == 0, run.output

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
    assert {(cell["model"], cell["items"], cell["available"]) for cell in cells} == {("chance", 9, 9)}
