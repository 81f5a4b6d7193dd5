"""BLEU of a translation against the gold formula (paper, table 5).

BLEU (Papineni et al., 2002) of one formula against one reference, by sacrebleu, without smoothing. Both are taken in
the canonical notation and split into its tokens: every name, connective, quantifier, parenthesis and comma is one. As
in the paper, n-grams go up to four or to the length of the shorter formula, whichever is less.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from nlfol.logic.printing import to_unicode
from nlfol.logic.reading.strict.lexing import tokens_of
from nlfol.logic.syntax import Formula

_LONGEST = 4


def bleu(gold: Formula, translation: Formula) -> float:
    """BLEU in [0, 1]; 1 for the same text, 0 where no n-gram of the largest order is common."""
    reference, written = _tokens(gold), _tokens(translation)
    scorer = _scorer(min(_LONGEST, len(reference), len(written)))
    # As a corpus of one sentence: of a sentence, sacrebleu would advise at each call to take another measure.
    score = float(scorer.corpus_score([" ".join(written)], [[" ".join(reference)]]).score) / 100
    # Rounding can take the geometric mean of ones a little above one.
    return min(score, 1.0)


def _tokens(formula: Formula) -> list[str]:
    return [token for token in tokens_of(to_unicode(formula)) if token]


@cache
def _scorer(order: int) -> Any:
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(max_ngram_order=order, smooth_method="none", tokenize="none", effective_order=False)
