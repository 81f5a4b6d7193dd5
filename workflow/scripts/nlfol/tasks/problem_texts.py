"""Problems as tasks show them, and the words that answer them."""

from collections.abc import Mapping, Sequence

from nlfol.problems.problem import Problem

ASKED = "Question: "
"""Before the question."""

_WORDS = frozenset(("true", "false", "unknown", "uncertain", "yes", "no"))
"""Options that answer a question by themselves."""


def labels(problem: Problem) -> Mapping[str, str]:
    """Return the label of each option's letter: a word such as "true", or else the letter."""
    words = {letter: option.text.lower() for letter, option in problem.by_letter.items()}
    plain = len(set(words.values())) == len(words) and _WORDS.issuperset(words.values())
    return words if plain else {letter: letter for letter in words}


def right_label(problem: Problem) -> str:
    """Return the right label."""
    return labels(problem)[problem.answer]


def shown(problem: Problem, presentation: str = "english") -> str:
    """Return the statements by number, the question, and the options where these are no words.

    Args:
        problem: the problem.
        presentation: ``english``, or ``formula`` for the lines of the gold program instead, where a sentence has one.
    """
    formal = presentation == "formula"

    def form(text: str, line: str | None) -> str:
        return line if formal and line is not None else text

    statements = [form(statement.text, statement.line) for statement in problem.statements]
    question = form(problem.question.text, problem.question.line)
    options = [f"{letter}) {form(option.text, option.line)}" for letter, option in problem.by_letter.items()]
    lettered = list(labels(problem)) == list(labels(problem).values())
    return "\n".join([*numbered(statements), f"{ASKED}{question}", *(options if lettered else [])])


def numbered(lines: Sequence[str]) -> list[str]:
    """Return lines with their numbers, from 1."""
    return [f"{number}. {line}" for number, line in enumerate(lines, 1)]
