r"""Other notations respelled where the text as it stands is no formula.

Lean's and Coq's theorems, Isabelle's symbols, HOL's ``!x.``, Prolog's ``\+``, HTML's entities, escapes such as
``\u2200``, Z's ``∀x : A(x) . B(x)``, Mathematica's brackets, and KIF and SMT-LIB, whose lists are written in infix.
"""

import html
import re

_STATEMENT = re.compile(
    r"\s*(?:theorem|lemma|example|axiom|proposition|definition|goal|check)\b(?:\s+\w{1,60})?\s*(?::=|:|(?=[\"“]))",
    re.IGNORECASE,
)
_PROOF = re.compile(r"(?::=\s{0,9}(?:by\b\s{0,9})?(?:sorry|_)?|\b(?:Proof\.\s{0,9})?(?:sorry|oops|Admitted)\b\.?)\Z")
_ESCAPE = re.compile(r"\\{1,4}u([0-9a-fA-F]{4})")
_ISABELLE = {
    "forall": "∀", "exists": "∃", "nexists": "∄", "and": "∧", "or": "∨", "not": "¬", "longrightarrow": "→",
    "Longrightarrow": "→", "rightarrow": "→", "Rightarrow": "→", "longleftrightarrow": "↔", "leftrightarrow": "↔",
    "Longleftrightarrow": "↔", "equiv": "↔", "noteq": "≠",
}  # fmt: skip
_SYMBOL = re.compile(r"\\<\^?(\w{1,30})>")
_HOL = re.compile(r"([!?])\s?([A-Za-z]\w{0,20})(?=(?:\s[A-Za-z]\w{0,20}){0,6}\s?\.)")
_BINDER = re.compile(r"(?<!\w)(?:(forall|all)|(exists|ex))(?=\s)|([∀∃])")
_VARIABLES = re.compile(r"\s?[A-Za-z]\w{0,20}(?:\s[A-Za-z]\w{0,20}){0,9}\s?(?::\s?\w{1,60}\s?)?([.,])")
_APPLIED = re.compile(r"(?<!\w)(?<!\w\()[A-Za-z]\w{0,60}\s(?!v\s)[A-Za-z]\w{0,60}(?![\w(])")
_SIDE_BY_SIDE = re.compile(r"(?<!\w)(?<!\w\()[A-Za-z]\w{0,60}(?:[ ][A-Za-z]\w{0,60}){1,9}(?![\w(])")

_GUARDED = re.compile(
    r"(∀|∃|\\?\b(?:forall|exists)\b)\s?([A-Za-z]\w{0,20}(?:\s?,\s?[A-Za-z]\w{0,20}){0,9})\s?"
    r"(?::\s?\w{1,60}\s?(?=\|))?[:|]\s?([^.:•·|∀∃→↔\n]{1,200})[.•·](?=\s?[^\s.])"
)
_WORD = re.compile(r"\w+")
_BOUND = re.compile(r"[∀∃]\s?(\w+)")

_KIF = re.compile(r"\s*\(\s*(?:assert|forall|exists|and|or|not|implies|iff|if|xor|[<=]?=>|<->|->|[∀∃∧∨¬→↔⊕=])[\s(]")
_MATHEMATICA = re.compile(r"\s*(?:ForAll|Exists|Implies|Equivalent|And|Or|Not)\[")
_SORTED = re.compile(r"\(?(\w{1,40})\((\w{1,40})\)")
_KIF_TOKEN = re.compile(r"[()]|[^\s()]{1,200}")
_JOINED = {
    "and": "∧", "∧": "∧", "or": "∨", "∨": "∨", "implies": "→", "=>": "→", "->": "→", "→": "→", "if": "→", "iff": "↔",
    "<=>": "↔", "<->": "↔", "↔": "↔", "xor": "⊕", "⊕": "⊕",
}  # fmt: skip
_QUANTIFIED = {"forall": "∀", "∀": "∀", "exists": "∃", "∃": "∃"}
_MOST_TOKENS, _DEEPEST = 4_000, 100


def respelled_notation(text: str, applicable: frozenset[str] | None) -> str | None:
    """Return a text in the notations that the reader knows; None where nothing in it is of another.

    The predicates and functions that can be applied may be known.
    """
    given = text
    if _KIF.match(text) and (infix := _infix_of_kif(text)) is not None:
        return infix
    if _MATHEMATICA.match(text) and "(" not in text:
        text = text.replace("[", "(").replace("]", ")")
    text = text.replace("\\\\", "\\")
    written = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)
    if "&" in written:
        written = html.unescape(written).replace("\xa0", " ")
    written = _SYMBOL.sub(lambda match: _ISABELLE.get(match[1], match[0]), written)
    written = written.replace("\\+", "¬ ").replace("~~>", "→")
    if statement := _STATEMENT.match(written):
        written = written[statement.end() :].rstrip()
        if proof := _PROOF.search(written):
            written = written[: proof.start()]
        written = written.strip().strip('"“”').rstrip(". ")
    written = _HOL.sub(lambda match: f"{'∀' if match[1] == '!' else '∃'}{match[2]}", written)
    written = _without_guards(written)
    written = _with_commas(written) if _BINDER.search(written) else _with_parentheses(written, applicable)
    return None if written == given else written


def _without_guards(text: str) -> str:
    """Return a text with Z's restricted quantifiers written out: ``∀x : A(x) . B(x)`` is ∀x (A(x) → B(x)).

    A name alone is a type, as in Lean. The body goes up to the parenthesis around it and speaks of the variables, or
    else another formula begins there.
    """
    for match in reversed(list(_GUARDED.finditer(text))):
        variables, guard = match[2], match[3].strip()
        if guard.isidentifier():
            text = f"{text[: match.end() - 1].rstrip()},{text[match.end() :]}"
            continue
        depth, end = 0, match.end()
        while end < len(text) and (depth := depth + (text[end] == "(") - (text[end] == ")")) >= 0:
            end += 1
        body = text[match.end() : end].rstrip(". ")
        names = set(_WORD.findall(variables))
        if "(" not in guard or names & set(_BOUND.findall(body)) or names.isdisjoint(_WORD.findall(body)):
            continue
        sign = "∧" if match[1].lstrip("\\") in ("∃", "exists") else "→"
        text = f"{text[: match.start()]}{match[1]} {variables} (({guard}) {sign} ({body})){text[end:]}"
    return text


def _with_commas(text: str) -> str:
    """Return a text in which names are applied side by side with Lean's signs: a comma after the variables."""
    outside = _VARIABLES.sub("", _BINDER.sub("∀", text))
    if not _APPLIED.search(outside.replace("∀", "")):
        return text
    pieces, end = [], 0
    for binder in _BINDER.finditer(text):
        variables = _VARIABLES.match(text, binder.end())
        if binder.start() < end or variables is None:
            continue
        sign = binder[3] or ("∀" if binder[1] else "∃")
        pieces += [text[end : binder.start()], sign, text[binder.end() : variables.start(1)], ","]
        end = variables.end()
    return "".join([*pieces, text[end:]])


def _with_parentheses(text: str, applicable: frozenset[str] | None) -> str:
    """Return a text without quantifiers in which known names are applied to those beside them."""

    def applied(match: re.Match[str]) -> str:
        head, *arguments = match[0].split()
        return f"{head}({', '.join(arguments)})" if arguments and head in (applicable or ()) else match[0]

    return _SIDE_BY_SIDE.sub(applied, text)


def _infix_of_kif(text: str) -> str | None:
    """Return a list of KIF in infix; None where it is none."""
    tokens = _KIF_TOKEN.findall(text)
    if len(tokens) > _MOST_TOKENS:
        return None
    stack: list[list[str]] = [[]]
    for token in tokens:
        if token == "(":
            stack.append([])
        elif token != ")":
            stack[-1].append(token.removeprefix("?"))
        elif len(stack) < 2 or (written := _written(stack.pop())) is None:
            return None
        else:
            stack[-1].append(written)
        if len(stack) > _DEEPEST:
            return None
    return stack[0][0] if len(stack) == 1 and len(stack[0]) == 1 else None


def _written(parts: list[str]) -> str | None:
    """Return a list of KIF, whose parts are written: a formula or an atom, or else a list of variables."""
    if not parts:
        return None
    head, *rest = parts
    if head in _QUANTIFIED and len(rest) == 2:
        variables = rest[0].strip("()").replace("(", " ").replace(",", " ").split()
        if rest[0].count("(") > 1:  # SMT-LIB's sorts
            of = _SORTED.findall(rest[0])
            if len({sort for _, sort in of}) != 1:
                return None
            variables = [name for name, _ in of]
        if not all(map(str.isidentifier, variables)):
            return None
        return f"({''.join(f'{_QUANTIFIED[head]}{name} ' for name in variables)}{rest[1]})"
    if head == "assert" and len(rest) == 1:
        return rest[0]
    if head in ("not", "¬") and len(rest) == 1:
        return f"¬{rest[0]}"
    if head in _JOINED and len(rest) >= 2:
        return f"({f' {_JOINED[head]} '.join(rest)})" if len(rest) == 2 or _JOINED[head] in "∧∨" else None
    if head in ("=", "equal") and len(rest) == 2:
        return f"({rest[0]} = {rest[1]})"
    return f"{head}({', '.join(rest)})" if rest else f"({head})"
