"""Gold programs, as they are or with other symbols, in the language that is asked for, and what their symbols mean."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from nlfol.alignment import Image, LineError, Lines, Rename, Symbol, of_problem, rewritten
from nlfol.alignment.languages import Dialect, dialect
from nlfol.alignment.programs import number_of_things
from nlfol.logic import to_unicode
from nlfol.logic.syntax import And, Atom, Constant, ForAll, Formula, Implies, Not, Term, Variable
from nlfol.problems.gold import QUERY, things_of
from nlfol.problems.problem import Problem
from nlfol.programs.clauses.program import VARIABLE, Clause, Literal
from nlfol.programs.clauses.reading import read_clauses
from nlfol.tasks.program_answers import LanguageName

_REFERENCE = "reference"
"""Kind of the forms that stand for whoever was spoken of, such as "he": no expression of any concept."""

_WORD = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+|\d+")


class Meaning(NamedTuple):
    """What a symbol stands for at a place.

    Attributes:
        place: number of the sentence as text, ``query``, or the letter of an option.
        expression: the words there.
        symbol: its name.
        arity: number of its arguments; 0 of an individual.
    """

    place: str
    expression: str
    symbol: str
    arity: int


class Row(NamedTuple):
    """A row of a table of concepts."""

    symbol: str
    arity: int
    expressions: tuple[str, ...]


@dataclass(frozen=True)
class Translation:
    """A program of a problem, line by line.

    Attributes:
        language: what it is written in.
        lines: by the number of the sentence, where it has one.
        asked: the query, by ``query``; of constraints what the options say, by letter.
        variables: of constraints, their values by name.
        problem: what it is about.
        program: the same in the language of the gold program.
        concepts: by place and symbol the concept that it stands for, where that has another name.
    """

    language: LanguageName
    lines: Mapping[int, str]
    asked: Mapping[str, str]
    variables: Mapping[str, str]
    problem: Problem
    program: Lines
    concepts: Mapping[tuple[str, str], str]

    @cached_property
    def meanings(self) -> tuple[Meaning, ...]:
        """What its symbols stand for, in the order of the problem."""
        return tuple(_meanings(self.problem, self.program, self.concepts))

    @property
    def answer(self) -> dict[str, Any]:
        """The program as an answer."""
        lines = [{"sentence": number, "line": line} for number, line in self.lines.items()]
        if self.language != "constraints":
            return {"lines": lines, "query": self.asked[QUERY]}
        return {**self.arrangement, "lines": lines, "options": self.options}

    @property
    def arrangement(self) -> dict[str, Any]:
        """The variables of constraints."""
        return {"variables": [{"name": name, "values": values} for name, values in self.variables.items()]}

    @property
    def options(self) -> list[dict[str, str]]:
        """What the options of constraints say."""
        return [{"option": letter, "line": line} for letter, line in self.asked.items()]

    @property
    def table(self) -> tuple[Row, ...]:
        """The symbols, each with the expressions that it stands for."""
        rows: dict[tuple[str, int], dict[str, None]] = {}
        for _, expression, symbol, arity in self.meanings:
            rows.setdefault((symbol, arity), {})[expression] = None
        return tuple(Row(symbol, arity, tuple(said)) for (symbol, arity), said in rows.items())

    @property
    def table_answer(self) -> list[dict[str, Any]]:
        """The table as a part of an answer."""
        return [{**row._asdict(), "expressions": list(row.expressions)} for row in self.table]


def gold_answer(problem: Problem, language: LanguageName) -> dict[str, Any] | None:
    """The gold program as an answer; None where there is none in the language."""
    found = translation(problem, language)
    return None if found is None else found.answer


def translation(problem: Problem, language: LanguageName, rename: Rename | None = None) -> Translation | None:
    """The gold program of a problem; None where there is none in the language.

    Clauses become formulas, each rule for all that it may be about; no other language becomes another.

    Args:
        problem: with the places where concepts are mentioned, or without: a symbol then stands for its own words.
        language: of the program.
        rename: what is said for each mention; by default the concept itself.

    Raises:
        LineError: if a line is too large to be rewritten.
    """
    from_clauses = problem.language == "clauses" and language == "formulas"
    if problem.language != language and not from_clauses:
        return None
    gold = of_problem(problem)
    concepts: dict[tuple[str, str], str] = {}
    program = gold if rename is None else rewritten(gold, _noted(rename, concepts))
    write = _formula if from_clauses else str
    lines = {int(place): write(line) for place, (line,) in program.lines.items()}
    asked = {place: write(line) for place, line in program.asked.items()}
    return Translation(language, lines, asked, _variables(program), problem, program, concepts)


def _noted(rename: Rename, concepts: dict[tuple[str, str], str]) -> Rename:
    """The same, which concept a symbol is for at a place being noted."""

    def noted(place: str, concept: Symbol) -> Image:
        image = rename(place, concept)
        concepts.update({(place, part.symbol.name): concept.name for part in image})
        return image

    return noted


def _variables(program: Lines) -> dict[str, str]:
    """The values of variables of constraints, which have places from 1."""
    things = things_of([line for said in program.lines.values() for line in said])
    names = [line.partition(" ")[0] for line in program.variables]
    return dict.fromkeys(names or things, json.dumps(list(range(1, len(things) + 1))))


def _meanings(problem: Problem, program: Lines, concepts: Mapping[tuple[str, str], str]) -> Iterator[Meaning]:
    """What the symbols of each place stand for; of a word for two symbols the first counts."""
    means = dialect(program.language, number_of_things(program))
    said = _said(problem)
    known: dict[str, str] = {}
    for place, lines in program.places.items():
        for symbol in _symbols(means, lines):
            found = said.get((place, concepts.get((place, symbol.name), symbol.name)), ())
            if not found and symbol.name not in known.values():
                found = (" ".join(_WORD.findall(symbol.name)).lower() or symbol.name,)
            for expression in found:
                if known.setdefault(expression, symbol.name) == symbol.name or concepts:
                    yield Meaning(place, expression, symbol.name, symbol.arity)


def _symbols(means: Dialect, lines: tuple[str, ...]) -> tuple[Symbol, ...]:
    try:
        return means.said(lines).symbols
    except LineError:
        return ()  # too large to be taken apart: a table then goes without


def _said(problem: Problem) -> dict[tuple[str, str], tuple[str, ...]]:
    """The words for each concept at each place."""
    places = {str(number): statement for number, statement in enumerate(problem.statements, 1)}
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for place, statement in {**places, QUERY: problem.question, **problem.by_letter}.items():
        for mention in statement.mentions:
            if not mention.form.startswith(_REFERENCE):
                key, words = (place, mention.concept), statement.text[mention.start : mention.end]
                found[key] = tuple(dict.fromkeys((*found.get(key, ()), words)))
    return found


def _formula(line: str) -> str:
    """A clause as a formula."""
    clauses = read_clauses(f"Facts:\n{line}\nQuery:\nAny(thing, True)").clauses
    return to_unicode(_of_clause(clauses[0]))


def _of_clause(clause: Clause) -> Formula:
    heads = _joined(clause.heads)
    formula = Implies(_joined(clause.body), heads) if clause.body else heads
    variables = dict.fromkeys(name for literal in (*clause.body, *clause.heads) for name in literal.variables)
    for name in reversed(variables):
        formula = ForAll(Variable(name.removeprefix(VARIABLE)), formula)
    return formula


def _joined(literals: Sequence[Literal]) -> Formula:
    formulas = [_of_literal(literal) for literal in literals]
    joined = formulas[0]
    for formula in formulas[1:]:
        joined = And(joined, formula)
    return joined


def _of_literal(literal: Literal) -> Formula:
    atom = Atom(literal.predicate, tuple(map(_term, literal.arguments)))
    return atom if literal.value else Not(atom)


def _term(name: str) -> Term:
    return Variable(name.removeprefix(VARIABLE)) if name.startswith(VARIABLE) else Constant(name)
