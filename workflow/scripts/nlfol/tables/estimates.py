"""Table of estimated requests, tokens and cost."""

from collections.abc import Mapping, Sequence
from typing import Any

from nlfol.asking.estimates import total
from nlfol.tables.table import MISSING, Column, Kind, Table, shown

_ERROR = "where nothing else is known by 3, for 2.4 to 3.5 that one tokenizer has on prompts of these tasks"
_COUNTS = ("requests", "answered", "left", "following", "following_most", "prompt_tokens")


def estimates(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Draw one row per model, dataset and task.

    Args:
        rows: made by ``asking.estimates.Estimator``.
    """
    return Table(
        "estimate",
        "What asking would take",
        "Requests of dialogue models, texts for embedding models behind interfaces, and what is left of them.",
        (
            *(Column(name, name.capitalize(), Kind.TEXT) for name in ("model", "dataset", "task")),
            *(Column(name, name.replace("_", " ").capitalize(), Kind.COUNT) for name in _COUNTS),
            Column("counted_by", "Counted by", Kind.TEXT),
            Column("completion_tokens", "Completion tokens", Kind.COUNT),
            Column("completion_most", "At most", Kind.COUNT),
            Column("cost", "Cost", Kind.SHARE),
            Column("cost_most", "At most", Kind.SHARE),
            Column("currency", "Currency", Kind.TEXT),
        ),
        tuple(
            (
                *(row[name] for name in ("model", "dataset", "task", *_COUNTS, "counted_by")),
                *(row[name] for name in ("completion_tokens", "completion_most", "cost", "cost_most", "currency")),
            )
            for row in rows
        ),
        (
            *(_sum(rows, currency) for currency in sorted({row["currency"] for row in rows if row["currency"]})),
            *_unpriced(rows),
            "Following: later steps of dialogues that are left, as many as the journal lets expect, and at most.",
            "Tokens and cost are of what is left: what journal and stores of vectors do not hold yet.",
            "Of an embedding model a request is a text: paid for once, and counted in each task that needs it.",
            "Completions are expected to be as long as those in the journal, and at most as long as the limits allow.",
            "The highest cost is what a budget reserves: a token for each byte of prompt and schema, and the limit.",
            f"Prompts are counted by the model's tokenizer where it is here, else by characters a token: {_ERROR}.",
            "Prompt tokens that a provider finds in its cache cost less, attempts that break off may cost more.",
        ),
    )


def _sum(rows: Sequence[Mapping[str, Any]], currency: str) -> str:
    expected, most = total(rows, currency)
    return f"Together: {shown(expected)} {currency} expected, {shown(float(most))} {currency} at most."


def _unpriced(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    names = sorted({row["model"] for row in rows if row["currency"] is None})
    if not names:
        return []
    return [f"No price is known ({MISSING}) of {', '.join(names)}: state it under price in the model's entry."]
