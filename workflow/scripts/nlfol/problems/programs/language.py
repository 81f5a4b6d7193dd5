"""The interface of a solver language: all that the project knows of it, in one class.

A new language is a subclass in a module of its own, a line in ``LANGUAGES`` and two prompts on its
notation: ``program/<name>.jinja`` and, for problems that are shown in it, ``question_answering/<name>.jinja``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, ClassVar, Literal, NamedTuple, Protocol

from nlfol.logic.decision.solver import DEFAULT_BUDGET
from nlfol.problems.programs.markup import MAX_READINGS, Written, written
from nlfol.problems.programs.outcome import (
    Execution,
    ExecutionError,
    Failure,
    Outcome,
    ProgramError,
    Repair,
    RepairKind,
    Truth,
    by_truth,
)
from nlfol.problems.programs.symbols import Fits, Image, Numbered, Symbol, identity, named

DEFAULT_STEPS = 300_000
"""Literals that chaining compares with one another, or concludes, before it gives up."""

QUERY = "query"
"""The place of the line that is asked; in languages that ask about options, their letters are places."""

Placed = tuple[str, str]
"""The place that a line belongs to, and the line."""


class FreeVariables(StrEnum):
    """Treatment of free variables.

    ``invalid``: the program fails. ``close``: each formula is closed universally. ``name``: a free variable is the name
    of one individual, the same in all formulas.
    """

    INVALID = "invalid"
    CLOSE = "close"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class Policy:
    """Settings of execution: treatment of free variables, Z3's ``rlimit`` for each question, steps of chaining.

    ``strict`` forgives no notation but that of Logic-LM's solvers, see ``SolverLanguage.read_strictly``. ``explains``
    may be false where the answer is all that is wanted: a trace of formulas takes most of their time.
    ``examples`` are sentences or queries that examples in the prompt ask: programs that ask one of them are no answer.
    """

    free_variables: FreeVariables = FreeVariables.CLOSE
    budget: int = DEFAULT_BUDGET
    steps: int = DEFAULT_STEPS
    strict: bool = False
    explains: bool = True
    examples: tuple[str, ...] = ()


DEFAULT_POLICY = Policy()


_OF_ORDER = frozenset(
    (RepairKind.HEADING, RepairKind.SECTION, RepairKind.MISPLACED, RepairKind.QUERY, RepairKind.FREE_VARIABLE)
)
"""Repairs that strict reading allows; free variables have a policy of their own."""


class Program(Protocol):
    """A program as read."""

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """Return the liberties that the reader took."""
        ...


class Derivation(NamedTuple):
    """The answer of a gold program: the truth of its query, or the letters of the options that follow.

    Evidence and depth are those of :class:`~nlfol.problems.problem.Problem`.
    """

    truth: Truth | None
    evidence: Literal["derivation", "no_derivation", "proof", "models", "solutions"]
    depth: int | None
    letters: tuple[str, ...] = ()


class Words(NamedTuple):
    """The nouns by which prompts speak of a language's lines, and a sentence with its units and their translations.

    ``declared`` is a declaration, name and values, in languages that have them.
    """

    line: str
    lines: str
    query: str
    individual: str = "an individual"
    arity_note: str = ""
    sentence: str = ""
    units: tuple[tuple[str, str], ...] = ()
    declared: tuple[str, str] = ("red_book", "[1, 2, 3]")


@dataclass(frozen=True, slots=True)
class Lines:
    """A program by the places its lines belong to.

    ``lines`` has the lines that state a sentence by its number from 1, as text; ``asked`` the line at ``QUERY``, or in
    languages that ask about options, the line of each letter; ``variables`` are declarations, in languages that have
    them.
    """

    language: SolverLanguage
    lines: Mapping[str, tuple[str, ...]]
    asked: Mapping[str, str]
    variables: Sequence[str] = ()

    @property
    def places(self) -> dict[str, tuple[str, ...]]:
        """Return all lines by place, those asked last."""
        return {**self.lines, **{place: (line,) for place, line in self.asked.items()}}

    def changed(self, places: Mapping[str, tuple[str, ...]]) -> Lines:
        """Return the program with other lines; a place that is asked takes the first."""
        lines = {place: places.get(place, kept) for place, kept in self.lines.items()}
        asked = {place: places[place][0] if place in places else line for place, line in self.asked.items()}
        return Lines(self.language, lines, asked, self.variables)

    @property
    def text(self) -> str:
        """Return the program as its language reads it."""
        stated = [(place, line) for place, lines in self.lines.items() for line in lines]
        sections = self.language.sections(
            stated, self.language.lettered(self.asked.items()), [("", line) for line in self.variables]
        )
        return as_text({name: [line for _, line in lines] for name, lines in sections.items()})


def as_text(sections: Mapping[str, Sequence[str]]) -> str:
    """Return the text of a program from the lines of its sections."""
    return "\n".join(line for name, lines in sections.items() for line in (f"{name}:", *lines))


class SolverLanguage(ABC):
    """A language of programs.

    ``headings`` are the sections by heading in lower case; ``stating`` those whose lines state sentences, ``asking``
    the one of what is asked. A program that ``asks_options`` declares variables and asks about each option; others have
    one query. ``has_conjunctions`` lets a concept be the conjunction of two symbols, ``asks_conjunctions`` a query.
    ``vacuous`` is a line and a query that say nothing of any problem; None where no such program has an answer.
    ``refuses_by_repair`` if what is read without repairs that strict reading refuses is read strictly in the same way.
    """

    name: ClassVar[str]
    headings: ClassVar[Mapping[str, str]]
    stating: ClassVar[tuple[str, ...]]
    asking: ClassVar[str] = "query"
    words: ClassVar[Words]
    asks_options: ClassVar[bool] = False
    has_conjunctions: ClassVar[bool] = True
    asks_conjunctions: ClassVar[bool] = True
    vacuous: ClassVar[tuple[str, str] | None] = None
    refuses_by_repair: ClassVar[bool] = True

    def __str__(self) -> str:
        return self.name

    # Reading and executing

    @abstractmethod
    def read(self, text: str) -> Program:
        """Read a program; raises ``ProgramError``, which names the line, if the text is none."""

    def read_strictly(self, text: str) -> Program:
        """Read a program, forgiving only headings and the order of lines; raises as ``read``."""
        program = self.read(text)
        for repair in program.repairs:
            if repair.kind not in _OF_ORDER:
                error = ProgramError(f"{repair.detail}: not in strict reading", repair.line)
                error.repairs = program.repairs
                raise error
        return program

    def letters(self, options: Sequence[str]) -> Mapping[Any, str]:
        """Return the letters of options by what a program may find of them; raises ``OptionsError``."""
        return by_truth(options)

    @abstractmethod
    def run(self, program: Any, letters: Mapping[Any, str], policy: Policy) -> Execution:
        """Execute a program that was read; raises ``ExecutionError`` if it cannot be executed to an end."""

    def execute(self, text: str, options: Sequence[str] = (), policy: Policy = DEFAULT_POLICY) -> Execution:
        """Read and execute a program; its faults are in the outcome, never raised.

        ``options`` are the question's, as ``A) True``: by default true, false and unknown; of constraints, the query's
        own. If no option of a question on clauses says ``unknown``, what is unknown is false: the world is closed.
        Raises ``OptionsError`` if options cannot be used.
        """
        letters = self.letters(options)
        if policy.strict:
            return self._execution(self.read_strictly, text, letters, policy)
        try:
            program = self.written(text, policy.examples)
        except ProgramError as error:
            return Execution(Outcome.UNPARSABLE, error=str(error), line=error.line)
        first = self._execution(self.read, program.text, letters, policy)
        first = replace(first, repairs=(*program.repairs, *first.repairs))
        if first.outcome is not Outcome.ANSWERED:
            return first
        count = 0
        for section in program.others:
            for other in section:
                end = self._execution(self.read, other, letters, replace(policy, explains=False))
                count += 1
                is_read = end.outcome is not Outcome.UNPARSABLE
                if count > MAX_READINGS or (is_read and end.answer != first.answer):
                    reason = "another program or query of the text has another answer"
                    return replace(first, outcome=Outcome.FAILED, answer=None, error=reason, failure=Failure.AMBIGUOUS)
                if not is_read:
                    break
        return first

    def executed_strictly(self, text: str, options: Sequence[str], tolerantly: Execution) -> Execution:
        """Execute a program strictly, given what became of it read tolerantly, which stands where both are the same."""
        same = self.refuses_by_repair and all(repair.kind in _OF_ORDER for repair in tolerantly.repairs)
        if same and tolerantly.outcome is not Outcome.UNPARSABLE and tolerantly.failure is not Failure.AMBIGUOUS:
            return tolerantly
        return self.execute(text, options, Policy(strict=True, explains=False))

    def written(self, text: str, examples: Sequence[str] = ()) -> Written:
        """Return the programs that an answer writes, in the plain form; raises ``ProgramError`` as it says there."""
        return written(text, self.headings, self.stating, self.asking, options=self.asks_options, examples=examples)

    def _execution(
        self, read: Callable[[str], Program], text: str, letters: Mapping[Any, str], policy: Policy
    ) -> Execution:
        try:
            program = read(text)
        except ProgramError as error:
            return Execution(Outcome.UNPARSABLE, repairs=error.repairs, error=str(error), line=error.line)
        try:
            return self.run(program, letters, policy)
        except ExecutionError as error:
            return Execution(Outcome.FAILED, None, error.trace, program.repairs, str(error), error.kind, error.line)

    # Gold programs

    @abstractmethod
    def sections(
        self, stated: Sequence[Placed], asked: Sequence[Placed], variables: Sequence[Placed], *, declared: bool = True
    ) -> Mapping[str, Sequence[Placed]]:
        """Return a program's sections by heading; ``declared`` if it declares its predicates, in languages that can."""

    def lettered(self, asked: Iterable[Placed]) -> list[Placed]:
        """Return what is asked as it is written in a program: options with their letters."""
        return [(place, f"{place}) {line}" if self.asks_options else line) for place, line in asked]

    def gold(self, lines: Lines) -> str:
        """Return the text of a gold program."""
        return lines.text

    @abstractmethod
    def derive(self, lines: Lines) -> Derivation:
        """Derive a gold program's answer; raises ``ProgramError`` if unreadable, ``ExecutionError`` if it has none."""

    def domains(self, program: Lines) -> dict[str, str]:
        """Return the values of a gold program's variables by name, as answers declare them."""
        return {}

    def asks_of_the_unsaid(self, lines: Lines) -> bool:
        """Return whether a gold query has a predicate that no sentence has, so that only a declaration tells it."""
        return False

    def writer(self, language: SolverLanguage) -> Callable[[str], str] | None:
        """Return how a gold line is written in a language; None if it cannot be."""
        return str if language.name == self.name else None

    # Alignment, the lines of a sentence at a time

    def within(self, gold: Lines) -> SolverLanguage:
        """Return the language with what the meaning of lines depends on beside themselves."""
        return self

    def normalized(self, program: Lines) -> Lines:
        """Return a program in which each line can be read apart from the others."""
        return program

    def with_variables(self, program: Lines, known: Sequence[str] = ()) -> Lines:
        """Return a program with its variables declared, in languages that have them; known declarations are kept."""
        return program

    @abstractmethod
    def numbered(self, lines: tuple[str, ...]) -> Numbered:
        """Return lines with their symbols by number; raises ``LineError`` if one is no line of the language."""

    def shape(self, lines: tuple[str, ...]) -> str:
        """Return lines with numbers for their names, equal for some that mean the same up to names; raises so, too."""
        return str(self.numbered(lines).shape)

    @abstractmethod
    def fits(self, gold: Numbered, other: Numbered) -> Fits:
        """Return the maps under which gold lines mean what others mean."""

    @abstractmethod
    def renamed(self, lines: tuple[str, ...], image: Callable[[Symbol], Image]) -> tuple[str, ...]:
        """Return lines with an image for each mention, asked for in order; raises ``LineError`` if impossible."""

    def rewritten(self, lines: tuple[str, ...], images: Mapping[Symbol, Image]) -> tuple[str, ...]:
        """Return lines with images for their symbols; those without one stay; raises as ``renamed``."""
        return self.renamed(lines, lambda symbol: images.get(symbol) or identity(symbol))

    def same(self, first: tuple[str, ...], second: tuple[str, ...]) -> bool:
        """Return whether lines that can be read are proven to mean the same, names standing for themselves."""
        one, other = self.numbered(first), self.numbered(second)
        itself = tuple(map(identity, one.concepts))
        return any(named(fit, other.symbols) == itself for fit in self.fits(one, other).fits)

    @abstractmethod
    def difference(self, first: tuple[str, ...], second: tuple[str, ...]) -> Any:
        """Return what tells lines apart, as JSON values; None if nothing is found."""
