"""Folders of results as a run leaves them, of answers to sentences of Tarski's World that tests make up."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nlfol.cli.scored import Wanted, score
from nlfol.config import experiment_json, read_configuration
from nlfol.provenance.manifest import to_text
from nlfol.results.analyses.analysis import Given, run
from nlfol.results.analyses.drawing import build
from nlfol.results.analyses.registry import TOPICS
from nlfol.results.tables.rendering import to_csv
from nlfol.store import files, schemas
from nlfol.store.canonical import canonical, sha256

DATASETS = {
    "tarski": {
        "reader": "table",
        "path": "resources/datasets/tarski/sentences.csv",
        "ontology": "resources/datasets/tarski/ontology.yaml",
    }
}
Answers = Mapping[str, str]


def judged(folder: Path, answers: Answers, model: str = "m", kind: str = "chat") -> Path:
    """Write items, responses, scores and evidence of a model's translations; return the folder of results."""
    folder.mkdir(exist_ok=True)
    written = folder / f"{model}.jsonl"
    rows = (json.dumps({"item": item, "answer": answer}) for item, answer in answers.items())
    written.write_text("\n".join(rows), encoding="utf-8")
    (made,) = score(Wanted(written, "tarski", DATASETS, 0, "logical_translation")).made
    task = {"dataset": "tarski", "task": "logical_translation"}
    about = {**task, "task_kind": "logical_translation", "protocol": "", "available": "208"}
    evidence = folder / "evidence/tarski/logical_translation.arrow"
    known = files.rows(evidence, schemas.EvidenceRow) if evidence.exists() else []
    every = {row["pair"]: row for row in (*known, *made.evidence)}
    for path, schema, content in (
        (folder / "items/tarski/logical_translation.arrow", schemas.ITEMS, made.items),
        (folder / f"responses/tarski/logical_translation/{model}.arrow", schemas.RESPONSES, made.responses),
        (folder / f"scores/tarski/logical_translation/{model}.arrow", schemas.SCORES, made.scores),
        (evidence, schemas.EVIDENCE, [*every.values()]),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        of_model = schema in (schemas.RESPONSES, schemas.SCORES)
        files.write(path, schema, content, {**about, "kind": kind, "model": model} if of_model else about)
    return folder


def finished(folder: Path, of: Mapping[str, tuple[str, Answers]]) -> Path:
    """Write a run of models, each with its kind and answers: scores, tables and manifest; return its results."""
    for model, (kind, answers) in of.items():
        judged(folder, answers, model, kind)
    scores = [folder / f"scores/tarski/logical_translation/{model}.arrow" for model in of]
    given = Given({"scores": scores, "evidence": [folder / "evidence/tarski/logical_translation.arrow"]})
    tables = folder / "tables"
    tables.mkdir()
    for topic in ("scores", "comparisons"):
        run(topic, given, {f"{name}.arrow": tables / f"{name}.arrow" for name in TOPICS[topic].files})
    drawn = Given({path.stem: [path] for path in tables.glob("*.arrow")})
    for name in ("scores", "differences"):
        (tables / f"{name}.csv").write_text(to_csv(build(name, drawn)), encoding="utf-8")
    entry = {"kind": "answers", "path": "answers.jsonl"}
    reference: dict[str, Any] = {"reader": {"kind": "reader"}, "written": {**entry, "written": True}}
    models = {name: reference.get(kind, entry) for name, (kind, _) in of.items()}
    given_by_user = {"seed": 7, "datasets": DATASETS, "tasks": {"logical_translation": {}}, "models": models}
    experiment = {
        "configuration": json.loads(experiment_json(read_configuration(given_by_user))),
        "data": {"sentences/tarski": "ab" * 32},
        "models": {name: f"model {name}@{'cd' * 32}" for name in of},
        "prompts": {"logical_translation/system.jinja": "ef" * 32},
        "judge": {"z3": "5.4.0.0", "rlimit": 500_000},
    }
    environment = {
        "answers": {name: {"served_models": [f"{name}-2026"]} for name in of},
        "configuration": given_by_user,
        "packages": {"nlfol": "0.1.0"},
        "git": {"commit": "0123456789abcdef", "dirty": False},
        "root": "12" * 32,
    }
    said = {"digest": sha256(canonical(experiment)), "experiment": experiment, "environment": environment}
    (folder / "manifest.json").write_text(to_text(said), encoding="utf-8")
    return folder
