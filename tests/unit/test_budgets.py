"""Limits on the lines of Python of each package: to add more, move something out, or raise the number here.

The command ``python -m tests.unit.test_budgets`` prints the table of the sizes that there are.
"""

import math
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STEP = 50

BUDGETS = {
    "benchmarks": 17_250,
    "nlfol": 1_350,
    "nlfol/asking": 2_700,
    "nlfol/cli": 2_700,
    "nlfol/config": 1_250,
    "nlfol/data": 5_350,
    "nlfol/harnesses": 450,
    "nlfol/logic": 13_950,
    "nlfol/models": 7_400,
    "nlfol/problems": 13_500,
    "nlfol/provenance": 850,
    "nlfol/report": 1_450,
    "nlfol/results": 10_850,
    "nlfol/sets": 3_050,
    "nlfol/store": 2_800,
    "nlfol/tasks": 11_400,
    "nlfol/training": 950,
    "nlfol_extras": 350,
    "nlfol_extras/analyses": 6_100,
    "nlfol_extras/batches": 500,
    "nlfol_extras/board": 400,
    "nlfol_extras/commands": 1_850,
    "nlfol_extras/explaining": 400,
    "nlfol_extras/hub": 300,
    "nlfol_extras/lint": 1_100,
    "nlfol_extras/ontologies": 1_000,
    "nlfol_extras/paper": 650,
    "nlfol_extras/proving": 500,
    "nlfol_extras/released": 450,
    "nlfol_extras/serving": 550,
    "scripts": 2_050,
    "tests": 650,
    "tests/property": 2_000,
    "tests/unit": 62_350,
    "tests/workflow": 6_150,
}
"""Lines by package; ``nlfol`` and ``tests`` alone are the modules beside their packages."""

TOTALS = {
    "benchmarks": 17_250,
    "nlfol": 79_650,
    "nlfol_extras": 13_900,
    "scripts": 2_050,
    "tests": 71_100,
}
"""Lines of all packages whose name begins so."""


def sizes(root: Path) -> Counter[str]:
    """Return the lines of Python by package of a checkout."""
    lines: Counter[str] = Counter()
    for folder, depth in (("workflow/scripts", 2), ("tests", 2), ("benchmarks", 1)):
        for path in (root / folder).rglob("*.py"):
            within = path.parent.relative_to(root / folder).parts
            # Tests are by kind: those of a package move with it.
            package = (
                "/".join(within[:depth]) if folder == "workflow/scripts" else "/".join((folder, *within[: depth - 1]))
            )
            lines[package or "scripts"] += len(path.read_text(encoding="utf-8").splitlines())
    return lines


def faults(lines: Counter[str], budgets: dict[str, int], totals: dict[str, int]) -> list[str]:
    """Return a line for each package without a number, or above it, and for each number without a package."""
    remedy = "move something out, or raise the number in tests/unit/test_budgets.py in the same commit"
    sums = {name: sum(count for package, count in lines.items() if package.split("/")[0] == name) for name in totals}
    return [
        *(f"{name} has {count} lines and no budget: {remedy}" for name, count in lines.items() if name not in budgets),
        *(f"{name} is gone: delete its budget" for name in budgets if name not in lines),
        *(
            f"{name} has {count} lines, {count - limits[name]} too many: {remedy}"
            for counts, limits in ((lines, budgets), (sums, totals))
            for name, count in counts.items()
            if count > limits.get(name, math.inf)
        ),
    ]


def test_package_sizes_stay_within_budgets() -> None:
    assert faults(sizes(ROOT), BUDGETS, TOTALS) == []


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ({"nlfol": 5, "nlfol/logic": 10}, None),
        ({"nlfol": 5, "nlfol/logic": 11}, "nlfol/logic has 11 lines, 1 too many: move something out, or raise"),
        ({"nlfol": 10, "nlfol/logic": 9}, "nlfol has 19 lines, 1 too many: move something out, or raise"),
        ({"nlfol": 5, "nlfol/logic": 5, "nlfol/new": 1}, "nlfol/new has 1 lines and no budget: move something out"),
        ({"nlfol": 5}, "nlfol/logic is gone: delete its budget"),
    ],
)
def test_budget_check_names_oversized_or_unlisted_package(lines: dict[str, int], fault: str | None) -> None:
    found = faults(Counter(lines), {"nlfol": 12, "nlfol/logic": 10}, {"nlfol": 18})
    assert [line[: len(fault or "")] for line in found] == ([fault] if fault else [])


def test_package_sizes_count_lines_per_package(tmp_path: Path) -> None:
    for name in (
        *("workflow/scripts/judge.py", "workflow/scripts/nlfol/words.py", "workflow/scripts/nlfol/logic/a/b.py"),
        *("tests/examples.py", "tests/unit/logic/test_b.py", "benchmarks/speed.py"),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("1\n2\n", encoding="utf-8")
    assert sizes(tmp_path).keys() == {"scripts", "nlfol", "nlfol/logic", "tests", "tests/unit", "benchmarks"}
    assert set(sizes(tmp_path).values()) == {2}


def main() -> None:
    """Print both tables, rounded up."""
    lines = sizes(ROOT)
    totals: Counter[str] = Counter()
    for name, count in lines.items():
        totals[name.split("/")[0]] += count
    for title, counts in (("BUDGETS", lines), ("TOTALS", totals)):
        entries = (f'    "{name}": {math.ceil(count / STEP) * STEP:_},' for name, count in sorted(counts.items()))
        print(f"{title} = {{", *entries, "}", sep="\n")


if __name__ == "__main__":
    main()
