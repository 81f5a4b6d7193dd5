"""Several drafts of a program, and what counts of them: that on which most agree. Labels have no part in it.

``majority`` is after LINC (Olausson, Gu, Lipkin, Zhang, Solar-Lezama, Tenenbaum and Levy, EMNLP 2023): a program is
drawn several times, the solver executes each draft, and the answer of most counts; drafts without one have no vote.
``agreed_on`` is the first of CLOVER's two ways to choose, by logical consistency (see ``dividing``): of the lines drawn
for a sentence, one counts to which most are equivalent.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from typing_extensions import override

from nlfol.problems.alignment import LineError
from nlfol.problems.alignment.aligning import MAX_MENTIONS
from nlfol.problems.programs.language import QUERY, Lines, SolverLanguage
from nlfol.tasks.plan import Reply, Step
from nlfol.tasks.program_answers import Attempt, Option, Variable, Written, put_together
from nlfol.tasks.strategies.strategy import COMPLETED, UNFINISHED, About, Once, Text, ended, is_answered


class Majority(Once):
    """Several drafts; the first with the answer of most counts, or without any answer the first of all."""

    is_dialogue = True
    keys = frozenset({"drafts"})
    drafts = 10

    @override
    def most_steps(self, about: About) -> int:
        return about.drafts

    @override
    def stop(self, about: About, replies: Sequence[Reply]) -> str | None:
        return ended(replies, 0) or (COMPLETED if len(replies) == about.drafts else None)

    @override
    def step(self, about: About, replies: Sequence[Reply], text: Text) -> Step:
        return replace(super().step(about, (), text), draw=len(replies))

    @override
    def counting(self, about: About, replies: Sequence[Reply]) -> Collection[int]:
        if self.stop(about, replies) is None:
            raise ValueError(UNFINISHED)
        if ended(replies, 0):
            return (len(replies) - 1,)
        executions = [self.attempt(about, reply).execution if is_answered(reply) else None for reply in replies]
        answers = [execution and execution.answer for execution in executions]
        votes = Counter(answer for answer in answers if answer is not None)
        return (answers.index(max(votes, key=votes.__getitem__)) if votes else 0,)

    @override
    def result(self, about: About, replies: Sequence[Reply]) -> Attempt | Reply:
        (chosen,) = self.counting(about, replies)
        return super().result(about, [replies[chosen]])


def agreed_on(about: About, drafts: Sequence[Written]) -> Written:
    """Return the first draft whose lines are all agreed on by most, or else a program of such lines.

    Of lines with as many that agree, those count that were drawn first; what cannot be read agrees with its like alone.
    """
    programs = [about.language.normalized(draft.program) for draft in drafts]
    language = Counter(about.language.within(program) for program in programs).most_common(1)[0][0]
    given = [program.places for program in programs]
    lines: dict[str, tuple[str, ...]] = {}
    agreeing = set(range(len(drafts)))
    for place in dict.fromkeys(chain.from_iterable(given)):
        alike = _most_alike(language, [places.get(place, ()) for places in given])
        lines[place] = given[alike[0]].get(place, ())
        agreeing &= set(alike)
    return drafts[min(agreeing)] if agreeing else _composed(about, programs, lines)


def _composed(about: About, programs: Sequence[Lines], lines: Mapping[str, tuple[str, ...]]) -> Written:
    sentences = {place for program in programs for place in program.lines}
    stated = [(int(place), line) for place in sorted(sentences, key=int) for line in lines[place]]
    if not about.language.asks_options:
        return put_together(about.language, about.problem, stated, lines[QUERY][0])
    asked = [Option(option=place, line=line) for place in lines if place not in sentences for line in lines[place]]
    declared = Counter(tuple(program.variables) for program in programs).most_common(1)[0][0]
    parted = [line.partition(" [IN] ") for line in declared]
    variables = [Variable(name=name, values=values) for name, _, values in parted]
    return put_together(about.language, about.problem, stated, asked, variables)


def _most_alike(language: SolverLanguage, lines: Sequence[tuple[str, ...]]) -> list[int]:
    """Return the numbers of the lines of the largest class of equivalent ones; of several, of that begun first."""
    classes: list[list[int]] = []
    for number, own in enumerate(lines):
        for alike in classes:
            if _is_same(language, lines[alike[0]], own):
                alike.append(number)
                break
        else:
            classes.append([number])
    return max(classes, key=len)


def _is_same(language: SolverLanguage, first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    if first == second or not (first and second):
        return first == second
    try:
        mentions = max(len(language.numbered(lines).mentions) for lines in (first, second))
        return mentions <= MAX_MENTIONS and language.same(first, second)
    except LineError:
        return False
