"""ProofWriter, ProntoQA, LogicalDeduction and AR-LSAT as Logic-LM has them (Pan et al., Findings of EMNLP 2023).

Rows have ``id``, ``context``, ``question``, ``options`` and ``answer``. Of the first three the gold program is read
from the text, and the answer derived from it; AR-LSAT's English is free.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from nlfol.problems.deriving import by_clauses, by_constraints
from nlfol.problems.dialects import order, rules, taxonomy
from nlfol.problems.errors import DialectError
from nlfol.problems.lexicon import Lexicon, Word
from nlfol.problems.problem import Evidence, Problem, Reason, Statement, plain
from nlfol.problems.sources.records import Published, Record, options_of, read_array, sentences, text_of
from nlfol.programs.clauses import Clause
from nlfol.randomness import generator

_SENTENCE = re.compile(r"[^.]*\.|[^.]+$")

_Read = Callable[[str], tuple[Clause, Statement]]


def read_proofwriter(path: str, content: bytes, lexicon: Lexicon) -> Published:
    """The problems of ProofWriter.

    Raises:
        SourceError: if the file is not of Logic-LM's form.
    """
    known: dict[str, tuple[Clause, Statement]] = {}

    def read(text: str) -> tuple[Clause, Statement]:
        if text not in known:
            sentence, statement = rules.read(text, lexicon)
            known[text] = rules.clause(sentence), statement
        return known[text]

    return Published(tuple(_of_clauses(problem, read) for problem in _problems(path, content, "rules")))


def read_prontoqa(path: str, content: bytes, lexicon: Lexicon, nouns: int | None = None) -> Published:
    """The problems of ProntoQA.

    Args:
        path: for messages.
        content: of the file.
        lexicon: has the words.
        nouns: seed of the real nouns that are put for the nonce ones, drawn for each problem; none leaves these.

    Raises:
        SourceError: if the file is not of Logic-LM's form.
    """
    real = lexicon.group("classes")
    nonce = [word.concept for word in lexicon.group("nonce")]

    def reader(problem: Problem) -> _Read:
        drawn: dict[str, Word] = {}
        if nouns is not None:
            some = generator(nouns, "prontoqa", problem.name, "nouns").sample(real, len(nonce))
            drawn = dict(zip(nonce, some, strict=True))

        def read(text: str) -> tuple[Clause, Statement]:
            sentence, statement = taxonomy.read(text, lexicon)
            if drawn:
                sentence = sentence._replace(
                    subject=drawn.get(sentence.subject.concept, sentence.subject),
                    predicate=drawn.get(sentence.predicate.concept, sentence.predicate),
                )
                statement = taxonomy.write(sentence, lexicon)
            return taxonomy.clause(sentence), statement

        return read

    return Published(tuple(_of_clauses(problem, reader(problem)) for problem in _problems(path, content, "taxonomy")))


def read_logical_deduction(path: str, content: bytes, lexicon: Lexicon) -> Published:
    """The problems of LogicalDeduction.

    Raises:
        SourceError: if the file is not of Logic-LM's form.
    """
    return Published(tuple(_of_constraints(problem, lexicon) for problem in _problems(path, content, "order")))


def read_ar_lsat(path: str, content: bytes) -> Published:
    """The problems of AR-LSAT, which have no gold program.

    Raises:
        SourceError: if the file is not of Logic-LM's form.
    """
    found = []
    for problem in _problems(path, content, "free"):
        statements = plain(sentences(problem.context))
        found.append(replace(problem, statements=statements, evidence=Evidence.PUBLISHED))
    return Published(tuple(found))


def _problems(path: str, content: bytes, family: str) -> list[Problem]:
    return [_problem(f"{path}: row {row}", record, family) for row, record in enumerate(read_array(path, content), 1)]


def _problem(place: str, record: Record, family: str) -> Problem:
    answer = text_of(place, record, "answer")
    context, question = (Statement(text_of(place, record, key)) for key in ("context", "question"))
    name = text_of(place, record, "id")
    return Problem(name, family, None, (context,), question, options_of(place, record, answer), answer)


def _of_clauses(problem: Problem, read: _Read) -> Problem:
    texts = [text.strip() for text in _SENTENCE.findall(problem.context) if text.strip()]
    clauses: list[Clause] = []
    statements: list[Statement] = []
    opening, _, asked = problem.question.text.rpartition("? ")
    try:
        for number, text in enumerate(texts, 1):
            clause, statement = read(text)
            clauses.append(Clause(number, clause.body, clause.heads))
            statements.append(statement)
        clause, question = read(asked)
        if clause.body:
            raise DialectError(asked, 0, "a rule where a fact is needed")
    except DialectError as error:
        return replace(problem, statements=plain(texts)).refused(Reason.UNREAD, str(error))
    if opening:
        question = question.after(f"{opening}? ")
    changed = replace(problem, language="clauses", statements=tuple(statements), question=question)
    return by_clauses(changed, clauses, clause.heads[0])


def _of_constraints(problem: Problem, lexicon: Lexicon) -> Problem:
    preamble, _, paragraph = problem.context.rpartition("\n\n")
    before = [text.strip() for text in _SENTENCE.findall(preamble) if text.strip()]
    first, *texts = [text.strip() for text in _SENTENCE.findall(paragraph) if text.strip()] or [""]
    try:
        scene, introduction, statement = order.read_introduction(first, lexicon)
        statements = [*plain(before), statement]
        statements += [order.read(text, scene, introduction.things, lexicon)[1] for text in texts]
        options = [order.read(option.text, scene, introduction.things, lexicon)[1] for option in problem.options]
    except DialectError as error:
        return replace(problem, statements=plain([*before, first, *texts])).refused(Reason.UNREAD, str(error))
    changed = replace(problem, language="constraints", statements=tuple(statements), options=tuple(options))
    return by_constraints(changed)
