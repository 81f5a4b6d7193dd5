"""The rows of fine-tuning: what is learnt from, and how training went."""

from typing import TypedDict

from nlfol.store.columns import Int32, row_schema
from nlfol.store.row_parts import Status


class Turn(TypedDict):
    """A turn of a dialogue."""

    role: str
    content: str


class _Example(TypedDict):
    # Whose answer to what it is, as in RESPONSES.
    dataset: str
    task: str
    model: str
    item: str
    presentation: str
    seed: int | None
    step: Int32
    part: str
    # The dialogue, the completion last; empty where the row is refused.
    messages: list[Turn]
    # Of a leak: the item of a tested dataset that it gives away.
    tested_dataset: str | None
    tested_item: str | None


class ExampleRow(_Example, Status):
    """One row an example, usable or refused; a dialogue that teaches nothing has one refused row.

    The metadata name the ``training`` and its ``tested`` datasets, as JSON.
    """

    # reasons: see training.exporting.Reason


EXAMPLES = row_schema("examples", 1, ExampleRow)


class LossRow(TypedDict):
    """One row a step of a training.

    The metadata name the ``training``, its ``settings`` as JSON, the ``base``, the SHA-256 of the ``adapter`` and of
    the ``examples``, how many of these were ``learnt``, the ``engine``, and what was ``left_out`` as too long for the
    model's context: of each the place among the usable rows of EXAMPLES, from 0, and its tokens.
    """

    step: int  # from 1: a batch each
    epoch: float
    loss: float  # mean cross-entropy of the completions' tokens in the batch, in nats
    learning_rate: float
    gradient_norm: float  # before it is clipped


LOSSES = row_schema("losses", 1, LossRow)
