"""Literals in the strict notation, as they follow a quotation in the unambiguous style.

Unbound names are constants there, but for u to z with or without digits; other variables are named in front:
``person: Likes(person, ann)``.
"""

from __future__ import annotations

from nlfol.logic.measuring import free_variables
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading import parse
from nlfol.logic.syntax import FREE_VARIABLE, ForAll, Formula, Variable


def write_symbols(literal: Formula) -> str:
    """The symbols of a literal.

    Raises:
        FormulaError: if a constant of it has the name of one of its variables.
    """
    named = sorted(v.name for v in free_variables(literal) if not FREE_VARIABLE.fullmatch(v.name))
    bound = literal
    for name in reversed(named):
        bound = ForAll(Variable(name), bound)
    to_unicode(bound)  # refuses what could not be read back
    text = to_unicode(literal, checked=False)
    return f"{', '.join(named)}: {text}" if named else text


def read_symbols(text: str) -> Formula:
    """The formula that ``write_symbols`` gave the text of.

    Raises:
        FormulaSyntaxError: if there is none.
    """
    named, _, formula = text.rpartition(": ")
    names = named.split(", ") if named else []
    found = parse("".join(f"∀{name} " for name in names) + f"({formula})", propositions=True)
    for _ in names:
        assert isinstance(found, ForAll)
        found = found.body
    return found
