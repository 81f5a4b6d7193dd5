"""Reading of sentences in the unambiguous style: the inverse of ``unambiguous.render``.

The grammar below by recursive descent, each rule one method. A rule is a generator that yields the rules it calls, and
a loop keeps their stack, so that depth is no danger. Nothing is guessed: a literal ends at the first place where one
that the ontology spells is followed by what can follow, and what is read must have the text as its rendering.

The context ends a ``free`` clause; a ``clause`` can stand anywhere. ``quantified(X)`` stands for both::

    sentence      = free, "." ;

    free          = bare | equivalence | quantified(free) | clause ;
    bare          = literal, [","], ("and" | "or"), clause
                  | literal, ",", literal, {",", literal}, ",", ("and" | "or"), clause ;
    equivalence   = literal, ("if and only if" | "only if" | "if"), clause ;

    clause        = literal | negation | quantified(clause) | implication | chain | exclusive | list ;
    negation      = ("it is not the case that" | "it is not false that"), clause ;       (* ¬ and ¬¬ *)
    implication   = "if", free, ", then", clause
                  | "only if", free, ", is it true that", clause ;              (* A → B, from B on *)
    chain         = "both", literal, "and", clause
                  | "either", literal, "or", clause
                  | "either", literal, ",", literal, {",", literal}, ", or", clause
                  | "all of the following hold:", literal, ",", literal, {",", literal}, ", and", clause ;
    exclusive     = "either", literal, "or", literal, ", but not both" ;

    quantified(X) = ("for every", variable | "for all", variables), ",", X
                  | ("there is some", variable | "there are", variables), "such that", X
                  | ("there is no", variable | "there are no", variables), "such that", clause ;
    variables     = variable, "and", variable | variable, {",", variable}, ", and", variable ;
    variable      = ("u" | "v" | "w" | "x" | "y" | "z"), {digit} | "thing", name ;

    list          = header, ":", line, "(1)", free, {";", line, marker, free} ;
    header        = "both (1) and (2)" | "all of (1) to", marker                  (* ∧ *)
                  | "either (1) or (2)" | "at least one of (1) to", marker        (* ∨ *)
                  | "either (1) or (2), but not both"                             (* ⊕ *)
                  | "if (1), then (2)" | "only if (1), is it true that (2)"       (* → *)
                  | "if and only if (1), then (2)"                                (* ↔ *)  ;

    literal       = gloss with terms in its slots, [" [", symbol, "]"]
                  | "“", any text, "”", " [", literal as a formula, "]" ;

The sentence starts with a capital letter, unless with a name of one letter, and ends in one full stop. A comma precedes
the *and* or *or* of a bare chain of two that ends in a quantified or conditional clause; between *if* and *then* there
are commas only with three or more parts. "If and only if" follows a quantifier only if the variable also occurs after
it, since "for every x, A if and only if B" could otherwise be heard as "(for every x, A) if and only if B"; it never
follows *then* or *it is not the case that*. *If* and *only if* between two clauses keep the same rules, whichever of
the two implies the other. A chain that opens with a word of its own holds no other connective of two places: from there
on, there are lists. Candidates also open ↔ by *if and only if A, then B*.

There is one reading, because

1. a literal is written as its gloss only if the reader, placed at its first character, finds this literal and nothing
   else; the chart parser that reads checks this for every literal, once per ontology;
2. every rule starts with words of its own, or with a literal where only one rule does; the words after a literal decide
   how a bare chain continues; a list's markers carry their whole number;
3. the reader accepts a sentence only if the formula that it read renders as that sentence.
"""

import re
from collections.abc import Callable, Generator
from functools import reduce
from typing import NoReturn

from nlfol.logic.english import even, wording
from nlfol.logic.english.chart import Chart
from nlfol.logic.english.lexicon import Lexicon, lexicon, read_symbols
from nlfol.logic.english.unambiguous import render
from nlfol.logic.english.wording import MAX_RENDERING, EnglishLengthError, EnglishSyntaxError, Wording, other_case
from nlfol.logic.errors import LogicError
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.printing import to_unicode
from nlfol.logic.syntax import And, ExclusiveOr, Exists, ForAll, Formula, Iff, Implies, Not, Or, Variable

_Rule = Generator["_Rule", Formula, Formula]
_Connective = Callable[[Formula, Formula], Formula]

_VARIABLE = re.compile(wording.VARIABLE)
_QUOTATION = re.compile(r"“(?:[^”]|””)*” \[([^\]]*)\]")
_LAST = re.compile(r"([3-9]|[1-9][0-9]{1,4})\):")
_LAST_JOINTS: tuple[tuple[str, _Connective], ...] = (
    (wording.COMMA_AND, And),
    (wording.COMMA_OR, Or),
    (wording.AND, And),
    (wording.OR, Or),
)
_JOINTS = (wording.AND, wording.OR, wording.COMMA)


def _turned(first: Formula, second: Formula) -> Formula:
    return Implies(second, first)


_CONDITIONALS: tuple[tuple[str, str, _Connective], ...] = (
    (wording.IFF, wording.THEN, Iff),
    (wording.IF, wording.THEN, Implies),
    (wording.ONLY_IF, wording.TRUE, _turned),
)


def read_english(text: str, ontology: Ontology) -> Formula:
    """Return the formula whose rendering a sentence is; raises `EnglishSyntaxError` where reading ends."""
    if len(text) > MAX_RENDERING:
        raise EnglishSyntaxError(f"longer than {MAX_RENDERING} characters", text, MAX_RENDERING)
    words = lexicon(ontology)
    readings: dict[Formula, tuple[int, list[Wording]]] = {}
    errors: list[EnglishSyntaxError] = []
    for clause in _clauses(text, words):
        for reader in (_Reader(clause, words), _EvenReader(clause, words)):
            try:
                formula = reader.formula()
            except EnglishSyntaxError as error:
                errors.append(EnglishSyntaxError(error.problem, text, error.position))
            else:
                readings[formula] = max((reader.levels, reader.wordings), readings.get(formula, (0, [])))
    rendered = {formula: _rendered(formula, *form, text, ontology) for formula, form in readings.items()}
    exact = [formula for formula, rendering in rendered.items() if rendering == text]
    if len(exact) == 1:
        return exact[0]
    if exact:
        # Two formulas with one rendering: the renderer's rules exclude it, and the reader would have to guess.
        raise EnglishSyntaxError(f"reads as {' and as '.join(map(_shown, exact))}", text, 0)
    if rendered:
        formula, rendering = next(iter(rendered.items()))
        raise EnglishSyntaxError(
            f"{_shown(formula)} is rendered otherwise from here on", text, _shared(rendering, text)
        )
    raise max(errors, key=lambda error: error.position)


def _clauses(text: str, words: Lexicon) -> list[str]:
    """Return the clauses that a sentence may be, without its capital letter and full stop."""
    if not text.endswith("."):
        raise EnglishSyntaxError("a sentence ends with a full stop", text, len(text))
    ends = [text[:-1], text] if words.has_full_stops else [text[:-1]]
    return list(dict.fromkeys(variant for end in ends for variant in (end, other_case(end))))


def _rendered(formula: Formula, levels: int, wordings: list[Wording], text: str, ontology: Ontology) -> str:
    """Render so worded, as a candidate with so many levels of lists or in the even style, closest to the text."""
    try:
        alone = render(formula, ontology, wordings=wordings)
        if alone == text:
            return alone
        return max(
            alone,
            render(formula, ontology, levels),
            even.render(formula, ontology),
            key=lambda rendering: _shared(rendering, text),
        )
    except EnglishLengthError as error:
        raise EnglishSyntaxError(f"reads as a formula that has no rendering: {error}", text, 0) from error


def _shared(rendering: str, text: str) -> int:
    """Return how many characters two texts have in common from the beginning."""
    pairs = enumerate(zip(rendering, text, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(rendering), len(text)))


def _shown(formula: Formula) -> str:
    return to_unicode(formula, checked=False)


class _Reader:
    def __init__(self, text: str, words: Lexicon) -> None:
        self._text = text
        self._words = words
        self._chart = Chart(text, words.vocabulary)
        self._place = 0
        self.levels = 0
        """Levels of lists on lines of their own, as far as read."""
        self.wordings: list[Wording] = []
        """The wordings of implications, as far as read."""

    def formula(self) -> Formula:
        formula = _run(self._clause(free=True, number=""))
        if self._place != len(self._text):
            self._fail("the sentence should end here")
        return formula

    def _clause(self, *, free: bool, number: str) -> _Rule:
        if self._take(wording.NOT):
            return Not((yield self._clause(free=False, number=number)))
        if self._take(wording.NOT_NOT):
            return Not(Not((yield self._clause(free=False, number=number))))
        if variables := self._quantifier(wording.EVERY):
            return _bind(ForAll, variables, (yield self._clause(free=free, number=number)))
        if variables := self._quantifier(wording.SOME):
            return _bind(Exists, variables, (yield self._clause(free=free, number=number)))
        if variables := self._quantifier(wording.NONE):
            return Not(_bind(Exists, variables, (yield self._clause(free=False, number=number))))
        for kind, header in wording.LINE_HEADERS.items():
            if self._take(header.format(*wording.marks(number, 2))):
                if kind is Implies:
                    self.wordings.append((False, False))
                return (yield self._list(kind, number, 2))
        if self._take(wording.ONLY_HEADER.format(*wording.marks(number, 2))):
            self.wordings.append((True, False))
            return (yield self._list(_turned, number, 2))
        for kind, header in wording.LONG_HEADERS.items():
            if self._take(header.partition(" {}:")[0].format(f"({number}1)") + f" ({number}"):
                return (yield self._list(kind, number, self._last()))
        for opener, joint, conditional in _CONDITIONALS:
            if self._take(opener):
                if conditional is not Iff:
                    self.wordings.append((conditional is _turned, False))
                first = yield self._clause(free=True, number=number)
                self._expect(joint)
                return conditional(first, (yield self._clause(free=False, number=number)))
        if any(self._take(opener) for opener in (wording.BOTH, wording.EITHER, wording.ALL_HOLD)):
            chain = yield self._chain(self._literal(), number)
            if isinstance(chain, Or) and self._take(wording.BUT_NOT_BOTH):
                return ExclusiveOr(chain.left, chain.right)
            return chain
        literal = self._literal()
        if free and self._take(wording.IF_AND_ONLY_IF):
            return Iff(literal, (yield self._clause(free=False, number=number)))
        for joint, implication in ((wording.A_ONLY_IF_B, Implies), (wording.B_IF_A, _turned)):
            if free and self._take(joint):
                self.wordings.append((implication is _turned, True))
                return implication(literal, (yield self._clause(free=False, number=number)))
        if free and self._ahead(_JOINTS) and not self._ahead((wording.THEN, wording.TRUE)):
            return (yield self._chain(literal, number))
        return literal

    def _chain(self, first: Formula, number: str) -> _Rule:
        """Read the operands after the first, all but the last of them literals."""
        operands = [first]
        while True:
            for joint, connective in _LAST_JOINTS:
                if self._take(joint):
                    operands.append((yield self._clause(free=False, number=number)))
                    return reduce(connective, operands)
            self._expect(wording.COMMA)
            operands.append(self._literal())

    def _list(self, kind: _Connective, number: str, length: int) -> _Rule:
        self.levels = max(self.levels, number.count(".") + 1)
        items: list[Formula] = []
        for index, mark in enumerate(wording.marks(number, length), 1):
            self._expect(f"{';' if items else ''}{wording.line(number)}{mark} ")
            items.append((yield self._clause(free=True, number=f"{number}{index}.")))
        return reduce(kind, items)

    def _last(self) -> int:
        """Read the number of a list's last item."""
        match = _LAST.match(self._text, self._place)
        if match is None:
            self._fail("the number of the last item should stand here")
        self._place = match.end()
        return int(match[1])

    def _quantifier(self, pattern: re.Pattern[str]) -> list[Variable]:
        match = pattern.match(self._text, self._place)
        if match is None:
            return []
        self._place = match.end()
        return [Variable(name.removeprefix("thing ")) for name in _VARIABLE.findall(next(filter(None, match.groups())))]

    def _literal(self) -> Formula:
        if self._ahead("“"):
            return self._quotation()
        literals = self._chart.literals(self._place)
        ends = (e for e in sorted(literals) if e == len(self._text) or self._text.startswith(wording.DELIMITERS, e))
        end = next(ends, None)
        if end is None:
            self._fail("neither words of the grammar nor a literal that the ontology spells")
        literal = literals[end]
        if literal is None:
            self._fail("several literals are spelled like this")
        self._place = end
        return literal

    def _quotation(self) -> Formula:
        match = _QUOTATION.match(self._text, self._place)
        if match is None:
            self._fail("a quotation and its symbols in brackets are not complete")
        try:
            literal = read_symbols(match[1])
            quoted = [self._words.quoted(literal, of_candidate=of_candidate) for of_candidate in (False, True)]
        except LogicError as error:
            raise EnglishSyntaxError(f"after the quotation: {error}", self._text, match.start(1)) from error
        if match[0] not in quoted:
            self._fail("the symbols after the quotation are not those of its text")
        self._place = match.end()
        return literal

    def _ahead(self, words: str | tuple[str, ...]) -> bool:
        return self._text.startswith(words, self._place)

    def _take(self, words: str) -> bool:
        if self._ahead(words):
            self._place += len(words)
            return True
        return False

    def _expect(self, words: str) -> None:
        if not self._take(words):
            self._fail(f"{words.strip()!r} should stand here")

    def _fail(self, problem: str) -> NoReturn:
        raise EnglishSyntaxError(problem, self._text, self._place)


class _EvenReader(_Reader):
    """The reader of the even style."""

    def _clause(self, *, free: bool, number: str) -> _Rule:
        if self._take(wording.FALSE):
            return Not((yield self._clause(free=free, number=number)))
        quantifiers: tuple[type[ForAll] | type[Exists], ...] = (ForAll, Exists)
        for kind, pattern in zip(quantifiers, wording.EVEN_QUANTIFIERS, strict=True):
            if variables := self._quantifier(pattern):
                return _bind(kind, variables, (yield self._clause(free=free, number=number)))
        for connective, (opener, joint) in wording.EVEN.items():
            if self._take(opener):
                left = yield self._clause(free=free, number=number)
                self._expect(joint)
                return connective(left, (yield self._clause(free=free, number=number)))
        for connective, pattern in wording.EVEN_CHAIN.items():
            if match := pattern.match(self._text, self._place):
                self._place = match.end()
                operands = [(yield self._clause(free=free, number=number))]
                for _ in range(wording.counted(match[1]) - 1):
                    self._expect(wording.COMMA)
                    operands.append((yield self._clause(free=free, number=number)))
                return reduce(connective, operands)
        return self._literal()


def _run(rule: _Rule) -> Formula:
    """Return the result of a rule; the rules that wait for others are on a stack."""
    stack = [rule]
    result: Formula | None = None
    while True:
        try:
            called = stack[-1].send(result)  # type: ignore[arg-type]
        except StopIteration as finished:
            result = finished.value
            stack.pop()
            if not stack:
                assert result is not None
                return result
        else:
            stack.append(called)
            result = None


def _bind(kind: type[ForAll] | type[Exists], variables: list[Variable], body: Formula) -> Formula:
    return reduce(lambda inner, variable: kind(variable, inner), reversed(variables), body)
