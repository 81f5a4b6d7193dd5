"""How much an English text has in common with a reference, by words and characters: BLEU, chrF and ROUGE-L.

None measures meaning. BLEU (Papineni et al., 2002) and chrF (Popović, 2015) are sacrebleu's for a single sentence, with
its defaults; ROUGE-L (Lin, 2004) is the F1 of the longest common subsequence of words, in lower case.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

BLEU, CHRF, ROUGE_L = "bleu", "chrf", "rouge_l"
OVERLAPS = (BLEU, CHRF, ROUGE_L)

_WORD = re.compile(r"[^\W_]+")


def overlaps(text: str, reference: str) -> dict[str, float]:
    """Each of ``OVERLAPS`` in [0, 1]; 1 for the same text."""
    words, chars = _scorers()
    # Rounding can take the geometric mean of ones a little above one.
    bleu = min(1.0, float(words.sentence_score(text, [reference]).score) / 100)
    chrf = min(1.0, float(chars.sentence_score(text, [reference]).score) / 100)
    return {BLEU: bleu, CHRF: chrf, ROUGE_L: rouge_l(text, reference)}


def rouge_l(text: str, reference: str) -> float:
    """The F1 of the longest common subsequence of words; 0 where a text has no word."""
    words, wanted = (_WORD.findall(each.lower()) for each in (text, reference))
    if not words or not wanted:
        return 0.0
    row = [0] * (len(wanted) + 1)
    for word in words:
        before = row
        row = [0]
        for place, other in enumerate(wanted):
            row.append(before[place] + 1 if word == other else max(row[place], before[place + 1]))
    return 2 * row[-1] / (len(words) + len(wanted))


@cache
def _scorers() -> tuple[Any, Any]:
    # Jobs that ask models name the task, and have no such package.
    from sacrebleu.metrics import bleu, chrf

    return bleu.BLEU(effective_order=True), chrf.CHRF()
