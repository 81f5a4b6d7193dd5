"""A census: each comparison that is declared makes pairs in a row of some table."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.unit.extras.test_ontology_gaps import asked_both_ways
from tests.unit.results.test_claims import HIGH, LOW, series
from tests.unit.results.test_stability import strategies_in_two_wordings
from tests.unit.training.test_training_table import trained

from nlfol.results.analyses.comparisons import comparisons, thinking
from nlfol.results.analyses.reading import reading
from nlfol.results.analyses.round_trip import few_shot
from nlfol.results.analyses.stability import stability
from nlfol.results.statistics.pairing import COMPARISONS, Comparison
from nlfol.results.statistics.summary import Series
from nlfol_extras.analyses.claims import claims

Found = Iterable[Mapping[str, Any]]


def _thinking(_: Path) -> Found:
    both = [
        replace(one, source=replace(one.source, thinking=thinks, apart_from_thinking="m"))
        for one, thinks in ((series("m", HIGH), True), (series("n", LOW), False))
    ]
    return thinking(both, comparisons(both))


def _claims(*sides: Series) -> Callable[[Path], Found]:
    return lambda _: claims(sides, [])


def _shown(*presentations: str) -> list[Series]:
    return [series("m", scores, presentation=each) for each, scores in zip(presentations, (HIGH, LOW), strict=True)]


def _wording(_: Path) -> Found:
    asked = [
        series("m", scores, "logical_translation", "right", dataset=dataset)
        for dataset, scores in (("toy", HIGH), ("said", LOW))
    ]
    said = ("protocol", "intensity", "types", "forms", "at_most", "glossary", "decoys")
    entries: dict[str, dict[str, Any]] = {
        "toy": {"reader": "family"},
        "said": {"reader": "diversified", "of": "toy", **dict.fromkeys(said)},
    }
    return stability(asked, [], entries)


def _by_strategy(comparison: str) -> Callable[[Path], Found]:
    return lambda folder: (row for row in strategies_in_two_wordings(folder) if row["comparison"] == comparison)


def _ontologies(scope: str) -> Callable[[Path], Found]:
    return lambda folder: (row for row in asked_both_ways(folder).to_dicts() if row["scope"] == scope)


def _trained(*, same_task: bool) -> Callable[[Path], Found]:
    return lambda folder: (
        row for row in trained(folder)[0].to_pylist() if (row["task"] == row["base_task"]) is same_task
    )


_ENDS = (("equivalence", HIGH), ("negation", LOW))

CENSUS: Mapping[str, Callable[[Path], Found]] = {
    "models": lambda _: comparisons([series("m", HIGH), series("n", LOW)]),
    "thinking": _thinking,
    "few_shot": lambda _: few_shot(_shown("few_shot", "zero_shot")),
    "reading": lambda _: reading(_shown("formula", "blind_formula")),
    "wording": _wording,
    **{name: _by_strategy(name) for name in ("strategies", "instructions", "example_words")},
    "ontologies": _ontologies("sentence"),
    "ontologies_of_stories": _ontologies("story"),
    "training": _trained(same_task=True),
    "training_strategy": _trained(same_task=False),
    "presentations": _claims(*_shown("formula", "english")),
    "metrics": _claims(*(series("m", scores, metric=name) for name, scores in _ENDS)),
    "tasks": _claims(series("m", HIGH, "most_similar"), series("m", LOW, metric="equivalence")),
    "kinds": _claims(series("m", HIGH), series("e", LOW)),
    "protocols": _claims(series("m", HIGH, protocol="paper"), series("m", LOW, protocol="audited")),
}
"""The rows that a comparison makes, by its name."""


@pytest.mark.parametrize("comparison", COMPARISONS)
def test_declared_comparisons_make_pairs_in_some_table(
    comparison: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: list[Comparison] = []
    equal = Comparison.equal.fget  # type: ignore[attr-defined]

    def noted(each: Comparison) -> Any:
        used.append(each)
        return equal(each)

    monkeypatch.setattr(Comparison, "equal", property(noted))
    assert any(row["pairs"] for row in CENSUS[comparison](tmp_path))
    assert any(each is COMPARISONS[comparison] for each in used)
