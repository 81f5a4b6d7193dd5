"""Tables of the recorded responses, for the tests that work out every figure by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.tables import recorded

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
import judge_answers
import measure_datasets
import measure_items
import rate_verifiers
import render_tables
import score_without_suspects
from nlfol.provenance.manifest import to_text
from nlfol.store import files, schemas
from nlfol.store.canonical import canonical, sha256
from nlfol.tables.registry import TABLES

MEASURED = ("complexity", "corrections", "diversity", "counts")
ANALYSES = (
    *("differences", "thinking", "task_agreements", "repetitions", "correlations", "faults", "few_shot", "stops"),
    *("solvers", "classification", "depths", "ratings", "claims", "variances"),
)


@pytest.fixture(scope="session")
def recorded_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recorded")
    asked = recorded.write(folder)
    scores = [folder / f"scores.{task}.{model}.arrow" for task, model in asked]
    for (task, model), path in zip(asked, scores, strict=True):
        entry: dict[str, Any] = {"task": task}
        if task != "logical_translation":
            entry |= {"perturbations": 3}
        judge_answers.main(folder / f"{task}.arrow", folder / f"{task}.{model}.arrow", json.dumps(entry), path)
    made = {name: [folder / f"{name}.arrow"] for name in render_tables.SCHEMAS}
    aggregate_scores.main(scores, *made["cells"])
    analyse_scores.main(scores, {name: made[name][0] for name in ANALYSES})
    chat = [folder / f"{task}.{model}.arrow" for task, model in asked if model in ("alpha", "beta")]
    aggregate_costs.main(chat, *made["costs"])
    aggregate_rewrites.main([], *made["rewrites"], *made["similarity"])
    candidates = {task: folder / f"{task}.arrow" for task in recorded.MODELS}
    aggregate_positions.main(scores, [*candidates.values()], *made["positions"])
    aggregate_candidates.main([candidates["most_similar"], candidates["ranking"]], *made["edit_mix"])
    sentences, triples = _stages(folder)
    measures = folder / "measures.arrow"
    measure_items.main(triples, dataset="toy", edits=2, seed=7, output=measures)
    measure_datasets.main({"toy": triples}, {"toy": measures}, {name: made[name][0] for name in MEASURED})
    aggregate_curves.main(scores, {"toy": measures}, *made["curves"], *made["bounded"], *made["difficulty"])
    attribute_errors.main(scores, *made["attributions"])
    cross_models.main([], [], *made["crossed"])
    compare_ontologies.main([], [], [], {}, *made["ontologies"])
    rate_verifiers.main([], [], *made["verifications"])
    aggregate_drift.main([], {}, *made["drift"], *made["causes"])
    compare_outcomes.main([], [], {}, *made["stability"], *made["transitions"])
    compare_trained.main([], [], {}, *made["trained"])
    audit_gold.main(scores, {"toy": sentences}, made["gold_audit"][0], folder / "gold_audit.jsonl")
    score_without_suspects.main(scores, *made["gold_audit"], *made["without_suspects"])
    manifest = folder / "manifest.json"
    manifest.write_text(to_text({"digest": sha256(canonical({})), "experiment": {}}), encoding="utf-8")
    drawn = [("toy", task, path) for task, path in candidates.items()]
    aggregate_refusals.main(["toy"], [sentences], [triples], drawn, *made["refusals"])
    for task in ("most_similar", "ranking"):
        audit_candidates.main(candidates[task], dataset="toy", task=task, output=folder / f"audit.{task}.arrow")
    made["audits"] = [folder / f"audit.{task}.arrow" for task in ("most_similar", "ranking")]
    figures = folder / "figures.csv"
    figures.write_text(recorded.FIGURES, encoding="utf-8")
    correlate_benchmarks.main(made["cells"][0], made["bounded"][0], [figures], made["benchmarks"][0])
    render_tables.main(
        made, [figures], manifest, [folder / f"tables/{name}.{suffix}" for name in TABLES for suffix in ("csv", "tex")]
    )
    return folder / "tables"


def _stages(folder: Path) -> tuple[Path, Path]:
    """The files of sentences and triples: those of ITEMS, and before them one that was refused."""
    refused: dict[str, Any] = {
        "status": "refused",
        "reason": "syntax",
        "detail": "Cat(: unexpected end",
        "formula": None,
    }
    usable: dict[str, Any] = {"status": "usable", "reason": None, "detail": None}
    as_published: dict[str, Any] = {"correction": None, "regained": None, "repairs": []}
    as_published |= {"language": "first_order", "category": None, "tree": None}
    rows: list[dict[str, Any]] = [
        {"item": "d:0", "story": "d", "index": 0, "text": "Tom.", "source_formula": "Cat(", **as_published, **refused}
    ]
    for item, (text, formula) in recorded.ITEMS.items():
        row = {"item": item, "story": item[0], "index": int(item[2]), "text": text, "source_formula": formula}
        rows.append({**row, "formula": formula, **as_published, **usable})
        rows[-1]["category"], rows[-1]["tree"] = recorded.CATEGORIES[item]
        if item == "a:1":
            rows[-1]["correction"] = recorded.CORRECTION
    files.write(folder / "sentences.arrow", schemas.SENTENCES, rows, {"dataset": "toy"})
    of_triples = [{name: value for name, value in row.items() if name != "source_formula"} for row in rows]
    triples = [{**row, "ontology": recorded.ONTOLOGY if row["formula"] else None} for row in of_triples]
    files.write(folder / "triples.arrow", schemas.TRIPLES, triples, {"dataset": "toy"})
    return folder / "sentences.arrow", folder / "triples.arrow"
