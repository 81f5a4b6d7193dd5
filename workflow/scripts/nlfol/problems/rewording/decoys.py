"""Decoys: concepts that sound like others and, by the problem's own statements, are not they.

The problem states or entails that a concept holds or fails for some individual; one more statement says the opposite of
the concept that sounds like it. So a reader who takes one for the other contradicts the problem; and no answer changes,
as no other statement mentions the new concept.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from nlfol.logic import Formula, Label, entails, parse
from nlfol.logic.syntax import Atom, Constant, Not
from nlfol.problems.dialects import concepts_of, dialect_of, rules, taxonomy
from nlfol.problems.dialects.dialect import Dialect
from nlfol.problems.dialects.premises import Premises
from nlfol.problems.dialects.proofs import Proofs
from nlfol.problems.gold import program
from nlfol.problems.lexicon import Category, Lexicon, Word
from nlfol.problems.problem import Problem, Reason
from nlfol.problems.programs.clauses import Literal, read_clauses
from nlfol.problems.programs.clauses.chaining import chain

MAX_TRIED = 60
"""Literals that are tested for entailment, at most."""


def with_decoys(problem: Problem, count: int, lexicon: Lexicon, random: Random) -> Problem:
    """Insert ``count`` decoys into a problem at random places; refuse it if too few concepts can have one."""
    concepts = concepts_of(problem, lexicon)
    words = {form.singular for symbol in concepts for form in lexicon.concepts[symbol].forms.values()}
    decoys: dict[str, Literal] = {}
    for literal in _known(problem, lexicon, random):
        decoy = lexicon.concepts[literal.predicate].decoy
        if decoy is None or literal.predicate in decoys or decoy in concepts:
            continue
        if lexicon.said(Word(decoy)) not in words:
            decoys[literal.predicate] = Literal(decoy, literal.arguments, not literal.value)
        if len(decoys) == count:
            break
    if len(decoys) < count:
        reason = f"{len(decoys)} of {count} decoys: of no more concepts that have one is anything said of an individual"
        return problem.refused(Reason.NO_DECOY, reason)
    dialect = dialect_of(problem, lexicon.of([*concepts, *(literal.predicate for literal in decoys.values())]))
    statements = list(problem.statements)
    for literal in decoys.values():
        sentence = _sentence(literal, problem.family, dialect)
        statements.insert(random.randint(0, len(statements)), dialect.write(sentence))
    return replace(problem, statements=tuple(statements))


def _known(problem: Problem, lexicon: Lexicon, random: Random) -> Iterator[Literal]:
    """Yield literals of individuals that follow from the statements, in random order."""
    match problem.family:
        case "rules" | "taxonomy":
            known = [literal for literal in chain(read_clauses(program(problem)).clauses) if literal.predicate]
            yield from random.sample(known, len(known))
        case "proofs" | "premises":
            premises = [parse(statement.line) for statement in problem.statements if statement.line is not None]
            literals = [literal for literal in map(_literal, premises) if literal is not None]
            yield from random.sample(literals, len(literals))
            yield from _entailed(problem, premises, lexicon, random)


def _entailed(problem: Problem, premises: Sequence[Formula], lexicon: Lexicon, random: Random) -> Iterator[Literal]:
    """Yield further literals of one individual that premises entail."""
    concepts = [lexicon.concepts[symbol] for symbol in concepts_of(problem, lexicon)]
    unary = [concept.symbol for concept in concepts if concept.category in (Category.ADJECTIVE, Category.NOUN)]
    names = [concept.symbol for concept in concepts if not concept.category.is_predicate]
    pairs = [(predicate, name) for predicate in unary for name in names]
    for predicate, name in random.sample(pairs, min(len(pairs), MAX_TRIED)):
        label = entails(premises, Atom(predicate, (Constant(name),))).label
        if label in (Label.TRUE, Label.FALSE):
            yield Literal(predicate, (name,), label is Label.TRUE)


def _literal(formula: Formula) -> Literal | None:
    atom = formula.operand if isinstance(formula, Not) else formula
    if not isinstance(atom, Atom) or not all(isinstance(term, Constant) for term in atom.arguments):
        return None
    return Literal(atom.predicate, tuple(str(term) for term in atom.arguments), atom is formula)


def _sentence(literal: Literal, family: str, dialect: Dialect) -> Any:
    predicate, (subject, *objects), value = Word(literal.predicate), map(Word, literal.arguments), literal.value
    if isinstance(dialect, Proofs | Premises):
        atom = Atom(literal.predicate, tuple(map(Constant, literal.arguments)))
        return dialect.plain(atom if value else Not(atom))
    if family == "taxonomy":
        return taxonomy.Sentence(subject, predicate, value)
    return rules.Phrase(subject, predicate, objects[0] if objects else None, value)
