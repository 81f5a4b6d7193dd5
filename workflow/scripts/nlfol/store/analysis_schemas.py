"""The Arrow schemas of what is analysed over all scores and datasets, beside the cells of ``schemas``."""

from __future__ import annotations

import pyarrow as pa

from nlfol.store.schemas import _TASK, _field, _schema

_AGREEMENT = [
    # Shares of the answers to the same items under the same seeds; null where there are none.
    _field("both", pa.float64(), null=True),
    _field("first_only", pa.float64(), null=True),
    _field("second_only", pa.float64(), null=True),
    _field("neither", pa.float64(), null=True),
    _field("kappa", pa.float64(), null=True),  # Cohen's; null also where agreement is certain
]

DIFFERENCES = _schema(
    "differences",
    1,
    [
        *_TASK,
        _field("metric", pa.string()),
        _field("presentation", pa.string()),
        _field("table", pa.string()),  # whose comparisons are one family: logical_translation, dialogue, embedding
        _field("first", pa.string()),
        _field("second", pa.string()),
        _field("items", pa.int64()),  # that both were asked
        _field("stories", pa.int64()),
        _field("difference", pa.float64()),  # of the means, first less second
        _field("error", pa.float64(), null=True),  # cluster-robust standard error; null for one story
        _field("low", pa.float64(), null=True),  # interval at 95 %
        _field("high", pa.float64(), null=True),
        _field("p", pa.float64()),  # sign-flip test by story, two-sided
        _field("adjusted", pa.float64()),  # by Holm over the family
        _field("detectable", pa.float64(), null=True),  # smallest difference detected with probability 0.8
        *_AGREEMENT,
    ],
)
"""One row a question (dataset, task, metric, presentation) and pair of models of one kind."""

THINKING = _schema(
    "thinking",
    1,
    [
        *_TASK,
        _field("metric", pa.string()),
        _field("presentation", pa.string()),
        _field("thinking", pa.string()),  # names of the two entries: the one that thinks, and the one that does not
        _field("plain", pa.string()),
        _field("items", pa.int64()),  # that both were asked
        _field("stories", pa.int64()),
        _field("score", pa.float64()),  # mean over these items, with thinking
        _field("score_plain", pa.float64()),  # and without
        _field("difference", pa.float64()),  # of the means, with less without
        _field("error", pa.float64(), null=True),  # this and the following as in DIFFERENCES
        _field("low", pa.float64(), null=True),
        _field("high", pa.float64(), null=True),
        _field("p", pa.float64()),
        _field("adjusted", pa.float64()),  # by Holm over all rows
        _field("detectable", pa.float64(), null=True),
    ],
)
"""One row a question (dataset, task, metric, presentation) and pair of entries that differ in thinking."""

TASK_AGREEMENTS = _schema(
    "task_agreements",
    1,
    [
        _field("dataset", pa.string()),
        _field("protocol", pa.string(), null=True),
        _field("model", pa.string()),
        _field("presentation", pa.string()),
        _field("most_similar", pa.string()),  # names of the two entries: the first and the second series
        _field("ranking", pa.string()),
        _field("items", pa.int64()),
        *_AGREEMENT,
    ],
)
"""One row a model, presentation and pair of a most similar and a ranking task of one protocol."""

REPETITIONS = _schema(
    "repetitions",
    1,
    [
        *_TASK,
        _field("metric", pa.string()),
        _field("presentation", pa.string()),
        _field("model", pa.string()),
        _field("items", pa.int64()),
        _field("seeds", pa.int64()),
        _field("any_right", pa.list_(pa.float64())),  # pass@k for k = 1 to the number of seeds
        _field("all_right", pa.list_(pa.float64())),  # pass^k
        _field("consistent", pa.float64()),  # share of items right under all seeds or wrong under all
    ],
)
"""One row a dialogue model, task, metric and presentation."""

CORRELATIONS = _schema(
    "correlations",
    1,
    [
        _field("dataset", pa.string()),
        _field("task", pa.string()),
        _field("model", pa.string()),
        _field("metric", pa.string()),  # bleu or le
        _field("answers", pa.int64()),  # items × seeds
        _field("read", pa.int64()),  # those that could be read: the base of the correlation
        _field("correlation", pa.float64(), null=True),  # mean over seeds; null where there is nothing to correlate
        _field("low", pa.float64(), null=True),  # least and greatest of a seed
        _field("high", pa.float64(), null=True),
        _field("deviation", pa.float64(), null=True),  # sample standard deviation over seeds
    ],
)
"""One row a translation task, dialogue model and score compared with equivalence."""

FAULTS = _schema(
    "faults",
    1,
    [
        _field("dataset", pa.string()),
        _field("task", pa.string()),
        _field("model", pa.string()),
        _field("group", pa.string()),  # answers, invalid, relation, fault; see statistics.faults
        _field("case", pa.string()),
        _field("count", pa.int64()),  # items × seeds
        _field("share", pa.float64()),  # of the group
    ],
)
"""One row a translation task, dialogue model, group and case."""

CORRECTIONS = _schema(
    "corrections",
    1,
    [
        _field("dataset", pa.string()),
        _field("item", pa.string()),
        _field("kind", pa.string()),  # see datasets.patches.PatchKind
        _field("published", pa.string(), null=True),  # canonical notation; null where it could not be read
        _field("corrected", pa.string()),
        # How the corrected formula stands to the published one (logic.relations); null where that is open or unread.
        _field("relation", pa.string(), null=True),
        _field("regained", pa.string(), null=True),  # why the sentence would be refused, as published
        _field("refused", pa.string(), null=True),  # why it is refused all the same
        _field("reason", pa.string()),
        _field("evidence", pa.string()),
    ],
)
"""One row a sentence whose gold formula a patch corrects."""

GOLD_AUDIT = _schema(
    "gold_audit",
    1,
    [
        _field("dataset", pa.string()),
        _field("task", pa.string()),
        _field("item", pa.string()),
        _field("text", pa.string()),
        _field("gold", pa.string()),
        _field("formula", pa.string()),  # the shortest of the models'
        _field("relation", pa.string()),  # of it to the gold formula
        _field("detail", pa.string(), null=True),  # counter-model in words
        _field("models", pa.list_(pa.string())),  # that agree on its meaning
        _field("answers", pa.int64()),  # items × seeds that agree: all that could be read
        _field("unread", pa.int64()),  # answers that never came or could not be read
        _field("patch", pa.string()),  # a proposed entry of a patch file, as JSON
    ],
)
"""One row an item whose gold formula may be wrong, see ``statistics.gold_audit``."""

COMPLEXITY = _schema(
    "complexity",
    1,
    [
        _field("dataset", pa.string()),
        _field("stories", pa.int64()),
        _field("sentences", pa.int64()),
        _field("operators", pa.float64(), null=True),  # mean a formula; null where there is none, as all below
        _field("quantifiers", pa.float64(), null=True),
        _field("atomic", pa.float64(), null=True),  # share without operator and quantifier
        _field("operators_3", pa.float64(), null=True),  # share with at least so many operators
        _field("operators_4", pa.float64(), null=True),
        _field("operators_5", pa.float64(), null=True),
        _field("quantifiers_0", pa.float64(), null=True),  # share with exactly so many quantifiers
        _field("quantifiers_1", pa.float64(), null=True),
        _field("quantifiers_2", pa.float64(), null=True),
        _field("quantifiers_3", pa.float64(), null=True),  # with three or more
    ],
)
"""One row a dataset, over its usable sentences."""
