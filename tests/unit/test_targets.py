"""Folders that the command line asks for and no rule makes."""

import pytest

from nlfol.config import ConfigurationError, check_targets


@pytest.mark.parametrize(
    "arguments",
    [
        ["--cores", "2", "results/tables", "results/report"],
        ["./results/tables", "results/manifest.json", "results/scores/a/b/c.arrow", "check", "estimate"],
        ["--forcerun=results/tables", "--report", "report.html"],
    ],
)
def test_target_check_accepts_legitimate_arguments(arguments: list[str]) -> None:
    check_targets(arguments, "results")


@pytest.mark.parametrize(
    ("target", "results", "message"),
    [
        ("results/tables", "results-mine", "ask for results-mine/tables, or set results: results in the file"),
        ("results-mine/report", "results", "has results: results; ask for results/report"),
        ("results/tabels", "results", r"no target results/tabels \(did you mean results/tables\?\)"),
    ],
)
def test_target_check_suggests_intended_folder(target: str, results: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        check_targets(["--cores", "2", target], results)
