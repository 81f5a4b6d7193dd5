"""The search of the benchmark for programs of checks, and the library's answers, on random programs."""

import json
from pathlib import Path
from random import Random

import pytest
from benchmarks.arlsat import judged, searched

from nlfol.problems.programs import Failure, Outcome, execute

DECLARATIONS = """# Declarations
people = EnumSort([Ann, Bob, Cem])
days = EnumSort([1, 2, 3])
on = Function([people] -> [days])
likes = Function([people, people] -> [bool])
"""


def formula(random: Random, depth: int, variables: tuple[str, ...] = ()) -> str:
    if depth == 0 or random.random() < 0.2:
        first, second = (random.choice(("Ann", "Bob", "Cem", *variables)) for _ in range(2))
        sign = random.choice(("==", "!=", "<", "<="))
        return random.choice(
            (
                f"on({first}) {sign} on({second})",
                f"on({first}) {sign} {random.randint(1, 3)}",
                f"likes({first}, {second})",
            )
        )
    kind = random.choice(("And", "Or", "Implies", "Not", "ForAll", "Exists", "Count", "Distinct"))
    if kind in ("And", "Or", "Implies"):
        return f"{kind}({formula(random, depth - 1, variables)}, {formula(random, depth - 1, variables)})"
    if kind == "Not":
        return f"Not({formula(random, depth - 1, variables)})"
    name = f"x{len(variables)}"
    if kind == "Distinct":
        return f"Distinct([{name}:people], on({name}))"
    inner = f"{kind}([{name}:people], {formula(random, depth - 1, (*variables, name))})"
    return f"{inner} <= {random.randint(0, 3)}" if kind == "Count" else inner


def program(random: Random) -> str:
    checks = ("is_valid({})", "is_sat({})", "is_unsat({})", "is_exception(is_sat({}))", "is_accurate_list([{}, {}])")
    options = [
        f"{random.choice(checks).format(formula(random, 1), formula(random, 1))} ::: ({letter})" for letter in "ABCDE"
    ]
    constraints = [formula(random, 3) for _ in range(3)]
    return "\n".join([DECLARATIONS, "# Constraints", *constraints, "# Options", *options])


@pytest.mark.parametrize("seed", range(60))
def test_search_agrees_with_checks_on_random_programs(seed: int) -> None:
    text = program(Random(seed))
    found = execute("checks", text)
    if found.failure is Failure.CONTRADICTORY:
        assert searched(text) == "contradictory"
    else:
        assert found.outcome in (Outcome.ANSWERED, Outcome.NO_ANSWER)
        assert searched(text) == list(found.trace["options"].values())


def test_released_checks_are_counted(tmp_path: Path) -> None:
    rows = [
        {"id": "1", "options": ["A) a", "B) b"], "answer": "A", "raw_logic_programs": [text]}
        for text in (
            f"{DECLARATIONS}# Constraints\non(Ann) == 1\n# Options\nis_valid(on(Ann) == 1)\nis_sat(on(Ann) == 2)",
            f"{DECLARATIONS}# Constraints\non(Ann) == 4\n# Options\nis_valid(on(Ann) == 1)\nis_sat(on(Ann) == 2)",
            f"{DECLARATIONS}# Constraints\non(Dan) == 1\n# Options\nis_valid(on(Ann) == 1)\nis_sat(on(Ann) == 2)",
        )
    ]
    path = tmp_path / "AR-LSAT_dev_m.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    counts, differing = judged(path)
    assert differing == []
    assert counts == {
        "programs": 3,
        "answered": 1,
        "right": 1,
        "right, first": 1,
        "contradictory": 1,
        "undefined_symbol": 1,
        "search agreed": 2,
    }
