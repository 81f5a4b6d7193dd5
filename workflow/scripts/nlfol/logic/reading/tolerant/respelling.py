"""Truth constants respelled where the text as it stands is no formula: ⊤ as ∀x (x = x), ⊥ as its negation."""

from itertools import count

from nlfol.logic.reading.tolerant.lexemes import TRUTH, TRUTHS, Lexeme, LexemeKind, Vocabulary, place


def respelled(text: str, lexemes: list[Lexeme], vocabulary: Vocabulary) -> tuple[list[Lexeme], list[str]] | None:
    """Return the lexemes with repairs, None without."""
    changed: list[Lexeme] = []
    repairs: list[str] = []
    names = {lexeme.text for lexeme in lexemes}
    fresh = next(unused for number in count() if (unused := f"x{number}") not in names)
    # A text without a connective that says True answers another question.
    has_connective = any(lexeme.kind is LexemeKind.SIGN and lexeme.text not in "=≠" for lexeme in lexemes)
    for index, lexeme in enumerate(lexemes):
        may_be_truth = has_connective or lexeme.kind is LexemeKind.REFUSED
        truth = _truth(text, lexemes, index, vocabulary) if may_be_truth else None
        if truth is None:
            changed.append(lexeme)
            continue
        changed += _constant(truth, fresh, lexeme)
        shown = text[lexeme.start : lexeme.end]
        meant = f"∀{fresh} {fresh} = {fresh}" if truth else f"¬∀{fresh} {fresh} = {fresh}"
        repairs.append(f"{place(text, lexeme.start)}: {shown!r} read as {meant}")
    return (changed, repairs) if repairs else None


def _truth(text: str, lexemes: list[Lexeme], index: int, vocabulary: Vocabulary) -> bool | None:
    """Return which truth constant stands there as a formula; None where none does."""
    lexeme = lexemes[index]
    if lexeme.kind is LexemeKind.REFUSED and lexeme.text == TRUTH:
        return TRUTHS[text[lexeme.start : lexeme.end]]
    word = lexeme.text.lower() if lexeme.kind is LexemeKind.NAME else ""
    if word not in ("true", "false") or lexeme.text in vocabulary.declared:
        return None
    beside = (*lexemes[max(index - 1, 0) : index], *lexemes[index + 1 : index + 2])
    is_term = any(neighbour.kind is LexemeKind.SIGN and neighbour.text in "=≠" for neighbour in beside)
    return None if is_term or lexemes[index + 1].is_mark("(", ",") else word == "true"


def _constant(truth: bool, variable: str, at: Lexeme) -> list[Lexeme]:
    def lexeme(kind: LexemeKind, text: str) -> Lexeme:
        return Lexeme(kind, text, at.start, at.end)

    name = lexeme(LexemeKind.NAME, variable)
    equation = [name, lexeme(LexemeKind.SIGN, "="), name]
    opening, closing = lexeme(LexemeKind.MARK, "("), lexeme(LexemeKind.MARK, ")")
    negation = [] if truth else [lexeme(LexemeKind.SIGN, "¬")]
    quantifier = lexeme(LexemeKind.QUANTIFIER, "∀")
    return [opening, *negation, quantifier, name, opening, *equation, closing, closing]
