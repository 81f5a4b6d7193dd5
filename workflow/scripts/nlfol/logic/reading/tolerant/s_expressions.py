"""SMT-LIB's prefix notation: a script with one assertion, or the bare expression."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from nlfol.logic.errors import FormulaError, FormulaSyntaxError
from nlfol.logic.naming import valid_name
from nlfol.logic.reading.automaton import Reading
from nlfol.logic.reading.tokens import Letters
from nlfol.logic.reading.tolerant.ambiguities import Ambiguity, TolerantReading
from nlfol.logic.reading.tolerant.lexemes import (
    ENGLISH,
    INFIX_LETTERS,
    INFIX_WORDS,
    Lexeme,
    LexemeKind,
    Vocabulary,
    place,
)
from nlfol.logic.reading.tolerant.strict_tokens import Token, make_names_valid, read_tokens
from nlfol.logic.syntax import Atom, Formula

if TYPE_CHECKING:
    import pyparsing as pp

_SYMBOL = re.compile(r"[A-Za-z0-9~!@$%^&*_+=<>.?/-]+")
_JOINS = {"and": "∧", "or": "∨", "xor": "⊕", "=>": "→", "implies": "→", "iff": "↔"}
_QUANTIFIERS = {"forall": "∀", "exists": "∃"}
_OPERATORS = frozenset([*_JOINS, *_QUANTIFIERS, "not", "=", "distinct"])
_COMMAND_WORDS = (
    "set-logic set-info set-option declare-sort declare-fun declare-const assert check-sat get-model exit push pop"
)
_COMMANDS = frozenset(_COMMAND_WORDS.split())
_REFUSED = {
    "let": "local definitions", "ite": "case distinctions", "match": "case distinctions", "!": "annotations",
    "lambda": "lambda abstractions", "true": "truth constants", "false": "truth constants", ">": "comparisons",
    "<": "comparisons", ">=": "comparisons", "<=": "comparisons", "+": "arithmetic", "-": "arithmetic",
    "*": "arithmetic", "define-fun": "definitions", "declare-datatypes": "data types",
}  # fmt: skip
_BLANKS = "".join(filter(str.isspace, map(chr, range(0x3001))))
_HEAD = re.compile(r"\(\s*(\|[^|\n]*\||[^\s()|]+)")


@dataclass(slots=True)
class _Node:
    """A symbol (no parts) or a list of parts."""

    text: str
    position: int
    end: int
    parts: list[_Node] | None = None

    @property
    def head(self) -> str:
        """Return the symbol that a list begins with; nothing for a symbol."""
        return self.parts[0].text if self.parts and self.parts[0].parts is None else ""


def looks_like_s_expression(text: str, letters: Letters) -> bool:
    """Return whether the text begins as SMT-LIB does and has nothing that only infix notations have."""
    text = text.lstrip()
    head = _HEAD.match(text)
    if head is None or re.search(r"[,∀∃∧∨¬→↔⊕≠]|[\w|]\(|->", text):
        return False
    word = head[1]
    if word in _QUANTIFIERS:
        return bool(re.match(r"\(\s*\w+\s*\(\s*(?:\(|[\w|.!]+(?:\s+[\w|.!]+)*\s*\)\s*\()", text))
    if word in _OPERATORS or word in _COMMANDS or word in _REFUSED:
        return True
    words = set(re.findall(r"\w+", text))
    # (p or q) joins two letters, where names alone can be such.
    if letters and any(word in INFIX_LETTERS or word.lower() in INFIX_WORDS for word in words):
        return False
    return bool(re.fullmatch(r"[\w|.\s()-]+", text)) and not ENGLISH & words


def read_s_expression(text: str, vocabulary: Vocabulary) -> TolerantReading:
    """Read an SMT-LIB script or expression; raises ``FormulaSyntaxError`` unless it is one formula over one sort."""
    nodes = _nodes(text)
    declared: dict[str, bool] = {}
    asserted: list[_Node] = []
    script = any(node.head in _COMMANDS for node in nodes)
    for node in nodes:
        if not script:
            asserted.append(node)
        elif node.head == "assert" and node.parts and len(node.parts) == 2:
            asserted.append(node.parts[1])
        elif node.head in ("declare-fun", "declare-const") and node.parts and len(node.parts) > 2:
            declared[node.parts[1].text] = node.parts[-1].text == "Bool"
        elif node.head not in _COMMANDS or node.head in ("push", "pop"):
            raise FormulaSyntaxError(f"the command {node.head!r} is not read here", text, node.position)
    if len(asserted) != 1:
        raise FormulaSyntaxError(f"{len(asserted)} formulas found, not one", text, len(text) if not asserted else 0)
    writing = _Writing(text, declared, vocabulary, nodes)
    writing.write(asserted[0])
    if len(writing.sorts) > 1:
        raise FormulaSyntaxError("several sorts: there is one universe; write predicates", text, 0)
    reading, repairs = writing.read()
    ambiguities = [
        Ambiguity("equality", f"{place(text, position)}: taken as ↔; it could be an equation of terms")
        for position in writing.doubtful
    ]
    alternatives: tuple[Formula, ...] = ()
    formula = reading.formula
    if isinstance(formula, Atom) and formula.arguments and "assert" not in text and vocabulary.applicable is None:
        detail = f"{formula.predicate!r} taken as a predicate of the names after it"
        ambiguities.append(Ambiguity("prefix_application", detail))
    if writing.doubtful:
        other = _Writing(text, declared, vocabulary, nodes, equations=True)
        other.write(asserted[0])
        alternatives = (other.read()[0].formula,)
    account = (*writing.repairs, *repairs, *reading.warnings)
    return TolerantReading(formula, "smtlib", account, tuple(ambiguities), alternatives)


@cache
def _grammar() -> pp.ParserElement:
    """Return the grammar of parentheses and symbols: flat, so that no depth of nesting recurses."""
    import pyparsing as pp  # only where such a text is read

    def labelled(kind: str) -> Callable[[str, int, pp.ParseResults], tuple[str, str, int]]:
        return lambda _, position, found: (kind, found[0], position)

    pieces = {
        "parenthesis": pp.Char("()"),
        "quoted": pp.Regex(r"\|[^|\\]*\|"),
        "symbol": pp.Regex(r"[^\s()|;]+"),
        "bar": pp.Char("|"),
    }
    for kind, piece in pieces.items():
        piece.set_whitespace_chars(_BLANKS).add_parse_action(labelled(kind))
    comment = pp.Regex(r";[^\n]*").set_whitespace_chars(_BLANKS)
    grammar: pp.ParserElement = pp.MatchFirst(pieces.values())[...].ignore(comment).parse_with_tabs()
    return grammar


def _nodes(text: str) -> list[_Node]:
    levels: list[list[_Node]] = [[]]
    opened: list[int] = []
    for kind, piece, position in _grammar().parse_string(text):
        end = position + len(piece)
        if kind == "bar":
            raise FormulaSyntaxError(f"unexpected character {piece!r}", text, position)
        if kind == "symbol" and not _SYMBOL.fullmatch(piece):
            raise FormulaSyntaxError(f"{piece!r} is no symbol of SMT-LIB", text, position)
        if kind != "parenthesis":
            levels[-1].append(_Node(piece[1:-1] if kind == "quoted" else piece, position, end))
        elif piece == "(":
            parts: list[_Node] = []
            levels[-1].append(_Node("", position, end, parts))
            levels.append(parts)
            opened.append(position)
        elif opened:
            levels.pop()
            opened.pop()
        else:
            raise FormulaSyntaxError("this parenthesis was never opened", text, position)
    if opened:
        raise FormulaSyntaxError("this parenthesis is never closed", text, opened[-1])
    return levels[0]


class _Writing:
    """Writer of an expression as strict tokens; ``names`` by token, ``doubtful`` signs ``=`` of formulas or terms."""

    def __init__(
        self,
        text: str,
        declared: dict[str, bool],
        vocabulary: Vocabulary,
        nodes: list[_Node],
        *,
        equations: bool = False,
    ) -> None:
        self.text = text
        self.declared = declared
        self.vocabulary = vocabulary
        self.equations = equations  # whether = stands between terms where nothing tells terms from formulas
        self.tokens: list[Token] = []
        self.names: dict[int, Lexeme] = {}
        self.doubtful: list[int] = []
        self.sorts: set[str] = set()
        self.letters: set[int] = set()
        self.repairs: list[str] = []
        self.formula_heads, self.term_symbols = self._used(nodes)

    def read(self) -> tuple[Reading, list[str]]:
        """Read the tokens, and say which names were changed."""
        declared = self.vocabulary.declared
        tokens, repairs = make_names_valid(self.text, self.tokens, self.names, letters=self.letters, declared=declared)
        return read_tokens(self.text, tokens, self.vocabulary.letters), repairs

    def _error(self, problem: str, node: _Node) -> FormulaSyntaxError:
        return FormulaSyntaxError(problem, self.text, node.position)

    def _used(self, nodes: list[_Node]) -> tuple[set[str], set[str]]:
        """Return the symbols where only a formula can stand; and symbols alone in arguments, with variables."""
        formulas: set[str] = set()
        terms: set[str] = set()
        stack = list(nodes)
        while stack:
            node = stack.pop()
            parts = node.parts or []
            if node.parts is None:
                formulas.add(node.text)
            elif node.head in _JOINS or node.head in ("not", "assert"):
                stack.extend(parts[1:])
            elif node.head in _QUANTIFIERS:
                terms.update((v.parts or [v])[0].text for v in (parts[1].parts if len(parts) > 1 else None) or [])
                stack.extend(parts[2:])
            elif node.head and node.head not in _OPERATORS and node.head not in _COMMANDS:
                formulas.add(node.head)
                terms.update(part.text for part in parts[1:] if part.parts is None)
        return formulas, terms

    def write(self, formula: _Node) -> None:
        """Write the tokens, the pending parts on a stack."""
        stack: list[_Node | tuple[str, _Node]] = [formula]
        while stack:
            piece = stack.pop()
            if isinstance(piece, tuple):
                sign, node = piece
                if sign == "term":
                    stack.extend(reversed(self._term(node)))
                else:
                    self.tokens.append(Token(sign, node.position))
            else:
                stack.extend(reversed(self._pieces(piece)))

    def _is_letter(self, node: _Node) -> bool:
        """Return whether it is a symbol that can be a propositional letter, and is not declared as anything else."""
        if node.parts is not None or not self.vocabulary.letters or not self.declared.get(node.text, True):
            return False
        try:
            return valid_name(node.text) in self.vocabulary.letters
        except FormulaError:
            return False

    def _emit_name(self, node: _Node, *, letter: bool = False) -> None:
        if letter:
            self.letters.add(len(self.tokens))
        self.names[len(self.tokens)] = Lexeme(LexemeKind.NAME, node.text, node.position, node.end)
        self.tokens.append(Token(node.text, node.position))

    def _pieces(self, node: _Node) -> list[_Node | tuple[str, _Node]]:
        if self._is_letter(node):
            self._emit_name(node, letter=True)
            return []
        if node.parts is None:
            what = _REFUSED.get(node.text)
            raise self._error(
                f"{what} have no place in the notation" if what else f"{node.text!r} stands alone, not as a formula",
                node,
            )
        head, parts = node.head, node.parts[1:]
        if head in _REFUSED:
            raise self._error(f"{head!r}: {_REFUSED[head]} have no place in the notation", node)
        if head == "not" and len(parts) == 1:
            return [("¬", node), ("(", node), parts[0], (")", node)]
        if head in _JOINS and len(parts) >= 2:
            return self._joined(_JOINS[head], parts, node)
        if head in _QUANTIFIERS and len(parts) == 2:
            return self._quantified(_QUANTIFIERS[head], parts[0], parts[1])
        if head in ("=", "distinct") and len(parts) == 2:
            return self._equation(head, parts[0], parts[1], node)
        if head in _OPERATORS or not head:
            raise self._error(f"{head or 'this list'!r} with {len(parts)} arguments is not read here", node)
        if not parts and node.parts is not None and self._is_letter(node.parts[0]):
            self.repairs.append(f"{place(self.text, node.position)}: the parentheses around {head!r} dropped")
            self._emit_name(node.parts[0], letter=True)
            return []
        if not parts:
            raise self._error(f"{head!r} without arguments: nullary predicates are not supported", node)
        return self._applied(node)

    def _joined(self, sign: str, parts: list[_Node], node: _Node) -> list[_Node | tuple[str, _Node]]:
        """Return the pieces of a ∘ b ∘ c, grouped to the left, → to the right."""
        pieces: list[_Node | tuple[str, _Node]] = []
        for index, part in enumerate(parts):
            if index:
                pieces.append((sign, node))
            pieces += [("(", part), part, (")", part)]
        if sign == "↔" and len(parts) > 2:
            raise self._error("↔ joins two formulas", node)
        return pieces

    def _quantified(self, quantifier: str, variables: _Node, body: _Node) -> list[_Node | tuple[str, _Node]]:
        if not variables.parts:
            raise self._error("expected a list of variables", variables)
        for variable in variables.parts:
            name, sort = (variable.parts or [variable])[0], (variable.parts or [])[1:]
            if name.parts is not None or len(sort) > 1 or any(s.parts is not None for s in sort):
                raise self._error("expected a variable with its sort", variable)
            self.tokens.append(Token(quantifier, variables.position))
            self._emit_name(name)
            self.sorts.update(s.text for s in sort)
        return [("(", body), body, (")", body)]

    def _equation(self, head: str, left: _Node, right: _Node, node: _Node) -> list[_Node | tuple[str, _Node]]:
        kinds = [self._is_formula(side) for side in (left, right)]
        if True in kinds and False in kinds:
            raise self._error("a formula and a term cannot be equal", node)
        doubtful = set(kinds) == {None}
        if doubtful:
            self.doubtful.append(node.position)
        if True in kinds or (doubtful and not self.equations):
            return self._joined("↔" if head == "=" else "⊕", [left, right], node)
        return [("term", left), ("=" if head == "=" else "≠", node), ("term", right)]

    def _is_formula(self, node: _Node) -> bool | None:
        """Return whether it is a formula (true), a term (false), or could be either."""
        if node.parts is None:
            return self._is_formula_alone(node)
        if node.head in _OPERATORS:
            return True
        if node.head in self.declared:
            return self.declared[node.head]
        if self.vocabulary.applicable is not None:
            return node.head in self.vocabulary.applicable
        return True if node.head in self.formula_heads else None

    def _is_formula_alone(self, node: _Node) -> bool | None:
        if not self._is_letter(node):
            return False
        known = node.text in self.declared or valid_name(node.text) in self.vocabulary.letters.names
        if known and node.text not in self.term_symbols:
            return True
        as_formula, as_term = node.text in self.formula_heads, node.text in self.term_symbols
        return None if as_formula == as_term else as_formula

    def _term(self, node: _Node) -> list[_Node | tuple[str, _Node]]:
        if node.parts is None:
            if node.text in _REFUSED:
                raise self._error(f"{node.text!r}: {_REFUSED[node.text]} have no place in the notation", node)
            self._emit_name(node)
            return []
        if not node.head or node.head in _OPERATORS:
            raise self._error("a formula cannot be an argument", node)
        if node.head in _REFUSED:
            raise self._error(f"{node.head!r}: {_REFUSED[node.head]} have no place in the notation", node)
        if len(node.parts) < 2:
            raise self._error(f"{node.head!r} without arguments: write it as a constant", node)
        return self._applied(node)

    def _applied(self, node: _Node) -> list[_Node | tuple[str, _Node]]:
        assert node.parts is not None
        self._emit_name(node.parts[0])
        pieces: list[_Node | tuple[str, _Node]] = [("(", node)]
        for index, part in enumerate(node.parts[1:]):
            if index:
                pieces.append((",", part))
            pieces.append(("term", part))
        return [*pieces, (")", node)]
