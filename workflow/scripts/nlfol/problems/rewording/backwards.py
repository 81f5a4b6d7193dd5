"""A check that a problem's label also holds for readers who conclude backwards: not big, so not red.

Clauses are executed forwards only. "Nothing that is red is blue" invites the conclusion from blue to not red, so it is
said only where classical entailment, which draws it, gives the same label. What is derived forwards is entailed, so it
is enough that premises have a model; of an unknown question, one in which it holds and one in which it fails. A model
is sought beside what is derived, with all else false, or true; if neither is one, the premises are tested.
"""

from collections.abc import Mapping, Sequence
from itertools import product

from nlfol.logic import Label, entails, parse
from nlfol.problems.gold import gold_lines, program
from nlfol.problems.problem import Problem
from nlfol.problems.programs import LANGUAGES
from nlfol.problems.programs.clauses import Clause, Literal, read_clauses
from nlfol.problems.programs.clauses.chaining import chain
from nlfol.problems.programs.outcome import Truth, by_truth

_TRUTHS = {Label.TRUE: Truth.TRUE, Label.FALSE: Truth.FALSE, Label.UNCERTAIN: Truth.UNKNOWN}

_ANYTHING_ELSE = "$else"
"""An individual without a name: what is said of all is said of it."""


def holds_backwards(problem: Problem) -> bool:
    """Return whether classical entailment gives the label, too; False where it is open or premises contradict."""
    read = read_clauses(program(problem))
    (truth,) = (truth for truth, letter in by_truth(problem.lettered).items() if letter == problem.answer)
    wanted = {Truth.TRUE: [read.query], Truth.FALSE: [read.query.opposite]}
    if all(_have_model(read.clauses, literal) for literal in wanted.get(truth, [read.query, read.query.opposite])):
        return True
    gold = gold_lines(problem)
    as_formula = gold.language.writer(LANGUAGES["formulas"])
    assert as_formula is not None
    premises = [parse(as_formula(line)) for lines in gold.lines.values() for line in lines]
    entailment = entails(premises, parse(as_formula(problem.question.line or "")))
    return not entailment.inconsistent and _TRUTHS.get(entailment.label) is truth


def _have_model(clauses: Sequence[Clause], query: Literal) -> bool:
    """Return whether a model of clauses and a literal is found."""
    known = chain([*clauses, Clause(0, (), (query,))])
    if any(literal.opposite in known for literal in known):
        return False
    names = {name for literal in known for name in literal.arguments} | {_ANYTHING_ELSE}
    return any(all(_holds(clause, known, sorted(names), rest) for clause in clauses) for rest in (False, True))


def _holds(clause: Clause, known: Mapping[Literal, object], names: Sequence[str], rest: bool) -> bool:
    """Return whether a clause holds of all individuals where what is not known has the same truth value."""
    literals = (*clause.body, *clause.heads)
    variables = list(dict.fromkeys(name for literal in literals for name in literal.variables))
    for values in product(names, repeat=len(variables)):
        binding = dict(zip(variables, values, strict=True))

        def is_true(literal: Literal, binding: Mapping[str, str] = binding) -> bool:
            ground = literal._replace(arguments=tuple(binding.get(name, name) for name in literal.arguments))
            return ground in known or (ground.opposite not in known and ground.value is rest)

        if all(map(is_true, clause.body)) and not all(map(is_true, clause.heads)):
            return False
    return True
