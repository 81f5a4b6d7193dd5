"""Answers in a vocabulary of their own: programs whose predicates and lines have glosses behind ``:::``."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from nlfol.logic import Formula, FormulaSyntaxError, read_decided
from nlfol.logic.naming import valid_name
from nlfol.logic.reading import close_universally
from nlfol.problems.programs.formulas import FORMULAS
from nlfol.problems.programs.formulas.program import HEADINGS
from nlfol.problems.programs.symbols import Symbol, SymbolKind
from nlfol.problems.programs.texts import sections

_DECLARED = re.compile(r"([^\W\d_]\w{0,199}) ?\(([^()]{1,200})\)")


class OwnProgram(NamedTuple):
    """Glosses of the predicates that a program declares; its premises with their glosses; its conclusion."""

    declared: dict[Symbol, str]
    premises: tuple[tuple[str, Formula | None], ...]
    conclusion: Formula | None

    @property
    def glosses(self) -> list[str]:
        """Return the plain sentences of the premises' glosses."""
        return [plain_sentence(sentence) for sentence, _ in self.premises]

    def by_sentence(self, sentences: Sequence[str]) -> list[Formula | None]:
        """Return the formula of each sentence: the first premise glossed with its letters and digits; else None."""
        known = dict(reversed([*zip(self.glosses, (formula for _, formula in self.premises), strict=True)]))
        return [known.get(plain_sentence(sentence)) for sentence in sentences]


def read_own_program(text: str) -> OwnProgram:
    """Read the first program of formulas with glosses, in the markup of models; a line that is no formula has None.

    Raises ``ProgramError`` if it has no section, is too long, or works through several problems.
    """
    parts = sections(FORMULAS.written(text).text, HEADINGS)
    premises, conclusions = (
        [(line.gloss or "", _read(line.text)) for line in parts.lines.get(name, ())]
        for name in ("premises", "conclusion")
    )
    declared: dict[Symbol, str] = {}
    for line in parts.lines.get("predicates", ()):
        if head := _DECLARED.search(line.text):
            arity = head[2].count(",") + 1
            declared[Symbol(SymbolKind.PREDICATE, valid_name(head[1]), arity)] = line.gloss or ""
    return OwnProgram(declared, tuple(premises), conclusions[0][1] if conclusions else None)


def _read(text: str) -> Formula | None:
    try:
        return close_universally(read_decided(text).formula)
    except FormulaSyntaxError:
        return None


def plain_sentence(text: str) -> str:
    """Return the letters and digits of a sentence, by which it is found."""
    return "".join(re.findall(r"[^\W_]", text.casefold()))
