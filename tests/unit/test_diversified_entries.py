"""Datasets of a dataset: problems in other words, and the models that make them."""

import re
from typing import Any

import pytest
from tests.examples import default

from nlfol.config import ConfigurationError, read_configuration


def test_diversified_dataset_requires_original_problems() -> None:
    problems = {"rules": {"reader": "family", "family": "rules"}, "varied": {"reader": "diversified", "of": "rules"}}
    values = {**default(), "tasks": {"question_answering": {}}}
    values["models"] = {"chance": values["models"]["chance"]}
    found = read_configuration({**values, "datasets": problems})
    assert found.having("problems") == ["rules", "varied"]
    assert found.having("problems", diversified=False) == ["rules"]
    assert found.having("problems", diversified=True) == ["varied"]
    assert found.pairs() == [("rules", "question_answering"), ("varied", "question_answering")]
    for of in ("varied", "mine", "missing"):
        with pytest.raises(ConfigurationError) as caught:
            read_configuration({**values, "datasets": {**problems, "mine": {"reader": "diversified", "of": of}}})
        assert f"datasets.mine.of: {of} has no problems to diversify; use one of: rules" in str(caught.value)


PAPER = {"protocol": "paper", "rewriter": "gpt", "assembler": "gpt", "filter": {"model": "minilm"}}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"rewriter": "gtp"}, "datasets.varied.rewriter: gtp is no model of kind chat under models; name one of: gpt"),
        ({"filter": {"model": "gpt"}}, "datasets.varied.filter.model: gpt is no model of kind embedding under models"),
        ({"assembler": "minilm"}, "datasets.varied.assembler: minilm is no model of kind chat under models"),
        (
            {"similarity": {"model": "gpt", "least": 0.8}},
            "datasets.varied.similarity.model: gpt is no model of kind embedding under models; name one of: minilm",
        ),
        ({"similarity": {"model": "minilm"}}, "datasets.varied.similarity.least: is missing"),
        ({"similarity": {"model": "minilm", "least": 90}}, "similarity.least: must be less than or equal to 1"),
    ],
)
def test_paper_diversification_requires_existing_models(changed: dict[str, Any], message: str) -> None:
    values = default()
    rules = {"reader": "family", "family": "rules"}
    values["datasets"] = {"rules": rules, "varied": {"reader": "diversified", "of": "rules", **PAPER}}
    values["tasks"] = {"question_answering": {}}
    values["models"] = {
        "gpt": {"kind": "chat", "backend": "openai", "model": "gpt-4o-mini"},
        "minilm": values["models"]["minilm"],
    }
    found = read_configuration(values)
    assert found.stages() == [("varied", "rewriting", "gpt"), ("varied", "assembling", "gpt")]
    assert (found.diversified("paper"), found.diversified("audited"), found.diversified()) == (
        ["varied"],
        [],
        ["varied"],
    )
    assert found.drawing_seed("varied") is None
    values["datasets"]["varied"] |= changed
    with pytest.raises(ConfigurationError, match=re.escape(message)):
        read_configuration(values)


def test_stage_names_are_reserved_for_datasets() -> None:
    values = default()
    values["tasks"]["rewriting"] = {"task": "logical_translation"}
    with pytest.raises(ConfigurationError, match=r"tasks\.rewriting: reserved for a stage"):
        read_configuration(values)
