"""Tables of the recorded responses, for the tests that work out every figure by hand."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.analysing import analyse_all, explain
from tests.stored import stored
from tests.unit.results import recorded

import audit_candidates
import judge_answers
import measure_items
import render_tables
from nlfol.provenance.manifest import to_text
from nlfol.results.analyses.analysis import Given
from nlfol.results.analyses.registry import FILES, TABLES
from nlfol.store import files, schemas
from nlfol.store.canonical import canonical, sha256


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
    explained = [path for path in scores if path.name.startswith("scores.logical_translation")]
    evidence = explain(folder / "logical_translation.arrow", explained, '{"task": "logical_translation"}')
    candidates = {task: folder / f"{task}.arrow" for task in recorded.MODELS}
    sentences, triples = _stages(folder)
    measures = folder / "measures.arrow"
    measure_items.main(triples, dataset="toy", sensitivity=2, seed=7, output=measures)
    figures = folder / "figures.csv"
    figures.write_text(recorded.FIGURES, encoding="utf-8")
    analyse_all(
        folder,
        {"datasets": ["toy"]},
        scores=scores,
        evidence=[evidence],
        choice_scores=scores,
        choice_items=[*candidates.values()],
        candidates=[candidates["most_similar"], candidates["ranking"]],
        item_files=[*candidates.values()],
        responses=[folder / f"{task}.{model}.arrow" for task, model in asked if model in ("alpha", "beta")],
        sentences=[sentences],
        triples=[triples],
        measures=[measures],
        figures=[figures],
        round_trip_scores=scores,
        translation_scores=scores,
    )
    made = {name: [folder / f"{name}.arrow"] for name in FILES}
    manifest = folder / "manifest.json"
    manifest.write_text(to_text({"digest": sha256(canonical({})), "experiment": {}}), encoding="utf-8")
    for task in ("most_similar", "ranking"):
        audit_candidates.main(candidates[task], dataset="toy", task=task, output=folder / f"audit.{task}.arrow")
    made["audits"] = [folder / f"audit.{task}.arrow" for task in ("most_similar", "ranking")]
    render_tables.main(
        Given({**made, "figures": [figures]}),
        manifest,
        [folder / f"tables/{name}.{suffix}" for name in TABLES for suffix in ("csv", "tex")],
    )
    return folder / "tables"


def _stages(folder: Path) -> tuple[Path, Path]:
    """The files of sentences and triples: those of ITEMS, and before them one that was refused."""
    refused = {"status": "refused", "reason": "syntax", "detail": "Cat(: unexpected end"}
    rows = [stored(schemas.SENTENCES, item="d:0", text="Tom.", source_formula="Cat(", **refused)]
    for item, (text, formula) in recorded.ITEMS.items():
        category, tree = recorded.CATEGORIES[item]
        about = {"text": text, "formula": formula, "category": category, "tree": tree}
        correction = recorded.CORRECTION if item == "a:1" else None
        source = {"source_formula": formula, "index": int(item[2]), "correction": correction}
        rows.append(stored(schemas.SENTENCES, item=item, **about, **source))
    files.write(folder / "sentences.arrow", schemas.SENTENCES, rows, {"dataset": "toy"})
    of_triples = [{name: value for name, value in row.items() if name != "source_formula"} for row in rows]
    triples = [{**row, "ontology": recorded.ONTOLOGY if row["formula"] else None} for row in of_triples]
    files.write(folder / "triples.arrow", schemas.TRIPLES, triples, {"dataset": "toy"})
    return folder / "sentences.arrow", folder / "triples.arrow"
