"""Datasets that are read and papers that are named have a reference in CITATION.cff."""

import re
import tomllib
from typing import Any, get_args

import yaml
from tests.examples import ROOT

import nlfol
from nlfol.data.entry import ENTRIES

CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
REFERENCES = {reference["abbreviation"]: reference for reference in CITATION["references"]}

CARDS = {"folio_questions": "folio", "logieval": "multi_logieval"}
"""Folders of cards that are not called as a reader of theirs."""

OWN = {"table", "grammar", "family", "problems", "diversified", "adequate"}
"""Readers of the user's files, and of what is made here."""

NAMES = {"∀uto∃∨∧L": "∀uto∃∨∧L", "SoLT": "SoLT and MenTaL", "MenTaL": "SoLT and MenTaL", "NL-FOL-LT": "NL-FOL-LT"}
NAMES |= {name: name for name in REFERENCES if re.fullmatch(r"\w+(-\w+)*", name)}
"""Works by the names that comments give them."""


def arxiv(reference: dict[str, Any]) -> str:
    (number,) = (found["value"] for found in reference["identifiers"] if found["value"].startswith("arXiv:"))
    return str(number).removeprefix("arXiv:")


def test_citation_has_what_its_schema_requires() -> None:
    assert {"authors", "cff-version", "message", "title"} <= CITATION.keys()
    for name, reference in REFERENCES.items():
        assert {"authors", "title", "type", "year"} <= reference.keys(), name
        keys = [author.keys() for author in reference["authors"]]
        assert {"family-names", "given-names"} == keys[0], name
        assert set(map(frozenset, keys[1:])) <= {frozenset(keys[0]), frozenset({"name"})}, name
        assert ("conference" in reference) == (reference["type"] == "conference-paper"), name
        assert re.fullmatch(r"\d{4}\.\d{5}", arxiv(reference)), name
        assert re.fullmatch(r"10\.\d{4,9}/\S+", reference.get("doi", "10.1234/none")), name
    assert len(REFERENCES) == len(CITATION["references"]) == len(set(map(arxiv, REFERENCES.values())))


def test_version_is_the_same_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == CITATION["version"] == nlfol.__version__
    assert str(CITATION["date-released"]).count("-") == 2
    lm_eval = ROOT / "workflow/scripts/nlfol/harnesses/lm_eval/README.md"
    for path, said in (
        (lm_eval, f"version = {{{nlfol.__version__}}}"),
        (ROOT / "docs/board.md", f"items: {nlfol.__version__}+"),
        (ROOT / "environments/nlfol_verifiers/pyproject.toml", f'version = "{nlfol.__version__}"'),
    ):
        assert said in path.read_text(encoding="utf-8"), path


def test_each_reader_of_published_data_has_a_work_that_its_card_names() -> None:
    readers = {get_args(entry.model_fields["reader"].annotation)[0] for entry in ENTRIES}
    works = [(reader, work) for work in REFERENCES.values() for reader in work.get("keywords", ())]
    assert readers == dict(works).keys() | OWN
    assert len(works) == len(dict(works))
    for reader, work in works:
        card = (ROOT / "resources/datasets" / CARDS.get(reader, reader) / "README.md").read_text(encoding="utf-8")
        assert arxiv(work) in card, reader


def test_every_arxiv_number_has_a_reference() -> None:
    files = [
        path
        for folder in ("config", "docs", "resources", "workflow")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".md", ".py", ".yaml", ".smk"}
    ]
    named = {
        number
        for path in [*files, ROOT / "README.md"]
        for number in re.findall(r"arXiv\s+(\d{4}\.\d{5})", path.read_text(encoding="utf-8"))
    }
    assert len(named) > 10
    assert named == set(map(arxiv, REFERENCES.values()))


def test_every_work_of_a_shipped_configuration_has_a_reference_and_is_on_the_page() -> None:
    page = (ROOT / "docs/story.md").read_text(encoding="utf-8")
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "config").glob("*.yaml")]
    comments = " ".join(comment for text in texts for comment in re.findall(r"# (.*)", text))
    works = {work for name, work in NAMES.items() if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", comments)}
    assert {"∀uto∃∨∧L", "SoLT and MenTaL", "NL-FOL-LT", "FOLIO", "ProofWriter", "Logic-LM", "AR-LSAT"} <= works
    for name in works:
        assert arxiv(REFERENCES[name]) in page, name
