"""The Arrow schemas of what is measured of items and analysed over scores and datasets, beside those of ``schemas``."""

from __future__ import annotations

import pyarrow as pa

from nlfol.store.columns import TASK, field, schema

MEASURE_NAMES = (
    *("operators", "operators_published", "depth", "quantifiers", "conjunctions", "disjunctions", "negations"),
    *("implications", "equivalences", "exclusive_disjunctions", "universal", "existential", "atoms"),
    *(
        "letters",
        "predicates",
        "constants",
        "concatenation",
        "union",
        "star",
        "plus",
        "option",
        "states",
        "edges",
        "density",
    ),
)
"""What any language measures of a sentence, see ``Language.measures``."""

CATEGORY = "category"
"""The measure that generation was stratified by: each of its values has a bin."""

MEASURES = schema(
    "measures",
    1,
    [
        field("item", pa.string()),
        field("story", pa.string()),
        field("language", pa.string()),
        # Of the measure that generation was stratified by; null where nothing was generated.
        field("category", pa.float64(), null=True),
        # Null where the language has no such measure, or it is undefined.
        *(field(name, pa.float64(), null=True) for name in MEASURE_NAMES),
        field("edits", pa.int32()),  # single edits tried
        field("detected", pa.int32()),  # of them, those proven to change the meaning
        field("undecided", pa.int32()),  # of them, those of which neither is proven
        # Whether it is true everywhere or nowhere, or matches all words or none; null where undecided.
        field("constant", pa.bool_(), null=True),
    ],
)
"""One row a usable triple: its size, and how much of its meaning an equivalence check sees."""

CORRECTIONS = schema(
    "corrections",
    1,
    [
        field("dataset", pa.string()),
        field("item", pa.string()),
        field("kind", pa.string()),  # see datasets.patches.PatchKind
        field("published", pa.string(), null=True),  # canonical notation; null where it could not be read
        field("corrected", pa.string()),
        # How the corrected formula stands to the published one (logic.relations); null where that is open or unread.
        field("relation", pa.string(), null=True),
        field("regained", pa.string(), null=True),  # why the sentence would be refused, as published
        field("refused", pa.string(), null=True),  # why it is refused all the same
        field("reason", pa.string()),
        field("evidence", pa.string()),
    ],
)
"""One row a sentence whose gold formula a patch corrects."""

COMPLEXITY = schema(
    "complexity",
    2,
    [
        field("dataset", pa.string()),
        field("stories", pa.int64()),
        field("sentences", pa.int64()),
        field("operators", pa.float64(), null=True),  # mean a formula; null where there is none, as all below
        field("quantifiers", pa.float64(), null=True),
        field("atomic", pa.float64(), null=True),  # share without operator and quantifier
        field("operators_3", pa.float64(), null=True),  # share with at least so many operators
        field("operators_4", pa.float64(), null=True),
        field("operators_5", pa.float64(), null=True),
        field("quantifiers_0", pa.float64(), null=True),  # share with exactly so many quantifiers
        field("quantifiers_1", pa.float64(), null=True),
        field("quantifiers_2", pa.float64(), null=True),
        field("quantifiers_3", pa.float64(), null=True),  # with three or more
        # As the paper counts: distinct kinds of ¬ ∧ ∨ ⊕ → ↔ ∀ ∃; null where the language has none of them.
        field("kinds", pa.float64(), null=True),  # mean a formula
        field("kinds_3", pa.float64(), null=True),  # share with at least so many kinds
        field("kinds_4", pa.float64(), null=True),
        field("kinds_5", pa.float64(), null=True),
        field("quantifier_kinds_1", pa.float64(), null=True),  # share with ∀ or ∃, but not both
        field("quantifier_kinds_2", pa.float64(), null=True),  # with both
    ],
)
"""One row a dataset, over its usable sentences."""

DIVERSITY = schema(
    "diversity",
    1,
    [
        field("dataset", pa.string()),
        field("items", pa.int64()),  # usable
        field("refused", pa.int64()),
        field("formulas", pa.int64()),  # distinct ones
        field("trees", pa.int64(), null=True),  # distinct ones, without vocabulary; this and the next two: if generated
        field("trees_share", pa.float64(), null=True),  # of the items
        field("sharing", pa.int64(), null=True),  # items whose tree another item has with another formula
        field("constant", pa.int64()),  # items true everywhere or nowhere
        field("constant_unknown", pa.int64()),  # items of which that is undecided
        field("edits", pa.int64()),  # tried, of all items
        field("undecided", pa.int64()),  # of them
        field("sensitivity", pa.float64(), null=True),  # detected of edits; null where none was tried
        field("sensitivity_low", pa.float64(), null=True),  # interval at 95 % over stories; null for one story
        field("sensitivity_high", pa.float64(), null=True),
        field("operators", pa.float64(), null=True),  # mean; null where there is no item
    ],
)
"""One row a dataset, over its usable items."""

COUNTS = schema(
    "counts",
    1,
    [
        field("dataset", pa.string()),
        field("measure", pa.string()),  # a column of MEASURES, category included, that is not 0 of every item
        field("value", pa.float64()),
        field("items", pa.int64()),  # usable ones
    ],
)
"""One row a generated dataset, measure and value that an item has."""

CURVES = schema(
    "curves",
    1,
    [
        *TASK,
        field("metric", pa.string()),
        field("presentation", pa.string()),
        field("model", pa.string()),
        field("kind", pa.string()),  # of the model, as in CELLS
        field("measure", pa.string()),  # a column of MEASURES, category included
        field("bin", pa.string()),  # the value, or "least–greatest"
        field("start", pa.float64()),  # least value of the bin
        field("end", pa.float64()),  # greatest
        # Which items: "all"; "true" for those of which every edit tried is detected, "false" for the others with edits.
        field("sensitive", pa.string()),
        field("items", pa.int64()),
        field("stories", pa.int64()),
        field("seeds", pa.int64()),
        field("mean", pa.float64()),
        field("deviation", pa.float64(), null=True),  # sample standard deviation over seeds; null for one seed
        field("low", pa.float64(), null=True),  # interval at 95 % over stories; null for one story
        field("high", pa.float64(), null=True),
    ],
)
"""One row a generated dataset, task, metric, presentation, model, measure, bin with items, and choice of items."""
