"""A model's English as the sentences of another task, and who formalizes whose."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import yaml
from tests.analysing import analyse
from tests.stored import stored

import take_answers
from nlfol.config import ConfigurationError, read_configuration
from nlfol.results.statistics.clusters import clustered_mean
from nlfol.results.tables.table import Sample, Score
from nlfol.store import files, schemas
from nlfol.store.files import read_frame
from nlfol_extras.analyses.crossed import ANALYSIS, CROSSED

ENTRY = json.dumps({"task": "logical_translation", "english": {"of": "m", "in": "trip"}})
VERIFICATION = json.dumps({"task": "verification", "pairs": {"of": "m", "in": "trip"}})


def item(name: str, **more: Any) -> dict[str, Any]:
    about: dict[str, Any] = {"language": "propositional", "text": "Certified.", "formula": "p1", "category": 1}
    return stored(schemas.ITEMS, item=name, exemplars=[{"text": "A.", "formula": "p2"}], **about, **more)


def score(name: str, answer: str | None, outcome: str = "answered", **more: Any) -> dict[str, Any]:
    about = {"presentation": "zero_shot", "seed": 3, "metric": "copied"}
    return stored(schemas.SCORES, **{**about, "item": name, "answer": answer, "outcome": outcome, **more})


def test_taken_english_replaces_text_with_first_round(tmp_path: Path) -> None:
    refused = {"status": "refused", "reason": "no_exemplar", "detail": "has none"}
    about = {"dataset": "d", "task": "trip", "task_kind": "round_trip", "protocol": ""}
    items = [item("a:0"), item("b:0"), item("c:0"), item("d:0", **refused)]
    files.write(tmp_path / "items.arrow", schemas.ITEMS, items, about)
    scores = [
        score("a:0", "p1", metric="truth", formula="p1", verdict="equivalent", means="identical"),
        score("a:0", "It rains."),
        score("b:0", None, "truncated"),
        score("b:0", None, "truncated", metric="truth"),
        score("a:0", "It rains again.", metric="copied@2", round=2),
        score("a:0", "It pours.", seed=12),
        score("a:0", "It snows.", presentation="few_shot"),
        score("c:0", "It hails.", presentation="few_shot"),
    ]
    said = {**about, "model": "m", "kind": "chat", "available": "3"}
    files.write(tmp_path / "scores.arrow", schemas.SCORES, scores, said)

    def taken(task: str, entry_json: str) -> pa.Table:
        output = tmp_path / f"{task}.arrow"
        sources = (tmp_path / name for name in ("items.arrow", "scores.arrow"))
        take_answers.main(*sources, dataset="d", task=task, task_json=entry_json, output=output)
        return files.read(output, schemas.ITEMS)

    table = taken("crossed", ENTRY)
    rows = table.to_pylist()
    assert [(row["item"], row["status"], row["reason"]) for row in rows] == [
        ("a:0", "usable", None),
        ("b:0", "refused", "no_english"),
        ("c:0", "refused", "not_asked"),
        ("d:0", "refused", "no_exemplar"),
    ]
    assert rows[0]["text"] == "It rains."
    assert [row["exemplars"] for row in rows] == [[]] * 4
    metadata = files.metadata_of(table)
    assert (metadata["task"], metadata["task_kind"]) == ("crossed", "logical_translation")
    assert "made_from.scores/d/trip/m" in metadata

    # Its examples come along, where it is asked with examples.
    few = json.dumps(json.loads(ENTRY) | {"prompt": "formalization", "presentations": ["few_shot"]})
    assert [len(row["exemplars"]) for row in taken("few", few).to_pylist()] == [1, 1, 1, 0]

    # The formula in place of the English, beside the item's.
    pairs = taken("verified", VERIFICATION).to_pylist()
    assert [(row["item"], row["reason"]) for row in pairs] == [
        ("a:0", None),
        ("b:0", "no_formula"),
        ("c:0", "not_asked"),
        ("d:0", "no_exemplar"),
    ]
    assert pairs[0]["text"] == "Certified."
    assert [member["role"] for member in pairs[0]["candidates"]] == ["gold", "equivalent"]


def test_crossed_table_averages_formalizer_by_informalizer(tmp_path: Path) -> None:
    paths = []
    for model, kind, right in (("m", "chat", (1, 0, 1)), ("n", "chat", (1, 0, 0)), ("chance", "chance", (0, 0, 0))):
        rows = [
            score(f"{story}:0", "p1", metric="equivalence", score=float(value), verdict="equivalent", presentation="")
            for story, value in zip("abc", right, strict=True)
        ]
        said = {"dataset": "d", "task": "crossed", "task_kind": "logical_translation", "protocol": ""}
        said |= {"model": model, "kind": kind, "available": "4"}
        files.write(tmp_path / f"{model}.arrow", schemas.SCORES, rows, said)
        paths.append(tmp_path / f"{model}.arrow")
    analyse("crossed", tmp_path, {"informalizers": ["m"] * 3}, crossed_scores=paths)
    table = ANALYSIS.tables[0].table(read_frame(tmp_path / "crossed.arrow", CROSSED))
    assert [row[:4] for row in table.rows] == [("d", "crossed", "m", name) for name in ("m", "n", "chance")]
    assert [row[4:6] for row in table.rows] == [(Sample(3, 4), 1), (Sample(3, 4), 1), (Sample(3, 4), None)]
    means = [clustered_mean(right, ["a", "b", "c"]) for right in ([1, 0, 1], [1, 0, 0])]
    expected = [Score(mean.mean, None, mean.low, mean.high) for mean in means]
    assert [row[6] for row in table.rows] == [*expected, Score(0.0)]


def test_crossed_rows_share_common_items(tmp_path: Path) -> None:
    """The silent informalizer's easier items are those of the other's row, too."""
    paths = []
    for task, right in (("of_talker", {"a": 1, "b": 0, "c": 0}), ("of_silent", {"a": 1})):
        rows = [
            score(f"{story}:0", "p1", metric="equivalence", score=float(value), verdict="equivalent", presentation="")
            for story, value in right.items()
        ]
        said = {"dataset": "d", "task": task, "task_kind": "logical_translation", "protocol": ""}
        said |= {"model": "m", "kind": "chat", "available": str(len(rows))}
        paths.append(tmp_path / f"{task}.arrow")
        files.write(paths[-1], schemas.SCORES, rows, said)
    analyse("crossed", tmp_path, {"informalizers": ["talker", "silent"]}, crossed_scores=paths)
    rows = read_frame(tmp_path / "crossed.arrow", CROSSED).to_dicts()
    assert [(row["informalizer"], row["items"], row["available"], row["mean"]) for row in rows] == [
        ("talker", 1, 3, 1),
        ("silent", 1, 1, 1),
    ]


CONFIGURATION = """
seed: 7
datasets:
  regular: {reader: grammar, grammar: regular, values: [2], count: 1}
  k_sat: {reader: grammar, grammar: k_sat, values: [2], count: 1}
  propositional: {reader: grammar, grammar: propositional, values: [2], count: 1}
tasks:
  round_trip: {datasets: [regular, k_sat]}
  crossed: {task: logical_translation, english: {of: reader, in: round_trip}}
models:
  reader: {kind: reader}
  chance: {kind: chance}
"""


def configured(**english: str) -> dict[str, Any]:
    values: dict[str, Any] = yaml.safe_load(CONFIGURATION)
    values["tasks"]["crossed"]["english"] |= english
    return values


def test_pairs_are_asked_on_round_trip_datasets() -> None:
    values = configured()
    values["tasks"]["verified"] = {"task": "verification", "pairs": {"of": "reader", "in": "round_trip"}}
    pairs = read_configuration(values).pairs()
    assert [pair for pair in pairs if pair[1] == "verified"] == [("regular", "verified"), ("k_sat", "verified")]
    values["tasks"]["verified"]["pairs"]["in"] = "crossed"
    with pytest.raises(ConfigurationError, match=r"tasks.verified.pairs.in: crossed is no round trip under tasks"):
        read_configuration(values)


def test_taken_english_is_asked_on_round_trip_datasets() -> None:
    configuration = read_configuration(configured())
    # Expressions are nothing to translate.
    assert [pair for pair in configuration.pairs() if pair[1] == "crossed"] == [("k_sat", "crossed")]
    assert configuration.model_dump(mode="json")["tasks"]["crossed"]["english"] == {"of": "reader", "in": "round_trip"}


@pytest.mark.parametrize(
    ("english", "message"),
    [
        ({"in": "crossed"}, "tasks.crossed.english.in: crossed is no round trip under tasks; name one"),
        ({"in": "nothing"}, "tasks.crossed.english.in: nothing is no round trip under tasks; name one"),
        ({"of": "chance"}, "tasks.crossed.english.of: chance is no model that does round_trip; name one"),
        ({"of": "nobody"}, "tasks.crossed.english.of: nobody is no model that does round_trip; name one"),
    ],
)
def test_taken_english_rejects_missing_source(english: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        read_configuration(configured(**english))


def test_formalization_prompt_requires_round_trip_keys() -> None:
    values = configured()
    values["tasks"]["crossed"]["prompt"] = "formalization"
    with pytest.raises(ConfigurationError, match=r"tasks.crossed: round trips .* say \{'limits.formula': 2000\}"):
        read_configuration(values)
    values["tasks"]["crossed"]["limits"] = {"formula": 2000}
    assert read_configuration(values).tasks["crossed"].shown_as == ("zero_shot",)
    values["tasks"]["crossed"] |= {"prompt": "own", "given": "glosses"}
    with pytest.raises(ConfigurationError, match="given and presentations are of prompt: formalization"):
        read_configuration(values)
