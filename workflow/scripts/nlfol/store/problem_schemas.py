"""The Arrow schemas of problems, and of what tables say of the answers to them."""

from pathlib import Path

import pyarrow as pa

from nlfol.store.columns import field, schema, struct, structs, texts
from nlfol.store.schemas import STATUS

_STATEMENT = struct(
    field("text", pa.string()),
    field("line", pa.string(), null=True),  # of the gold program; null where it adds nothing, or there is none
    # Where the text speaks of which symbol, in which form of the lexicon; empty where the English is free.
    structs("mentions", field("start", pa.int32()), field("end", pa.int32()), *texts("concept", "form")),
)

PROBLEMS = schema(
    "problems",
    2,
    field("item", pa.string()),
    field("family", pa.string()),  # rules, taxonomy, order, proofs; free: not in a controlled English
    field("language", pa.string(), null=True),  # of the gold program: clauses, formulas, constraints
    field("statements", pa.list_(_STATEMENT)),
    field("question", _STATEMENT),
    field("options", pa.list_(_STATEMENT)),  # without their letters
    field("answer", pa.string()),  # a letter
    field("evidence", pa.string(), null=True),  # how the answer follows, see problems.problem.Evidence
    field("depth", pa.int32(), null=True),  # see problems.problem.Problem
    # What was said otherwise, by the statement's place; empty in originals.
    structs("rewrites", field("statement", pa.int32()), *texts("level", "type", "before", "after")),
    # What follows from corrected premises, see problems.problem.Follows; null where there are none.
    field(
        "follows",
        struct(*texts("story", "label_follows", "published", "corrected"), structs("alone", *texts("item", "answer"))),
        null=True,
    ),
    *STATUS,
)
"""One row a problem, in the source's order."""

REWORDED = schema("reworded", 2, *PROBLEMS)
"""The same, before those in other words that are too unlike their originals are refused."""


def problems_at(path: Path) -> pa.Schema:
    """Return the schema of a file of problems, which is called as its schema."""
    return REWORDED if path.stem == "reworded" else PROBLEMS


LANGUAGE_LABELS = schema(
    "language_labels",
    1,
    field("item", pa.string()),
    field("fault", pa.string(), null=True),  # what the gold program gives in place of the label
)
"""One row a usable problem, with what its gold program gives when it is executed in another language."""

SHARE = struct(field("sum", pa.float64()), field("of", pa.int64()))
"""What a quotient is made of, so that quotients can be pooled."""

MEASURED = (
    *("dispersion", "least", "dispersion_of_all", "collision"),
    *("precision", "recall", "by_structure", "by_name", "lines", "one_map", "one_map_is_most", "problems"),
)
"""What is measured of an alignment, see ``alignment.measures.Measures``."""

OF_TABLE = ("table_precision", "table_recall")
"""What is measured of a model's table of concepts, see ``alignment.measures.TableQuality``."""

PROGRAMS = schema(
    "programs",
    3,
    *texts("item", "story"),
    field("seed", pa.int64(), null=True),
    field("language", pa.string(), null=True),  # of the program; null where nothing says which it is to be in
    # What became of the program: answered, no_answer, unparsable, or its failure (see SOLVERS); of a request
    # without an answer, how it ended; internal_error.
    field("outcome", pa.string()),
    field("right", pa.bool_()),
    field("answer", pa.string(), null=True),  # the label that the program gives
    field("text", pa.string(), null=True),  # the program as it is executed; null where there is none
    # "aligned", or "left_out" with the reason: lost, unparsable (there is no program), no_gold (no gold program in
    # its language), gold_unread, internal_error.
    field("status", pa.string()),
    *texts("reason", "detail", null=True),
    field("cause", pa.string()),  # see facts.CAUSES
    # Of the cause "logic": the first place that no map makes equivalent, the program's lines there, the gold lines
    # in its symbols, and as JSON what tells them apart.
    field("fault_place", pa.string(), null=True),
    field("fault_lines", pa.list_(pa.string())),
    field("fault_gold", pa.list_(pa.string())),
    field("fault_difference", pa.string(), null=True),
    # Concepts with the symbols that they are aligned with, in the order of their first mention.
    structs(
        "aligned",
        field("concept", pa.string()),
        field("kind", pa.string()),  # predicate, function, constant, variable
        field("symbol", pa.string()),  # "¬Loud" is the opposite, "Popular ∧ Show" both
        field("aligned_by", pa.string()),  # structure, name
        field("mentions", pa.int32()),
    ),
    structs(
        "sentences",
        field("place", pa.string()),  # number of the sentence, "query", or the letter of an option
        field("aligned_by", pa.string()),  # structure, name, none
        field("error", pa.string(), null=True),  # what is wrong with the program's lines
    ),
    # Whether no choice of maps has fewer symbols; this and the measures are null where nothing is aligned.
    field("is_least", pa.bool_(), null=True),
    *(field(name, SHARE, null=True) for name in MEASURED),
    # Null where the model gives no table, or the problem does not say what its expressions mean.
    *(field(name, SHARE, null=True) for name in OF_TABLE),
    field("table_unknown", pa.int32(), null=True),  # expressions of the table that the problem has not
)
"""One row an answer to a task of programs; the metadata name its ``strategy`` and the kind of its ``examples``."""

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

LEXICAL = schema("lexical", 1, *_PROPOSAL)
"""One row a proposal of a lexicon, in the problems' order."""

PROPOSALS = schema("proposals", 1, *_PROPOSAL)
"""One row a proposal of a lexicon or of the rewriter; of a sentence that changes several expressions, one for each."""

SIMILARITIES = schema(
    "similarities",
    1,
    field("item", pa.string()),
    field("statement", pa.int32()),
    field("sentence", pa.string()),
    field("similarity", pa.float64()),  # cosine, to the statement
    field("kept", pa.bool_()),  # whether it reaches the threshold
)
"""One row a sentence that is proposed for a statement."""

CHOICES = schema(
    "choices",
    1,
    field("item", pa.string()),
    field("statement", pa.int32()),
    field("sentence", pa.string()),
    field("offered", pa.int32()),  # sentences, the statement as it is among them
    field("chosen_by", pa.string()),  # only: there was one; assembler; fewest_repeats: no valid choice came
    field("detail", pa.string(), null=True),  # why there was no valid choice
)
"""One row a statement of a usable problem."""

REWRITTEN = schema(
    "rewritten",
    1,
    field("item", pa.string()),
    # Place of a statement in other words; null of a fault of the problem as a whole.
    field("statement", pa.int32(), null=True),
    field("verdict", pa.string()),  # kept, changed; unread: not read, or in several ways; added: not in the original
    field("check", pa.string(), null=True),  # see diversification.audit.Check; null where nothing is wrong
    field("detail", pa.string(), null=True),
)
"""One row a fault of a problem in other words, and one a statement without any."""

WORDINGS = schema(
    "wordings",
    2,
    field("item", pa.string()),
    field("statement", pa.int32(), null=True),  # null of the whole problem
    field("unit", pa.string()),  # problem, statement, or concept: the words alone
    *texts("before", "after"),
    field("similarity", pa.float64()),  # cosine
    field("is_cut", pa.bool_()),  # whether the model read only the beginning of one of the two
)
"""One row a problem, a statement and a rewrite, by one embedding model."""
