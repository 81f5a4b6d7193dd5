"""Problems that give others away."""

import re
from dataclasses import replace

from tests.examples import forms

from nlfol.problems.problem import Problem, Statement
from nlfol.problems.rewording import Settings, diversify

_NAME = re.compile(r"(?<![$\w])(?!True\b|False\b|AllDifferentConstraint\b)[A-Za-z]\w*")


def renamed(problem: Problem) -> Problem:
    """Other words, and other names for all symbols and variables."""
    names: dict[str, str] = {}

    def other(statement: Statement) -> Statement:
        line = statement.line and _NAME.sub(
            lambda found: names.setdefault(found[0], f"{found[0][0]}q{len(names)}"), statement.line
        )
        return Statement(f"Sentence {len(names)} of another story.", line)

    return replace(
        problem,
        name="renamed",
        statements=tuple(map(other, problem.statements)),
        question=other(problem.question),
        options=tuple(replace(other(each), text=each.text) for each in problem.options),
    )


def reworded(problem: Problem) -> Problem:
    """The same concepts in other words, without a mention of the original."""
    return replace(diversify(problem, forms(), Settings(), 5).problem, name="reworded")


def shuffled(problem: Problem) -> Problem:
    """The same statements in another order, with another question."""
    question = replace(problem.question, text="Is it so?", line=problem.statements[0].line)
    return replace(problem, name="shuffled", statements=problem.statements[::-1], question=question)


def copied(problem: Problem) -> Problem:
    """The same under another name."""
    return replace(problem, name="copied")
