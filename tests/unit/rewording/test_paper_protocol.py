"""The published protocol as a whole: real lexica formats, a real filter, and a scripted rewriter and assembler."""

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.analysing import analyse
from tests.examples import ROOT
from tests.unit.models.chat_server import ChatServer, Scripted, completion
from tests.unit.rewording.lexica import write_ppdb, write_wordnet
from tests.workflow.checkout import MINILM

import ask_chat
import assemble_problems
import compare_wordings
import ingest_problems
import offer_rewrites
import seek_rewrites
from nlfol.asking.asking import Asking, Offered
from nlfol.data.entries.diversified import DiversifiedEntry
from nlfol.models.local.materialisation import weights
from nlfol.models.request import JobFiles
from nlfol.problems import Lexicon, Problem
from nlfol.results.analyses.rewrites import REWRITES, REWRITES_TABLE, SIMILARITY, SIMILARITY_TABLE
from nlfol.results.tables.table import Score
from nlfol.store import files
from nlfol.store.files import read_figures
from nlfol.store.problem_schemas import CHOICES, PROBLEMS, SIMILARITIES
from nlfol.tasks.registry import build_task

THRESHOLD = 0.9
COUNT = 20
ENTRY = {"reader": "diversified", "of": "rules", "protocol": "paper", "rewriter": "gpt", "assembler": "gpt"}


@dataclass(frozen=True)
class Rewriter:
    """Says what the lexicon says of an expression, and denies each statement; picks the last sentence of each.

    Of every third problem it picks a sentence that there is not.
    """

    lexicon: Lexicon

    def __call__(self, body: dict[str, Any]) -> Scripted:
        user = body["messages"][-1]["content"]
        answer = self.choices(user) if "Choose for" in user else self.rewrites(user)
        return Scripted(body=completion(json.dumps(answer)))

    def rewrites(self, user: str) -> dict[str, Any]:
        sentence, expressions = (found(rf"{name}: (.*)", user) for name in ("Sentence", "Expressions"))
        wanted = re.findall(r'"([^"]+)"', found("are needed for: (.*)", user))
        made = []
        for expression in wanted:
            forms = [
                form
                for concept in self.lexicon.concepts.values()
                if expression in (concept.forms["base"].singular, concept.forms["base"].plural)
                for form in concept.forms.values()
                if form.kind == "synonym"
            ]
            for form in forms[:1]:
                after = form.plural if expression.endswith("s") is form.plural.endswith("s") else form.singular
                made.append(("synonym", expression, after, sentence.replace(expression, after, 1)))
        first = re.findall(r'"([^"]+)"', expressions)[0]
        denied = (
            sentence.replace("is ", "is not ", 1) if "is not" not in sentence else sentence.replace("is not ", "is ", 1)
        )
        made.append(("voice", first, denied.split(" ", 1)[1], denied))
        names = ("type", "expression", "replacement", "sentence")
        return {"rewrites": [dict(zip(names, each, strict=True)) for each in made]}

    @staticmethod
    def choices(user: str) -> dict[str, Any]:
        counts = {
            int(block.split("\n", 1)[0]): len(re.findall(r"^  \d+\. ", block, re.MULTILINE))
            for block in user.split("Statement ")[1:]
        }
        picked = [
            {"statement": number, "sentence": counts[number]}
            for number in map(int, found("for: (.*)", user).split(", "))
        ]
        if sum(user.encode()) % 3 == 0:
            picked[0]["sentence"] = 99
        return {"choices": picked}


def found(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    return match[1] if match else ""


@dataclass(frozen=True)
class Run:
    """The stages of a dataset, one after another."""

    folder: Path
    weights: Path

    def path(self, name: str) -> Path:
        return self.folder / f"{name}.arrow"

    def ask(self, stage: str, url: str) -> None:
        entry = {"kind": "chat", "backend": "openai", "model": "gpt", "base_url": url, "api_key_env": None}
        said = json.dumps({**entry, "structured": "none", "items": 2, "seeds": [1, 2], "retries": 0})
        task, output = build_task(json.dumps({"task": stage})), self.path(f"{stage}.responses")
        asking = Asking(Offered.read(self.path(f"{stage}.items")), "solt", stage, task, "gpt", said, 7, output)
        place = JobFiles(self.folder / f"journal/gpt/solt.{stage}.jsonl", self.folder / "sharers")
        ask_chat.main(asking, ROOT / "resources/prompts", place)

    def main(self, entry: dict[str, Any], url: str) -> None:
        problems, lexical, proposals, similar, made, choices, alike = map(
            self.path, ("rules", "lexical", "proposals", "similar", "made", "choices", "alike")
        )
        items, responses = self.path("rewriting.items"), self.path("rewriting.responses")
        stages = [json.dumps({"task": stage}) for stage in ("rewriting", "assembling")]
        family = {"reader": "family", "family": "rules", "count": COUNT, "depth": [1, 1]}
        ingest_problems.main(json.dumps(family), "rules", problems, seed=5)
        seek_rewrites.main(json.dumps(entry), stages[0], "solt", problems, lexical, items)
        self.ask("rewriting", url)
        place = JobFiles(self.folder / "journal/vectors", self.folder / "sharers", self.weights)
        said, model, offered = json.dumps(entry), json.dumps(MINILM), self.path("assembling.items")
        files_of = {"originals": problems, "proposals": proposals, "similarities": similar}
        asked = {"lexical": lexical, "items_file": items, "responses": responses, "offered": offered}
        offer_rewrites.main(said, "solt", stages[1], "minilm", model, **files_of, **asked, job_files=place, seed=None)
        self.ask("assembling", url)
        sources = {
            **files_of,
            "items_file": offered,
            "responses": self.path("assembling.responses"),
            "problems": made,
            "choices": choices,
        }
        assemble_problems.main(json.dumps(entry), "solt", **sources, seed=None)
        compare_wordings.main("solt", "minilm", model, problems, made, alike, job_files=place)
        paths = {"problems": made, "proposals": proposals, "similarities": similar}
        dataset = {**paths, "protocol": "paper", "wordings": {"minilm": alike}}
        entries = {"rules": family, "solt": DiversifiedEntry.model_validate(entry).model_dump()}
        settings = {"diversified": {"solt": dataset}, "wordings": entries}
        analyse("rewrites", self.folder, settings, rewritten=[*paths.values(), alike])


@pytest.fixture(scope="module")
def server(lexicon: Lexicon) -> Iterator[ChatServer]:
    with ChatServer(every=Rewriter(lexicon)) as running:
        yield running


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, minilm: Path, server: ChatServer) -> Run:
    folder = tmp_path_factory.mktemp("paper")
    synsets = {"adj": [["cold", "chilly"], ["big", "large"], ["young", "immature"], ["kind", "genial"]]}
    wordnet = write_wordnet(folder / "wordnet", {**synsets, "noun": [["mouse", "shiner"], ["lion", "king of beasts"]]})
    ppdb = write_ppdb(folder / "ppdb.txt", [("cold", "very cold", 2.0), ("rabbit", "little rabbit", 3.0)])
    made = Run(folder, minilm)
    entry = {**ENTRY, "filter": {"model": "minilm"}, "wordnet": str(wordnet), "ppdb": str(ppdb)}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        made.main(entry, server.url)
        asked = len(server.asked)
        # Asked for once and kept: the same again takes nothing from anybody.
        again = shutil.copytree(folder / "journal", folder.parent / "again" / "journal").parent
        Run(again, minilm).main(entry, server.url)
        assert len(server.asked) == asked
        assert {path.name: path.read_bytes() for path in again.glob("*.arrow")} == {
            path.name: path.read_bytes() for path in folder.glob("*.arrow")
        }
    return made


def test_assembled_sentences_come_from_filtered_candidates(run: Run) -> None:
    similar = {
        (row["item"], row["statement"], row["sentence"]): row for row in files.rows(run.path("similar"), SIMILARITIES)
    }
    originals = {row["item"]: Problem.from_row(row) for row in files.rows(run.path("rules"), PROBLEMS)}
    made = [Problem.from_row(row) for row in files.rows(run.path("made"), PROBLEMS)]
    assert len(made) == len(originals) == COUNT
    changed = several = 0
    for problem in made:
        original = originals[problem.name]
        assert problem.is_usable
        assert [each.line for each in problem.statements] == [each.line for each in original.statements]
        rewritten: dict[int, list[str]] = {}
        for rewrite in problem.rewrites:
            rewritten.setdefault(rewrite.statement, []).append(rewrite.after.lower())
        for place, (old, new) in enumerate(zip(original.statements, problem.statements, strict=True)):
            assert (old.text != new.text) == (place in rewritten)
            if place in rewritten:
                changed += 1
                assert similar[problem.name, place, new.text]["kept"]
                assert all(after in new.text.lower() for after in rewritten[place])
                several += len(rewritten[place]) > 1
                for mention in new.mentions:
                    said = new.text[mention.start : mention.end].lower()
                    assert said in (*rewritten[place], *(old.text[m.start : m.end].lower() for m in old.mentions))
    assert changed > COUNT
    assert several


def test_similarities_match_independent_computation(run: Run) -> None:
    import torch
    from transformers import AutoModel, AutoTokenizer

    rows = files.rows(run.path("similar"), SIMILARITIES)
    assert {row["kept"] for row in rows} == {True, False}
    assert all(row["kept"] == (row["similarity"] >= THRESHOLD) for row in rows)
    originals = {row["item"]: Problem.from_row(row) for row in files.rows(run.path("rules"), PROBLEMS)}
    made = [Problem.from_row(row) for row in files.rows(run.path("made"), PROBLEMS)]
    picked = {
        (problem.name, each.statement, problem.statements[each.statement].text)
        for problem in made
        for each in problem.rewrites
    }
    rows = [row for row in rows if (row["item"], row["statement"], row["sentence"]) in picked]
    assert len(rows) == len(picked)
    tokenizer = AutoTokenizer.from_pretrained(weights(run.weights))
    model = AutoModel.from_pretrained(weights(run.weights)).eval()

    def mean_pooled(texts: list[str]) -> Any:
        encoded = tokenizer(texts, padding=True, return_tensors="pt")
        with torch.no_grad():
            states = model(**encoded).last_hidden_state
        mask = encoded["attention_mask"].unsqueeze(-1)
        return torch.nn.functional.normalize((states * mask).sum(1) / mask.sum(1), dim=1).numpy()

    before = mean_pooled([originals[row["item"]].statements[row["statement"]].text for row in rows])
    after = mean_pooled([row["sentence"] for row in rows])
    np.testing.assert_allclose((before * after).sum(axis=1), [row["similarity"] for row in rows], atol=1e-5)


def test_invalid_choice_is_replaced_and_recorded(run: Run) -> None:
    rows = files.rows(run.path("choices"), CHOICES)
    replaced = [row for row in rows if row["chosen_by"] == "fewest_repeats"]
    assert replaced
    assert all("there is no sentence 99" in row["detail"] for row in replaced)
    assert {row["chosen_by"] for row in rows if row["offered"] == 1} <= {"only"}
    assert all(row["detail"] is None for row in rows if row["chosen_by"] != "fewest_repeats")


def test_rewrite_tables_count_proposed_and_chosen(run: Run) -> None:
    made = {row["item"]: Problem.from_row(row) for row in files.rows(run.path("made"), PROBLEMS)}
    counted = {row["type"]: row for row in files.rows(run.path("rewrites"), REWRITES)}
    assert counted["synonym"]["fallback"] > 0
    assert counted["phrase"]["proposed"] > 0
    for row in counted.values():
        assert row["proposed"] - row["unusable"] >= row["kept"] >= row["chosen"]
    similar = {row["unit"]: row for row in files.rows(run.path("similarity"), SIMILARITY)}
    statements = {(problem.name, each.statement) for problem in made.values() for each in problem.rewrites}
    assert similar["concept"]["pairs"] == sum(row["chosen"] for row in counted.values())
    assert similar["statement"]["pairs"] == len(statements) < similar["concept"]["pairs"]
    assert similar["statement"]["reached"] == 1
    assert THRESHOLD <= similar["statement"]["low"] < similar["statement"]["mean"] < 1
    (shown,) = (row for row in REWRITES_TABLE.table(pl.DataFrame(list(counted.values()))).rows if row[3] == "voice")
    assert shown[-1] == counted["voice"]["chosen"] > 0
    assert similar["problem"]["pairs"] == similar["problem"]["problems"] == COUNT
    assert THRESHOLD < similar["problem"]["low"] < similar["problem"]["mean"] < 1
    figures = read_figures(ROOT / "resources/published/solt.csv")
    (_, shown, _) = SIMILARITY_TABLE.table(pl.DataFrame(list(similar.values())), figures).rows
    cosine = shown[-3]
    assert isinstance(cosine, Score)
    assert (cosine.mean, shown[-2], shown[-1]) == (similar["statement"]["mean"], 1, 0)
