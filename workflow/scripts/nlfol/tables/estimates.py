"""Table of estimated requests, tokens and cost."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nlfol.asking.estimates import total
from nlfol.tables import columns
from nlfol.tables.table import MISSING, TableForm, shown

Rows = Sequence[Mapping[str, Any]]
"""Made by ``asking.estimates.Estimator``: one a model, dataset and task."""

_ERROR = "where nothing else is known by 3, for 2.4 to 3.5 that one tokenizer has on prompts of these tasks"


def _sums(_: object, rows: Rows) -> Iterator[str]:
    for currency in sorted({row["currency"] for row in rows if row["currency"]}):
        expected, most = total(rows, currency)
        yield f"Together: {shown(expected)} {currency} expected, {shown(float(most))} {currency} at most."


def _unpriced(_: object, rows: Rows) -> Iterator[str]:
    if names := sorted({row["model"] for row in rows if row["currency"] is None}):
        yield f"No price is known ({MISSING}) of {', '.join(names)}: state it under price in the model's entry."


ESTIMATES = TableForm(
    "estimate",
    "What asking would take",
    "Requests of dialogue models, texts for embedding models behind interfaces, and what is left of them.",
    (
        *columns.texts("model", "dataset", "task"),
        *columns.counts("requests", "answered", "left", "following", "following_most", "prompt_tokens"),
        columns.text("counted_by"),
        columns.count("completion_tokens"),
        columns.count("completion_most", "At most"),
        columns.share("cost"),
        columns.share("cost_most", "At most"),
        columns.text("currency"),
    ),
    (
        _sums,
        _unpriced,
        "Following: later steps of dialogues that are left, as many as the journal lets expect, and at most.",
        "Tokens and cost are of what is left: what journal and stores of vectors do not hold yet.",
        "Of an embedding model a request is a text: paid for once, and counted in each task that needs it.",
        "Completions are expected to be as long as those in the journal, and at most as long as the limits allow.",
        "The highest cost is what a budget reserves: a token for each byte of prompt and schema, and the limit.",
        f"Prompts are counted by the model's tokenizer where it is here, else by characters a token: {_ERROR}.",
        "Prompt tokens that a provider finds in its cache cost less, attempts that break off may cost more.",
    ),
    (),
    list,
)
