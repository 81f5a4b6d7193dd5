"""Rewritten problems, with a certificate that they are still the same problems.

>>> from nlfol.problems import read_lexicon
>>> from nlfol.problems.families import generate
>>> from nlfol.problems.forms import read_forms
>>> lexicon = read_lexicon()
>>> problem = generate("rules", seed=1, count=1, lexicon=lexicon)[0]
>>> made = diversify(problem, read_forms(lexicon), Settings(), "example").problem
>>> [each.line for each in made.statements] == [each.line for each in problem.statements]
True
"""

from nlfol.problems.rewording.diversifying import TYPES, Diversified, Settings, diversify, repeats
from nlfol.problems.rewording.forms import Refused, usable

__all__ = ["TYPES", "Diversified", "Refused", "Settings", "diversify", "repeats", "usable"]
