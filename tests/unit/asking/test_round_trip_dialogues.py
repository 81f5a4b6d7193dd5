"""Round trips through the loop and the journal: a job that was stopped asks only what is missing."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.unit.asking.conversations import OneByOne, put
from tests.unit.extras.batch_server import BatchServer, answer
from tests.unit.models.conftest import openai_entry, request

from nlfol.asking.asking import Asking, Offered
from nlfol.asking.dialogue import Conversation, Dialogue
from nlfol.asking.questions import dialogues
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.reading import parse
from nlfol.models.journal.journal import Journal
from nlfol.models.request import ChatError, ChatReply, ChatRequest, Ending
from nlfol.tasks.item import Exemplar, Item
from nlfol.tasks.plan import Prompts, Reply, Setting, Step
from nlfol.tasks.round_trip import RoundTrip, RoundTripEntry
from nlfol_extras.batches.chat import BatchChat

PROMPTS = Path(__file__).parents[3] / "resources" / "prompts"
FORMULAS = ["∀x (Cube(x) → Small(x))", "∃x (Cube(x) ∧ Small(x))", "Cube(a) ∨ Small(a)", "Larger(a, b)"]
ONTOLOGY = derive(map(parse, FORMULAS))
ITEMS = [Item(f"w:{number}", "w", "", formula, ONTOLOGY, ()) for number, formula in enumerate(FORMULAS)]
LANGUAGE = LANGUAGES["first_order"]


def certified(question: str) -> str:
    """The certified English of a formula, or the formula of such English, without ∨."""
    kind, _, text = question.partition(": ")
    if kind == "Formula":
        return LANGUAGE.render(LANGUAGE.parse(text), ONTOLOGY)
    return LANGUAGE.write(LANGUAGE.read_english(text, ONTOLOGY)).replace("∨", "∧")


class Certified(OneByOne):
    """Answers so, and is gone after so many answers."""

    def __init__(self, left: int = 1000) -> None:
        self.left = left
        self.asked: list[str] = []

    def answer(self, requests: Sequence[ChatRequest]) -> Iterator[ChatReply]:
        for each in requests:
            if not self.left:
                raise ChatError("gone")
            self.left -= 1
            self.asked.append(each.key)
            said = certified(each.messages[-1].content)
            yield ChatReply(each.key, Ending.ANSWERED, text=json.dumps({"reasoning": "", "answer": said}))


def test_stopped_round_trip_resumes_its_chains(tmp_path: Path) -> None:
    task = RoundTrip(RoundTripEntry(rounds=3))
    plan = task.plan(Setting(7, Prompts(PROMPTS)))

    def numbered(step: Step, seed: int) -> ChatRequest:
        return put(step, seed + step.draw)

    def conversation(journal: Journal) -> Conversation:
        return Conversation([Dialogue(plan, numbered, item, "zero_shot", 3) for item in ITEMS], journal)

    first, second = Certified(left=7), Certified()
    with Journal(tmp_path / "j.jsonl") as journal, pytest.raises(ChatError, match="gone"):
        conversation(journal).ask(first)
    with Journal(tmp_path / "j.jsonl") as journal:
        resumed = conversation(journal)
        resumed.ask(second)
    assert not set(first.asked) & set(second.asked)
    assert len(first.asked) + len(second.asked) == len({*first.asked, *second.asked}) == 3 * 6 + 2
    stops = []
    for dialogue in resumed.dialogues:
        replies = [Reply(each.step.part, each.reply.outcome.value, each.reply.text) for each in dialogue.exchanged]
        judged = task.judgements(dialogue.item, replies)
        stops.append((judged[0].stop, len(replies)))
    assert stops == [("completed", 6), ("completed", 6), ("not_equivalent", 2), ("completed", 6)]


def test_single_item_round_trip_includes_examples(tmp_path: Path) -> None:
    """D15: the released script crashes on a single file, whose use of examples it takes for a stream."""
    plan = RoundTrip(RoundTripEntry(presentations=("few_shot",))).plan(Setting(7, Prompts(PROMPTS)))
    item = replace(ITEMS[0], exemplars=(Exemplar("A is small.", "Small(a)"),))
    with Journal(tmp_path / "j.jsonl") as journal:
        trip = Dialogue(plan, put, item, "few_shot", 3)
        Conversation([trip], journal).ask(Certified())
    assert ["A is small." in each.step.system for each in trip.exchanged] == [True, True]


def test_round_trip_sends_single_batch_per_wave(tmp_path: Path) -> None:
    def answers(number: int, lines: list[dict[str, Any]], looks: int) -> dict[str, Any]:
        said = [certified(line["body"]["messages"][-1]["content"]) for line in lines]
        return {"status": "completed", "output": [answer(line, text) for line, text in zip(lines, said, strict=True)]}

    plan = RoundTrip(RoundTripEntry(rounds=3)).plan(Setting(7, Prompts(PROMPTS)))
    with BatchServer(answers) as server, Journal(tmp_path / "j.jsonl") as journal:
        entry = openai_entry(server.url, batch=True)

        def put_to(step: Step, seed: int) -> ChatRequest:
            return request(entry.identity, step.user, seed=seed + step.draw)

        trips = [Dialogue(plan, put_to, item, "zero_shot", 3) for item in ITEMS]
        Conversation(trips, journal).ask(BatchChat(entry, tmp_path / "j.jsonl"))
        # One formula is lost in the first round.
        assert [len(asked) for asked in server.asked] == [4, 4, 3, 3, 3, 3]
        kinds = [{text.partition(": ")[0] for text in asked} for asked in server.asked]
        assert kinds == [{"Formula"}, {"English"}] * 3
    assert [len(trip.exchanged) for trip in trips] == [6, 6, 2, 6]


@pytest.mark.parametrize(("temperature", "keys"), [(0.7, 6), (0, 2)])
def test_repeated_formula_is_resampled_only_at_positive_temperature(
    temperature: float, keys: int, tmp_path: Path
) -> None:
    entry = openai_entry(None, sampling={"temperature": temperature})
    task = RoundTrip(RoundTripEntry(rounds=3))
    asking = Asking(Offered(tuple(ITEMS[:1]), {}), "toy", "round_trip", task, "m", "", 7, tmp_path)
    (dialogue,) = dialogues(asking, entry, PROMPTS, entry.identity)
    asked = []
    while (request := dialogue.advance()) is not None:
        asked.append(request)
        (reply,) = Certified().answer([request])
        dialogue.take(reply)
    assert len(asked) == 6
    assert len({request.key for request in asked}) == keys
    assert [request.seed for request in asked[:2]] == [0, 0]
