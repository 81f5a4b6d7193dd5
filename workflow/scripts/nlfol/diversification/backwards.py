"""Whether a problem's label also holds for readers who conclude backwards: not big, so not red.

Clauses are executed forwards only. "Nothing that is red is blue" invites the conclusion from blue to not red, so it is
said only where classical entailment, which draws it, gives the same label.
"""

from nlfol.logic import Label, entails, parse
from nlfol.problems.gold import gold_lines
from nlfol.problems.problem import Problem
from nlfol.programs import LANGUAGES
from nlfol.programs.outcome import Truth, by_truth

_TRUTHS = {Label.TRUE: Truth.TRUE, Label.FALSE: Truth.FALSE, Label.UNCERTAIN: Truth.UNKNOWN}


def holds_backwards(problem: Problem) -> bool:
    """Return whether classical entailment gives the label, too; False where it is open or premises contradict."""
    gold = gold_lines(problem)
    as_formula = gold.language.writer(LANGUAGES["formulas"])
    if as_formula is None:
        return False
    premises = [parse(as_formula(line)) for lines in gold.lines.values() for line in lines]
    found = entails(premises, parse(as_formula(problem.question.line or "")))
    truth = _TRUTHS.get(found.label)
    return not found.inconsistent and truth is not None and by_truth(problem.lettered).get(truth) == problem.answer
