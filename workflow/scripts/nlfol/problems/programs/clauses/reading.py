"""Reading clauses: Logic-LM's text for PyKE, ``Quiet($x, True) && Cold($x, False) >>> Smart($x, True)``.

Variables are ``$x`` or ``?x``; where a program has neither, names with a capital are variables if they stand in rules
and no fact or query has such a name. Facts and rules may stand in one another's sections. What else is forgiven
(negation signs, a missing truth value, other arrows, Prolog's notation) is recorded as a repair. A name is never taken
for another, unless they differ in the case of letters alone and never meet.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import NamedTuple

from nlfol.problems.programs.outcome import ProgramError, Repair, RepairKind
from nlfol.problems.programs.texts import Line, Sections, absences, needed, quoted, sections, unnumbered

HEADINGS = {
    **dict.fromkeys(("predicates", "predicate"), "predicates"),
    **dict.fromkeys(("facts", "fact"), "facts"),
    **dict.fromkeys(("rules", "rule"), "rules"),
    **dict.fromkeys(("query", "queries", "question", "goal"), "query"),
}

MAX_ARGUMENTS = 20
"""Arguments of a literal that are read."""

MAX_LITERALS = 50
"""Literals on one side of a rule that are read."""

MAX_NEGATIONS = 20
"""Signs of negation before an atom that are read."""

_NONE = frozenset(("none", "none.", "n/a", "(none)", "-"))
"""Texts that models write into an empty section."""

_PLAIN = re.compile(r"([A-Za-z]\w*)\(((?:[$?]?\w+, ?)+)(True|False)\)")
_ATOM = re.compile(r"([^\W\d][\w'-]*) ?\(([^()]*)\)")
_NEGATION = re.compile(r"(?:[¬~!∼]|\\\+) ?|not\b ?(?!\()", re.IGNORECASE)
_NEGATION_OF = re.compile(r"not ?\( ?", re.IGNORECASE)
_AND = re.compile(r" ?(?:&&|(&|∧|,|and\b)) ?", re.IGNORECASE)
_ARROW = re.compile(r" ?(?:>>>|(>>|[-=]>|→|⇒|⟶|:-|<<<)) ?")
_BACKWARD = (":-", "<<<")
_ASKED = "?-"
_GROUPED = re.compile(r"(?<![\w,.])\d{1,3}(?:,\d{3})*,0\d\d(?:,\d{3})*(?!\d)")
"""A number such as 1,000: no other would begin with a 0."""
_END = re.compile(r" ?\.?")
_ARGUMENT = re.compile(r"([$?]?)([\w'’.\-]+(?: [\w'’.\-]+)*)")
_STRICT_ARGUMENT = re.compile(r"(\$?)([\w ']+)")
_DECLARATION = re.compile(r"(?<![\w'-])[\d'-]*+([^\W\d][\w'-]*+) ?\(([^()]*)\)")
_VALUES = {"true": True, "false": False}
_PLACEHOLDERS = ("bool", "?", "unknown", "uncertain")
_OUTER_VALUE = re.compile(r" ?, ?(True|False)(?= ?\))", re.IGNORECASE)
_NO_VALUE = "(no truth value)"
_INDIVIDUAL = -1
_QUOTES = "'\"‘’“”`"

VARIABLE = "$"
"""The first character of a variable."""

ANONYMOUS = "_"
"""A variable that is another one wherever it stands."""


class Literal(NamedTuple):
    """An atom with a truth value, ``Chases(cat, $x, False)``; variables begin with ``$``."""

    predicate: str
    arguments: tuple[str, ...]
    value: bool

    @property
    def variables(self) -> list[str]:
        """Return the variables, each as often as it occurs."""
        return [argument for argument in self.arguments if argument[0] == VARIABLE]

    @property
    def opposite(self) -> Literal:
        """Return the same atom with the other truth value."""
        return Literal(self.predicate, self.arguments, not self.value)

    def __str__(self) -> str:
        return f"{self.predicate}({', '.join((*self.arguments, str(self.value)))})"


@dataclass(frozen=True, slots=True)
class Clause:
    """A rule, or a fact, which has no body."""

    line: int
    body: tuple[Literal, ...]
    heads: tuple[Literal, ...]

    def __str__(self) -> str:
        heads = " && ".join(map(str, self.heads))
        return f"{' && '.join(map(str, self.body))} >>> {heads}" if self.body else heads


@dataclass(frozen=True, slots=True)
class ClauseProgram:
    """A program of clauses; ``declared`` has numbers of arguments by predicate."""

    declared: Mapping[str, int]
    clauses: Sequence[Clause]
    query: Literal
    query_line: int
    repairs: tuple[Repair, ...]


def read_clauses(text: str, *, strict: bool = False) -> ClauseProgram:
    """Read a program of clauses; raises ``ProgramError``, which names the line, if the text is not one.

    Strictly, as Logic-LM gives it to PyKE, ``$x`` alone is a variable, and no truth value makes another predicate.
    """
    parts = sections(text, HEADINGS, listed=() if strict else ("facts", "rules", "query"))
    reader = _Reader(list(parts.repairs), strict)
    try:
        return reader.program(parts)
    except ProgramError as error:
        error.repairs = tuple(reader.repairs)
        raise


class _Reader:
    def __init__(self, repairs: list[Repair], strict: bool) -> None:
        self.repairs = repairs
        self.strict = strict
        self.asks = False

    def program(self, parts: Sections) -> ClauseProgram:
        if self.strict and "rules" not in parts.lines:
            raise ProgramError("the section 'rules' is missing")
        if "facts" not in parts.lines and "rules" not in parts.lines:
            raise ProgramError("the sections 'facts' and 'rules' are missing")
        self.repairs += absences(parts, "predicates", "facts", "rules")
        clauses = []
        for name in ("facts", "rules"):
            for line in parts.lines.get(name, ()):
                clause = self._clause(line)
                if clause is None:
                    continue
                if (name == "rules") != bool(clause.body):
                    fault = "a rule among the facts" if clause.body else "a fact among the rules"
                    self.repairs.append(Repair(RepairKind.MISPLACED, line.number, fault))
                clauses.append(clause)
        query, number = self._query(needed(parts, "query"))
        if not self.strict and (capital := capital_variables(clauses, query)) is not None:
            name, line_number = capital
            detail = f"names with a capital, as {quoted(name)}, are variables"
            self.repairs.append(Repair(RepairKind.VARIABLE, line_number, detail))
            clauses = [with_capital_variables(clause) for clause in clauses]
        asked = Clause(number, (), (query,))
        declared = self._declared(parts)
        if not self.strict:
            *clauses, asked = self._in_one_case(self._named([*clauses, asked]), declared)
        return ClauseProgram(declared, self._closed(clauses), asked.heads[0], number, tuple(self.repairs))

    def _declared(self, parts: Sections) -> dict[str, int]:
        declared = {}
        for line in parts.lines.get("predicates", ()):
            match = _DECLARATION.search(line.text)
            if match is not None:
                arguments = [argument.strip().lower() for argument in match[2].split(",")]
                declared[match[1]] = len(arguments) - (arguments[-1] in ("bool", *_VALUES))
        return declared

    def _named(self, clauses: list[Clause]) -> list[Clause]:
        """Return the clauses with a new variable for each anonymous one."""
        numbers = count(1)

        def named(argument: str) -> str:
            return f"{VARIABLE}{ANONYMOUS}{next(numbers)}" if argument == ANONYMOUS else argument

        first = next((clause.line for clause in clauses if ANONYMOUS in _arguments(clause)), None)
        if first is None:
            return clauses
        self.repairs.append(Repair(RepairKind.VARIABLE, first, f"{ANONYMOUS!r} read as a variable of its own"))
        return [with_names(clause, lambda name, _: name, named) for clause in clauses]

    def _in_one_case(self, clauses: list[Clause], declared: Collection[str]) -> list[Clause]:
        """Return the clauses with one spelling of names in two cases, unless a line or the declarations have both."""
        lines: dict[tuple[str, int], dict[str, set[int]]] = {}
        for clause in clauses:
            literals = [(literal.predicate, len(literal.arguments)) for literal in (*clause.body, *clause.heads)]
            names = [(name, _INDIVIDUAL) for name in _arguments(clause) if name[0] != VARIABLE]
            for name, arity in (*literals, *names):
                lines.setdefault((name.lower(), arity), {}).setdefault(name, set()).add(clause.line)
        renamed: dict[tuple[str, int], str] = {}
        for (_, arity), spelled in lines.items():
            if len(spelled) != 2:
                continue
            kept, other = sorted(spelled, key=lambda name: name not in declared)
            if other not in declared and not spelled[kept] & spelled[other]:
                renamed[other, arity] = kept
                detail = f"{quoted(other)} read as {quoted(kept)}"
                self.repairs.append(Repair(RepairKind.NAME, min(spelled[other]), detail))
        if not renamed:
            return clauses
        return [
            with_names(
                clause,
                lambda name, arity: renamed.get((name, arity), name),
                lambda name: renamed.get((name, _INDIVIDUAL), name),
            )
            for clause in clauses
        ]

    def _closed(self, clauses: Sequence[Clause]) -> list[Clause]:
        """Return the clauses without facts that have a variable: they name nobody."""
        closed = []
        for clause in clauses:
            if not clause.body and any(head.variables for head in clause.heads):
                detail = f"the fact {quoted(str(clause))} has a variable: left out"
                self.repairs.append(Repair(RepairKind.OPEN_FACT, clause.line, detail))
            else:
                closed.append(clause)
        return closed

    def _query(self, lines: Sequence[Line]) -> tuple[Literal, int]:
        self.asks = True
        asked = lines[0]
        if asked.text.startswith(_ASKED):
            self._note(RepairKind.QUERY, asked, f"{_ASKED!r} before the query dropped")
            asked = replace(asked, text=asked.text.removeprefix(_ASKED).strip())
        first = self._clause(asked)
        if first is None or first.body or len(first.heads) > 1:
            raise ProgramError(f"the query is {quoted(lines[0].text)}; needed is one literal", lines[0].number)
        if len(lines) > 1:
            detail = f"{len(lines)} lines in the query; the first is taken"
            self.repairs.append(Repair(RepairKind.QUERY, lines[1].number, detail))
        return first.heads[0], lines[0].number

    def _clause(self, line: Line) -> Clause | None:
        text = line.text if self.strict else unnumbered(line, self.repairs)
        if text.lower() in _NONE and not self.strict:
            self.repairs.append(Repair(RepairKind.SECTION, line.number, f"{quoted(text)} says that there are none"))
            return None
        if "  " in text or "\t" in text:
            text = " ".join(text.split())
        if (grouped := _GROUPED.search(text)) is not None:
            self._note(RepairKind.NAME, line, f"{quoted(grouped[0])} read as one number")
            text = _GROUPED.sub(lambda number: number[0].replace(",", ""), text)
        left, position = self._literals(line, text, 0)
        body: list[Literal] = []
        arrow = _ARROW.match(text, position)
        if arrow is not None:
            right, position = self._literals(line, text, arrow.end())
            if arrow[1] in _BACKWARD:
                self._note(RepairKind.CONNECTIVE, line, f"{arrow[1]!r} read as '>>>' from right to left")
                body = right
            else:
                self._accept(RepairKind.CONNECTIVE, line, arrow, "'>>>'")
                body, left = left, right
        elif self.strict and len(left) > 1:
            raise ProgramError("several facts on a line: not in strict reading", line.number)
        end = _END.match(text, position)
        assert end is not None
        if self.asks and text[end.end() :] == "?":
            self._note(RepairKind.MARKUP, line, "the question mark behind the query dropped")
            text = text[: end.end()]
        if end.end() < len(text) or (self.strict and end[0].strip()):
            raise ProgramError(f"{quoted(text[position:].strip())} is neither '&&' nor '>>>'", line.number)
        return Clause(line.number, tuple(body), tuple(left))

    def _literals(self, line: Line, text: str, position: int) -> tuple[list[Literal], int]:
        literals = []
        while True:
            literal, position = self._literal(line, text, position)
            literals.append(literal)
            connective = _AND.match(text, position)
            if connective is None:
                return literals, position
            if len(literals) == MAX_LITERALS:
                raise ProgramError(f"more than {MAX_LITERALS} literals on one side of a rule", line.number)
            self._accept(RepairKind.CONNECTIVE, line, connective, "'&&'")
            position = connective.end()

    def _accept(self, kind: RepairKind, line: Line, match: re.Match[str], meant: str) -> None:
        if match[1]:
            self._note(kind, line, f"{match[1]!r} read as {meant}")

    def _literal(self, line: Line, text: str, position: int) -> tuple[Literal, int]:
        plain = _PLAIN.match(text, position)
        if plain is not None and not self.strict:
            names = plain[2].replace("?", VARIABLE).split(",")[:-1]
            if len(names) <= MAX_ARGUMENTS:
                return Literal(plain[1], tuple(name.strip() for name in names), plain[3] == "True"), plain.end()
        start, negations, brackets = position, 0, 0
        while match := _NEGATION.match(text, position) or _NEGATION_OF.match(text, position):
            negations += 1
            brackets += match[0].rstrip().endswith("(")
            position = match.end()
            if negations > MAX_NEGATIONS:
                raise ProgramError(f"more than {MAX_NEGATIONS} negations of one atom", line.number)
        atom = _ATOM.match(text, position)
        if atom is None:
            raise ProgramError(f"{quoted(text[start:])} does not start with a literal as P(a, True)", line.number)
        position = atom.end()
        inside, outer = atom[2], _OUTER_VALUE.match(text, position) if brackets else None
        last = inside.rpartition(",")[2].strip().lower()
        if outer is not None and last not in (*_VALUES, *_PLACEHOLDERS):
            inside, position = f"{inside},{outer[1]}", outer.end()
        for _ in range(brackets):
            if not text.startswith(")", position):
                raise ProgramError(f"{quoted(text[start:])}: what is negated has no closing bracket", line.number)
            position += 1
        literal = self._of_atom(line, atom[1], inside)
        if negations:
            self._note(RepairKind.NEGATION, line, "a negation read as the other truth value")
        return (literal.opposite if negations % 2 else literal), position

    def _of_atom(self, line: Line, predicate: str, inside: str) -> Literal:
        if "[" in inside or "{" in inside:
            raise ProgramError(f"an argument of {predicate!r} is a list: write a line for each member", line.number)
        arguments = [argument.strip() for argument in inside.split(",")]
        last = arguments[-1].lower()
        value = True
        if self.strict:
            if arguments[-1] in ("True", "False"):
                value = arguments.pop() == "True"
            else:
                predicate = f"{predicate} {_NO_VALUE}"
        elif last in _VALUES:
            value = _VALUES[last]
            if arguments[-1] not in ("True", "False"):
                self._note(RepairKind.TRUTH_VALUE, line, f"{arguments[-1]!r} read as {value}")
            arguments.pop()
        elif last in _PLACEHOLDERS and not self.asks:
            # In a query it is what is asked for; here it would be asserted.
            raise ProgramError(f"{arguments[-1]!r} of {predicate!r} is neither True nor False", line.number)
        elif last in _PLACEHOLDERS:
            self._note(RepairKind.PLACEHOLDER, line, f"{arguments.pop()!r} is no truth value; True supplied")
        else:
            self._note(RepairKind.TRUTH_VALUE, line, f"{predicate!r} has no truth value; True supplied")
        if len(arguments) > MAX_ARGUMENTS:
            raise ProgramError(f"{len(arguments)} arguments; at most {MAX_ARGUMENTS} are read", line.number)
        if not arguments:
            raise ProgramError(f"{predicate!r} has no argument before its truth value", line.number)
        return Literal(predicate, tuple(self._argument(line, argument) for argument in arguments), value)

    def _argument(self, line: Line, text: str) -> str:
        bare = text if self.strict else text.strip(_QUOTES)
        if len(bare) > 2 and bare[0] == bare[-1] == VARIABLE and not self.strict:
            self._note(RepairKind.MARKUP, line, f"{quoted(bare)} read as {quoted(bare[:-1])}")
            text = bare = bare[:-1]
        match = (_STRICT_ARGUMENT if self.strict else _ARGUMENT).fullmatch(bare)
        if match is None:
            raise ProgramError(f"{quoted(text)} is no name of an individual or variable", line.number)
        if bare != text:
            self._note(RepairKind.NAME, line, f"the quotation marks around {quoted(bare)} dropped")
        if match[1]:
            return VARIABLE + match[2]
        if " " in bare and not self.strict:
            self._note(RepairKind.NAME, line, f"{quoted(bare)} read as one name")
        return bare

    def _note(self, kind: RepairKind, line: Line, detail: str) -> None:
        if self.strict:
            raise ProgramError(f"{detail}: not in strict reading", line.number)
        self.repairs.append(Repair(kind, line.number, detail))


def capital_variables(clauses: Sequence[Clause], query: Literal) -> tuple[str, int] | None:
    """Return the first name with a capital that is a variable, and its line; None if they name individuals."""
    facts = [head for clause in clauses if not clause.body for head in clause.heads]
    rules = [clause for clause in clauses if clause.body]
    literals = [literal for clause in rules for literal in (*clause.body, *clause.heads)]
    if any(argument[0] == VARIABLE for literal in (*literals, *facts, query) for argument in literal.arguments):
        return None
    if any(argument[0].isupper() for literal in (*facts, query) for argument in literal.arguments):
        return None
    for clause in rules:
        for literal in (*clause.body, *clause.heads):
            for argument in literal.arguments:
                if argument[0].isupper():
                    return argument, clause.line
    return None


def with_capital_variables(clause: Clause) -> Clause:
    """Return the clause with variables for names that have a capital."""
    return with_names(clause, lambda name, _: name, lambda name: VARIABLE + name if name[0].isupper() else name)


def with_names(clause: Clause, predicate: Callable[[str, int], str], argument: Callable[[str], str]) -> Clause:
    """Return the clause with other predicates, given with their number of arguments, and other arguments."""

    def changed(literal: Literal) -> Literal:
        arguments = tuple(map(argument, literal.arguments))
        return Literal(predicate(literal.predicate, len(arguments)), arguments, literal.value)

    return Clause(clause.line, tuple(map(changed, clause.body)), tuple(map(changed, clause.heads)))


def _arguments(clause: Clause) -> Iterator[str]:
    return (argument for literal in (*clause.body, *clause.heads) for argument in literal.arguments)
