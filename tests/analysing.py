"""Analyses of recorded files, as the workflow's rules run them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import explain_answers
from nlfol.results.analyses.analysis import Given, run
from nlfol.results.analyses.registry import FILES, TOPICS
from nlfol.store.origins import metadata_at


def explain(items: Path, scores: Sequence[Path], entry: str) -> Path:
    """Write the evidence on the answers to a task beside its items."""
    output, about = items.with_name(f"{items.stem}.evidence.arrow"), metadata_at(scores[0])
    explain_answers.main(items, scores, entry, output, dataset=about["dataset"], task=about["task"])
    return output


def analyse(
    topic: str, folder: Path, settings: Mapping[str, Any] = MappingProxyType({}), **inputs: Sequence[Path]
) -> None:
    """Write the files of a topic into a folder; inputs that are not given are rows there, or none."""
    files = {name: inputs.get(name, _rows(name, folder)) for name in TOPICS[topic].inputs}
    run(topic, Given(files, settings), {file: folder / file for file in TOPICS[topic].outputs})


def analyse_all(folder: Path, settings: Mapping[str, Any] = MappingProxyType({}), **inputs: Sequence[Path]) -> None:
    """Write the files of all topics into a folder, those that read others' rows last."""
    made = [topic for topic in TOPICS.values() if topic.files]
    for topic in sorted(made, key=lambda topic: not FILES.keys().isdisjoint(topic.inputs)):
        analyse(topic.name, folder, settings, **inputs)


def _rows(name: str, folder: Path) -> list[Path]:
    return [folder / f"{name}.arrow"] if name in FILES else []
