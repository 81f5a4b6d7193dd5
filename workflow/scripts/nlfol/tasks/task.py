"""The declarations of a task; nothing outside ``tasks`` tells kinds of task apart.

To add a task, write a module with its entry and a :class:`Task`, put its prompts into ``resources/prompts/<kind>``,
name it in ``registry``, and put its form and metrics into ``nlfol.facts``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

from typing_extensions import override

from nlfol.data.entries.block import Holding
from nlfol.facts import FACTS, FEW_SHOT, UNASKED, AnswerForm, Facts, Strictly, is_blind, sighted
from nlfol.logic.structures import Structure
from nlfol.mappings import JsonObject
from nlfol.problems.problem import Problem
from nlfol.sets.sets import Candidate, CandidateError
from nlfol.tasks.answers import AnswerError
from nlfol.tasks.entry import TaskEntry
from nlfol.tasks.envelopes import Sought, is_simple, opened
from nlfol.tasks.item import Item, shown
from nlfol.tasks.plan import OneStep, Plan, Reply, Setting, Step
from nlfol.tasks.reference import PLAIN, Manner, Reference

if TYPE_CHECKING:
    from nlfol.problems.lexicon import Lexicon
    from nlfol.store.row_parts import Candidate as CandidateRow
    from nlfol.store.row_parts import Exemplar, TakenColumns, UsableTriple
    from nlfol.store.schemas import ItemRow, ScoreRow, TripleRow


E = TypeVar("E", bound=TaskEntry)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The material of a problem's item beside the problem.

    ``problems`` are the usable ones of the dataset. ``lexicon`` gives the words of problems that are drawn, ``forms``
    the same with other words, none of them tested. ``originals`` are those of problems in other words, by name.
    ``faults`` has by name what is wrong with each problem's label (``program_gold.label_fault``); None if not known.
    """

    seed: int
    problems: Sequence[Problem]
    lexicon: Callable[[], Lexicon]
    forms: Callable[[], Lexicon]
    originals: Mapping[str, Problem] = field(default_factory=dict)
    faults: Mapping[str, str | None] | None = None


@dataclass(frozen=True, slots=True)
class FirstRound:
    """A model's first round trip of an item: the rows of SCORES on its English and on the formula made of that."""

    english: ScoreRow
    formula: ScoreRow


class Lesson(NamedTuple):
    """A step of a dialogue to learn from: its place, from 0, and a good answer to it, as a model writes it."""

    step: int
    answer: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """The scores of an answer in [0, 1] by metric, NaN for a side metric that could not be computed; their evidence.

    ``verdict`` is on the answer and the gold formula, with the ``means`` that decided it; ``word`` is the shortest that
    one of two regular expressions alone matches; ``pair`` is the key of a formula's evidence (``explaining.Evidence``),
    which names the columns from ``on_boards`` to ``counter_model``. ``stop`` ends a dialogue of several rounds. Of the
    metrics ``tied``, a candidate that decides is as similar as another. ``formula`` is what the answer was read as,
    from the notation ``dialect``; ``liberties`` are those taken with the envelopes of answers (``envelopes``).
    ``forgiven`` are the kinds of what was taken with formula or program, and ``strictly`` is what the answer is without
    any, in tasks whose readers can be strict.
    """

    scores: Mapping[str, float]
    outcome: str = "answered"
    verdict: str | None = None
    stop: str | None = None
    means: str | None = None
    on_boards: str | None = None
    blocks: int | None = None
    relation: str | None = None
    fault: str | None = None
    distance: str | None = None
    edits: str | None = None
    rule: str | None = None
    witness: str | None = None
    detail: str | None = None
    counter_model: Structure | None = None
    word: str | None = None
    answer: str | None = None
    tied: frozenset[str] = frozenset()
    formula: str | None = None
    dialect: str | None = None
    repairs: tuple[str, ...] = ()
    ambiguities: tuple[str, ...] = ()
    policy: str | None = None
    liberties: tuple[str, ...] = ()
    forgiven: tuple[str, ...] = ()
    strictly: Strictly | None = None
    pair: str | None = None


class Task(ABC, Generic[E]):
    """A task with the entry that a configuration gives it; ``kind`` names its module and its folder of prompts.

    Our tasks take ``form``, ``metrics``, ``other_metrics`` and ``weakest_counts`` from ``nlfol.facts``; a task of
    another package declares them. A task ``of_rewritten`` problems sets them beside their originals, and takes no
    others. A task that ``asks_all`` asks every item under one seed, whatever a model's entry says. Where a task
    ``gives_answers``, entries of other tasks can be about them. ``prompt_kinds`` are the kinds whose prompts it uses;
    none for its own alone.
    """

    kind: ClassVar[str]
    facts: ClassVar[Facts]
    prompt_kinds: ClassVar[tuple[str, ...]] = ()
    entry_type: ClassVar[type[TaskEntry]]
    form: ClassVar[AnswerForm] = AnswerForm.OTHER
    metrics: ClassVar[tuple[str, ...]]
    other_metrics: ClassVar[tuple[str, ...]] = ()
    takes: ClassVar[frozenset[Holding]] = frozenset({"sentences", "formulas"})
    of_rewritten: ClassVar[bool] = False
    weakest_counts: ClassVar[bool] = False
    asks_all: ClassVar[bool] = False
    gives_answers: ClassVar[bool] = False

    def __init__(self, entry: E) -> None:
        self.entry = entry
        self.cosines: Mapping[tuple[str, str], float] = {}
        """Those of ``compared_texts``, given before judging."""

    def __init_subclass__(cls, **options: Any) -> None:
        """Set ``facts``: ours, or what a class of another package declares."""
        super().__init_subclass__(**options)
        if "kind" in cls.__dict__:
            cls.facts = FACTS.get(cls.kind) or Facts(
                cls.kind, cls.form, cls.metrics, cls.other_metrics, cls.weakest_counts
            )
            for name in ("form", "metrics", "other_metrics", "weakest_counts"):
                setattr(cls, name, getattr(cls.facts, name))

    def check_entry(self, name: str, experiment: Experiment) -> None:
        """Check the entry against the rest of the configuration; raises ``ValueError`` naming the key at fault."""
        by, known = self.entry.compared_by, experiment.embedding_models()
        if by is not None and by not in known:
            key = next(key for key, value in self.entry if getattr(value, "model", None) == by)
            raise ValueError(
                f"tasks.{name}.{key}.model: {by} is no model of kind embedding under models; "
                f"name one of: {', '.join(known) or 'there is none yet'}"
            )
        if (taken := self.entry.taken) is None:
            return
        key = f"tasks.{name}.{next(key for key, value in self.entry if value is taken)}"
        source = experiment.task(taken.entry)
        if source is None or not source.gives_answers:
            raise ValueError(f"{key}.in: {taken.entry} is no round trip under tasks; name one")
        if not experiment.is_answered(source, taken.of):
            raise ValueError(f"{key}.of: {taken.of} is no model that does {taken.entry}; name one")

    def is_done_by(self, model_kind: str, answer: str | None = None) -> bool:
        """Return whether a kind of model does it: ``chat``, ``embedding``, ``chance``, a reference, or ``constant``."""
        return model_kind in ("chat", "chance")

    def shown_to(self, model_kind: str) -> tuple[str, ...]:
        """Return the presentations under which a reference is asked: no controls."""
        return tuple(presentation for presentation in self.entry.shown_as if not is_blind(presentation))

    @property
    def wants_words(self) -> bool:
        """Return whether the words for concepts matter: items keep their mentions, and examples vary them."""
        return False

    @property
    def wants_exemplars(self) -> bool:
        """Return whether items of sentences are shown with solved examples, under one presentation at least."""
        return FEW_SHOT in self.entry.shown_as

    def with_exemplars(self, exemplars: Sequence[Exemplar]) -> tuple[list[Exemplar], list[str]]:
        """Return the solved examples of a sentence, and the presentations under which it is not asked about.

        Raises ``CandidateError`` (``no_exemplar``) if there are none and no presentation does without.
        """
        if not self.wants_exemplars:
            return [], []
        if not exemplars and set(self.entry.shown_as) == {FEW_SHOT}:
            raise CandidateError(*UNASKED[FEW_SHOT])
        return list(exemplars), [] if exemplars else [FEW_SHOT]

    @property
    def joins_stories(self) -> bool:
        """Return whether an item is a story with all its usable sentences, and not a sentence."""
        return False

    def joined(self, triples: Sequence[TripleRow]) -> Sequence[TripleRow]:
        """Return the rows that items are made of, from the usable rows of a TRIPLES file."""
        return triples

    def candidates(self, triple: UsableTriple, seed: int) -> list[Candidate]:
        """Return the gold formula and further candidates, if any; raises ``CandidateError`` without a fair set."""
        return []

    def published(self, triple: UsableTriple) -> list[CandidateRow]:
        """Return a published candidate set as it is shown; none where sets are made. Errors as of ``candidates``."""
        return []

    def asked_instead(self, triple: UsableTriple, candidates: Sequence[Candidate]) -> tuple[str, str] | None:
        """Return the text and formula that an item has instead of those of the triple; None where it has these."""
        return None

    def taken(self, item: ItemRow, answers: FirstRound) -> TakenColumns:
        """Return the columns of a round trip's row of ITEMS that a model's answers change.

        Raises ``CandidateError`` if the task cannot be asked about the answer, ``TypeError`` if it takes none.
        """
        raise TypeError(f"{self.kind} takes no answers")

    def text_of(self, problem: Problem, about: Surroundings) -> str:
        """Return the text of a problem's item; raises ``CandidateError`` if the problem does not suit the task."""
        return shown(problem)

    def expected(self, earlier: Sequence[Item]) -> Sequence[Item]:
        """Return items for an estimate of costs while its own do not exist, made from those of an earlier stage."""
        return earlier

    def unasked(self, problem: Problem) -> list[str]:
        """Return the presentations under which a problem is not asked about; raises as ``text_of`` if none is left."""
        return []

    def exemplars(self, problem: Problem, about: Surroundings) -> list[dict[str, str]]:
        """Return the solved examples, ``text`` and ``formula``, for a problem; raises as ``text_of`` does."""
        return []

    @abstractmethod
    def plan(self, setting: Setting) -> Plan:
        """Return what is asked of a model."""

    @abstractmethod
    def agreed(self, item: Item, part: str) -> JsonObject:
        """Return the neutral JSON schema of an answer to a part of the plan, as far as it does not hang on replies."""

    def opened(self, item: Item, reply: Reply, *, plain: bool = False) -> Reply:
        """Return a reply out of its envelope; ``plain`` if plain text was agreed on."""
        if self.entry.envelope == "strict" or reply.outcome != "answered" or reply.text is None:
            return reply
        sought = self.sought(item, reply.part)
        if sought is None and is_simple(reply.text) and self._is_read(item, reply):
            return reply
        result = opened(reply.text, self.agreed(item, reply.part), plain=plain, sought=sought)
        if result.fault is None and result.text is reply.text:
            return reply
        return replace(reply, text=result.text, written=reply.text, liberties=result.liberties, fault=result.fault)

    def sought(self, item: Item, part: str) -> Sought | None:
        """Return the formula that is sought in an answer to a part; None where that is no lone formula."""
        return None

    def _is_read(self, item: Item, reply: Reply) -> bool:
        try:
            self.check(item, reply.part, reply.answer)
        except AnswerError:
            return False
        return True

    @abstractmethod
    def check(self, item: Item, part: str, text: str) -> None:
        """Raise ``AnswerError`` unless an answer has the form that its step agreed on."""

    def from_text(self, item: Item, part: str, text: str) -> JsonObject | None:
        """Return the answer to a part that a text in a file of answers stands for; None if it is as models write it."""
        return None

    def judge(self, item: Item, replies: Sequence[Reply]) -> Judgement:
        """Judge a dialogue, given the replies to its steps; one at least."""
        last = replies[-1]
        if last.outcome != "answered" or last.text is None:
            return self.wrong(last.outcome, last.error, last.text)
        try:
            return self.judge_answer(item, last.order, last.answer)
        except AnswerError as error:
            return self.wrong("unparsable", str(error))

    def judge_answer(self, item: Item, order: Sequence[int], text: str) -> Judgement:
        """Judge the answer to the last step, given the order in which candidates were shown.

        Raises ``AnswerError`` if the answer does not have the agreed form, which counts as wrong; ``TypeError`` if the
        task judges dialogues as a whole (``judgements``).
        """
        raise TypeError(f"{self.kind} judges no single answer")

    def judgements(self, item: Item, replies: Sequence[Reply]) -> tuple[Judgement, ...]:
        """Judge a dialogue of which metrics are about different answers: one judgement for each, no metric in two."""
        return (self.judge(item, replies),)

    def lessons(self, item: Item, replies: Sequence[Reply]) -> Sequence[Lesson]:
        """Return what can be learnt from a dialogue: each step with its own answer."""
        return [Lesson(step, reply.text or "") for step, reply in enumerate(replies) if reply.outcome == "answered"]

    def compared_texts(self, item: Item, text: str) -> Sequence[tuple[str, str]]:
        """Return the pairs of texts of a first answer that judging needs compared by a model."""
        return ()

    def expected_texts(self, item: Item, number: int) -> Sequence[tuple[str, str]]:
        """Return the pairs that an answer which is not there yet may need; others for each ``number``."""
        return ()

    def judge_similarities(self, item: Item, similarities: Sequence[float]) -> Judgement:
        """Judge by each candidate's similarity to the sentence; raises ``TypeError`` without embedding models."""
        raise TypeError(f"{self.kind} is no task for embedding models")

    @abstractmethod
    def chance(self, item: Item) -> Judgement:
        """Return the exact expected scores of a uniformly random answerer."""

    def reasoner(self, item: Item) -> Judgement:
        """Return those of who proves all that follows from the candidates, and draws among what is left."""
        return self.chance(item)

    def reference(self, model_kind: str, items: Sequence[Item], manner: Manner = PLAIN) -> Reference:
        """Return the reference of a kind, given all its items; raises ``TypeError`` if it does not do the task."""
        raise TypeError(f"{self.kind} is not done by a {model_kind}")

    def lost(self, item: Item, outcome: str, detail: str | None, answer: str | None) -> tuple[Judgement, ...]:
        """Return the judgements of a dialogue that counts as wrong in every metric, whatever was answered."""
        return (self.wrong(outcome, detail, answer),)

    def wrong(self, outcome: str, detail: str | None = None, answer: str | None = None) -> Judgement:
        """Return the judgement of an answer that counts as wrong in every metric."""
        scores = dict.fromkeys((*self.metrics, *self.other_metrics), 0.0)
        return Judgement(scores, outcome=outcome, detail=detail, answer=answer)


class OneStepTask(Task[E]):
    """A task that asks once, by the prompts ``system`` and ``user`` of its folder."""

    @override
    def plan(self, setting: Setting) -> Plan:
        return OneStep(partial(self._step, setting))

    def _step(self, setting: Setting, item: Item, presentation: str, seed: int) -> Step:
        blind, presentation = is_blind(presentation), sighted(presentation)
        order = self.order(setting, item, presentation, seed)
        material = {"reasoning": self.entry.reasoning, "blind": blind, **self.material(item, presentation, order)}
        template = "" if blind else self.entry.template
        system, user = setting.prompts.turns(f"{self.kind}/{template}", item, presentation, order, **material)
        return Step("", system, user, self.schema(item), tuple(order))

    def order(self, setting: Setting, item: Item, presentation: str, seed: int) -> Sequence[int]:
        """Return which candidate is shown at each place; none in tasks that show none."""
        return ()

    @abstractmethod
    def material(self, item: Item, presentation: str, order: Sequence[int]) -> Mapping[str, object]:
        """Return what the prompts say beside the item."""

    @abstractmethod
    def schema(self, item: Item) -> JsonObject:
        """Return the neutral JSON schema of an answer."""

    @override
    def agreed(self, item: Item, part: str) -> JsonObject:
        return self.schema(item)

    def read(self, item: Item, text: str) -> Any:
        """Return what an answer says; raises ``AnswerError`` unless it has the agreed form."""
        raise TypeError(f"{self.kind} has a check of its own")

    @override
    def check(self, item: Item, part: str, text: str) -> None:
        self.read(item, text)


AnyTask = Task[Any]
"""A task, whatever its entry."""


class Experiment(Protocol):
    """A configuration, as far as tasks check their entries against it."""

    def task(self, name: str) -> AnyTask | None:
        """Return the task of an entry; None if there is no such entry."""

    def all_tasks(self) -> Sequence[AnyTask]:
        """Return the tasks of all entries."""

    def is_answered(self, task: AnyTask, model: str) -> bool:
        """Return whether there is a model of that name that answers a task, other than by chance."""

    def embedding_models(self) -> Sequence[str]:
        """Return the names of the embedding models."""
