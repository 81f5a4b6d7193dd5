"""Limits on the size of the project's parts."""

import ast
import re
from pathlib import Path

import pytest
from tests.examples import ROOT

from nlfol.tasks.registry import KINDS

LIBRARY = ROOT / "workflow/scripts/nlfol"


def _lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def test_modules_and_rule_files_stay_within_line_limits() -> None:
    modules = [*LIBRARY.parent.rglob("*.py")]
    rules = [*(ROOT / "workflow").rglob("*.smk"), ROOT / "Snakefile"]
    assert len(modules) > 100
    assert len(rules) > 10
    assert {path.name: _lines(path) for path in modules if _lines(path) > 400} == {}
    assert {path.name: _lines(path) for path in rules if _lines(path) > 150} == {}


def test_rule_files_assign_distinct_names() -> None:
    # They share a namespace: the second would replace the first.
    first: dict[str, str] = {}
    twice = []
    for path in [ROOT / "Snakefile", *sorted((ROOT / "workflow").rglob("*.smk"))]:
        for name in set(re.findall(r"^(?:def (\w+)\(|(\w+) = )", path.read_text(encoding="utf-8"), re.MULTILINE)):
            assigned = "".join(name)
            if first.setdefault(assigned, path.name) != path.name:
                twice.append((assigned, first[assigned], path.name))
    assert len(first) > 50
    assert twice == []


def test_models_package_has_at_most_12_entries() -> None:
    found = {path.name for path in (LIBRARY / "models").iterdir() if path.name != "__pycache__"}
    assert {"entries", "providers", "api", "budget.py", "journal", "local", "vectors", "serving"} < found
    assert len(found) <= 12


def test_task_kinds_have_module_and_prompts() -> None:
    for kind, task in KINDS.items():
        assert task.__module__.rpartition(".")[2] == kind
        own = ROOT / "resources/prompts", LIBRARY.with_name("nlfol_extras") / "prompts"
        assert [path for folder in own for path in folder.glob(f"{kind}/*.jinja")]


def _switches(source: str) -> list[str]:
    """Return the expressions that tell kinds of task apart.

    These are comparisons of something called a kind or a task with a kind's name or class, look-ups by such a name, and
    ``isinstance`` of a task's class or entry. Names of tables, columns and keys that are called alike are none.
    """
    classes = {task.__name__ for task in KINDS.values()}
    entries = {task.entry_type.__name__ for task in KINDS.values()}

    def names_kind(node: ast.expr) -> bool:
        return any(
            (isinstance(part, ast.Constant) and part.value in KINDS)
            or (isinstance(part, ast.Name) and part.id in classes)
            for part in ast.walk(node)
        )

    def is_of_task(node: ast.expr) -> bool:
        return re.search("kind|task|asked", ast.unparse(node), re.IGNORECASE) is not None

    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Compare(left=left, comparators=others):
                operands = [left, *others]
                switches = any(map(names_kind, operands)) and any(
                    is_of_task(one) for one in operands if not names_kind(one)
                )
            case ast.Match(subject=subject, cases=cases):
                patterns = [part for case in cases for part in ast.walk(case.pattern)]
                named = [part.value for part in patterns if isinstance(part, ast.MatchValue)]
                switches = is_of_task(subject) and any(map(names_kind, named))
            case ast.Subscript(value=ast.Name(id="TASKS" | "KINDS" | "STAGES" | "FACTS"), slice=key):
                switches = names_kind(key)
            case ast.Subscript(value=ast.Dict(keys=keys)):
                switches = any(key is not None and names_kind(key) for key in keys)
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, types]):
                switches = any(isinstance(part, ast.Name) and part.id in classes | entries for part in ast.walk(types))
            case _:
                continue
        if switches:
            found.append(ast.unparse(node))
    return found


def test_task_kind_switches_stay_inside_tasks_package() -> None:
    modules = [path for path in LIBRARY.rglob("*.py") if path.relative_to(LIBRARY).parts[0] != "tasks"]
    found = {path.name: _switches(path.read_text(encoding="utf-8")) for path in modules}
    assert {name: switches for name, switches in found.items() if switches} == {}
    rules = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "workflow/rules").glob("*.smk"))
    assert [kind for kind in KINDS if f'"{kind}"' in rules] == []


@pytest.mark.parametrize(
    ("source", "is_switch"),
    [
        ('entry.task == "round_trip"', True),
        ('(row["task_kind"], row["metric"]) == ("question_answering", "right")', True),
        ('source.task_kind in ("ranking", "most_similar")', True),
        ('pl.col("task_kind") == RoundTrip.kind', True),
        ("source.asked is not Rating", True),
        ("isinstance(entry, VerificationEntry)", True),
        ('TASKS["program"]', True),
        ('{"program": 1, "ranking": 2}[entry.task]', True),
        ('match entry.task:\n    case "program":\n        pass', True),
        ('match column:\n    case "most_similar":\n        pass', False),
        ('record["program"]', False),
        ('key == "program"', False),
        ("TASKS[entry.task].form is AnswerForm.PROGRAM", False),
        ('Table("round_trip", ())', False),
        ("RATING = Rating.other_metrics", False),
    ],
)
def test_switch_detector_ignores_namesakes(source: str, is_switch: bool) -> None:
    assert bool(_switches(source)) is is_switch
