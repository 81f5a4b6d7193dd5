"""Logical translation: sentence and ontology to formula (paper, section 3).

Right when the formula is proven equivalent to the gold formula. A formula that cannot be read is ``unparsable``; one
that is open or uses a symbol or arity outside the ontology is ``invalid``; one that no means decides is ``unknown``.
How liberally formulas are read, and what becomes of open ones, are policies, recorded with each judgement.

Beside it stand two scores that are in use and that measure something else, BLEU (``bleu``) and LE (``malls_le``), of
every translation that could be read; any other scores 0.

With ``english: edited`` the sentence is the certified English of the formula after a single edit, and the gold formula
the edited one. There ``returned`` is 1 for a formula that is proven equivalent to the one *before* the edit: so often
do two errors cancel out (p_H of ∀uto∃∨∧L, section 3; see ``statistics.attribution``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, ClassVar, Literal

from nlfol.candidates.pairs import edited_sentence
from nlfol.candidates.sets import Candidate, CandidateError
from nlfol.languages.language import LanguageName
from nlfol.languages.registry import LANGUAGES
from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading import read
from nlfol.logic.reading.tolerant.reading import TolerantReading, close_universally, read_tolerantly
from nlfol.ontology.ontology import Ontology
from nlfol.randomness import content_labels, generator
from nlfol.tasks.answers import AnswerError, read_text, text_schema
from nlfol.tasks.bleu import bleu
from nlfol.tasks.entry import FormulaLimits, Taken, TaskEntry
from nlfol.tasks.item import Item
from nlfol.tasks.malls_le import malls_le
from nlfol.tasks.meanings import compared, evidence
from nlfol.tasks.plan import OneStep, Plan, Setting, Step
from nlfol.tasks.task import AnswerForm, Judgement, Made, Task

EQUIVALENCE, BLEU, LE, RETURNED = "equivalence", "bleu", "le", "returned"

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
    english: Taken | Literal["edited"] | None = None
    """What is formalized: the English of a model in the first round of its round trips; or the certified English of
    the formula after an edit that changes its meaning; None is the dataset's."""

    DECIDES_ITEMS: ClassVar[frozenset[str]] = frozenset({"task", "english"})
    DECIDES_SCORES: ClassVar[frozenset[str]] = frozenset({"task", "reading", "unbound", "english"})

    @property
    def taken(self) -> Taken | None:
        """The English of a model."""
        return self.english if isinstance(self.english, Taken) else None

    @property
    def is_about_dataset(self) -> bool:
        """Where English is neither a model's nor of edited formulas."""
        return self.english is None


class LogicalTranslation(Task[LogicalTranslationEntry]):
    """Scored by provable equivalence to the gold formula."""

    kind = "logical_translation"
    entry_type: ClassVar[type[TaskEntry]] = LogicalTranslationEntry
    form: ClassVar[AnswerForm] = AnswerForm.FORMULA
    metrics = (EQUIVALENCE,)
    other_metrics = (BLEU, LE)

    def __init__(self, entry: LogicalTranslationEntry | None = None) -> None:
        super().__init__(entry or LogicalTranslationEntry())
        # Seeds often write the same formula.
        self._judged_once = lru_cache(maxsize=_REMEMBERED)(self._judge_formula)

    @property
    def asks_about_gold(self) -> bool:
        """Where formulas are edited."""
        return self._is_edited

    @property
    def _is_edited(self) -> bool:
        return self.entry.english == "edited"

    def candidates(self, triple: Mapping[str, Any], dataset: str, seed: int) -> list[Candidate]:
        """None; of edited formulas, the one that is asked about and the one that it was."""
        if not self._is_edited:
            return []
        language = LANGUAGES[triple["language"]]
        draw = generator(seed, dataset, *content_labels(triple), self.kind, "edited")
        return edited_sentence(language.parse(triple["formula"]), language, Ontology.from_row(triple["ontology"]), draw)

    def taken(self, item: Mapping[str, Any], made: Made) -> dict[str, Any]:
        """The English takes the place of the text."""
        if made.english["outcome"] != "answered" or not made.english["answer"]:
            raise CandidateError("no_english", f"the model put it into no English: {made.english['outcome']}")
        return {"text": made.english["answer"]}

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
        judged = self._judged_once(item.language, item.formula, item.ontology, written)
        if not self._is_edited:
            return judged
        scores = {**judged.scores, RETURNED: float(self._has_returned(item, judged))}
        return replace(judged, scores=scores)

    def _has_returned(self, item: Item, judged: Judgement) -> bool:
        """Whether a translation of what was edited is equivalent to the formula before it."""
        if judged.formula is None or judged.verdict != Outcome.NOT_EQUIVALENT:
            return False
        language = LANGUAGES[item.language]
        before, formula = language.parse(item.members[1].formula), language.parse(judged.formula)
        return language.compare(before, formula).outcome is Outcome.EQUIVALENT

    def wrong(self, outcome: str, detail: str | None = None, answer: str | None = None) -> Judgement:
        """As of any task; what says nothing has not come back either."""
        judged = super().wrong(outcome, detail, answer)
        return replace(judged, scores={**judged.scores, RETURNED: 0.0}) if self._is_edited else judged

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
        return Judgement(self.wrong("answered").scores)

    def _read(self, ontology: Ontology, written: str) -> TolerantReading:
        if self.entry.reading == "tolerant":
            return read_tolerantly(written, signature=ontology.signature())
        strict = read(written, signature=ontology.signature())
        return TolerantReading(strict.formula, "unicode", strict.warnings)
