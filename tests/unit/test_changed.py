import pytest
from tests.changed import select_tests

EXISTING = [
    "tests/unit/logic/examples.py",
    "tests/unit/logic/test_boards.py",
    "tests/unit/models/api/test_sending.py",
    "tests/unit/models/test_budget.py",
    "tests/unit/benchmarks/test_lint.py",
    "tests/unit/test_documents.py",
    "tests/unit/test_fork_jobs.py",
]


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        ("workflow/scripts/nlfol/logic/decision/z3.py", {"tests/unit/logic"}),
        ("workflow/scripts/nlfol/models/api/sending.py", {"tests/unit/models/api"}),
        ("workflow/scripts/nlfol/models/budget.py", {"tests/unit/models"}),
        ("workflow/scripts/fork_jobs.py", {"tests/unit/test_fork_jobs.py"}),
        ("benchmarks/boards.py", {"tests/unit/benchmarks"}),
        ("tests/unit/logic/examples.py", {"tests/unit/logic"}),
        ("tests/unit/logic/test_boards.py", {"tests/unit/logic/test_boards.py"}),
        ("tests/unit/logic/test_deleted.py", set()),
        ("docs/lint.md", {"tests/unit/test_documents.py"}),
        ("workflow/rules/models.smk", set()),
    ],
)
def test_changed_file_selects_tests_in_its_package(changed: str, tests: set[str]) -> None:
    assert select_tests([changed], EXISTING) == tests
