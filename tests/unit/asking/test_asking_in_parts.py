"""Several jobs ask for one task over one dataset, each about its part of the items."""

import json
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.unit.models.chat_server import ChatServer, Scripted, completion

import ask_chat
from nlfol.asking.asking import Asking, Offered
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.reading import parse
from nlfol.models.journal.siblings import journals_of, part_of
from nlfol.models.request import JobFiles
from nlfol.store.files import StoreError, rows
from nlfol.store.origins import metadata_at
from nlfol.store.parts import WHOLE, Part
from nlfol.store.schemas import RESPONSES
from nlfol.tasks.item import Item
from nlfol.tasks.registry import build_task

PROMPTS = Path(__file__).parents[3] / "resources/prompts"
FORMULAS = [f"{shape}({name})" for shape in ("Cube", "Tet", "Dodec") for name in "abcd"]
ONTOLOGY = derive(map(parse, FORMULAS))
# Two items are about the same formula, in different parts: their requests are the same.
ITEMS = tuple(Item(f"w:{number}", "w", "", text, ONTOLOGY, ()) for number, text in enumerate([*FORMULAS, FORMULAS[0]]))
TRIP = build_task('{"task": "round_trip", "rounds": 1, "reasoning": 1, "presentations": ["zero_shot"]}')
"""A task of two steps, the second of which is about the answer to the first."""


class Trips:
    """A model that takes the round trip, and the folder of what it said."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder = folder
        self.journal = folder / "journal/m/d.trip.jsonl"
        entry = {"kind": "chat", "backend": "openai", "model": "m", "base_url": url, "api_key_env": None}
        self.entry = json.dumps(entry | {"seeds": [5, 2], "retries": 1, "price": {"prompt": 3, "completion": 9}})

    def ask(self, name: str, part: Part = WHOLE, origin: str = "1") -> Path:
        """Return the file of responses that a job writes."""
        output = self.folder / f"{name}.arrow"
        of_part = part.of > 1 and not part.made
        kept = part_of(self.journal, part.number) if of_part else self.journal
        offered = Offered(ITEMS, {"made_from.items/d/trip": origin})
        asking = Asking(offered, "d", "trip", TRIP, "m", self.entry, 7, output, part)
        ask_chat.main(asking, PROMPTS, JobFiles(kept, self.folder / "sharers"))
        return output

    def parts(self, count: int) -> Sequence[Path]:
        """Return the files of so many jobs that ask at once."""
        listed = [Part(number, count) for number in range(1, count + 1)]
        with ThreadPoolExecutor(count) as pool:
            return [*pool.map(lambda part: self.ask(f"{part.number}-of-{count}", part), listed)]

    def gathered(self, count: int) -> Path:
        """Return the file that is gathered from theirs."""
        return self.ask(f"of-{count}", Part(made=self.parts(count)))


def said(body: dict[str, Any]) -> Scripted:
    """Repeat the formula as its English, and the English as its formula."""
    answer = body["messages"][-1]["content"].partition(": ")[2]
    return Scripted(body=completion(json.dumps({"reasoning": "", "answer": answer})))


def test_any_number_of_parts_asks_each_request_once_and_makes_same_file(tmp_path: Path) -> None:
    lost: Counter[str] = Counter()

    def unsteady(body: dict[str, Any]) -> Scripted:
        """Answer so, but break off the first reply about one formula, which may be charged."""
        question = json.dumps(body["messages"][-1])
        lost[question] += "Tet(b)" in question
        return Scripted(body=completion(""), manner="cut") if lost[question] == 1 else said(body)

    with ChatServer(every=unsteady) as server:
        trips = Trips(tmp_path, server.url)
        three = trips.gathered(3)
        asked = len(server.bodies)
        one, five = trips.ask("one"), trips.gathered(5)
        assert len(server.bodies) == asked
    assert three.read_bytes() == one.read_bytes() == five.read_bytes()
    about = [(row["presentation"], row["seed"], row["item"], row["step"]) for row in rows(one, RESPONSES)]
    assert about == [("zero_shot", seed, item.item, step) for seed in (5, 2) for item in ITEMS for step in (1, 2)]
    keys = [json.loads(line)["key"] for path in journals_of(trips.journal) for line in path.open(encoding="utf-8")]
    assert len(keys) == len(set(keys)) == len(FORMULAS) * 2 * 2
    assert asked == len(keys) + len(lost.keys() & {question for question, count in lost.items() if count})
    assert float(metadata_at(three)["perhaps"]) > 0


def test_parts_of_other_items_are_not_gathered(tmp_path: Path) -> None:
    with ChatServer(every=said) as server:
        trips = Trips(tmp_path, server.url)
        made = trips.parts(2)
        with pytest.raises(StoreError, match=r"1-of-2\.arrow: made from other files than those that are there"):
            trips.ask("gathered", Part(made=made), origin="2")


def test_each_item_has_one_part_whatever_others_there_are() -> None:
    names = [f"w:{number}" for number in range(1000)]
    for count in (1, 2, 7):
        parts = [Part(number, count) for number in range(1, count + 1)]
        held = [[name for name in names if part.has(name)] for part in parts]
        assert sorted(name for part in held for name in part) == sorted(names)
        assert min(map(len, held)) > 0.8 * len(names) / count
