"""Which mention of a concept has which of its forms: as few mentions as possible share one.

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

    Of m mentions, of which at most one is fixed, that k forms fit each, exactly max(0, m - k) repeat another's form.

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
    """Give a mention a form of its own, if need be by giving others another, on a shortest path that does."""
    asked_by: dict[str, int] = {}
    queue = [mention]
    for asking in queue:
        for form in fitting[asking]:
            if form in asked_by:
                continue
            asked_by[form] = asking
            if form in owner:
                queue.append(owner[form])
            else:
                _hand_on(form, mention, asked_by, owner)
                return


def _hand_on(free: str, mention: int, asked_by: dict[str, int], owner: dict[str, int]) -> None:
    """Give the free form to who asked for it, that one's to who asked for that, and so on to the mention."""
    while True:
        taker = asked_by[free]
        left = next((form for form, has in owner.items() if has == taker), "")
        owner[free] = taker
        if taker == mention:
            return
        free = left
