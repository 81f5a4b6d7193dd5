"""The Arrow schema of every stage's file, declared once.

Each schema's metadata carries ``nlfol.schema`` (name) and ``nlfol.version``; a version grows whenever a column changes
name, type or meaning, and ``files.read`` refuses any other.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa


def _schema(name: str, version: int, fields: list[pa.Field[Any]]) -> pa.Schema:
    return pa.schema(fields, metadata={"nlfol.schema": name, "nlfol.version": str(version)})


def _field(name: str, kind: pa.DataType, *, null: bool = False) -> pa.Field[Any]:
    return pa.field(name, kind, nullable=null)


_STATUS = [
    # "usable" or "refused"; a refused row stays in the file with the reason and goes no further.
    _field("status", pa.string()),
    # A snake_case word to count by, and a sentence naming the thing at fault and the remedy; null where usable.
    _field("reason", pa.string(), null=True),
    _field("detail", pa.string(), null=True),
]

_REPAIR = pa.struct(
    [
        _field("kind", pa.string()),
        _field("before", pa.string()),
        _field("after", pa.string()),
    ]
)

_GOLD = [
    # What a reviewed patch has changed of the gold formula; null where it is as published. ``published`` is the
    # published formula in canonical notation, null where it could not be read.
    _field(
        "correction",
        pa.struct(
            [
                _field("kind", pa.string()),  # see datasets.patches.PatchKind
                _field("reason", pa.string()),
                _field("evidence", pa.string()),
                _field("published", pa.string(), null=True),
            ]
        ),
        null=True,
    ),
    # Why it would be refused with the formulas as published; null unless corrections make it usable up to here.
    _field("regained", pa.string(), null=True),
]

_ONTOLOGY = pa.struct(
    [
        _field(
            "predicates",
            pa.list_(
                pa.struct(
                    [
                        _field("name", pa.string()),
                        _field("arity", pa.int32()),
                        _field("positive", pa.string()),
                        _field("negative", pa.string()),
                    ]
                )
            ),
        ),
        _field(
            "functions",
            pa.list_(
                pa.struct([_field("name", pa.string()), _field("arity", pa.int32()), _field("meaning", pa.string())])
            ),
        ),
        _field("constants", pa.list_(pa.struct([_field("name", pa.string()), _field("meaning", pa.string())]))),
        # Whether it was made from the symbols of the formulas because the dataset has none.
        _field("derived", pa.bool_()),
    ]
)

SENTENCES = _schema(
    "sentences",
    2,
    [
        _field("item", pa.string()),  # unique in the dataset: "{story}:{index}"
        _field("story", pa.string()),
        _field("index", pa.int32()),  # place in the story, from 0, as in the source
        _field("text", pa.string()),
        _field("source_formula", pa.string()),  # as in the source
        _field("formula", pa.string(), null=True),  # canonical notation; null where unread
        _field("repairs", pa.list_(_REPAIR)),
        *_GOLD,
        *_STATUS,
    ],
)
"""One row a sentence of the source, in the source's order."""

TRIPLES = _schema(
    "triples",
    2,
    [
        _field("item", pa.string()),
        _field("story", pa.string()),
        _field("index", pa.int32()),
        _field("text", pa.string()),
        _field("formula", pa.string(), null=True),
        _field("ontology", _ONTOLOGY, null=True),  # only what holds for the story; null where the story has none
        _field("repairs", pa.list_(_REPAIR)),
        *_GOLD,
        *_STATUS,
    ],
)
"""One row a sentence: those refused at ingestion, with their reason, and the others with their ontology."""

CERTIFICATE = pa.struct(
    [
        _field("to", pa.int32()),  # the other member: its place in the set
        _field("verdict", pa.string()),  # equivalent or not_equivalent
        _field("means", pa.string()),  # what decided, see logic.decision.verdicts.Verdict
        # A finite structure in which exactly one of the two is true, as JSON (see candidates.certificates); null for
        # a proof.
        _field("counter_model", pa.string(), null=True),
    ]
)
"""How two members of a candidate set stand to each other, with what proves it."""

CANDIDATE = pa.struct(
    [
        _field("formula", pa.string()),
        _field("english", pa.string()),
        # gold, perturbation, equivalent, negation, negation_normal_form, negation_equivalent (see candidates.sets.Role)
        _field("role", pa.string()),
        _field("edits", pa.int32()),  # elementary edits that made it: 1 or 2 of a perturbation, 0 of any other
        # The edits or laws that made it, in their order ("connective", "quantifier", "negation", "de_morgan", ...);
        # none for the gold formula and the plain negation.
        _field("change", pa.list_(pa.string())),
        # The subformula that each was applied to, in the formula as it then was: child indices from the root,
        # "/"-separated, "" at the root.
        _field("path", pa.list_(pa.string())),
        # One for each relation that the member must have to one before it, and of a perturbation to the negation;
        # null where nothing was certified (protocol paper).
        _field("certificates", pa.list_(CERTIFICATE), null=True),
    ]
)

CANDIDATES = _schema(
    "candidates",
    2,
    [
        _field("item", pa.string()),
        _field("story", pa.string()),
        _field("text", pa.string()),
        _field("formula", pa.string()),
        _field("ontology", _ONTOLOGY),
        _field("candidates", pa.list_(CANDIDATE)),  # the gold first; empty for logical translation
        *_STATUS,
    ],
)
"""One row a usable triple: its candidate set in canonical order; the order shown is drawn for each model seed.

The metadata name the dataset, the ``task`` (the entry's name), its ``task_kind``, ``protocol`` ("" where there are no
candidates) and ``style`` of English.
"""

RESPONSES = _schema(
    "responses",
    3,
    [
        _field("item", pa.string()),
        _field("story", pa.string()),
        _field("presentation", pa.string()),  # what candidates are shown as: "formula", "english"; "" where none are
        _field("seed", pa.int64(), null=True),  # null for models without randomness
        # order[j] is the candidate (place in the candidate set) shown at place j; empty where none are.
        _field("order", pa.list_(pa.int32())),
        _field("request", pa.string(), null=True),  # SHA-256 of the request's canonical JSON
        # answered, truncated, empty, whitespace, refused or failed; "unparsable" is decided when judging.
        _field("outcome", pa.string()),
        _field("answer", pa.string(), null=True),  # what a dialogue model or the reader wrote, verbatim
        _field("thinking", pa.string(), null=True),  # what it wrote beside the answer; never graded
        _field("finish_reason", pa.string(), null=True),  # the back end's own word
        _field("similarities", pa.list_(pa.float64())),  # to each candidate, in its order; embeddings only
        _field("prompt_tokens", pa.int32(), null=True),
        _field("cached_tokens", pa.int32(), null=True),  # part of the prompt that the provider had in its cache
        _field("completion_tokens", pa.int32(), null=True),
        _field("reasoning_tokens", pa.int32(), null=True),  # part of the completion that was reasoning
        _field("seconds", pa.float64(), null=True),
        _field("attempts", pa.int32(), null=True),  # how often the request was sent
        # By the provider's word: the model that answered, its system_fingerprint, its name of the response.
        _field("served_model", pa.string(), null=True),
        _field("fingerprint", pa.string(), null=True),
        _field("response_id", pa.string(), null=True),
        _field("batch", pa.string(), null=True),  # the provider's name of the batch that it came in
        # In the price's currency, by the price in the metadata; 0 where the model runs here, null where unknown.
        _field("cost", pa.float64(), null=True),
        _field("error", pa.string(), null=True),
    ],
)
"""One row a request (dialogue models), a compared item (embedding models) or an item (reader, chance).

Where an entry says whether its dialogue model thinks, the metadata do, too: ``thinking`` ("yes", "no"), and
``apart_from_thinking``, the identity that it has when it does not think. A dialogue model's have its ``price`` as JSON
("null" where nobody says it), with its date and source.
"""

VECTORS = _schema(
    "vectors",
    1,
    [
        _field("text", pa.string()),  # without the prompt of its role
        _field("tokens", pa.int32(), null=True),  # of prompt and text
        _field("truncated", pa.bool_()),  # whether the model saw only the beginning
        _field("vector", pa.list_(pa.float32())),  # whole, as the model gave it; metadata: dimensions
    ],
)
"""One row a text in one role (metadata) of one embedding model (metadata: identity, prompts included)."""

SCORES = _schema(
    "scores",
    3,
    [
        _field("item", pa.string()),
        _field("story", pa.string()),
        _field("presentation", pa.string()),
        _field("seed", pa.int64(), null=True),
        # logical_translation: "equivalence"; most_similar: "accuracy"; ranking: "equivalence", "negation", "both".
        _field("metric", pa.string()),
        # In [0, 1]: 0 or 1 for a dialogue model; an expectation where ties are broken, or all answers are, by chance.
        _field("score", pa.float64()),
        # answered, unparsable, truncated, empty, whitespace, refused, failed
        _field("outcome", pa.string()),
        # equivalent, not_equivalent, unknown, invalid for an answered translation; null otherwise.
        _field("verdict", pa.string(), null=True),
        _field("means", pa.string(), null=True),
        # How a translation that is not equivalent stands to the gold formula: stronger, weaker, contradictory,
        # independent or unknown.
        _field("relation", pa.string(), null=True),
        # What the one change that would put it right says is wrong with it, see logic.corrections.Fault.
        _field("fault", pa.string(), null=True),
        _field("detail", pa.string(), null=True),  # counter-model in words, or what is wrong with the answer
        # The same counter-model as JSON, see ``logic.structures.Structure.as_data``.
        _field("counter_model", pa.string(), null=True),
        _field("answer", pa.string(), null=True),  # the extracted answer
        # Of a translation that could be read: what as, in which dialect, and under which liberties and policies.
        _field("formula", pa.string(), null=True),
        _field("dialect", pa.string(), null=True),
        _field("repairs", pa.list_(pa.string())),
        _field("ambiguities", pa.list_(pa.string())),
        _field("policy", pa.string(), null=True),
        _field("tied", pa.bool_()),  # whether equal similarities touched the score
        # Where a dialogue model was shown the gold formula, from 1; null where no candidates were shown in an order.
        _field("position", pa.int32(), null=True),
    ],
)
"""One row an answer and metric; of the responses' metadata, what says who was asked what."""

_TASK = [
    _field("dataset", pa.string()),
    _field("task", pa.string()),  # the entry's name in the configuration
    _field("task_kind", pa.string()),  # logical_translation, most_similar, ranking
    _field("protocol", pa.string(), null=True),  # audited or paper; null where there are no candidates
]

CELLS = _schema(
    "cells",
    3,
    [
        *_TASK,
        _field("metric", pa.string()),
        _field("presentation", pa.string()),
        _field("model", pa.string()),
        _field("kind", pa.string()),  # chat, embedding, reader, chance
        _field("items", pa.int64()),  # items asked: the denominator of every mean
        _field("available", pa.int64()),  # items the dataset offers for the task
        _field("stories", pa.int64()),
        _field("seeds", pa.int64()),  # 1 where the model has no randomness
        _field("mean", pa.float64(), null=True),  # over seeds, of the mean over items; null where no item was asked
        _field("deviation", pa.float64(), null=True),  # sample standard deviation over seeds; null for one seed
        _field("error", pa.float64(), null=True),  # cluster-robust standard error of the mean; null for one story
        _field("low", pa.float64(), null=True),  # interval of the mean at 95 %; null for one story
        _field("high", pa.float64(), null=True),
        _field("method", pa.string(), null=True),  # of the interval: student, wilson
        _field("answered", pa.int64()),
        _field("unparsable", pa.int64()),
        _field("truncated", pa.int64()),
        _field("empty", pa.int64()),
        _field("whitespace", pa.int64()),
        _field("refused", pa.int64()),
        _field("failed", pa.int64()),
        _field("equivalent", pa.int64(), null=True),
        _field("not_equivalent", pa.int64(), null=True),
        _field("unknown", pa.int64(), null=True),
        _field("invalid", pa.int64(), null=True),
        _field("repaired", pa.int64(), null=True),  # answers read with a repair, and with an ambiguity
        _field("ambiguous", pa.int64(), null=True),
        _field("tied", pa.int64()),
    ],
)
"""One row a dataset, task, metric, presentation and model: what every table is drawn from.

Where a model was asked no item of a task, one row says so: no items, no mean, metric and presentation "".
"""

COSTS = _schema(
    "costs",
    1,
    [
        *_TASK,
        _field("model", pa.string()),
        _field("requests", pa.int64()),  # distinct ones
        _field("uncounted", pa.int64()),  # of them, those of which no token count is known
        _field("prompt_tokens", pa.int64()),  # of those counted, and so on
        _field("cached_tokens", pa.int64()),
        _field("completion_tokens", pa.int64()),
        _field("reasoning_tokens", pa.int64()),
        _field("seconds", pa.float64()),  # sum over requests, many of which are under way at once
        _field("cost", pa.float64(), null=True),  # of those counted; null where the model has no price
        _field("currency", pa.string(), null=True),
        _field("price_read", pa.string(), null=True),  # ISO date at which the price was read; null where not known
    ],
)
"""One row a dataset, task and dialogue model."""

POSITIONS = _schema(
    "positions",
    1,
    [
        *_TASK,
        _field("presentation", pa.string()),
        _field("model", pa.string()),
        _field("position", pa.int32()),  # where the gold formula was shown, from 1
        _field("answers", pa.int64()),  # items × seeds shown so, whatever became of the answer
        _field("right", pa.int64()),
    ],
)
"""One row a dataset, most similar task, presentation, dialogue model and position of the gold formula."""

EDIT_MIX = _schema(
    "edit_mix",
    1,
    [
        *_TASK,
        _field("role", pa.string(), null=True),  # of members; null where items are counted
        _field("change", pa.list_(pa.string()), null=True),  # edits or laws that made them
        _field("edits", pa.int32(), null=True),
        _field("perturbations", pa.int32(), null=True),  # of items: how many their sets hold; null for members
        _field("count", pa.int64()),
        _field("total", pa.int64()),  # members of that role, or items, of the dataset and task
    ],
)
"""What candidate sets are made of: rows of members by role and change, and of items by number of perturbations."""

REFUSALS = _schema(
    "refusals",
    2,
    [
        _field("dataset", pa.string()),
        _field("stage", pa.string()),  # ingestion, ontology, candidates
        _field("task", pa.string(), null=True),  # at stage candidates, which branches by task; null before
        _field("order", pa.int32()),  # place of the step in the dataset's funnel, from 0, over all stages and tasks
        # "read" (what the source holds), "refused" (less one reason), "usable" (what a stage and task hands on)
        _field("step", pa.string()),
        _field("reason", pa.string(), null=True),  # where refused
        _field("stories", pa.int64(), null=True),  # a step: stories with a sentence left after it
        _field("sentences", pa.int64(), null=True),  # a step: sentences left after it
        _field("corrected", pa.int64(), null=True),  # a step: those of them with a corrected gold formula
        _field("regained", pa.int64(), null=True),  # a step: those that would be refused before, as published
        _field("item", pa.string(), null=True),  # a refused row; null in the rows of steps
        _field("story", pa.string(), null=True),
        _field("detail", pa.string(), null=True),
    ],
)
"""The funnel: one row a step with what is left after it, each followed by one row an item that it refused."""

FAULT = pa.struct(
    [
        _field("item", pa.string()),
        _field("members", pa.list_(pa.int32())),  # places in the candidate set
        _field("formulas", pa.list_(pa.string())),  # of these members
        _field("detail", pa.string()),  # a finite structure as JSON, or words
    ]
)

AUDITS = _schema(
    "audits",
    1,
    [
        _field("dataset", pa.string()),
        _field("task", pa.string()),
        _field("sets", pa.int64()),  # candidate sets audited
        _field("check", pa.string()),  # see candidates.audit.faults.Check; last "unknown": what was not decided
        _field("items", pa.int64()),  # sets with such a fault
        _field("pairs", pa.int64()),  # such faults: of pairs of members, of members or of sets, as the check has it
        _field("faults", pa.list_(FAULT)),  # all of them
    ],
)
"""One row a check, those that found nothing included."""
