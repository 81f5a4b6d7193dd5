"""The wording of an ontology's literals in the unambiguous style.

Glosses and meanings are used as they are, with three exceptions, each decided by the ontology and the literal alone:

* a gloss or meaning that another symbol shares, up to the case of its first letter, or that has no letter beside its
  slots, or that reads as a variable, is followed by its symbol in brackets: ``Edwin Smith [tedsmith]``;
* a variable that is not called u to z, with or without digits, is announced: ``thing e``;
* a literal whose text would still be read otherwise, or not at all, stands in quotation marks and is followed by its
  symbols: ``“x and y or z meet” [Meet(x, y, z)]``.

A sentence says of identity that a is the same as b, a candidate that a and b are the same thing, or whatever the
ontology calls things. Of a verb with one thing on both sides a sentence says that a likes itself, or themself where
things are persons; a candidate repeats the name. All are read.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from typing import Any

from nlfol.logic.english.chart import MAX_LITERAL, Chart, Template, Vocabulary
from nlfol.logic.english.wording import DELIMITERS, HEADS, MAX_RENDERING, VARIABLE, EnglishLengthError, other_case
from nlfol.logic.errors import FormulaError
from nlfol.logic.measuring import free_variables
from nlfol.logic.ontology.ontology import SLOT, ConstantSymbol, FunctionSymbol, Ontology, Predicate, fill, phrase
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading.strict import parse
from nlfol.logic.syntax import (
    FREE_VARIABLE,
    Atom,
    Constant,
    Equality,
    ForAll,
    Formula,
    Function,
    Not,
    Term,
    Variable,
    fold,
    terms,
)

_TRANSITIVE = re.compile(r"\{\} (?:does not )?[a-z]+ \{\}")
"""A gloss whose second slot is the object of its verb."""

_LETTER_NAME = re.compile(r"[a-z][0-9]*(?![a-zA-Z0-9])")
_MEMOISED = 100_000
_LONGEST_MARKER = max(map(len, (*HEADS, *DELIMITERS)))


def variable_phrase(name: str) -> str:
    """Return the phrase of a variable."""
    return name if FREE_VARIABLE.fullmatch(name) else f"thing {name}"


class Lexicon:
    """The wording of literals over one ontology; build it by ``lexicon``."""

    def __init__(self, ontology: Ontology) -> None:
        self._ontology = ontology
        self._marked = _marked(ontology)
        self._literals: dict[tuple[Formula, bool], str] = {}
        self.vocabulary = _vocabulary(self._marked)
        glosses = [gloss for p in self._marked.predicates for gloss in (p.positive, p.negative)]
        functions = [function.meaning for function in self._marked.functions]
        constants = [constant.meaning for constant in self._marked.constants]
        self.has_full_stops = any(text.endswith(".") for text in (*glosses, *functions, *constants))
        """True if a literal can end in a full stop of its own."""
        self._names = set(constants)

    def literal(self, literal: Formula, *, of_candidate: bool = False) -> str:
        """Return the text of a literal over the ontology, in a candidate or in a sentence that stands alone.

        Raises `SignatureError` for a symbol outside the ontology, `EnglishLengthError` if far too long.
        """
        text = self._literals.get((literal, of_candidate))
        if text is None:
            self._ontology.check(literal)
            # Occurrences of symbols: equal terms are one object, and their text can be exponentially longer.
            sizes: dict[Term, int] = {}
            roots = terms(literal.operand if isinstance(literal, Not) else literal)
            if sum(fold(root, lambda _, parts: 1 + sum(parts), sizes) for root in roots) > MAX_RENDERING:
                raise EnglishLengthError(f"a literal of more than {MAX_RENDERING} symbols is not put into English")
            if len(self._literals) == _MEMOISED:
                self._literals.clear()
            spelled = self._spelled(literal, of_candidate)
            clear = self._is_clear(spelled, literal)
            text = spelled if clear else self.quoted(literal, of_candidate=of_candidate)
            self._literals[literal, of_candidate] = text
        return text

    def _spelled(self, literal: Formula, of_candidate: bool) -> str:
        match literal:
            case Atom(name, (first, second)) | Not(Atom(name, (first, second))) if first is second and not of_candidate:
                predicate = self._marked.predicate[name]
                gloss = predicate.negative if isinstance(literal, Not) else predicate.positive
                if _TRANSITIVE.fullmatch(gloss):
                    return fill(
                        _reflexive(gloss, self._marked), [phrase(first, self._marked, variable=variable_phrase)]
                    )
        return spell(literal, self._marked, of_candidate=of_candidate, variable=variable_phrase)

    def quoted(self, literal: Formula, *, of_candidate: bool = False) -> str:
        """Return the literal in quotation marks, with its symbols; raises `FormulaError` as ``write_symbols``."""
        self._ontology.check(literal)
        text = spell(literal, self._ontology, of_candidate=of_candidate, variable=variable_phrase)
        return f"“{text.replace('”', '””')}” [{write_symbols(literal)}]"

    def starts_with_name(self, clause: str) -> bool:
        """Return whether a clause begins with a name of one letter, which keeps its case, as the block ``a`` does."""
        match = _LETTER_NAME.match(clause)
        return match is not None and (match[0] in self._names or FREE_VARIABLE.fullmatch(match[0]) is not None)

    def _is_clear(self, text: str, literal: Formula) -> bool:
        """Return whether the reader finds this literal, and ends it here, whatever stands around it.

        A sentence begins with a capital letter and ends with one full stop, so the literal is told apart from every
        one that differs from it by these.
        """
        if len(text) > MAX_LITERAL or any(_may_begin(variant, HEADS) for variant in (text, other_case(text))):
            return False
        for variant in {text, other_case(text)}:
            for end, candidate in Chart(variant, self.vocabulary).literals(0).items():
                is_itself = end == len(text) and variant == text and candidate is literal
                if not is_itself and (end == len(text) or _may_begin(variant[end:], DELIMITERS)):
                    return False
        if not self.has_full_stops:
            return True
        stopped = text[:-1] if text.endswith(".") else f"{text}."
        return not any(
            len(variant) in Chart(variant, self.vocabulary).literals(0) for variant in {stopped, other_case(stopped)}
        )


@lru_cache(maxsize=1024)
def lexicon(ontology: Ontology) -> Lexicon:
    """Return the lexicon of an ontology; equal ontologies share one."""
    return Lexicon(ontology)


def _may_begin(text: str, markers: tuple[str, ...]) -> bool:
    """Return whether the text begins with a marker, or may begin with one once more text follows."""
    return text.startswith(markers) or (
        len(text) < _LONGEST_MARKER and any(marker.startswith(text) for marker in markers)
    )


def _identity(ontology: Ontology, of_candidate: bool) -> tuple[str, str]:
    if of_candidate:
        return f"{SLOT} and {SLOT} are the same {ontology.noun}", f"{SLOT} and {SLOT} are not the same {ontology.noun}"
    return f"{SLOT} is the same as {SLOT}", f"{SLOT} is not the same as {SLOT}"


def spell(
    literal: Formula, ontology: Ontology, *, of_candidate: bool = False, variable: Callable[[str], str] = str
) -> str:
    """Put a literal into words by its gloss alone; raises `FormulaError` for other formulas."""
    match literal:
        case Not(Atom() | Equality() as atomic):
            positive = False
        case Atom() | Equality() as atomic:
            positive = True
        case _:
            raise FormulaError(f"{literal!r} is no literal")
    match atomic:
        case Equality(left, right):
            same, different = _identity(ontology, of_candidate)
            gloss, arguments = same if positive else different, (left, right)
        case Atom(name, arguments):
            predicate = ontology.predicate[name]
            gloss = predicate.positive if positive else predicate.negative
    return fill(gloss, [phrase(argument, ontology, variable=variable) for argument in arguments])


def _marked(ontology: Ontology) -> Ontology:
    """Return the ontology with symbols in brackets where texts alone do not tell symbols apart."""
    identity = [gloss for of_candidate in (False, True) for gloss in _identity(ontology, of_candidate)]
    glosses = _repeated([*identity, *(gloss for p in ontology.predicates for gloss in (p.positive, p.negative))])
    meanings = _repeated(f.meaning for f in ontology.functions)
    names = _repeated(c.meaning for c in ontology.constants)

    def mark(text: str, symbol: str, repeated: set[str]) -> str:
        wordless = not any(character.isalpha() for character in text.replace(SLOT, ""))
        return f"{text} [{symbol}]" if wordless or _folded(text) in repeated else text

    def named(c: ConstantSymbol) -> ConstantSymbol:
        is_unclear = _folded(c.meaning) in names or re.fullmatch(VARIABLE, _folded(c.meaning))
        return ConstantSymbol(c.name, f"{c.meaning} [{c.name}]") if is_unclear else c

    return Ontology(
        tuple(
            Predicate(p.name, p.arity, mark(p.positive, p.name, glosses), mark(p.negative, f"not {p.name}", glosses))
            for p in ontology.predicates
        ),
        tuple(FunctionSymbol(f.name, f.arity, mark(f.meaning, f.name, meanings)) for f in ontology.functions),
        tuple(map(named, ontology.constants)),
        noun=ontology.noun,
    )


def _folded(text: str) -> str:
    return text[:1].lower() + text[1:]


def _repeated(texts: Iterable[str]) -> set[str]:
    return {text for text, count in Counter(map(_folded, texts)).items() if count > 1}


def _vocabulary(marked: Ontology) -> Vocabulary:
    def template(text: str, build: Callable[[tuple[Term, ...]], Any], *, literal: bool = True) -> Template:
        return Template(tuple(text.split(SLOT)), build, literal)

    literals = []
    for of_candidate in (False, True):
        same, different = _identity(marked, of_candidate)
        literals.append(template(same, lambda terms: Equality(*terms)))
        literals.append(template(different, lambda terms: Not(Equality(*terms))))
    for p in marked.predicates:
        for gloss, build in ((p.positive, partial(Atom, p.name)), (p.negative, partial(_negated_atom, p.name))):
            literals.append(template(gloss, build))
            if _TRANSITIVE.fullmatch(gloss):
                literals.append(template(_reflexive(gloss, marked), partial(_of_itself, build)))
    functions = [template(f.meaning, partial(Function, f.name), literal=False) for f in marked.functions]
    constants: dict[str, list[tuple[str, Constant]]] = {}
    for c in marked.constants:
        constants.setdefault(c.meaning[:1], []).append((c.meaning, Constant(c.name)))
    return Vocabulary(tuple(literals), tuple(functions), constants)


def _reflexive(gloss: str, ontology: Ontology) -> str:
    return gloss.removesuffix(SLOT) + ("themself" if ontology.noun == "person" else "itself")


def _of_itself(build: Callable[[tuple[Term, ...]], Formula], terms: tuple[Term, ...]) -> Formula:
    return build(terms * 2)


def _negated_atom(name: str, terms: tuple[Term, ...]) -> Formula:
    return Not(Atom(name, terms))


def write_symbols(literal: Formula) -> str:
    """Return a literal in the strict notation, as it follows a quotation.

    Unbound names are constants there, except for u to z with or without digits; other variables are named in front:
    ``person: Likes(person, ann)``. Raises `FormulaError` if a constant of it has the name of one of its variables.
    """
    named = sorted(v.name for v in free_variables(literal) if not FREE_VARIABLE.fullmatch(v.name))
    bound = literal
    for name in reversed(named):
        bound = ForAll(Variable(name), bound)
    to_unicode(bound)  # refuses what could not be read back
    text = to_unicode(literal, checked=False)
    return f"{', '.join(named)}: {text}" if named else text


def read_symbols(text: str) -> Formula:
    """Read a formula that ``write_symbols`` wrote; raises `FormulaSyntaxError`."""
    named, _, text = text.rpartition(": ")
    names = named.split(", ") if named else []
    formula = parse("".join(f"∀{name} " for name in names) + f"({text})", propositions=True)
    for _ in names:
        assert isinstance(formula, ForAll)
        formula = formula.body
    return formula
