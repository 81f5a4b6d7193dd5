"""Certified English of random formulas and expressions, and the same with their notation pasted into it."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from benchmarks.regular import full
from tests.property.generated import formula_with_terms, nested_formula, prenex_formula, propositional_formula

from nlfol.logic.languages.language import LanguageName
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.syntax import Atom, Equality, Formula, subformulas

_ASCII = {"∀": "forall ", "∃": "exists ", "¬": "~", "∧": "&", "∨": "|", "→": "->", "↔": "<->", "⊕": "<~>", "≠": "!="}
_LATEX = {"∀": r"\forall ", "∃": r"\exists ", "¬": r"\neg ", "∧": r"\land", "∨": r"\lor", "→": r"\rightarrow"}
_LATEX |= {"↔": r"\leftrightarrow", "⊕": r"\oplus", "≠": r"\neq"}


@dataclass(frozen=True)
class Said:
    """A sentence of a formal language in English."""

    language: LanguageName
    ontology: Ontology
    sentence: Any
    english: str


def said(count: int, seed: str) -> Iterator[Said]:
    """Equally many sentences of each kind."""
    draw = Random(seed)
    for number in range(count):
        match number % 5:
            case 0:
                formula = prenex_formula(draw)
            case 1:
                formula = nested_formula(draw)
            case 2:
                formula = formula_with_terms(draw)
            case 3:
                formula = propositional_formula(draw)
            case _:
                expression = full(draw, draw.randint(2, 30))
                english = LANGUAGES["regular"].render(expression, Ontology(alphabet="01|+?"))
                yield Said("regular", Ontology(alphabet="01|+?"), expression, english)
                continue
        language: LanguageName = "propositional" if number % 5 == 3 else "first_order"
        ontology = derive([formula])
        yield Said(language, ontology, formula, LANGUAGES[language].render(formula, ontology))


def is_notation(sentence: Any) -> bool:
    """True for a formula with an operator or an application, so that its text is more than names."""
    if isinstance(sentence, Formula):
        return any(
            not isinstance(node, Equality) and not (isinstance(node, Atom) and not node.arguments)
            for _, node in subformulas(sentence)
        )
    text = LANGUAGES["regular"].write(sentence)
    return "*" in text or "|" in text or ("(" in text and any(len(group) > 1 for group in text.split("(")[1:]))


def pasted(one: Said, draw: Random) -> str:
    """Its English with its notation at a random place between two words, in one of three ways of writing."""
    text = LANGUAGES[one.language].write(one.sentence)
    for sign, other in draw.choice(({}, _ASCII, _LATEX)).items() if one.language != "regular" else ():
        text = text.replace(sign, other)
    words = one.english.split(" ")
    words.insert(draw.randint(0, len(words)), text)
    return " ".join(words)
