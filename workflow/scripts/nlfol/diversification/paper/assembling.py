"""Assembly of rewritten problems: one sentence for each statement, with as few repeated words as possible."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from nlfol.diversification.paper.expressions import Expression, repeated
from nlfol.problems.problem import Mention, Problem, Reason, Rewrite, Statement
from nlfol.randomness import generator

AS_IT_IS = 0
"""The candidate of every statement that is the statement itself."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that may stand for a statement, with its similarity to it.

    The words ``before``, at ``start`` in the statement, are replaced by ``after``. Level, type and concept of the
    statement itself are empty.
    """

    text: str
    level: str = ""
    type: str = ""
    concept: str = ""
    start: int = 0
    before: str = ""
    after: str = ""
    similarity: float = 1.0


Sets = Sequence[Sequence[Candidate]]
"""The candidates of each statement, the statement itself first."""


def candidate_sets(
    problem: Problem, proposals: Sequence[Mapping[str, Any]], similarities: Mapping[tuple[int, str], float], most: int
) -> list[list[Candidate]]:
    """Collect at most so many candidates of each statement beside itself, the most similar first.

    ``proposals`` are the usable rows of PROPOSALS; ``similarities`` has the sentences kept, by place and sentence.
    """
    sets: list[list[Candidate]] = []
    for place, statement in enumerate(problem.statements):
        kept: dict[str, Candidate] = {}
        for row in proposals:
            if row["statement"] == place and (place, row["sentence"]) in similarities:
                values = {name: row[name] for name in ("level", "type", "concept", "start", "before", "after")}
                made = Candidate(row["sentence"], **values, similarity=similarities[place, row["sentence"]])
                kept.setdefault(made.text, made)
        ranked = sorted(kept.values(), key=lambda candidate: -candidate.similarity)
        sets.append([Candidate(statement.text), *ranked[:most]])
    return sets


def limited(
    problem: Problem, sets: Sequence[Sequence[Candidate]], intensity: float, at_most: int | None, *labels: str | int
) -> list[list[Candidate]]:
    """Leave other sentences to a share of the statements alone, and to at most so many of them.

    The statements of a smaller share, and of fewer, are among those of a larger one with the same labels.
    """
    order = generator(*labels, problem.name, "paper").sample(range(len(sets)), len(sets))
    share = order[: math.ceil(intensity * len(sets) - 1e-9)]
    kept = [place for place in share if len(sets[place]) > 1][:at_most]
    return [list(several if place in kept else several[:1]) for place, several in enumerate(sets)]


def with_fewest_repeats(problem: Problem, sets: Sets, chosen: Mapping[int, int]) -> list[int]:
    """Choose a candidate for each statement so that words repeat little, and keep the choices made already, by place.

    Statement by statement, take the candidate whose words are used least elsewhere, the more similar of equal ones,
    until no statement alone can do better: deterministic, and optimal except for changes of several at once.
    """
    expressions: list[list[Expression]] = [[] for _ in problem.statements]
    for expression in repeated(problem):
        expressions[expression.statement].append(expression)
    choice = [chosen.get(place, AS_IT_IS) for place in range(len(sets))]

    def words(place: int, candidate: int) -> list[tuple[str, str]]:
        return list(_words(expressions[place], sets[place][candidate]))

    counts = Counter(pair for place, candidate in enumerate(choice) for pair in words(place, candidate))
    for sentence in (problem.question, *problem.options):
        counts.update((each.concept, sentence.text[each.start : each.end].lower()) for each in sentence.mentions)
    open_places = [place for place in range(len(sets)) if place not in chosen and len(sets[place]) > 1]
    for _ in range(len(open_places) + 1):
        before = list(choice)
        for place in open_places:
            counts.subtract(words(place, choice[place]))

            def cost(candidate: int, place: int = place) -> tuple[int, float, int]:
                own = words(place, candidate)
                shared = sum(counts[pair] > 0 for pair in own) + len(own) - len(set(own))
                return shared, -sets[place][candidate].similarity, candidate

            choice[place] = min(range(len(sets[place])), key=cost)
            counts.update(words(place, choice[place]))
        if choice == before:
            break
    return choice


def _words(expressions: Sequence[Expression], candidate: Candidate) -> Iterator[tuple[str, str]]:
    for each in expressions:
        is_it = candidate.concept == each.concept and candidate.start == each.start
        yield each.concept, (candidate.after if is_it else each.words).lower()


def assembled(problem: Problem, sets: Sets, choice: Sequence[int]) -> Problem:
    """Put the chosen sentences into the problem, or refuse it if no statement has another candidate.

    Its gold program and answer are those of the original; the sentences are not read back.
    """
    if all(len(candidates) == 1 for candidates in sets):
        what = "no rewrite was similar enough" if repeated(problem) else "no concept is said twice"
        return problem.refused(Reason.NOT_REWRITTEN, f"{problem.name}: {what}")
    picked = [candidates[number] for candidates, number in zip(sets, choice, strict=True)]
    statements = tuple(
        statement if candidate.text == statement.text else _restated(statement, candidate)
        for statement, candidate in zip(problem.statements, picked, strict=True)
    )
    rewrites = tuple(
        Rewrite(place, candidate.level, candidate.type, candidate.before, candidate.after)
        for place, (candidate, number) in enumerate(zip(picked, choice, strict=True))
        if number != AS_IT_IS
    )
    return replace(problem, statements=statements, rewrites=rewrites)


def _restated(statement: Statement, candidate: Candidate) -> Statement:
    """Return the sentence, with its mentions if the words of each occur in it once, else without any."""
    mentions: list[Mention] = []
    shift = len(candidate.text) - len(statement.text)
    for each in statement.mentions:
        is_it = each.start == candidate.start
        words = candidate.after if is_it else statement.text[each.start : each.end]
        form = candidate.type if is_it else each.form
        # An article before other words may be a letter longer or shorter.
        places = [each.start, each.start + shift, each.start + 1, each.start - 1]
        places = places if candidate.level != "sentence" else []
        start = next((at for at in places if candidate.text[at : at + len(words)] == words), None)
        if start is None:
            start = candidate.text.lower().find(words.lower())
            if start < 0 or candidate.text.lower().find(words.lower(), start + 1) >= 0:
                return Statement(candidate.text, statement.line)
        mentions.append(Mention(start, start + len(words), each.concept, form))
    return Statement(candidate.text, statement.line, tuple(mentions))
