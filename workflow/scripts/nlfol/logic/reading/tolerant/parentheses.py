"""The ways to mend a text that has one parenthesis too many, or one too few."""

from __future__ import annotations

from collections.abc import Iterator

from nlfol.logic.reading.tolerant.tokens import Kind, Lexeme


def with_one_parenthesis(lexemes: list[Lexeme], dropped: str) -> Iterator[tuple[list[Lexeme], int]]:
    """The lexemes with one parenthesis dropped, or with one added before a lexeme; no two alike."""
    added = "(" if dropped == ")" else ")"
    for index, lexeme in enumerate(lexemes):
        alike = index > 0 and lexemes[index - 1].is_mark(lexeme.text) and lexeme.kind is Kind.MARK
        if lexeme.is_mark(dropped) and not alike:
            yield lexemes[:index] + lexemes[index + 1 :], lexeme.start
        # An opening parenthesis after a name would make a predicate of it.
        applies = added == "(" and index > 0 and lexemes[index - 1].kind in (Kind.NAME, Kind.TEXT)
        if not applies and not (index and lexemes[index - 1].is_mark(added)):
            sign = Lexeme(Kind.MARK, added, lexeme.start, lexeme.start)
            yield [*lexemes[:index], sign, *lexemes[index:]], lexeme.start
