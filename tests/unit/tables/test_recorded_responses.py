"""From recorded responses through scoring, aggregation and rendering: every figure worked out by hand.

Of the interval of a mean: the standard error is ``sqrt(G / (G - 1) * sum of squared residuals of stories) / n``. With
so few items it is always Wilson's, of ``min(n, mean * (1 - mean) / error²)`` items, or of as many as stories where the
error is 0. Of a difference it is Student's, with G - 1 degrees of freedom.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Sequence
from math import exp, pi, sqrt, tan
from pathlib import Path
from typing import Any

import pytest
from tests.unit.tables import recorded

import aggregate_candidates
import aggregate_costs
import aggregate_positions
import aggregate_refusals
import aggregate_scores
import analyse_scores
import audit_gold
import judge_answers
import measure_datasets
import render_tables
from nlfol.models.canonical import canonical, sha256
from nlfol.provenance.manifest import to_text
from nlfol.store import files, schemas
from nlfol.tables.registry import TABLES

FIGURES = Path(__file__).parents[3] / "resources/published/nl_fol_lt.csv"
ANALYSES = ("differences", "thinking", "task_agreements", "repetitions", "correlations", "faults")

Value = str | float | None
Scores = tuple[list[list[float]], list[list[float]]]
"""Of alpha and of beta, by seed and item."""
NOTHING = [None] * 4

Z = 1.959963984540054  # the normal distribution's quantile at 0.975
# Student's at 0.975 and at 0.8, with 2 degrees of freedom and with 1: his distribution has a closed form there.
T2, POWER2 = 0.95 * sqrt(2 / (1 - 0.95**2)), 0.6 * sqrt(2 / (1 - 0.6**2))
T1, POWER1 = tan(pi * 0.475), tan(pi * 0.3)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recorded")
    asked = recorded.write(folder)
    scores = [folder / f"scores.{task}.{model}.arrow" for task, model in asked]
    for (task, model), path in zip(asked, scores, strict=True):
        entry: dict[str, Any] = {"task": task}
        if task != "logical_translation":
            entry |= {"perturbations": 3}
        judge_answers.main(folder / f"{task}.arrow", folder / f"{task}.{model}.arrow", json.dumps(entry), path)
    made = {name: [folder / f"{name}.arrow"] for name in render_tables.SCHEMAS}
    aggregate_scores.main(scores, *made["cells"])
    analyse_scores.main(scores, {name: made[name][0] for name in ANALYSES})
    aggregate_positions.main(scores, *made["positions"])
    chat = [folder / f"{task}.{model}.arrow" for task, model in asked if model in ("alpha", "beta")]
    aggregate_costs.main(chat, *made["costs"])
    candidates = {task: folder / f"{task}.arrow" for task in recorded.MODELS}
    aggregate_candidates.main([candidates["most_similar"], candidates["ranking"]], *made["edit_mix"])
    sentences, triples = _stages(folder)
    measure_datasets.main({"toy": triples}, made["complexity"][0], made["corrections"][0])
    audit_gold.main(scores, {"toy": sentences}, made["gold_audit"][0], folder / "gold_audit.jsonl")
    manifest = folder / "manifest.json"
    manifest.write_text(to_text({"digest": sha256(canonical({})), "experiment": {}}), encoding="utf-8")
    drawn = [("toy", task, path) for task, path in candidates.items()]
    aggregate_refusals.main(["toy"], [sentences], [triples], drawn, *made["refusals"])
    made["audits"] = []
    render_tables.main(made, FIGURES, manifest, [folder / f"tables/{name}.csv" for name in TABLES])
    return folder / "tables"


def _stages(folder: Path) -> tuple[Path, Path]:
    """The files of sentences and triples: those of ITEMS, and before them one that was refused."""
    refused: dict[str, Any] = {
        "status": "refused",
        "reason": "syntax",
        "detail": "Cat(: unexpected end",
        "formula": None,
    }
    usable: dict[str, Any] = {"status": "usable", "reason": None, "detail": None}
    as_published: dict[str, Any] = {"correction": None, "regained": None, "repairs": []}
    rows: list[dict[str, Any]] = [
        {"item": "d:0", "story": "d", "index": 0, "text": "Tom.", "source_formula": "Cat(", **as_published, **refused}
    ]
    for item, (text, formula) in recorded.ITEMS.items():
        row = {"item": item, "story": item[0], "index": int(item[2]), "text": text, "source_formula": formula}
        rows.append({**row, "formula": formula, **as_published, **usable})
    files.write(folder / "sentences.arrow", schemas.SENTENCES, rows, {"dataset": "toy"})
    of_triples = [{name: value for name, value in row.items() if name != "source_formula"} for row in rows]
    triples = [{**row, "ontology": recorded.ONTOLOGY if row["formula"] else None} for row in of_triples]
    files.write(folder / "triples.arrow", schemas.TRIPLES, triples, {"dataset": "toy"})
    return folder / "sentences.arrow", folder / "triples.arrow"


def check(tables: Path, name: str, expected: Iterable[Any]) -> None:
    """Every row of a table, every value in full."""
    with (tables / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    wanted = [list(row) for row in expected]
    assert [len(row) for row in wanted] == [len(header)] * len(rows)
    for found, values in zip(rows, wanted, strict=True):
        for column, text, value in zip(header, found, values, strict=True):
            if value is None or isinstance(value, str):
                assert text == (value or ""), (found, column)
            else:
                assert float(text) == pytest.approx(value, abs=1e-12), (found, column)


def score(mean: float, deviation: float | None, independent: float) -> list[Value]:
    """A mean, its deviation and Wilson's interval for so many independent items."""
    scale = 1 + Z**2 / independent
    centre = (mean + Z**2 / (2 * independent)) / scale
    half = Z / scale * sqrt(mean * (1 - mean) / independent + Z**2 / (4 * independent**2))
    return [mean, deviation, centre - half, centre + half]


def test_logical_translation(tables: Path) -> None:
    task = "logical_translation"
    # alpha is right on a:0 and b:0 at seed 3, never at seed 12: 2/4 and 0/4. Items 1/2, 0, 1/2, 0; residuals of the
    # stories 0, 1/4, -1/4: error² = 3/2 * 1/8 / 16 = 3/256; 3/16 / (3/256) = 16 items, of which there are 4.
    alpha = [2, 4, 0, 0, *(1, 1, 0, 0, 0, 0), 0, 0]
    # Equivalent, not equivalent, unknown, invalid; unparsable, truncated, empty, white space, refused, failed.
    beta = [0, 1, 0, 3, *(0, 0, 1, 1, 1, 1), 0, 0]
    check(
        tables,
        "logical_translation",
        [
            ["toy", "alpha", task, 4, 4, 2, *score(1 / 4, sqrt(1 / 8), 4), *alpha],
            # Nothing right: three stories.
            ["toy", "beta", task, 4, 4, 2, *score(0, 0, 3), *beta],
            ["toy", "chance", task, 4, 4, None, 0, *[None] * 15],
        ],
    )


def test_dialogue(tables: Path) -> None:
    def row(model: str, seeds: int | None, chosen: list[Value], ranked: list[Value]) -> list[Value]:
        front: list[Value] = ["toy", "audited", model, "english", seeds]
        return [*front, "most_similar", 4, 4, *chosen, "ranking", 2, 2, *ranked]

    none = [0] * 6
    check(
        tables,
        "dialogue",
        [
            row(
                "alpha",
                2,
                # 3/4 and 1/4. Items 1, 1/2, 0, 1/2; stories 1/2, -1/2, 0: error² = 3/2 * 1/2 / 16; 16/3 items.
                [*score(1 / 2, sqrt(1 / 8), 4), *(1, 1, 0, 0, 0, 0)],
                [
                    # 1 and 1/2. Items 1 and 1/2: error² = 2 * 1/8 / 4 = 1/16; 3/16 / (1/16) = 3 items, of which 2.
                    *score(3 / 4, sqrt(1 / 8), 2),
                    # a:0 under both seeds: items 1 and 0; error² = 2 * 1/2 / 4 = 1/4; 1/4 / (1/4) = 1 item.
                    *score(1 / 2, 0, 1),
                    *score(1 / 2, 0, 1),
                    *(0, 0, 0, 1, 0, 0),
                ],
            ),
            row(
                "beta",
                2,
                # 1/2 and 1/4. Items 0, 1, 1/2, 0; stories 1/4, 1/8, -3/8: error² = 3/2 * 7/32 / 16; 80/7 items.
                [*score(3 / 8, sqrt(1 / 32), 4), *(0, 0, 0, 0, 1, 1)],
                [
                    # 0 and 1/2, by c:0 at seed 12; then 1/2 and 0, by a:0 at seed 3; never both.
                    *score(1 / 4, sqrt(1 / 8), 2),
                    *score(1 / 4, sqrt(1 / 8), 2),
                    *score(0, 0, 2),
                    *(1, 0, 1, 0, 0, 0),
                ],
            ),
            row("reader", 1, [*score(1, None, 3), *none], [*score(1, None, 2) * 3, *none]),
            row(
                "chance",
                None,
                # 1/3, 1/2, 1/2, 1/4.
                [19 / 48, *[None] * 9],
                # Of five: two first in C(5, 2) = 10 ways, two last likewise, and both in 30.
                [1 / 10, None, None, None, 1 / 10, None, None, None, 1 / 30, *[None] * 9],
            ),
        ],
    )


def test_embedding(tables: Path) -> None:
    # Two equal at the top 1/2; right; wrong; four equal 1/4. Stories 5/8, -7/16, -3/16: the squares sum to 79/128.
    # error² = 3/2 * 79/128 / 16; 63/256 over that: 4.25 items, of which there are 4.
    chosen = score(7 / 16, None, 4)
    # c:0 has three equal ones for the two first places: 1/3; items 1 and 1/3: error² = 2 * 2/9 / 4 = 1/9; 2/9 * 9 = 2.
    partly = score(2 / 3, None, 2)
    ranked = [*partly, *score(1, None, 2), *partly]
    chance: list[Value] = [19 / 48, None, None, None]
    by_chance: list[Value] = [1 / 10, None, None, None, 1 / 10, None, None, None, 1 / 30, None, None, None]
    check(
        tables,
        "embedding",
        [
            # Its last places are tied with no other candidate.
            ["toy", "audited", "embedding", "english", *_tasks(chosen, ranked), 2, 1, 0, 1],
            ["toy", "audited", "chance", "english", *_tasks(chance, by_chance), *NOTHING],
        ],
    )


def _tasks(chosen: list[Value], ranked: list[Value]) -> list[Value]:
    lost: list[Value] = [0] * 6 if chosen[2] is not None else [None] * 6
    return ["most_similar", 4, 4, *chosen, *lost, "ranking", 2, 2, *ranked, *lost]


QUESTIONS: list[list[Value]] = [
    ["toy", "logical_translation", "equivalence", None],
    ["toy", "most_similar", "accuracy", "english"],
    ["toy", "ranking", "equivalence", "english"],
    ["toy", "ranking", "negation", "english"],
    ["toy", "ranking", "both", "english"],
]

# alpha less beta. Items 1/2, 0, 1/2, 0: as in the test of translation. Items 1, -1/2, -1/2, 1/2: stories 1/4, -5/8,
# 3/8, the squares sum to 19/32. Then 1 and 0; 1/2 and 0; 1 and 0, of two stories each.
MEANS = [1 / 4, 1 / 8, 1 / 2, 1 / 4, 1 / 2]
ERRORS = [sqrt(3 / 256), sqrt(3 / 2 * 19 / 32) / 4, 1 / 2, 1 / 4, 1 / 2]
# Sums by story 1/2, 1/2, 0: of the four signs, two are as far from 0. 1/2, -1/2, 1/2: all are. One sum alone: both.
P = [1 / 2, 1.0, 1.0, 1.0, 1.0]


def _compared(place: int) -> tuple[list[Value], float, float]:
    """Difference with its interval; p; what can be detected."""
    mean, error = MEANS[place], ERRORS[place]
    critical, power = (T2, POWER2) if place < 2 else (T1, POWER1)
    return [mean, None, mean - critical * error, mean + critical * error], P[place], (critical + power) * error


def test_differences(tables: Path) -> None:
    rows = []
    for place, question in enumerate(QUESTIONS):
        paired, p, detectable = _compared(place)
        counts: list[Value] = [4, 3] if place < 2 else [2, 2]
        # Translation is a family of its own; of the other four all are at 1.
        rows.append([*question, "alpha", "beta", *counts, *paired, p, p, detectable])
    check(tables, "differences", rows)


def test_thinking(tables: Path) -> None:
    scores = [(1 / 4, 0), (1 / 2, 3 / 8), (3 / 4, 1 / 4), (1 / 2, 1 / 4), (1 / 2, 0)]
    rows = []
    for place, question in enumerate(QUESTIONS):
        paired, p, detectable = _compared(place)
        # One family of five: the least p, 1/2, times five.
        rows.append([*question, "alpha", "beta", 4 if place < 2 else 2, *scores[place], *paired, p, 1, detectable])
    check(tables, "thinking", rows)


def test_agreement(tables: Path) -> None:
    # Of eight answers, and of four in ranking: both, first, second, neither; kappa: (seen - expected) / (1 - expected).
    shares: list[list[Value]] = [
        [0, 2 / 8, 0, 6 / 8, 0],  # seen 3/4, expected 3/4 * 1
        [1 / 8, 3 / 8, 2 / 8, 2 / 8, -1 / 4],  # seen 3/8, expected 1/2 * 3/8 + 1/2 * 5/8 = 1/2
        [0, 3 / 4, 1 / 4, 0, -3 / 5],  # seen 0, expected 2 * 3/4 * 1/4 = 3/8
        [1 / 4, 1 / 4, 0, 2 / 4, 1 / 2],  # seen 3/4, expected 1/2 * 1/4 + 1/2 * 3/4 = 1/2
        [0, 2 / 4, 0, 2 / 4, 0],  # seen 1/2, expected 1/2 * 1
    ]
    check(tables, "agreement", [[*q, "alpha", "beta", *s] for q, s in zip(QUESTIONS, shares, strict=True)])


def test_task_agreement(tables: Path) -> None:
    def row(model: str, *shares: float) -> list[Value]:
        return ["toy", "audited", model, "english", "most_similar", "ranking", 2, *shares]

    check(
        tables,
        "task_agreement",
        [
            # On a:0 and c:0, alpha is right in both tasks but for c:0 at seed 12, where it is in neither.
            row("alpha", 3 / 4, 0, 0, 1 / 4, 1),
            # beta is right once, in ranking: seen 3/4, expected 3/4.
            row("beta", 0, 0, 1 / 4, 3 / 4, 0),
            # 1/2 and 1; 1/4 and 1/3. Both (1/2 + 1/12) / 2; means 3/8 and 2/3; neither (0 + 3/4 * 2/3) / 2. Seen 13/24,
            # expected 3/8 * 2/3 + 5/8 * 1/3 = 11/24: 2/13.
            row("embedding", 7 / 24, 2 / 24, 9 / 24, 6 / 24, 2 / 13),
        ],
    )


def test_repetitions(tables: Path) -> None:
    # Items by how often they are right of twice; pass@1, pass@2, pass^2, consistent.
    found: dict[str, list[list[Value]]] = {
        "alpha": [
            [4, 2, 1 / 4, 2 / 4, 0, 2 / 4],  # 1 0 1 0
            [4, 2, 1 / 2, 3 / 4, 1 / 4, 2 / 4],  # 2 1 0 1
            [2, 2, 3 / 4, 1, 1 / 2, 1 / 2],  # 2 1
            [2, 2, 1 / 2, 1 / 2, 1 / 2, 1],  # 2 0
            [2, 2, 1 / 2, 1 / 2, 1 / 2, 1],
        ],
        "beta": [
            [4, 2, 0, 0, 0, 1],
            [4, 2, 3 / 8, 2 / 4, 1 / 4, 3 / 4],  # 0 2 1 0
            [2, 2, 1 / 4, 1 / 2, 0, 1 / 2],  # 0 1
            [2, 2, 1 / 4, 1 / 2, 0, 1 / 2],  # 1 0
            [2, 2, 0, 0, 0, 1],
        ],
    }
    wanted = []
    for places in ([0], [1], [2, 3, 4]):
        wanted += [[*QUESTIONS[place], model, *found[model][place]] for model in found for place in places]
    check(tables, "repetitions", wanted)


def test_other_metrics(tables: Path) -> None:
    # BLEU. ¬Sleeps(tom) has 4 of 5 tokens, 3 of 4 pairs, 2 of 3 triples, 1 of 2 quadruples of the gold formula.
    negated = (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25
    # Of 13 tokens the eighth is wrong: 12 of 13, 10 of 12, 8 of 11, 6 of 10. Or the first: 12 of 13, 11 of 12, ...
    conjoined, existential = (12 / 13 * 10 / 12 * 8 / 11 * 6 / 10) ** 0.25, (9 / 13) ** 0.25
    # Too short by 4 of 9, and by 9 of 13; every n-gram is there.
    part, unbound = exp(1 - 9 / 4), exp(1 - 13 / 9)
    bleu: Scores = [[1, negated, 1, conjoined], [part, 0, 0, existential]], [[0, 0, 0, unbound], [0, 0, 0, 0]]
    # LE: P ∨ Q and P agree in three rows of four; → and ∧ in two; quantifiers and names do not matter.
    le: Scores = [[1, 0, 1, 1 / 2], [3 / 4, 0, 0, 1]], [[0, 1, 1, 1], [0, 1, 0, 0]]
    # At seed 3 alpha is right, wrong, right, wrong: deviations ±1/2 with squares that sum to 1. At seed 12 it is never.
    mean = (2 + negated + conjoined) / 4
    varied = sqrt(2 * (1 - mean) ** 2 + (negated - mean) ** 2 + (conjoined - mean) ** 2)
    of_bleu = (2 - negated - conjoined) / 2 / varied
    # Mean 5/8; deviations 3/8, -5/8, 3/8, -1/8: 3/4 over the root of 11/16.
    of_le = 3 / 4 / sqrt(11 / 16)
    task = ["toy", "logical_translation"]
    check(
        tables,
        "other_metrics",
        [
            [*task, "alpha", *_metric(*bleu[0]), *_metric(*le[0]), of_bleu, *NOTHING[1:], of_le, *NOTHING[1:], 6],
            [*task, "beta", *_metric(*bleu[1]), *_metric(*le[1]), *NOTHING, *NOTHING, 4],
        ],
    )


def _metric(first: Sequence[float], second: Sequence[float]) -> list[Value]:
    """Of scores under two seeds, of items of which the first two are of one story."""
    items = [(one + other) / 2 for one, other in zip(first, second, strict=True)]
    mean = sum(items) / 4
    residuals = [items[0] + items[1] - 2 * mean, items[2] - mean, items[3] - mean]
    error = sqrt(3 / 2 * sum(residual**2 for residual in residuals)) / 4
    deviation = abs(sum(first) / 4 - sum(second) / 4) / sqrt(2)
    return score(mean, deviation, min(4, mean * (1 - mean) / error**2) if error else 3)


def test_faults(tables: Path) -> None:
    different = "formulas not equivalent to the gold one: "
    relation, change = f"{different}how they stand to it", f"{different}the one change that would mend them"
    alpha = [
        ("all answers", "not equivalent", 4, 4 / 8),
        ("all answers", "equivalent", 2, 2 / 8),
        ("all answers", "truncated", 1, 1 / 8),
        ("all answers", "unparsable", 1, 1 / 8),
        (relation, "stronger", 2, 2 / 4),
        (relation, "contradictory", 1, 1 / 4),
        (relation, "weaker", 1, 1 / 4),
        *((change, case, 1, 1 / 4) for case in ("conjunction under forall", "missing", "negation", "quantifier")),
    ]
    beta = [
        ("all answers", "invalid", 3, 3 / 8),
        *(("all answers", c, 1, 1 / 8) for c in ("empty", "failed", "not equivalent", "refused", "whitespace")),
        ("invalid formulas", "signature", 2, 2 / 3),
        ("invalid formulas", "open formula", 1, 1 / 3),
        (relation, "independent", 1, 1),
        (change, "predicate", 1, 1),
    ]
    task = ["toy", "logical_translation"]
    check(tables, "faults", [*([*task, "alpha", *row] for row in alpha), *([*task, "beta", *row] for row in beta)])


def test_positions(tables: Path) -> None:
    # Under seed 3 the gold formula is first; under seed 12 last: third of a:0, second of a:1 and b:0, fourth of c:0.
    right = {"alpha": [(1, 4, 3 / 4), (2, 2, 0), (3, 1, 1), (4, 1, 0)]}
    right["beta"] = [(1, 4, 2 / 4), (2, 2, 1 / 2), (3, 1, 0), (4, 1, 0)]
    front = ["toy", "most_similar", "audited"]
    check(tables, "positions", [[*front, model, "english", *row] for model, rows in right.items() for row in rows])


def test_costs(tables: Path) -> None:
    def row(model: str, task: str, requests: int, cached: int, cost: float | None) -> list[Value]:
        failed = 1 if model == "beta" and task != "ranking" else 0
        counted = requests - failed
        tokens = [100 * counted, cached, 10 * counted, 4 * counted]
        priced: list[Value] = [cost, "EUR", None] if cost is not None else [None] * 3
        return [model, "toy", task, requests, failed, *tokens, counted / 2, *priced]

    # In millionths, at seed 3 60 + 40 / 2 + 10 * 2 = 100; at seed 12 half of 100 + 10 * 2, that is 60.
    check(
        tables,
        "costs",
        [
            row("alpha", "logical_translation", 8, 4 * 40, 640e-6),
            row("beta", "logical_translation", 8, 4 * 40, None),
            row("alpha", "most_similar", 8, 4 * 40, 640e-6),
            row("beta", "most_similar", 8, 4 * 40, None),
            row("alpha", "ranking", 4, 2 * 40, 320e-6),
            row("beta", "ranking", 4, 2 * 40, None),
        ],
    )


def test_candidate_sets(tables: Path) -> None:
    chosen, ranked = ["toy", "most_similar", "audited"], ["toy", "ranking", "audited"]
    check(
        tables,
        "edit_mix",
        [
            [*chosen, "gold", None, 0, 4, 1],
            [*chosen, "perturbation", "connective", 1, 7, 1],
            [*ranked, "gold", None, 0, 2, 1],
            [*ranked, "perturbation", "connective", 1, 2, 1],
            [*ranked, "equivalent", "de_morgan", 0, 2, 1],
            [*ranked, "negation", None, 0, 2, 1],
            [*ranked, "negation_normal_form", None, 0, 2, 1],
        ],
    )
    sizes = [(1, 2, 2 / 4), (2, 1, 1 / 4), (3, 1, 1 / 4)]
    check(tables, "set_sizes", [*([*chosen, *size] for size in sizes), [*ranked, 1, 2, 1]])


def test_datasets(tables: Path) -> None:
    # Operators ∨, none, none, →; quantifiers none but one; Sleeps(tom) and Cat(tom) are atomic.
    complexity = ["toy", 3, 4, 2 / 4, 1 / 4, 2 / 4, 0, 0, 0, 3 / 4, 1 / 4, 0, 0]
    check(tables, "complexity", [complexity])
    ranked = [
        ["toy", "candidates", "ranking", *rest]
        for rest in (["no_equivalent", 2, 2, 2, 0, 0], ["candidate sets", None, 2, 2, 0, 0])
    ]
    check(
        tables,
        "funnel",
        [
            ["toy", "ingestion", None, "as read", None, 4, 5, 0, 0],
            ["toy", "ingestion", None, "syntax", 1, 3, 4, 0, 0],
            ["toy", "ontology", None, "usable", None, 3, 4, 0, 0],
            ["toy", "candidates", "logical_translation", "candidate sets", None, 3, 4, 0, 0],
            ["toy", "candidates", "most_similar", "candidate sets", None, 3, 4, 0, 0],
            *ranked,
        ],
    )
    check(
        tables,
        "refused",
        [["toy", "ingestion", None, "syntax", 1, 1], ["toy", "candidates", "ranking", "no_equivalent", 2, 2]],
    )
    check(
        tables,
        "refused_rows",
        [
            ["toy", "ingestion", None, "d:0", "syntax", "Cat(: unexpected end"],
            ["toy", "candidates", "ranking", "a:1", "no_equivalent", "Sleeps(tom) has none"],
            ["toy", "candidates", "ranking", "b:0", "no_equivalent", "Cat(tom) has none"],
        ],
    )


def test_nothing_published_has_a_counterpart_and_nothing_was_audited(tables: Path) -> None:
    check(tables, "published", [])
    check(tables, "audit", [])
