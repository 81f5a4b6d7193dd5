"""SMT-LIB's prefix notation to the tokens of the strict one: a script with one assertion, or the bare expression."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from nlfol.logic.errors import FormulaError, FormulaSyntaxError
from nlfol.logic.naming import valid_name
from nlfol.logic.reading.letters import Letters
from nlfol.logic.reading.tolerant.strict_tokens import Token
from nlfol.logic.reading.tolerant.tokens import ENGLISH, Kind, Lexeme, place
from nlfol.logic.reading.tolerant.vocabulary import INFIX_LETTERS, INFIX_WORDS

_PIECE = re.compile(r"\s+|;[^\n]*|(?P<paren>[()])|\|(?P<quoted>[^|\\]*)\||(?P<symbol>[^\s()|;]+)|(?P<bad>.)", re.DOTALL)
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
_HEAD = re.compile(r"\(\s*(\|[^|\n]*\||[^\s()|]+)")


@dataclass(slots=True)
class Node:
    """A symbol (no parts) or a list of parts."""

    text: str
    position: int
    end: int
    parts: list[Node] | None = None

    @property
    def head(self) -> str:
        """The symbol that a list begins with; nothing for a symbol."""
        return self.parts[0].text if self.parts and self.parts[0].parts is None else ""


@dataclass(slots=True)
class SExpression:
    """What an expression was turned into.

    Attributes:
        tokens: of the strict notation.
        names: for each token that is a name as written, its lexeme, by the token's index.
        doubtful: where ``=`` could stand between formulas or between terms.
        sorts: the sorts of the quantified variables.
        letters: indices of the names that are propositional letters.
        repairs: one sentence each.
    """

    tokens: list[Token] = field(default_factory=list)
    names: dict[int, Lexeme] = field(default_factory=dict)
    doubtful: list[int] = field(default_factory=list)
    sorts: set[str] = field(default_factory=set)
    letters: set[int] = field(default_factory=set)
    repairs: list[str] = field(default_factory=list)


def looks_like_s_expression(text: str, letters: Letters) -> bool:
    """Whether the text begins as SMT-LIB does and has nothing that only infix notations have."""
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


def read_s_expression(
    text: str, predicates: frozenset[str] | None, letters: Letters, *, equations: bool = False
) -> SExpression:
    """Turn SMT-LIB into strict tokens.

    Args:
        text: a script or an expression.
        predicates: the predicates, if they are known.
        letters: the names that are propositional letters where they stand alone.
        equations: whether ``=`` stands between terms where nothing tells terms from formulas.

    Raises:
        FormulaSyntaxError: if the text is no formula in SMT-LIB, or has several assertions.
    """
    nodes = _nodes(text)
    declared = dict[str, bool]()
    asserted: list[Node] = []
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
    return _Writing(text, declared, predicates, letters, nodes, equations=equations).run(asserted[0])


def _nodes(text: str) -> list[Node]:
    root = Node("", 0, 0, [])
    stack = [root]
    for piece in _PIECE.finditer(text):
        top = stack[-1].parts
        assert top is not None
        if piece["paren"] == "(":
            node = Node("", piece.start(), piece.end(), [])
            top.append(node)
            stack.append(node)
        elif piece["paren"]:
            stack.pop()
            if not stack:
                raise FormulaSyntaxError("this parenthesis was never opened", text, piece.start())
        elif piece["quoted"] is not None or piece["symbol"] is not None:
            symbol = piece["quoted"] if piece["symbol"] is None else piece["symbol"]
            if piece["symbol"] is not None and not _SYMBOL.fullmatch(symbol):
                raise FormulaSyntaxError(f"{symbol!r} is no symbol of SMT-LIB", text, piece.start())
            top.append(Node(symbol, piece.start(), piece.end()))
        elif piece["bad"]:
            raise FormulaSyntaxError(f"unexpected character {piece['bad']!r}", text, piece.start())
    if len(stack) > 1:
        raise FormulaSyntaxError("this parenthesis is never closed", text, stack[-1].position)
    assert root.parts is not None
    return root.parts


class _Writing:
    def __init__(
        self,
        text: str,
        declared: dict[str, bool],
        predicates: frozenset[str] | None,
        letters: Letters,
        nodes: list[Node],
        *,
        equations: bool,
    ) -> None:
        self.text = text
        self.declared = declared
        self.predicates = predicates
        self.letters = letters
        self.equations = equations
        self.result = SExpression()
        self.formula_heads, self.term_symbols = self._used(nodes)

    def _error(self, problem: str, node: Node) -> FormulaSyntaxError:
        return FormulaSyntaxError(problem, self.text, node.position)

    def _used(self, nodes: list[Node]) -> tuple[set[str], set[str]]:
        """The symbols used where only a formula can stand, anywhere but below = and in arguments; and the terms' own.

        The latter are symbols alone in arguments, and variables.
        """
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

    def run(self, formula: Node) -> SExpression:
        """Write the tokens, the pending parts on a stack."""
        stack: list[Node | tuple[str, Node]] = [formula]
        while stack:
            piece = stack.pop()
            if isinstance(piece, tuple):
                sign, node = piece
                if sign == "term":
                    stack.extend(reversed(self._term(node)))
                else:
                    self.result.tokens.append(Token(sign, node.position))
            else:
                stack.extend(reversed(self._pieces(piece)))
        return self.result

    def _is_letter(self, node: Node) -> bool:
        """Whether it is a symbol that can be a propositional letter, and is not declared as anything else."""
        if node.parts is not None or not self.letters or not self.declared.get(node.text, True):
            return False
        try:
            return valid_name(node.text) in self.letters
        except FormulaError:
            return False

    def _emit_name(self, node: Node, *, letter: bool = False) -> None:
        if letter:
            self.result.letters.add(len(self.result.tokens))
        self.result.names[len(self.result.tokens)] = Lexeme(Kind.NAME, node.text, node.position, node.end)
        self.result.tokens.append(Token(node.text, node.position))

    def _pieces(self, node: Node) -> list[Node | tuple[str, Node]]:
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
            self.result.repairs.append(f"{place(self.text, node.position)}: the parentheses around {head!r} dropped")
            self._emit_name(node.parts[0], letter=True)
            return []
        if not parts:
            raise self._error(f"{head!r} without arguments: nullary predicates are not supported", node)
        return self._applied(node)

    def _joined(self, sign: str, parts: list[Node], node: Node) -> list[Node | tuple[str, Node]]:
        """A ∘ b ∘ c, grouped to the left, → to the right."""
        pieces: list[Node | tuple[str, Node]] = []
        for index, part in enumerate(parts):
            if index:
                pieces.append((sign, node))
            pieces += [("(", part), part, (")", part)]
        if sign == "↔" and len(parts) > 2:
            raise self._error("↔ joins two formulas", node)
        return pieces

    def _quantified(self, quantifier: str, variables: Node, body: Node) -> list[Node | tuple[str, Node]]:
        if not variables.parts:
            raise self._error("expected a list of variables", variables)
        for variable in variables.parts:
            name, sort = (variable.parts or [variable])[0], (variable.parts or [])[1:]
            if name.parts is not None or len(sort) > 1 or any(s.parts is not None for s in sort):
                raise self._error("expected a variable with its sort", variable)
            self.result.tokens.append(Token(quantifier, variables.position))
            self._emit_name(name)
            self.result.sorts.update(s.text for s in sort)
        return [("(", body), body, (")", body)]

    def _equation(self, head: str, left: Node, right: Node, node: Node) -> list[Node | tuple[str, Node]]:
        kinds = [self._is_formula(side) for side in (left, right)]
        if True in kinds and False in kinds:
            raise self._error("a formula and a term cannot be equal", node)
        doubtful = set(kinds) == {None}
        if doubtful:
            self.result.doubtful.append(node.position)
        if True in kinds or (doubtful and not self.equations):
            return self._joined("↔" if head == "=" else "⊕", [left, right], node)
        return [("term", left), ("=" if head == "=" else "≠", node), ("term", right)]

    def _is_formula(self, node: Node) -> bool | None:
        """Whether it is a formula (true), a term (false), or could be either."""
        if node.parts is None:
            return self._is_formula_alone(node)
        if node.head in _OPERATORS:
            return True
        if node.head in self.declared:
            return self.declared[node.head]
        if self.predicates is not None:
            return node.head in self.predicates
        return True if node.head in self.formula_heads else None

    def _is_formula_alone(self, node: Node) -> bool | None:
        if not self._is_letter(node):
            return False
        known = node.text in self.declared or valid_name(node.text) in self.letters.names
        if known and node.text not in self.term_symbols:
            return True
        as_formula, as_term = node.text in self.formula_heads, node.text in self.term_symbols
        return None if as_formula == as_term else as_formula

    def _term(self, node: Node) -> list[Node | tuple[str, Node]]:
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

    def _applied(self, node: Node) -> list[Node | tuple[str, Node]]:
        assert node.parts is not None
        self._emit_name(node.parts[0])
        pieces: list[Node | tuple[str, Node]] = [("(", node)]
        for index, part in enumerate(node.parts[1:]):
            if index:
                pieces.append((",", part))
            pieces.append(("term", part))
        return [*pieces, (")", node)]
