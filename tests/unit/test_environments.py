import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PINNED = re.compile(r"([A-Za-z0-9._-]+)==([0-9][^\s;#]*)")


def pin(entry: str) -> tuple[str, str]:
    match = PINNED.fullmatch(entry)
    assert match, f"{entry!r}: every requirement is pinned"
    return match[1].lower().replace("_", "-"), match[2]


def pins(path: Path) -> dict[str, str]:
    lines = (line.partition("#")[0].strip() for line in path.read_text().splitlines())
    return dict(pin(line) for line in lines if line and not line.startswith("-r "))


def environment_pins(path: Path) -> dict[str, str]:
    loaded: dict[str, Any] = yaml.safe_load(path.read_text())
    (of_pip,) = (entry["pip"] for entry in loaded["dependencies"] if isinstance(entry, dict))
    return dict(pin(entry) for entry in of_pip)


@pytest.mark.parametrize("path", sorted((ROOT / "envs").glob("*.yaml")), ids=lambda path: path.name)
def test_environments_pin_what_the_requirements_pin(path: Path) -> None:
    required = pins(ROOT / "requirements.txt")
    assert environment_pins(path).items() <= required.items()


@pytest.mark.parametrize(
    "name", ["requirements.txt", "requirements-dev.txt", "requirements-cuda.txt", "requirements-adapters.txt"]
)
def test_constraints_agree_with_requirements(name: str) -> None:
    assert pins(ROOT / name).items() <= pins(ROOT / "constraints.txt").items()


def test_every_rule_has_an_environment_that_exists() -> None:
    for rules in sorted((ROOT / "workflow" / "rules").glob("*.smk")):
        for environment in re.findall(r'conda:\s+"([^"]+)"', rules.read_text()):
            assert (rules.parent / environment).resolve().is_file()
