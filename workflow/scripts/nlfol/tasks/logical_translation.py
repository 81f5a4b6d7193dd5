"""Logical translation: sentence and ontology to formula (paper, section 3).

Right when the formula is proven equivalent to the gold formula. A formula that cannot be read is ``unparsable``; one
that is open or uses a symbol or arity outside the ontology is ``invalid``; one that no means decides is ``unknown``.
"""

from __future__ import annotations

from collections.abc import Sequence

from nlfol.logic.equivalence import Outcome, equivalence
from nlfol.logic.errors import FormulaSyntaxError, SignatureError
from nlfol.logic.reading import parse
from nlfol.tasks.answers import AnswerError, read_formula
from nlfol.tasks.task import Item, Judgement, wrong

METRIC = "equivalence"


class LogicalTranslation:
    """Scored by provable equivalence to the gold formula."""

    name: str = "logical_translation"
    metrics: tuple[str, ...] = (METRIC,)

    def judge(self, item: Item, order: Sequence[int], text: str) -> Judgement:
        """1 if the formula is proven equivalent to the gold formula, else 0, with the verdict."""
        try:
            written = read_formula(text)
        except AnswerError as error:
            return wrong(self, "unparsable", str(error))
        try:
            formula = parse(written)
        except FormulaSyntaxError as error:
            return wrong(self, "unparsable", str(error), written)
        try:
            item.ontology.check(formula)
        except SignatureError as error:
            return self._judged(Outcome.INVALID, "signature", str(error), written)
        verdict = equivalence(parse(item.formula), formula)
        counter_model = verdict.counter_model.describe() if verdict.counter_model else None
        return self._judged(verdict.outcome, verdict.means, verdict.reason or counter_model, written)

    def chance(self, item: Item) -> Judgement:
        """0: the answers are all texts up to the answer's length, and a text drawn from them uniformly is no formula.

        A formula over the ontology uses a few dozen of the million Unicode characters, so the share of texts of 20
        characters that are formulas at all is below 10 to the power of -80, and longer texts outnumber shorter ones.
        """
        return Judgement({METRIC: 0.0})

    @staticmethod
    def _judged(verdict: Outcome, means: str, detail: str | None, answer: str) -> Judgement:
        score = float(verdict is Outcome.EQUIVALENT)
        return Judgement({METRIC: score}, verdict=verdict, means=means, detail=detail, answer=answer)
