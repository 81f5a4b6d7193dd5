import shutil
from pathlib import Path

import pytest
from tests.unit.report.experiment import Experiment

from nlfol.models.journal.reading import JournalError
from nlfol.report.answers import Answers, prompts, read_answers
from nlfol.report.items import MAX_SHOWN, Collection


def answers_of(experiment: Experiment, name: str) -> Answers:
    return read_answers(*next(pair for pair in experiment.answers if name in pair[0].name))


def test_every_request_has_its_prompt_as_the_journal_has_it(small_experiment: Experiment) -> None:
    answers = answers_of(small_experiment, "ranking.talker")
    told = prompts(answers, small_experiment.journals)
    assert told.keys() == {key for (key,) in answers.rows["requests"].to_list()}
    for roles, texts in (zip(*turns, strict=True) for turns in told.values()):
        assert roles == ("system", "user")
        assert "Formula 1: " in texts[1]


def test_equal_turns_are_kept_once(small_experiment: Experiment) -> None:
    collection = Collection()
    for path in small_experiment.candidates:
        collection.add_candidates(path)
    for model in ("talker", "rival"):
        answers = answers_of(small_experiment, f"logical_translation.{model}")
        collection.add_answers(answers, prompts(answers, small_experiment.journals))
    data = collection.as_data()
    shown = data["answers"]["prompts"]
    assert len(shown) == 2 * 2 * 17
    # Two models and two seeds were told the same about a sentence.
    assert len(data["prompts"]) == 17
    assert len({system for (_, system), _ in data["prompts"]}) == 1


def test_of_models_that_are_sent_nothing_no_journal_is_read(small_experiment: Experiment, tmp_path: Path) -> None:
    assert prompts(answers_of(small_experiment, "ranking.vectors"), tmp_path) == {}


def test_a_journal_that_is_gone_is_warned_of(
    small_experiment: Experiment, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    answers = answers_of(small_experiment, "ranking.talker")
    assert prompts(answers, tmp_path) == {}
    requests = answers.rows.height
    assert f"tarski.ranking.jsonl: {requests} of {requests} requests are not in it" in caplog.text


def test_a_journal_that_was_changed_is_an_error(small_experiment: Experiment, tmp_path: Path) -> None:
    shutil.copytree(small_experiment.journals, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "talker/tarski.ranking.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("Sentence:", "Sentense:", 1), encoding="utf-8")
    with pytest.raises(JournalError, match=r"tarski\.ranking\.jsonl:1: not a journal line .*; restore the file"):
        prompts(answers_of(small_experiment, "ranking.talker"), tmp_path)


def test_a_long_prompt_is_begun_on_the_page_and_whole_beside_it(small_experiment: Experiment) -> None:
    answers = answers_of(small_experiment, "ranking.talker")
    told = {
        key: (*turns, ("user", "on and on " * MAX_SHOWN))
        for key, turns in prompts(answers, small_experiment.journals).items()
    }
    collection = Collection()
    for path in small_experiment.candidates:
        collection.add_candidates(path)
    collection.add_answers(answers, told)
    ((name, whole),) = collection.texts.whole.values()
    assert whole == "on and on " * MAX_SHOWN
    assert any(text.endswith(f"texts/{name})") for text in collection.texts.every)
