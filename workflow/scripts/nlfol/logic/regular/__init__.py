"""Regular expressions as a formal language: syntax, reading, printing, English, laws, edits and equivalence.

    >>> from nlfol.logic.regular import Dialect, equivalence, parse
    >>> equivalence(parse("(01)*0"), parse("0(10)*")).outcome
    <Outcome.EQUIVALENT: 'equivalent'>
    >>> equivalence(parse("100*"), parse("1(0*)")).word
    '1'
    >>> equivalence(parse("0+", Dialect.FULL), parse("00*")).outcome
    <Outcome.EQUIVALENT: 'equivalent'>

Here is what most callers need; the classes of expressions are in ``syntax``.
"""

from nlfol.logic.regular.automata import AutomatonSize, automaton_size
from nlfol.logic.regular.changes import Change, EditKind, Law, edits, rewrites
from nlfol.logic.regular.english import read_english, render
from nlfol.logic.regular.equivalence import Outcome, Verdict, equivalence, is_constant, matches
from nlfol.logic.regular.errors import ExpressionError, ExpressionSyntaxError, RegularError, StateBudgetError
from nlfol.logic.regular.reading import Dialect, parse
from nlfol.logic.regular.syntax import Expression, count_operators, depth, letters, to_text
from nlfol.logic.regular.tolerant import Liberty, LibertyKind, TolerantReading, read_tolerantly

__all__ = [
    "AutomatonSize", "Change", "Dialect", "EditKind", "Expression", "ExpressionError", "ExpressionSyntaxError", "Law",
    "Liberty", "LibertyKind", "Outcome", "RegularError", "StateBudgetError", "TolerantReading", "Verdict",
    "automaton_size", "count_operators", "depth", "edits", "equivalence", "is_constant", "letters", "matches",
    "parse", "read_english", "read_tolerantly", "render", "rewrites", "to_text",
]  # fmt: skip
