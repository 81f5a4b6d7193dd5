"""Every reader of texts that models or users write, with texts pasted of its signs and of what it reads."""

import io
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory
from typing import Any

from tests.unit.logic.hostile_texts import PARTS, mutated
from tests.unit.problems.examples import ALL

from nlfol.cli.lines import LineError, records, usable
from nlfol.data.grammars.files import RESOURCES, read_grammar
from nlfol.data.grammars.grammar import GrammarError
from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.reading import parse, read_tolerantly
from nlfol.logic.regular.errors import ExpressionSyntaxError
from nlfol.logic.regular.reading import Dialect
from nlfol.logic.regular.reading import parse as parse_expression
from nlfol.logic.regular.tolerant import read_tolerantly as read_expression_tolerantly
from nlfol.problems.programs import Policy, ProgramError, execute, read
from nlfol.tasks.answers import (
    AnswerError,
    index_schema,
    object_schema,
    order_schema,
    read_index,
    read_order,
    read_text,
    read_word,
    text_schema,
    word_schema,
)
from nlfol.tasks.envelopes import opened
from nlfol.tasks.program_answers import array, string
from nlfol_extras.explaining.selection import SelectionError, select

FORMULAS = [
    "∀x (Cube(x) → Small(x))",
    "∀ x, Cube x → Small x ",
    "all x (P(x) -> exists y R(x,y)).",
    r"$\forall x (P(x) \land \neg Q(x))$",
]
TPTP = [
    "fof(a, axiom, ! [X,Y] : (p(X) => ? [Z] : (q(X,Z) & ~ X = Y))).",
    "fof(c, conjecture, ( ( $true <=> r(f(X),b) ) <~> p(a) )).",
]
PROLOG = (
    "Facts:\ncold(bob).\n~quiet(bob).\nRules:\nsmart(X) :- cold(X), ~quiet(X).\ncold(X) :- smart(X).\n"
    "Query:\n?- smart(bob)."
)
ANSWERS = [
    '{"reasoning": "because", "answer": "∀x P(x)"}',
    '{"reasoning": "", "answer": 3}',
    '{"answer": "yes"}',
    '{"reasoning": "\\u2200 \\"x\\"", "answer": [2, 1, 3]}',
]
OF_TPTP = [*"()[]{},.:;!?~&|=<>'\"%$_@ \n", "fof(", "cnf(", "axiom", "! [X] : ", "? [Y] : ", "$true", "=> ", "<~>", "X"]
OF_PROGRAMS = [
    *"()[]{}$,.:;|&<>=!+-*/'\"`#%_\\ \n",
    *(":::", ">>>", "&&", " :- ", "?- ", "\\+ ", "[IN] ", "..", "Facts:\n", "Rules:\n", "Query:\n", "Predicates:\n"),
    *("Premises:\n", "Conclusion:\n", "Domain:\n", "Variables:\n", "Constraints:\n", "$x", "True", "False", "bool"),
    *("Cold(bob, True)", "cold(X)", "A) ", "x == 1", "abs(", "not ", "and ", "9" * 19, "1,000", "∀x ", "P(x)", "```\n"),
]
OF_EXPRESSIONS = [*"01()|*+?ε[]{}^$\\.`/'\" \n,ab", "(?:", "\\*", "^*", "∗", "```\n", "Regex: ", "**"]
OF_GRAMMARS = [
    *"()[]{}:,'\"#&*!|>%@-?\n ",
    *(
        "rules:",
        "start: ",
        "costs:",
        "S",
        "F",
        "¬",
        "∧",
        "∨",
        "(∀VARIABLE Q)",
        "PREDICATION",
        "LETTER",
        "Σ",
        "ε",
        "{3 ∨}",
    ),
    *(
        "language: regular\n",
        "parameters: {clause: 3}\n",
        "  ",
        "&a ",
        "*a",
        "<<: ",
        "!!python/object:x",
        "published:\n",
    ),
]
OF_ANSWERS = [
    *"{}[]:,\"\\'`/ \n0123456789eE.+-",
    "\\u",
    "\\ud800",
    "\x00",
    "null",
    "true",
    "NaN",
    '"answer": ',
    "```json\n",
]
ENVELOPES = [
    f"```json\n{ANSWERS[1]}\n```",
    f"<think>so</think>{ANSWERS[3]}<|eot_id|>",
    "{'reasoning': 'it isn\\'t', 'answer': 'yes',}",
    r"So \boxed{3}.",
    "**Final answer:** 2, 1, 3",
    "Lines:\n1. P(a)\nQuery: P(a)",
]
OF_ENVELOPES = [
    *OF_ANSWERS,
    *(
        "<think>",
        "</think>",
        "<|im_end|>",
        "Answer: ",
        "answer is ",
        "**",
        "\\boxed{",
        "\\forall ",
        "“",
        "'",
        "//",
        "/*",
    ),
    *("Lines:\n", "Query: ", "1. ", "A) ", "yes", "no", "3", "# ", "| ", "\r\n", "`", "$", "<answer>", "[THINK]"),
]
OF_SELECTORS = [
    *"=,.*[]'\"\\ \n:/-",
    "model",
    "task=",
    "score",
    "_mean",
    "1",
    "²",
    "٣",
    "0",
    "-1",
    "99999999999999999999",
]


@dataclass(frozen=True)
class Reader:
    """A reader, the errors that it documents, what it reads, and pieces that are pasted into that."""

    read: Callable[[str], Any]
    errors: tuple[type[Exception], ...]
    wholes: Sequence[str]
    parts: Sequence[str]


def grammar(text: str) -> object:
    """Read a grammar from a file."""
    with NamedTemporaryFile("w", encoding="utf-8", suffix=".yaml") as file:
        file.write(text)
        file.flush()
        return read_grammar(Path(file.name))


def selected(text: str) -> object:
    """Select a cell of a table of one row, by a row and a column on two lines."""
    row, _, column = text.partition("\n")
    with TemporaryDirectory() as folder:
        path = Path(folder, "scores.csv")
        path.write_text("model,task,score_mean\na,t,0.5\n", encoding="utf-8")
        return select(path, row.split(" "), column)


def answers(text: str) -> object:
    """Read an answer in every form; all must refuse it alike."""
    forms: list[Callable[[str], object]] = [
        read_text,
        partial(read_index, count=3),
        partial(read_order, count=3),
        partial(read_word, words=["yes", "no"]),
    ]
    refused: list[AnswerError] = []
    for form in forms:
        try:
            return form(text)
        except AnswerError as error:
            refused.append(error)
    raise refused[0]


def enveloped(text: str) -> object:
    """Read an answer out of its envelope, in every form."""
    found = [opened(text, schema) for schema in SCHEMAS]
    if not any(each.liberties for each in found):
        raise AnswerError("no answer")
    return found


def executed(language: str, text: str) -> object:
    """Read a program, then execute it with little budget."""
    program = read(language, text)
    execute(language, text, policy=Policy(budget=2_000, steps=2_000))
    return program


def line(text: str) -> object:
    """Read the first line as a record."""
    return usable(next(records(io.BytesIO(text.encode("utf-8", "surrogatepass"))), LineError("no line")))


GRAMMARS = [
    (RESOURCES / "grammars" / f"{name}.yaml").read_text(encoding="utf-8")
    for name in ("k_sat", "first_order", "regular")
]
SCHEMAS = [
    text_schema(500, 500),
    index_schema(3, 500),
    order_schema(3, 500),
    word_schema(["yes", "no"], 0),
    object_schema({"lines": array({"sentence": {"type": "integer"}, "line": string(300)}, 4), "query": string(300)}, 9),
]
LOGIC, PROGRAMS = (FormulaSyntaxError,), (ProgramError,)
READERS: Mapping[str, Reader] = {
    "strict formulas": Reader(parse, LOGIC, FORMULAS[:1], PARTS),
    "formulas": Reader(read_tolerantly, LOGIC, FORMULAS, PARTS),
    "letters": Reader(partial(read_tolerantly, propositions=True), LOGIC, ["p → q ∧ ¬r", *FORMULAS], PARTS),
    "TPTP": Reader(read_tolerantly, LOGIC, TPTP, OF_TPTP),
    "formula programs": Reader(partial(executed, "formulas"), PROGRAMS, [ALL["formulas"]], [*OF_PROGRAMS, *PARTS]),
    "clause programs": Reader(partial(executed, "clauses"), PROGRAMS, [ALL["clauses"], PROLOG], OF_PROGRAMS),
    "constraint programs": Reader(partial(executed, "constraints"), PROGRAMS, [ALL["constraints"]], OF_PROGRAMS),
    "strict expressions": Reader(
        partial(parse_expression, dialect=Dialect.FULL), (ExpressionSyntaxError,), ["(0|1)*01?"], OF_EXPRESSIONS
    ),
    "expressions": Reader(
        partial(read_expression_tolerantly, dialect=Dialect.FULL),
        (ExpressionSyntaxError,),
        ["(0|1)*01?", "Regex: `(01)*`", "```\n0+1\n```"],
        OF_EXPRESSIONS,
    ),
    "grammars": Reader(grammar, (GrammarError,), GRAMMARS, OF_GRAMMARS),
    "selectors": Reader(selected, (SelectionError,), ["model=a task=t\nscore", "1\nscore_mean"], OF_SELECTORS),
    "answers": Reader(answers, (AnswerError,), ANSWERS, OF_ANSWERS),
    "envelopes": Reader(enveloped, (AnswerError,), ENVELOPES, OF_ENVELOPES),
    "lines": Reader(line, (LineError,), ANSWERS, OF_ANSWERS),
}


def texts(reader: Reader, count: int, seed: int) -> Iterator[str]:
    """Draw texts for a reader: what it reads with slips, with pieces pasted into it, pieces alone, and many times."""
    draw = random.Random(seed)
    for _ in range(count):
        whole = draw.choice(reader.wholes)
        few = "".join(draw.choices(reader.parts, k=draw.choice([1, 1, 2, 3, 5, 8])))
        at = draw.randrange(len(whole) + 1)
        match draw.randrange(20):
            case 0:
                repeated = draw.choice([few, mutated(whole, draw), whole + few])
                yield (repeated * 1_000)[: draw.choice([300, 3_000])]
            case 1:
                yield whole[:at] + (few * 500)[: draw.choice([300, 3_000])] + whole[at:]
            case 2 | 3 | 4:
                yield few
            case 5 | 6 | 7 | 8 | 9:
                yield mutated(whole, draw)
            case _:
                yield whole[:at] + few + whole[at + draw.randrange(6) :]
