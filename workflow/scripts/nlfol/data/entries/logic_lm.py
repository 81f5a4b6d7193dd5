"""ProofWriter, ProntoQA, LogicalDeduction and AR-LSAT as Logic-LM has them (Pan et al., Findings of EMNLP 2023).

Rows have ``id``, ``context``, ``question``, ``options`` and ``answer``. Of the first three the gold program is read
from the text, and the answer derived from it; AR-LSAT's English is free.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, ClassVar, Literal

from pydantic import Field
from typing_extensions import override

from nlfol.data.entries.problems import Depths, PinnedEntry, Problems, options_of, sentences, shipped_lexicon, text_of
from nlfol.problems.dialects import order, rules, taxonomy
from nlfol.problems.dialects.order import Order
from nlfol.problems.dialects.rules_readings import Rules
from nlfol.problems.dialects.taxonomy import Taxonomy
from nlfol.problems.dialects.words import DialectError
from nlfol.problems.gold import answered, derived
from nlfol.problems.lexicon import Lexicon, Word
from nlfol.problems.problem import Evidence, Problem, Reason, Statement, plain
from nlfol.problems.programs.clauses import Clause
from nlfol.problems.programs.clauses import derived as derived_clauses
from nlfol.randomness import generator
from nlfol.store.records import json_array

_SENTENCE = re.compile(r"[^.]*\.|[^.]+$")

_Read = Callable[[str], tuple[Clause, Statement]]


class LogicLmEntry(PinnedEntry):
    """The base of datasets that Logic-LM publishes."""

    def problems(self, family: str) -> list[Problem]:
        """Read the rows, each context as one statement; raises ``SourceError`` if the file is not of this form."""
        path, content = self.content()
        problems = []
        for row, record in json_array(path, content):
            location = f"{path}: row {row}"
            answer = text_of(location, record, "answer")
            context, question = (Statement(text_of(location, record, key)) for key in ("context", "question"))
            name, options = text_of(location, record, "id"), options_of(location, record, answer)
            problems.append(Problem(name, family, None, (context,), question, options, answer))
        return problems


class ProofWriterEntry(LogicLmEntry):
    """ProofWriter; ``depth`` takes problems of some depths of derivation, and those that are refused."""

    reader: Literal["proofwriter"]
    depth: Depths | None = None

    SPOKEN: ClassVar[bool] = True

    @override
    def read(self, seed: int) -> Problems:
        english, known = Rules(shipped_lexicon()), dict[str, tuple[Clause, Statement]]()

        def read(text: str) -> tuple[Clause, Statement]:
            if text not in known:
                sentence, statement = english.read(text)
                known[text] = rules.clause(sentence), statement
            return known[text]

        problems = [_of_clauses(problem, read) for problem in self.problems("rules")]
        if self.depth is not None:
            least, greatest = self.depth
            problems = [problem for problem in problems if problem.depth is None or least <= problem.depth <= greatest]
        return Problems(problems)


class ProntoQAEntry(LogicLmEntry):
    """ProntoQA; ``real`` replaces its nonce nouns by nouns of the lexicon, drawn for each problem."""

    reader: Literal["prontoqa"]
    nouns: Literal["nonce", "real"] = "nonce"

    SPOKEN: ClassVar[bool] = True

    @override
    def read(self, seed: int) -> Problems:
        lexicon = shipped_lexicon()
        english = Taxonomy(lexicon)
        real = lexicon.group("classes")
        nonce = [word.concept for word in lexicon.group("nonce")]

        def reader(problem: Problem) -> _Read:
            drawn: dict[str, Word] = {}
            if self.nouns == "real":
                some = generator(seed, "prontoqa", problem.name, "nouns").sample(real, len(nonce))
                drawn = dict(zip(nonce, some, strict=True))

            def read(text: str) -> tuple[Clause, Statement]:
                sentence, statement = english.read(text)
                if drawn:
                    sentence = sentence._replace(
                        subject=drawn.get(sentence.subject.concept, sentence.subject),
                        predicate=drawn.get(sentence.predicate.concept, sentence.predicate),
                    )
                    statement = english.write(sentence)
                return taxonomy.clause(sentence), statement

            return read

        return Problems([_of_clauses(problem, reader(problem)) for problem in self.problems("taxonomy")])

    @property
    @override
    def is_drawn(self) -> bool:
        return self.nouns == "real" or super().is_drawn


class LogicalDeductionEntry(LogicLmEntry):
    """LogicalDeduction; ``things`` takes problems with so many options, one for each thing."""

    reader: Literal["logical_deduction"]
    things: Annotated[tuple[Literal[3, 5, 7], ...], Field(min_length=1)] | None = None

    SPOKEN: ClassVar[bool] = True

    @override
    def read(self, seed: int) -> Problems:
        lexicon = shipped_lexicon()
        problems = self.problems("order")
        if self.things is not None:
            problems = [problem for problem in problems if len(problem.options) in self.things]
        return Problems([_of_constraints(problem, lexicon) for problem in problems])


class ArLsatEntry(LogicLmEntry):
    """AR-LSAT, which has no gold programs."""

    reader: Literal["ar_lsat"]

    @override
    def read(self, seed: int) -> Problems:
        return Problems(
            [
                replace(problem, statements=plain(sentences(problem.context)), evidence=Evidence.PUBLISHED)
                for problem in self.problems("free")
            ]
        )


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
    return answered(changed, lambda: derived_clauses(clauses, clause.heads[0]))


def _of_constraints(problem: Problem, lexicon: Lexicon) -> Problem:
    preamble, _, paragraph = problem.context.rpartition("\n\n")
    before = [text.strip() for text in _SENTENCE.findall(preamble) if text.strip()]
    first, *texts = [text.strip() for text in _SENTENCE.findall(paragraph) if text.strip()] or [""]
    try:
        scene, introduction, statement = order.read_introduction(first, lexicon)
        statements = [*plain(before), statement]
        things = lexicon.of(thing.concept for thing in introduction.things)
        english = Order(things, scene, len(introduction.things))
        statements += [english.read(text)[1] for text in texts]
        options = [english.read(option.text)[1] for option in problem.options]
    except DialectError as error:
        return replace(problem, statements=plain([*before, first, *texts])).refused(Reason.UNREAD, str(error))
    changed = replace(problem, language="constraints", statements=tuple(statements), options=tuple(options))
    return derived(changed)
