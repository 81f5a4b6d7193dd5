"""The signs, words and names of the notations that models write, found in a text with their places.

The scanner decides nothing that needs context: a hyphen is a hyphen, ``not`` is a name, ``!`` is a mark. It knows what
the signs of the infix notations (Unicode, LaTeX, ASCII, Prover9, NLTK, TPTP, Lean) stand for, which characters are only
look-alikes of a sign, and why some signs can never be part of a formula here.
"""

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple, Self

from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.measuring import Signature
from nlfol.logic.reading.tokens import NO_LETTERS, Letters, letters_of

QUANTIFIER_WORDS = {"forall": "∀", "all": "∀", "exists": "∃", "exist": "∃", "some": "∃"}
PREFIX_WORDS = {
    "not": "¬", "and": "∧", "or": "∨", "xor": "⊕", "implies": "→", "iff": "↔", "equivalent": "↔", "equiv": "↔",
}  # fmt: skip
"""Before the formula that they deny, or before those in parentheses that they join."""
INFIX_WORDS = {"and": "∧", "or": "∨", "xor": "⊕", "implies": "→", "iff": "↔"}
INFIX_LETTERS = {"v": "∨", "V": "∨", "Λ": "∧", "ʌ": "∧"}
"""Between two formulas."""

OPERATOR_WORDS = frozenset([*PREFIX_WORDS, *QUANTIFIER_WORDS, "fof"])
"""Words that can be operators, in lower case."""


_ENGLISH_WORDS = (
    "if then only unless when is are was were has have had does do that which who whom whose every each any no an the "
    "of to in on at by with from for it its he she they be been being can will must than as"
)
ENGLISH = frozenset(_ENGLISH_WORDS.split())
"""Words that tell prose from a formula."""

TRUTH_VALUES = frozenset(["true", "false", "uncertain", "unknown"])
"""Words that answer another question, in lower case."""


class LexemeKind(StrEnum):
    """Kind of a lexeme."""

    NAME = "name"
    TEXT = "text"
    """A name between quotation marks or braces, in which white space may stand."""
    SIGN = "sign"
    """One of ¬ ∧ ∨ ⊕ → ↔ = ≠, or ``^``, which stands for one of two."""
    QUANTIFIER = "quantifier"
    MARK = "mark"
    REFUSED = "refused"
    END = "end"


_MARK = LexemeKind.MARK  # the member of an enumeration takes longer to look up than the rest of a comparison


class Lexeme(NamedTuple):
    """A piece of the text, which stands for a sign of the strict notation, a name, or the reason why it is refused."""

    kind: LexemeKind
    text: str
    start: int
    end: int

    def is_mark(self, *marks: str) -> bool:
        """Return whether it is one of some punctuation marks."""
        return self.kind is _MARK and self.text in marks


@dataclass(slots=True)
class Scan:
    """The lexemes of a text, the last of kind END, with look-alikes and marks of a notation: latex, ascii, tptp."""

    lexemes: list[Lexeme]
    repairs: list[str] = field(default_factory=list)
    features: set[str] = field(default_factory=set)


def place(text: str, position: int) -> str:
    """Return line and column of a position, for messages; only the column where there is one line."""
    starts, one_line = _lines(text)
    line = bisect_right(starts, position)
    column = position - starts[line - 1] + 1
    return f"column {column}" if line == 1 and one_line else f"line {line}, column {column}"


@lru_cache(maxsize=8)  # a text can have as many repairs as characters
def _lines(text: str) -> tuple[list[int], bool]:
    """Return where each line begins, and whether there is but one with anything in it."""
    return [0, *(match.end() for match in re.finditer("\n", text))], "\n" not in text.strip()


_ASCII = {
    "<-->": "↔", "<==>": "↔", "<->": "↔", "<=>": "↔", "<~>": "⊕", "-->": "→", "==>": "→", "->": "→", "=>": "→",
    "&&": "∧", "&": "∧", "||": "∨", "|": "∨", "/\\": "∧", "\\/": "∨", "=/=": "≠", "!=": "≠", "~=": "≠", "/=": "≠",
    "==": "=", "~": "¬", "^": "^",
}  # fmt: skip
_STRICT = "¬∧∨⊕→↔=≠"
_LOOKALIKES = {
    "→": "⟶⇒⟹⊃➔➝➞➙🡒￫⇾", "↔": "⟷⇔⟺≡⇿", "¬": "∼˜⌐￢", "∧": "⋀˄⩓", "∨": "⋁˅⩔", "⊕": "⊻⨁⩒", "=": "﹦",
}  # fmt: skip
_LATEX = {
    "∀": "forall", "∃": "exists", "∄": "nexists", "∧": "land wedge", "∨": "lor vee", "¬": "neg lnot",
    "→": "to rightarrow Rightarrow longrightarrow Longrightarrow implies supset",
    "↔": "leftrightarrow Leftrightarrow longleftrightarrow Longleftrightarrow iff equiv", "⊕": "oplus veebar",
    "≠": "neq ne", "=": "eq",
}  # fmt: skip
COMPARISON = "infix comparisons have no place in the notation: write a predicate"
_MEMBERSHIP = "sets and membership have no place in the notation: write a predicate"
_ARITHMETIC = "arithmetic has no place in the notation"
_MODAL = "modal operators are not first-order"
_ELLIPSIS = "an ellipsis leaves out a part of the formula"
TRUTH = "truth constants have no place in the notation"
_LAMBDA = "a lambda abstraction is not first-order"
_META = "a statement about formulas is no formula"
_BACKWARD = "a reversed implication, or a comparison: write it as an implication from left to right"
_REASONS: dict[str, tuple[str, str]] = {  # reason: characters, LaTeX commands
    COMPARISON: ("<>≤≥≦≧⩽⩾≈≅", "leq geq le ge lt gt leqslant geqslant approx sim"),
    _MEMBERSHIP: ("∈∉∋⊆⊂⊇∪∩∅", "in notin subset subseteq supseteq cup cap emptyset varnothing setminus"),
    _ARITHMETIC: ("+*×÷∑∏√±−/", "times div sum prod cdot pm"),
    _MODAL: ("□◇◻◊⟡", "Box Diamond square lozenge"),
    _ELLIPSIS: ("…⋯", "ldots dots cdots dotsc dotsb"),
    TRUTH: ("⊤⊥", "top bot"),
    _LAMBDA: ("λ", "lambda"),
    _META: ("⊢⊨⊧⊩∴∵", "vdash models vDash therefore because"),
    _BACKWARD: ("←⇐⟸⟵", "leftarrow Leftarrow impliedby gets"),
}
TRUTHS = {"⊤": True, "\\top": True, "$true": True, "⊥": False, "\\bot": False, "$false": False}
_REFUSED_SIGNS = {
    "<=": _BACKWARD, "<-": _BACKWARD, "<--": _BACKWARD, ">=": COMPARISON, "...": _ELLIPSIS, "|-": _META, "|=": _META,
    "~|": "nor has no place in the notation", "~&": "nand has no place in the notation",
    "===": "it is either = between terms or ↔ between formulas",
    "≢": "it is either ⊕ or a negated equation", ":=": _META,
}  # fmt: skip
_SIGN_OF_CHARACTER = {c: sign for sign, characters in _LOOKALIKES.items() for c in characters}
_QUANTIFIER_OF_CHARACTER = {"∀": "∀", "∃": "∃", "∄": "∄", "Ɐ": "∀", "Ǝ": "∃", "ⱻ": "∃"}
_COMMAND = {c: sign for sign, commands in _LATEX.items() for c in commands.split()}
_REASON = _REFUSED_SIGNS | {c: reason for reason, (characters, _) in _REASONS.items() for c in characters}
_REFUSED_COMMAND = {c: reason for reason, (_, commands) in _REASONS.items() for c in commands.split()}
_LAYOUT = "left right big Big bigl bigr Bigl Bigr bigg biggl biggr displaystyle quad qquad"
_DROPPED_COMMANDS = frozenset(_LAYOUT.split())
_FONTS = "mathrm mathit mathsf mathbf mathtt mathcal text textit textbf textrm textsf texttt operatorname mbox emph"
_SPACES = "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad"
_signs = sorted([*_ASCII, *_REFUSED_SIGNS], key=len, reverse=True)
_TOKEN = re.compile(
    rf"""
      (?P<space> [\s{_SPACES}]+ | \\[,;:!\ \\] )
    | (?P<font> \\(?:{"|".join(_FONTS.split())})\*?\s*\{{ (?P<inner> [^{{}}\\$\n]* (?:\\[_&%-][^{{}}\\$\n]*)* ) \}} )
    | (?P<unequal> \\not\s*= )
    | (?P<command> \\[A-Za-z]+ )
    | (?P<escaped> \\[{{}}()\[\]&] )
    | (?P<quoted> "[^"\n]{{0,200}}" | “[^”\n]{{0,200}}” | (?<!\w)'[^'\n]{{0,200}}' | (?<!\w)‘[^’\n]{{0,200}}’ )
    | (?P<lambda> λ )
    | (?P<quantifier> [{"".join(_QUANTIFIER_OF_CHARACTER)}] )
    | (?P<subscript> (?:\w|\\_)+ _\{{\w+\}} )
    | (?P<truth> \$(?:true|false)(?![\w$]) )
    | (?P<number> (?<!\d)(?<!\d,)\$?\d{{1,3}}(?:,\d{{3}})*,0\d\d(?:,\d{{3}})*(?!\w|[,.]\d) | \d+(?:\.\d+)?%(?!\w) )
    | (?P<dollar> \w*\$\d\w* )
    | (?P<name> \w (?:\w|\\_)* )
    | (?P<sign> {"|".join(map(re.escape, _signs))} )
    | (?P<one> . )
    """,
    re.VERBOSE | re.DOTALL,
)
_MARKS = "()[]{},.:;-!?'’ʼ‐‑–•∙。"


def scan(text: str) -> Scan:
    """Find the lexemes of a text; whatever it holds, every character is accounted for."""
    return _Scanning(text).run()


class _Scanning:
    def __init__(self, text: str) -> None:
        self.text = text
        self.result = Scan([])
        self.noted: set[str] = set()

    def run(self) -> Scan:
        for match in _TOKEN.finditer(self.text):
            group, text = str(match.lastgroup), match[0]
            if group == "inner":
                group = "font"
            if group != "space":
                self._one(group, text, match)
            elif text[0] == "\\":
                self.result.features.add("latex")
        self._add(LexemeKind.END, "", len(self.text), len(self.text))
        return self.result

    def _add(self, kind: LexemeKind, text: str, start: int, end: int) -> None:
        self.result.lexemes.append(Lexeme(kind, text, start, end))

    def _note(self, text: str, sign: str, position: int) -> None:
        if text not in self.noted:
            self.noted.add(text)
            self.result.repairs.append(f"{place(self.text, position)}: {text!r} read as {sign!r}")

    def _one(self, group: str, text: str, match: re.Match[str]) -> None:
        start, end = match.span()
        match group:
            case "font":
                self.result.features.add("latex")
                inner = match["inner"].replace("\\", "").strip()
                self._add(LexemeKind.NAME if re.fullmatch(r"\w+", inner) else LexemeKind.TEXT, inner, start, end)
            case "unequal":
                self.result.features.add("latex")
                self._add(LexemeKind.SIGN, "≠", start, end)
            case "command":
                self.result.features.add("latex")
                self._command(text[1:], start, end)
            case "escaped":
                self.result.features.add("latex")
                # \( \) \[ \] delimit mathematics, \{ \} are braces that show.
                if text[1] in "{}":
                    self._add(LexemeKind.MARK, text[1], start, end)
                elif text[1] == "&":
                    self._add(LexemeKind.SIGN, "∧", start, end)
            case "quoted":
                self._add(LexemeKind.TEXT, text[1:-1].strip(), start, end)
            case "subscript":
                self.result.features.add("latex")
                self._add(LexemeKind.NAME, re.sub(r"[\\{}]", "", text), start, end)
            case "number":  # with commas: no other number would begin with a 0
                self._add(LexemeKind.NAME, text.replace(",", ""), start, end)
            case "name":
                self._name(text, start, end)
            case "dollar":
                self._add(LexemeKind.TEXT, text, start, end)
            case "truth":
                self.result.features.add("tptp")
                self._add(LexemeKind.REFUSED, TRUTH, start, end)
            case "lambda":
                self._add(LexemeKind.REFUSED, _LAMBDA, start, end)
            case "quantifier":
                sign = _QUANTIFIER_OF_CHARACTER[text]
                if sign != text:
                    self._note(text, sign, start)
                self._add(LexemeKind.QUANTIFIER, sign, start, end)
            case "sign":
                self._sign(text, start, end)
            case _:
                self._character(text, start, end)

    def _name(self, text: str, start: int, end: int) -> None:
        if "\\" in text:
            self.result.features.add("latex")
            text = text.replace("\\", "")
        folded = unicodedata.normalize("NFKC", text) if any("！" <= c <= "～" for c in text) else text
        if folded != text:
            self._note(text, folded, start)
        self._add(LexemeKind.NAME, folded, start, end)

    def _command(self, name: str, start: int, end: int) -> None:
        if name in _COMMAND:
            sign = _COMMAND[name]
            self._add(LexemeKind.QUANTIFIER if sign in "∀∃∄" else LexemeKind.SIGN, sign, start, end)
        elif name in _REFUSED_COMMAND:
            self._add(LexemeKind.REFUSED, _REFUSED_COMMAND[name], start, end)
        elif name in ("colon", "bullet"):
            self._add(LexemeKind.MARK, ":" if name == "colon" else "•", start, end)
        elif name in ("lbrack", "rbrack", "lbrace", "rbrace"):
            self._add(LexemeKind.MARK, {"lbrack": "[", "rbrack": "]", "lbrace": "{", "rbrace": "}"}[name], start, end)
        elif len(name) == 1:
            self._add(LexemeKind.REFUSED, _LAMBDA, start, end)
        elif name not in _DROPPED_COMMANDS:
            self._add(LexemeKind.REFUSED, f"the LaTeX command \\{name} is not known here", start, end)

    def _sign(self, text: str, start: int, end: int) -> None:
        if text in _REASON:
            self._add(LexemeKind.REFUSED, _REASON[text], start, end)
            return
        self.result.features.add("ascii")
        self._add(LexemeKind.SIGN, _ASCII[text], start, end)

    def _character(self, text: str, start: int, end: int) -> None:
        wide = unicodedata.normalize("NFKC", text) if "！" <= text <= "～" else text
        if wide != text:
            self._note(text, wide, start)
        if wide in _ASCII:
            self._sign(wide, start, end)
        elif wide in _STRICT:
            self._add(LexemeKind.SIGN, wide, start, end)
        elif wide in _SIGN_OF_CHARACTER:
            self._note(wide, _SIGN_OF_CHARACTER[wide], start)
            self._add(LexemeKind.SIGN, _SIGN_OF_CHARACTER[wide], start, end)
        elif wide == "′":
            self._note(wide, "'", start)
            self._add(LexemeKind.MARK, "'", start, end)
        elif wide == "$":
            self.result.features.add("latex")
        elif wide in _MARKS:
            self._add(LexemeKind.MARK, wide, start, end)
        else:
            reason = _REASON.get(wide, f"the character {wide!r} has no meaning in a formula")
            self._add(LexemeKind.REFUSED, reason, start, end)


_NO_LETTERS = OPERATOR_WORDS | ENGLISH | TRUTH_VALUES


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The symbols of a signature, which are no operators, and those of them that can be applied, if it is known."""

    declared: frozenset[str] = frozenset()
    applicable: frozenset[str] | None = None
    letters: Letters = NO_LETTERS
    functions: frozenset[str] = frozenset()

    def joins(self, lexeme: Lexeme) -> bool:
        """Return whether a word or letter can stand for a connective between two formulas."""
        if lexeme.kind is not LexemeKind.NAME or lexeme.text in self.declared:
            return False
        return lexeme.text.lower() in INFIX_WORDS or lexeme.text in INFIX_LETTERS

    @classmethod
    @lru_cache(maxsize=256)
    def of(cls, signature: Signature | None, *, propositions: bool = False) -> Self:
        """Return the vocabulary of a signature; where propositions are asked for, most words can be letters."""
        letters = letters_of(signature, propositions, _NO_LETTERS)
        if signature is None:
            return cls(letters=letters)
        applicable = frozenset(signature.predicates) - signature.letters | frozenset(signature.functions)
        return cls(
            applicable | signature.letters | signature.constants, applicable, letters, frozenset(signature.functions)
        )


class LexemeReader:
    """Reader of the lexemes of one text."""

    def __init__(self, text: str, lexemes: list[Lexeme], vocabulary: Vocabulary) -> None:
        self.text = text
        self.lexemes = lexemes
        self.vocabulary = vocabulary

    def _error(self, problem: str, lexeme: Lexeme) -> FormulaSyntaxError:
        return FormulaSyntaxError(problem, self.text, lexeme.start)

    def _refused(self, lexeme: Lexeme) -> FormulaSyntaxError:
        return self._error(f"{self.text[lexeme.start : lexeme.end]!r}: {lexeme.text}", lexeme)
