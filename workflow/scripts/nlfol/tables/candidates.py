"""The table of the complexity of formulas."""

from __future__ import annotations

import polars as pl

from nlfol.tables.table import Column, Kind, Table


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
