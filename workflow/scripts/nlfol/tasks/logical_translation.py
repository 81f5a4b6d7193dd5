"""Logical translation: sentence and ontology to formula (paper, section 3).

Right when the formula is proven equivalent to the gold formula. A formula that cannot be read is ``unparsable``; one
that is open or uses a symbol or arity outside the ontology is ``invalid``; one that no means decides is ``unknown``.
How liberally formulas are read, and what becomes of open ones, are policies, recorded with each judgement.

Beside it stand two scores that are in use and that measure something else, BLEU (``bleu``) and LE (``malls_le``), of
every translation that could be read; any other scores 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import ClassVar, Literal

from nlfol.languages.language import LanguageName
from nlfol.languages.registry import LANGUAGES
from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading import read
from nlfol.logic.reading.tolerant.reading import TolerantReading, close_universally, read_tolerantly
from nlfol.ontology.ontology import Ontology
from nlfol.tasks.answers import AnswerError, read_text, text_schema
from nlfol.tasks.bleu import bleu
from nlfol.tasks.entry import FormulaLimits, Taken, TaskEntry
from nlfol.tasks.item import Item
from nlfol.tasks.malls_le import malls_le
from nlfol.tasks.meanings import compared, evidence
from nlfol.tasks.plan import OneStep, Plan, Setting, Step
from nlfol.tasks.task import Form, Judgement, Task

EQUIVALENCE, BLEU, LE = "equivalence", "bleu", "le"

_REMEMBERED = 20_000
"""Judgements kept: those of one model's distinct translations, usually."""


class LogicalTranslationEntry(TaskEntry):
    """Sentence and ontology to formula."""

    task: Literal["logical_translation"] = "logical_translation"
    reading: Literal["tolerant", "strict"] = "tolerant"
    """Whether formulas in other notations than the one asked for, and with forced repairs, are read or unparsable."""
    unbound: Literal["invalid", "close"] = "invalid"
    """What a variable that no quantifier binds makes of a formula: invalid, or closed universally."""
    limits: FormulaLimits = FormulaLimits()
    english: Taken | None = None
    """Whose English is formalized, of the first round of its round trips; None is the dataset's."""

    DECIDES_ITEMS: ClassVar[frozenset[str]] = frozenset({"task", "english"})
    DECIDES_SCORES: ClassVar[frozenset[str]] = frozenset({"task", "reading", "unbound"})

    @property
    def taken(self) -> Taken | None:
        """The English of a model."""
        return self.english


class LogicalTranslation(Task[LogicalTranslationEntry]):
    """Scored by provable equivalence to the gold formula."""

    kind = "logical_translation"
    entry_type: ClassVar[type[TaskEntry]] = LogicalTranslationEntry
    form: ClassVar[Form] = "formula"
    metrics = (EQUIVALENCE,)
    other_metrics = (BLEU, LE)

    def __init__(self, entry: LogicalTranslationEntry | None = None) -> None:
        super().__init__(entry or LogicalTranslationEntry())
        # Seeds often write the same formula.
        self._judged_once = lru_cache(maxsize=_REMEMBERED)(self._judge_formula)

    def plan(self, setting: Setting) -> Plan:
        """Ask once for the formula."""
        limits = self.entry.limits
        schema = text_schema(limits.formula, limits.reasoning)

        def step(item: Item, presentation: str, _: int) -> Step:
            system, user = (
                setting.prompts.render(f"{self.kind}/{part}", item, presentation, limits=limits)
                for part in ("system", "user")
            )
            return Step("", system, user, schema)

        return OneStep(step)

    def check(self, item: Item, part: str, text: str) -> None:
        """See that an answer has a text for the formula."""
        read_text(text)

    def judge_answer(self, item: Item, order: Sequence[int], text: str) -> Judgement:
        """1 if the formula is proven equivalent to the gold formula, else 0, with the verdict."""
        try:
            written = read_text(text)
        except AnswerError as error:
            return self.wrong("unparsable", str(error))
        return self._judged_once(item.language, item.formula, item.ontology, written)

    def _judge_formula(self, language: LanguageName, gold_text: str, ontology: Ontology, written: str) -> Judgement:
        try:
            reading = self._read(ontology, written)
        except FormulaSyntaxError as error:
            return self.wrong("unparsable", str(error), written)
        formula = reading.formula
        if self.entry.unbound == "close":
            formula = close_universally(formula)
        spoken = LANGUAGES[language]
        gold = spoken.parse(gold_text)
        comparison = compared(spoken, ontology, gold, formula)
        score = float(comparison.outcome is Outcome.EQUIVALENT)
        return replace(
            evidence(comparison, ontology, gold, formula, ("sentence", "translation")),
            scores={EQUIVALENCE: score, BLEU: bleu(gold, formula), LE: malls_le(gold, formula)},
            answer=written,
            formula=to_unicode(formula),
            dialect=reading.dialect,
            repairs=reading.repairs,
            ambiguities=tuple(f"{ambiguity.kind}: {ambiguity.detail}" for ambiguity in reading.ambiguities),
            policy=f"reading {self.entry.reading}, unbound variables {self.entry.unbound}",
        )

    def chance(self, item: Item) -> Judgement:
        """0: the answers are all texts up to the answer's length, and a text drawn from them uniformly is no formula.

        A formula over the ontology uses a few dozen of the million Unicode characters, so the share of texts of 20
        characters that are formulas at all is below 10 to the power of -80, and longer texts outnumber shorter ones.
        """
        return Judgement(dict.fromkeys((*self.metrics, *self.other_metrics), 0.0))

    def _read(self, ontology: Ontology, written: str) -> TolerantReading:
        if self.entry.reading == "tolerant":
            return read_tolerantly(written, signature=ontology.signature())
        strict = read(written, signature=ontology.signature())
        return TolerantReading(strict.formula, "unicode", strict.warnings)
