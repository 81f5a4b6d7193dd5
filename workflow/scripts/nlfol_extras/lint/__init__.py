"""A linter for gold formulas: what in a formula, its sentence and its story points to a wrong translation."""

from collections.abc import Iterator

from nlfol_extras.lint import forms, sentences, stories
from nlfol_extras.lint.rules import RULES, Finding, Level
from nlfol_extras.lint.statements import Statement, Story

__all__ = ["RULES", "Finding", "Level", "Statement", "Story", "forms", "lint", "sentences", "stories"]


def lint(story: Story, level: Level = Level.PRECISE) -> Iterator[Finding]:
    """Yield the findings of a level's rules, statement by statement.

    Where formulas are shifted, rules on their form alone are asked: they are those of other sentences.
    """
    chosen = [rule for rule in RULES.values() if rule.level in level]
    of_shifted = [rule for rule in chosen if rule.check is stories.shifted or rule.check.__module__ == forms.__name__]
    for statement in story.statements:
        for rule in of_shifted if statement in story.shifted[0] else chosen:
            for message, suggestion in rule.check(statement, story):
                yield Finding(statement, rule, message, suggestion)
