"""The Arrow schemas of problems in other words: how they came about, what became of their meaning, and how alike."""

import pyarrow as pa

from nlfol.store.columns import field, schema
from nlfol.store.schemas import STATUS

_PROPOSAL = [
    field("item", pa.string()),  # the problem
    field("statement", pa.int32()),  # its place, from 0
    field("concept", pa.string()),  # the symbol; of free English, the words in small letters
    field("start", pa.int32()),  # of the words in the statement
    field("level", pa.string()),  # word, phrase or sentence
    field("type", pa.string()),  # synonym, phrase, voice or reference
    field("source", pa.string()),  # wordnet, ppdb or rewriter
    field("fallback", pa.bool_()),  # whether the model was asked for words because the lexica have none
    field("before", pa.string()),
    field("after", pa.string(), null=True),
    field("sentence", pa.string(), null=True),  # the whole statement in other words
    *STATUS,  # needs_inflection, unchanged, not_said, malformed, unparsable, or how a request ended
]

LEXICAL = schema("lexical", 1, _PROPOSAL)
"""One row a proposal of a lexicon, in the problems' order."""

PROPOSALS = schema("proposals", 1, _PROPOSAL)
"""One row a proposal of a lexicon or of the rewriter."""

SIMILARITIES = schema(
    "similarities",
    1,
    [
        field("item", pa.string()),
        field("statement", pa.int32()),
        field("sentence", pa.string()),
        field("similarity", pa.float64()),  # cosine, to the statement
        field("kept", pa.bool_()),  # whether it reaches the threshold
    ],
)
"""One row a sentence that is proposed for a statement."""

CHOICES = schema(
    "choices",
    1,
    [
        field("item", pa.string()),
        field("statement", pa.int32()),
        field("sentence", pa.string()),
        field("offered", pa.int32()),  # sentences, the statement as it is among them
        field("chosen_by", pa.string()),  # only: there was one; assembler; fewest_repeats: no valid choice came
        field("detail", pa.string(), null=True),  # why there was no valid choice
    ],
)
"""One row a statement of a usable problem."""

REWRITTEN = schema(
    "rewritten",
    1,
    [
        field("item", pa.string()),
        # Place of a statement in other words; null of a fault of the problem as a whole.
        field("statement", pa.int32(), null=True),
        field(
            "verdict", pa.string()
        ),  # kept, changed; unread: not read, or in several ways; added: not in the original
        field("check", pa.string(), null=True),  # see diversification.audit.Check; null where nothing is wrong
        field("detail", pa.string(), null=True),
    ],
)
"""One row a fault of a problem in other words, and one a statement without any."""

WORDINGS = schema(
    "wordings",
    1,
    [
        field("item", pa.string()),
        field("statement", pa.int32()),
        field("unit", pa.string()),  # statement, or concept: the words alone
        field("before", pa.string()),
        field("after", pa.string()),
        field("similarity", pa.float64()),  # cosine
    ],
)
"""One row a statement, and a rewrite, by one embedding model."""
