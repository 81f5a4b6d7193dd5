"""Gather what is proposed for the statements of a dataset's problems: by lexica, and by the model that was asked."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.diversification.diversifying import LEVELS
from nlfol.store import files, schemas
from nlfol.store.logs import LOGGER, job_log
from nlfol.store.origins import made_from
from nlfol.store.rewrite_schemas import LEXICAL, PROPOSALS
from nlfol.tasks.answers import AnswerError
from nlfol.tasks.item import Item, Member
from nlfol.tasks.rewriting import OF_WORDS, Rewriting, RewritingEntry
from nlfol.tasks.stage import WANTED, place_of

if TYPE_CHECKING:
    snakemake: Any

_ANSWER = "answer"
"""The type of a whole answer that gave no rewrite."""


def main(name: str, lexical: Path, items: Path, responses: Path, output: Path) -> None:
    """Write the PROPOSALS file.

    Args:
        name: what the configuration calls the dataset.
        lexical: the LEXICAL file.
        items: the ITEMS file of the statements that the model was asked about.
        responses: the model's answers.
        output: where the file goes.
    """
    task = Rewriting(RewritingEntry())
    asked = {row["item"]: Item.from_row(row) for row in files.rows(items, schemas.ITEMS)}
    rows = files.rows(lexical, LEXICAL)
    for response in files.rows(responses, schemas.RESPONSES):
        rows += _of_answer(task, asked[response["item"]], response)
    order = {problem: place for place, problem in enumerate(dict.fromkeys(item.story for item in asked.values()))}
    rows.sort(key=lambda row: (order[row["item"]], row["statement"]))
    files.write(output, PROPOSALS, rows, {"dataset": name, **made_from(lexical, items, responses)})
    for what, count in sorted(Counter((row["source"], row["reason"] or "usable") for row in rows).items()):
        LOGGER.info(f"{name}: {count:>6} proposals of {what[0]}: {what[1]}")


def _of_answer(task: Rewriting, item: Item, response: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The proposals of an answer; one that is refused where it cannot be read, or none came."""
    if response["outcome"] != "answered":
        yield _row(item, item.members[0], reason=response["outcome"], detail=response["error"])
        return
    try:
        rewritten = list(task.rewritten(item, response["answer"]))
    except AnswerError as error:
        yield _row(item, item.members[0], reason="unparsable", detail=str(error))
        return
    members = {member.english: member for member in reversed(item.members)}
    for each in rewritten:
        member = members[each.before]
        fallback = member.role == WANTED and each.type in OF_WORDS
        row = _row(item, member, each.type, fallback=fallback, reason=each.reason)
        yield row | {"after": each.after, "sentence": each.sentence}


def _row(
    item: Item,
    member: Member,
    kind: str = _ANSWER,
    *,
    fallback: bool = False,
    reason: str | None = None,
    detail: str | None = None,
) -> dict[str, Any]:
    return {
        "item": item.story,
        "statement": place_of(item.item),
        "concept": member.formula,
        "start": _start(item.text, member.english),
        "level": LEVELS.get(kind, "sentence"),
        "type": kind,
        "source": "rewriter",
        "fallback": fallback,
        "before": member.english,
        "after": None,
        "sentence": None,
        "status": "refused" if reason else "usable",
        "reason": reason,
        "detail": detail,
    }


def _start(text: str, words: str) -> int:
    """Where an expression stands in a statement, first of several places."""
    found = re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text)
    return found.start() if found else 0


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.wildcards.dataset,
            Path(snakemake.input.lexical),
            Path(snakemake.input.items_file),
            Path(snakemake.input.responses),
            Path(snakemake.output[0]),
        )
