"""From recorded responses to what looks closer at answers, sets and data: every figure worked out by hand."""

import csv
from collections.abc import Sequence
from math import exp, sqrt
from pathlib import Path

import pytest
from tests.unit.results.by_definition import position_effect
from tests.unit.results.worked_out import NOTHING, Value, check, score

from nlfol.sets.audit_checks import Check

Scores = tuple[list[list[float]], list[list[float]]]
"""Scores of alpha and of beta, by seed and item."""


def test_recorded_bleu_and_le_match_hand_computation(recorded_tables: Path) -> None:
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
        recorded_tables,
        "other_metrics",
        [
            [*task, "alpha", 4, 4, *_metric(*bleu[0]), *_metric(*le[0]), of_bleu, *NOTHING[1:], of_le, *NOTHING[1:], 6],
            [*task, "beta", 4, 4, *_metric(*bleu[1]), *_metric(*le[1]), *NOTHING, *NOTHING, 4],
        ],
    )


def _metric(first: Sequence[float], second: Sequence[float]) -> list[Value]:
    """Metric of scores under two seeds, of items of which the first two are of one story."""
    items = [(one + other) / 2 for one, other in zip(first, second, strict=True)]
    return score([items[:2], items[2:3], items[3:]], abs(sum(first) / 4 - sum(second) / 4) / sqrt(2))


def test_recorded_faults_match_hand_computation(recorded_tables: Path) -> None:
    different = "formulas not equivalent to the gold one: "
    relation, change = f"{different}how they stand to it", f"{different}the one change that would mend them"
    apart, edit = f"{different}how many typed edits away they are", "formulas off by one: the edit from the gold one"
    alpha = [
        ("all answers", "not equivalent", 4, 4 / 8),
        ("all answers", "equivalent", 2, 2 / 8),
        ("all answers", "truncated", 1, 1 / 8),
        ("all answers", "unparsable", 1, 1 / 8),
        (relation, "stronger", 2, 2 / 4),
        (relation, "contradictory", 1, 1 / 4),
        (relation, "weaker", 1, 1 / 4),
        *((change, case, 1, 1 / 4) for case in ("conjunction under forall", "missing", "negation", "quantifier")),
        (apart, "off by one", 4, 1),
        *((edit, case, 1, 1 / 4) for case in ("connective (→ to ∧)", "dropped", "negation", "quantifier (∀ to ∃)")),
    ]
    beta = [
        ("all answers", "invalid", 3, 3 / 8),
        *(("all answers", c, 1, 1 / 8) for c in ("blank", "empty", "failed", "not equivalent", "refused")),
        ("invalid formulas", "signature", 2, 2 / 3),
        ("invalid formulas", "open formula", 1, 1 / 3),
        (relation, "independent", 1, 1),
        (change, "predicate", 1, 1),
        (apart, "off by one", 1, 1),
        (edit, "predicates", 1, 1),
    ]
    task = ["toy", "logical_translation"]
    check(
        recorded_tables,
        "faults",
        [*([*task, "alpha", *row] for row in alpha), *([*task, "beta", *row] for row in beta)],
    )


def test_recorded_positions_match_hand_computation(recorded_tables: Path) -> None:
    # Under seed 3 the gold formula is first; under seed 12 last: third of a:0, second of a:1 and b:0, fourth of c:0.
    # By size 2 to 4, alpha is right in 1 of 4 answers, 2 of 2, 1 of 2; beta in 3 of 4, 0 of 2, 0 of 2.
    right = {"alpha": [(1, 4, 3 / 4, 2 / 4), (2, 2, 0, 1 / 4), (3, 1, 1, 1), (4, 1, 0, 1 / 2)]}
    right["beta"] = [(1, 4, 2 / 4, (3 / 4 + 3 / 4) / 4), (2, 2, 1 / 2, 3 / 4), (3, 1, 0, 0), (4, 1, 0, 0)]
    front = ["toy", "most_similar", "audited"]
    answers = {"alpha": ((1, 1), (1, 0), (0, 0), (1, 0)), "beta": ((0, 0), (1, 1), (1, 0), (0, 0))}
    p = {
        model: position_effect(
            [(size, [(1, one), (size, other)]) for size, (one, other) in zip((3, 2, 2, 4), of_items, strict=True)]
        )[2]
        for model, of_items in answers.items()
    }
    # Twice the smaller one is above the larger one.
    both = 2 * min(p.values())
    assert both > max(p.values())
    whole = {model: [None, 8, mean, mean, p[model], both] for model, mean in (("alpha", 4 / 8), ("beta", 3 / 8))}
    check(
        recorded_tables,
        "positions",
        [
            [*front, model, "english", *row]
            for model, rows in right.items()
            for row in (whole[model], *([*row, None, None] for row in rows))
        ],
    )


def test_recorded_costs_match_hand_computation(recorded_tables: Path) -> None:
    def row(model: str, task: str, requests: int, cached: int, cost: float | None) -> list[Value]:
        failed = 1 if model == "beta" and task != "ranking" else 0
        counted = requests - failed
        tokens = [100 * counted, cached, 10 * counted, 4 * counted]
        priced: list[Value] = [cost, cost, 0.0, "EUR", None] if cost is not None else [None] * 5
        # No kind has two tasks: there is nothing to be held against.
        return [model, "toy", task, requests, failed, *tokens, *priced, *[None] * 5]

    # In millionths, at seed 3 60 + 40 / 2 + 10 * 2 = 100; at seed 12 half of 100 + 10 * 2, that is 60.
    check(
        recorded_tables,
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


def test_recorded_edit_mix_and_set_sizes_match_hand_computation(recorded_tables: Path) -> None:
    chosen, ranked = ["toy", "most_similar", "audited"], ["toy", "ranking", "audited"]
    check(
        recorded_tables,
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
    check(recorded_tables, "set_sizes", [*([*chosen, *size] for size in sizes), [*ranked, 1, 2, 1]])


def test_recorded_complexity_and_funnel_match_hand_computation(recorded_tables: Path) -> None:
    # Operators ∨, none, none, →; quantifiers none but one; Sleeps(tom) and Cat(tom) are atomic. Kinds 1, 0, 0, 2.
    complexity = ["toy", 3, 4, 2 / 4, 1 / 4, 2 / 4, 0, 0, 0, 3 / 4, 1 / 4, 0, 0, 3 / 4, 0, 0, 0, 1 / 4, 0]
    check(recorded_tables, "complexity", [complexity])
    ranked = [
        ["toy", "candidates", "ranking", *rest]
        for rest in (["no_equivalent", 2, 2, 2, 0, 0, 0, 9 / 2], ["candidate sets", None, 2, 2, 0, 0, 0, 9 / 2])
    ]
    # Words of the sentences: 6, 2, 4, 3, and of the refused one 1.
    check(
        recorded_tables,
        "funnel",
        [
            ["toy", "ingestion", None, "as read", None, 4, 5, 1, 0, 0, 16 / 5],
            ["toy", "ingestion", None, "syntax", 1, 3, 4, 1, 0, 0, 15 / 4],
            ["toy", "ontology", None, "usable", None, 3, 4, 1, 0, 0, 15 / 4],
            ["toy", "candidates", "logical_translation", "candidate sets", None, 3, 4, 1, 0, 0, 15 / 4],
            ["toy", "candidates", "most_similar", "candidate sets", None, 3, 4, 1, 0, 0, 15 / 4],
            *ranked,
        ],
    )
    check(
        recorded_tables,
        "refused",
        [["toy", "ingestion", None, "syntax", 1, 1, 1], ["toy", "candidates", "ranking", "no_equivalent", 2, 2, 3]],
    )
    check(
        recorded_tables,
        "refused_rows",
        [
            ["toy", "ingestion", None, "d:0", "syntax", "Cat(: unexpected end"],
            ["toy", "candidates", "ranking", "a:1", "no_equivalent", "Sleeps(tom) has none"],
            ["toy", "candidates", "ranking", "b:0", "no_equivalent", "Cat(tom) has none"],
        ],
    )


def test_recorded_published_comparison_matches_hand_computation(recorded_tables: Path) -> None:
    def row(
        table: str,
        question: tuple[str | None, ...],
        entry: str | None,
        theirs: float,
        ours: float | list[Value],
        *,
        asked: int | None = None,
        deviation: float | None = None,
        chance: float | None = None,
    ) -> list[Value]:
        mean, *spread = ours if isinstance(ours, list) else [ours, *NOTHING[1:]]
        assert isinstance(mean, float | int)
        # Of three stories and fewer every interval is so wide that it holds what is published, and tells nothing.
        agrees = None if spread[1] is None else "cannot tell"
        protocol = None if entry in (None, task) else "audited"
        above = [None if chance is None else (score - chance) / (1 - chance) for score in (theirs, mean)]
        shown = [asked, asked and 4, theirs, deviation, None, None, mean, *spread]
        return ["figures", table, "toy", *question, entry, protocol, *shown, mean - theirs, *above, agrees, None]

    def apart(table: str, question: tuple[str | None, ...], theirs: float, differs: str) -> list[Value]:
        return ["figures", table, "toy", *question, *NOTHING, theirs, *[None] * 11, differs]

    task = "logical_translation"
    translated, chosen = score([[1 / 2, 0], [1 / 2], [0]], sqrt(1 / 8)), score([[0, 1], [1 / 2], [0]], sqrt(1 / 32))
    every = score([[1], [1]], None)
    both = ("most_similar_and_ranking", "both", "english", "alpha", None)
    agreed = ("most_similar", "second_only", "english")
    fit, last = ("most_similar", "accuracy", "english"), ("ranking", "negation", "english")
    check(
        recorded_tables,
        "published",
        [
            # What is ours stands in the other tables, and is worked out there.
            row("2", (task, "equivalence", None, "alpha", None), task, 0.2, translated, asked=4, deviation=0.1),
            row(
                "3",
                (*fit, "beta", None),
                "most_similar",
                0.375,
                chosen,
                asked=4,
                chance=(1 / 3 + 1 / 2 + 1 / 2 + 1 / 4) / 4,
            ),
            row("4", (*last, "embedding", None), "ranking", 0.75, every, asked=2, chance=1 / 10),
            row("5", (task, "correlation_le", None, "alpha", None), task, 0.5, 3 / 4 / sqrt(11 / 16)),
            row("8", both, "most_similar / ranking", 0.5, 3 / 4, asked=2),
            row("9", (*agreed, "alpha", "beta"), "most_similar", 0.5, 2 / 8, asked=4),
            apart("9", (agreed[0], agreed[1], "formula", "alpha", "beta"), 0.5, "not asked in this presentation"),
            # Published the other way round.
            row("9", (*agreed, "beta", "alpha"), "most_similar", 0.5, 3 / 8, asked=4),
            row("F", (None, "kinds", None, None, None), None, 2.5, 3 / 4),
            row("9", (None, "items", None, None, None), None, 10_000.0, 4),
            apart("9", (None, "trees", None, None, None), 8_550.0, "grows with the number of items"),
            row("9", (None, "trees_share", None, None, None), None, 0.85, 3 / 4),
        ],
    )


def test_recorded_corrections_match_hand_computation(recorded_tables: Path) -> None:
    shown = "only the published formula is true with universe {0, 1}; tom = 1; Cat = {1}; Sleeps = {0}"
    said = ["toy", "a:1", "symbol", "Cat(tom)", "Sleeps(tom)", "independent", shown, None, None, "He sleeps."]
    check(recorded_tables, "corrections", [said])
    check(recorded_tables, "gold_audit", [])


def test_recorded_audit_matches_hand_computation(recorded_tables: Path) -> None:
    # All members of a set are the gold formula: 2, 1, 1 and 3 distractors; in ranking one in each of two.
    chosen = {
        "distractor_equivalent_to_gold": (4, 7),
        "distractors_equivalent": (2, 1 + 3),
        "not_one_edit": (4, 7),
        "duplicate": (4, 3 + 1 + 1 + 6),
        "rendering_identical": (4, 3 + 1 + 1 + 6),
    }
    each = ("distractor_equivalent_to_gold", "not_one_edit", "equivalent_identical", "negation_not_equivalent")
    ranked = dict.fromkeys((*each, "negation_nnf_not_equivalent", "negation_nnf_identical"), (2, 2))
    # An implication is no negation normal form. Of ten pairs two are told of by name.
    ranked |= {"negation_nnf_not_normal": (1, 1), "duplicate": (2, 2 * 8), "rendering_identical": (2, 2 * 10)}
    none = (0, 0)
    with (recorded_tables / "audit.csv").open(encoding="utf-8") as file:
        assert next(file) == "dataset,task,sets,check,items,pairs\n"
    check(
        recorded_tables,
        "audit",
        [
            ["toy", task, sets, str(name), *found.get(str(name), none)]
            for task, sets, found in (("most_similar", 4, chosen), ("ranking", 2, ranked))
            for name in [*Check, "unknown"]
        ],
    )


def test_recorded_diversity_matches_hand_computation(recorded_tables: Path) -> None:
    # Of each item at most two edits are tried. a:1 and b:0 have one each, and one tree. Nothing is constant, and no
    # edit unseen; three stories tell no interval. Operators: 1, 0, 0, 1.
    seen: list[Value] = [1, None, None, None]
    nothing: list[Value] = [None] * 10
    check(
        recorded_tables,
        "diversity",
        [
            ["toy", "here", 4, 1, 4, 3, 3 / 4, 2, 0, 0, 2 + 1 + 1 + 2, 0, *seen, 2 / 4],
            ["toy", "published", 10_000, None, None, 8_550, 0.85, *nothing],
        ],
    )


def test_recorded_counts_match_hand_computation(recorded_tables: Path) -> None:
    # Cat(tom) ∨ Sleeps(tom), Sleeps(tom), Cat(tom), ∀x (Cat(x) → Sleeps(x)): the last has depth 3.
    half = [4, 0, 1 / 2, 1 / 2, 1]
    quarter = [4, 0, 0, 1 / 4, 1]
    twice = [4, 1, 3 / 2, 3 / 2, 2]
    expected = {
        **dict.fromkeys(("category", "operators", "operators_published"), half),
        "syntax_depth": [4, 1, 3 / 2, 7 / 4, 3],
        **dict.fromkeys(("quantifiers", "disjunctions", "implications", "universal"), quarter),
        **dict.fromkeys(("atoms", "predicates"), twice),
        "constants": [4, 0, 1, 3 / 4, 1],
    }
    check(recorded_tables, "counts", [["toy", measure, *values] for measure, values in expected.items()])


def test_recorded_curves_match_hand_computation(recorded_tables: Path) -> None:
    with (recorded_tables / "curves.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(file) if row[1] == "logical_translation"]
    task = ["toy", "logical_translation", "equivalence", ""]
    # No operator: a:1 and b:0; one: a:0 and c:0. Of alpha's, b:0 and a:0 are right at seed 3 alone. Two stories of one
    # item each. All edits are detected.
    wrong: list[Value] = [2, 0]
    expected: dict[tuple[str, str], list[Value]] = {
        ("alpha", "0"): [2, *score([[0], [1 / 2]], sqrt(1 / 8))],
        ("alpha", "1"): [2, *score([[1 / 2], [0]], sqrt(1 / 8))],
        ("beta", "0"): [*wrong, *score([[0], [0]], 0)[1:]],
        ("beta", "1"): [*wrong, *score([[0], [0]], 0)[1:]],
        ("chance", "0"): [2, 0, None, None, None],
        ("chance", "1"): [2, 0, None, None, None],
    }
    assert [row[:6] for row in rows] == [[*task, *place] for place in expected]
    for row, values in zip(rows, expected.values(), strict=True):
        found = [float(text) if text else None for text in row[6:]]
        assert found == [pytest.approx(value, abs=1e-12) for value in [*values, *values]]
