"""Problems of our own, drawn by seed: balanced by label, stratified by depth.

    >>> from nlfol.problems import read_lexicon
    >>> from nlfol.problems.families import generate
    >>> first = generate("rules", seed=1, count=1, lexicon=read_lexicon())[0]
    >>> first.answer_text, first.depth
    ('True', 1)

A problem depends on seed, family, range of depths and its number alone, so a larger count keeps those of a smaller one.
"""

from nlfol.problems.families.generating import FAMILIES, generate

__all__ = ["FAMILIES", "generate"]
