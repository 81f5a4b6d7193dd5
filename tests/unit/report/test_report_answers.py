import shutil
from pathlib import Path

import pytest
from tests.stored import stored
from tests.unit.report.experiment import Experiment
from tests.unit.tasks.generated_set import judged, triples_file

from nlfol.logic.ontology.derivation import derive
from nlfol.logic.reading import parse
from nlfol.models.journal.reading import JournalError
from nlfol.report.answers import prompts, read_answers
from nlfol.report.items import MAX_SHOWN, Collection
from nlfol.report.page import Contents, to_html
from nlfol.store import files, schemas


def test_responses_join_matching_scores(small_experiment: Experiment) -> None:
    (responses, scores) = next(pair for pair in small_experiment.answers if "ranking.talker" in pair[0].name)
    answers = read_answers(responses, scores)
    assert answers.metrics == ("both", "equivalence", "negation")
    assert answers.rows.height == files.read(responses, schemas.RESPONSES).num_rows
    judged = {(row["item"], row["seed"], row["metric"]): row["score"] for row in files.rows(scores, schemas.SCORES)}
    for row in answers.rows.to_dicts():
        for metric in answers.metrics:
            assert row[f"score:{metric}"] == judged[row["item"], row["seed"], metric]


def test_responses_without_scores_are_left_out_and_counted(small_experiment: Experiment, tmp_path: Path) -> None:
    responses, scores = small_experiment.answers[0]
    table = files.read(responses, schemas.RESPONSES)
    files.write(tmp_path / "fewer.arrow", schemas.RESPONSES, table.slice(1).to_pylist(), files.metadata_of(table))
    answers = read_answers(tmp_path / "fewer.arrow", scores)
    assert answers.rows.height == 33
    assert answers.left_out == f"{scores}: 33 of 34 judged answers are in {tmp_path / 'fewer.arrow'}; judge again"


def test_blind_answers_keep_model_in_report(small_experiment: Experiment, tmp_path: Path) -> None:
    pair = next(pair for pair in small_experiment.answers if "ranking.talker" in pair[0].name)
    paths = []
    for path, schema in zip(pair, (schemas.RESPONSES, schemas.SCORES), strict=True):
        table = files.read(path, schema)
        rows = table.to_pylist()
        blind = [row | {"presentation": f"blind_{row['presentation']}"} for row in rows]
        files.write(tmp_path / path.name, schema, rows + blind, files.metadata_of(table))
        paths.append(tmp_path / path.name)
    answers = read_answers(*paths)
    assert answers.left_out is None
    assert answers.rows.equals(read_answers(*pair).rows)


def test_answers_to_unknown_items_are_left_out_and_named(small_experiment: Experiment) -> None:
    collection = Collection()
    collection.add_answers(read_answers(*small_experiment.answers[0]))
    assert not collection.answers["entry"]
    (said,) = collection.left_out
    assert said.endswith("34 answers are to items in no items file, such as 'w01:0'; ask and judge again")


def test_page_lists_left_out_answers(small_experiment: Experiment) -> None:
    page = to_html(Contents("t", [], [], Collection().as_data(), {}, "footer", left_out=["<one> answer; judge again"]))
    assert '<p class="notice missing">Left out: &lt;one&gt; answer; judge again</p>' in page


def test_regular_expression_items_lack_formula_operators(tmp_path: Path) -> None:
    row = stored(schemas.ITEMS, item="r:0", language="regular", formula="(01)*", category=2)
    row["ontology"]["alphabet"] = "01"
    collection = Collection()
    for task, text in (("trip", "Any number of 01."), ("crossed", "01, again and again.")):
        about = {"dataset": "d", "task": task, "task_kind": "round_trip", "protocol": ""}
        files.write(tmp_path / f"{task}.arrow", schemas.ITEMS, [{**row, "text": text}], about)
        collection.add_candidates(tmp_path / f"{task}.arrow")
    assert collection.items["operators"] == collection.items["quantifiers"] == [None, None]
    assert len(set(collection.items["text"])) == 2


def test_empty_task_yields_empty_means(small_experiment: Experiment, tmp_path: Path) -> None:
    responses, scores = small_experiment.answers[0]
    for path, schema in ((responses, schemas.RESPONSES), (scores, schemas.SCORES)):
        files.write(tmp_path / path.name, schema, [], files.metadata_of(files.read(path, schema)))
    answers = read_answers(tmp_path / responses.name, tmp_path / scores.name)
    assert answers.means("cost") == answers.means("completion_tokens") == {}


def test_chance_round_trips_have_scores_without_chains(tmp_path: Path) -> None:
    # Chance scores without a text, so there is no English of a round.
    formulas = [(1, "P(a) ∧ Q(a)"), (1, "¬P(a)")]
    triples = triples_file(
        tmp_path / "triples.arrow", "first_order", derive(parse(each) for _, each in formulas), formulas
    )
    scores = judged(tmp_path, triples, {"task": "round_trip"}, {"kind": "chance"})
    responses = tmp_path / "t.responses.arrow"
    answers = read_answers(responses, scores)
    assert answers.rows.height == files.read(responses, schemas.RESPONSES).num_rows > 0
    assert "chain" not in answers.rows.columns


def test_prompts_match_journal_requests(small_experiment: Experiment) -> None:
    answers = small_experiment.answers_of("ranking.talker")
    told = prompts(answers, small_experiment.journals)
    assert told.keys() == {key for (key,) in answers.rows["requests"].to_list()}
    for roles, texts in (zip(*turns, strict=True) for turns in told.values()):
        assert roles == ("system", "user")
        assert "Formula 1: " in texts[1]


def test_equal_prompt_turns_are_stored_once(small_experiment: Experiment) -> None:
    collection = small_experiment.collection()
    for model in ("talker", "rival"):
        answers = small_experiment.answers_of(f"logical_translation.{model}")
        collection.add_answers(answers, prompts(answers, small_experiment.journals))
    data = collection.as_data()
    shown = data["answers"]["prompts"]
    assert len(shown) == 2 * 2 * 17
    # Two models and two seeds were told the same about a sentence.
    assert len(data["prompts"]) == 17
    assert len({system for (_, system), _ in data["prompts"]}) == 1


def test_prompts_skip_journal_for_embedding_models(small_experiment: Experiment, tmp_path: Path) -> None:
    assert prompts(small_experiment.answers_of("ranking.vectors"), tmp_path) == {}


def test_missing_journal_logs_warning(
    small_experiment: Experiment, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    answers = small_experiment.answers_of("ranking.talker")
    assert prompts(answers, tmp_path) == {}
    requests = answers.rows.height
    assert f"tarski.ranking.jsonl: {requests} of {requests} requests are not in it" in caplog.text


def test_changed_journal_raises_error(small_experiment: Experiment, tmp_path: Path) -> None:
    shutil.copytree(small_experiment.journals, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "talker/tarski.ranking.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("Sentence:", "Sentense:", 1), encoding="utf-8")
    with pytest.raises(JournalError, match=r"tarski\.ranking\.jsonl:1: not a journal line .*; restore the file"):
        prompts(small_experiment.answers_of("ranking.talker"), tmp_path)


def test_long_prompt_is_shortened_on_page_and_complete_in_file(small_experiment: Experiment) -> None:
    answers = small_experiment.answers_of("ranking.talker")
    told = {
        key: (*turns, ("user", "on and on " * MAX_SHOWN))
        for key, turns in prompts(answers, small_experiment.journals).items()
    }
    collection = small_experiment.collection()
    collection.add_answers(answers, told)
    ((name, whole),) = collection.texts.whole.values()
    assert whole == "on and on " * MAX_SHOWN
    assert any(text.endswith(f"texts/{name})") for text in collection.texts.every)
