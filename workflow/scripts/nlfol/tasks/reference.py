"""References: answerers without a language model, which follow a task's plan and are judged as dialogue models are.

The ``reader`` parses English by its grammar and decides by proof: it is the ceiling. Free English it cannot read, so
with candidates it is given the gold formula as the meaning of the sentence: its score shows that the texts of the
candidates alone, as models see them, settle every item, with one answer only. It sees neither their formulas nor their
roles. The ``echo`` repeats what it is shown, the ``coder`` writes it in a code. Of programs, ``drifting`` has a new
name for a concept now and then, and ``merging`` one for all.

Floors are the ``constant``, which gives one answer to everything, and two that see the candidates and not the sentence.
The ``medoid`` takes those nearest to all others, by edit distance of tokens: a formula whose single edits stand around
it is in their middle. ``surface`` goes by nearness, length, brackets and lists: boosted trees learn the place of the
gold formula from the items of other stories. What they score above chance, a model can score without understanding.
Three see the sentence as well, and do no logic (``cues``): ``words`` counts what it has in common with a candidate,
``order`` compares the order of words, and the ``learner`` learns from other stories which of all this tells.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from nlfol.facts import CodingName
from nlfol.logic.english.reading import read_english
from nlfol.logic.english.wording import EnglishSyntaxError
from nlfol.logic.equivalence import Outcome, equivalence
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.syntax import Formula
from nlfol.sets.distances import nearness
from nlfol.tasks.answers import REASONING
from nlfol.tasks.item import Item
from nlfol.tasks.plan import Plan, Reply, Step

if TYPE_CHECKING:
    from numpy.typing import NDArray

FOLDS = 10
"""Groups of stories at most: with more stories, some are left out together."""

_MARK = re.compile(r"\(\d+(?:\.\d+)*\)")


@dataclass(frozen=True, slots=True)
class Asked:
    """A step of a task's plan that a reference is asked, with the replies to the steps before."""

    item: Item
    presentation: str
    step: Step
    replies: tuple[Reply, ...]


@dataclass(frozen=True, slots=True)
class Manner:
    """Settings of a reference from its entry.

    ``answer`` is that of a ``constant``, ``coding`` that of a ``coder``, ``probability`` that with which ``drifting``
    gives a mention a name of its own.
    """

    answer: str | None = None
    probability: float = 0.0
    labels: tuple[str | int, ...] = ()
    coding: CodingName = "prefix"


PLAIN = Manner()
"""The settings of an entry that has none."""

Reference = Callable[[Asked], str]
"""The answer to a step, as JSON of the form that it agrees on.

It raises ``ReaderError`` where the question does not settle the answer.
"""


class ReaderError(ValueError):
    """Texts that leave the question open, such as one that cannot be read."""


def reasoned(reasoning: str, answered: int | str | list[int]) -> str:
    """Return an answer with reasoning before it as JSON."""
    return answer_json({"reasoning": reasoning, "answer": answered})


def as_agreed(answer: str, step: Step) -> str:
    """Return an answer without its reasoning where a step asks for none."""
    if REASONING in step.schema["properties"]:
        return answer
    return answer_json({name: part for name, part in json.loads(answer).items() if name != REASONING})


def answer_json(answer: Any) -> str:
    """Return an answer of any form as JSON."""
    return json.dumps(answer, ensure_ascii=False)


def dialogue(plan: Plan, reference: Reference, item: Item, presentation: str, seed: int) -> list[tuple[Step, Reply]]:
    """Return the steps of a plan with a reference's answers; the last has failed if it has none."""
    exchanged: list[tuple[Step, Reply]] = []
    while True:
        replies = tuple(reply for _, reply in exchanged)
        step = plan.following(item, presentation, seed, replies)
        if not isinstance(step, Step):
            return exchanged
        try:
            answer = as_agreed(reference(Asked(item, presentation, step, replies)), step)
        except ReaderError as error:
            return [*exchanged, (step, Reply(step.part, "failed", None, step.order, str(error)))]
        exchanged.append((step, Reply(step.part, "answered", answer, step.order)))


# Candidates


def read_candidate(number: int, text: str, ontology: Ontology) -> Formula:
    """Return the formula that a candidate's English says; raises ``ReaderError`` naming the candidate."""
    try:
        return read_english(text, ontology)
    except EnglishSyntaxError as error:
        raise ReaderError(f"candidate {number} cannot be read: {error}") from error


def equivalent(subject: str, meaning: Formula, candidates: Sequence[Formula], wanted: int) -> list[int]:
    """Return the numbers, from 1, of the candidates, as shown, that are equivalent to a formula.

    Raises ``ReaderError``, with the formula in words, if there are more or fewer than wanted, or one is not decided.
    """
    outcomes = [equivalence(meaning, candidate).outcome for candidate in candidates]
    for number, outcome in enumerate(outcomes, 1):
        if outcome not in (Outcome.EQUIVALENT, Outcome.NOT_EQUIVALENT):
            raise ReaderError(f"whether candidate {number} is equivalent to {subject} is {outcome}")
    numbers = [number for number, outcome in enumerate(outcomes, 1) if outcome is Outcome.EQUIVALENT]
    if len(numbers) != wanted:
        raise ReaderError(f"{len(numbers)} candidates are equivalent to {subject}, {wanted} should be: {numbers}")
    return numbers


class Shown(NamedTuple):
    """An item as it is shown; the greater the grade of a candidate, the closer it is to the sentence."""

    story: str
    texts: Sequence[str]
    grades: Sequence[int]
    sentence: str = ""


def features(text: str) -> list[int]:
    """Count characters, words, opening brackets, the depth of brackets or lists, and lists."""
    marks = _MARK.findall(text)
    brackets = _MARK.sub("", text)
    depth = deepest = 0
    for character in brackets:
        depth += (character == "(") - (character == ")")
        deepest = max(deepest, depth)
    levels = max((mark.count(".") + 1 for mark in marks), default=0)
    lists = sum(mark.removesuffix(")").endswith(("(1", ".1")) for mark in set(marks))
    return [len(text), len(text.split()), brackets.count("("), max(deepest, levels), lists]


def expected_grades(items: Sequence[Shown]) -> list[list[float]]:
    """Return grades by the look of candidates, learnt from other stories; ``ValueError`` if there is only one."""
    import numpy as np

    stories = [item.story for item in items for _ in item.texts]
    seen = np.vstack([_compared(item.texts) for item in items])
    expected = iter(learnt_grades(stories, seen, [grade for item in items for grade in item.grades]))
    return [[next(expected) for _ in item.texts] for item in items]


def learnt_grades(
    stories: Sequence[str], seen: NDArray[Any], grades: Sequence[int], learner: Callable[[], Any] | None = None
) -> list[float]:
    """Return the grade of each row of features that a learner, or trees, expect, learnt from other stories.

    Raises ``ValueError`` if there is only one.
    """
    import numpy as np
    from sklearn.ensemble import GradientBoostingClassifier
    from sklearn.model_selection import GroupKFold

    folds = min(FOLDS, len(set(stories)))
    if folds < 2:
        raise ValueError("all items are of one story, so there is nothing to learn from; ask items of several")
    given, expected = np.array(grades), np.zeros(len(grades))
    for learnt, asked in GroupKFold(folds).split(seen, groups=np.array(stories)):
        model = learner() if learner else GradientBoostingClassifier(n_estimators=60, max_depth=4, random_state=0)
        model.fit(seen[learnt], given[learnt])
        expected[asked] = model.predict_proba(seen[asked]) @ model.classes_
    # What looks alike ties, whatever the order in which products are summed.
    rounded: list[float] = expected.round(9).tolist()
    return rounded


def _compared(texts: Sequence[str]) -> NDArray[Any]:
    """Return for each text its features less their means in the set, and their ranks from -1 to 1, also squared."""
    import numpy as np
    from scipy.stats import rankdata

    values = np.array([[*features(text), away] for text, away in zip(texts, nearness(texts), strict=True)], dtype=float)
    ranks = 2 * (rankdata(values, axis=0) - 1) / max(len(texts) - 1, 1) - 1
    return np.hstack([values - values.mean(axis=0), ranks, ranks**2])
