"""Analyses of recorded files, as the workflow's rules run them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nlfol.analyses.analysis import Given, run
from nlfol.analyses.registry import FILES, TOPICS

NO_SETTINGS: Mapping[str, Any] = {
    "datasets": [],
    "informalizers": [],
    **{name: {} for name in ("scopes", "wordings", "origins", "diversified")},
}


def analyse(topic: str, folder: Path, settings: Mapping[str, Any] = NO_SETTINGS, **inputs: Sequence[Path]) -> None:
    """Write the files of a topic into a folder; inputs that are not given are rows there, or none."""
    files = {name: inputs.get(name, _rows(name, folder)) for name in TOPICS[topic].inputs}
    given = Given(files, {**NO_SETTINGS, **settings})
    run(topic, given, {file: folder / file for file in TOPICS[topic].outputs})


def analyse_all(folder: Path, settings: Mapping[str, Any] = NO_SETTINGS, **inputs: Sequence[Path]) -> None:
    """Write the files of all topics into a folder, those that read others' rows last."""
    made = [topic for topic in TOPICS.values() if topic.files]
    for topic in sorted(made, key=lambda topic: not FILES.keys().isdisjoint(topic.inputs)):
        analyse(topic.name, folder, settings, **inputs)


def _rows(name: str, folder: Path) -> list[Path]:
    return [folder / f"{name}.arrow"] if name in FILES else []
