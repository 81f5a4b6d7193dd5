"""Programs read strictly and tolerantly, and the liberties that they need."""

import json
from pathlib import Path

from tests.unit.results.drifting_programs import PROBLEMS, PROGRAM
from tests.unit.tasks.problem_experiment import Experiment, gold

from nlfol.results.statistics.summary import load
from nlfol.tasks.item import Item
from nlfol_extras.analyses.readings import problems_of, readings


def test_readings_count_right_programs_and_liberties(tmp_path: Path) -> None:
    asked = Experiment(tmp_path, PROBLEMS)

    def answer(number: int, item: Item) -> str:
        written = json.loads(gold(number, item))
        return json.dumps({**written, "query": f"**{written['query']}**" if number % 2 else written["query"]})

    asked.add(PROGRAM, "m", answer)
    found = list(readings(map(load, asked.scores), problems_of(asked.items.values())))
    whole, marked = found
    assert (whole["liberty"], marked["liberty"], whole["tolerant"]) == ("all", "markup", whole["programs"])
    assert whole["strict"] == whole["programs"] - marked["programs"]
    assert (marked["strict"], marked["tolerant"]) == (0, marked["programs"])
