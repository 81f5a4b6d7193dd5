"""The scripts, from stage files to rendered tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import aggregate_candidates
import aggregate_costs
import aggregate_curves
import aggregate_drift
import aggregate_positions
import aggregate_refusals
import aggregate_rewrites
import aggregate_scores
import analyse_scores
import attribute_errors
import audit_candidates
import audit_gold
import compare_ontologies
import compare_outcomes
import compare_trained
import correlate_benchmarks
import cross_models
import measure_datasets
import measure_items
import rate_verifiers
import render_tables
import score_without_suspects
from nlfol.provenance.manifest import to_text
from nlfol.provenance.selection import DRAWN_FROM
from nlfol.statistics.refusals import RefusalError
from nlfol.store import files, schemas
from nlfol.store.canonical import canonical, sha256
from nlfol.tables.names import SOURCES, TABLE_NAMES, Subject
from nlfol.tables.registry import TABLES
from nlfol.tables.table import TableError

FIGURES = sorted((Path(__file__).parents[3] / "resources/published").glob("*.csv"))
MEASURED = ("complexity", "corrections", "diversity", "counts")
ANALYSES = (
    *("differences", "thinking", "task_agreements", "repetitions", "correlations", "faults", "few_shot", "stops"),
    *("solvers", "classification", "depths", "ratings", "claims", "variances"),
)


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    rows: list[dict[str, Any]] = [
        {
            **dict.fromkeys(
                (
                    "means",
                    "relation",
                    "fault",
                    "detail",
                    "answer",
                    "formula",
                    "dialect",
                    "policy",
                    "position",
                    "counter_model",
                    "stop",
                    "word",
                )
            ),
            "counter_model": None,
            "repairs": [],
            "ambiguities": [],
            "item": f"1:{item}",
            "story": "1",
            "presentation": "",
            "seed": seed,
            "metric": "equivalence",
            "round": 1,
            "score": score,
            "outcome": outcome,
            "verdict": verdict,
            "tied": False,
        }
        for seed in (3, 12)
        for item, (score, outcome, verdict) in enumerate(
            [
                (1.0, "answered", "equivalent"),
                (0.0, "unparsable", None),
                (1.0, "answered", "equivalent") if seed == 3 else (0.0, "answered", "not_equivalent"),
            ]
        )
    ]
    path = tmp_path / "scores.arrow"
    said = {"dataset": "toy", "task": "logical_translation", "task_kind": "logical_translation", "protocol": ""}
    said |= {"model": "m", "kind": "chat", "available": "7"}
    files.write(path, schemas.SCORES, rows, said)
    return path


@pytest.fixture
def stages(tmp_path: Path) -> tuple[Path, Path]:
    row: dict[str, Any] = {"item": "1:0", "story": "1", "index": 0, "text": "Rex barks.", "repairs": []}
    row |= {"correction": None, "regained": None, "language": "first_order", "category": None, "tree": None}
    row |= {"formula": None, "status": "refused", "reason": "syntax", "detail": "a | b: unexpected '|'"}
    said = {"dataset": "toy"}
    files.write(tmp_path / "sentences.arrow", schemas.SENTENCES, [row | {"source_formula": "a | b"}], said)
    files.write(tmp_path / "triples.arrow", schemas.TRIPLES, [row | {"ontology": None}], said)
    return tmp_path / "sentences.arrow", tmp_path / "triples.arrow"


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    """A manifest of no experiment in particular."""
    path = tmp_path / "manifest.json"
    experiment = {"judge": {"z3": "5.4"}}
    path.write_text(to_text({"digest": sha256(canonical(experiment)), "experiment": experiment}), encoding="utf-8")
    return path


@pytest.fixture
def tables(tmp_path: Path, scores: Path, stages: tuple[Path, Path]) -> dict[str, list[Path]]:
    found = {name: [tmp_path / f"tables/{name}.arrow"] for name in render_tables.SCHEMAS}
    candidates = tmp_path / "ranking.arrow"
    about = {"dataset": "toy", "task": "ranking", "task_kind": "ranking", "protocol": "audited"}
    files.write(candidates, schemas.ITEMS, [], about)
    aggregate_scores.main([scores], *found["cells"])
    analyse_scores.main([scores], {name: found[name][0] for name in ANALYSES})
    measures = {"toy": tmp_path / "measures.arrow"}
    measure_items.main(stages[1], dataset="toy", edits=0, seed=7, output=measures["toy"])
    measure_datasets.main({"toy": stages[1]}, measures, {name: found[name][0] for name in MEASURED})
    aggregate_curves.main([scores], measures, *found["curves"], *found["bounded"], *found["difficulty"])
    attribute_errors.main([scores], *found["attributions"])
    cross_models.main([], [], *found["crossed"])
    compare_ontologies.main([], [], [], {}, *found["ontologies"])
    rate_verifiers.main([], [], *found["verifications"])
    aggregate_drift.main([], {}, *found["drift"], *found["causes"])
    compare_outcomes.main([], [], {}, *found["stability"], *found["transitions"])
    compare_trained.main([], [], {}, *found["trained"])
    correlate_benchmarks.main(found["cells"][0], found["bounded"][0], FIGURES, found["benchmarks"][0])
    audit_gold.main([scores], {"toy": stages[0]}, found["gold_audit"][0], tmp_path / "gold_audit.jsonl")
    score_without_suspects.main([scores], *found["gold_audit"], *found["without_suspects"])
    aggregate_positions.main([scores], [], *found["positions"])
    aggregate_costs.main([], *found["costs"])
    aggregate_rewrites.main([], *found["rewrites"], *found["similarity"])
    aggregate_candidates.main([candidates], *found["edit_mix"])
    aggregate_refusals.main(["toy"], [stages[0]], [stages[1]], [("toy", "ranking", candidates)], *found["refusals"])
    audit_candidates.main(candidates, dataset="toy", task="ranking", output=found["audits"][0])
    return found


def test_cells_and_refusals_say_what_they_were_made_from(
    tables: dict[str, list[Path]], scores: Path, stages: tuple[Path, Path]
) -> None:
    cells = files.read(tables["cells"][0], schemas.CELLS)
    assert cells.schema.metadata[b"made_from.scores/toy/logical_translation/m"].decode() == files.digest(scores)
    refusals = files.read(tables["refusals"][0], schemas.REFUSALS)
    assert refusals.schema.metadata[b"made_from.triples/toy"].decode() == files.digest(stages[1])
    assert b"made_from.items/toy/ranking" in refusals.schema.metadata


def test_a_table_in_every_form(tables: dict[str, list[Path]], manifest: Path, tmp_path: Path) -> None:
    outputs = {suffix: tmp_path / f"out/logical_translation.{suffix}" for suffix in ("csv", "md", "tex")}
    render_tables.main(tables, FIGURES, manifest, list(outputs.values()))
    # Seed 3: 2/3, seed 12: 1/3; the unparsable answer stays in the denominator.
    header, row = outputs["csv"].read_text().splitlines()
    found = dict(zip(header.split(","), row.split(","), strict=True))
    assert float(found["equivalence_mean"]) == 0.5
    assert float(found["equivalence_deviation"]) == pytest.approx(1 / 18**0.5)
    assert (found["items"], found["items_available"], found["seeds"]) == ("3", "7", "2")
    assert (found["equivalent"], found["unparsable"]) == ("3", "2")
    assert " 3 of 7 |" in outputs["md"].read_text()
    assert r"0.500 \ensuremath{\pm} 0.236" in outputs["tex"].read_text()
    run = sha256(canonical({"judge": {"z3": "5.4"}}))[:12]
    assert f"- Run {run}: see manifest.json.\n" in outputs["md"].read_text()
    assert f"Run {run}: see manifest.json." in outputs["tex"].read_text()
    assert run not in outputs["csv"].read_text()


def test_every_table_is_drawn_and_named_as_it_is_called(
    tables: dict[str, list[Path]], manifest: Path, tmp_path: Path
) -> None:
    outputs = [tmp_path / f"out/{name}.tex" for name in TABLES]
    render_tables.main(tables, FIGURES, manifest, outputs)
    for path in outputs:
        assert rf"\label{{tab:{path.stem}}}" in path.read_text()


def test_refused_rows_keep_their_detail(tables: dict[str, list[Path]], manifest: Path, tmp_path: Path) -> None:
    render_tables.main(tables, FIGURES, manifest, [tmp_path / "refused_rows.md"])
    assert r"| toy       | ingestion | –      | 1:0    | syntax   | a \| b: unexpected '\|' |" in (
        (tmp_path / "refused_rows.md").read_text()
    )


def test_the_same_files_make_the_same_bytes(tables: dict[str, list[Path]], scores: Path, tmp_path: Path) -> None:
    aggregate_scores.main([scores], tmp_path / "again.arrow")
    assert (tmp_path / "again.arrow").read_bytes() == tables["cells"][0].read_bytes()


def test_nothing_at_all(manifest: Path, tmp_path: Path) -> None:
    aggregate_scores.main([], tmp_path / "cells.arrow")
    aggregate_refusals.main([], [], [], [], tmp_path / "refusals.arrow")
    aggregate_positions.main([], [], tmp_path / "positions.arrow")
    analyse_scores.main([], {name: tmp_path / f"{name}.arrow" for name in ANALYSES})
    measure_datasets.main({}, {}, {name: tmp_path / f"{name}.arrow" for name in MEASURED})
    aggregate_curves.main([], {}, *(tmp_path / f"{name}.arrow" for name in ("curves", "bounded", "difficulty")))
    attribute_errors.main([], tmp_path / "attributions.arrow")
    cross_models.main([], [], tmp_path / "crossed.arrow")
    compare_ontologies.main([], [], [], {}, tmp_path / "ontologies.arrow")
    rate_verifiers.main([], [], tmp_path / "verifications.arrow")
    aggregate_drift.main([], {}, tmp_path / "drift.arrow", tmp_path / "causes.arrow")
    compare_outcomes.main([], [], {}, tmp_path / "stability.arrow", tmp_path / "transitions.arrow")
    compare_trained.main([], [], {}, tmp_path / "trained.arrow")
    correlate_benchmarks.main(
        tmp_path / "cells.arrow", tmp_path / "bounded.arrow", FIGURES, tmp_path / "benchmarks.arrow"
    )
    audit_gold.main([], {}, tmp_path / "gold_audit.arrow", tmp_path / "gold_audit.jsonl")
    score_without_suspects.main([], tmp_path / "gold_audit.arrow", tmp_path / "without_suspects.arrow")
    aggregate_costs.main([], tmp_path / "costs.arrow")
    aggregate_rewrites.main([], tmp_path / "rewrites.arrow", tmp_path / "similarity.arrow")
    aggregate_candidates.main([], tmp_path / "edit_mix.arrow")
    sources = {name: [tmp_path / f"{name}.arrow"] for name in render_tables.SCHEMAS}
    sources["audits"] = []
    render_tables.main(sources, FIGURES, manifest, [tmp_path / f"{name}.md" for name in TABLES])
    for name in TABLES:
        assert "| Dataset" in (tmp_path / f"{name}.md").read_text()


def test_errors(tables: dict[str, list[Path]], stages: tuple[Path, Path], manifest: Path, tmp_path: Path) -> None:
    with pytest.raises(TableError, match="no table 'dialog'; choose from logical_translation, dialogue"):
        render_tables.main(tables, FIGURES, manifest, [tmp_path / "dialogue.csv", tmp_path / "dialog.csv"])
    with pytest.raises(TableError, match="no renderer for html; there are csv, md, tex"):
        render_tables.main(tables, FIGURES, manifest, [tmp_path / "dialogue.csv", tmp_path / "dialogue.html"])
    assert not (tmp_path / "dialogue.csv").exists()
    sources = (["toy"], [stages[0]], [stages[1]])
    candidates = ("toy", "ranking", tmp_path / "ranking.arrow")
    with pytest.raises(RefusalError, match="candidates of dataset 'other', which is not one of toy"):
        aggregate_refusals.main(*sources, [("other", "ranking", candidates[2])], tmp_path / "r.arrow")
    with pytest.raises(RefusalError, match="the candidates of 'toy' for 'ranking' are given twice"):
        aggregate_refusals.main(*sources, [candidates, candidates], tmp_path / "r.arrow")


def test_tables_of_what_the_experiment_is_not_about_are_removed(
    tables: dict[str, list[Path]], manifest: Path, tmp_path: Path
) -> None:
    """An earlier run in the same folder had verification, too."""
    folder = tmp_path / "tables"
    kept = [folder / f"{name}.md" for name in ("logical_translation", "refused_rows")]
    render_tables.main(tables, FIGURES, manifest, [*kept, folder / "verification.md"])
    (folder / "notes.md").write_text("mine")
    del tables["verifications"]
    render_tables.main(tables, FIGURES, manifest, kept)
    assert sorted(folder.glob("*.md")) == sorted([*kept, folder / "notes.md"])
    assert {path.stem for path in folder.glob("*.arrow")} == tables.keys()


def test_the_workflow_names_all_tables_there_are() -> None:
    assert list(TABLES) == list(TABLE_NAMES)
    assert SOURCES.keys() == render_tables.SCHEMAS.keys() - {"audits", *ANALYSES}


def test_what_a_table_is_drawn_from_is_there_wherever_the_table_is() -> None:
    for table, subject in TABLE_NAMES.items():
        first, *others = DRAWN_FROM.get(table, (table,))
        assert SOURCES.get(first, subject) in (Subject.EXPERIMENT, subject), table
        assert {first, *others} - {"audit"} <= {*SOURCES, *ANALYSES}
