"""Problems: statements, a question and its answer, with the gold program that proves it."""

from nlfol.problems.lexicon import Lexicon, LexiconError, Word, read_lexicon
from nlfol.problems.problem import Evidence, Mention, Problem, Reason, Rewrite, Statement

__all__ = [
    "Evidence", "Lexicon", "LexiconError", "Mention", "Problem", "Reason", "Rewrite", "Statement", "Word",
    "read_lexicon",
]  # fmt: skip
