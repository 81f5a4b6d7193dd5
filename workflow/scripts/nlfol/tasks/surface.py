"""What the look of candidates gives away: their length, brackets and lists, without a word of what they say.

An edit makes a text longer or shorter, so the gold formula has a place of its own among candidates that are one edit
away. A small decision tree learns that place from the items of all stories but the one that is asked about. What it
scores above chance, a model can score without understanding.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray

FOLDS = 50
"""Groups of stories at most: with more stories, some are left out together."""

_MARK = re.compile(r"\(\d+(?:\.\d+)*\)")


class Shown(NamedTuple):
    """An item as it is shown.

    Attributes:
        story: it is never learnt from for an item of the same story.
        texts: of its candidates.
        grades: how close each is to the sentence: the greater, the closer.
    """

    story: str
    texts: Sequence[str]
    grades: Sequence[int]


def features(text: str) -> list[int]:
    """Of one text: characters, words, opening brackets, how deep brackets or lists are nested, and lists."""
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
    """The grades that the look of each item's candidates suggests, learnt from other stories.

    Raises:
        ValueError: if all items are of one story.
    """
    import numpy as np
    from sklearn.model_selection import GroupKFold
    from sklearn.tree import DecisionTreeClassifier

    stories = np.array([item.story for item in items for _ in item.texts])
    folds = min(FOLDS, len(set(stories)))
    if folds < 2:
        raise ValueError("all items are of one story, so there is nothing to learn from; ask items of several")
    seen = np.vstack([_compared(item.texts) for item in items])
    grades = np.array([grade for item in items for grade in item.grades])
    found = np.zeros(len(grades))
    for learnt, asked in GroupKFold(folds).split(seen, groups=stories):
        tree = DecisionTreeClassifier(max_depth=8, min_samples_leaf=20, random_state=0)
        tree.fit(seen[learnt], grades[learnt])
        found[asked] = tree.predict_proba(seen[asked]) @ tree.classes_
    # Candidates of one leaf tie, whatever the order in which products are summed.
    rounded = iter(found.round(9).tolist())
    return [[next(rounded) for _ in item.texts] for item in items]


def _compared(texts: Sequence[str]) -> NDArray[Any]:
    """A row a text: each feature less its mean in the set, and its rank there from -1 to 1, also squared."""
    import numpy as np
    from scipy.stats import rankdata

    values = np.array([features(text) for text in texts], dtype=float)
    ranks = 2 * (rankdata(values, axis=0) - 1) / max(len(texts) - 1, 1) - 1
    return np.hstack([values - values.mean(axis=0), ranks, ranks**2])
