"""Second opinions on programs: other engines, and the count that earlier figures came from.

clingo judges clauses, a search through all values judges constraints, and cvc5 judges formulas.

``counted_*`` count as the figures in ``programs.EXPECTED`` were counted: an unreadable line or a missing section of
rules ends a program, a literal without truth value is of another predicate, and a query both true and false is true;
of formulas, free variables are names, and a conclusion such as ``False`` is a letter. The code of that count is not at
hand: these conventions are those of its description, and where it has none, those that give its figures.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from tests.engines import ENGINES

from nlfol.logic import Formula
from nlfol.logic.decision.satisfiability import Question
from nlfol.logic.decision.solver import Answer
from nlfol.problems.programs import Execution, Failure, Outcome, RepairKind
from nlfol.problems.programs.clauses import ClauseProgram, Literal
from nlfol.problems.programs.constraints import ConstraintProgram
from nlfol.problems.programs.constraints.conditions import holds, variables

Counted = tuple[str, tuple[str, ...], bool | None]
"""A literal as it was counted: without truth value it has none."""


def by_clingo(program: ClauseProgram) -> tuple[bool, bool]:
    """Return whether the query and its opposite are derived, by grounding all rules as an answer set program."""
    import clingo

    names: dict[str, str] = {}

    def written(literal: Literal) -> str:
        predicate = names.setdefault(f"{literal.predicate}/{len(literal.arguments)}", f"p{len(names)}")
        arguments = [
            names.setdefault(f"argument {name}", f"{'X' if name[0] == '$' else 'c'}{len(names)}")
            for name in literal.arguments
        ]
        return f"{predicate}({','.join([str(int(literal.value)), *arguments])})"

    lines = []
    for clause in program.clauses:
        body = ",".join(map(written, clause.body))
        lines += [f"{written(head)} :- {body}." if body else f"{written(head)}." for head in clause.heads]
    lines += [f"affirmed :- {written(program.query)}.", f"denied :- {written(program.query.opposite)}."]
    control = clingo.Control(["--warn=none"])
    control.add("base", [], "\n".join(lines))
    control.ground([("base", [])])
    atoms = {str(atom.symbol) for atom in control.symbolic_atoms if atom.is_fact}
    return "affirmed" in atoms, "denied" in atoms


def by_search(program: ConstraintProgram) -> dict[str, str]:
    """Return whether each option holds in all solutions, in some or in none; nothing where there is no solution."""
    found = [
        [holds(option.condition, solution) for option in program.options.values()] for solution in _solutions(program)
    ]
    shares = {(True,): "all", (False,): "none", (False, True): "some"}
    return {
        letter: shares[tuple(sorted({row[place] for row in found}))]
        for place, letter in enumerate(program.options)
        if found
    }


def _solutions(program: ConstraintProgram) -> Iterator[Mapping[str, int]]:
    """All solutions, one variable after another; a constraint is looked at when its last variable has a value."""
    names = list(program.variables)
    due: list[list[Any]] = [[] for _ in names]
    for constraint in program.constraints:
        places = [names.index(name) for name in variables(constraint.condition)]
        due[max(places, default=0)].append(constraint.condition)
    # All-different ends most branches: pairs of variables are looked at early.
    stack: list[dict[str, int]] = [{}]
    while stack:
        partial = stack.pop()
        place = len(partial)
        if place == len(names):
            yield partial
            continue
        for low, high in program.variables[names[place]]:
            for value in range(low, high + 1):
                extended = {**partial, names[place]: value}
                if all(holds(condition, extended) for condition in due[place]):
                    stack.append(extended)


def by_cvc5(premises: list[Formula], conclusion: Formula) -> tuple[Answer, Answer]:
    """Return whether the premises can be true with the conclusion, and without it."""
    engine = ENGINES["cvc5"]
    known = tuple(dict.fromkeys(premises))
    return engine.ask(Question((*known, conclusion))).answer, engine.ask(Question(known, (conclusion,))).answer


def counted_clauses(text: str, *, has_unknown: bool, open_ends: bool) -> str | None:
    """The letter as it was counted, none where the program was not executed.

    Args:
        text: the program.
        has_unknown: whether the third option says unknown; otherwise what does not follow is false.
        open_ends: whether a conclusion with a variable that nothing binds ends the program, or is left out.
    """
    read = _counted_program(text)
    if read is None:
        return None
    rules, query = read
    known: defaultdict[tuple[str, bool | None], set[Counted]] = defaultdict(set)
    while True:
        derived: set[Counted] = set()
        for body, head in rules:
            bindings: list[dict[str, str]] = [{}]
            for literal in body:
                bindings = [
                    extended
                    for binding in bindings
                    for fact in known[literal[0], literal[2]]
                    if (extended := _counted_match(literal, fact, binding)) is not None
                ]
            for binding in bindings:
                found = head[0], tuple(binding.get(name, name) for name in head[1]), head[2]
                if any(name[0] == "$" for name in found[1]):
                    if open_ends:
                        return None
                    continue
                derived.add(found)
        new = [literal for literal in derived if literal not in known[literal[0], literal[2]]]
        if not new:
            break
        for literal in new:
            known[literal[0], literal[2]].add(literal)
    if any(_counted_match(query, fact, {}) is not None for fact in known[query[0], query[2]]):
        return "A"
    if not has_unknown:
        return "B"
    opposite = query[0], query[1], None if query[2] is None else not query[2]
    facts = known[opposite[0], opposite[2]]
    return "B" if any(_counted_match(opposite, fact, {}) is not None for fact in facts) else "C"


def _counted_program(text: str) -> tuple[list[tuple[list[Counted], Counted]], Counted] | None:
    section, rules, query = "", list[tuple[list[Counted], Counted]](), None
    if "Rules:" not in text:
        return None
    for raw in text.split("\n"):
        line = raw.split(":::")[0].strip()
        heading = re.match(r"(Predicates|Facts?|Rules|Query|Answer):?", line)
        if heading and "(" not in line:
            section = heading[1]
        elif line and section == "Query" and query is None:
            query = _counted_literal(line)
            if query is None:
                return None
        elif line and section in ("Fact", "Facts", "Rules"):
            left, arrow, right = line.partition(">>>")
            body = [_counted_literal(part) for part in left.split("&&")] if arrow else []
            heads = [_counted_literal(part) for part in (right if arrow else left).split("&&" if arrow else "\n")]
            literals = [literal for literal in (*body, *heads) if literal is not None]
            if len(literals) < len(body) + len(heads):
                return None
            rules += [(literals[: len(body)], head) for head in literals[len(body) :]]
    return None if query is None else (rules, query)


def _counted_literal(text: str) -> Counted | None:
    match = re.fullmatch(r"(\w+)\s*\(([^()]*)\)", text.strip())
    if match is None:
        return None
    arguments = [argument.strip() for argument in match[2].split(",")]
    value = None
    if arguments[-1] in ("True", "False"):
        value = arguments.pop() == "True"
    if not arguments or not all(re.fullmatch(r"\$?[\w ']+", argument) for argument in arguments):
        return None
    return match[1], tuple(arguments), value


def _counted_match(pattern: Counted, fact: Counted, binding: dict[str, str]) -> dict[str, str] | None:
    if pattern[0] != fact[0] or pattern[2] != fact[2] or len(pattern[1]) != len(fact[1]):
        return None
    extended = dict(binding)
    for argument, name in zip(pattern[1], fact[1], strict=True):
        if argument[0] == "$":
            if extended.setdefault(argument, name) != name:
                return None
        elif argument != name:
            return None
    return extended


def counted_formulas(found: Execution) -> str | None:
    """The letter as it was counted, of an execution with free variables as names."""
    if found.outcome is Outcome.UNPARSABLE:
        return "C" if "is a truth value" in (found.error or "") else None
    details = [repair.detail for repair in found.repairs if repair.kind is RepairKind.FORMULA]
    if any("wide scope" in detail or "parenthesis" in detail for detail in details):
        return None
    return "A" if found.failure is Failure.CONTRADICTORY else found.answer
