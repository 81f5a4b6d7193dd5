"""People's annotations of premise blocks and conclusions, in the form in which they are published."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.examples import ROOT

from nlfol.data.annotations import Annotation, Block, conjuncts, split_text
from nlfol.data.attachment import attach
from nlfol.data.entries.folio_questions import FolioQuestionsEntry
from nlfol.data.entries.verified import VerifiedEntry
from nlfol.data.reason import Reason
from nlfol.data.sentences import Sentence
from nlfol.problems.problem import Problem
from nlfol.store.records import SourceError

EXCERPT = ROOT.parent / "shared/data/verified"

SENTENCES = [
    "Ann sings and dances.",
    "All singers, e.g. Ben, are loud.",
    "Ben was born in a U.S. Army hospital.",
]
PUBLISHED = ["Sing(ann) ∧ Dance(ann)", "∀x (Singer(x) → Loud(x)) ", "BornIn(ben, hospital)"]
CORRECTED = "Sing(ann) ∧ Dance(ann) ∧ ∀x (Sing(x) → Loud(x)) ∧ BornIn(ben, hospital)"
STORY = {
    "id": "story_7", "NL_sentence": " ".join(SENTENCES), "FOL_sentence_old": "\n".join(PUBLISHED),
    "FOL_sentence": CORRECTED, "corrected": "yes", "corerection_explanation": "Singer is no symbol.", "note": "",
}  # fmt: skip
CONCLUSION = {
    "id": "concl_7_1", "NL_sentence": "Ann is loud.", "FOL_sentence_old": "Loud(ann)", "FOL_sentence": "Loud(ann)",
    "corrected": "no", "ambiguity": False, "label": "True", "label_old": "Uncertain",
}  # fmt: skip
VOCABULARY = {
    "story_id": 7,
    "Rel": {
        "Sing": {"arity": 1, "pos_meaning": "{0} sings", "neg_meaning": "{0} does not sing"},
        "Dance": {"arity": 1, "pos_meaning": "{0} dances"},
        "Loud": {"arity": 1, "pos_meaning": "{0} is loud", "neg_meaning": "{0} is not loud"},
        "BornIn": {"arity": 2, "pos_meaning": "{1} is where {0} was born", "neg_meaning": "", "spurious_note": ""},
    },
    "Const": {"ann": "Ann", "ben": "Ben", "hospital": "the hospital"},
}  # fmt: skip


def folder(path: Path, *rows: dict[str, Any], vocabularies: tuple[dict[str, Any], ...] = (VOCABULARY,)) -> str:
    for part, lines in (("instances", rows), ("ontology", vocabularies)):
        text = "\n\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
        (path / f"FOLIO_{part}.jsonl").write_text(f"{text}\n\n", encoding="utf-8")
    return str(path)


def entry(path: str, **keys: Any) -> VerifiedEntry:
    return VerifiedEntry.model_validate({"reader": "verified", "source": "folio", "path": path, **keys})


def read(path: Path, *rows: dict[str, Any], **keys: Any) -> tuple[Sentence, ...]:
    return entry(folder(path, *rows), **keys).read().sentences


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (" ".join(SENTENCES), 3),
        ("Mr. and Mrs. Smith met Ann J. Land. 2Sum is hard.", 2),
        ("Symphony No. 9 is long. Ann, i.e. Mum, likes it!", 2),
        ('Ann sang "Over." Then Ben slept? Yes.', 3),
        ("Ann lives in the U.S. Ben does not.", 1),
    ],
)
def test_text_is_split_at_ends_of_sentences_alone(text: str, count: int) -> None:
    pieces = split_text(text)
    assert len(pieces) == count
    assert " ".join(pieces) == text


@pytest.mark.parametrize(
    ("formula", "parts"),
    [
        ("A(x) ∧ (B(x) ∧ C(x)) ∧ ∀x (D(x) ∧ E(x))", ["A(x)", "(B(x) ∧ C(x))", "∀x (D(x) ∧ E(x))"]),
        ("((A(x) ∧ B(x)))", ["A(x)", "B(x)"]),
        ("(A(x) ∧ B(x)) ∧ (C(x))", ["(A(x) ∧ B(x))", "(C(x))"]),
        ("A(x) ∧ B(x) → C(x)", ["A(x) ∧ B(x) → C(x)"]),
        ("A(x)) ∧ B(x)", ["A(x))", "B(x)"]),
        ("(" * 9999 + "A(x) ∧ B(x)" + ")" * 9999, ["A(x)", "B(x)"]),
        ("(A(x) ∧ B(x)", ["(A(x) ∧ B(x)"]),
        ("¬(A(x) ∧ B(x))", ["¬(A(x) ∧ B(x))"]),
    ],
)
def test_formula_is_split_at_outermost_conjunction(formula: str, parts: list[str]) -> None:
    assert conjuncts(formula) == parts


def test_premises_and_conclusions_are_items_with_corrections_of_people(tmp_path: Path) -> None:
    sentences = read(tmp_path, STORY, CONCLUSION)
    assert [sentence.item for sentence in sentences] == ["7:0", "7:1", "7:2", "7:3"]
    assert [sentence.text for sentence in sentences] == [*SENTENCES, "Ann is loud."]
    assert [sentence.formula for sentence in sentences] == [
        *("Sing(ann) ∧ Dance(ann)", "∀x (Sing(x) → Loud(x))", "BornIn(ben, hospital)", "Loud(ann)")
    ]
    corrections = {sentence.item: sentence.correction for sentence in sentences if sentence.correction}
    assert {item: (made.reason, made.evidence, made.published) for item, made in corrections.items()} == {
        "7:1": ("Singer is no symbol.", "people", "∀x (Singer(x) → Loud(x))")
    }
    published = read(tmp_path, STORY, CONCLUSION, gold="published")
    assert [(sentence.item, sentence.text) for sentence in published] == [(each.item, each.text) for each in sentences]
    assert published[1].formula == "∀x (Singer(x) → Loud(x))"


@pytest.mark.parametrize(
    "change",
    [
        {"NL_sentence": " "},
        {"NL_sentence": " ".join(SENTENCES[:2])},
        {"NL_sentence": " ".join([*SENTENCES, "Ben is old."])},
        {"FOL_sentence": "Sing(ann) ∧ ∀x (Sing(x) → Loud(x)) ∧ BornIn(ben, hospital) ∧ Dance(ann) ∧ Old(ben)"},
        # As many as sentences, but the first has two of them and the last none.
        {"FOL_sentence": "Sing(ann) ∧ Dance(ann) ∧ ∀x (Sing(x) → Loud(x))"},
        {"FOL_sentence": "(Sing(ann) ∧ Dance(ann)) ∧ BornIn(ben, hospital) ∧ ∀x (Sing(x) → Loud(x))"},
    ],
)
def test_block_that_does_not_match_is_refused_with_its_numbers(tmp_path: Path, change: dict[str, str]) -> None:
    *premises, conclusion = read(tmp_path, STORY | change, CONCLUSION)
    assert {sentence.reason for sentence in premises} == {Reason.UNMATCHED}
    assert all("story 7: " in (sentence.detail or "") for sentence in premises)
    assert (conclusion.reason, conclusion.formula) == (None, "Loud(ann)")


def test_one_changed_formula_may_become_a_conjunction(tmp_path: Path) -> None:
    more = f"{PUBLISHED[0]} ∧ ∀x (Singer(x) → Loud(x)) ∧ BornIn(ben, hospital) ∧ In(hospital, us)"
    *_, sentence, _ = read(tmp_path, STORY | {"FOL_sentence": more}, CONCLUSION)
    assert (sentence.reason, sentence.formula) == (None, "BornIn(ben, hospital) ∧ In(hospital, us)")
    changed = f"{PUBLISHED[0]} ∧ ∀x (Sing(x) → Loud(x)) ∧ ∀x (Sing(x) → Human(x)) ∧ BornIn(ben, hospital)"
    _, second, _ = read(tmp_path, STORY | {"FOL_sentence": changed})
    assert second.formula == "∀x (Sing(x) → Loud(x)) ∧ ∀x (Sing(x) → Human(x))"
    # Between two that are unchanged it may be either's.
    added = f"{PUBLISHED[0]} ∧ Loud(ann) ∧ {PUBLISHED[1]} ∧ {PUBLISHED[2]}"
    assert read(tmp_path, STORY | {"FOL_sentence": added})[0].reason is Reason.UNMATCHED
    fewer = f"Sing(ann) ∧ {PUBLISHED[1]} ∧ {PUBLISHED[2]}"
    first, *_ = read(tmp_path, STORY | {"FOL_sentence": fewer}, CONCLUSION)
    assert first.formula == "Sing(ann)"


def test_glosses_become_the_ontology_and_unusable_stories_have_none(tmp_path: Path) -> None:
    broken = {"story_id": 8, "Rel": {}, "Const": {"a-b": "one", "a b": "two"}}
    read_from = entry(folder(tmp_path, STORY, CONCLUSION | {"id": "concl_8_1"}, vocabularies=(VOCABULARY, broken)))
    ontologies = read_from.ontologies()
    assert ontologies is not None
    assert ontologies.by_story.keys() == {"7"}
    glosses = {symbol.name: (symbol.positive, symbol.negative) for symbol in ontologies.by_story["7"].predicates}
    assert glosses["Sing"] == ("{} sings", "{} does not sing")
    assert glosses["Dance"] == ("{} dances", "it is not the case that {} dances")
    assert glosses["BornIn"][0].count("{}") == 2
    assert glosses["BornIn"][0] != "{} is where {} was born"
    triples = attach([sentence.to_row() for sentence in read_from.read().sentences], ontologies)
    assert [(row["item"], row["reason"]) for row in triples] == [
        *(("7:0", None), ("7:1", None), ("7:2", None), ("8:0", "no_ontology"))
    ]


def test_sentences_alone_are_stories_of_their_own(tmp_path: Path) -> None:
    row = {"id": 1, "NL_sentence": "Ann sings.", "FOL_sentence_old": "Sing(ann)", "FOL_sentence_new": "Sing(ben)"}
    (tmp_path / "MALLS_instances.jsonl").write_text(json.dumps(row | {"corrected": "yes"}))
    (sentence,) = entry(str(tmp_path), source="malls").read().sentences
    assert (sentence.item, sentence.formula) == ("1:0", "Sing(ben)")


def test_rows_keep_both_labels_and_errors_name_the_line(tmp_path: Path) -> None:
    row = Annotation.model_validate(CONCLUSION)
    assert (row.label, row.label_published) == ("True", "Uncertain")
    for rows, fault in (
        ([STORY, STORY], "line 3: story 7 has its premises"),
        ([STORY | {"id": "s"}], "line 1: id 's'"),
    ):
        with pytest.raises(SourceError, match=fault):
            read(tmp_path, *rows)
    with pytest.raises(SourceError, match="line 1: no annotation"):
        read(tmp_path, {"id": "story_7"})
    with pytest.raises(ValueError, match="no pin"):
        VerifiedEntry.model_validate({"reader": "verified", "source": "malls"})


@pytest.mark.skipif(not EXCERPT.exists(), reason="the excerpt is not at hand")
def test_published_rows_are_read(tmp_path: Path) -> None:
    for name in ("FOLIO_instances", "FOLIO_ontology", "MALLS_instances"):
        (tmp_path / f"{name}.jsonl").write_bytes((EXCERPT / f"{name}.excerpt.jsonl").read_bytes())
    dataset = entry(str(tmp_path))
    triples = attach([sentence.to_row() for sentence in dataset.read().sentences], dataset.ontologies())
    assert [(row["item"], row["status"]) for row in triples] == [("380:0", "usable"), ("380:1", "usable")]
    (sentence,) = entry(str(tmp_path), source="malls").read().sentences
    assert (sentence.story, sentence.reason) == ("1", None)


def test_block_without_premises_has_its_conclusions_alone() -> None:
    block = Block("7", None, [Annotation.model_validate(CONCLUSION)])
    assert (block.texts, block.formulas("published")) == (["Ann is loud."], (["Loud(ann)"], None))


def problem(path: Path, gold: str, *rows: dict[str, Any]) -> Problem:
    instances = str(Path(folder(path, *rows)) / "FOLIO_instances.jsonl")
    entry = FolioQuestionsEntry.model_validate({"reader": "folio_questions", "path": instances, "gold": gold})
    (made,) = entry.read(0).problems
    return made


def test_conclusions_are_questions_with_the_label_of_their_formulas(tmp_path: Path) -> None:
    assert problem(tmp_path, "corrected", STORY, CONCLUSION).answer_text == "True"
    published = problem(tmp_path, "published", STORY, CONCLUSION)
    assert (published.answer_text, published.reason) == ("Uncertain", None)
    assert [statement.text for statement in published.statements] == SENTENCES


def test_premises_that_do_not_match_are_one_statement_of_a_question(tmp_path: Path) -> None:
    changed = STORY | {"FOL_sentence": "Sing(ann) ∧ ∀x (Sing(x) → Loud(x))"}
    made = problem(tmp_path, "corrected", changed, CONCLUSION)
    assert (made.reason, len(made.statements), made.answer_text) == (None, 1, "True")
    split = STORY | {"FOL_sentence_old": "Sing(ann)\n∀x (Sing(x) → Loud(x))"}
    assert problem(tmp_path, "published", split, CONCLUSION).reason == "label_not_derived"
