"""Answers that were paid for are never asked for again."""

import json

import pytest
from tests.workflow.checkout import Checkout

RESPONSES = "results/responses/mine/ranking/tiny.arrow"
JOURNAL = "journal/tiny/mine.ranking.jsonl"


@pytest.fixture
def without_weights(again: Checkout) -> None:
    """Nobody can ask the model anything."""
    (again.folder / "mine/tiny").rename(again.folder / "mine/elsewhere")


@pytest.mark.usefixtures("without_weights")
def test_lost_responses_are_restored_from_journal(again: Checkout) -> None:
    responses, journal = again.bytes(RESPONSES), again.bytes(JOURNAL)
    (again.folder / RESPONSES).unlink()
    # Without its journal the model has to be asked, which cannot be done: so what follows asks nothing.
    kept = (again.folder / JOURNAL).rename(again.folder / "kept.jsonl")
    assert "the weights that" in again.fail(RESPONSES).error
    kept.replace(again.folder / JOURNAL)
    again.run(RESPONSES)
    assert again.bytes(RESPONSES) == responses
    assert again.bytes(JOURNAL) == journal


def test_missing_journal_answers_are_reported_and_asked_again(again: Checkout) -> None:
    lines = again.read(JOURNAL).splitlines(keepends=True)
    assert len(lines) == 4 * 2 * 2, "items, seeds and presentations"
    again.write(JOURNAL, "".join(lines[:10]) + lines[10][:50])
    run = again.run(RESPONSES, "--forcerun", "ask_chat")
    before, _, _ = run.output.partition("Asking tiny")
    assert f"{RESPONSES}: 6 of 16 answers are no longer in {JOURNAL}; what is missing is asked for again" in before
    completed = again.read(JOURNAL).splitlines(keepends=True)
    assert completed[:10] == lines[:10]
    assert sorted(map(_key, completed)) == sorted(map(_key, lines))


def _key(line: str) -> str:
    key: str = json.loads(line)["key"]
    return key
