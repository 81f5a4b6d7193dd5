"""The sentences about blocks worlds, held to what their data card says of them."""

import csv
import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import binomtest
from tests.examples import ROOT

import attach_ontology
import ingest_dataset
import measure_items
from nlfol.logic import Outcome, equivalence, parse
from nlfol.results.analyses.formulas import complexity

TARSKI = ROOT / "resources/datasets/tarski"
SECOND_READING = Path(__file__).parent / "tarski_second_reading.csv"
REWORDED_READING = Path(__file__).parent / "tarski_reworded_reading.csv"
"""A formula for each sentence as it then was, written from the English alone, with doubts about it."""


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


SENTENCES = rows(TARSKI / "sentences.csv")
PUBLISHED = {
    row["metric"]: float(row["mean"])
    for row in rows(ROOT / "resources/published/nl_fol_lt.csv")
    if (row["table"], row["dataset"]) == ("F", "stanford")
}
"""The complexity of the paper's own corpus, by column of the table."""


def tolerance(column: str) -> float:
    return 0.1 if column == "kinds" else 0.02


def test_complexity_matches_paper(tmp_path: Path) -> None:
    entry = {"reader": "table", "path": str(TARSKI / "sentences.csv"), "ontology": str(TARSKI / "ontology.yaml")}
    ingest_dataset.main(json.dumps(entry), "tarski", tmp_path / "sentences.arrow")
    attach_ontology.main(json.dumps(entry), tmp_path / "sentences.arrow", tmp_path / "triples.arrow")
    measures = tmp_path / "measures.arrow"
    measure_items.main(tmp_path / "triples.arrow", dataset="tarski", sensitivity=0, seed=1, output=measures)
    found: Any = complexity("tarski", measures)
    assert found["sentences"] == len(SENTENCES) >= 200
    assert len(PUBLISHED) == 7
    assert [name for name, said in PUBLISHED.items() if abs(found[name] - said) > tolerance(name)] == []


def test_complexity_matches_paper_without_counting_inequality_as_negation() -> None:
    found, without = complexity_by_symbols(unequal="≠¬"), complexity_by_symbols(unequal="≠")
    assert [name for name, said in PUBLISHED.items() if abs(without[name] - said) > tolerance(name)] == []
    card = (TARSKI / "README.md").read_text(encoding="utf-8")
    table = re.findall(r"^\| [^|]+ \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", card, re.MULTILINE)
    for name, cells in zip(PUBLISHED, table, strict=True):
        scale, places = (1, 2) if name == "kinds" else (100, 1)
        assert float(cells[0]) == pytest.approx(scale * PUBLISHED[name])
        assert cells[1:] == tuple(f"{scale * values[name]:.{places}f}" for values in (found, without)), name


def complexity_by_symbols(unequal: str) -> dict[str, float]:
    """By the symbols that formulas are written with; ``unequal`` replaces ≠."""
    symbols = [{*row["formula"].replace("≠", unequal)} for row in SENTENCES]
    kinds = [len(used & {*"¬∧∨→↔∀∃"}) for used in symbols]
    quantifiers = [len(used & {*"∀∃"}) for used in symbols]
    counted: dict[str, Sequence[int]] = {f"kinds_{least}": [count >= least for count in kinds] for least in (3, 4, 5)}
    counted |= {f"quantifier_kinds_{number}": [count == number for count in quantifiers] for number in (1, 2)}
    counted |= {"kinds": kinds, "atomic": [not count for count in kinds]}
    return {name: sum(values) / len(SENTENCES) for name, values in counted.items()}


def test_second_reading_agreement_matches_data_card() -> None:
    pairs = list(zip(SENTENCES, rows(SECOND_READING), strict=True))
    reworded = [row for row, read in pairs if row["text"] != read["text"]]
    agreed = [
        (row, read)
        for row, read in pairs
        if equivalence(parse(row["formula"]), parse(read["formula"])).outcome is Outcome.EQUIVALENT
    ]
    (other,) = (row for row, read in pairs if (row, read) not in agreed)
    assert other in reworded
    assert other["text"] == "No block is the same size as every dodecahedron."
    assert sum(parse(row["formula"]) is not parse(read["formula"]) for row, read in agreed) == 19
    doubted = [(row, read["doubt"]) for row, read in pairs if read["doubt"]]
    undecided = [row for row, doubt in doubted if doubt.startswith("open")]
    assert all(row in reworded for row in undecided)
    assert (len(pairs), len(reworded), len(doubted), len(undecided)) == (208, 6, 22, 2)
    for row, again in zip(reworded, rows(REWORDED_READING), strict=True):
        assert row["text"] == again["text"]
        assert equivalence(parse(row["formula"]), parse(again["formula"])).outcome is Outcome.EQUIVALENT
    card = (TARSKI / "README.md").read_text(encoding="utf-8")
    for method, said in (("wilson", r"from ([\d.]+) % \(Wilson"), ("exact", r"exact:\s+([\d.]+) %")):
        low = binomtest(208, 208).proportion_ci(method=method).low
        assert re.findall(said, card) == [f"{100 * low:.1f}"]


def test_other_tetrahedron_follows_mentioned_tetrahedron() -> None:
    texts = [row["text"] for row in SENTENCES if "some other tetrahedron" in row["text"]]
    assert [text.partition(", and ")[0] for text in texts] == ["c is a tetrahedron"]


@pytest.mark.parametrize("opening", ["Every other ", "All and only ", "No block is smaller than every "])
def test_sentences_avoid_stilted_openings(opening: str) -> None:
    assert not any(row["text"].startswith(opening) for row in SENTENCES)


def test_stories_have_eight_unique_sentences_with_matching_names() -> None:
    assert set(Counter(row["story"] for row in SENTENCES).values()) == {8}
    assert (
        len({row["text"] for row in SENTENCES}) == len({parse(row["formula"]) for row in SENTENCES}) == len(SENTENCES)
    )
    for row in SENTENCES:
        assert {*re.findall(r"\b[b-f]\b", row["text"])} == {*re.findall(r"\b[b-f]\b", row["formula"])}, row["text"]
