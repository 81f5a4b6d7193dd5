"""Gold programs as answers, in the language that is asked for, and solved examples made of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from nlfol.candidates.sets import CandidateError
from nlfol.logic import to_unicode
from nlfol.logic.syntax import And, Atom, Constant, ForAll, Formula, Implies, Not, Term, Variable
from nlfol.problems.families import FAMILIES, generate
from nlfol.problems.gold import things_of
from nlfol.problems.lexicon import Lexicon
from nlfol.problems.problem import Problem
from nlfol.programs.clauses.program import VARIABLE, Clause, Literal
from nlfol.programs.clauses.reading import read_clauses
from nlfol.randomness import generator, label_digest
from nlfol.tasks.item import Exemplar
from nlfol.tasks.problem_texts import ASKED, shown
from nlfol.tasks.program_answers import LanguageName
from nlfol.tasks.task import Surroundings


def gold_answer(problem: Problem, language: LanguageName) -> dict[str, Any] | None:
    """The gold program as an answer; None where there is none in the language.

    Clauses become formulas, each rule for all that it may be about; no other language becomes another.
    """
    spoken = [*problem.statements, problem.question]
    if problem.language == language:
        said = [statement.line for statement in spoken]
    elif problem.language == "clauses" and language == "formulas":
        said = [None if statement.line is None else _formula(statement.line) for statement in spoken]
    else:
        return None
    *lines, query = said
    numbered = [{"sentence": number, "line": line} for number, line in enumerate(lines, 1) if line is not None]
    if language != "constraints":
        return {"lines": numbered, "query": query}
    things = things_of([line for line in lines if line is not None])
    values = json.dumps(list(range(1, len(things) + 1)))
    return {
        "variables": [{"name": thing, "values": values} for thing in things],
        "lines": numbered,
        "options": [{"option": letter, "line": option.line} for letter, option in problem.by_letter.items()],
    }


def exemplars(problem: Problem, language: LanguageName, count: int, about: Surroundings) -> list[dict[str, str]]:
    """Solved examples for a problem: as many as wanted, or as there are.

    Of a family's English they are drawn by labels of their own, the same for all problems of the dataset. Else the
    first is another question about the same statements with its query alone, if there is one: it shows the names, as
    one example of the same story does in ∀uto∃∨∧L's prompts. The others are problems about other statements, because
    the lines of these would be those asked for.

    Raises:
        CandidateError: ``no_exemplar`` if there are none.
    """
    if not count:
        return []
    if problem.family in FAMILIES:
        own_seed = int.from_bytes(label_digest(about.seed, about.dataset, "exemplars")[:8])
        drawn = _drawn(problem.family, own_seed, count, about.lexicon())
        others: Sequence[Problem] = [each for each in drawn if each.statements != problem.statements]
        first: list[dict[str, str]] = []
    else:
        own = problem.context
        draw = generator(about.seed, about.dataset, own, problem.question.text, "exemplars")
        siblings = _siblings(problem, language, about.problems)
        first = [draw.choice(siblings)] if siblings else []
        others = [each for each in about.problems if each.context != own and gold_answer(each, language)]
        others = draw.sample(others, min(count - len(first), len(others)))
    found = [(each, answer) for each in others if (answer := gold_answer(each, language)) is not None]
    if not found and not first:
        raise CandidateError("no_exemplar", f"there is no other problem with a program of {language} as an example")
    return [*first, *({"text": shown(each), "formula": _written(answer)} for each, answer in found)]


def of_same_story(exemplar: Exemplar) -> bool:
    """Whether an example is another question about the same statements."""
    return exemplar.text.startswith(ASKED)


def _siblings(problem: Problem, language: LanguageName, problems: Sequence[Problem]) -> list[dict[str, str]]:
    """Other questions about the same statements, none with a line of the problem's own program."""
    if language == "constraints":
        return []
    own = gold_answer(problem, language)
    known = {own["query"], *(each["line"] for each in own["lines"])} if own else set()
    found = {}
    for each in problems:
        if each.context == problem.context and each.question.text != problem.question.text:
            answer = gold_answer(each, language)
            if answer is not None and answer["query"] not in known:
                found[each.question.text] = _written({"query": answer["query"]})
    return [{"text": f"{ASKED}{text}", "formula": query} for text, query in found.items()]


def _written(answer: Mapping[str, Any]) -> str:
    return json.dumps(answer, ensure_ascii=False)


@lru_cache(maxsize=64)
def _drawn(family: str, seed: int, count: int, lexicon: Lexicon) -> Sequence[Problem]:
    return generate(family, seed=seed, count=count, lexicon=lexicon)


def _formula(line: str) -> str:
    """A clause as a formula."""
    clauses = read_clauses(f"Facts:\n{line}\nQuery:\nAny(thing, True)").clauses
    return to_unicode(_of_clause(clauses[0]))


def _of_clause(clause: Clause) -> Formula:
    heads = _joined(clause.heads)
    formula = Implies(_joined(clause.body), heads) if clause.body else heads
    variables = dict.fromkeys(name for literal in (*clause.body, *clause.heads) for name in literal.variables)
    for name in reversed(variables):
        formula = ForAll(Variable(name.removeprefix(VARIABLE)), formula)
    return formula


def _joined(literals: Sequence[Literal]) -> Formula:
    formulas = [_of_literal(literal) for literal in literals]
    joined = formulas[0]
    for formula in formulas[1:]:
        joined = And(joined, formula)
    return joined


def _of_literal(literal: Literal) -> Formula:
    atom = Atom(literal.predicate, tuple(map(_term, literal.arguments)))
    return atom if literal.value else Not(atom)


def _term(name: str) -> Term:
    return Variable(name.removeprefix(VARIABLE)) if name.startswith(VARIABLE) else Constant(name)
