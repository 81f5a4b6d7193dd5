"""Models of a given size: a form is written out over the universe, and Z3 decides the propositional formula.

Each ground atom is a propositional variable; a constant, or a function at a tuple of elements, has one variable for
each element, of which exactly one is true (McCune, *A Davis–Putnam Program and its Application to Finite First-Order
Model Search*).
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

from nlfol.interning import bottom_up
from nlfol.logic.decision.miniscoping import FormKind, Forms
from nlfol.logic.decision.solver import WALL_CAP, Z3InterruptedError, watched
from nlfol.logic.errors import FormulaError
from nlfol.logic.measuring import Signature
from nlfol.logic.structures import Element, Structure
from nlfol.logic.syntax import Atom, Constant, Function, Term, Variable, children

MAX_INSTANCES = 20_000  # instances of subforms, ground atoms, or cases of terms, above which a form is not written out

_Levels = tuple[tuple[str, Element], ...]
_Row = tuple[Element, ...]
_Instance = tuple[int, _Levels]


def model(forms: Forms, root: int, symbols: Signature, size: int, budget: int) -> Structure | None:
    """Return a model of a closed form with so many elements; None if none was found within the budget."""
    return next(models(forms, root, symbols, size, budget), None)


def models(forms: Forms, root: int, symbols: Signature, size: int, budget: int) -> Iterator[Structure]:
    """Yield models of that size, each with fewer true ground atoms, as far as the budget of each step reaches."""
    try:
        ground = Grounding(forms, root, symbols, size)
    except FormulaError:
        return
    while (structure := ground.solve(budget)) is not None:
        yield structure
        atoms = sum(map(len, structure.predicates.values()))
        if not atoms:
            return
        ground.allow(atoms - 1)


class Grounding:
    """A form over the universe 0, ..., size - 1 as a question to Z3; raises ``FormulaError`` for too many instances."""

    def __init__(self, forms: Forms, root: int, symbols: Signature, size: int) -> None:
        import z3

        self.z3 = z3
        self.forms = forms
        self.symbols = symbols
        self.size = size
        self.context = z3.Context()
        self.true, self.false = z3.BoolVal(True, self.context), z3.BoolVal(False, self.context)
        cells = sum(size**arity for arity in symbols.predicates.values())
        cells += sum(size ** (arity + 1) for arity in symbols.functions.values()) + size * len(symbols.constants)
        if cells > MAX_INSTANCES:
            raise FormulaError(f"more than {MAX_INSTANCES} ground atoms over {size} elements")
        self.atoms = {
            (name, row): z3.Bool(f"p{number}/{row}", self.context)
            for number, (name, arity) in enumerate(sorted(symbols.predicates.items()))
            for row in product(range(size), repeat=arity)
        }
        operations = [*sorted(symbols.functions.items()), *((name, 0) for name in sorted(symbols.constants))]
        self.cells: dict[tuple[str, int, _Row], list[Any]] = {
            (name, arity, row): [z3.Bool(f"f{number}/{row}={value}", self.context) for value in range(size)]
            for number, (name, arity) in enumerate(operations)
            for row in product(range(size), repeat=arity)
        }
        # Of terms, each under the elements that its variables are: instances share them.
        self.values: dict[tuple[Term, _Row], dict[Element, Any]] = {}
        self.cases = 0  # values that the arguments of functions and predicates have together
        self.constraints = []
        for cell in self.cells.values():
            # Exactly one value of each.
            apart = [self._or([z3.Not(a), z3.Not(b)]) for index, a in enumerate(cell) for b in cell[:index]]
            self.constraints.append(self._and([self._or([*cell, self.false]), *apart, self.true]))
        self.constraints.append(self._instances(root))

    def allow(self, atoms: int) -> None:
        """Ask for a model in which at most so many ground atoms are true."""
        self.constraints.append(self.z3.AtMost(*self.atoms.values(), atoms))

    def solve(self, budget: int) -> Structure | None:
        """Return a model of what is asked, if one is found."""
        z3 = self.z3
        solver = z3.SimpleSolver(ctx=self.context)
        solver.set("random_seed", 0)
        solver.set("rlimit", budget)
        solver.set("timeout", WALL_CAP)
        try:
            with watched(self.context):
                solver.add(*self.constraints)
                if solver.check() != z3.sat:
                    return None
        except Z3InterruptedError:
            return None
        structure = solver.model()

        def true(variable: Any) -> bool:
            return bool(z3.is_true(structure.eval(variable)))

        values = {
            key: next((value for value, variable in enumerate(cell) if true(variable)), 0)
            for key, cell in self.cells.items()
        }

        def rows(arity: int) -> Iterator[_Row]:
            return product(range(self.size), repeat=arity)

        return Structure(
            self.size,
            {name: values[name, 0, ()] for name in sorted(self.symbols.constants)},
            {
                name: {row: values[name, arity, row] for row in rows(arity)}
                for name, arity in sorted(self.symbols.functions.items())
            },
            {
                name: frozenset(row for row in rows(arity) if true(self.atoms[name, row]))
                for name, arity in sorted(self.symbols.predicates.items())
            },
        )

    def _and(self, parts: Sequence[Any]) -> Any:
        return self._joined(self.z3.Z3_mk_and, parts)

    def _or(self, parts: Sequence[Any]) -> Any:
        return self._joined(self.z3.Z3_mk_or, parts)

    def _joined(self, make: Callable[..., Any], parts: Sequence[Any]) -> Any:
        """Join as Z3's ``And`` and ``Or`` do, which look at the sorts of all parts again, at ten times the cost."""
        array = (self.z3.Ast * len(parts))(*[part.ast for part in parts])
        return self.z3.BoolRef(make(self.context.ref(), len(parts), array), self.context)

    def _instances(self, root: int) -> Any:
        done: dict[_Instance, Any] = {}

        def step(instance: _Instance, parts: tuple[Any, ...]) -> Any:
            if len(done) > MAX_INSTANCES:
                raise FormulaError(f"more than {MAX_INSTANCES} instances over {self.size} elements")
            kind = self.forms.kinds[instance[0]]
            if kind is FormKind.LITERAL:
                return self._literal(*instance)
            if kind is FormKind.AND or kind is FormKind.FORALL:
                return self._and([*parts, self.true])
            return self._or([*parts, self.false])

        return bottom_up((root, ()), self._needed, step, done)

    def _needed(self, instance: _Instance) -> list[_Instance]:
        form, assigned = instance
        parts = self.forms.parts[form]
        if self.forms.kinds[form] in (FormKind.FORALL, FormKind.EXISTS):
            (body,) = parts
            name = self.forms.variables[form]
            rest = [pair for pair in assigned if pair[0] != name]
            return [(body, tuple(sorted([*rest, (name, value)]))) for value in range(self.size)]
        return [(part, tuple(pair for pair in assigned if pair[0] in self.forms.free[part])) for part in parts]

    def _literal(self, form: int, assigned: _Levels) -> Any:
        atom, affirmed = self.forms.atoms[form]
        arguments = atom.arguments if isinstance(atom, Atom) else (atom.left, atom.right)
        values = [self._value(argument, dict(assigned)) for argument in arguments]
        cases = []
        for row in self._rows(values):
            elements = tuple(element for element, _ in row)
            conditions = [condition for _, condition in row if condition is not None]
            if isinstance(atom, Atom):
                conditions.append(self.atoms[atom.predicate, elements])
            elif elements[0] != elements[1]:
                continue
            cases.append(self._and([*conditions, self.true]))
        truth = self._or([*cases, self.false])
        return truth if affirmed else self.z3.Not(truth)

    def _rows(self, terms: Sequence[dict[Element, Any]]) -> Iterator[tuple[tuple[Element, Any], ...]]:
        """Yield the values that terms can have together, each with its condition."""
        self.cases += prod(map(len, terms))
        if self.cases > MAX_INSTANCES:
            raise FormulaError(f"more than {MAX_INSTANCES} cases of terms over {self.size} elements")
        return product(*(term.items() for term in terms))

    def _value(self, root: Term, assigned: dict[str, Element]) -> dict[Element, Any]:
        """Return the condition under which a term is each element; None is always."""

        def ground(term: Term) -> tuple[Term, _Row]:
            return term, tuple(assigned[name] for name in sorted(term.profile.free))

        def step(item: tuple[Term, _Row], parts: tuple[dict[Element, Any], ...]) -> dict[Element, Any]:
            match item[0]:
                case Variable(name):
                    return {assigned[name]: None}
                case Constant(name):
                    return dict(enumerate(self.cells[name, 0, ()]))
                case Function(name):
                    return self._applied(name, parts)

        return bottom_up(ground(root), lambda item: [ground(part) for part in children(item[0])], step, self.values)

    def _applied(self, name: str, arguments: Sequence[dict[Element, Any]]) -> dict[Element, Any]:
        cases: dict[Element, list[Any]] = {value: [] for value in range(self.size)}
        for row in self._rows(arguments):
            conditions = [condition for _, condition in row if condition is not None]
            cell = self.cells[name, len(arguments), tuple(element for element, _ in row)]
            for value, variable in enumerate(cell):
                cases[value].append(self._and([*conditions, variable]))
        return {value: self._or(of_value) for value, of_value in cases.items()}
