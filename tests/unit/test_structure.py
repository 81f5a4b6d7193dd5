"""How large the parts of the project may grow."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "workflow/scripts/nlfol"


def _lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def test_no_module_is_longer_than_400_lines_and_no_rule_file_than_150() -> None:
    modules = [*LIBRARY.rglob("*.py"), *LIBRARY.parent.glob("*.py")]
    rules = [*(ROOT / "workflow/rules").glob("*.smk"), ROOT / "Snakefile"]
    assert len(modules) > 100
    assert len(rules) > 10
    assert {path.name: _lines(path) for path in modules if _lines(path) > 400} == {}
    assert {path.name: _lines(path) for path in rules if _lines(path) > 150} == {}


def test_models_has_at_most_12_entries_at_its_top() -> None:
    found = {path.name for path in (LIBRARY / "models").iterdir() if path.name != "__pycache__"}
    assert {"entries", "api", "batches", "budget", "journal", "local", "vectors", "serving"} < found
    assert len(found) <= 12


def test_every_kind_of_task_has_its_module_and_its_prompts() -> None:
    from nlfol.tasks.registry import KINDS

    for kind, task in KINDS.items():
        assert task.__module__ == f"nlfol.tasks.{kind}"
        assert list((ROOT / "resources/prompts" / kind).glob("*.jinja"))


def test_nothing_but_its_own_module_and_data_names_a_kind_of_task() -> None:
    from nlfol.tasks.registry import KINDS

    # Names of tables, and columns of published figures and of one analysis, that are called alike.
    other_meanings = {
        *("tables/round_trip.py", "tables/verification.py"),
        *("tables/names.py", "tables/registry.py", "tables/scores.py", "tables/published.py", "tables/comparisons.py"),
        *("tables/problems.py", "tables/rating.py"),
        *(
            "statistics/comparisons.py",
            "statistics/task_agreement.py",
            "store/analysis_schemas.py",
            "store/problem_schemas.py",
        ),
        *("statistics/claims.py", "tables/claims.py"),  # what the paper claims of its tasks
        *("report/links.py", "report/items.py", "provenance/selection.py"),
        *("cli/main.py", "cli/solve.py", "cli/align.py"),  # where a program is a key of a record
    }
    naming = {
        path.relative_to(LIBRARY).as_posix()
        for path in LIBRARY.rglob("*.py")
        if path.relative_to(LIBRARY).parts[0] != "tasks"
        and any(f'"{kind}"' in path.read_text(encoding="utf-8") for kind in KINDS)
    }
    assert naming == other_meanings
