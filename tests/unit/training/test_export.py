import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.examples import ROOT, family, lexicon
from tests.unit.asking.test_round_trip_dialogues import ITEMS, certified
from tests.unit.tasks.generated_set import triples_file
from tests.unit.tasks.problem_items import lines, rows, talk, task
from tests.unit.training.planting import copied, renamed, reworded

import answer_by_reference
import build_items
import export_training
import judge_answers
from nlfol.asking.asking import Asking, Offered
from nlfol.asking.judging import reply_of
from nlfol.asking.responses import response_row, write_responses
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.reading import parse
from nlfol.models.request import Message
from nlfol.problems.families import generate
from nlfol.problems.problem import Problem
from nlfol.store import files, schemas
from nlfol.store.problem_schemas import PROBLEMS
from nlfol.store.training_schemas import EXAMPLES
from nlfol.tasks.plan import Prompts, Setting, Step
from nlfol.tasks.registry import task_of
from nlfol.tasks.round_trip import RoundTripEntry
from nlfol.training.entry import TrainingEntry, TrainingError
from nlfol.training.examples import Source
from nlfol.training.leaks import Exam
from nlfol.training.lora import read_dialogues

PROMPTS = ROOT / "resources" / "prompts"


def entry(**more: Any) -> TrainingEntry:
    return TrainingEntry.model_validate({"from": [{"dataset": "toy", "task": "t", "models": ["m"]}], **more})


def answered(
    folder: Path, problems: Sequence[Problem], model: dict[str, Any], strategy: str = "direct", name: str = "t"
) -> Source:
    """A reference's answers to the programs of some problems, through the files of every stage."""
    asked = task(strategy)
    items, responses, scores = (folder / f"{each}.arrow" for each in ("items", "responses", "scores"))
    about = {"dataset": "toy", "task": name, "task_kind": "program", "protocol": "", "style": ""}
    files.write(items, schemas.ITEMS, rows(problems, asked), about)
    answer_by_reference.main(Asking(Offered.read(items), "toy", name, asked, "m", json.dumps(model), 7, responses))
    judge_answers.main(items, responses, asked.entry.model_dump_json(), scores)
    return Source("toy", name, "m", asked.entry.model_dump_json(), items, responses, scores)


def exported(
    folder: Path, source: Source, tested: Sequence[Problem] = (), common: Sequence[Source] = (), **more: Any
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The rows of the EXAMPLES file, and the objects of the other."""
    exam = folder / "exam.arrow"
    files.write(exam, PROBLEMS, [problem.to_row() for problem in tested], {"dataset": "exam"})
    export_training.main(
        entry(**more),
        [source],
        [Exam("exam", exam, holds_problems=True)],
        {"toy": "toy", "exam": "exam"},
        common=common,
        training="mine",
        seed=7,
        prompts=PROMPTS,
        arrow=folder / "examples.arrow",
        jsonl=folder / "examples.jsonl",
    )
    said = (folder / "examples.jsonl").read_text(encoding="utf-8").splitlines()
    return files.rows(folder / "examples.arrow", EXAMPLES), [json.loads(line) for line in said]


def test_training_example_equals_prompt_and_gold_answer(tmp_path: Path) -> None:
    source = answered(tmp_path, family("rules"), {"kind": "reader"})
    found, chats = exported(tmp_path, source)
    assert [row["status"] for row in found] == ["usable"] * 6
    asked = task("direct")
    plan = asked.plan(Setting(7, Prompts(PROMPTS)))
    for row, chat, item in zip(found, chats, Offered.read(source.items).items, strict=True):
        step = plan.following(item, "", 0, [])
        assert isinstance(step, Step)
        assert row["messages"] == chat["messages"]
        assert [turn["role"] for turn in chat["messages"]] == ["system", "user", "assistant"]
        assert [turn["content"] for turn in chat["messages"][:2]] == [step.system, step.user]
        completion = chat["messages"][2]["content"]
        asked.check(item, "program", completion)
        # As a model writes it that is held to the schema.
        assert completion == json.dumps(json.loads(completion), separators=(",", ":"), ensure_ascii=False)
        assert list(json.loads(completion)) == list(step.schema["properties"])
    assert read_dialogues(tmp_path / "examples.arrow")[0] == tuple(Message(**turn) for turn in chats[0]["messages"])


def test_training_export_refuses_leaked_problems_with_place(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    tested = generate("rules", seed=99, count=8, lexicon=lexicon())
    plants = {"copied": tested[1], "reworded": tested[4], "renamed": tested[6]}
    planted = [copied(tested[1]), reworded(tested[4]), renamed(tested[6])]
    assert all(problem.is_usable for problem in planted)
    source = answered(tmp_path, [*family("rules"), *planted], {"kind": "reader"})
    found, chats = exported(tmp_path, source, tested)
    refused = {row["item"]: row for row in found if row["status"] == "refused"}
    assert {name: (row["tested_dataset"], row["tested_item"]) for name, row in refused.items()} == {
        name: ("exam", problem.name) for name, problem in plants.items()
    }
    assert {row["reason"] for row in refused.values()} == {"leak"}
    for name, problem in plants.items():
        place = f"item {name!r} of toy gives item {problem.name!r} of the tested dataset exam away"
        assert place in refused[name]["detail"]
        assert place in caplog.text
        assert refused[name]["messages"] == []
    assert len(chats) == 6

    with pytest.raises(TrainingError, match=r"no example is left of 9 \(9 leak\); name other sources under from, or"):
        exported(tmp_path, source, [*tested, *family("rules")])


def test_training_export_refuses_wrong_answers_unless_requested(tmp_path: Path) -> None:
    source = answered(tmp_path, family("rules", 12), {"kind": "drifting", "probability": 0.2})
    scores = files.rows(source.scores, schemas.SCORES)
    right = {row["item"] for row in scores if row["metric"] == "right" and row["score"] == 1}
    assert 0 < len(right) < 12
    found, chats = exported(tmp_path, source)
    assert {row["item"] for row in found if row["status"] == "usable"} == right
    assert {row["reason"] for row in found if row["item"] not in right} == {"wrong"}
    assert len(chats) == len(right)
    assert len(exported(tmp_path, source, right=False)[1]) == 12


def test_training_export_draws_count_by_seed_and_lists_rest(tmp_path: Path) -> None:
    source = answered(tmp_path, family("rules", 12), {"kind": "reader"})
    draws = {seed: exported(tmp_path, source, count=5, seed=seed)[0] for seed in (1, 2)}
    bytes_of_draw = [(tmp_path / f"examples.{suffix}").read_bytes() for suffix in ("arrow", "jsonl")]
    assert exported(tmp_path, source, count=5, seed=2)[0] == draws[2]
    assert [(tmp_path / f"examples.{suffix}").read_bytes() for suffix in ("arrow", "jsonl")] == bytes_of_draw
    kept = {seed: {row["item"] for row in found if row["status"] == "usable"} for seed, found in draws.items()}
    assert [len(items) for items in kept.values()] == [5, 5]
    assert kept[1] != kept[2]
    assert {row["reason"] for row in draws[1]} == {None, "not_drawn"}
    larger = {row["item"] for row in exported(tmp_path, source, count=8, seed=1)[0] if row["status"] == "usable"}
    assert kept[1] < larger


def test_training_export_turns_dialogue_steps_into_examples(tmp_path: Path) -> None:
    source = answered(tmp_path, family("rules"), {"kind": "reader"}, "concept_table_stepwise")
    found, chats = exported(tmp_path, source)
    steps = files.rows(source.responses, schemas.RESPONSES)
    assert [(row["item"], row["step"], row["part"]) for row in found] == [
        (row["item"], row["step"], row["part"]) for row in steps
    ]
    assert len(chats) + sum(row["reason"] == "repeated" for row in found) == len(steps) > 6


def test_common_trainings_keep_items_right_in_both(tmp_path: Path) -> None:
    (tmp_path / "table").mkdir()
    direct = answered(tmp_path, family("rules"), {"kind": "reader"})
    table = answered(tmp_path / "table", family("rules"), {"kind": "reader"}, strategy="concept_table", name="table")
    scores = files.read(table.scores, schemas.SCORES)
    rows = scores.to_pylist()
    names = list(dict.fromkeys(row["item"] for row in rows))
    lost = [row | {"score": 0.0} if row["item"] in names[:2] else row for row in rows]
    files.write(table.scores, schemas.SCORES, lost, files.metadata_of(scores))
    found, chats = exported(tmp_path, direct, common=[table])
    reasons = dict.fromkeys(names) | dict.fromkeys(names[:2], "not_common")
    assert {row["item"]: row["reason"] for row in found} == reasons
    assert len(chats) == len(names) - 2


def test_corrected_program_is_excluded_from_lessons() -> None:
    problem = family("rules")[0]
    broken = lines("Cold(bob, True) >>>", query="Cold(bob, True)")
    said = talk(task("refine", rounds=2), problem, broken, broken, broken)
    assert [lesson.step for lesson in said.task.lessons(said.item, said.replies)] == [2]
    assert said.parts == ["program", "refinement", "refinement"]


def test_round_trip_lessons_teach_formula_from_english(tmp_path: Path) -> None:
    given = RoundTripEntry(task="round_trip")
    asked = task_of(given)
    formulas = [item.formula for item in ITEMS]
    triples = triples_file(
        tmp_path / "triples.arrow", "first_order", derive(map(parse, formulas)), [(2, formula) for formula in formulas]
    )
    items, responses, scores = (tmp_path / f"{name}.arrow" for name in ("items", "responses", "scores"))
    build_items.main(triples, dataset="toy", task="t", task_json=given.model_dump_json(), seed=7, output=items)
    asking = Asking(Offered.read(items), "toy", "t", asked, "m", "{}", 7, responses)
    plan = asked.plan(Setting(7, Prompts(PROMPTS)))
    said = []
    for item in asking.offered.items:
        replies: list[Any] = []
        while isinstance(step := plan.following(item, "zero_shot", 3, replies), Step):
            # The disjunction comes back as a conjunction.
            text = json.dumps({"reasoning": "So it is.", "answer": certified(step.user)}, ensure_ascii=False)
            row = response_row(item, "zero_shot", seed=3, step=len(replies) + 1, part=step.part, answer=text)
            said.append(row)
            replies.append(reply_of(row))
    write_responses(asking, "chat", "test:model", said)
    judge_answers.main(items, responses, given.model_dump_json(), scores)
    source = Source("toy", "t", "m", given.model_dump_json(), items, responses, scores)
    found, chats = exported(tmp_path, source)
    assert [row["reason"] for row in found] == [None, None, "wrong", None]
    learnt = [item for item in asking.offered.items if "∨" not in item.formula]
    for item, chat in zip(learnt, chats, strict=True):
        question, answer = chat["messages"][-2:]
        assert certified(question["content"]) == item.formula
        assert json.loads(answer["content"]) == {"reasoning": "", "answer": item.formula}
    wanted = exported(tmp_path, source, right=False)[0]
    assert [row["reason"] for row in wanted] == [None, None, "no_lesson", None]


def test_training_export_refuses_unusable_or_mismatched_answers(tmp_path: Path) -> None:
    source = answered(tmp_path, family("rules"), {"kind": "reader"})
    table = files.read(source.responses, schemas.RESPONSES)
    changed = table.to_pylist()
    changed[0] |= {"outcome": "truncated"}
    changed[1] |= {"part": "other"}
    changed[2] |= {"answer": "{"}
    files.write(source.responses, schemas.RESPONSES, changed, files.metadata_of(table))
    found, chats = exported(tmp_path, replace(source), right=False)
    assert [row["reason"] for row in found] == ["not_answered", "asked_otherwise", "unparsable", None, None, None]
    assert len(chats) == 3
