"""Program: a problem to a program for a solver, which is executed (Logic-LM: Pan et al., Findings of EMNLP 2023).

A program is ``executable`` if it gives exactly one answer, and ``right`` if that is the problem's. One that cannot be
read is ``unparsable``; one that is read and gives none has its failure beside the score (``fault``):
``undefined_symbol``, ``arity``, ``open``, ``contradictory``, ``ambiguous``, ``budget``, or ``no_answer``. The entry's
strategy (``strategies``) decides how a model is asked, and which of its answers is the program that counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, Field, PositiveInt, model_validator
from typing_extensions import override

from nlfol.facts import EXECUTABLE, RIGHT, Strictly
from nlfol.mappings import ByName, JsonObject
from nlfol.problems.alignment import LineError, Rename, drifting, merging
from nlfol.problems.problem import Evidence, Problem
from nlfol.problems.programs import LANGUAGES, solver_language
from nlfol.problems.programs.language import DEFAULT_POLICY, SolverLanguage
from nlfol.problems.programs.outcome import OptionsError, Outcome, traced
from nlfol.sets.sets import CandidateError
from nlfol.tasks.answers import REASONING
from nlfol.tasks.entry import Limits, PromptedEntry
from nlfol.tasks.envelopes import Liberty
from nlfol.tasks.item import ASKED, Exemplar, Item, labels, shown
from nlfol.tasks.plan import Plan, Reply, Setting, Step, Stop
from nlfol.tasks.program_answers import Attempt, Written, asked_by, is_program
from nlfol.tasks.program_gold import Translation, gold_answer, label_fault, translation, vacuous
from nlfol.tasks.reference import PLAIN, Asked, Manner, ReaderError, Reference, answer_json
from nlfol.tasks.solved import Before
from nlfol.tasks.strategies import STRATEGIES, StrategyName
from nlfol.tasks.strategies.strategy import About, Staged, Strategy
from nlfol.tasks.task import Judgement, Lesson, Surroundings, Task

ROUNDS = 3
"""Rounds of refinement where the entry does not say it, as Logic-LM has them."""

OF_STRATEGIES = ("rounds", "corrections", "refines", "drafts")
"""Keys that some strategies have."""

REFERENCES = ("reader", "drifting", "merging", "vacuous")
"""Reference answerers.

The reader writes it: the ceiling. Drifting has a symbol of its own for a mention with a given probability, and merging
one for all concepts of a kind and arity (``alignment.drifting``): what they lose shows what the measures are worth.
The vacuous one writes a program about nothing, from which nothing follows: the share of problems with that answer is
the floor of a language in which what does not follow is an answer.
"""

MAX_TRACE = 10_000
"""Characters of a trace that are kept beside a score."""

_POLICY = (
    f"free variables {DEFAULT_POLICY.free_variables}, rlimit {DEFAULT_POLICY.budget}, {DEFAULT_POLICY.steps} steps"
)


class ProgramLimits(Limits):
    """Limits of an answer's strings."""

    line: PositiveInt = 300
    """Most characters of a line."""


class ProgramEntry(PromptedEntry):
    """Problems to programs."""

    task: Literal["program"] = "program"
    strategy: StrategyName = "direct"
    """The strategy by which the model is asked."""
    rounds: Annotated[int, Field(ge=1, le=10)] | None = None
    """Most rounds of corrections under ``refine`` and ``refine_pairwise``; by default 3."""
    corrections: Annotated[int, Field(ge=1, le=10)] | None = None
    """Corrections in each round of ``refine_pairwise``; by default 1."""
    refines: Literal["failing", "all"] | None = None
    """The programs that ``refine_pairwise`` corrects: those without an answer (the default), or all in every round."""
    drafts: Annotated[int, Field(ge=1, le=20)] | None = None
    """Programs that ``majority`` draws, by default 10, and compositions of ``divide``, by default 1."""
    language: Annotated[str, AfterValidator(lambda name: solver_language(name).name)] | None = None
    """Language of the program; by default that of the problem's gold program."""
    shots: Annotated[int, Field(ge=0, le=5)] = 2
    """Solved examples that are shown."""
    examples: Literal["plain", "varied"] | None = None
    """The words of examples: one for each concept, or several; by default those that the strategy wants."""
    siblings: bool = False
    """True if the first example is the query of another question about the same statements, which shows its names."""
    limits: ProgramLimits = ProgramLimits()

    DECIDES_ITEMS: ClassVar[frozenset[str]] = frozenset(
        {"task", "strategy", "language", "shots", "examples", "siblings"}
    )
    DECIDES_SCORES: ClassVar[frozenset[str]] = frozenset(
        {"task", "envelope", "reasoning", "strategy", "language", *OF_STRATEGIES}
    )
    DECIDES_REQUESTS: ClassVar[frozenset[str]] = DECIDES_SCORES

    @property
    @override
    def example_words(self) -> Literal["plain", "varied"]:
        return self.examples or ("varied" if STRATEGIES[self.strategy].wants_words else "plain")

    @model_validator(mode="after")
    def _check(self) -> Self:
        for key in OF_STRATEGIES:
            if getattr(self, key) is not None and key not in STRATEGIES[self.strategy].keys:
                others = " or ".join(name for name, strategy in STRATEGIES.items() if key in strategy.keys)
                raise ValueError(f"{key} is a key of the strategy {others}, not of {self.strategy}; remove it")
        if self.prompt == "published" and isinstance(STRATEGIES[self.strategy], Staged):
            raise ValueError(f"{self.strategy} has no published prompt; remove prompt, or change strategy")
        return self


@dataclass(frozen=True, slots=True)
class _Plan:
    setting: Setting
    task: Program

    def most_steps(self, item: Item) -> int:
        return self.task.strategy.most_steps(self.task.about(item))

    def following(self, item: Item, presentation: str, seed: int, replies: Sequence[Reply]) -> Step | Stop:
        about, strategy = self.task.about(item), self.task.strategy
        stop = strategy.stop(about, replies)
        return strategy.step(about, replies, partial(self._text, item)) if stop is None else Stop(stop)

    def _text(self, item: Item, part: str, **more: Any) -> str:
        entry, problem = self.task.entry, item.asked
        # Later steps have no published words.
        template = entry.template if part == "system" else ""
        return self.setting.prompts.render(
            f"{self.task.kind}/{template}{part}",
            item,
            prompt=entry.prompt,
            strategy=entry.strategy,
            language=self.task.language_of(problem),
            letters=list(problem.by_letter),
            exemplars=[exemplar for exemplar in item.exemplars if not of_same_story(exemplar)],
            siblings=[exemplar for exemplar in item.exemplars if of_same_story(exemplar)],
            reasoning=entry.reasoning,
            limits=entry.limits,
            **more,
        )


class Program(Task[ProgramEntry]):
    """Scored by the answer that the program gives."""

    kind = "program"
    entry_type = ProgramEntry
    takes = frozenset({"problems"})

    @property
    def strategy(self) -> Strategy:
        """Return the entry's strategy."""
        return STRATEGIES[self.entry.strategy]

    @property
    @override
    def wants_words(self) -> bool:
        return self.strategy.wants_words or self.varies_examples

    @property
    def varies_examples(self) -> bool:
        """Return whether examples say one concept in several ways."""
        return self.entry.example_words == "varied"

    def about(self, item: Item) -> About:
        """Return what the strategy asks about."""
        entry, language = self.entry, self.language_of(item.asked)
        return About(
            item,
            language,
            entry.limits.line,
            entry.reasoning,
            rounds=entry.rounds or ROUNDS,
            corrections=entry.corrections or 1,
            refines_all=entry.refines == "all",
            drafts=entry.drafts or self.strategy.drafts,
        )

    @override
    def is_done_by(self, model_kind: str, answer: str | None = None) -> bool:
        return model_kind in ("chat", *REFERENCES, "chance")

    def language_of(self, problem: Problem) -> SolverLanguage:
        """Return the language of a problem's program; raises ``ValueError`` if neither entry nor gold says it."""
        language = LANGUAGES.get(self.entry.language or problem.language or "")
        if language is None:
            raise ValueError(f"{problem.name}: no gold program says in which language; set the key 'language'")
        return language

    @override
    def exemplars(self, problem: Problem, about: Surroundings) -> list[dict[str, str]]:
        try:
            language = self.language_of(problem)
        except ValueError as error:
            raise CandidateError("no_language", str(error)) from error
        try:
            language.letters(problem.lettered)
        except OptionsError as error:
            others = " or ".join(name for name, other in LANGUAGES.items() if other.asks_options)
            raise CandidateError("options", f"{error}; or set the key 'language' to {others}") from error
        if problem.language is not None and problem.evidence is Evidence.PUBLISHED:
            raise CandidateError("label_differs", "its label is as published, and does not follow from its formulas")
        if language.name != problem.language:
            fault = label_fault(problem, language) if about.faults is None else about.faults[problem.name]
            if fault is not None:
                raise CandidateError("label_differs", fault)
        manner = {"varied": self.varies_examples, "siblings": self.entry.siblings}
        return exemplars(problem, language, self.entry.shots, about, self.strategy, **manner)

    @override
    def plan(self, setting: Setting) -> Plan:
        return _Plan(setting, self)

    @override
    def agreed(self, item: Item, part: str) -> JsonObject:
        return self.strategy.agreed(self.about(item), part)

    @override
    def check(self, item: Item, part: str, text: str) -> None:
        self.strategy.check(self.about(item), part, text)

    @override
    def from_text(self, item: Item, part: str, text: str) -> JsonObject | None:
        """Return the answer that holds a program in Logic-LM's text form; none where a part wants more, or less."""
        wanted = {REASONING, "variables", "lines", "query", "options"}
        is_whole = {"lines"} <= self.agreed(item, part)["properties"].keys() <= wanted
        language = self.language_of(item.asked)
        examples = tuple(asked_by(item.exemplars, language, item.asked)) if is_whole else ()
        return {"program": text} if is_whole and is_program(language, text, examples=examples) else None

    @override
    def opened(self, item: Item, reply: Reply, *, plain: bool = False) -> Reply:
        """Return a reply out of its envelope, without what it repeats of the prompt's examples before the answer."""
        rest = text = reply.text or ""
        for exemplar in item.exemplars:
            rest = rest.replace(exemplar.formula, "")
        if self.entry.envelope == "strict" or rest == text or "{" not in rest:
            return super().opened(item, reply, plain=plain)
        result = super().opened(item, replace(reply, text=rest), plain=plain)
        return replace(result, written=text, liberties=tuple(sorted({*result.liberties, Liberty.EXAMPLE})))

    def written(self, item: Item, replies: Sequence[Reply]) -> Written | None:
        """Return the program that counts of a dialogue; None if none has the agreed form."""
        result = self.strategy.result(self.about(item), replies)
        return result.written if isinstance(result, Attempt) else None

    def lessons(self, item: Item, replies: Sequence[Reply]) -> Sequence[Lesson]:
        """Return the steps that made the program which counts: nothing is learnt from a program that was corrected."""
        counting = self.strategy.counting(self.about(item), replies)
        return [lesson for lesson in super().lessons(item, replies) if lesson.step in counting]

    def judge(self, item: Item, replies: Sequence[Reply]) -> Judgement:
        """Execute the program that counts; of a strategy that may ask more than once, why it ended is said."""
        about = self.about(item)
        result = self.strategy.result(about, replies)
        if isinstance(result, Attempt):
            judged = self._judged(item.asked, result)
        else:
            judged = self.wrong(result.outcome, result.error, result.text)
        return replace(judged, stop=self.strategy.stop(about, replies)) if self.strategy.is_dialogue else judged

    def _judged(self, problem: Problem, attempt: Attempt) -> Judgement:
        language = self.language_of(problem)
        about: ByName = {"dialect": language.name, "repairs": attempt.repairs, "policy": _POLICY}
        about |= {"formula": attempt.written.text if attempt.written else None, "forgiven": attempt.forgiven}
        strictly = attempt.strictly
        if strictly is None or strictly.outcome is Outcome.UNPARSABLE:
            about["strictly"] = Strictly.UNREAD
        else:
            about["strictly"] = Strictly.of(strictly.answer == problem.answer)
        if attempt.outcome == "unparsable":
            return replace(self.wrong("unparsable", _detail(attempt)), **about)
        scores = {RIGHT: 0.0, EXECUTABLE: 0.0}
        if attempt.execution is None or attempt.execution.answer is None:
            return Judgement(scores, fault=attempt.outcome, detail=_detail(attempt), **about)
        answer = attempt.execution.answer
        scores = {RIGHT: float(answer == problem.answer), EXECUTABLE: 1.0}
        return Judgement(scores, detail=_detail(attempt), answer=labels(problem).get(answer), **about)

    def chance(self, item: Item) -> Judgement:
        """Return 0: a text drawn uniformly from all of the answer's length is no program."""
        return Judgement({RIGHT: 0.0, EXECUTABLE: 0.0})

    @override
    def reference(self, model_kind: str, items: Sequence[Item], manner: Manner = PLAIN) -> Reference:
        if model_kind not in REFERENCES:
            return super().reference(model_kind, items, manner)

        @lru_cache(maxsize=1)  # items are asked about one after the other
        def translated(item: Item) -> Translation:
            language = self.language_of(item.asked)
            rename: Rename | None = merging if model_kind == "merging" else None
            if model_kind == "drifting":
                rename = drifting(manner.probability, *manner.labels, item.source)
            try:
                gold = vacuous(item.asked, language) if model_kind == "vacuous" else None
                gold = gold or translation(item.asked, language, rename)
            except LineError as error:
                raise ReaderError(f"the program cannot be written: {error}") from error
            if gold is None:
                raise ReaderError(f"there is no gold program of {language}")
            return gold

        def answered(asked: Asked) -> str:
            answer = self.strategy.answer(translated(asked.item), asked.step.part, len(asked.replies))
            return answer_json({REASONING: "The gold program.", **answer})

        return answered


def _detail(attempt: Attempt) -> str | None:
    """Return the solver's message, with what each line was written for, and then the trace."""
    execution, written = attempt.execution, attempt.written
    message = attempt.message
    place = written.places.get(execution.line or 0) if execution is not None and written is not None else None
    if message is not None and place is not None:
        message = f"{message} ({place})"
    trace = traced(execution.trace) if execution is not None else ""
    if len(trace) > MAX_TRACE:
        trace = f"{trace[:MAX_TRACE]}…"
    return "\n".join(filter(None, [message, trace])) or None


def exemplars(
    problem: Problem,
    language: SolverLanguage,
    count: int,
    about: Surroundings,
    strategy: Strategy,
    *,
    varied: bool = False,
    siblings: bool = False,
) -> list[dict[str, str]]:
    """Return solved examples for a problem: as many as wanted, or as there are; in several words if ``varied``.

    They are those of ``solved.Before`` that can be written in the language. With ``siblings`` the first is
    another question about the same statements with its query alone, if there is one, for free English: it shows the
    names, as one example of the same story does in ∀uto∃∨∧L's prompts.

    Raises ``CandidateError`` (``no_exemplar``) if there are none.
    """
    if not count:
        return []
    before = Before(problem, about)
    same = _siblings(before.problem, language, before.problems) if siblings and before.is_free else []
    first = [before.draw.choice(same)] if same else []
    worked = before.solved(count, partial(translation, language=language), varied=varied)
    if not worked and not first:
        raise CandidateError("no_exemplar", f"there is no other problem with a program of {language} as an example")
    rest = [{"text": shown(example), "formula": answer_json(strategy.example(program))} for example, program in worked]
    return [*first, *rest][:count]


def of_same_story(exemplar: Exemplar) -> bool:
    """Return whether an example is another question about the same statements."""
    return exemplar.text.startswith(ASKED)


def _siblings(problem: Problem, language: SolverLanguage, problems: Sequence[Problem]) -> list[dict[str, str]]:
    """Return other questions about the same statements, none with a line of the problem's own program."""
    if language.asks_options:
        return []
    own = gold_answer(problem, language)
    known = {own["query"], *(line["line"] for line in own["lines"])} if own else set()
    queries = {}
    for other in problems:
        if other.context == problem.context and other.question.text != problem.question.text:
            answer = gold_answer(other, language)
            if answer is not None and answer["query"] not in known:
                queries[other.question.text] = answer_json({"query": answer["query"]})
    return [{"text": f"{ASKED}{text}", "formula": query} for text, query in queries.items()]
