"""The reader of infix notations: Unicode, LaTeX, ASCII, Prover9, NLTK, TPTP or Lean."""

import dataclasses
import re
from collections.abc import Iterator
from itertools import pairwise

from nlfol.logic.errors import FormulaError, FormulaSyntaxError
from nlfol.logic.measuring import free_variables
from nlfol.logic.naming import valid_name
from nlfol.logic.reading.automaton import Reading
from nlfol.logic.reading.tolerant.ambiguities import MAX_TOKENS, Ambiguity, TolerantReading, differ_in_scope, groupings
from nlfol.logic.reading.tolerant.arithmetic import rewrite
from nlfol.logic.reading.tolerant.dialects import Scope, Shaped, Shaper
from nlfol.logic.reading.tolerant.lexemes import Lexeme, LexemeKind, Scan, Vocabulary, place, scan
from nlfol.logic.reading.tolerant.respelling import respelled
from nlfol.logic.reading.tolerant.rewriting import apply_prefixes, in_typefaces, without_double_equals
from nlfol.logic.reading.tolerant.strict_tokens import (
    MAX_UNIQUE,
    Token,
    expand,
    make_names_valid,
    read_tokens,
    restricted,
)
from nlfol.logic.syntax import CONNECTIVES, Formula

MAX_LEXEMES = 20_000  # signs and names of a formula that are read
MAX_BALANCED = 250  # lexemes of a formula with a parenthesis missing that is mended

_UNFINISHED = frozenset("¬∧∨⊕→↔=≠")
_PROVER9 = frozenset(["&", "|", "->", "<->", "=", "!="])
_TPTP = re.compile(r"\s*(fof|cnf|tff|tcf|thf)\s*\(\s*(?:\w+|'[^'\n]*')\s*,\s*\w+\s*,")


def read_infix(
    text: str, vocabulary: Vocabulary, *, latex: bool = False, wrapped: bool = False, mend: bool = True
) -> TolerantReading:
    """Read the one formula that the text is; raises ``FormulaSyntaxError`` with the reason why it is none.

    It may have stood between TeX's signs for mathematics (``latex``), and be TPTP's ``fof(name, role, formula).``
    (``wrapped``). One parenthesis is supplied or dropped where that can be done in one way (``mend``).
    """
    inner = _without_tptp_wrapper(text, vocabulary.declared) if wrapped else text
    scanned = scan(inner)
    if len(scanned.lexemes) > MAX_LEXEMES:
        raise FormulaSyntaxError(f"{len(scanned.lexemes)} signs and names; at most {MAX_LEXEMES} are read", text, 0)
    scanned.features |= {"latex"} if latex else set()
    scanned.features |= {"tptp"} if inner is not text else set()
    try:
        return _Reader(inner, scanned, vocabulary).run()
    except FormulaSyntaxError as error:
        mended = _mended(inner, scanned, vocabulary) if mend else None
        if mended is None:
            mended = _rewritten(inner, scanned, vocabulary) or _joined_by_commas(inner, scanned, vocabulary)
        if mended is None and (other := respelled(inner, scanned.lexemes, vocabulary)) is not None:
            lexemes, repairs = other
            mended = _reading_of(inner, dataclasses.replace(scanned, lexemes=lexemes), vocabulary, repairs)
        if mended is None:
            raise error from None
        return mended


def _without_tptp_wrapper(text: str, declared: frozenset[str]) -> str:
    """Return the formula of ``fof(name, role, formula).`` with blanks for the rest, or the text itself."""
    wrapper = _TPTP.match(text)
    if wrapper is None or wrapper[1] in declared:
        return text
    if wrapper[1] != "fof":
        raise FormulaSyntaxError(f"{wrapper[1]} is not read here: write fof", text, wrapper.start(1))
    end = len(text.rstrip())
    end -= text.endswith(".", 0, end)
    end = len(text[:end].rstrip())
    if not text.endswith(")", 0, end):
        raise FormulaSyntaxError("the parenthesis of fof is never closed", text, end)
    kept = text[wrapper.end() : end - 1]
    return re.sub(r"[^\n]", " ", wrapper[0]) + kept + " " * (len(text) - end + 1)


class _Reader:
    """Reader of one list of lexemes."""

    def __init__(self, text: str, scanned: Scan, vocabulary: Vocabulary, *, commas: str = "") -> None:
        self.commas = commas
        self.text = text
        self.scanned = scanned
        self.vocabulary = vocabulary
        applied = apply_prefixes(text, scanned.lexemes, vocabulary.applicable)
        self.lean = applied is not None
        self.written = scanned.lexemes if applied is None else applied.lexemes
        self.lexemes, self.equalities = without_double_equals(text, self.written, vocabulary)
        self.doubtful = applied.doubtful if applied is not None and vocabulary.applicable is None else ()
        self.markers: tuple[str, ...] = ()
        self.sets: dict[str, str] = {}
        self.ambiguities: list[Ambiguity] = []
        self.alternatives: list[Formula] = []

    def formula(self) -> Formula:
        """Return the formula alone."""
        _, tokens, _ = self._shape(Scope.NATURAL, self._caret())
        return self._whole(self._read(tokens).formula)

    def _whole(self, formula: Formula) -> Formula:
        """Write out ``∃!`` and restricted quantifiers."""
        return restricted(expand(formula, self.markers), self.sets)

    def _read(self, tokens: list[Token]) -> Reading:
        return read_tokens(self.text, tokens, self.vocabulary.letters)

    def run(self) -> TolerantReading:
        """Return the formula with the account of how it was read."""
        caret = self._caret()
        shaped, tokens, named = self._shape(Scope.NATURAL, caret)
        reading = self._read(tokens)
        formula = self._whole(reading.formula)
        features = self.scanned.features | shaped.features
        dialect = _dialect_of(self.text, self.lexemes, features, lean=self.lean)
        repairs = [*self.scanned.repairs, *shaped.repairs, *named, *reading.warnings]
        if dialect in ("prover9", "tptp"):
            repairs = [repair for repair in repairs if "'.' after the formula" not in repair]
        repairs += [f"{place(self.text, tokens[i].position)}: ∃! written out with ∃ and ∀" for i in shaped.markers]
        if caret:
            detail = f"'^' taken as {caret}; it stands for ∧ or for ⊕"
            other_sign = "∧" if caret == "⊕" else "⊕"
            if caret == "∧" and self._has_other_signs(tokens):
                repairs.append("'^' read as ∧, beside another sign for ⊕ or the letter v for ∨")
            else:
                self._doubt("caret", detail, self._other(Scope.NATURAL, other_sign), decided=False)
        for kind, detail, alternative in groupings(self.text, tokens, self.vocabulary.letters):
            other = None if alternative is None else self._whole(alternative)
            self._doubt(kind, detail, other)
        if shaped.reaches_far or _leaves_scope(tokens):
            self._doubt_scopes(formula, tokens, caret, reading.warnings, exact=dialect == "tptp")
        self._doubt_sorts(formula, shaped, repairs)
        self._doubt_signs(caret)
        for position in self.doubtful:
            detail = f"{place(self.text, position)}: taken as the first argument of the name before it"
            self.ambiguities.append(Ambiguity("prefix_application", detail, self._infix(position, caret)))
        alternatives = tuple(other for other in dict.fromkeys(self.alternatives) if other is not formula)
        return TolerantReading(
            formula, dialect, tuple(dict.fromkeys(repairs)), tuple(dict.fromkeys(self.ambiguities)), alternatives
        )

    def _shape(self, scope: Scope, caret: str) -> tuple[Shaped, list[Token], list[str]]:
        shaped = Shaper(
            self.text, self.lexemes, self.vocabulary, scope, caret, lean=self.lean, commas=self.commas
        ).run()
        if len(shaped.markers) > MAX_UNIQUE:
            raise FormulaSyntaxError(f"{len(shaped.markers)} ∃!; at most {MAX_UNIQUE} are written out", self.text, 0)
        tptp = "tptp" in self.scanned.features | shaped.features and self._has_tptp_symbols(shaped)
        tokens, repairs = make_names_valid(
            self.text, shaped.tokens, shaped.names, letters=shaped.letters, declared=self.vocabulary.declared, tptp=tptp
        )
        self.sets = self._sets_of(shaped, tokens)
        used = {token.text for token in tokens}
        fresh = (name for number in range(len(used) + len(shaped.markers)) if (name := f"unique{number}") not in used)
        self.markers = tuple(next(fresh) for _ in shaped.markers)
        for index, marker in zip(shaped.markers, self.markers, strict=True):
            tokens[index] = Token(marker, tokens[index].position)
        return shaped, tokens, repairs

    def _sets_of(self, shaped: Shaped, tokens: list[Token]) -> dict[str, str]:
        """Return the predicate of each restricted variable; refuse one that another quantifier binds without it."""
        bound = [after.text for before, after in pairwise(tokens) if before.text in ("∀", "∃")]
        for name, of in shaped.sets.items():
            if bound.count(name) > 1:
                raise FormulaSyntaxError(f"{name!r} is bound twice, with {of.text!r} as its set", self.text, of.start)
        return {name: _valid_type(self.text, of) for name, of in shaped.sets.items()}

    def _has_tptp_symbols(self, shaped: Shaped) -> bool:
        """Return whether all that is applied begins in lower case: names in upper case are TPTP's variables."""
        bound = {i for i, token in enumerate(shaped.tokens, 1) if token.text in ("∀", "∃")}
        opened = {i for i, token in enumerate(shaped.tokens[1:]) if token.text == "("}
        applied = map(shaped.names.get, opened - bound)
        return all(name.text[:1].islower() for name in applied if name is not None and name.kind is LexemeKind.NAME)

    def _other(self, scope: Scope, caret: str) -> Formula | None:
        """Return another reading of the same text; None where it is no formula or too long."""
        try:
            _, tokens, _ = self._shape(scope, caret)
            return self._whole(self._read(tokens).formula)
        except FormulaSyntaxError:
            return None

    def _doubt(self, kind: str, detail: str, other: Formula | None, *, decided: bool = True) -> None:
        """Note an ambiguity; ``decided`` if a convention says which reading counts."""
        self.ambiguities.append(Ambiguity(kind, detail, None if decided else other))
        if other is not None:
            self.alternatives.append(other)

    def _caret(self) -> str:
        """Return the connective that ``^`` stands for: ∧ where no other sign does; nothing where there is no ``^``."""
        signs = {lexeme.text for lexeme in self.lexemes if lexeme.kind is LexemeKind.SIGN}
        if "^" not in signs:
            return ""
        words = {lexeme.text.lower() for lexeme in self.lexemes if lexeme.kind is LexemeKind.NAME}
        return "⊕" if "∧" in signs or "and" in words else "∧"

    def _has_other_signs(self, tokens: list[Token]) -> bool:
        """Return whether ⊕ has a sign of its own, or the letter v is ∨: then ``^`` is ∧."""
        signs = {lexeme.text for lexeme in self.lexemes if lexeme.kind is LexemeKind.SIGN}
        letters = any(token.text == "∨" and self.text[token.position] in "vV" for token in tokens)
        words = {lexeme.text.lower() for lexeme in self.lexemes if lexeme.kind is LexemeKind.NAME}
        return letters or "⊕" in signs or "xor" in words - self.vocabulary.declared

    def _infix(self, position: int, caret: str) -> Formula | None:
        """Return the reading in which the name at a position is applied to the one before it: ``Bob likes x``."""
        index = next(i for i, lexeme in enumerate(self.lexemes) if lexeme.start == position and lexeme.end > position)
        head = next(i for i in range(index - 1, -1, -1) if self.lexemes[i].kind is LexemeKind.NAME)
        swapped = list(self.lexemes)
        swapped[head], swapped[index] = swapped[index], swapped[head]
        return self._other_of(swapped, caret)

    def _doubt_scopes(
        self, formula: Formula, tokens: list[Token], caret: str, warnings: tuple[str, ...], *, exact: bool
    ) -> None:
        if exact and not warnings:
            return
        if len(tokens) > MAX_TOKENS:
            self._doubt("quantifier_scope", f"{len(tokens)} tokens: too long to try other scopes", None)
            return
        for scope in (Scope.TIGHT, Scope.WIDE):
            other = self._other(scope, caret)
            if other is None or not differ_in_scope(formula, other):
                continue
            # Nobody leaves a variable free whose quantifier has a dot or a comma after it.
            if warnings or free_variables(other) <= free_variables(formula):
                detail = "a quantifier with no parentheses around its scope: " + (
                    "it could reach less far" if scope is Scope.TIGHT else "it could reach further"
                )
                self._doubt("quantifier_scope", detail, other)

    def _doubt_signs(self, caret: str) -> None:
        """Note where ``==`` could be an equation, and where names in several typefaces could be several."""
        equations, lexemes = self.written, self.lexemes
        if self.equalities:
            detail = f"{place(self.text, self.equalities[0])}: '==' taken as ↔; it could be an equation of terms"
            self._doubt("equality", detail, self._other_of(equations, caret), decided=False)
        marked, several = in_typefaces(self.text, lexemes)
        if several:
            names = ", ".join(repr(lexeme.text) for lexeme in several)
            detail = f"{place(self.text, several[0].start)}: {names} in several typefaces taken as one name each"
            self._doubt("typeface", detail, self._other_of(marked, caret), decided=False)

    def _other_of(self, lexemes: list[Lexeme], caret: str) -> Formula | None:
        """Return the reading of other lexemes."""
        kept, self.lexemes = self.lexemes, lexemes
        other = self._other(Scope.NATURAL, caret)
        self.lexemes = kept
        return other

    def _doubt_sorts(self, formula: Formula, shaped: Shaped, repairs: list[str]) -> None:
        sorts = {sort.text: sort for _, sort in shaped.sorts}
        if not sorts:
            return
        name, sort = min(sorts.items())
        if len(sorts) > 1:
            problem = "several types of variables: there is one universe; write predicates"
            raise FormulaSyntaxError(problem, self.text, sort.start)
        predicate = _valid_type(self.text, sort)
        if name in self.vocabulary.declared or any(t.text == predicate for t in _applied(shaped.tokens)):
            problem = f"the type {name!r} is a predicate, too: write ∀x ({name}(x) → …) or ∃x ({name}(x) ∧ …)"
            raise FormulaSyntaxError(problem, self.text, sort.start)
        repairs.append(f"{place(self.text, sort.start)}: the type {name!r} left out")
        detail = f"the type {name!r} is taken as the universe; it could be a restriction"
        of = {variable.text: predicate for variable, _ in shaped.sorts}
        self._doubt("sort", detail, restricted(formula, of), decided=False)


def _leaves_scope(tokens: list[Token]) -> bool:
    """Return whether a connective follows a quantifier between two parentheses: it could be in its scope or not."""
    quantified = [False]
    for token in tokens:
        if token.text in ("(", "∀", "∃"):
            quantified[-1:] = [True] if token.text != "(" else [quantified[-1], False]
        elif token.text == ")":
            quantified.pop()
        elif quantified[-1] and token.text in CONNECTIVES:
            return True
    return False


def _valid_type(text: str, sort: Lexeme) -> str:
    try:
        return valid_name(sort.text)
    except FormulaError as error:
        raise FormulaSyntaxError(str(error), text, sort.start) from None


def _applied(tokens: list[Token]) -> Iterator[Token]:
    for token, after in pairwise(tokens):
        if after.text == "(":
            yield token


def _rewritten(text: str, scanned: Scan, vocabulary: Vocabulary) -> TolerantReading | None:
    """Read infix comparisons, membership and arithmetic as predicates and functions; None if that gives no formula."""
    rewritten = rewrite(text, scanned.lexemes, vocabulary)
    if rewritten is None:
        return None
    lexemes, repairs = rewritten
    try:
        reading = _Reader(text, dataclasses.replace(scanned, lexemes=lexemes), vocabulary).run()
    except FormulaSyntaxError:
        return None
    return dataclasses.replace(reading, dialect="mathematics", repairs=(*reading.repairs, *repairs))


def _reading_of(text: str, scanned: Scan, vocabulary: Vocabulary, repairs: list[str]) -> TolerantReading | None:
    """Read other lexemes, with repairs; infix signs among them, too."""
    try:
        reading = _Reader(text, scanned, vocabulary).run()
    except FormulaSyntaxError:
        rewritten = _rewritten(text, scanned, vocabulary)
        if rewritten is None:
            return None
        reading = rewritten
    return dataclasses.replace(reading, repairs=(*reading.repairs, *repairs))


def _joined_by_commas(text: str, scanned: Scan, vocabulary: Vocabulary) -> TolerantReading | None:
    """Read each comma between formulas in parentheses as ∧; None if that gives no formula."""
    comma = next((lexeme for lexeme in scanned.lexemes if lexeme.is_mark(",")), None)
    if comma is None:
        return None
    try:
        reading = _Reader(text, scanned, vocabulary, commas="∧").run()
        other = _Reader(text, scanned, vocabulary, commas="∨").formula()
    except FormulaSyntaxError:
        return None
    ambiguity = Ambiguity("comma", "a comma between formulas taken as ∧; it could be another connective", other)
    return dataclasses.replace(reading, ambiguities=(*reading.ambiguities, ambiguity))


def _mended(text: str, scanned: Scan, vocabulary: Vocabulary) -> TolerantReading | None:
    """Return the one formula that adding or dropping one parenthesis gives; none where there are several, or none."""
    lexemes = scanned.lexemes
    surplus = sum(lexeme.is_mark(")") - lexeme.is_mark("(") for lexeme in lexemes)
    if abs(surplus) != 1 or len(lexemes) > MAX_BALANCED:
        return None
    # A text that ends in the middle of its arguments was cut off: more than a parenthesis is missing.
    last = next((lexeme for lexeme in lexemes[-2::-1] if not lexeme.is_mark(".", ",", ";")), lexemes[-1])
    if not last.is_mark(")"):
        return None
    dropped = ")" if surplus > 0 else "("
    readings: dict[Formula, tuple[list[Lexeme], int]] = {}
    for attempt, position in _with_one_parenthesis(lexemes, dropped):
        try:
            formula = _Reader(text, dataclasses.replace(scanned, lexemes=attempt), vocabulary).formula()
        except FormulaSyntaxError:
            continue
        # Of the ways to the same formula, the one nearest the end is reported.
        readings[formula] = attempt, position
        if len(readings) > 1:
            return None
    if not readings:
        return None
    ((chosen, position),) = readings.values()
    reading = _Reader(text, dataclasses.replace(scanned, lexemes=chosen), vocabulary).run()
    repair = "a closing parenthesis too many, dropped" if surplus > 0 else "a closing parenthesis missing, added"
    return dataclasses.replace(reading, repairs=(*reading.repairs, f"{place(text, position)}: {repair}"))


def _with_one_parenthesis(lexemes: list[Lexeme], dropped: str) -> Iterator[tuple[list[Lexeme], int]]:
    """Yield the lexemes with one parenthesis dropped, or with one added before a lexeme; no two alike."""
    added = "(" if dropped == ")" else ")"
    for index, lexeme in enumerate(lexemes):
        alike = index > 0 and lexemes[index - 1].is_mark(lexeme.text) and lexeme.kind is LexemeKind.MARK
        if lexeme.is_mark(dropped) and not alike:
            yield lexemes[:index] + lexemes[index + 1 :], lexeme.start
        # An opening parenthesis after a name would make a predicate of it; a closing one ends what has been said.
        before = lexemes[index - 1] if index else None
        applies = added == "(" and before is not None and before.kind in (LexemeKind.NAME, LexemeKind.TEXT)
        dangles = added == ")" and (before is None or before.is_mark("(") or before.text in _UNFINISHED)
        if not applies and not dangles and not (before is not None and before.is_mark(added)):
            sign = Lexeme(LexemeKind.MARK, added, lexeme.start, lexeme.start)
            yield [*lexemes[:index], sign, *lexemes[index:]], lexeme.start


def _dialect_of(text: str, lexemes: list[Lexeme], features: set[str], *, lean: bool) -> str:
    """Return the notation of a text, by its signs and what was noticed; refuse ``~`` in LaTeX, where it is a blank."""
    raw = {text[lexeme.start : lexeme.end] for lexeme in lexemes if lexeme.kind is LexemeKind.SIGN}
    if "tptp" in features:
        return "tptp"
    if "latex" in features:
        if "~" in raw:
            at = next(lexeme.start for lexeme in lexemes if text[lexeme.start : lexeme.end] == "~")
            raise FormulaSyntaxError("'~' is a blank in LaTeX, and a negation elsewhere", text, at)
        return "latex"
    if lean:
        return "lean"
    if "nltk" in features:
        return "nltk"
    plain = raw <= _PROVER9 and not features & {"functional", "ascii_word"}
    if plain and ("prover9" in features or (raw & {"&", "|", "->", "<->"} and features & {"minus", "full_stop"})):
        return "prover9"
    if features & {"ascii", "functional", "prover9", "minus"}:
        return "ascii"
    return "lean" if "lean" in features else "unicode"
