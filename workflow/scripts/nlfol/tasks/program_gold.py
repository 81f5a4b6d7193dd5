"""Gold programs, as they are or with other symbols, in the language that is asked for, and what their symbols mean."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from nlfol.mappings import JsonDict
from nlfol.problems.alignment import Image, LineError, Rename, Symbol, rewritten
from nlfol.problems.gold import gold_lines
from nlfol.problems.problem import Problem
from nlfol.problems.programs.language import QUERY, Lines, Policy, SolverLanguage
from nlfol.tasks.item import labels

_REFERENCE = "reference"
"""Kind of the forms that stand for whoever was spoken of, such as "he": no expression of any concept."""

_WORD = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+|\d+")


class Meaning(NamedTuple):
    """The words that a symbol, or with a modifier two symbols, stand for at a place; an individual has arity 0."""

    place: str
    expression: str
    symbol: str
    arity: int
    modifier: str = ""

    @property
    def row(self) -> tuple[str, int]:
        """Return what a table calls the symbol, or both, and how many arguments it has."""
        return f"{self.modifier} ∧ {self.symbol}" if self.modifier else self.symbol, self.arity


@dataclass(frozen=True)
class Translation:
    """A program of a problem, line by line, and the same ``program`` in the language of the gold program.

    ``lines`` are by the number of the sentence, where it has one; ``asked`` is as in ``Lines``;
    ``variables`` has values by name, ``concepts`` by place and symbol the concept that it stands for, if that has
    another name.
    """

    language: SolverLanguage
    lines: Mapping[int, str]
    asked: Mapping[str, str]
    variables: Mapping[str, str]
    problem: Problem
    program: Lines
    concepts: Mapping[tuple[str, str], str]

    @cached_property
    def meanings(self) -> tuple[Meaning, ...]:
        """Return what its symbols stand for, in the order of the problem; a word for two stands for the first."""
        language = self.program.language.within(self.program)
        mentioned = _mentioned(self.problem)
        meanings: list[Meaning] = []
        known: dict[str, str] = {}
        for place, lines in self.program.places.items():
            symbols = _symbols(language, lines)
            refined = [Meaning(place, *parts) for parts in _refined(place, mentioned, symbols)]
            meanings += refined
            known.update((meaning.expression, meaning.row[0]) for meaning in refined)
            covered = {name for meaning in refined for name in (meaning.symbol, meaning.modifier)}
            for symbol in symbols:
                name = symbol.name
                expressions = mentioned.get((place, self.concepts.get((place, name), name)), ())
                if not expressions and name not in {*known.values(), *covered}:
                    expressions = (" ".join(_WORD.findall(name)).lower() or name,)
                meanings.extend(
                    Meaning(place, expression, name, symbol.arity)
                    for expression in expressions
                    if known.setdefault(expression, name) == name or self.concepts
                )
        return tuple(meanings)

    @property
    def answer(self) -> JsonDict:
        """Return the program as an answer."""
        lines = [{"sentence": number, "line": line} for number, line in self.lines.items()]
        if not self.language.asks_options:
            return {"lines": lines, "query": self.asked[QUERY]}
        return {**self.arrangement, "lines": lines, "options": self.options}

    @property
    def arrangement(self) -> JsonDict:
        """Return the declarations of variables, as answers have them."""
        return {"variables": [{"name": name, "values": values} for name, values in self.variables.items()]}

    @property
    def options(self) -> list[dict[str, str]]:
        """Return the lines of options, as answers have them."""
        return [{"option": letter, "line": line} for letter, line in self.asked.items()]

    @property
    def table(self) -> list[JsonDict]:
        """Return the symbols, each with the expressions that it stands for, as answers have them."""
        rows: dict[tuple[str, int], dict[str, None]] = {}
        for meaning in self.meanings:
            rows.setdefault(meaning.row, {})[meaning.expression] = None
        return [{"symbol": name, "arity": arity, "expressions": list(known)} for (name, arity), known in rows.items()]


def gold_answer(problem: Problem, language: SolverLanguage) -> JsonDict | None:
    """Return the gold program as an answer; None where there is none in the language."""
    gold = translation(problem, language)
    return None if gold is None else gold.answer


def translation(problem: Problem, language: SolverLanguage, rename: Rename | None = None) -> Translation | None:
    """Return the gold program of a problem; None where there is none in the language.

    ``rename`` says the image of each mention, by default the concept itself. Without places of mentions, a symbol
    stands for its own words. Raises ``LineError`` if a line is too large to be rewritten.
    """
    if problem.language is None:
        return None
    gold = gold_lines(problem)
    write = gold.language.writer(language)
    if write is None:
        return None
    concepts: dict[tuple[str, str], str] = {}
    program = gold if rename is None else rewritten(gold, _noted(rename, concepts))
    lines = {int(place): write(line) for place, (line,) in program.lines.items()}
    asked = {place: write(line) for place, line in program.asked.items()}
    return Translation(language, lines, asked, gold.language.domains(program), problem, program, concepts)


def label_fault(problem: Problem, language: SolverLanguage) -> str | None:
    """Return how the gold program, said in another language and executed in it, fails to give the label; else None.

    Rules that are read forwards alone conclude less than formulas.
    """
    if language.name == problem.language or (gold := translation(problem, language)) is None:
        return None
    lines = {str(number): (line,) for number, line in gold.lines.items()}
    text = Lines(language, lines, gold.asked).text
    execution = language.execute(text, problem.lettered, Policy(explains=False))
    if execution.answer == problem.answer:
        return None
    label = labels(problem).get(execution.answer or "", execution.error or execution.outcome)
    return f"the gold program in {language} gives {label}, its label is {labels(problem)[problem.answer]}"


def vacuous(problem: Problem, language: SolverLanguage) -> Translation:
    """Return a program about nothing; raises ``LineError`` where none has an answer in the language."""
    if language.vacuous is None:
        raise LineError(f"no program about nothing has an answer in {language}")
    line, query = language.vacuous
    program = Lines(language, {"1": (line,)}, {QUERY: query})
    return Translation(language, {1: line}, {QUERY: query}, {}, problem, program, {})


def _noted(rename: Rename, concepts: dict[tuple[str, str], str]) -> Rename:
    """Wrap ``rename`` so that it records each symbol's concept."""

    def noted(place: str, concept: Symbol) -> Image:
        image = rename(place, concept)
        concepts.update({(place, part.symbol.name): concept.name for part in image})
        return image

    return noted


def _symbols(language: SolverLanguage, lines: tuple[str, ...]) -> tuple[Symbol, ...]:
    try:
        return language.numbered(lines).symbols
    except LineError:
        return ()  # too large to be taken apart: a table then goes without


def _refined(
    place: str, mentioned: Mapping[tuple[str, str], tuple[str, ...]], symbols: tuple[Symbol, ...]
) -> Iterator[tuple[str, str, int, str]]:
    """Yield expression, symbol, arity and modifier of the words at a place that stand for two symbols."""
    arities = {symbol.name: symbol.arity for symbol in symbols}
    for (at, concept), expressions in mentioned.items():
        modifier, _, base = concept.rpartition(" ")
        if modifier and at == place:
            yield from ((expression, base, arities[base], modifier) for expression in expressions)


def _mentioned(problem: Problem) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the words for each concept at each place."""
    places = {str(number): statement for number, statement in enumerate(problem.statements, 1)}
    expressions: dict[tuple[str, str], tuple[str, ...]] = {}
    for place, statement in {**places, QUERY: problem.question, **problem.by_letter}.items():
        for mention in statement.mentions:
            if not mention.form.startswith(_REFERENCE):
                key, words = (place, mention.concept), statement.text[mention.start : mention.end]
                expressions[key] = tuple(dict.fromkeys((*expressions.get(key, ()), words)))
    return expressions
