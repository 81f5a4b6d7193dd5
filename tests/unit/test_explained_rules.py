"""Rules and witnesses from items to evidence, scores and tables: the sentence and its story decide, no score does."""

from pathlib import Path

import polars as pl
from tests.examples import said
from tests.unit.tasks.generated_set import judged, triples

import explain_answers
from nlfol.results.statistics.summary import load
from nlfol.store import files, schemas
from nlfol.store.evidence import files_of_evidence

HIT, SONG, AGE = "Hit(hooray) ∧ Song(hooray)", "Song(hooray)", "Old(hooray) ⊕ New(hooray)"
STORY = [("s", "Hooray was a hit.", HIT), ("s", "Hooray is a song.", SONG), ("s", "It is either old or new.", AGE)]
ANSWERS = {HIT: "Hit(hooray)", SONG: "Song(hooray) ∨ Hit(hooray)", AGE: "Old(hooray) ∨ New(hooray)"}


def explained(folder: Path, rows: list[tuple[str, str, str]], explain: str) -> pl.DataFrame:
    folder.mkdir()
    source = triples(folder / "triples.arrow", rows)
    scores = judged(folder, source, {"task": "logical_translation"}, lambda item: said(ANSWERS[item.formula]))
    evidence = scores.with_name("evidence.arrow")
    entry = f'{{"task": "logical_translation", "explain": {explain}}}'
    explain_answers.main(scores.with_name("t.items.arrow"), [scores], entry, evidence, dataset="toy", task="t")
    return load(scores, files_of_evidence([evidence]))[1].filter(metric="equivalence")


def test_evidence_has_rule_and_witness_beside_a_score_of_nothing(tmp_path: Path) -> None:
    rows = explained(tmp_path / "a", STORY, '"all"')
    assert rows["score"].to_list() == [0, 0, 0]
    assert rows["rule"].to_list() == ["in_context", None, "either"]
    assert rows["witness"][0] == "the story entails Song(hooray)"
    remarked = ["changes nothing in this story" in detail for detail in rows["detail"]]
    assert remarked == [True, True, False]  # 0:1 is weaker than gold, but 0:0 says what it leaves out


def test_pair_depends_on_sentence_and_story(tmp_path: Path) -> None:
    whole, alone = explained(tmp_path / "a", STORY, '"all"'), explained(tmp_path / "b", STORY[:1], '"all"')
    said_so = explained(tmp_path / "c", [("s", "The song was a hit.", HIT), *STORY[1:]], '"all"')
    assert [rows["rule"][0] for rows in (whole, alone, said_so)] == ["in_context", None, None]
    assert len({rows["pair"][0] for rows in (whole, alone, said_so)}) == 3


def test_rule_of_an_answer_that_is_not_explained_says_so(tmp_path: Path) -> None:
    rows = explained(tmp_path / "a", STORY, "1")
    assert rows["rule"].to_list() == ["in_context", "not_explained", "not_explained"]


def test_long_story_is_no_context(tmp_path: Path) -> None:
    path = tmp_path / "triples.arrow"
    source = triples(path, [("s", f"P of a{n}.", f"P(a{n})") for n in range(51)] + [("t", "P of b.", "P(b)")])
    judged(tmp_path, source, {"task": "logical_translation"}, lambda item: said(item.formula))
    rows = list(files.rows(tmp_path / "t.items.arrow", schemas.ItemRow))
    assert [len(row["context"]) for row in rows] == [0] * 52


def test_sentence_said_twice_is_no_context_of_itself(tmp_path: Path) -> None:
    twice = explained(tmp_path / "a", [STORY[0], ("s", "A hit it was.", HIT)], '"all"')
    assert twice["rule"].to_list() == [None, None]
