"""Solved examples, made of gold programs."""

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from nlfol.candidates.sets import CandidateError
from nlfol.diversification import Settings, diversify
from nlfol.problems.families import FAMILIES, generate
from nlfol.problems.lexicon import Lexicon
from nlfol.problems.problem import Problem
from nlfol.programs.language import SolverLanguage
from nlfol.randomness import generator, label_digest
from nlfol.tasks.item import Exemplar
from nlfol.tasks.problem_texts import ASKED, shown
from nlfol.tasks.program_gold import gold_answer, translation
from nlfol.tasks.strategies.strategy import Strategy
from nlfol.tasks.task import Surroundings


def exemplars(
    problem: Problem, language: SolverLanguage, count: int, about: Surroundings, strategy: Strategy
) -> list[dict[str, str]]:
    """Return solved examples for a problem: as many as wanted, or as there are.

    Of a family's English they are drawn by labels of their own, the same for all problems of the dataset, and said in
    other words where the strategy is about words. Else the
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
        drawn = _drawn(
            problem.family, own_seed, count, about.lexicon(), about.forms() if strategy.wants_words else None
        )
        others: Sequence[Problem] = [each for each in drawn if each.statements != problem.statements]
        first: list[dict[str, str]] = []
    else:
        own = problem.context
        draw = generator(about.seed, about.dataset, own, problem.question.text, "exemplars")
        siblings = _siblings(problem, language, about.problems)
        first = [draw.choice(siblings)] if siblings else []
        others = [each for each in about.problems if each.context != own and gold_answer(each, language)]
        others = draw.sample(others, min(count - len(first), len(others)))
    found = [(each, program) for each in others if (program := translation(each, language)) is not None]
    if not found and not first:
        raise CandidateError("no_exemplar", f"there is no other problem with a program of {language} as an example")
    return [*first, *({"text": shown(each), "formula": _written(strategy.example(program))} for each, program in found)]


def of_same_story(exemplar: Exemplar) -> bool:
    """Return whether an example is another question about the same statements."""
    return exemplar.text.startswith(ASKED)


def _siblings(problem: Problem, language: SolverLanguage, problems: Sequence[Problem]) -> list[dict[str, str]]:
    """Return other questions about the same statements, none with a line of the problem's own program."""
    if language.asks_options:
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


def _written(answer: Any) -> str:
    return json.dumps(answer, ensure_ascii=False)


@lru_cache(maxsize=64)
def _drawn(family: str, seed: int, count: int, lexicon: Lexicon, forms: Lexicon | None) -> Sequence[Problem]:
    """Draw problems of a family; with forms, in other words, or as they are if these cannot be read back."""
    drawn = generate(family, seed=seed, count=count, lexicon=lexicon)
    if forms is None:
        return drawn
    varied = [diversify(each, forms, Settings(), seed).problem for each in drawn]
    return [other if other.is_usable else each for each, other in zip(drawn, varied, strict=True)]
