"""Round trip: formula to English and back, in fresh contexts (∀uto∃∨∧L: Karia et al., 2025, section 3).

``truth`` is whether the formula at the end of a round is proven equivalent to the item's, φ0. The chain compares φr
with φ(r-1) alone, and round r + 1 is asked only where these are proven equivalent: so every formula before φr is
equivalent to φ0, and the verdict on φr and φ(r-1) is that on φr and φ0.

Beside it stand ``compliance`` (the formula could be read, is closed and within the vocabulary), ``copied`` (the English
holds a piece of the notation, see ``copies``, or is none, see ``encoded``) and ``truth_uncopied`` (true, with nothing
copied up to then). The metrics of later rounds are called ``truth@2`` and so on; a round that was not reached scores 0
in all of them. On sentences of a dataset, whose text is not made from the formula, the English of the first round is
also compared with it (``metrics``).

The *reader* puts a formula into unambiguous English and reads that back: the ceiling. The *echo* repeats what it is
shown: its formulas are true, and all of them copied. *Transliterate* spells its signs out, which is a copy, too, where
there are brackets, and the *coder* answers in a code (``codings``). The *constant* says the commonest meaning of an
item's category: the share of items that have it is the floor.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field, PositiveInt
from typing_extensions import override

from nlfol.facts import (
    AMBIGUOUS,
    BERTSCORE,
    COMPLIANCE,
    COPIED,
    ENCODED,
    FORMALIZATION,
    METEOR,
    TRUTH,
    TRUTH_UNCOPIED,
    WORDINGS,
    CodingName,
)
from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.languages.language import ReadingError
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.syntax import Formula
from nlfol.mappings import JsonObject
from nlfol.tasks.answers import AnswerError, read_text, text_schema
from nlfol.tasks.chains import ANSWERED, Answer, Chain, Policy, Round, follow
from nlfol.tasks.codings import CODINGS
from nlfol.tasks.copies import described, transliterated
from nlfol.tasks.entry import Explained, FormulaLimits, Part, PromptedEntry, each_once
from nlfol.tasks.envelopes import Sought
from nlfol.tasks.formalizing import Given, Shots, turns
from nlfol.tasks.item import Item
from nlfol.tasks.meanings import PairKind, Sentence, judgement_of, pair_key
from nlfol.tasks.metrics import beside, open_meteor, overlaps, side_score
from nlfol.tasks.plan import Plan, Reply, Setting, Step, Stop
from nlfol.tasks.reference import PLAIN, Asked, Manner, ReaderError, Reference, answer_json, reasoned
from nlfol.tasks.task import Judgement, Lesson, Task

INFORMALIZATION = "informalization"
"""The first part of a round; the second is ``FORMALIZATION``."""


class RoundTripLimits(FormulaLimits):
    """Limits of an answer's strings."""

    formula: PositiveInt = 2000
    english: PositiveInt = 4000
    """Most characters of the English."""


class TokenComparison(Part):
    """BERTScore's model."""

    model: str
    """An embedding model of the configuration, with weights."""
    layer: PositiveInt | None = None
    """The hidden layer whose vectors tokens have; None for the last one."""


class RoundTripEntry(PromptedEntry):
    """Formula to English and back."""

    task: Literal["round_trip"] = "round_trip"
    rounds: Annotated[int, Field(ge=1, le=16)] = 1
    """Rounds at most; a further one is asked where the formula is proven to have kept its meaning."""
    presentations: Annotated[tuple[Shots, ...], AfterValidator(each_once)] = ("zero_shot",)
    """With solved examples or without; each is asked apart."""
    copies: Literal["count", "stop"] = "count"
    """With ``stop``, English that repeats the notation ends the chain."""
    given: Given | None = None
    """Vocabulary that both steps show: symbols, symbols with their glosses, or nothing; None is symbols, with their
    glosses in the first step alone."""
    reading: Literal["tolerant", "strict"] = "tolerant"
    """With ``tolerant``, formulas in other notations, and with forced repairs, are read; otherwise unparsable."""
    meteor: str | None = None
    """WordNet's folder, for METEOR of the English of sentences."""
    bertscore: TokenComparison | None = None
    """The embedding model and layer for BERTScore of the English of sentences."""
    explain: Explained = "all"
    """Formulas that get evidence: all, ``wrong`` ones alone, or at most so many wrong ones."""
    limits: RoundTripLimits = RoundTripLimits()

    DECIDES_ITEMS: ClassVar[frozenset[str]] = frozenset({"task", "presentations"})
    DECIDES_SCORES: ClassVar[frozenset[str]] = frozenset(
        {"task", "envelope", "reasoning", "rounds", "copies", "reading", "meteor", "bertscore"}
    )
    DECIDES_REQUESTS: ClassVar[frozenset[str]] = DECIDES_SCORES - {"meteor", "bertscore"}

    @property
    @override
    def shown_as(self) -> tuple[str, ...]:
        return self.presentations

    @property
    @override
    def compared_by(self) -> str | None:
        return None if self.bertscore is None else self.bertscore.model

    @property
    @override
    def glossary(self) -> str:
        # The first step has them where nothing is said.
        return self.given or "glosses"

    @property
    def policy(self) -> Policy:
        """Return the rules by which a chain ends."""
        return Policy(self.rounds, self.copies == "stop", self.reading, self.reasoning)


@dataclass(frozen=True, slots=True)
class _Plan(Plan):
    setting: Setting
    entry: RoundTripEntry

    @override
    def most_steps(self, item: Item) -> int:
        return 2 * self.entry.rounds

    @override
    def following(self, item: Item, presentation: str, seed: int, replies: Sequence[Reply]) -> Step | Stop:
        chain = follow(item, replies, self.entry.policy)
        if chain.stop is not None:
            return Stop(chain.stop)
        waiting, limits = chain.rounds[-1], self.entry.limits
        if waiting.english is None:
            vocabulary = self.entry.given or "glosses"
            material = {"formula": LANGUAGES[item.language].write(waiting.before)}
            part, characters = INFORMALIZATION, limits.english
        else:
            vocabulary = self.entry.given or "symbols"
            material = {"english": waiting.english.text or ""}
            part, characters = FORMALIZATION, limits.formula
        system, user = turns(
            part, self.setting.prompts, item, presentation, self.entry, vocabulary=vocabulary, **material
        )
        # A formula that comes back as it was is asked about again, not answered by the round before.
        schema, draw = text_schema(characters, self.entry.reasoning), len(chain.rounds) - 1
        return Step(part, system, user, schema, draw=draw)


class RoundTrip(Task[RoundTripEntry]):
    """Scored by what is left of the meaning, round by round."""

    kind = "round_trip"
    entry_type = RoundTripEntry
    gives_answers = True
    takes = frozenset({"sentences", "formulas", "expressions"})

    @override
    def is_done_by(self, model_kind: str, answer: str | None = None) -> bool:
        if model_kind == "constant":
            return answer == "commonest"
        return model_kind in ("chat", "reader", "echo", "transliterate", "coder", "chance")

    @override
    def plan(self, setting: Setting) -> Plan:
        return _Plan(setting, self.entry)

    @override
    def agreed(self, item: Item, part: str) -> JsonObject:
        limits = self.entry.limits
        return text_schema(limits.english if part == INFORMALIZATION else limits.formula, self.entry.reasoning)

    @override
    def sought(self, item: Item, part: str) -> Sought | None:
        is_tolerant = self.entry.reading == "tolerant" and item.language == "first_order"
        return Sought(item.ontology.signature(), "") if is_tolerant and part != INFORMALIZATION else None

    @override
    def check(self, item: Item, part: str, text: str) -> None:
        read_text(text, self.entry.reasoning)

    @override
    def judgements(self, item: Item, replies: Sequence[Reply]) -> tuple[Judgement, ...]:
        """Return two judgements a round, of formula and English; raises ``ValueError`` before the dialogue's end."""
        chain = follow(item, replies, self.entry.policy)
        if chain.stop is None:
            raise ValueError("the dialogue ends before its plan does; delete the responses and run again")
        judgements: list[Judgement] = []
        copied = False
        for number in range(1, self.entry.rounds + 1):
            trip = chain.rounds[number - 1] if number <= len(chain.rounds) else None
            copied = copied or bool(trip and trip.english and trip.english.copies)
            judgements.append(self._of_formula(item, chain, trip, number, copied))
            judgements.append(self._of_english(item, chain, trip, number))
        return tuple(judgements)

    @override
    def lessons(self, item: Item, replies: Sequence[Reply]) -> Sequence[Lesson]:
        """Return back-translations from a model's English to the formula behind it, if the next formula is equivalent.

        English that repeats the notation teaches nothing and is left out.
        """
        lessons = []
        for number, trip in enumerate(follow(item, replies, self.entry.policy).rounds):
            comparison = trip.formula and trip.formula.comparison
            if comparison and comparison.outcome is Outcome.EQUIVALENT and trip.english and not trip.english.copies:
                answer = {"reasoning": "", "answer": LANGUAGES[item.language].write(trip.before)}
                lessons.append(Lesson(2 * number + 1, answer_json(answer)))
        return lessons

    def _of_formula(self, item: Item, chain: Chain, trip: Round | None, number: int, copied: bool) -> Judgement:
        scores = {_at(metric, number): 0.0 for metric in self.metrics}
        formula = trip and trip.formula
        if not trip or not formula:
            missing = trip.english if trip and trip.english and trip.english.outcome != ANSWERED else None
            detail = missing.problem if missing else None
            return Judgement(scores, outcome=chain.outcome, stop=chain.stop, detail=detail)
        if formula.read is None or formula.comparison is None:
            return Judgement(
                scores,
                outcome=formula.outcome,
                stop=chain.stop,
                fault=AMBIGUOUS if formula.ambiguities else None,
                detail=formula.problem,
                answer=formula.text,
                ambiguities=formula.ambiguities,
            )
        verdict = formula.comparison.outcome
        true = verdict is Outcome.EQUIVALENT
        scores = {
            _at(TRUTH_UNCOPIED, number): float(true and not copied),
            _at(TRUTH, number): float(true),
            _at(COMPLIANCE, number): float(verdict is not Outcome.INVALID),
        }
        read, language = formula.read, LANGUAGES[item.language]
        names = ("original", "result") if number == 1 else ("formula before", "result")
        text = beside("the text", language.write, read.sentence)
        pair = None
        if text is not None and isinstance(read.sentence, Formula):
            kind = PairKind.FIRST_ROUND if number == 1 else PairKind.LATER_ROUND
            pair = pair_key(kind, item.language, language.write(trip.before), text, item.ontology)
        return replace(
            judgement_of(formula.comparison, trip.before, names),
            scores=scores,
            stop=chain.stop,
            answer=formula.text,
            formula=text,
            pair=pair,
            dialect=read.dialect,
            repairs=read.repairs,
            ambiguities=read.ambiguities,
            policy=f"reading {self.entry.reading}",
        )

    def _of_english(self, item: Item, chain: Chain, trip: Round | None, number: int) -> Judgement:
        english = (trip and trip.english) or Answer(chain.outcome)
        text = english.text if english.outcome == ANSWERED else None
        scores = {_at(COPIED, number): float(bool(english.copies))}
        if number == 1 and _has_own_text(item):
            scores |= self._overlaps(text, item.text)
        detail = described(text, english.copies) if text and english.copies else english.problem
        return Judgement(
            scores,
            outcome=english.outcome,
            stop=chain.stop,
            fault=ENCODED if any(copy.kind == ENCODED for copy in english.copies) else None,
            detail=detail or None,
            answer=english.text,
        )

    def _overlaps(self, text: str | None, reference: str) -> dict[str, float]:
        if text is None:
            scores = dict.fromkeys(WORDINGS, 0.0)
        else:
            scores = beside(", ".join(WORDINGS), overlaps, text, reference) or dict.fromkeys(WORDINGS, nan)
        if self.entry.meteor:
            scores[METEOR] = (
                0.0 if text is None else side_score(METEOR, open_meteor(self.entry.meteor), text, reference)
            )
        if self.entry.bertscore:
            scores[BERTSCORE] = 0.0 if text is None else self.cosines[text, reference]
        return scores

    @override
    def compared_texts(self, item: Item, text: str) -> Sequence[tuple[str, str]]:
        try:
            return [(read_text(text, self.entry.reasoning), item.text)] if _has_own_text(item) else ()
        except AnswerError:
            return ()

    @override
    def chance(self, item: Item) -> Judgement:
        """Return 0 for formulas, as ``LogicalTranslation.chance`` does, and nothing for overlap with English."""
        rounds = range(1, self.entry.rounds + 1)
        return Judgement({_at(metric, number): 0.0 for number in rounds for metric in self.metrics})

    @override
    def lost(self, item: Item, outcome: str, detail: str | None, answer: str | None) -> tuple[Judgement, ...]:
        rounds = range(1, self.entry.rounds + 1)
        scores = {_at(metric, number): 0.0 for number in rounds for metric in (*self.metrics, COPIED)}
        scores |= self._overlaps(None, item.text) if _has_own_text(item) else {}
        return (Judgement(scores, outcome=outcome, stop=outcome, detail=detail, answer=answer),)

    @override
    def reference(self, model_kind: str, items: Sequence[Item], manner: Manner = PLAIN) -> Reference:
        if not self.is_done_by(model_kind, manner.answer):
            return super().reference(model_kind, items, manner)
        commonest = _commonest_meanings(items) if model_kind == "constant" else {}

        def answered(asked: Asked) -> str:
            item = asked.item
            waiting = follow(item, asked.replies, self.entry.policy).rounds[-1]
            english = waiting.english.text if waiting.english else None
            match model_kind:
                case "reader":
                    return _read(item, waiting.before, english)
                case "echo":
                    shown = LANGUAGES[item.language].write(waiting.before)
                    return reasoned("I repeat it.", shown if english is None else english)
                case "transliterate":
                    shown = LANGUAGES[item.language].write(waiting.before)
                    return reasoned("Sign by sign.", transliterated(shown) if english is None else shown)
                case "coder":
                    return _in_code(manner.coding, item, waiting.before, english)
                case _:
                    sentence = commonest[item.language, item.category]
                    written = LANGUAGES[item.language].write(sentence)
                    return reasoned("I always say the same.", "I always say the same." if english is None else written)

        return answered


def _at(metric: str, number: int) -> str:
    return metric if number == 1 else f"{metric}@{number}"


def _has_own_text(item: Item) -> bool:
    """Return whether the item's text is not the certified English of its formula."""
    return item.category is None


def _read(item: Item, sentence: Sentence, english: str | None) -> str:
    language = LANGUAGES[item.language]
    try:
        if english is None:
            return reasoned("By the grammar of unambiguous English.", language.render(sentence, item.ontology))
        return reasoned("By the same grammar.", language.write(language.read_english(english, item.ontology)))
    except (ReadingError, ValueError) as error:
        raise ReaderError(str(error)) from error


def _in_code(name: CodingName, item: Item, sentence: Sentence, english: str | None) -> str:
    coding = CODINGS[name]
    try:
        text = coding.encoded(sentence, item) if english is None else coding.decoded(english, item)
    except ValueError as error:
        raise ReaderError(str(error)) from error
    return reasoned(f"In {name}.", text)


def _commonest_meanings(items: Sequence[Item]) -> Mapping[tuple[str, int | None], Sentence]:
    """Return the meaning that most items of a language and category have, as a sentence; the first of equals."""
    counts: defaultdict[tuple[str, int | None], Counter[Sentence]] = defaultdict(Counter)
    for item in items:
        language, meanings = LANGUAGES[item.language], counts[item.language, item.category]
        sentence: Sentence = language.parse(item.formula)
        same = (other for other in meanings if language.compare(other, sentence).outcome is Outcome.EQUIVALENT)
        meanings[next(same, sentence)] += 1
    return {category: meanings.most_common(1)[0][0] for category, meanings in counts.items()}
