"""FOLIO as published, with the published ontologies; skipped where they are not at hand."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.examples import ROOT
from tests.unit.logic.document import relatives

from nlfol.data.attachment import attach
from nlfol.data.entries.folio import FolioEntry
from nlfol.data.pin import Pin
from nlfol.data.reason import funnel, refusals
from nlfol.data.sentences import Dataset
from nlfol.logic.english import unambiguous
from nlfol.logic.english.reading import read_english
from nlfol.logic.english.styles import Style, render
from nlfol.logic.ontology.files import Ontologies, read_ontologies
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.reading import parse
from nlfol.logic.syntax import Atom, Constant, Formula, subformulas
from nlfol.store.schemas import SentenceRow, TripleRow

REFUSED = {
    "129:0": "empty_text",
    "236:0": "arity_conflict",
    "236:1": "arity_conflict",
    "236:2": "arity_conflict",
    "158:2": "unbalanced_parentheses",
    "356:4": "unbalanced_parentheses",
    "10:4": "syntax",
    "47:1": "open_formula",
    "119:2": "open_formula",
    "254:1": "unknown_symbol",
    "264:0": "unknown_symbol",
    "264:1": "unknown_symbol",
    "110:3": "unknown_symbol",
}


@pytest.fixture(scope="module")
def path() -> Path:
    path = ROOT / "../shared/data/folio/folio-train.jsonl"
    if not path.exists():
        pytest.skip("FOLIO v0.0 is not at hand: ../shared/data/folio/folio-train.jsonl")
    return path


@pytest.fixture(scope="module")
def ontologies() -> Ontologies:
    path = ROOT / "../shared/data/nl_fol_lt"
    if not path.exists():
        pytest.skip("the published ontologies are not at hand: ../shared/data/nl_fol_lt")
    return read_ontologies(path)


@pytest.fixture(scope="module")
def dataset(path: Path) -> Dataset:
    return FolioEntry(reader="folio", path=str(path)).read()


@pytest.fixture(scope="module")
def sentences(dataset: Dataset) -> list[SentenceRow]:
    return [sentence.to_row() for sentence in dataset.sentences]


@pytest.fixture(scope="module")
def triples(sentences: list[SentenceRow], ontologies: Ontologies) -> list[TripleRow]:
    return attach(sentences, ontologies)


def test_released_file_matches_pin(dataset: Dataset) -> None:
    assert dataset.digest == Pin.from_file(ROOT / "resources/datasets/folio/pin.json").sha256
    assert dataset.notes == ("story 153: ignored 1 empty formula(s) after the last premise",)


def test_release_funnel_has_documented_counts(sentences: list[SentenceRow], triples: list[dict[str, Any]]) -> None:
    counts = [(step["stories"], step["sentences"]) for step in funnel(sentences, triples)]
    assert counts == [(340, 1671), (339, 1667), (339, 1565), (339, 1560), (338, 1556), (338, 1556)]


def test_refused_rows_have_documented_reasons(triples: list[dict[str, Any]]) -> None:
    refused = {row["item"]: row["reason"] for row in triples if row["status"] == "refused"}
    assert {item: reason for item, reason in refused.items() if reason != "exclusive_or"} == REFUSED
    assert Counter(refused.values())["exclusive_or"] == 102
    assert all(row["detail"] for row in triples if row["status"] == "refused")
    assert sum(refusals(triples).values()) == 1671 - 1556


def test_release_repairs_have_documented_counts(triples: list[dict[str, Any]]) -> None:
    mended = Counter(
        kind for row in triples if row["status"] == "usable" for kind in {repair["kind"] for repair in row["repairs"]}
    )
    assert mended == {"name": 50, "quantifier_scope": 15, "parenthesis": 4, "full_stop": 1}


def test_unrepaired_formulas_equal_published_ones(sentences: list[SentenceRow]) -> None:
    for row in sentences:
        if row["formula"] is not None and not row["repairs"]:
            assert parse(row["formula"]) is parse(row["source_formula"])


def test_published_ontologies_cover_339_stories(ontologies: Ontologies) -> None:
    assert len(ontologies.by_story) == 339


def test_derived_ontologies_cover_all_closed_formulas(sentences: list[SentenceRow]) -> None:
    assert funnel(sentences, attach(sentences, None))[-1]["sentences"] == 1560


def test_renderings_contain_only_words_from_glosses(triples: list[dict[str, Any]]) -> None:
    """Every word of a rendering comes whole from a gloss or meaning of a symbol of the formula, or from T's own."""
    own = {"for", "all", "there", "is", "such", "that", "if", "then", "and", "or", "only", "it's", "false"}
    huron = []
    for row in triples:
        if row["status"] != "usable":
            continue
        formula, ontology = parse(row["formula"]), Ontology.from_row(row["ontology"])
        atoms = [node for _, node in subformulas(formula) if isinstance(node, Atom)]
        glosses = [
            g
            for a in atoms
            for g in (ontology.predicate[a.predicate].positive, ontology.predicate[a.predicate].negative)
        ]
        named = {t.name for a in atoms for t in a.arguments if isinstance(t, Constant)}
        variables = set(re.findall(r"[∀∃](\w+)", row["formula"]))
        # A slot can have letters at its side ("{}'s"): cut there as the rendering joins there.
        meanings = [ontology.constant[name].meaning for name in named]
        allowed = own | variables | _words(" ".join([*meanings, *(g.replace("{}", " ") for g in glosses)]))
        english = render(formula, ontology, Style.PAPER)
        joined = {f"{m.split()[-1]}'s".lower() for m in [*meanings, *variables]}
        unknown = _words(english) - allowed - joined
        assert not unknown, f"{row['item']}: {unknown} in {english!r}"
        if "Huron" in english:
            huron.append(english)
    assert huron
    assert not any("HurOn" in english for english in huron)


@pytest.mark.parametrize("published", [True, False])
def test_unambiguous_english_reads_back_for_folio_formulas(
    sentences: list[SentenceRow], ontologies: Ontologies, published: bool
) -> None:
    """Glosses are as their authors wrote them: with commas, quotation marks, "and", "or", and two alike in a story."""
    count = marked = 0
    attached = attach(sentences, ontologies if published else None)
    rows: list[Any] = [row for row in attached if row["status"] == "usable"]
    for row in rows[::4]:
        gold, ontology = parse(row["formula"]), Ontology.from_row(row["ontology"])
        renderings: dict[str, Formula] = {}
        for formula in (gold, *relatives(gold)):
            english = unambiguous.render(formula, ontology)
            assert read_english(english, ontology) is formula, row["item"]
            assert renderings.setdefault(english, formula) is formula, row["item"]
            assert "” [" not in english, row["item"]
        count += len(renderings)
        marked += any("]" in english for english in renderings)
    assert count > 5_000
    assert marked < 15


def _words(text: str) -> set[str]:
    return {word for word in re.split(r"[\s,.]+", text.lower()) if word}
