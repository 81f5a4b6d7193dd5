"""The gold program of a problem."""

from nlfol.problems.problem import Problem
from nlfol.programs import LANGUAGES
from nlfol.programs.language import QUERY, Lines


def gold_lines(problem: Problem) -> Lines:
    """Return the gold program of a problem by its places; raises ``ValueError`` if the problem has none."""
    language = LANGUAGES.get(problem.language or "")
    if language is None:
        raise ValueError(f"{problem.name} has no gold program")
    lines = {
        str(number): (statement.line,)
        for number, statement in enumerate(problem.statements, 1)
        if statement.line is not None
    }
    if language.asks_options:
        asked = {letter: option.line or "" for letter, option in problem.by_letter.items()}
    else:
        asked = {QUERY: problem.question.line or ""}
    return Lines(language, lines, asked)


def program(problem: Problem) -> str:
    """Return the text of the gold program of a problem; raises ``ValueError`` if the problem has none."""
    gold = gold_lines(problem)
    return gold.language.gold(gold)


def asks_of_the_unsaid(problem: Problem) -> bool:
    """Return whether the gold query has a predicate that no statement has, so that only a declaration tells it."""
    if problem.language is None:
        return False
    gold = gold_lines(problem)
    return gold.language.asks_of_the_unsaid(gold)
