"""Assembly of rewritten problems: one sentence for each statement, with as few repeated words as possible."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from nlfol.mappings import AnyRow
from nlfol.problems.problem import Mention, Problem, Reason, Rewrite, Statement
from nlfol.problems.rewording.paper.expressions import Expression, repeated
from nlfol.randomness import generator

AS_IT_IS = 0
"""The candidate of every statement that is the statement itself."""


class Change(NamedTuple):
    """An expression of a statement in other words: ``before``, at ``start`` in it, is ``after``."""

    level: str
    type: str
    concept: str
    start: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that may stand for a statement, with its similarity to it; the statement itself has no changes."""

    text: str
    changes: tuple[Change, ...] = ()
    similarity: float = 1.0

    @property
    def type(self) -> str:
        """The types of its changes."""
        return "+".join(dict.fromkeys(change.type for change in self.changes))


Sets = Sequence[Sequence[Candidate]]
"""The candidates of each statement, the statement itself first."""


def candidate_sets(
    problem: Problem, proposals: Sequence[AnyRow], similarities: Mapping[tuple[int, str], float], most: int
) -> list[list[Candidate]]:
    """Collect at most ``most`` candidates of each statement beside itself, the most similar first.

    ``proposals`` are the usable rows of PROPOSALS: those with one sentence are its changes, of which the first at a
    place counts. ``similarities`` has the sentences kept, by place and sentence.
    """
    sets: list[list[Candidate]] = []
    for index, statement in enumerate(problem.statements):
        kept: dict[str, dict[int, Change]] = {}
        for row in proposals:
            if row["statement"] == index and (index, row["sentence"]) in similarities:
                change = Change(*(row[name] for name in Change._fields))
                kept.setdefault(row["sentence"], {}).setdefault(change.start, change)
        made = [
            Candidate(text, tuple(changes[start] for start in sorted(changes)), similarities[index, text])
            for text, changes in kept.items()
        ]
        ranked = sorted(made, key=lambda candidate: -candidate.similarity)
        sets.append([Candidate(statement.text), *ranked[:most]])
    return sets


def limited(
    problem: Problem, sets: Sequence[Sequence[Candidate]], intensity: float, at_most: int | None, *labels: str | int
) -> list[list[Candidate]]:
    """Keep other sentences for a share of the statements only, and for at most ``at_most`` of them.

    The statements of a smaller share, and of fewer, are among those of a larger one with the same labels.
    """
    order = generator(*labels, problem.name, "paper").sample(range(len(sets)), len(sets))
    share = order[: math.ceil(intensity * len(sets) - 1e-9)]
    kept = [index for index in share if len(sets[index]) > 1][:at_most]
    return [list(several if index in kept else several[:1]) for index, several in enumerate(sets)]


def with_fewest_repeats(problem: Problem, sets: Sets, chosen: Mapping[int, int]) -> list[int]:
    """Choose a candidate for each statement so that words repeat little, and keep the choices made already, by place.

    Statement by statement, take the candidate whose words are used least elsewhere, the more similar of equal ones,
    until no statement alone can do better: deterministic, and optimal except for changes of several at once.
    """
    expressions: list[list[Expression]] = [[] for _ in problem.statements]
    for expression in repeated(problem):
        expressions[expression.statement].append(expression)
    choice = [chosen.get(index, AS_IT_IS) for index in range(len(sets))]

    def words(index: int, candidate: int) -> list[tuple[str, str]]:
        changed = {(change.concept, change.start): change.after for change in sets[index][candidate].changes}
        spoken = (
            (expression.concept, changed.get((expression.concept, expression.start), expression.words))
            for expression in expressions[index]
        )
        return [(concept, text.lower()) for concept, text in spoken]

    counts = Counter(pair for index, candidate in enumerate(choice) for pair in words(index, candidate))
    for sentence in (problem.question, *problem.options):
        counts.update(
            (mention.concept, sentence.text[mention.start : mention.end].lower()) for mention in sentence.mentions
        )
    open_places = [index for index in range(len(sets)) if index not in chosen and len(sets[index]) > 1]
    for _ in range(len(open_places) + 1):
        before = list(choice)
        for index in open_places:
            counts.subtract(words(index, choice[index]))

            def cost(candidate: int, index: int = index) -> tuple[int, float, int]:
                own = words(index, candidate)
                shared = sum(counts[pair] > 0 for pair in own) + len(own) - len(set(own))
                return shared, -sets[index][candidate].similarity, candidate

            choice[index] = min(range(len(sets[index])), key=cost)
            counts.update(words(index, choice[index]))
        if choice == before:
            break
    return choice


def assembled(problem: Problem, sets: Sets, choice: Sequence[int]) -> Problem:
    """Put the chosen sentences into the problem, or refuse it if no statement has another candidate.

    Its gold program and answer are those of the original; the sentences are not read back.
    """
    if all(len(candidates) == 1 for candidates in sets):
        reason = "no rewrite was similar enough" if repeated(problem) else "no concept is said twice"
        return problem.refused(Reason.NOT_REWRITTEN, f"{problem.name}: {reason}")
    picked = [candidates[number] for candidates, number in zip(sets, choice, strict=True)]
    statements = tuple(
        statement if candidate.text == statement.text else _restated(statement, candidate)
        for statement, candidate in zip(problem.statements, picked, strict=True)
    )
    rewrites = tuple(
        Rewrite(index, change.level, change.type, change.before, change.after)
        for index, candidate in enumerate(picked)
        for change in candidate.changes
    )
    return replace(problem, statements=statements, rewrites=rewrites)


def _restated(statement: Statement, candidate: Candidate) -> Statement:
    """Return the sentence, with its mentions if each is found: where it stood, or by words that occur once."""
    changed = {change.start: change for change in candidate.changes}
    is_whole = any(change.level == "sentence" for change in candidate.changes)
    mentions: list[Mention] = []
    shift = 0
    for mention in sorted(statement.mentions):
        change = changed.get(mention.start)
        words = change.after if change else statement.text[mention.start : mention.end]
        # An article before other words may be a letter longer or shorter.
        expected = [] if is_whole else [mention.start + shift + by for by in (0, 1, -1)]
        start = next((at for at in expected if candidate.text[at : at + len(words)] == words), None)
        if start is None:
            start = candidate.text.lower().find(words.lower())
            if start < 0 or candidate.text.lower().find(words.lower(), start + 1) >= 0:
                return Statement(candidate.text, statement.line)
        shift = start + len(words) - mention.end
        mentions.append(Mention(start, start + len(words), mention.concept, change.type if change else mention.form))
    return Statement(candidate.text, statement.line, tuple(mentions))
