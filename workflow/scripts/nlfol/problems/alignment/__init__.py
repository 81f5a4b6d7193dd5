"""Alignment of a program's symbols with the concepts of the gold program, and its measures.

    >>> from nlfol.problems.alignment import align, measure
    >>> from nlfol.problems.programs import CLAUSES, Lines
    >>> gold = {"1": ("Cold(bob, True)",), "2": ("Cold(ann, True)",)}, {"query": "Cold(ann, True)"}
    >>> other = {"1": ("Icy(bob, True)",), "2": ("Warm(ann, False)",)}, {"query": "Icy(ann, True)"}
    >>> gold, other = (Lines(CLAUSES, *each) for each in (gold, other))
    >>> measure(align(gold, other)).dispersion_of_all
    Share(sum=1, of=3)

``align`` finds for each sentence the maps of concepts under which its gold line means what the program's lines mean,
and chooses those with the fewest symbols. ``measure`` gives dispersion and collision, ``cause_of`` why an answer is
wrong. ``judge_story`` judges formulas in a vocabulary of their own by definitions of the gold concepts.
"""

from nlfol.problems.alignment.aligning import Alignment, Basis, align
from nlfol.problems.alignment.causes import Cause, Explanation, cause_of
from nlfol.problems.alignment.definitions import Known, StoryVerdict, judge_story
from nlfol.problems.alignment.drifting import Rename, drifting, merging, rewritten
from nlfol.problems.alignment.measures import Measures, Share, expressions, is_consistent, mean, measure, table_quality
from nlfol.problems.programs.symbols import Conjunct, Image, LineError, Symbol, SymbolKind, shown

__all__ = [
    "Alignment", "Basis", "Cause", "Conjunct", "Explanation", "Image", "Known", "LineError", "Measures", "Rename",
    "Share", "StoryVerdict", "Symbol", "SymbolKind", "align", "cause_of", "drifting", "expressions", "is_consistent",
    "judge_story", "mean", "measure", "merging", "rewritten", "shown", "table_quality",
]  # fmt: skip
