"""Logical translation: sentence and ontology to formula (paper, section 3).

Right when the formula is proven equivalent to the gold formula. A formula that cannot be read is ``unparsable``, also
if its readings differ in meaning (its fault is then ``ambiguous``); one that is open or uses a symbol or arity outside
the ontology is ``invalid``; one that no means decides is ``unknown``. Policies, recorded with each judgement, say how
liberally formulas are read and what becomes of open ones.

Where the ontology is a blocks world, ``on_boards`` is 1 for a formula that is proven to be true on the same boards as
the gold one (``logic.boards``), as it is of ``Larger(b, c)`` for ``Smaller(c, b)``.

BLEU and LE (``metrics``) are reported for every translation that could be read; any other scores 0. They are evidence,
as is the verdict on boards of a formula that is not equivalent (``explaining``): no error in them changes a verdict.

Of items whose ``readings`` are known, ``corrected`` is 1 for a formula that is proven equivalent to corrected gold, and
``accepted`` for one that is to any reading, of which some are made by rule (``data.patches``).

With ``prompt: formalization`` or ``published_formalization`` the model is asked as in the second half of a round trip,
of which the same keys must be the same: so the two tell which half breaks round trips (``attribution``).

With ``english: edited`` the sentence is the certified English of the formula after a single edit, and the gold formula
the edited one. There ``returned`` is 1 for a formula that is proven equivalent to the one *before* the edit: the rate
at which two errors cancel out (p_H of ∀uto∃∨∧L, section 3).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import nan
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator
from typing_extensions import override

from nlfol.facts import (
    ACCEPTED,
    AMBIGUOUS,
    BLEU,
    CORRECTED,
    EQUIVALENCE,
    FORMALIZATION,
    LE,
    ON_BOARDS,
    RETURNED,
    AnswerForm,
    Strictly,
)
from nlfol.logic.answers import judge
from nlfol.logic.boards import is_blocks_world
from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.languages.language import LanguageName
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.printing import to_unicode
from nlfol.logic.syntax import Formula
from nlfol.mappings import JsonDict, JsonObject
from nlfol.randomness import generator
from nlfol.sets.pairs import edited_sentence
from nlfol.sets.sets import Candidate, CandidateError
from nlfol.tasks.answers import read_text, text_schema
from nlfol.tasks.cpu_limit import limited_cpu
from nlfol.tasks.entry import Explained, FormulaLimits, Taken, TaskEntry, each_once
from nlfol.tasks.envelopes import Sought, lone_answer
from nlfol.tasks.formalizing import Given, Shots, turns
from nlfol.tasks.item import Item
from nlfol.tasks.meanings import PairKind, liberties_of, pair_key, told
from nlfol.tasks.metrics import beside
from nlfol.tasks.plan import Reply, Setting, Step
from nlfol.tasks.task import Experiment, FirstRound, Judgement, OneStepTask

if TYPE_CHECKING:
    from nlfol.store.row_parts import TakenColumns, UsableTriple
    from nlfol.store.schemas import ItemRow

_REMEMBERED = 20_000
"""Judgements kept: those of one model's distinct translations, usually."""


class LogicalTranslationEntry(TaskEntry):
    """Sentence and ontology to formula."""

    task: Literal["logical_translation"] = "logical_translation"
    reading: Literal["tolerant", "strict"] = "tolerant"
    """With ``tolerant``, formulas in other notations, and with forced repairs, are read; otherwise unparsable."""
    unbound: Literal["invalid", "close"] = "invalid"
    """A formula with a free variable is invalid, or closed universally."""
    limits: FormulaLimits = FormulaLimits()
    explain: Explained = "all"
    """Answers that get evidence: all (with BLEU and LE), ``wrong`` ones alone, or at most so many wrong ones."""
    prompt: Literal["own", "published", "formalization", "published_formalization"] = "own"
    """The prompt: nlfol's own, one that says what the paper's says, or that of the second step of a round trip, which
    again is nlfol's own or says what the paper's says."""
    given: Given = "symbols"
    """Vocabulary that the prompt of round trips shows; the task's own shows symbols with glosses."""
    presentations: Annotated[tuple[Shots, ...], AfterValidator(each_once)] = ("zero_shot",)
    """With solved examples or without, under the prompt of round trips; each is asked apart."""
    english: Taken | Literal["edited"] | None = None
    """The English that is formalized: a model's in the first round of its round trips; or the certified English of the
    formula after an edit that changes its meaning; None is the dataset's."""

    DECIDES_ITEMS: ClassVar[frozenset[str]] = frozenset({"task", "english", "prompt", "presentations"})
    DECIDES_SCORES: ClassVar[frozenset[str]] = frozenset(
        {"task", "envelope", "reasoning", "reading", "unbound", "english"}
    )

    @property
    @override
    def shown_as(self) -> tuple[str, ...]:
        return self.presentations if self.is_formalization else ("",)

    @property
    @override
    def template(self) -> str:
        return "published_" if self.prompt.startswith("published") else ""

    @property
    @override
    def glossary(self) -> str:
        return self.given if self.is_formalization else "glosses"

    @property
    def is_formalization(self) -> bool:
        """Return whether the model is asked as in the second step of a round trip."""
        return self.prompt.endswith("formalization")

    @property
    @override
    def taken(self) -> Taken | None:
        return self.english if isinstance(self.english, Taken) else None

    @property
    @override
    def is_about_dataset(self) -> bool:
        return self.english is None


class LogicalTranslation(OneStepTask[LogicalTranslationEntry]):
    """Scored by provable equivalence to the gold formula."""

    kind = "logical_translation"
    ontology = "given"
    entry_type = LogicalTranslationEntry
    prompt_kinds = ("logical_translation", "round_trip")

    def __init__(self, entry: LogicalTranslationEntry | None = None) -> None:
        super().__init__(entry or LogicalTranslationEntry())
        # Seeds often write the same formula.
        self._judged_once = lru_cache(maxsize=_REMEMBERED)(self._judge_formula)
        self._met_once = lru_cache(maxsize=_REMEMBERED)(met)

    @override
    def check_entry(self, name: str, experiment: Experiment) -> None:
        """Check also that a round trip, where the experiment has any, formalizes with the same prompt."""
        super().check_entry(name, experiment)
        entry, own = self.entry, _prompted(self.entry)
        if not entry.is_formalization and (entry.given, entry.presentations) != ("symbols", ("zero_shot",)):
            raise ValueError(
                f"tasks.{name}: given and presentations are of prompt: formalization; add it, or drop them"
            )
        trips = [_prompted(task.entry) for task in experiment.all_tasks() if task.form is AnswerForm.CHAIN]
        if entry.is_formalization and trips and own not in trips:
            nearest = max(trips, key=lambda trip: len(own.items() & trip.items()))
            unlike = {key: value for key, value in nearest.items() if own[key] != value}
            raise ValueError(f"tasks.{name}: round trips formalize with other keys; say {unlike}, as one of them does")

    @override
    def _step(self, setting: Setting, item: Item, presentation: str, seed: int) -> Step:
        if not self.entry.is_formalization:
            return super()._step(setting, item, presentation, seed)
        system, user = turns(
            FORMALIZATION,
            setting.prompts,
            item,
            presentation,
            self.entry,
            vocabulary=self.entry.given,
            english=item.text,
        )
        return Step("", system, user, self.schema(item))

    @property
    def asks_about_gold(self) -> bool:
        """Return whether an item has text and formula of the gold member of its set instead of those of the triple."""
        return self.entry.english == "edited"

    @override
    def asked_instead(self, triple: UsableTriple, candidates: Sequence[Candidate]) -> tuple[str, str] | None:
        if not candidates:
            return None
        return candidates[0].english, LANGUAGES[triple["language"]].write(candidates[0].formula)

    @override
    def candidates(self, triple: UsableTriple, seed: int) -> list[Candidate]:
        """Return candidates for edited formulas (edited and original); otherwise none."""
        if not self.asks_about_gold:
            return []
        language = LANGUAGES[triple["language"]]
        draw = generator(seed, triple["source"], self.kind, "edited")
        return edited_sentence(language.parse(triple["formula"]), language, Ontology.from_row(triple["ontology"]), draw)

    @override
    def taken(self, item: ItemRow, answers: FirstRound) -> TakenColumns:
        if answers.english["outcome"] != "answered" or not answers.english["answer"]:
            raise CandidateError("no_english", f"the model put it into no English: {answers.english['outcome']}")
        return {"text": answers.english["answer"]}

    @override
    def expected(self, earlier: Sequence[Item]) -> Sequence[Item]:
        """Return the items with English that is hardly longer, and no other task's: equal requests are counted once."""
        return [replace(item, text=f"{item.text}.") for item in earlier]

    @override
    def material(self, item: Item, presentation: str, order: Sequence[int]) -> Mapping[str, object]:
        return {"limits": self.entry.limits}

    @override
    def schema(self, item: Item) -> JsonObject:
        return text_schema(self.entry.limits.formula, self.entry.reasoning)

    @override
    def sought(self, item: Item, part: str) -> Sought | None:
        is_tolerant = self.entry.reading == "tolerant" and item.language == "first_order"
        return Sought(item.ontology.signature(), item.text) if is_tolerant else None

    def lone_formula(self, item: Item, text: str) -> Formula | None:
        """Return the formula that an answer is for sure, so that the verdict on it is all there is to judge."""
        sought = self.sought(item, "")
        if sought is None or self.entry.envelope == "strict":
            return None
        formula = lone_answer(text, self.schema(item), sought)
        if formula is None or (formula.profile.free and self.entry.unbound == "close"):
            return None
        # Half of a character, escaped, is JSON, and none for the form's reader.
        return formula if text[0] != "{" or self._is_read(item, Reply("", "answered", text)) else None

    @override
    def check(self, item: Item, part: str, text: str) -> None:
        read_text(text, self.entry.reasoning)

    @override
    def judge(self, item: Item, replies: Sequence[Reply]) -> Judgement:
        return self._with_further(item, super().judge(item, replies))

    @override
    def lost(self, item: Item, outcome: str, detail: str | None, answer: str | None) -> tuple[Judgement, ...]:
        return tuple(self._with_further(item, judgement) for judgement in super().lost(item, outcome, detail, answer))

    def _with_further(self, item: Item, judged: Judgement) -> Judgement:
        """Return a judgement with the score on boards, in a blocks world, and with scores by the item's readings.

        Its detail says which reading was met, if any are known.
        """
        if is_blocks_world(item.ontology.signature()):
            # For any other verdict the evidence says it.
            known: Mapping[str | None, float] = {None: 0.0, Outcome.INVALID: 0.0, Outcome.EQUIVALENT: 1.0}
            on_boards = known.get(judged.verdict, nan)
            judged = replace(judged, scores={**judged.scores, ON_BOARDS: on_boards})
        if not item.readings:
            return judged
        corrected, reading = False, None
        if judged.formula is not None and judged.verdict in (Outcome.EQUIVALENT, Outcome.NOT_EQUIVALENT):
            corrected, reading = self._met_once(item.language, item.readings, judged.formula)
        scores = {**judged.scores, CORRECTED: float(corrected), ACCEPTED: float(reading is not None)}
        if reading is None or judged.verdict == Outcome.EQUIVALENT:
            return replace(judged, scores=scores)
        return replace(judged, scores=scores, detail=f"accepted as {reading}")

    @override
    def judge_answer(self, item: Item, order: Sequence[int], text: str) -> Judgement:
        """Score 1 if the formula is proven equivalent to the gold formula, else 0, with the verdict."""
        written = read_text(text, self.entry.reasoning)
        judged = self._judged_once(item.language, item.formula, item.ontology, written, (item.text, *item.context))
        if not self.asks_about_gold:
            return judged
        scores = {**judged.scores, RETURNED: float(self._has_returned(item, judged))}
        return replace(judged, scores=scores)

    def _has_returned(self, item: Item, judged: Judgement) -> bool:
        """Return whether the translation of an edited formula is equivalent to the formula before the edit."""
        if judged.formula is None or judged.verdict != Outcome.NOT_EQUIVALENT:
            return False
        language = LANGUAGES[item.language]
        before, formula = language.parse(item.members[1].formula), language.parse(judged.formula)
        return language.compare(before, formula).outcome is Outcome.EQUIVALENT

    @override
    def wrong(self, outcome: str, detail: str | None = None, answer: str | None = None) -> Judgement:
        """Return a wrong judgement; an unreadable answer on an edited formula also scores 0 on RETURNED."""
        judged = super().wrong(outcome, detail, answer)
        return replace(judged, scores={**judged.scores, RETURNED: 0.0}) if self.asks_about_gold else judged

    def _judge_formula(
        self, language: LanguageName, gold_text: str, ontology: Ontology, written: str, said: tuple[str, ...]
    ) -> Judgement:
        given = LANGUAGES[language].parse(gold_text), written, ontology.signature()
        close = self.entry.unbound == "close"
        judged = judge(*given, strict=self.entry.reading == "strict", close=close, reading=limited_cpu())
        reading, verdict = judged.reading, judged.verdict
        is_strict = self.entry.reading == "strict"
        forgiven = () if reading is None or is_strict else liberties_of(reading)
        same = is_strict or (reading is not None and not forgiven)
        strict = judged if same else judge(*given, strict=True, close=close, reading=limited_cpu())
        strictly = Strictly.UNREAD if strict.verdict is None else Strictly.of(strict.is_right)
        if reading is None or verdict is None:
            wrong = replace(self.wrong("unparsable", str(judged.problem), written), strictly=strictly)
            if reading is None:
                return wrong
            return replace(wrong, fault=AMBIGUOUS, ambiguities=told(reading), forgiven=forgiven)
        text = beside("the text", _text_of, reading.formula)
        # Of a formula that is not equivalent the evidence says why.
        return Judgement(
            {EQUIVALENCE: float(judged.is_right), BLEU: nan, LE: nan},
            verdict=verdict.outcome,
            means=verdict.means,
            detail=None if verdict.outcome is Outcome.NOT_EQUIVALENT else verdict.reason,
            answer=written,
            formula=text,
            dialect=reading.dialect,
            repairs=reading.repairs,
            ambiguities=told(reading),
            policy=f"reading {self.entry.reading}, unbound variables {self.entry.unbound}",
            forgiven=forgiven,
            strictly=strictly,
            pair=None if text is None else pair_key(PairKind.TRANSLATION, language, gold_text, text, ontology, *said),
        )

    @override
    def chance(self, item: Item) -> Judgement:
        """Return 0: the answers are all texts up to the answer's length, and hardly one of them is a formula.

        A formula over the ontology uses a few dozen of the million Unicode characters, so the share of texts of 20
        characters that are formulas at all is below 10 to the power of -80, and longer texts outnumber shorter ones.
        """
        return Judgement(self.wrong("answered").scores)


_text_of = lru_cache(maxsize=2_048)(to_unicode)


def met(language: LanguageName, readings: Sequence[str], formula: str) -> tuple[bool, str | None]:
    """Return whether a formula is proven equivalent to the first reading, and the first of all that it is, or None."""
    formal = LANGUAGES[language]
    written = formal.parse(formula)
    compared = ((reading, formal.compare(formal.parse(reading), written)) for reading in readings)
    match = next((reading for reading, known in compared if known.outcome is Outcome.EQUIVALENT), None)
    return match == readings[0], match


def _prompted(entry: Any) -> JsonDict:
    """Return what the prompt of a formalization depends on, of an entry of this task or of a round trip."""
    return {
        "prompt": f"{entry.template}formalization",
        "given": entry.given or "symbols",
        "presentations": entry.presentations,
        "reasoning": entry.reasoning,
        "limits.formula": entry.limits.formula,
    }
