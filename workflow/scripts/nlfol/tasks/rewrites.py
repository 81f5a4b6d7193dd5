"""Rows of the stages that rewrite problems as SoLT does: items, proposals, sentences offered, and choices made."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import cast

from nlfol.data.entries.diversified import DiversifiedEntry
from nlfol.logic.ontology.ontology import Ontology
from nlfol.mappings import AnyRow
from nlfol.problems.problem import Problem, plain
from nlfol.problems.rewording.diversifying import LEVELS
from nlfol.problems.rewording.paper.assembling import Candidate, Sets, candidate_sets, limited
from nlfol.problems.rewording.paper.expressions import Expression
from nlfol.problems.rewording.paper.proposing import Proposal, together
from nlfol.randomness import source_label
from nlfol.store import files
from nlfol.store.origins import made_from
from nlfol.store.problem_schemas import PROBLEMS, PROPOSALS, SIMILARITIES, ChoiceRow, ProposalRow
from nlfol.store.row_parts import OntologyRow
from nlfol.store.schemas import ITEMS, ItemRow, ResponseRow
from nlfol.tasks.answers import AnswerError
from nlfol.tasks.assembling import Assembling, offered
from nlfol.tasks.item import Item, Member, shown
from nlfol.tasks.plan import Reply
from nlfol.tasks.rewriting import OF_WORDS, REPEATED, WANTED, Rewriting, RewritingEntry
from nlfol.tasks.task import AnyTask

MOST = 12
"""Largest number of sentences offered for a statement beside the statement itself, the most similar ones first."""

_ANSWER = "answer"
"""The type of a whole answer that gave no rewrite."""


def write_items(path: Path, rows: Sequence[ItemRow], dataset: str, task: AnyTask, sources: Sequence[Path]) -> None:
    """Write the ITEMS file of a stage, with what it was made from."""
    about = {"dataset": dataset, "task": task.kind, "task_kind": task.kind, "protocol": "", "style": ""}
    files.write(path, ITEMS, rows, about | made_from(*sources))


def rewriting_row(problem: Problem, expressions: Sequence[Expression], wanted: Collection[Expression]) -> ItemRow:
    """Return the row of ``tasks.rewriting`` for the statement of some expressions; ``wanted`` are in no lexicon."""
    index = expressions[0].statement
    shown = problem.statements[max(0, index - 1) : index + 1]
    members = [
        (expression.concept, expression.words, WANTED if expression in wanted else REPEATED)
        for expression in expressions
    ]
    row = _row(problem, f"{problem.name}:{index}", [statement.text for statement in shown], members)
    return {**row, "text": problem.statements[index].text}


def assembling_row(problem: Problem, sets: Sets) -> ItemRow:
    """Return the row of a problem for ``tasks.assembling``, given the sentences that may stand for each statement."""
    members = [
        (str(index), candidate.text, candidate.type)
        for index, several in enumerate(sets)
        if len(several) > 1
        for candidate in several
    ]
    return _row(problem, problem.name, [statement.text for statement in problem.statements], members)


def _row(problem: Problem, item: str, statements: Sequence[str], members: Sequence[tuple[str, str, str]]) -> ItemRow:
    asked = replace(problem, statements=plain(statements), question=plain([problem.question.text])[0], rewrites=())
    return {
        "item": item,
        "story": problem.name,
        "source": source_label(item, "\n".join(statements)),
        "language": None,
        "text": problem.context,
        "formula": problem.answer,
        "ontology": cast("OntologyRow", Ontology().to_row()),
        "category": problem.depth,
        "depth": None,
        "problem": json.dumps(asked.to_row(), ensure_ascii=False),
        "candidates": [
            {
                "formula": formula,
                "english": english,
                "role": role,
                "edits": 0,
                "change": [],
                "path": [],
                "certificates": None,
            }
            for formula, english, role in members
        ],
        "exemplars": [],
        "unasked": [],
        "readings": [],
        "context": [],
        "status": "usable",
        "reason": None,
        "detail": None,
    }


def proposal_row(item: str, proposal: Proposal) -> ProposalRow:
    """Return the row of LEXICAL or PROPOSALS for a proposal about an item."""
    expression = proposal.expression
    return {
        "item": item,
        "statement": expression.statement,
        "concept": expression.concept,
        "start": expression.start,
        "level": LEVELS.get(proposal.type, "sentence"),
        "type": proposal.type,
        "source": proposal.source,
        "fallback": proposal.fallback,
        "after": proposal.after,
        "reason": proposal.reason,
        "detail": proposal.detail,
        "before": expression.words,
        "sentence": proposal.text,
        "status": "usable" if proposal.reason is None else "refused",
    }


def proposal_rows(lexical: Path, items_file: Path, responses: Path) -> list[ProposalRow]:
    """Return the rows of PROPOSALS by problem and statement: a LEXICAL file's, of answers, and of both joined."""
    task = Rewriting(RewritingEntry())
    items = {row["item"]: Item.from_row(row) for row in files.rows(items_file, ItemRow)}
    rows = files.rows(lexical, ProposalRow)
    for response in files.rows(responses, ResponseRow):
        rows += answer_rows(task, items[response["item"]], response)
    order = {problem: index for index, problem in enumerate(dict.fromkeys(item.story for item in items.values()))}
    rows.sort(key=lambda row: (order[row["item"]], row["statement"]))
    gathered: list[ProposalRow] = []
    for (problem, statement), group in groupby(rows, key=lambda row: (row["item"], row["statement"])):
        of_statement = list(group)
        gathered += of_statement
        if item := items.get(f"{problem}:{statement}"):
            gathered += joined_rows(item.text, of_statement)
    return gathered


def joined_rows(text: str, rows: Sequence[ProposalRow]) -> Iterator[ProposalRow]:
    """Yield the rows of PROPOSALS for sentences that change several expressions of a statement, given its others."""
    proposals = []
    for row in rows:
        if row["status"] == "usable":
            end = row["start"] + len(row["before"])
            expression = Expression(row["statement"], row["start"], end, row["concept"], row["before"], is_name=False)
            source, after, sentence = row["source"], row["after"], row["sentence"]
            proposals.append(Proposal(expression, row["type"], source, after, sentence, row["fallback"]))
    for proposal in together(text, proposals):
        yield proposal_row(rows[0]["item"], proposal)


def answer_rows(task: Rewriting, item: Item, response: ResponseRow) -> Iterator[ProposalRow]:
    """Yield the rows of PROPOSALS for a row of RESPONSES; one that is refused if the answer is missing or unread."""
    refused = partial(Proposal, _expression(item, item.members[0]), _ANSWER, "rewriter")
    if response["outcome"] != "answered":
        yield proposal_row(item.story, refused(reason=response["outcome"], detail=response["error"]))
        return
    try:
        rewritten = list(task.rewritten(item, _answer(task, item, response)))
    except AnswerError as error:
        yield proposal_row(item.story, refused(reason="unparsable", detail=str(error)))
        return
    members = {member.english: member for member in reversed(item.members)}
    for rewrite in rewritten:
        member = members[rewrite.before]
        fallback = member.role == WANTED and rewrite.type in OF_WORDS
        expression = _expression(item, member)
        proposal = Proposal(
            expression, rewrite.type, "rewriter", rewrite.after, rewrite.sentence, fallback, rewrite.reason
        )
        yield proposal_row(item.story, proposal)


def _answer(task: AnyTask, item: Item, response: ResponseRow) -> str:
    """Return an answer out of its envelope; raises ``AnswerError`` if it contradicts itself."""
    return task.opened(item, Reply("", response["outcome"], response["answer"])).answer


def _expression(item: Item, member: Member) -> Expression:
    """Return the first place of a member's expression in the statement of an item that ``rewriting_row`` named."""
    match = re.search(rf"(?<!\w){re.escape(member.english)}(?!\w)", item.text)
    start, end = match.span() if match else (0, 0)
    return Expression(int(item.item.rpartition(":")[2]), start, end, member.formula, member.english, is_name=False)


def offered_sets(
    problems: Path, proposals: Path, similarities: Path, entry: DiversifiedEntry, seed: int | None
) -> list[tuple[Problem, list[list[Candidate]]]]:
    """Read the usable problems of a PROBLEMS file, with the sentences that may stand for each statement.

    ``seed`` is None where the entry, of protocol ``paper``, draws nothing.
    """
    rows = [row for row in files.rows(proposals, PROPOSALS) if row["status"] == "usable"]
    proposed = _by_item([row for row in rows if not entry.types or row["type"] in entry.types])
    compared = _by_item([row for row in files.rows(similarities, SIMILARITIES) if row["kept"]])
    offers = []
    for row in files.rows(problems, PROBLEMS):
        problem = Problem.from_row(row)
        if problem.is_usable:
            kept = {(row["statement"], row["sentence"]): row["similarity"] for row in compared.get(problem.name, [])}
            sets = candidate_sets(problem, proposed.get(problem.name, []), kept, MOST)
            # As in diversify_problems.py; where nothing is drawn, the seed is left out.
            label = source_label(problem.name, shown(problem))
            labels = (label,) if seed is None else (seed, label)
            offers.append((problem, limited(problem, sets, entry.intensity, entry.at_most, *labels)))
    return offers


def _by_item(rows: Iterable[AnyRow]) -> Mapping[str, list[AnyRow]]:
    by_item: dict[str, list[AnyRow]] = {}
    for row in rows:
        by_item.setdefault(row["item"], []).append(row)
    return by_item


def chosen(
    task: Assembling, item: Item | None, response: ResponseRow | None, sets: Sets
) -> tuple[dict[int, int], dict[int, str]]:
    """Return the valid choices of an answer by place of the statement, and the errors of statements without one.

    ``item`` and ``response``, a row of RESPONSES, are None if the model was not asked. Raises ``StoreError`` if it was
    offered other sentences.
    """
    if item is None:
        return {}, {}
    open_places = {
        index: [candidate.text for candidate in several] for index, several in enumerate(sets) if len(several) > 1
    }
    if offered(item) != open_places:
        raise files.StoreError(f"problem {item.item}: the model was offered other sentences; run again")
    if response is None or response["outcome"] != "answered":
        reason = "not asked" if response is None else f"{response['outcome']}: {response['error'] or 'no answer'}"
        return {}, dict.fromkeys(open_places, reason)
    try:
        return task.choices(item, _answer(task, item, response))
    except AnswerError as error:
        return {}, dict.fromkeys(open_places, f"unparsable: {error}")


def choice_rows(
    problem: Problem, sets: Sets, choice: list[int], by_model: Mapping[int, int], errors: Mapping[int, str]
) -> list[ChoiceRow]:
    """Return the rows of CHOICES: the sentence of each statement, by its place in the set, and what chose it.

    ``by_model`` are the choices that the model made, ``errors`` say why it made no other ones.
    """

    def chosen_by(index: int) -> str:
        if len(sets[index]) == 1:
            return "only"
        return "assembler" if index in by_model else "fewest_repeats"

    return [
        {
            "item": problem.name,
            "statement": index,
            "sentence": several[number].text,
            "offered": len(several),
            "chosen_by": chosen_by(index),
            "detail": errors.get(index),
        }
        for index, (several, number) in enumerate(zip(sets, choice, strict=True))
    ]
