"""Answers that somebody has already: judged like a model's, with nothing missing, double or unknown passed over."""

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.unit.results import recorded

import answer_from_file
import judge_answers
from nlfol.asking.answer_files import AnswerFileError, read_answer_file
from nlfol.asking.asking import Asking, Offered
from nlfol.results.statistics.cells import cells
from nlfol.store import files, schemas
from nlfol.store.origins import metadata_at
from nlfol.store.records import SourceError
from nlfol.tasks.round_trip import RoundTrip, RoundTripEntry
from nlfol.tasks.task import AnyTask
from nlfol_extras.analyses.costs import costs
from nlfol_extras.analyses.refusals import REFUSALS, unused_answers

TRANSLATION, CHOICE, RANKING = "logical_translation", "most_similar", "ranking"

Row = Mapping[str, Any]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recorded items and responses."""
    made = tmp_path_factory.mktemp("recorded")
    recorded.write(made)
    return made


@pytest.fixture
def take(folder: Path, tmp_path: Path) -> Callable[..., Path]:
    """Takes the answers of a file, or of rows, to one of the recorded tasks; gives the RESPONSES file."""

    def taking(
        answers: Path | Sequence[Row],
        task: str = TRANSLATION,
        jobs: Sequence[tuple[str, str]] | None = None,
        **entry: Any,
    ) -> Path:
        path = answers if isinstance(answers, Path) else tmp_path / "mine.jsonl"
        if not isinstance(answers, Path):
            path.write_text("".join(f"{json.dumps(row)}\n" for row in answers), encoding="utf-8")
        return taken(folder / f"{task}.arrow", recorded.task_of(task), path, tmp_path, jobs, **entry)

    return taking


def taken(
    items_file: Path,
    task: AnyTask,
    answers: Path,
    folder: Path,
    jobs: Sequence[tuple[str, str]] | None = None,
    **entry: Any,
) -> Path:
    output = folder / "responses.arrow"
    json_entry = json.dumps({"kind": "answers", "path": str(answers), **entry})
    name = metadata_at(items_file)["task"]
    asking = Asking(Offered.read(items_file), "toy", name, task, "mine", json_entry, 7, output)
    answer_from_file.main(asking, answers, jobs or [("toy", name)])
    return output


def responses(path: Path) -> list[dict[str, Any]]:
    return files.rows(path, schemas.RESPONSES)


def judged(items: Path, answers: Path, task: AnyTask) -> list[dict[str, Any]]:
    """The cells of a RESPONSES file, without the model's name and kind."""
    scores = answers.with_name(f"scores.{answers.name}")
    judge_answers.main(items, answers, task.entry.model_dump_json(), scores)
    return [{**cell, "model": None, "kind": None} for cell in cells([scores])]


@pytest.mark.parametrize(
    ("task", "model"),
    [
        *((task, model) for task in (TRANSLATION, CHOICE, RANKING) for model in ("alpha", "beta")),
        *((task, "reader") for task in (CHOICE, RANKING)),
    ],
)
def test_replayed_responses_score_as_in_run(folder: Path, take: Callable[..., Path], task: str, model: str) -> None:
    source = folder / f"{task}.{model}.arrow"
    again = take(source, task)
    of_task = recorded.task_of(task)
    assert judged(folder / f"{task}.arrow", again, of_task) == judged(folder / f"{task}.arrow", source, of_task)


WORDS = {"a:0": "Cat(tom) ∨ Sleeps(tom)", "a:1": "¬Sleeps(tom)", "b:0": "Sleeps(tom)", "c:0": "∀x (Cat(x) → Sleeps(x))"}


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet", "arrow"])
def test_answer_file_formats_yield_same_responses(
    folder: Path, take: Callable[..., Path], tmp_path: Path, ending: str
) -> None:
    path = tmp_path / f"mine.{ending}"
    table = pl.DataFrame({"item": list(WORDS), "seed": [3] * 4, "answer": list(WORDS.values()), "mine": "x"})
    match ending:
        case "jsonl":
            table.write_ndjson(path)
        case "csv":
            table.write_csv(path)
        case "parquet":
            table.write_parquet(path)
        case _:
            table.write_ipc(path)
    found = take(path)
    assert [(row["item"], row["seed"], json.loads(row["answer"])["answer"]) for row in responses(found)] == [
        (item, 3, answer) for item, answer in WORDS.items()
    ]
    (cell,) = (
        cell
        for cell in judged(folder / f"{TRANSLATION}.arrow", found, recorded.task_of(TRANSLATION))
        if cell["metric"] == "equivalence"
    )
    assert (cell["mean"], cell["items"], cell["equivalent"], cell["not_equivalent"]) == (0.5, 4, 2, 2)


def test_missing_answers_count_as_failed_with_reason(folder: Path, take: Callable[..., Path]) -> None:
    found = take([{"item": "a:0", "answer": WORDS["a:0"]}, {"item": "a:1", "answer": None}])
    assert [(row["item"], row["outcome"], row["error"]) for row in responses(found)] == [
        ("a:0", "answered", None),
        ("a:1", "failed", "the row has no answer"),
        ("b:0", "failed", "mine.jsonl has no answer"),
        ("c:0", "failed", "mine.jsonl has no answer"),
    ]
    (cell, *_) = judged(folder / f"{TRANSLATION}.arrow", found, recorded.task_of(TRANSLATION))
    assert (cell["mean"], cell["items"], cell["failed"]) == (0.25, 4, 3)


def test_only_listed_restricts_denominator_to_listed_items(take: Callable[..., Path]) -> None:
    found = take([{"item": "c:0", "answer": "Cat(tom)"}, {"item": "a:0", "answer": "Cat(tom)"}], only_listed=True)
    assert [row["item"] for row in responses(found)] == ["a:0", "c:0"]
    assert metadata_at(found)["available"] == "4"


def test_only_listed_items_are_those_of_sample(take: Callable[..., Path]) -> None:
    given = [{"item": item, "answer": "Cat(tom)"} for item in WORDS]
    sampled = [row["item"] for row in responses(take(given, items=2))]
    listed = take([row for row in given if row["item"] != sampled[0]], items=2, only_listed=True)
    assert [row["item"] for row in responses(listed)] == sampled[1:]


def test_answer_file_seeds_become_model_seeds(take: Callable[..., Path]) -> None:
    given = [{"item": item, "seed": seed, "answer": "Cat(tom)"} for seed in (12, 3) for item in ("a:0", "a:1")]
    found = take(given[:-1], only_listed=True)
    assert [(row["seed"], row["item"], row["outcome"]) for row in responses(found)] == [
        (12, "a:0", "answered"),
        (12, "a:1", "answered"),
        (3, "a:0", "answered"),
        (3, "a:1", "failed"),
    ]


def test_answer_file_keeps_empty_answers_and_stated_outcomes(take: Callable[..., Path]) -> None:
    found = take(
        [
            {"item": "a:0", "answer": ""},
            {"item": "a:1", "answer": " \n"},
            {"item": "b:0", "answer": None, "outcome": "refused", "error": "by the filter"},
            {"item": "c:0", "answer": '{"reasoning": "", "ans', "outcome": "truncated"},
        ]
    )
    assert [row["outcome"] for row in responses(found)] == ["empty", "blank", "refused", "truncated"]


def test_unused_rows_are_listed_with_nearest_name(take: Callable[..., Path]) -> None:
    jobs = [("toy", TRANSLATION), ("toy", RANKING)]
    rows = [
        {"task": TRANSLATION, "item": "a:0", "answer": "Cat(tom)"},
        {"task": TRANSLATION, "item": "a0", "answer": "Cat(tom)"},
        {"task": "rankings", "item": "a:0", "answer": [1, 2, 3, 4, 5]},
        {"task": RANKING, "item": "a:0", "answer": [1, 2, 3, 4, 5]},
        {"task": RANKING, "item": "a:1", "answer": [1, 2, 3, 4, 5]},
        {"task": RANKING, "item": "c:0", "presentation": "englisch", "answer": [1, 2, 3, 4, 5]},
        {"task": TRANSLATION, "item": "b:0", "step": 2, "answer": "Cat(tom)"},
    ]
    translation = take(rows, jobs=jobs)
    first = json.loads(metadata_at(translation)["unused"])
    ranking = take(rows, RANKING, jobs=jobs)
    found = [*first, *json.loads(metadata_at(ranking)["unused"])]
    elsewhere = (
        "rankings",
        "a:0",
        "not_configured",
        "mine.jsonl, line 3: the model has no such dataset and task (did you mean ranking?)",
    )
    assert [(row["task"], row["item"], row["reason"], row["detail"]) for row in found] == [
        (TRANSLATION, "a0", "unknown_item", "mine.jsonl, line 2: the dataset has no such item (did you mean a:0?)"),
        elsewhere,
        (TRANSLATION, "b:0", "not_reached", "mine.jsonl, line 7: nothing asks it"),
        elsewhere,
        (RANKING, "a:1", "refused_item", "mine.jsonl, line 5: the task refuses the item: no_equivalent"),
        (RANKING, "c:0", "unknown_presentation", "mine.jsonl, line 6: 'englisch' is not one of english"),
    ]
    (row,) = (row for row in unused_answers([ranking]) if row["reason"] == "refused_item")
    assert row == dict.fromkeys(REFUSALS.names) | {
        "dataset": "toy", "stage": "answers", "task": RANKING, "order": -1, "step": "refused", "reason": "refused_item",
        "item": "a:1", "detail": "mine: mine.jsonl, line 5: the task refuses the item: no_equivalent",
    }  # fmt: skip


def test_unused_rows_are_counted_once_across_responses(take: Callable[..., Path], tmp_path: Path) -> None:
    rows = [{"task": "other", "item": "a:0", "answer": "x"}, {"task": TRANSLATION, "item": "a:0", "answer": "Cat(tom)"}]
    one = take(rows)
    other = one.rename(tmp_path / "other.arrow")
    assert len(unused_answers([other, take(rows)])) == 1


def test_unsampled_items_are_listed_as_unused(take: Callable[..., Path], caplog: Any) -> None:
    found = take([{"item": item, "answer": "Cat(tom)"} for item in WORDS], items=2)
    assert len(responses(found)) == 2
    unused = json.loads(metadata_at(found)["unused"])
    assert [row["reason"] for row in unused] == ["not_asked"] * 2
    # The log has one line for a reason.
    (line,) = (record.getMessage() for record in caplog.records if "not used: " in record.getMessage())
    assert line.endswith(f"not used: 2 (not asked), the first: item {unused[0]['item']!r}: {unused[0]['detail']}")


def test_task_without_rows_has_zero_items(folder: Path, take: Callable[..., Path]) -> None:
    found = take(
        [{"task": RANKING, "item": "a:0", "answer": [1, 2, 3, 4, 5]}], jobs=[("toy", TRANSLATION), ("toy", RANKING)]
    )
    (cell,) = judged(folder / f"{TRANSLATION}.arrow", found, recorded.task_of(TRANSLATION))
    assert (cell["items"], cell["mean"]) == (0, None)


def test_candidate_numbers_follow_items_file_unless_order_is_given(folder: Path, take: Callable[..., Path]) -> None:
    """The gold formula is the first there; of a:0 it was shown third, of c:0 second."""
    rows = [
        {"item": "a:0", "answer": 3, "order": [2, 1, 0]},
        {"item": "a:1", "answer": 1},
        {"item": "b:0", "answer": 2},
        {"item": "c:0", "answer": 1, "order": [1, 0, 3, 2]},
    ]
    found = take(rows, CHOICE)
    assert [row["order"] for row in responses(found)] == [[2, 1, 0], [], [], [1, 0, 3, 2]]
    scores = found.with_name("scores.arrow")
    judge_answers.main(folder / f"{CHOICE}.arrow", found, recorded.task_of(CHOICE).entry.model_dump_json(), scores)
    judgements = [(row["score"], row["position"]) for row in files.rows(scores, schemas.SCORES)]
    assert judgements == [(1, 3), (1, None), (0, None), (0, 2)]


def test_csv_answer_file_reads_lists_from_text(take: Callable[..., Path], tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(
            [("item", "order", "answer"), ("a:0", "4 3 2 1 0", "[5, 4, 3, 2, 1]"), ("c:0", "", "[1, 2, 3, 4, 5]")]
        )
    found = responses(take(path, RANKING))
    assert [row["order"] for row in found] == [[4, 3, 2, 1, 0], []]
    assert [json.loads(row["answer"])["answer"] for row in found] == [[5, 4, 3, 2, 1], [1, 2, 3, 4, 5]]


def test_verbatim_option_keeps_answers_unwrapped(take: Callable[..., Path]) -> None:
    rows = [
        {"item": "a:0", "answer": "Cat(tom)"},
        {"item": "b:0", "answer": '{"reasoning": "So.", "answer": "Cat(tom)"}'},
    ]
    assert [row["answer"] for row in responses(take(rows, only_listed=True, verbatim=True))] == [
        row["answer"] for row in rows
    ]
    bare = [json.loads(row["answer"]) for row in responses(take(rows, only_listed=True))]
    assert bare == [{"reasoning": "", "answer": "Cat(tom)"}, {"reasoning": "So.", "answer": "Cat(tom)"}]


def test_answer_file_tokens_and_costs_are_summed(take: Callable[..., Path]) -> None:
    took = {"prompt_tokens": 100, "completion_tokens": 10, "reasoning_tokens": 4, "cost": 0.25}
    found = take(
        [{"item": item, "answer": "Cat(tom)", **took} for item in ("a:0", "a:1")], only_listed=True, currency="EUR"
    )
    (row,) = costs([found])
    assert (row["requests"], row["prompt_tokens"], row["reasoning_tokens"]) == (2, 200, 8)
    assert (row["cost"], row["currency"], row["price_read"]) == (0.5, "EUR", None)


def test_two_step_answers_become_dialogue_responses(tmp_path: Path, folder: Path) -> None:
    """The first round trip is whole, the second ends after its English, the third is not begun."""
    task = RoundTrip(RoundTripEntry())
    path = tmp_path / "mine.jsonl"
    rows = [
        {"item": "a:1", "step": 2, "part": "formalization", "answer": "Sleeps(tom)"},
        {"item": "a:1", "step": 1, "part": "informalization", "answer": "Tom sleeps."},
        {"item": "b:0", "step": 1, "answer": "Tom is a cat."},
    ]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    items = folder / f"{TRANSLATION}.arrow"
    found = responses(taken(items, task, path, tmp_path))
    assert [(row["item"], row["step"], row["part"], row["outcome"]) for row in found] == [
        ("a:0", 1, "informalization", "failed"),
        ("a:1", 1, "informalization", "answered"),
        ("a:1", 2, "formalization", "answered"),
        ("b:0", 1, "informalization", "answered"),
        ("b:0", 2, "formalization", "failed"),
        ("c:0", 1, "informalization", "failed"),
    ]
    rows[0]["part"] = "formalisation"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    with pytest.raises(AnswerFileError, match=r"mine.jsonl: line 1 answers part 'formalisation' .* asks for 'formaliz"):
        taken(items, task, path, tmp_path)


GOOD = {"item": "a:0", "answer": "Cat(tom)"}


@pytest.mark.parametrize(
    ("rows", "task", "named"),
    [
        ([{"itm": "a:0", "answer": "x"}], TRANSLATION, r"no column 'item' among .* \(did you mean itm\?\)"),
        (
            [GOOD, {"itm": "a:0", "answer": "x"}],
            TRANSLATION,
            r"line 2: item: .*\(did you mean itm\?\); correct",
        ),
        ([{"item": "a:0", "answr": "x"}], TRANSLATION, r"no column 'answer' among .* \(did you mean answr\?\)"),
        ([GOOD, GOOD], TRANSLATION, r"to one question: line 1 and line 2 \(item 'a:0', seed 0, step 1\); keep one"),
        ([GOOD | {"seed": "three"}], TRANSLATION, "line 1: seed: .*; correct the row"),
        ([GOOD, GOOD | {"item": ""}], TRANSLATION, "line 2: item: .*; correct the row"),
        ([GOOD | {"outcome": "lost"}], TRANSLATION, "line 1: outcome: .*'truncated'"),
        ([GOOD | {"item": "b0"}], TRANSLATION, "no row .* 'b0', .*did you mean b:0.*; name items as in a:0, a:1, b"),
        (
            [GOOD | {"answer": 1, "order": [1, 2, 3]}],
            CHOICE,
            r"line 1: order \[1, 2, 3\] is not .* of item 'a:0'; corr",
        ),
    ],
)
def test_answer_file_errors_name_row_and_remedy(
    take: Callable[..., Path], rows: list[Row], task: str, named: str
) -> None:
    with pytest.raises(AnswerFileError, match=f"mine.jsonl: .*{named}"):
        take(rows, task)


def test_ambiguous_rows_must_name_their_task(take: Callable[..., Path], folder: Path, tmp_path: Path) -> None:
    jobs = [("toy", TRANSLATION), ("toy", RANKING)]
    with pytest.raises(AnswerFileError, match="line 1 does not say which task it is about, and the model has several"):
        take([GOOD], jobs=jobs)
    named = tmp_path / f"{TRANSLATION}.jsonl"
    named.write_text(json.dumps(GOOD), encoding="utf-8")
    path = str(tmp_path / "{task}.jsonl")
    output = tmp_path / "responses.arrow"
    entry = json.dumps({"kind": "answers", "path": path})
    items = folder / f"{TRANSLATION}.arrow"
    task = recorded.task_of(TRANSLATION)
    asking = Asking(Offered.read(items), "toy", TRANSLATION, task, "mine", entry, 7, output)
    answer_from_file.main(asking, named, jobs)
    assert responses(output)[0]["outcome"] == "answered"


def test_answer_file_reader_rejects_files_without_answers(
    take: Callable[..., Path], folder: Path, tmp_path: Path
) -> None:
    with pytest.raises(AnswerFileError, match="kind embedding answers nothing in words; name the responses of another"):
        take(folder / f"{CHOICE}.embedding.arrow", CHOICE)
    text = tmp_path / "mine.txt"
    text.write_text("x", encoding="utf-8")
    with pytest.raises(SourceError, match=r"unknown file type '.txt'; use one of .csv"):
        take(text)
    nothing = tmp_path / "none.jsonl"
    nothing.write_text("\n\n", encoding="utf-8")
    with pytest.raises(SourceError, match=r"none\.jsonl: the file is empty; add rows"):
        take(nothing)
    broken = tmp_path / "mine.jsonl"
    broken.write_text('{"item": "a:0", "answer": "x"}\n{"item"', encoding="utf-8")
    with pytest.raises(SourceError, match=r"mine\.jsonl: line 2: not JSON"):
        take(broken)


def test_written_answers_are_recorded_as_kind_written(take: Callable[..., Path]) -> None:
    assert metadata_at(take([GOOD], written=True))["kind"] == "written"
    assert metadata_at(take([GOOD]))["kind"] == "chat"


@pytest.mark.parametrize("ending", ["arrow", "feather"])
def test_damaged_answer_file_error_names_path(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"answers.{ending}"
    frame = pl.DataFrame({"item": ["a"] * 20, "answer": ["b"] * 20})
    frame.write_ipc(path)
    whole = path.read_bytes()
    for place in range(len(whole) - 200, len(whole) - 10, 3):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        try:
            read_answer_file(path)
        except SourceError as error:
            assert str(path) in str(error)  # noqa: PT017
