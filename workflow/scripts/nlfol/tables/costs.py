"""What answers took: tokens and money; the time is told in the manifest, for equal runs make equal tables."""

from __future__ import annotations

import polars as pl

from nlfol.tables.table import Column, Kind, Table

_RATIOS = ("prompt", "completion", "cost")
_TOKENS = ("prompt", "cached", "completion", "reasoning")


def costs(sums: pl.DataFrame) -> Table:
    """Requests, tokens and cost by model, dataset and task; and of tasks of one kind, by what the first took."""
    rows = sums.to_dicts()
    return Table(
        "costs",
        "Tokens and cost",
        "What the answers of dialogue models took, each request counted once.",
        (
            *(Column(name, name.capitalize(), Kind.TEXT) for name in ("model", "dataset", "task")),
            Column("requests", "Requests", Kind.COUNT),
            Column("uncounted", "Uncounted", Kind.COUNT),
            *(Column(f"{name}_tokens", f"{name.capitalize()} tokens", Kind.COUNT) for name in _TOKENS),
            Column("cost", "Cost", Kind.SHARE),
            Column("currency", "Currency", Kind.TEXT),
            Column("price_read", "Price of", Kind.TEXT),
            Column("against", "Against", Kind.TEXT),
            Column("common", "Common", Kind.COUNT),
            *(Column(f"{name}_ratio", f"× {name}", Kind.SHARE) for name in _RATIOS),
        ),
        tuple(
            (
                *(row[name] for name in ("model", "dataset", "task", "requests", "uncounted")),
                *(row[f"{name}_tokens"] for name in _TOKENS),
                row["cost"],
                row["currency"],
                row["price_read"],
                row["against"],
                row["common"],
                *(row[f"{name}_ratio"] for name in _RATIOS),
            )
            for row in rows
        ),
        (
            "Cached is a part of prompt, reasoning a part of completion.",
            "Uncounted are requests of which no numbers of tokens are known, and which are in no sum.",
            "Cost: of the tokens at the price of the date given; – where nobody stated one, 0 where a model runs here.",
            "×: of what both were asked (Common), what this task took by what the first of its kind took (Against).",
            "A table of concepts takes 1.3 × the prompt and 2.1 × the completion in SoLT's section 5.4.",
            "Attempts that broke off may have been charged and are in no sum.",
        ),
    )
