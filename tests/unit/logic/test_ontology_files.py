import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nlfol.logic.ontology import pickles
from nlfol.logic.ontology.files import PICKLED_CONSTANTS, PICKLED_PREDICATES, Ontologies, read_ontologies
from nlfol.logic.ontology.ontology import ConstantSymbol, FunctionSymbol, Ontology, OntologyError, Predicate

WHOLE = """\
predicates:
  Loves: {arity: 2, positive: "{} loves {}", negative: "{} does not love {}"}
functions:
  mother: {arity: 1, meaning: "the mother of {}"}
constants:
  on: Ontario
  no: Norway
  a: 2000
"""
STORIES = """\
stories:
  1:
    predicates:
      Tall: {arity: 1, positive: "{} is tall", negative: "{} is not tall"}
    constants:
  two:
    constants: {ann: Ann}
"""
LOVES = Predicate("Loves", 2, "{} loves {}", "{} does not love {}")


Read = Callable[[str], Ontologies]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def written(text: str) -> Ontologies:
        path = tmp_path / "ontology.yaml"
        path.write_text(text, encoding="utf-8")
        return read_ontologies(path)

    return written


def test_shared_ontology_file_serves_all_stories(read: Read) -> None:
    ontologies = read(WHOLE)
    assert ontologies.of("any") == Ontology(
        (LOVES,),
        (FunctionSymbol("mother", 1, "the mother of {}"),),
        (ConstantSymbol("a", "2000"), ConstantSymbol("no", "Norway"), ConstantSymbol("on", "Ontario")),
    )
    assert len(ontologies.digest) == 64


def test_ontology_file_may_list_stories(read: Read) -> None:
    ontologies = read(STORIES)
    assert ontologies.of("1") == Ontology((Predicate("Tall", 1, "{} is tall", "{} is not tall"),))
    assert ontologies.of("two") == Ontology(constants=(ConstantSymbol("ann", "Ann"),))
    assert ontologies.of("3") is None


BLOCKS = """\
predicates:
  Tall:
    arity: 1
    positive: >
      {} is
      tall
    negative: |
      {} is not
      tall
functions:
  mother: {arity: 1, meaning: " the mother\tof {} "}
"""


def test_multiline_gloss_collapses_to_single_line(read: Read) -> None:
    assert read(BLOCKS).shared == Ontology(
        (Predicate("Tall", 1, "{} is tall", "{} is not tall"),), (FunctionSymbol("mother", 1, "the mother of {}"),)
    )


def test_json_surrogate_pair_reads_as_single_character(read: Read) -> None:
    ontology = read(json.dumps({"constants": {"a": "\N{GRINNING FACE}"}})).shared
    assert ontology == Ontology(constants=(ConstantSymbol("a", "\N{GRINNING FACE}"),))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('constants:\n  a: "\\ud83d"\n', r"half a character(.|\n)*line 2"),
        ("constants: {a: " + "[" * 3_000, "nested too deep"),
        ("predicates:\n  P: {arity: 1, positive: {} is, negative: x}\n", "not valid YAML.* gloss.* quotation marks"),
        ("constants:\n  ann: Ann\n  ann: Anna\n", r"'ann' occurs twice.*\n.*line 3"),
        ("constants: {a: A}\nconstants: {b: B}\n", "'constants' occurs twice"),
        ("constant: {a: A}\n", "constant: there is no such key"),
        ("predicates:\n  P: {arity: 1, positive: '{} is'}\n", r"predicates\.P\.negative: is missing"),
        ("predicates:\n  P: {arity: one, positive: '{}', negative: '{}'}\n", r"predicates\.P\.arity"),
        ("predicates:\n  P: {arity: 2, positive: '{}', negative: '{}'}\n", "predicate 'P'.*1 slots"),
        ("stories: {s: {constants: {x: X}}}\n", "story 's': constant 'x'"),
        ("stories: {s: {constants: {a: A}}}\nconstants: {b: B}\n", "symbols for all stories are both given"),
        ("stories: {s: {constants: {a: A}}}\nnoun: block\n", "a noun or symbols for all stories are both given"),
        ("noun: '7'\nconstants: {a: A}\n", "noun '7'.* such as 'block'"),
        ("{}", "no symbols"),
        ("", "not a mapping"),
        ("- a\n- b\n", "not a mapping"),
        ("constants: {a: [}", "not valid YAML"),
        ("constants: {a: !!python/name:os.system ''}", "not valid YAML"),
        ("? [a, b]\n: c\n", "a key must be a name"),
    ],
)
def test_ontology_file_errors_name_file_and_place(read: Read, text: str, problem: str) -> None:
    with pytest.raises(OntologyError, match=problem) as caught:
        read(text)
    assert "ontology.yaml" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("absent.yaml", r"absent\.yaml: cannot be read"),
        ("ontology.txt", r"ontology\.txt: not an ontology file"),
        ("", PICKLED_PREDICATES),
        ("latin.yaml", "not UTF-8 at byte 18"),
    ],
)
def test_non_ontology_files_raise_ontology_error(tmp_path: Path, name: str, problem: str) -> None:
    (tmp_path / "latin.yaml").write_bytes(b"constants: {a: caf\xe9}")
    with pytest.raises(OntologyError, match=problem):
        read_ontologies(tmp_path / name)


PREDICATES = {7: {"dict_pos": {"Well-read": "{} is well-read"}, "dict_neg": {"Well-read": "{} is not well-read"}}}
CONSTANTS = {7: {"y1976": "1976", "tower-a": "tower A"}}


def pickled(folder: Path, predicates: Any, constants: Any) -> Path:
    (folder / PICKLED_PREDICATES).write_bytes(pickle.dumps(predicates))
    (folder / PICKLED_CONSTANTS).write_bytes(pickle.dumps(constants))
    return folder


def test_pickled_names_are_made_valid(tmp_path: Path) -> None:
    assert read_ontologies(pickled(tmp_path, PREDICATES, CONSTANTS)).of("7") == Ontology(
        (Predicate("Well_read", 1, "{} is well-read", "{} is not well-read"),),
        constants=(ConstantSymbol("tower_a", "tower A"), ConstantSymbol("y_1976", "1976")),
    )


class Malicious:
    def __init__(self, target: Path) -> None:
        self.target = target

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.target,)


def test_malicious_pickle_is_refused_without_execution(tmp_path: Path) -> None:
    target = tmp_path / "touched"
    folder = pickled(tmp_path, {7: Malicious(target)}, CONSTANTS)
    with pytest.raises(OntologyError, match="may hold only dicts and strings"):
        read_ontologies(folder)
    assert not target.exists()


@pytest.mark.parametrize("content", [b"", b"garbage", b"\x80\x05K\x01.", b"\x80\x04P1\n."])
def test_damaged_pickles_raise_ontology_error(tmp_path: Path, content: bytes) -> None:
    folder = pickled(tmp_path, PREDICATES, CONSTANTS)
    (folder / PICKLED_PREDICATES).write_bytes(content)
    with pytest.raises(OntologyError, match=PICKLED_PREDICATES):
        read_ontologies(folder)


@pytest.mark.parametrize(
    ("predicates", "constants", "problem"),
    [
        ({7: {"dict_pos": {"P": "{} is"}, "dict_neg": {}}}, {}, r"story 7: glossed on one side only: \['P'\]"),
        ({7: {"dict_pos": {}}}, {}, r"7\.dict_neg: is missing"),
        ({7: {"dict_pos": {"P": 3}, "dict_neg": {"P": "x"}}}, {}, r"7\.dict_pos\.P: must be text"),
        (PREDICATES, {8: {"a": "A"}}, r"no predicates for the stories \['8'\]"),
        (PREDICATES, {7: {"a-b": "A", "a b": "B"}}, "story 7: term symbol 'a_b' occurs twice"),
    ],
)
def test_malformed_pickle_contents_raise_ontology_error(
    tmp_path: Path, predicates: Any, constants: Any, problem: str
) -> None:
    with pytest.raises(OntologyError, match=problem):
        read_ontologies(pickled(tmp_path, predicates, constants))


def test_pickle_memo_index_is_bounded_by_file_size(tmp_path: Path) -> None:
    (tmp_path / PICKLED_CONSTANTS).write_bytes(pickle.dumps(CONSTANTS))
    (tmp_path / PICKLED_PREDICATES).write_bytes(b"\x80\x02]r" + (2**26).to_bytes(4, "little") + b".")
    with pytest.raises(OntologyError, match=r"at byte 3 it names object 67,108,864 of at most 9; download it again"):
        read_ontologies(tmp_path)


def test_oversized_pickle_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pickles, "MOST_BYTES", 100)
    with pytest.raises(OntologyError, match=r"Relational_meaning_FOLIO.pkl: [\d,]+ bytes, and at most 100 are read"):
        read_ontologies(pickled(tmp_path, {"7": {f"is {number}": "P" for number in range(50)}}, CONSTANTS))
