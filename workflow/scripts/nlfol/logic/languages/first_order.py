"""First-order logic, and propositional logic as the part of it whose atoms are letters."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from typing import ClassVar

from typing_extensions import override

from nlfol.logic.answers import invalid, judge
from nlfol.logic.decided import read_decided
from nlfol.logic.decision.verdicts import Verdict
from nlfol.logic.english.reading import read_english
from nlfol.logic.english.unambiguous import render
from nlfol.logic.english.wording import EnglishSyntaxError
from nlfol.logic.equivalence import Contingency, contingency, equivalence
from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.languages.language import (
    Comparison,
    Edited,
    Judged,
    Language,
    LanguageName,
    Read,
    ReadingError,
    UnknownSymbolError,
)
from nlfol.logic.measuring import count_operators, count_quantifiers, letters, predicates
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading import TolerantReading, parse
from nlfol.logic.rewriting import edits, rewrites
from nlfol.logic.syntax import Atomic, Formula, Not, fold, subformulas

_COUNTED = {
    "∧": "conjunctions",
    "∨": "disjunctions",
    "¬": "negations",
    "→": "implications",
    "↔": "equivalences",
    "⊕": "exclusive_disjunctions",
    "∀": "universal",
    "∃": "existential",
}


class FirstOrder(Language[Formula]):
    """First-order logic with functions and equality."""

    name: ClassVar[LanguageName] = "first_order"
    propositions: ClassVar[bool] = False

    @override
    def parse(self, text: str) -> Formula:
        try:
            return parse(text, propositions=self.propositions)
        except FormulaSyntaxError as error:
            raise ReadingError(str(error)) from error

    @override
    def read(self, text: str, ontology: Ontology) -> Read[Formula]:
        try:
            reading = read_decided(text, signature=ontology.signature(), propositions=self.propositions)
        except FormulaSyntaxError as error:
            raise ReadingError(str(error)) from error
        return _read(reading)

    @override
    def judge(
        self, gold: Formula, text: str, ontology: Ontology, *, strict: bool, reading: AbstractContextManager[object]
    ) -> Judged[Formula]:
        judged = judge(gold, text, ontology.signature(), strict=strict, propositions=self.propositions, reading=reading)
        if judged.reading is None or judged.verdict is None:
            ambiguities = () if judged.reading is None else _read(judged.reading).ambiguities
            return Judged(problem=str(judged.problem), ambiguities=ambiguities)
        read = Read(judged.reading.formula, self.name) if strict else _read(judged.reading)
        return Judged(read, _comparison(judged.verdict))

    @override
    def check(self, sentence: Formula, ontology: Ontology) -> None:
        if verdict := invalid(sentence, ontology.signature()):
            raise UnknownSymbolError(verdict.means, str(verdict.reason))

    @override
    def write(self, sentence: Formula) -> str:
        return to_unicode(sentence)

    @override
    def render(self, sentence: Formula, ontology: Ontology) -> str:
        return render(sentence, ontology)

    @override
    def read_english(self, text: str, ontology: Ontology) -> Formula:
        try:
            return read_english(text, ontology)
        except EnglishSyntaxError as error:
            raise ReadingError(str(error)) from error

    @override
    def compare(self, first: Formula, second: Formula) -> Comparison:
        return _comparison(equivalence(first, second))

    @override
    def contingency(self, sentence: Formula, ontology: Ontology) -> Contingency:
        return contingency(sentence)

    @override
    def edits(self, sentence: Formula, ontology: Ontology) -> Iterator[Edited[Formula]]:
        for edit in edits(sentence):
            yield Edited(edit.kind.value, edit.formula, edit.path)

    @override
    def rewrites(self, sentence: Formula, ontology: Ontology) -> Iterator[Edited[Formula]]:
        for rewrite in rewrites(sentence):
            yield Edited(rewrite.law.value, rewrite.formula, rewrite.path)

    @override
    def measures(self, sentence: Formula) -> Mapping[str, float | None]:
        """Return sizes of the formula.

        ``operators`` counts ¬ ∧ ∨ ⊕ → ↔; ``operators_published`` does not count a ¬ directly before an atom, as the
        released code of ∀uto∃∨∧L does. ``syntax_depth`` is that of the tree, 1 of an atom. Then each connective and
        quantifier, the atoms, and the distinct ``letters``, ``predicates`` and ``constants``.
        """
        counts: Counter[str] = Counter()
        literal_negations = 0
        for _, node in subformulas(sentence):
            counts["atoms" if isinstance(node, Atomic) else _COUNTED[node.sign]] += 1
            literal_negations += isinstance(node, Not) and isinstance(node.operand, Atomic)
        operators = count_operators(sentence)
        arities = predicates(sentence)
        return {
            "operators": operators,
            "operators_published": operators - literal_negations,
            "syntax_depth": fold(sentence, lambda _, parts: 1 + max(parts, default=0)),
            "quantifiers": count_quantifiers(sentence),
            **{name: counts[name] for name in (*_COUNTED.values(), "atoms")},
            "letters": len(letters(sentence)),
            "predicates": sum(1 for arity in arities.values() if arity),
            "constants": sum(1 for kind, _, _ in sentence.profile.symbols if kind == "constant"),
        }


def _read(reading: TolerantReading) -> Read[Formula]:
    ambiguities = tuple(f"{ambiguity.kind}: {ambiguity.detail}" for ambiguity in reading.ambiguities)
    return Read(reading.formula, reading.dialect, reading.repairs, ambiguities)


def _comparison(verdict: Verdict) -> Comparison:
    return Comparison(verdict.outcome, verdict.means, verdict.reason, verdict.counter_model)


class Propositional(FirstOrder):
    """Propositional logic: names that stand alone are letters."""

    name: ClassVar[LanguageName] = "propositional"
    propositions: ClassVar[bool] = True
