"""Second engines: clingo for clauses, permutations for orders, cvc5 for formulas."""

import re
from collections.abc import Iterable
from itertools import permutations

import clingo
import cvc5

from nlfol.logic import parse, to_smtlib
from nlfol.logic.syntax import And, Formula, Not
from nlfol.problems import Problem

LITERAL = re.compile(r"(\w+)\(([^()]*), (True|False)\)")


def label(problem: Problem) -> str:
    """The one option that a second engine finds right; '' if there is none, or another one, too."""
    judge = {"clauses": by_clingo, "constraints": by_permutations, "formulas": by_cvc5}
    found = judge[str(problem.language)](problem)
    letters = [
        letter for letter, option in problem.by_letter.items() if option.text.replace("Uncertain", "Unknown") in found
    ]
    return letters[0] if len(letters) == 1 else ""


def lines_of(problem: Problem) -> list[str]:
    return [statement.line for statement in problem.statements if statement.line is not None]


def by_clingo(problem: Problem) -> list[str]:
    """Truth values are arguments of one predicate, names are texts."""

    def atom(match: re.Match[str]) -> str:
        terms = [name.replace("$", "V") if name[0] == "$" else f'"{name}"' for name in match[2].split(", ")]
        return f'holds("{match[1]}", ({", ".join(terms)},), "{match[3]}")'

    rules = []
    for line in lines_of(problem):
        body, _, head = line.rpartition(" >>> ")
        conditions = ", ".join(LITERAL.sub(atom, body).split(" && "))
        rules.append(f"{LITERAL.sub(atom, head)} :- {conditions}." if body else f"{LITERAL.sub(atom, head)}.")
    query = LITERAL.fullmatch(problem.question.line or "")
    assert query is not None
    opposite = LITERAL.sub(
        lambda match: f"{match[1]}({match[2]}, {'False' if match[3] == 'True' else 'True'})", query[0]
    )
    other = LITERAL.sub(atom, opposite)
    program = [*rules, f"yes :- {atom(query)}.", f"no :- {other}.", "#show yes/0.", "#show no/0."]
    control = clingo.Control(["0"], logger=lambda code, text: None)
    control.add("base", [], "\n".join(program))
    control.ground([("base", [])])
    models: list[set[str]] = []
    control.solve(on_model=lambda model: models.append({str(symbol) for symbol in model.symbols(shown=True)}))
    (shown,) = models
    return {frozenset({"yes"}): ["True"], frozenset({"no"}): ["False"], frozenset(): ["Unknown"]}.get(
        frozenset(shown), ["True", "False"]
    )


def by_permutations(problem: Problem) -> list[str]:
    introduction, *conditions = lines_of(problem)
    things = introduction.removeprefix("AllDifferentConstraint([").removesuffix("])").split(", ")
    right = list(problem.options)
    solutions = 0
    for places in permutations(range(1, len(things) + 1)):
        at = dict(zip(things, places, strict=True))
        if all(holds(line, at) for line in conditions):
            solutions += 1
            right = [option for option in right if holds(option.line or "", at)]
    return [option.text for option in right] if solutions else []


def holds(line: str, at: dict[str, int]) -> bool:
    first, sign, second = line.split()
    value = at[second] if second in at else int(second)
    return {"<": at[first] < value, ">": at[first] > value, "==": at[first] == value}[sign]


def by_cvc5(problem: Problem) -> list[str]:
    premises = [parse(line) for line in lines_of(problem)]
    question = parse(problem.question.line or "")
    match satisfiable([*premises, question]), satisfiable([*premises, Not(question)]):
        case True, False:
            return ["True"]
        case False, True:
            return ["False"]
        case True, True:
            return ["Unknown"]
        case _:
            return []


def satisfiable(formulas: Iterable[Formula]) -> bool:
    conjunction, *others = formulas
    for formula in others:
        conjunction = And(conjunction, formula)
    manager = cvc5.TermManager()
    solver = cvc5.Solver(manager)
    solver.setOption("finite-model-find", "true")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, f"{to_smtlib(conjunction)}(check-sat)\n", "question")
    answer = ""
    while not (command := parser.nextCommand()).isNull():
        answer += command.invoke(solver, parser.getSymbolManager())
    assert answer.strip() in ("sat", "unsat"), answer
    return answer.strip() == "sat"
