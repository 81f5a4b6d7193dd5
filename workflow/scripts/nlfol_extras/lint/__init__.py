"""A linter for gold formulas: what in a formula, its sentence and its story points to a wrong translation."""

from collections.abc import Iterator

from nlfol_extras.lint import forms, sentences, stories
from nlfol_extras.lint.rules import RULES, Finding, Level
from nlfol_extras.lint.statements import Statement, Story

__all__ = ["RULES", "Finding", "Level", "Statement", "Story", "forms", "lint", "sentences", "stories"]


def lint(story: Story, level: Level = Level.PRECISE) -> Iterator[Finding]:
    """Yield the findings of a level's rules, statement by statement."""
    chosen = [rule for rule in RULES.values() if rule.level in level]
    for statement in story.statements:
        for rule in chosen:
            for message, suggestion in rule.check(statement, story):
                yield Finding(statement, rule, message, suggestion)
