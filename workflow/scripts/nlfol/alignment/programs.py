"""Programs line by line: the gold one of a problem, and a model's, each of whose lines names its sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from nlfol.problems.gold import QUERY, declarations, things_of
from nlfol.problems.problem import Problem
from nlfol.programs import Language

__all__ = ["QUERY", "Lines", "declared", "number_of_things", "of_problem"]


@dataclass(frozen=True, slots=True)
class Lines:
    """A program by the places its lines belong to.

    Attributes:
        language: what it is written in.
        lines: by the number of the sentence from 1, as text, the lines that say what it says.
        asked: the query, by ``query``; of constraints, what is asked by letter.
        variables: of constraints, the lines that give variables their values.
    """

    language: Language
    lines: Mapping[str, tuple[str, ...]]
    asked: Mapping[str, str]
    variables: Sequence[str] = ()

    @property
    def places(self) -> dict[str, tuple[str, ...]]:
        """All lines by place, what is asked last."""
        return {**self.lines, **{place: (line,) for place, line in self.asked.items()}}

    def changed(self, places: Mapping[str, tuple[str, ...]]) -> Lines:
        """The same with other lines; a place whose line is asked takes the first."""
        lines = {place: places.get(place, said) for place, said in self.lines.items()}
        asked = {place: places[place][0] if place in places else line for place, line in self.asked.items()}
        return Lines(self.language, lines, asked, self.variables)

    @property
    def text(self) -> str:
        """The program as ``nlfol.programs`` reads it."""
        lines = [line for said in self.lines.values() for line in said]
        asked = list(self.asked.values())
        match self.language:
            case Language.CLAUSES:
                sections = {"Predicates": declarations((*lines, *asked)), "Facts": [], "Rules": lines, "Query": asked}
            case Language.FORMULAS:
                sections = {"Premises": lines, "Conclusion": asked}
            case Language.CONSTRAINTS:
                lettered = [f"{letter}) {line}" for letter, line in self.asked.items()]
                sections = {"Variables": list(self.variables), "Constraints": lines, "Query": lettered}
        return "\n".join(line for name, said in sections.items() for line in (f"{name}:", *said))


def of_problem(problem: Problem) -> Lines:
    """The gold program of a problem.

    Raises:
        ValueError: if the problem has no gold program.
    """
    if problem.language is None:
        raise ValueError(f"{problem.name} has no gold program")
    language = Language(problem.language)
    lines = {
        str(number): (statement.line,)
        for number, statement in enumerate(problem.statements, 1)
        if statement.line is not None
    }
    if language is Language.CONSTRAINTS:
        asked = {letter: option.line or "" for letter, option in problem.by_letter.items()}
    else:
        asked = {QUERY: problem.question.line or ""}
    return Lines(language, lines, asked)


def number_of_things(gold: Lines) -> int:
    """How many places the things of constraints stand on; 0 in other languages."""
    if gold.language is not Language.CONSTRAINTS:
        return 0
    return len(things_of([line for said in gold.lines.values() for line in said]))


def declared(names: Iterable[str], places: int) -> list[str]:
    """The lines that give variables of constraints their places."""
    return [f"{name} [IN] [1..{places}]" for name in names]
