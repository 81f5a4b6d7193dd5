"""The Arrow schemas of fine-tuning: what is learnt from, and how training went."""

import pyarrow as pa

from nlfol.store.columns import field, schema, structs, texts
from nlfol.store.schemas import STATUS

EXAMPLES = schema(
    "examples",
    1,
    # Whose answer to what it is, as in RESPONSES.
    *texts("dataset", "task", "model", "item", "presentation"),
    field("seed", pa.int64(), null=True),
    field("step", pa.int32()),
    field("part", pa.string()),
    # The dialogue, the completion last; empty where the row is refused.
    structs("messages", *texts("role", "content")),
    # Of a leak: the item of a tested dataset that it gives away.
    *texts("tested_dataset", "tested_item", null=True),
    *STATUS,  # reasons: see training.exporting.Reason
)
"""One row an example, usable or refused; a dialogue that teaches nothing has one refused row.

The metadata name the ``training`` and its ``tested`` datasets, as JSON.
"""

LOSSES = schema(
    "losses",
    1,
    field("step", pa.int64()),  # from 1: a batch each
    field("epoch", pa.float64()),
    field("loss", pa.float64()),  # mean cross-entropy of the completions' tokens in the batch, in nats
    field("learning_rate", pa.float64()),
    field("gradient_norm", pa.float64()),  # before it is clipped
)
"""One row a step of a training.

The metadata name the ``training``, its ``settings`` as JSON, the ``base``, the SHA-256 of the ``adapter`` and of the
``examples``, how many of these were ``learnt``, the ``engine``, and what was ``left_out`` as too long for the model's
context: of each the place among the usable rows of EXAMPLES, from 0, and its tokens.
"""
