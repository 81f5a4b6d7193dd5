from tests.stored import frame

from nlfol.results.analyses.analysis import analysis_of, schema_of
from nlfol_extras.analyses.gold_audit import GOLD_AUDIT, TABLE

CORRECTED = {
    "dataset": "toy",
    "item": "1:0",
    "kinds": "missing, symbol",
    "published": "P",
    "corrected": "Q",
    "relation": "independent",
    "difference": "only one of them is true",
    "regained": None,
    "refused": None,
    "reason": "It is Q.",
    "evidence": "The sentence says so.",
}


def test_corrections_table_lists_reasons_and_counts_by_dataset() -> None:
    unread = (
        CORRECTED
        | {"relation": None, "difference": None}
        | {"item": "1:1", "kinds": "symbol", "published": None, "regained": "syntax"}
    )
    twin = CORRECTED | {"dataset": "twin"}
    said = ("1:0", "missing, symbol", "P", "Q", "independent", "only one of them is true", None, None, "It is Q.")
    table = analysis_of("formulas").tables[1].table(frame(schema_of("corrections"), CORRECTED, unread, twin))
    assert table.rows == (
        ("toy", *said),
        ("toy", "1:1", "symbol", None, "Q", None, None, "syntax", None, "It is Q."),
        ("twin", *said),
    )
    assert table.notes[0].startswith("toy: 2 corrected (symbol 2, missing 1); 1 of them would be refused")
    assert table.notes[1].startswith("twin: 1 corrected (missing 1, symbol 1); 0 of them")


def test_gold_audit_table_lists_doubtful_formulas() -> None:
    said = ("toy", "logical_translation", "1:0", "Some cats sleep.", "P", "Q", "stronger", "There is a dog", 2, 3, 1)
    row = dict(zip((column.name for column in TABLE.columns), said, strict=True)) | {"models": ["m", "n"]}
    assert TABLE.table(frame(GOLD_AUDIT, row)).rows == (said,)
