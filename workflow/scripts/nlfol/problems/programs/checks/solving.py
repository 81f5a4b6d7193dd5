"""Executing checks by Z3: which options' checks succeed, given the constraints.

Meanings are those of Logic-LM's executor. A sort is an enumeration, or whole numbers if its members are; a function
into such a sort has values from its first member to its last, whatever its arguments. A quantifier over a sort stands
for its instances, one over ``int`` for itself. ``Count`` adds up. ``is_valid`` is an entailment, ``is_sat`` and
``is_unsat`` ask for a solution, ``is_accurate_list`` says that a disjunction is entailed and each of its parts has a
solution, ``is_exception`` is the negation of a check.

Three things differ, as there they make answers of nothing: constraints without any solution are contradictory, though
each ``is_valid`` succeeds; a check that is not decided within the budget leaves the program without an answer; and
constraints among declarations count, which the executor drops.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from operator import add, ge, gt, le, lt, mod, mul, sub
from typing import TYPE_CHECKING, Any

from nlfol.logic.decision.solver import DEFAULT_BUDGET, WALL_CAP, Z3InterruptedError, watched
from nlfol.mappings import ByName
from nlfol.problems.programs.checks.grammar import COMPARISONS, Node
from nlfol.problems.programs.checks.reading import CheckProgram, Expression
from nlfol.problems.programs.outcome import ExecutionError, Failure, ProgramError, Repair, RepairKind
from nlfol.problems.programs.texts import quoted

if TYPE_CHECKING:
    import z3

MAX_NODES = 20_000
"""Terms and formulas of a program, with the instances of its quantifiers."""

_CONNECTIVES = {"and": "And", "or": "Or", "not": "Not", "chain": "And", "implies": "Implies"}
_BITWISE = {"&": "And", "|": "Or"}
"""Operators that Z3's Python has for connectives."""
_FIXED = {"Not": 1, "Implies": 2, "Xor": 2, "If": 3, "Abs": 1, "abs": 1}
_OPERATIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "<": lt, "<=": le, ">": gt, ">=": ge, "+": add, "-": sub, "*": mul, "%": mod,
}  # fmt: skip
_CHECKS = ("is_valid", "is_sat", "is_unsat", "is_accurate_list", "is_exception")


def execute_checks(
    program: CheckProgram, *, budget: int = DEFAULT_BUDGET, free: bool = True
) -> tuple[dict[str, bool], tuple[Repair, ...]]:
    """Execute a program; return whether each option's check succeeds, and the liberties taken.

    A variable outside its quantifier is a constant, as the executor has it, or a failure unless ``free``. Raises
    ``ExecutionError`` (``undefined_symbol``, ``arity``, ``open``, ``contradictory``, ``budget``), or ``ProgramError``
    if terms are of other sorts than needed.
    """
    import z3

    context = z3.Context()
    try:
        with watched(context):
            return _executed(program, _Terms(program, context, free), budget)
    except Z3InterruptedError as error:
        raise ExecutionError(Failure.BUDGET, "Z3 was interrupted: it heeded no limit") from error


def _executed(program: CheckProgram, terms: _Terms, budget: int) -> tuple[dict[str, bool], tuple[Repair, ...]]:
    stated = [*terms.ranges(), *(terms.formula(constraint.node, constraint.line) for constraint in program.constraints)]
    checks = {letter: _check(option, terms) for letter, option in program.options.items()}

    def has_solution(*formulas: Any) -> bool:
        import z3

        solver = z3.SimpleSolver(ctx=terms.context)
        solver.set("random_seed", 0)
        solver.set("rlimit", budget)
        solver.set("timeout", WALL_CAP)
        solver.add(*stated, *formulas)
        answer = solver.check()
        if answer == z3.unknown:
            reason = f"Z3 gave up within rlimit {budget}: {solver.reason_unknown()}"
            raise ExecutionError(Failure.BUDGET, reason)
        return bool(answer == z3.sat)

    if not has_solution():
        raise ExecutionError(Failure.CONTRADICTORY, "no values meet all constraints")
    return {letter: check(has_solution) for letter, check in checks.items()}, tuple(dict.fromkeys(terms.repairs))


_Solutions = Callable[..., bool]


def _check(option: Expression, terms: _Terms) -> Callable[[_Solutions], bool]:
    """Return how an option is decided; all its formulas are made before any is asked about."""
    import z3

    def made(node: Node) -> Callable[[_Solutions], bool]:
        name = _CONNECTIVES.get(node.text, node.text)
        if node.kind == "call" and name in ("And", "Or", "Not") and not node.scope:
            if name == node.text:
                terms.repair(RepairKind.CONNECTIVE, option.line, f"{name!r} of checks")
            parts = [made(part) for part in node.parts]
            if name == "Not":
                terms.arity(name, parts, 1, option.line)
                return lambda ask: not parts[0](ask)
            join = all if name == "And" else any
            return lambda ask: join([part(ask) for part in parts])
        if node.kind != "call" or name not in _CHECKS:
            if node.kind == "call" and name.startswith("is_") and name not in terms.functions:
                raise ExecutionError(Failure.UNDEFINED_SYMBOL, f"there is no check {quoted(name)}", line=option.line)
            raise ProgramError(f"an option needs a check: one of {', '.join(_CHECKS)}", option.line)
        terms.arity(name, node.parts, 1, option.line)
        (asked,) = node.parts
        if name == "is_exception":
            inner = made(asked)
            return lambda ask: not inner(ask)
        listed = asked.kind == "list"
        if listed == (name == "is_valid") and (listed or name == "is_accurate_list"):
            raise ProgramError(f"{name} of {'a list' if listed else 'what is no list'}", option.line)
        formulas = [terms.formula(part, option.line) for part in (asked.parts if listed else (asked,))]
        if name == "is_accurate_list":
            any_holds = z3.Or(formulas)
            return lambda ask: not ask(z3.Not(any_holds)) and all(map(ask, formulas))
        if name == "is_valid":
            return lambda ask: not ask(z3.Not(formulas[0]))
        return lambda ask: ask(*formulas) == (name == "is_sat")

    return made(option.node)


class _Terms:
    """Z3's terms of a program; those of one program share a context, and have names by number."""

    def __init__(self, program: CheckProgram, context: z3.Context, free: bool) -> None:
        import z3

        self.z3, self.context, self.free = z3, context, free
        self.repairs: list[Repair] = []
        self.nodes = 0
        self.sorts: ByName = {"int": z3.IntSort(context), "bool": z3.BoolSort(context)}
        self.members: dict[str, list[Any]] = {"bool": [z3.BoolVal(value, context) for value in (False, True)]}
        self.known: ByName = {"False": self.members["bool"][0], "True": self.members["bool"][1]}
        self.numbers = {name for name, members in program.sorts.items() if members[0].isdecimal()}
        self.parts: dict[str, bool] = {}
        for name, members in program.sorts.items():
            self._declare(name, members)
        self.functions: ByName = {}
        self.signatures = program.functions
        for number, (name, sorts) in enumerate(program.functions.items()):
            self.functions[name] = z3.Function(f"f{number}", *(self._sort(sort) for sort in sorts))
        self.bound: ByName = {}
        self.left: ByName = {}

    def _declare(self, name: str, members: Sequence[str]) -> None:
        if name in self.numbers:
            self.sorts[name] = self.sorts["int"]
            self.members[name] = [self.z3.IntVal(member, self.context) for member in members]
            return
        owned = {self.known[member].sort() for member in members if member in self.known}
        if not owned:
            number = len(self.sorts)
            names = [f"s{number}_{index}" for index in range(len(members))]
            self.sorts[name], values = self.z3.EnumSort(f"s{number}", names, self.context)
            self.known.update(zip(members, values, strict=True))
        elif len(owned) == 1 and all(member in self.known for member in members):
            (self.sorts[name],) = owned
            self.parts[name] = True
            self.repair(RepairKind.NAME, None, f"the sort {quoted(name)} is a part of another")
        else:
            raise ProgramError(f"the sort {quoted(name)} has members of another, and others")
        self.members[name] = [self.known[member] for member in members]

    def _sort(self, name: str, line: int | None = None) -> Any:
        if name not in self.sorts:
            raise ExecutionError(Failure.UNDEFINED_SYMBOL, f"no declaration of the sort {quoted(name)}", line=line)
        return self.sorts[name]

    def repair(self, kind: RepairKind, line: int | None, detail: str) -> None:
        """Note a liberty."""
        self.repairs.append(Repair(kind, line, detail))

    def arity(self, name: str, parts: Sequence[object], count: int, line: int | None) -> None:
        """Check a number of arguments; raises ``ExecutionError``."""
        if len(parts) != count:
            raise ExecutionError(Failure.ARITY, f"{quoted(name)} with {len(parts)} arguments, not {count}", line=line)

    def ranges(self) -> list[Any]:
        """Return that functions into listed numbers, or into a part of a sort, have these values alone."""
        conditions = []
        for name, (*sorts, value) in self.signatures.items():
            if value not in self.numbers and value not in self.parts:
                continue
            variables = [self.z3.Const(f"a{index}", self.sorts[sort]) for index, sort in enumerate(sorts)]
            own = [self.members.get(sort, [variable]) for sort, variable in zip(sorts, variables, strict=True)]
            quantified = [variable for sort, variable in zip(sorts, variables, strict=True) if sort not in self.members]
            within = []
            for arguments in product(*own):
                self._count(None)
                applied = self.functions[name](*arguments)
                within.append(self.z3.Or([applied == member for member in self.members[value]]))
            stated = self.z3.And(within)
            conditions.append(self.z3.ForAll(quantified, stated) if quantified else stated)
        return conditions

    def formula(self, node: Node, line: int) -> Any:
        """Return the formula that a node is; raises ``ExecutionError`` or ``ProgramError``."""
        return self._of(node, line, "bool")

    def _of(self, node: Node, line: int, sort: str) -> Any:
        term = self.term(node, line)
        if term.sort() != self.sorts[sort]:
            raise ProgramError(f"{quoted(_text(node))} where {sort} is needed", line)
        return term

    def _count(self, line: int | None) -> None:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise ExecutionError(Failure.BUDGET, f"more than {MAX_NODES} instances of terms", line=line)

    def term(self, node: Node, line: int) -> Any:
        """Return the term or formula that a node is; raises as ``formula``."""
        self._count(line)
        if node.kind == "number":
            return self.z3.IntVal(node.text, self.context)
        if node.kind == "name":
            return self._name(node.text, line)
        if node.kind == "list":
            raise ProgramError(f"a list where a term is needed: {quoted(_text(node))}", line)
        name = _CONNECTIVES.get(node.text, node.text)
        if name != node.text:
            shown = "a chain of comparisons" if node.text == "chain" else repr(node.text)
            self.repair(RepairKind.CONNECTIVE, line, f"{shown} read as {name!r}")
        name = _BITWISE.get(name, name)
        if node.scope:
            return self._scoped(name, node, line)
        if name in ("in", "not in"):
            return self._membership(node, line)
        if name in COMPARISONS or name in ("+", "-", "*", "%"):
            return self._operation(name, [self.term(part, line) for part in node.parts], node, line)
        if name in self.functions and name not in self.bound:
            return self._applied(name, node, line)
        return self._built_in(name, node, line)

    def _name(self, name: str, line: int) -> Any:
        term = self.bound.get(name, self.known.get(name))
        if term is not None:
            return term
        if name not in self.left:
            raise ExecutionError(Failure.UNDEFINED_SYMBOL, f"no declaration of {quoted(name)}", line=line)
        if not self.free:
            raise ExecutionError(Failure.OPEN, f"{quoted(name)} is outside its quantifier", line=line)
        self.repair(RepairKind.FREE_VARIABLE, line, f"{quoted(name)} outside its quantifier is one individual")
        return self.left[name]

    def _scoped(self, name: str, node: Node, line: int) -> Any:
        """Return a quantified formula, a number of instances, or that instances differ."""
        quantifies = name in ("ForAll", "Exists")
        if not quantifies and name not in ("Count", "Distinct"):
            raise ExecutionError(Failure.UNDEFINED_SYMBOL, f"there is no {quoted(name)} over a sort", line=line)
        self.arity(name, node.parts, 1, line)
        sorts = dict(node.scope)
        if len(sorts) < len(node.scope) or (name == "Distinct" and len(sorts) > 1):
            raise ProgramError(f"{name} over {len(node.scope)} variables: one alone, or different ones", line)
        own: list[list[Any]] = []
        quantified: list[Any] = []
        for variable, sort in sorts.items():
            constant = self.z3.Const(f"x{len(self.left)}", self._sort(sort, line))
            if variable in self.known or variable in self.functions:
                self.repair(RepairKind.VARIABLE, line, f"{quoted(variable)} is declared, and a variable inside {name}")
            if quantifies and sort not in self.numbers:
                self.left[variable] = constant
            if sort not in self.members:
                quantified.append(self.z3.Const(f"y{len(self.bound) + len(own)}", self.sorts[sort]))
            own.append(self.members[sort] if sort in self.members else quantified[-1:])
        if quantified and not quantifies:
            raise ProgramError(f"{name} over infinitely many numbers", line)
        outer, terms = self.bound, []
        for values in product(*own):
            self.bound = {**outer, **dict(zip(sorts, values, strict=True))}
            terms.append(self.term(node.parts[0], line))
        self.bound = outer
        if name == "Count":
            return self.z3.Sum([self._number(term, node, line) for term in terms])
        if name == "Distinct":
            return self._distinct(terms, line)
        if terms[0].sort() != self.sorts["bool"]:
            raise ProgramError(f"{name} of a term, not of a formula", line)
        joined = self.z3.And(terms) if name == "ForAll" else self.z3.Or(terms)
        return getattr(self.z3, name)(quantified, joined) if quantified else joined

    def _number(self, term: Any, node: Node, line: int) -> Any:
        if term.sort() == self.sorts["bool"]:
            return self.z3.If(term, self.z3.IntVal(1, self.context), self.z3.IntVal(0, self.context))
        if term.sort() != self.sorts["int"]:
            raise ProgramError(f"{quoted(_text(node))} adds up what are no numbers", line)
        return term

    def _membership(self, node: Node, line: int) -> Any:
        left, right = node.parts
        term = self.term(left, line)
        if right.kind == "list":
            among = [self.term(part, line) for part in right.parts]
        elif right.kind == "name" and right.text in self.members:
            among = self.members[right.text]
        else:
            raise ProgramError(f"{quoted(node.text)} needs a list or a sort behind it", line)
        self._same([term, *among], line)
        self.repair(RepairKind.CONNECTIVE, line, f"{quoted(node.text)} read as membership")
        within = self.z3.Or([term == member for member in among])
        return self.z3.Not(within) if node.text == "not in" else within

    def _operation(self, sign: str, terms: list[Any], node: Node, line: int) -> Any:
        if sign in ("==", "!="):
            self._same(terms, line)
            return terms[0] == terms[1] if sign == "==" else terms[0] != terms[1]
        if sign == "+":
            terms = [self._number(term, node, line) for term in terms]
        if any(term.sort() != self.sorts["int"] for term in terms):
            raise ProgramError(f"{quoted(_text(node))}: {sign!r} of what are no numbers", line)
        return _OPERATIONS[sign](*terms) if len(terms) == 2 else -terms[0]

    def _applied(self, name: str, node: Node, line: int) -> Any:
        function = self.functions[name]
        self.arity(name, node.parts, function.arity(), line)
        terms = [self.term(part, line) for part in node.parts]
        for index, (term, sort) in enumerate(zip(terms, self.signatures[name], strict=False)):
            if term.sort() != function.domain(index):
                raise ProgramError(f"{quoted(_text(node))}: argument {index + 1} is not of the sort {sort}", line)
        return function(*terms)

    def _built_in(self, name: str, node: Node, line: int) -> Any:
        parts = node.parts[0].parts if len(node.parts) == 1 and node.parts[0].kind == "list" else node.parts
        if name not in (*_FIXED, "And", "Or", "Distinct"):
            raise ExecutionError(Failure.UNDEFINED_SYMBOL, f"no declaration of {quoted(name)}", line=line)
        self.arity(name, parts, _FIXED.get(name, len(parts)), line)
        terms = [self.term(part, line) for part in parts]
        if name == "Distinct":
            return self._distinct(terms, line)
        tested = terms[:1] if name == "If" else terms
        needed = "int" if name in ("Abs", "abs") else "bool"
        if any(term.sort() != self.sorts[needed] for term in tested):
            raise ProgramError(f"{quoted(_text(node))}: {name} needs {needed}", line)
        if name == "If":
            self._same(terms[1:], line)
        if needed == "int":
            return self.z3.If(terms[0] > 0, terms[0], -terms[0])
        return getattr(self.z3, name)(*([terms] if name in ("And", "Or") else terms))

    def _distinct(self, terms: list[Any], line: int) -> Any:
        self._same(terms, line)
        return self.z3.Distinct(terms) if len(terms) > 1 else self.known["True"]

    def _same(self, terms: Sequence[Any], line: int) -> None:
        if any(term.sort() != terms[0].sort() for term in terms):
            raise ProgramError("terms of different sorts are compared", line)


def _text(node: Node) -> str:
    """Return a node as text, for messages."""
    inside = ", ".join(map(_text, node.parts[:4]))
    return {"list": f"[{inside}]", "call": f"{node.text}({inside})"}.get(node.kind, node.text)
