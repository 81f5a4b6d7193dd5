"""From recorded responses to claims, scores above chance, variance and difficulty: every figure worked out by hand."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl
import pytest
from statsmodels.stats.multitest import multipletests
from tests.stored import frame
from tests.unit.results.by_definition import Stories, above, p_value, paired
from tests.unit.results.worked_out import Value, check, score

from nlfol.results.analyses.drawing import form_of
from nlfol_extras.analyses.claims import WORDS
from nlfol_extras.analyses.difficulty import DIFFICULTY

# By model, story and item, over both seeds.
TRANSLATED: dict[str, Stories] = {"alpha": [[1 / 2, 0], [1 / 2], [0]], "beta": [[0, 0], [0], [0]]}
CHOSEN: dict[str, Stories] = {
    "alpha": [[1, 1 / 2], [0], [1 / 2]],
    "beta": [[0, 1], [1 / 2], [0]],
    "embedding": [[1 / 2, 1], [0], [1 / 4]],
    "reader": [[1, 1], [1], [1]],
    "chance": [[1 / 3, 1 / 2], [1 / 2], [1 / 4]],
    "reasoner": [[1 / 3, 1 / 2], [1 / 2], [1 / 4]],
}
EQUIVALENCE: dict[str, Stories] = {
    "alpha": [[1], [1 / 2]],
    "beta": [[0], [1 / 2]],
    "embedding": [[1], [1 / 3]],
    "reader": [[1], [1]],
    "chance": [[1 / 10], [1 / 10]],
    "reasoner": [[1 / 2], [1 / 2]],
}
NEGATION: dict[str, Stories] = {
    "alpha": [[1], [0]],
    "beta": [[1 / 2], [0]],
    "embedding": [[1], [1]],
    "reader": [[1], [1]],
    "chance": [[1 / 10], [1 / 10]],
    "reasoner": [[1 / 2], [1 / 2]],
}
BOTH: dict[str, Stories] = {
    "alpha": [[1], [0]],
    "beta": [[0], [0]],
    "embedding": [[1], [1 / 3]],
    "reader": [[1], [1]],
    "chance": [[1 / 30], [1 / 30]],
    "reasoner": [[1 / 2], [1 / 2]],
}
RANKED = {name: [scores[0][:1], scores[2]] for name, scores in CHOSEN.items()}
"""The two items of most similar that ranking has, too."""


def mean(stories: Stories) -> float:
    return sum(map(sum, stories)) / sum(map(len, stories))


def compared(first: Stories, second: Stories) -> list[Value]:
    raw = mean(first) - mean(second)
    return ["score", raw, None, *paired(first, second), raw, p_value(first, second)]


def guesser(model: str) -> str:
    """Return what a model has to exceed."""
    return "chance" if model == "embedding" else "reasoner"


def above_chance(
    first: Stories, second: Stories, *, by: Sequence[str], chances: Sequence[Mapping[str, Stories]]
) -> list[Value]:
    """Two sides whose chances differ; two stories have no test."""
    over = [above(scores, of[name])[0] for scores, name, of in zip((first, second), by, chances, strict=True)]
    return ["above chance", over[0] - over[1], None, None, None, mean(first) - mean(second), 1.0]


def halves(first: Stories, second: Stories) -> Stories:
    return [[(a + b) / 2 for a, b in zip(one, two, strict=True)] for one, two in zip(first, second, strict=True)]


def against_chance(scores: Stories, chances: Stories) -> list[Value]:
    left = 1 - mean(chances)
    found, *_ = above(scores, chances)
    # Of so few stories there is no test.
    return ["score", found * left, None, None, None, found * left, 1.0]


def test_claims_table_matches_worked_figures(recorded_tables: Path) -> None:
    four, two = [4, 4], [2, 4]  # ranking refuses two of four
    chosen, ranked = ["most_similar", "english"], ["ranking", "english"]
    shown = [None, "english"]
    kinds = ["dialogue models (2)", "embedding models (1)"]
    by_claim: dict[str, list[list[Value]]] = {
        "negation_dialogue": [
            ["ranking", "english", m, "equivalence", "negation", *two, *compared(EQUIVALENCE[m], NEGATION[m])]
            for m in ("alpha", "beta")
        ],
        "negation_embedding": [
            ["ranking", "english", m, "negation", "equivalence", *two, *compared(NEGATION[m], EQUIVALENCE[m])]
            for m in ("embedding",)
        ],
        "most_similar": [
            [
                *shown,
                m,
                "most_similar",
                "ranking",
                *two,
                *above_chance(RANKED[m], EQUIVALENCE[m], by=[guesser(m)] * 2, chances=(RANKED, EQUIVALENCE)),
            ]
            for m in ("alpha", "beta", "embedding")
        ],
        "dialogue": [
            [*chosen, None, *kinds, *four, *compared(halves(CHOSEN["alpha"], CHOSEN["beta"]), CHOSEN["embedding"])],
            [
                *(*ranked, None, *kinds, *two),
                *above_chance(
                    halves(BOTH["alpha"], BOTH["beta"]),
                    BOTH["embedding"],
                    by=["reasoner", "chance"],
                    chances=[BOTH] * 2,
                ),
            ],
        ],
        "thinking": [
            [*task, None, "alpha", "beta", *size, *compared(by["alpha"], by["beta"])]
            for task, size, by in (
                (["logical_translation", None], four, TRANSLATED),
                (chosen, four, CHOSEN),
                (ranked, two, BOTH),
            )
        ],
        "chance": [
            [*task, None, m, guesser(m), *size, *against_chance(by[m], by[guesser(m)])]
            for task, size, by in ((chosen, four, CHOSEN), (ranked, two, BOTH))
            for m in ("alpha", "beta", "embedding")
        ],
    }
    unread = {
        "negation_dialogue": [(1, 1), (2, 2)],
        "negation_embedding": [(0, 0)],
        "most_similar": [(1, 1), (1, 2), (0, 0)],
        "dialogue": [(4, 0), (3, 0)],
        "thinking": [(2, 4), (2, 2), (1, 2)],
        "chance": [(2, 0), (2, 0), (0, 0), (1, 0), (2, 0), (0, 0)],
    }
    pairs = {
        "negation_dialogue": [4, 4],
        "negation_embedding": [2],
        "most_similar": [4, 4, 2],
        "dialogue": [4, 2],
        "thinking": [8, 8, 4],
        "chance": [8, 8, 4, 4, 4, 2],
    }
    rows: list[list[Value]] = []
    for claim, of_claim in by_claim.items():
        # Thinking is adjusted among differences.
        family = multipletests([row[-1] for row in of_claim], method="holm")[1].tolist()
        adjusted = [of_claim[0][-1], 1, 1] if claim == "thinking" else family
        rows += [
            ["toy", WORDS[claim], *row, each, "open", count, None, *lost]
            for row, each, count, lost in zip(of_claim, adjusted, pairs[claim], unread[claim], strict=True)
        ]
    check(recorded_tables, "claims", rows, within=1e-6)


def test_above_chance_table_matches_worked_figures(recorded_tables: Path) -> None:
    """Deviations and scores stand in the other tables, too."""
    deviations = {
        ("accuracy", "alpha"): (1 / 8) ** 0.5,
        ("accuracy", "beta"): (1 / 32) ** 0.5,
        ("equivalence", "alpha"): (1 / 8) ** 0.5,
        ("negation", "alpha"): 0,
        ("both", "alpha"): 0,
        ("equivalence", "beta"): (1 / 8) ** 0.5,
        ("negation", "beta"): (1 / 8) ** 0.5,
        ("both", "beta"): 0,
    }

    def row(task: str, metric: str, by: dict[str, Stories], model: str) -> list[Value]:
        items = sum(map(len, by[model]))
        chances = by[guesser(model)]
        found, low, high = above(by[model], chances)
        front: list[Value] = ["toy", task, "audited", metric, "english", model, items, 4]
        deviation = deviations.get((metric, model))
        return [*front, *score(by[model], deviation), mean(chances), found, None, low, high]

    models = ("alpha", "beta", "embedding", "reader")
    ranked = {"both": BOTH, "equivalence": EQUIVALENCE, "negation": NEGATION}
    check(
        recorded_tables,
        "above_chance",
        [
            *(row("most_similar", "accuracy", CHOSEN, model) for model in models),
            *(row("ranking", metric, by, model) for model in models for metric, by in ranked.items()),
        ],
        within=1e-9,
    )


def test_facets_table_matches_worked_figures(recorded_tables: Path) -> None:
    """Only alpha's ranking of one item is right, under both seeds: of one item and model products are 1 in 2 of 8."""
    table = pl.read_csv(recorded_tables / "facets.csv").filter(pl.col("task") == "ranking")
    figures = ("component", "variance", "share", "saved", "answers", "reliability", "needed")
    assert table.select(figures).rows() == [
        ("item", 0, 0, pytest.approx(1 / 3), 2, None, None),
        ("model", 0, 0, None, None, 0, None),
        ("model × item", 1 / 4, 1, None, None, None, None),
        ("seed", 0, 0, 0, 2, None, None),
    ]


def test_difficulty_table_matches_worked_figures(recorded_tables: Path) -> None:
    def rows(task: str, by: dict[str, Stories], of_models: list[list[Value]], others: dict[str, list[list[Value]]]) -> list[list[Value]]:  # fmt: skip # noqa: E501
        metric, shown = {
            "logical_translation": ("equivalence", None),
            "most_similar": ("accuracy", "english"),
            "ranking": ("both", "english"),
        }[task]
        front: list[Value] = ["toy", task, metric, shown]
        found = [[*front, None, "models that solve it", *row] for row in of_models]
        for model, of_model in others.items():
            found += [[*front, model, "score of the other models", *row, None] for row in of_model]
            # a:1 and b:0 have no operator; a:0 and c:0 one; c:0 alone a quantifier.
            *first, last = by[model]
            if task == "ranking":
                complex_ = [("operators", "1", by[model]), ("quantifiers", "0", first), ("quantifiers", "1", [last])]
            else:
                ((a0, a1), (b0,)) = first
                complex_ = [
                    ("operators", "0", [[a1], [b0]]),
                    ("operators", "1", [[a0], last]),
                    ("quantifiers", "0", first),
                    ("quantifiers", "1", [last]),
                ]
            found += [[*front, model, group, case, *mean_of(stories), None] for group, case, stories in complex_]
        return found

    def mean_of(stories: Stories) -> list[Value]:
        items = sum(map(len, stories))
        return [items, mean(stories), None, None, None] if len(stories) == 1 else [items, *score(stories, None)]

    check(
        recorded_tables,
        "difficulty",
        [
            *rows(
                "logical_translation",
                TRANSLATED,
                [
                    ["none", 2, None, None, None, None, "a:1, c:0"],
                    ["some", *mean_of([[1 / 4], [1 / 4]]), None],
                ],
                {
                    "alpha": [["0", *mean_of(TRANSLATED["alpha"])]],
                    "beta": [["0", *mean_of([[0], [0]])], ["to 0.5", *mean_of([[0], [0]])]],
                },
            ),
            *rows(
                "most_similar",
                CHOSEN,
                [["some", *mean_of([[1 / 2, 5 / 6], [1 / 6], [1 / 4]]), None]],
                {
                    # Beta and embedding: 1/4, 1, 1/4, 1/8. Alpha and embedding: 3/4, 3/4, 0, 3/8. The dialogue
                    # models: 1/2, 3/4, 1/4, 1/4.
                    "alpha": [["to 0.5", *mean_of([[1], [0], [1 / 2]])], ["1", *mean_of([[1 / 2]])]],
                    "beta": [
                        ["0", *mean_of([[1 / 2]])],
                        ["to 0.5", *mean_of([[0]])],
                        ["below 1", *mean_of([[0, 1]])],
                    ],
                    "embedding": [
                        ["to 0.5", *mean_of([[1 / 2], [0], [1 / 4]])],
                        ["below 1", *mean_of([[1]])],
                    ],
                },
            ),
            *rows(
                "ranking",
                BOTH,
                [["some", *mean_of([[2 / 3], [1 / 9]]), None]],
                {
                    # Beta and embedding: 1/2, 1/6. Alpha and embedding: 1, 1/6. The dialogue models: 1/2, 0.
                    "alpha": [["to 0.5", *mean_of(BOTH["alpha"])]],
                    "beta": [["to 0.5", *mean_of([[0]])], ["1", *mean_of([[0]])]],
                    "embedding": [["0", *mean_of([[1 / 3]])], ["to 0.5", *mean_of([[1]])]],
                },
            ),
        ],
        within=1e-9,
    )


def test_difficulty_table_shortens_long_item_lists() -> None:
    row = {"metric": "accuracy", "group": "models", "case": "every", "items": 10, "mean": 1.0}
    (found,) = form_of("difficulty").table(frame(DIFFICULTY, row | {"named": [str(n) for n in range(10)]})).rows
    assert found[4:] == (None, "models that solve it", "all", 10, None, "0, 1, 2, 3, 4, 5, 6, 7, and 2 more")
