"""Tables of the candidate sets themselves, and of whether it matters where the right candidate is shown."""

from __future__ import annotations

import polars as pl

from nlfol.tables.table import Column, Kind, P, Table

_TASK = ("dataset", "task", "protocol")
_TASK_COLUMNS = tuple(Column(name, name.capitalize(), Kind.TEXT) for name in _TASK)


def positions(counts: pl.DataFrame) -> Table:
    """How well dialogue models find the gold formula, by where it is shown."""
    return Table(
        "positions",
        "Most similar by position of the gold formula",
        "Share of right answers among those to prompts that show the gold formula at a position.",
        (
            *_TASK_COLUMNS,
            Column("model", "Model", Kind.TEXT),
            Column("presentation", "Shown as", Kind.TEXT),
            Column("position", "Position", Kind.COUNT),
            Column("answers", "Answers", Kind.COUNT),
            Column("accuracy", "Accuracy", Kind.SHARE),
            Column("expected", "If it did not matter", Kind.SHARE),
            Column("p", "p", Kind.SHARE),
            Column("adjusted", "Adjusted p", Kind.SHARE),
        ),
        tuple(
            (
                *(row[name] for name in (*_TASK, "model", "presentation", "position", "answers")),
                row["right"] / row["answers"],
                row["expected"] / row["answers"],
                *(None if row[name] is None else P(row[name]) for name in ("p", "adjusted")),
            )
            for row in counts.to_dicts()
        ),
        (
            "Answers: items × seeds; unparsable, truncated, empty, blank, refused and failed ones count as wrong.",
            "Later positions occur in larger sets only, where there is more to choose from.",
            "If it did not matter: the accuracy to expect of sets of these sizes.",
            "Position –: all of them, with the p of no effect by the Cochran-Mantel-Haenszel test within sizes of set.",
            "The test exchanges positions within items, as they were drawn. Adjusted: by Holm over the table.",
        ),
    )


def complexity(rows: pl.DataFrame) -> Table:
    """How complex the formulas of the datasets are."""
    shares = {
        "atomic": "Atomic",
        "operators_3": "≥ 3 operators",
        "operators_4": "≥ 4",
        "operators_5": "≥ 5",
        "quantifiers_0": "0 quantifiers",
        "quantifiers_1": "1",
        "quantifiers_2": "2",
        "quantifiers_3": "≥ 3",
    }
    kinds = {
        "kinds": "Kinds",
        "kinds_3": "≥ 3 kinds",
        "kinds_4": "≥ 4",
        "kinds_5": "≥ 5",
        "quantifier_kinds_1": "∀ or ∃",
        "quantifier_kinds_2": "∀ and ∃",
    }
    means = {"operators": "Operators", "quantifiers": "Quantifiers"}
    return Table(
        "complexity",
        "Complexity of the formulas",
        "Mean numbers of operators (¬ ∧ ∨ ⊕ → ↔) and quantifiers of a gold formula, and shares of formulas.",
        (
            Column("dataset", "Dataset", Kind.TEXT),
            Column("stories", "Stories", Kind.COUNT),
            Column("sentences", "Sentences", Kind.COUNT),
            *(Column(name, title, Kind.SHARE) for name, title in (means | shares | kinds).items()),
        ),
        tuple(tuple(row.values()) for row in rows.to_dicts()),
        (
            "Atomic: without operator and quantifier. Over the usable sentences of each dataset.",
            "Kinds: distinct kinds of operators and quantifiers of a formula, as the paper counts.",
            "The paper's shares of atomic formulas and of quantifiers fit no count exactly.",
        ),
    )
