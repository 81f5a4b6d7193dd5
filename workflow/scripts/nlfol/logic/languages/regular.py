"""Regular expressions over the letters, and with the operators, that an ontology's alphabet has."""

from collections.abc import Iterator, Mapping
from typing import ClassVar

from typing_extensions import override

from nlfol.logic import regular
from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.equivalence import Contingency
from nlfol.logic.languages.language import (
    Comparison,
    Edited,
    Language,
    LanguageName,
    Read,
    ReadingError,
    UnknownSymbolError,
)
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.regular import Dialect, Expression, RegularError, StateBudgetError
from nlfol.logic.regular.reading import in_dialect

OPTIONAL_OPERATORS = "|+?"
"""Operators that an expression may use where its alphabet has them."""


class Regular(Language[Expression]):
    """Concatenation, ``*`` and parentheses, and whichever of ``|``, ``+`` and ``?`` the alphabet has."""

    name: ClassVar[LanguageName] = "regular"

    @override
    def parse(self, text: str) -> Expression:
        try:
            return regular.parse(text, Dialect.FULL)
        except RegularError as error:
            raise ReadingError(str(error)) from error

    @override
    def read(self, text: str, ontology: Ontology) -> Read[Expression]:
        # Operators that the alphabet lacks are read, and left to ``check``.
        try:
            reading = regular.read_tolerantly(text, Dialect.FULL)
        except RegularError as error:
            raise ReadingError(str(error)) from error
        return Read(reading.expression, "regular", tuple(f"{kind}: {detail}" for kind, detail in reading.liberties))

    @override
    def check(self, sentence: Expression, ontology: Ontology) -> None:
        if unknown := sorted(set(regular.letters(sentence)) - set(ontology.alphabet)):
            raise UnknownSymbolError("signature", f"letters outside the alphabet: {', '.join(unknown)}")
        text = regular.to_text(sentence)
        signs = {sign for sign in OPTIONAL_OPERATORS if sign in text}
        if unknown := sorted(signs - set(ontology.alphabet)):
            raise UnknownSymbolError("signature", f"operators that may not be used: {', '.join(unknown)}")

    @override
    def write(self, sentence: Expression) -> str:
        return regular.to_text(sentence)

    @override
    def render(self, sentence: Expression, ontology: Ontology) -> str:
        return regular.render(sentence)

    @override
    def read_english(self, text: str, ontology: Ontology) -> Expression:
        try:
            return regular.read_english(text)
        except RegularError as error:
            raise ReadingError(str(error)) from error

    @override
    def compare(self, first: Expression, second: Expression) -> Comparison:
        verdict = regular.equivalence(first, second)
        return Comparison(Outcome(verdict.outcome.value), verdict.means, verdict.reason, word=verdict.word)

    @override
    def contingency(self, sentence: Expression, ontology: Ontology) -> Contingency:
        # No expression matches nothing, as none is written for the empty language.
        try:
            constant = regular.is_constant(sentence, "".join(filter(str.isalnum, ontology.alphabet)))
        except StateBudgetError:
            return Contingency.UNKNOWN
        return Contingency.VALID if constant else Contingency.CONTINGENT

    @override
    def edits(self, sentence: Expression, ontology: Ontology) -> Iterator[Edited[Expression]]:
        alphabet = "".join(filter(str.isalnum, ontology.alphabet))
        for edit in regular.edits(sentence, alphabet, _dialect(ontology)):
            if in_dialect(edit.expression, _dialect(ontology)):
                yield Edited(edit.kind.value, edit.expression, edit.path)

    @override
    def rewrites(self, sentence: Expression, ontology: Ontology) -> Iterator[Edited[Expression]]:
        for rewrite in regular.rewrites(sentence, _dialect(ontology)):
            yield Edited(rewrite.kind.value, rewrite.expression, rewrite.path)

    @override
    def measures(self, sentence: Expression) -> Mapping[str, float | None]:
        """Return sizes of the expression and of its minimal automaton.

        ``operators`` is the number of occurrences of all operators, concatenation among them, and then of each kind;
        ``syntax_depth`` is that of the tree. ``states``, ``edges`` and ``density`` are of the minimal deterministic
        automaton without the state that leads nowhere (∀uto∃∨∧L, equation 1); None where it is too large.
        """
        counts = regular.count_operators(sentence)
        measured = {"operators": sum(counts.values()), "syntax_depth": regular.depth(sentence), **counts}
        try:
            size = regular.automaton_size(sentence)
        except StateBudgetError:
            return measured | dict.fromkeys(("states", "edges", "density"))
        return measured | {"states": size.states, "edges": size.edges, "density": size.density}


def _dialect(ontology: Ontology) -> Dialect:
    return Dialect.FULL if set(OPTIONAL_OPERATORS) & set(ontology.alphabet) else Dialect.PUBLISHED
