import json
from pathlib import Path
from typing import Any

import polars as pl
from tests.stored import stored

import audit_candidates
from nlfol.sets.audit import item_of
from nlfol.sets.audit_checks import Check
from nlfol.store import files, schemas


def member(role: str, formula: str, edits: int = 0) -> dict[str, Any]:
    """A candidate that claims to be certified, whatever it is."""
    made = edits or int(role == "perturbation")
    proven = {"to": 0, "verdict": "not_equivalent", "means": "finite_structure"}
    proven |= {"counter_model": None, "word": None}
    row = {"formula": formula, "english": f"{role}: {formula}", "role": role, "edits": made}
    return row | {"change": ["negation"] * made, "path": [""] * made, "certificates": [proven]}


def written(path: Path, *sets: list[dict[str, Any]]) -> Path:
    refused = {"status": "refused", "reason": "not_contingent", "detail": "the gold formula is valid"}
    rows = [
        stored(schemas.ITEMS, item=f"1:{number}", candidates=candidates, **({} if candidates else refused))
        for number, candidates in enumerate(sets)
    ]
    files.write(path, schemas.ITEMS, rows, {"dataset": "toy", "task": "ranking"})
    return path


SETS = [
    [
        member("gold", "Dog(rex) → Barks(rex)"),
        member("equivalent", "¬Dog(rex) ∨ Barks(rex)"),
        member("perturbation", "Dog(rex) ∧ Barks(rex)"),
        member("negation", "¬(Dog(rex) → Barks(rex))"),
        member("negation_normal_form", "Dog(rex) ∧ ¬Barks(rex)"),
    ],
    [],
    [
        member("gold", "Barks(rex)"),
        member("equivalent", "¬Barks(rex)"),
        member("perturbation", "¬¬Barks(rex)"),
        member("negation", "¬Barks(rex)"),
        member("negation_equivalent", "¬Barks(rex) ∧ ¬Barks(rex)"),
    ],
]


def test_audit_writes_row_per_check_and_distrusts_certificates(tmp_path: Path) -> None:
    candidates, output = written(tmp_path / "ranking.arrow", *SETS), tmp_path / "audits.arrow"
    audit_candidates.main(candidates, dataset="toy", task="ranking", output=output)
    rows = files.rows(output, schemas.AUDITS)
    assert [row["check"] for row in rows] == [*Check, "unknown"]
    assert all((row["dataset"], row["task"], row["sets"]) == ("toy", "ranking", 2) for row in rows)
    found = {row["check"]: row for row in rows if row["items"]}
    assert {name: (row["items"], row["pairs"]) for name, row in found.items()} == {
        "distractor_equivalent_to_gold": (1, 1),
        "not_one_edit": (1, 1),
        "equivalent_not_equivalent": (1, 1),
        "duplicate": (1, 1),
    }
    assert found["duplicate"]["faults"] == [
        {"item": "1:2", "members": [1, 3], "formulas": ["¬Barks(rex)"] * 2, "detail": "the same text"}
    ]
    (shown,) = found["equivalent_not_equivalent"]["faults"]
    assert set(json.loads(shown["detail"])) == {"size", "constants", "functions", "predicates"}


def test_audit_file_is_reproducible_and_records_source(tmp_path: Path) -> None:
    candidates = written(tmp_path / "ranking.arrow", *SETS)
    for name in ("first", "second"):
        audit_candidates.main(candidates, dataset="toy", task="ranking", output=tmp_path / name)
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()
    metadata = files.read(tmp_path / "first", schemas.AUDITS).schema.metadata
    assert metadata[b"made_from.items/toy/ranking"].decode() == files.digest(candidates)


def test_audit_allows_two_edits_for_two_edit_members() -> None:
    row: Any = {
        "item": "1:0",
        "candidates": [
            member("gold", "Dog(rex)"),
            member("perturbation", "¬Dog(rex)", edits=1),
            member("perturbation", "Dog(rex)", edits=2),
        ],
    }
    assert item_of(row).roles == ("phi", "perturbation", "perturbation_two_edits")


def test_audit_faults_unnest_into_table(tmp_path: Path) -> None:
    candidates, output = written(tmp_path / "ranking.arrow", *SETS), tmp_path / "audits.arrow"
    audit_candidates.main(candidates, dataset="toy", task="ranking", output=output)
    faults = pl.read_ipc(output).select("check", "faults").explode("faults").drop_nulls().unnest("faults")
    assert faults.filter(check="not_one_edit").rows() == [
        ("not_one_edit", "1:2", [0, 2], ["Barks(rex)", "¬¬Barks(rex)"], "out of reach of elementary edits; 1 wanted")
    ]
