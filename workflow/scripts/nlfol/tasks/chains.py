"""The chain of a round trip, followed from its replies: formula, English, formula, English, and so on.

In round r a model puts φ(r-1) into English and then, in a fresh context, this English into φr; φ0 is the item's
formula. Round r + 1 follows where φr is *proven* equivalent to φ(r-1) (∀uto∃∨∧L, section 3).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from nlfol.facts import COMPLETED, COPIED
from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.languages.language import Comparison, LanguageName, Read
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.ontology.ontology import Ontology
from nlfol.tasks.answers import AnswerError, read_text
from nlfol.tasks.copies import Copy, copies
from nlfol.tasks.cpu_limit import TookTooLongError, limited_cpu
from nlfol.tasks.encoded import is_encoded
from nlfol.tasks.item import Item
from nlfol.tasks.meanings import Sentence
from nlfol.tasks.plan import Reply

UNPARSABLE, ANSWERED = "unparsable", "answered"

_REMEMBERED = 20_000
"""Formalizations kept: seeds often write the same, and a plan follows the chain from its start at each step."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of a chain, as English or as a formula; ``problem`` says why it cannot be used.

    ``outcome`` is ``answered``, ``unparsable``, or how the request ended that gave no answer. ``text`` is as it was
    written; ``copies`` are pieces of the notation in English, or all of it if it is encoded; ``comparison`` relates a
    formula to the one before.
    ``ambiguities`` are those of a formula that has no one reading.
    """

    outcome: str
    text: str | None = None
    problem: str | None = None
    copies: tuple[Copy, ...] = ()
    read: Read[Sentence] | None = None
    comparison: Comparison | None = None
    ambiguities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Round:
    """One round as far as it came: a formula, its English, and the formula made of this."""

    before: Sentence
    english: Answer | None = None
    formula: Answer | None = None


@dataclass(frozen=True, slots=True)
class Chain:
    """A round trip so far; while it goes on, ``stop`` is None and the last round waits for a reply."""

    rounds: tuple[Round, ...]
    stop: str | None = None

    @property
    def outcome(self) -> str:
        """Return the outcome of the last answer."""
        last = self.rounds[-1]
        answer = last.formula or last.english
        return ANSWERED if answer is None else answer.outcome


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules by which a chain ends."""

    rounds: int = 1
    stop_at_copies: bool = False
    reading: Literal["tolerant", "strict"] = "tolerant"
    reasoning: int | None = None
    """The budget of an answer's reasoning; with None it may have some or none."""


def follow(item: Item, replies: Sequence[Reply], policy: Policy) -> Chain:
    """Return a chain as far as its replies go, two a round; replies after its end are ignored."""
    chain = Chain((Round(LANGUAGES[item.language].parse(item.formula)),))
    for reply in replies:
        if chain.stop is not None:
            break
        chain = _extended(chain, item, reply, policy)
    return chain


def _extended(chain: Chain, item: Item, reply: Reply, policy: Policy) -> Chain:
    """Extend a chain by the reply for which its last round waits."""
    *earlier, waiting = chain.rounds
    answer = _answer(reply, policy)
    if waiting.english is None:
        english = _english(item, answer)
        rounds = (*earlier, replace(waiting, english=english))
        if english.outcome != ANSWERED:
            return Chain(rounds, english.outcome)
        return Chain(rounds, COPIED if english.copies and policy.stop_at_copies else None)
    formula = answer
    if answer.outcome == ANSWERED and answer.text is not None:
        formula = _formalized(item.language, item.ontology, waiting.before, answer.text, policy.reading)
    rounds = (*earlier, replace(waiting, formula=formula))
    if formula.read is None or formula.comparison is None:
        return Chain(rounds, formula.outcome)
    if formula.comparison.outcome is not Outcome.EQUIVALENT:
        return Chain(rounds, formula.comparison.outcome.value)
    if len(rounds) == policy.rounds:
        return Chain(rounds, COMPLETED)
    return Chain((*rounds, Round(formula.read.sentence)))


def _answer(reply: Reply, policy: Policy) -> Answer:
    """Return the text that is the answer, or why there is none."""
    if reply.outcome != ANSWERED or reply.text is None:
        return Answer(reply.outcome, reply.text, reply.error)
    try:
        return Answer(ANSWERED, read_text(reply.answer, policy.reasoning))
    except AnswerError as error:
        return Answer(UNPARSABLE, problem=str(error))


def _english(item: Item, answer: Answer) -> Answer:
    if answer.outcome != ANSWERED or answer.text is None:
        return answer
    text = answer.text.strip()
    if not text:
        return Answer(UNPARSABLE, problem="the answer holds no English")
    try:
        with limited_cpu():
            pieces = copies(text, item.ontology, item.language)
            if not pieces and is_encoded(text, item.ontology):
                pieces = (Copy("encoded", 0, len(text)),)
            return Answer(ANSWERED, text, copies=pieces)
    except TookTooLongError as error:
        return Answer(UNPARSABLE, text, str(error))


@lru_cache(maxsize=_REMEMBERED)
def _formalized(
    name: LanguageName, ontology: Ontology, sentence: Sentence, written: str, reading: Literal["tolerant", "strict"]
) -> Answer:
    try:
        judged = LANGUAGES[name].judge(sentence, written, ontology, strict=reading == "strict", reading=limited_cpu())
    except TookTooLongError as error:
        return Answer(UNPARSABLE, written, str(error))
    if judged.read is None:
        return Answer(UNPARSABLE, written, judged.problem, ambiguities=judged.ambiguities)
    return Answer(ANSWERED, written, read=judged.read, comparison=judged.comparison)
