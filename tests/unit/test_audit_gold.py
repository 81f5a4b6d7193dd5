"""The audit of FOLIO's published gold formulas, by scripted translators; skipped where FOLIO is not at hand."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.analysing import analyse, explain
from tests.examples import ROOT
from tests.stored import stored

import attach_ontology
import build_items
import ingest_dataset
import judge_answers
from nlfol.data.entries.folio import FolioEntry
from nlfol.data.patches import Patch, read_patches
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading import parse
from nlfol.logic.rewriting import negation_normal_form
from nlfol.store import files, schemas
from nlfol_extras.analyses.gold_audit import GOLD_AUDIT

TRANSLATION = '{"task": "logical_translation"}'


@pytest.fixture(scope="module")
def folio() -> FolioEntry:
    folder = ROOT / "../shared/data"
    for needed in ("folio/folio-train.jsonl", "nl_fol_lt"):
        if not (folder / needed).exists():
            pytest.skip(f"FOLIO v0.0 or its published ontologies are not at hand: ../shared/data/{needed}")
    return FolioEntry(
        reader="folio",
        path=str(folder / "folio/folio-train.jsonl"),
        ontology=str(folder / "nl_fol_lt"),
        patches=str(ROOT / "resources/datasets/folio/patches.jsonl"),
    )


def respond(candidates: Path, model: str, translate: Callable[[str, str], str], output: Path) -> None:
    """Answers of a scripted translator under two seeds, from each item and its gold formula."""
    rows: list[dict[str, Any]] = []
    for item in files.rows(candidates, schemas.ITEMS):
        answer = json.dumps({"reasoning": "", "answer": translate(item["item"], item["formula"])}, ensure_ascii=False)
        rows += [stored(schemas.RESPONSES, item=item["item"], seed=seed, answer=answer) for seed in (3, 12)]
    about = {"dataset": "folio", "task": "logical_translation", "task_kind": "logical_translation", "protocol": ""}
    files.write(output, schemas.RESPONSES, rows, about | {"model": model, "kind": "chat", "available": str(len(rows))})


def test_gold_audit_flags_exactly_patched_folio_formulas(folio: FolioEntry, tmp_path: Path) -> None:
    def at(name: str) -> Path:
        return tmp_path / f"{name}.arrow"

    entry_json = folio.model_dump_json()
    ingest_dataset.main(entry_json, "folio", at("sentences"))
    attach_ontology.main(entry_json, at("sentences"), at("triples"))
    about = {"dataset": "folio", "task": "logical_translation", "task_json": TRANSLATION, "seed": 1}
    build_items.main(at("triples"), **about, output=at("candidates"))  # type: ignore[arg-type]
    assert folio.patches is not None
    patches = read_patches(Path(folio.patches))

    def meant(item: str, gold: str) -> str:
        return patches.by_item[item].formula if item in patches.by_item else gold

    def in_other_words(item: str, gold: str) -> str:
        return to_unicode(negation_normal_form(parse(meant(item, gold))))

    for name, translate in (("one", meant), ("other", in_other_words)):
        respond(at("candidates"), name, translate, at(f"{name}_responses"))
        judge_answers.main(at("candidates"), at(f"{name}_responses"), TRANSLATION, at(name))
    scores = [at("one"), at("other")]
    evidence = explain(at("candidates"), scores, TRANSLATION)
    analyse("gold_audit", tmp_path, translation_scores=scores, evidence=[evidence], sentences=[at("sentences")])

    rows = files.rows(at("gold_audit"), GOLD_AUDIT)
    usable = {row["item"] for row in files.rows(at("candidates"), schemas.ITEMS)}
    # Formulas with symbols that the glossary lacks are no answers.
    sayable = {item for item, patch in patches.by_item.items() if patch.symbols is None}
    assert {row["item"] for row in rows} == sayable & usable
    assert len(rows) == 107
    assert {(tuple(row["models"]), row["answers"], row["unread"]) for row in rows} == {(("one", "other"), 4, 0)}
    assert all(row["detail"] for row in rows)
    reviewed = [
        Patch.model_validate_json(line)
        .model_copy(update={"kinds": ("symbol",), "reviewed": True})
        .model_dump_json(exclude_none=True)
        for line in (tmp_path / "gold_audit.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    (tmp_path / "gold_audit.jsonl").write_text("\n".join(reviewed), encoding="utf-8")
    entry = folio.model_copy(update={"gold": "corrected", "patches": str(tmp_path / "gold_audit.jsonl")})
    corrected = entry.read().sentences
    assert {sentence.item for sentence in corrected if sentence.correction is not None} == {row["item"] for row in rows}
