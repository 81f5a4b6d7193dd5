"""Which mention of a concept has which of its forms, so that as few mentions as possible share one.

Mentions and the forms that can stand there are a bipartite graph; a largest matching gives the most mentions a form of
their own. Mentions are matched one after another by augmenting paths (Kuhn 1955), which never take a form away from one
that has got its own. So the mentions matched are a largest number among the first n, for every n: a dealing for all
statements, of which only the first are rewritten, has as few repeats there, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from nlfol.problems.lexicon import BASE


def dealt(fitting: Sequence[Sequence[str]], fixed: int) -> list[str]:
    """A form for each mention.

    With k forms that fit m mentions each, and at most one mention fixed, exactly max(0, m + fixed - k) repeats are left.

    Args:
        fitting: of each mention, in order, the forms that fit it beside the base form, the preferred ones first.
        fixed: how many further mentions have the base form.
    """
    owner: dict[str, int] = {}
    for mention in range(len(fitting)):
        _augment(mention, fitting, owner)
    forms = {mention: form for form, mention in owner.items()}
    used = Counter({BASE: fixed} | dict.fromkeys(owner, 1))
    for mention, fits in enumerate(fitting):
        if mention not in forms:
            forms[mention] = min((BASE, *fits), key=lambda form: used[form])
            used[forms[mention]] += 1
    return [forms[mention] for mention in range(len(fitting))]


def _augment(mention: int, fitting: Sequence[Sequence[str]], owner: dict[str, int]) -> None:
    """Give a mention a form of its own, if need be by giving others another, on the shortest path that does."""
    reached: dict[str, int] = {}
    queue = [mention]
    for asking in queue:
        for form in fitting[asking]:
            if form in reached:
                continue
            reached[form] = asking
            if form in owner:
                queue.append(owner[form])
                continue
            while True:
                taker = reached[form]
                given = next((old for old, who in owner.items() if who == taker), None)
                owner[form] = taker
                if taker == mention or given is None:
                    return
                del owner[given]
                form = given
