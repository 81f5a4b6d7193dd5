"""Regular expressions as a formal language: syntax, reading, printing, English, laws, edits and equivalence.

    >>> from nlfol.regular import Dialect, equivalence, parse
    >>> equivalence(parse("(01)*0"), parse("0(10)*")).outcome
    <Outcome.EQUIVALENT: 'equivalent'>
    >>> equivalence(parse("100*"), parse("1(0*)")).word
    '1'
    >>> equivalence(parse("0+", Dialect.FULL), parse("00*")).outcome
    <Outcome.EQUIVALENT: 'equivalent'>

Here is what most callers need; the classes of expressions are in ``syntax``.
"""

from nlfol.regular.editing import Edit, EditKind, edits
from nlfol.regular.english import read_english, render
from nlfol.regular.equivalence import Outcome, Verdict, equivalence, is_constant, matches
from nlfol.regular.errors import (
    AlphabetError,
    ExpressionError,
    ExpressionSyntaxError,
    RegularError,
    StateBudgetError,
)
from nlfol.regular.laws import Law, Rewrite, rewrites
from nlfol.regular.measuring import AutomatonSize, automaton_size, count_operators, depth
from nlfol.regular.reading import Dialect, check_alphabet, parse
from nlfol.regular.syntax import Expression, letters, to_text
from nlfol.regular.tolerant import Liberty, LibertyKind, TolerantReading, read_tolerantly

__all__ = [
    "AlphabetError",
    "AutomatonSize",
    "Dialect",
    "Edit",
    "EditKind",
    "Expression",
    "ExpressionError",
    "ExpressionSyntaxError",
    "Law",
    "Liberty",
    "LibertyKind",
    "Outcome",
    "RegularError",
    "Rewrite",
    "StateBudgetError",
    "TolerantReading",
    "Verdict",
    "automaton_size",
    "check_alphabet",
    "count_operators",
    "depth",
    "edits",
    "equivalence",
    "is_constant",
    "letters",
    "matches",
    "parse",
    "read_english",
    "read_tolerantly",
    "render",
    "rewrites",
    "to_text",
]
