"""The rows of problems, and of what tables say of the answers to them."""

from pathlib import Path
from typing import Literal, TypedDict

import pyarrow as pa

from nlfol.store.columns import Int32, row_schema, schema
from nlfol.store.row_parts import Status


class Mention(TypedDict):
    """A place where a text mentions a symbol, with the form of the lexicon."""

    start: Int32
    end: Int32
    concept: str
    form: str


class Statement(TypedDict):
    """A statement of a problem, its question, or an option."""

    text: str
    line: str | None  # of the gold program; null where it adds nothing, or there is none
    mentions: list[Mention]  # empty where the English is free


class Rewrite(TypedDict):
    """Rewrites by the place of their statement."""

    statement: Int32
    level: str
    type: str
    before: str
    after: str


class AnswerAlone(TypedDict):
    """An item with the answer that its own premises give."""

    item: str
    answer: str


class Follows(TypedDict):
    """The label that corrected premises entail, see ``problems.problem.Follows``."""

    story: str
    label_follows: str
    published: str
    corrected: str
    alone: list[AnswerAlone]


class _Problem(TypedDict):
    item: str
    family: str  # rules, taxonomy, order, proofs; free: not in a controlled English
    language: str | None  # of the gold program: clauses, formulas, constraints
    statements: list[Statement]
    question: Statement
    options: list[Statement]  # without their letters
    answer: str  # a letter
    evidence: str | None  # how the answer follows, see problems.problem.Evidence
    depth: Int32 | None  # see problems.problem.Problem
    rewrites: list[Rewrite]  # empty in originals
    follows: Follows | None  # null where no premises were corrected


class ProblemRow(_Problem, Status):
    """One row a problem, in the source's order."""


PROBLEMS = row_schema("problems", 2, ProblemRow)


REWORDED = schema("reworded", 2, *PROBLEMS)
"""The same, before those in other words that are too unlike their originals are refused."""


def problems_at(path: Path) -> pa.Schema:
    """Return the schema of a file of problems, which is called as its schema."""
    return REWORDED if path.stem == "reworded" else PROBLEMS


class MutantRow(TypedDict):
    """One row a single edit of a premise of a story, with the questions that are known to notice it."""

    story: str  # the first problem of the story in the dataset it is taken from
    statement: Int32  # its place, from 0
    kind: str  # see logic.mistakes.EditKind
    formula: str
    fate: str  # see problems.adequacy.mutants.Fate
    noticed_by: list[str]  # items whose answer it changes


MUTANTS = row_schema("mutants", 1, MutantRow)


class LanguageLabelRow(TypedDict):
    """One row a usable problem, with what its gold program gives when it is executed in another language."""

    item: str
    fault: str | None  # what the gold program gives in place of the label


LANGUAGE_LABELS = row_schema("language_labels", 1, LanguageLabelRow)


class Share(TypedDict):
    """Numerator and denominator of a quotient, so that quotients can be pooled."""

    sum: float
    of: int


class Aligned(TypedDict):
    """A concept with the symbol that it is aligned with."""

    concept: str
    kind: str  # predicate, function, constant, variable
    symbol: str  # "¬Loud" is the opposite, "Popular ∧ Show" both
    aligned_by: str  # structure, name
    mentions: Int32


class AlignedSentence(TypedDict):
    """A sentence with how its lines are aligned."""

    place: str  # number of the sentence, "query", or the letter of an option
    aligned_by: str  # structure, name, none
    error: str | None  # what is wrong with the program's lines
    line: str | None  # of the program, several joined by commas; null where there is none
    # Digest of the line with numbers for names: lines of one shape mean the same up to names; of two, they may. Null if
    # unreadable.
    shape: str | None


class _Dialogue(TypedDict):
    item: str
    story: str
    seed: int | None


class Alignments(TypedDict):
    """Columns of a program's symbols, and of the concepts of gold that they are aligned with."""

    # Concepts with the symbols that they are aligned with, in the order of their first mention.
    aligned: list[Aligned]
    sentences: list[AlignedSentence]
    # Whether no choice of maps has fewer symbols; null where nothing is aligned.
    is_least: bool | None


class _Program(TypedDict):
    language: str | None  # of the program; null where nothing says which it is to be in
    # What became of the program: answered, no_answer, unparsable, or its failure (see SOLVERS); of a request
    # without an answer, how it ended; internal_error.
    outcome: str
    right: bool
    answer: str | None  # the label that the program gives
    text: str | None  # the program as it is executed; null where there is none
    # "aligned", or "left_out" with the reason: lost, unparsable (there is no program), no_gold (no gold program in
    # its language), gold_unread, internal_error.
    status: str
    reason: str | None
    detail: str | None
    cause: str  # see facts.CAUSES
    # Of the cause "logic": the first place that no map makes equivalent, the program's lines there, the gold lines
    # in its symbols, and as JSON what tells them apart.
    fault_place: str | None
    fault_lines: list[str]
    fault_gold: list[str]
    fault_difference: str | None


class Measured(TypedDict):
    """Measures of an alignment, see ``alignment.measures.Measures``; null where nothing is aligned."""

    dispersion: Share | None
    least: Share | None
    dispersion_of_all: Share | None
    collision: Share | None
    precision: Share | None
    recall: Share | None
    by_structure: Share | None
    by_name: Share | None
    lines: Share | None
    one_map: Share | None
    one_map_is_most: Share | None
    problems: Share | None


class OfTable(TypedDict):
    """Measures of a model's table of concepts, see ``alignment.measures.TableQuality``.

    Null where the model gives no table, or the problem does not say what its expressions mean.
    """

    table_precision: Share | None
    table_recall: Share | None


MEASURED = tuple(Measured.__annotations__)
OF_TABLE = tuple(OfTable.__annotations__)


class ProgramColumns(_Program, Alignments, Measured, OfTable):
    """Columns of an answer to a task of programs."""

    table_unknown: Int32 | None  # expressions of the table that the problem has not


class ProgramRow(_Dialogue, ProgramColumns):
    """One row an answer to a task of programs; the metadata name its ``strategy`` and the kind of its ``examples``."""


PROGRAMS = row_schema("programs", 4, ProgramRow)


class _Proposal(TypedDict):
    item: str  # the problem
    statement: Int32  # its place, from 0
    concept: str  # the symbol; of free English, the words in small letters
    start: Int32  # of the words in the statement
    level: str  # word, phrase or sentence
    type: str  # synonym, phrase, voice or reference
    source: Literal["wordnet", "ppdb", "rewriter"]
    fallback: bool  # whether the model was asked for words because the lexica have none
    before: str
    after: str | None
    sentence: str | None  # the whole statement in other words


class ProposalRow(_Proposal, Status):
    """One row a proposal of a lexicon or of the rewriter; of a sentence that changes several expressions, one for each.

    Reasons of refusal: needs_inflection, unchanged, not_said, malformed, unparsable, or how a request ended.
    """


LEXICAL = row_schema("lexical", 1, ProposalRow)
"""Proposals of lexica alone, in the problems' order."""

PROPOSALS = row_schema("proposals", 1, ProposalRow)


class SimilarityRow(TypedDict):
    """One row a sentence that is proposed for a statement."""

    item: str
    statement: Int32
    sentence: str
    similarity: float  # cosine, to the statement
    kept: bool  # whether it reaches the threshold


SIMILARITIES = row_schema("similarities", 1, SimilarityRow)


class ChoiceRow(TypedDict):
    """One row a statement of a usable problem."""

    item: str
    statement: Int32
    sentence: str
    offered: Int32  # sentences, the statement as it is among them
    chosen_by: str  # only: there was one; assembler; fewest_repeats: no valid choice came
    detail: str | None  # why there was no valid choice


CHOICES = row_schema("choices", 1, ChoiceRow)


class Reworded(TypedDict):
    """A problem, a statement or a rewrite in two wordings, which are compared."""

    item: str
    statement: Int32 | None  # null of the whole problem
    unit: str  # problem, statement, or concept: the words alone
    before: str
    after: str


class WordingRow(Reworded):
    """One row a problem, a statement and a rewrite, by one embedding model."""

    similarity: float  # cosine
    is_cut: bool  # whether the model read only the beginning of one of the two


WORDINGS = row_schema("wordings", 2, WordingRow)
