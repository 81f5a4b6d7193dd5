"""Settings of the papers' grids, each with the place where its paper gives it, and the key that has it."""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import pytest
import yaml
from tests.examples import ROOT

from nlfol.config import read_configuration
from nlfol.models.entries.embedding import EmbeddingEntry


class Setting(NamedTuple):
    """A setting of grids: where the paper gives it, the path of its key, and its value.

    ``*`` in a path is every entry of a block that has the next key; ``only`` are the entries that are meant.
    """

    place: str
    grids: Sequence[str]
    path: str
    value: Any
    only: Sequence[str] = ()


AUTOEVAL = ("autoeval", "autoeval_benchmarks")
SOLT = ("solt", "fine_tuning")
APIS = ("gpt-4o", "gpt-4o-mini", "gpt-3.5-turbo")

SETTINGS = [
    # Do LLMs Really Struggle at NL-FOL Translation?
    Setting("appendix H: seeds", ["paper"], "models.*.seeds", [3, 12, 26, 85, 107]),
    Setting("appendix H: 2,500 tokens, reasoning included", ["paper"], "reasoning", 1000),
    Setting("the same", ["paper"], "models.gpt-4o-mini.limits.tokens", 1500),
    Setting("appendix H: 10,000 tokens, reasoning included", ["paper"], "models.o3-mini.limits.tokens", 9000),
    Setting("released requests: no top_p", ["paper"], "models.gpt-4o-mini.sampling.top_p", None),
    Setting("appendix H: prompts", ["paper"], "tasks.*.prompt", "published"),
    # ∀uto∃∨∧L
    Setting("appendix E: API models", AUTOEVAL, "models.*.sampling", {"temperature": 0.1, "top_p": None}, APIS),
    Setting("appendix E: open models", AUTOEVAL, "models.llama-3-8b-instruct.sampling.temperature", 1.0),
    Setting("appendix E: default parameters", AUTOEVAL, "models.*.sampling.top_p", None),
    Setting("appendix F: no reasoning", AUTOEVAL, "tasks.round_trip.reasoning", 0),
    Setting("appendix F: names alone", AUTOEVAL, "tasks.round_trip.given", "symbols"),
    Setting("appendix F: no reasoning", ["autoeval"], "tasks.formalization.reasoning", 0),
    Setting("appendix F, prompt 9", ["autoeval_benchmarks"], "tasks.informalization.given", "symbols"),
    Setting("appendix F, prompt 10", ["autoeval_benchmarks"], "tasks.logical_translation.reasoning", 0),
    Setting("five runs of FOLIO and Multi-LogiEval", ["autoeval_benchmarks"], "models.*.seeds", [0, 1, 2, 3, 4]),
    Setting("one run of generated sets", ["autoeval_benchmarks"], "tasks.round_trip.runs", 1),
    Setting("all FOLIO(R) questions", ["autoeval_benchmarks"], "datasets.folio_questions.unproven", "keep"),
    Setting("appendix F, prompt 8", ["autoeval", "autoeval_reasoning"], "tasks.verification.reasoning", 1000),
    Setting("appendix F, prompts 11 to 13", ["autoeval_benchmarks"], "tasks.question_answering.reasoning", 1000),
    Setting("figure 6: three runs of five a value", ["autoeval_reasoning"], "models.*.seeds", [3, 12, 26]),
    Setting("the same", ["autoeval_reasoning"], "datasets.*.count", 5),
    Setting("appendix F: no reasoning", ["autoeval_reasoning"], "tasks.round_trip.reasoning", 0),
    # SoLT and MenTaL
    Setting("appendix C.4: closed models", SOLT, "models.gpt-4.sampling", {"temperature": 0.2, "top_p": None}),
    Setting(
        "appendix C.4: open models by default", SOLT, "models.llama-3-8b-instruct.sampling",
        {"temperature": 0.6, "top_p": 0.9},
    ),
    Setting("section 5.1: five examples", SOLT, "tasks.direct.shots", 5),
    Setting("section 5.1: programs at once", SOLT, "tasks.direct.reasoning", 0),
    Setting("appendix C: threshold", ["solt"], "datasets.folio_diversified_by_models.filter.threshold", 0.9),
]  # fmt: skip


@cache
def grid(name: str) -> dict[str, Any]:
    values: dict[str, Any] = yaml.safe_load((ROOT / f"config/{name}.yaml").read_text(encoding="utf-8"))
    read_configuration(values)
    return values


def found(values: Any, path: Sequence[str], only: Sequence[str]) -> list[Any]:
    if not path:
        return [values]
    key, *rest = path
    if key == "*":
        entries = {name: entry for name, entry in values.items() if rest[0] in entry and (not only or name in only)}
        return [each for entry in entries.values() for each in found(entry, rest, only)]
    return found(values[key], rest, only)


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: f"{setting.place}: {setting.path}")
def test_grids_have_published_settings(setting: Setting) -> None:
    for name in setting.grids:
        values = found(grid(name), setting.path.split("."), setting.only)
        assert values, name
        assert all(value == setting.value for value in values), (name, values)


def test_embedding_instruction_differs_for_sentences_and_formulas() -> None:
    """Appendix H of the translation paper."""
    model = read_configuration(grid("paper")).models["qwen3-embedding-8b-instruct"]
    assert isinstance(model, EmbeddingEntry)
    sentence, english, formula = (model.prompt(role) for role in ("query", "document", "formula"))
    assert sentence == english != formula
    assert model.role_of(formula=True) == "formula"
    assert "sentence" in sentence
    assert "formula" in formula
