"""SMT-LIB's prefix notation: a script with one assertion, or the bare expression."""

import re
from typing import Any, NamedTuple

from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.measuring import bound_variables
from nlfol.logic.reading.tokens import Letters
from nlfol.logic.reading.tolerant import lexemes
from nlfol.logic.reading.tolerant.ambiguities import Ambiguity, TolerantReading
from nlfol.logic.reading.tolerant.lexemes import Lexeme, LexemeKind, Vocabulary, place
from nlfol.logic.reading.tolerant.strict_tokens import Token, make_names_valid, read_tokens, with_equivalences
from nlfol.logic.syntax import Atom, Constant, Equality, Formula, Function, distinct_subformulas

_PIECE = r"[()]|\|(?P<quoted>[^|\\]+)\||(?P<symbol>[A-Za-z0-9~!@$%^&*_+=<>.?/-]+)|[^\s;]"
_OPERATORS = {
    "and": "∧", "or": "∨", "xor": "⊕", "=>": "→", "implies": "→", "iff": "↔", "not": "¬", "forall": "∀", "exists": "∃",
    "=": "=", "distinct": "≠",
}  # fmt: skip
_COMMANDS = {"set-logic", "declare-sort", "declare-fun", "declare-const", "assert", "check-sat", "get-model", "exit"}
_REFUSED = {
    "let": "local definitions", "ite": "case distinctions", **dict.fromkeys(["true", "false"], "truth constants"),
    **dict.fromkeys(["<", ">", "<=", ">="], "comparisons"), **dict.fromkeys("+-*", "arithmetic"),
}  # fmt: skip
_Piece = tuple[str, "_Node"]  # a node as a formula, term, letter or name; or a sign that stands there


class _Node(NamedTuple):
    """A symbol, or a list, which has no text but parts."""

    text: str
    position: int
    parts: list[Any]  # nodes

    @property
    def head(self) -> str:
        """Return the symbol that a list begins with; nothing for a symbol."""
        return self.parts[0].text if self.parts else ""


def looks_like_s_expression(text: str, letters: Letters) -> bool:
    """Return whether the text begins as SMT-LIB does and has nothing that only infix notations have."""
    head = re.match(r"\s*\(\s*(\|[^|\n]*\||[^\s()|]+)", text)
    if head is None or re.search(r"[,∀∃∧∨¬→↔⊕≠]|[\w|]\(|->", text):
        return False
    if head[1] in ("forall", "exists"):
        return bool(re.match(r"\s*\(\s*\w+\s*\(\s*(?:\(|[\w|.!]+(?:\s+[\w|.!]+)*\s*\)\s*\()", text))
    if head[1] in _OPERATORS or head[1] in _COMMANDS or head[1] in _REFUSED:
        return True
    words = set(re.findall(r"\w+", text))
    # (p or q) joins two letters, where names alone can be such.
    infix = any(word in lexemes.INFIX_LETTERS or word.lower() in lexemes.INFIX_WORDS for word in words)
    return bool(re.fullmatch(r"[\w|.\s()-]+", text)) and not lexemes.ENGLISH & words and not (letters and infix)


def read_s_expression(text: str, vocabulary: Vocabulary) -> TolerantReading:
    """Read an SMT-LIB script or expression; raises ``FormulaSyntaxError`` unless it is one formula over one sort."""
    nodes = _nodes(text)
    declared: dict[str, bool] = {}
    asserted = nodes
    if any(node.head in _COMMANDS for node in nodes):
        asserted = [node.parts[1] for node in nodes if node.head == "assert" and len(node.parts) == 2]
        for node in nodes:
            if node.head not in _COMMANDS:
                raise FormulaSyntaxError(f"the command {node.head!r} is not read here", text, node.position)
            if node.head in ("declare-fun", "declare-const") and len(node.parts) > 2:
                declared[node.parts[1].text] = node.parts[-1].text == "Bool"
    if len(asserted) != 1:
        raise FormulaSyntaxError(f"{len(asserted)} formulas found, not one", text, 0 if asserted else len(text))
    tokens: list[Token] = []
    names: dict[int, Lexeme] = {}
    alone: dict[int, _Node] = {}  # the letters
    sorts: set[str] = set()
    stack: list[_Piece] = [("formula", asserted[0])]
    while stack:
        role, node = stack.pop()
        if role in ("formula", "term"):
            stack += reversed(_pieces(text, role, node, vocabulary, declared))
            continue
        if role == "letter":
            alone[len(tokens)] = node
        if role in ("letter", "name"):
            sorts.update(sort.text for sort in node.parts[1:])
            names[len(tokens)] = Lexeme(LexemeKind.NAME, node.text or node.head, node.position, node.position)
        tokens.append(Token(role, node.position))
    if len(sorts) > 1:
        raise FormulaSyntaxError("several sorts: there is one universe; write predicates", text, 0)
    spelled = {names[index].text for index in alone}  # a letter keeps its name in equations, too
    letters = {index for index, name in names.items() if name.text in spelled}
    tokens, repairs = make_names_valid(text, tokens, names, letters=letters, declared=vocabulary.declared)
    dropped = ((place(text, node.position), node.head) for node in alone.values() if node.parts)
    repairs += [f"{where}: the parentheses around {name!r} dropped" for where, name in dropped]
    reading = read_tokens(text, tokens, vocabulary.letters)
    known = {tokens[i].text: declared[name.text] for i, name in names.items() if name.text in declared}
    formula, equations = _resolved(reading.formula, vocabulary, known)
    alternatives = () if formula is equations else (equations,)
    ambiguities = [Ambiguity("equality", "'=' taken as ↔; it could be an equation of terms", o) for o in alternatives]
    if isinstance(formula, Atom) and formula.arguments and "assert" not in text and vocabulary.applicable is None:
        detail = f"{formula.predicate!r} taken as a predicate of the rest"
        ambiguities.append(Ambiguity("prefix_application", detail, _infix(formula)))
    return TolerantReading(formula, "smtlib", (*repairs, *reading.warnings), tuple(ambiguities), alternatives)


def _infix(formula: Atom) -> Formula | None:
    """Return the reading of ``(Bob likes x)`` as English; None where a variable would be the predicate."""
    first, *rest = formula.arguments
    return Atom(first.name, (Constant(formula.predicate), *rest)) if isinstance(first, Constant) else None


def _nodes(text: str) -> list[_Node]:
    import pyparsing as pp  # only where such a text is read

    opened = [_Node("", 0, [])]
    grammar = pp.Regex(_PIECE, as_match=True).ignore(pp.Regex(r";[^\n]*")).parse_with_tabs()
    for (found,), position, _ in grammar.scan_string(text):
        if symbol := found["quoted"] or found["symbol"]:
            opened[-1].parts.append(_Node(symbol, position, []))
        elif found[0] == "(":
            opened.append(_Node("", position, []))
            opened[-2].parts.append(opened[-1])
        elif found[0] == ")" and len(opened) > 1:
            opened.pop()
        else:
            raise FormulaSyntaxError(f"unexpected {found[0]!r}", text, position)
    if len(opened) > 1:
        raise FormulaSyntaxError("this parenthesis is never closed", text, opened[-1].position)
    return opened[0].parts


def _listed(role: str, sign: str, parts: list[_Node]) -> list[_Piece]:
    return [piece for part in parts for piece in ((sign, part), (role, part))][1:]


def _pieces(text: str, role: str, node: _Node, vocabulary: Vocabulary, declared: dict[str, bool]) -> list[_Piece]:
    """Return what is written for a formula or term; ``=`` joins terms unless a side can only be a formula."""
    word, parts = node.text or node.head, node.parts[1:]
    what = "stands alone, not as a formula" if node.text else f"with {len(parts)} arguments is not read here"
    problem = f"{word or 'this list'!r} {what}"
    if word in _REFUSED and word not in vocabulary.declared:
        problem = f"{word!r}: {_REFUSED[word]} have no place in the notation"
    elif node.text and role == "term":
        return [("name", node)]
    elif role == "formula" and word and not parts and vocabulary.letters and declared.get(word, True):
        return [("letter", node)]
    elif role == "term" and word in _OPERATORS:
        problem = "a formula cannot be an argument"
    else:
        match _OPERATORS.get(word), parts:
            case "¬", [part]:
                return [("¬", node), ("(", part), ("formula", part), (")", part)]
            case ("∀" | "∃") as sign, [variables, body]:
                bound = [(kind, variable) for variable in variables.parts for kind in (sign, "name")]
                return [("(", node), *bound, ("formula", body), (")", node)]
            case ("=" | "≠") as sign, [_, _] if not any(p.head in _OPERATORS or declared.get(p.head) for p in parts):
                return _listed("term", sign, parts)
            case ("∧" | "∨" | "⊕" | "→" | "↔" | "=" | "≠") as sign, [_, _, *more] if sign in "∧∨⊕→" or not more:
                return [("(", node), *_listed("formula", {"=": "↔", "≠": "⊕"}.get(sign, sign), parts), (")", node)]
            case None, [_, *_] if word:
                return [("name", node.parts[0]), ("(", node), *_listed("term", ",", parts), (")", node)]
    raise FormulaSyntaxError(problem, text, node.position)


def _resolved(formula: Formula, vocabulary: Vocabulary, known: dict[str, bool]) -> tuple[Formula, Formula]:
    """Return the formula with ↔ for each ``=`` that may join formulas, and for each that can join nothing else."""
    atoms = [node for node in distinct_subformulas(formula) if isinstance(node, Atom)]
    used = {atom.predicate for atom in atoms}
    terms = {term.name for atom in atoms for term in atom.arguments if not isinstance(term, Function)}
    kind = dict.fromkeys(vocabulary.letters.names | (vocabulary.applicable or set()) | (used - terms), True)
    bound = {variable.name for variable in bound_variables(formula)}
    kind |= dict.fromkeys(vocabulary.functions | (terms - used) | bound, False) | known

    def are_formulas(equation: Equality) -> set[bool | None]:
        return {
            kind.get(side.name) if isinstance(side, Function) or side.name in vocabulary.letters else False
            for side in (equation.left, equation.right)
        }

    certain = with_equivalences(formula, lambda equation: are_formulas(equation) in ({True}, {True, None}))
    return with_equivalences(formula, lambda equation: False not in are_formulas(equation)), certain
