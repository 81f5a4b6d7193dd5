"""The Arrow schemas of what is measured of items and analysed over scores and datasets, beside those of ``schemas``."""

import pyarrow as pa

from nlfol.store.columns import field, schema, texts

MEASURE_NAMES = (
    *("operators", "operators_published", "depth", "quantifiers", "conjunctions", "disjunctions", "negations"),
    *("implications", "equivalences", "exclusive_disjunctions", "universal", "existential", "atoms"),
    *("letters", "predicates", "constants", "concatenation", "union", "star", "plus", "option", "states", "edges"),
    "density",
)
"""What any language measures of a sentence, see ``Language.measures``."""

CATEGORY = "category"
"""The measure that generation was stratified by: each of its values has a bin."""

MEASURES = schema(
    "measures",
    1,
    [
        *texts("item", "story", "language"),
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
