"""Gather the proposals of lexica and of a model for the statements of a dataset's problems."""

from collections import Counter
from itertools import groupby
from pathlib import Path

from nlfol.store import files, schemas
from nlfol.store.jobs import run_job
from nlfol.store.logs import LOGGER
from nlfol.store.origins import made_from
from nlfol.store.problem_schemas import LEXICAL, PROPOSALS
from nlfol.tasks.item import Item
from nlfol.tasks.rewrites import answer_rows, joined_rows
from nlfol.tasks.rewriting import Rewriting, RewritingEntry


def main(dataset: str, lexical: Path, items_file: Path, responses: Path, output: Path) -> None:
    """Write the PROPOSALS file: what the lexica propose, and the model's answers about the items."""
    task = Rewriting(RewritingEntry())
    asked = {row["item"]: Item.from_row(row) for row in files.rows(items_file, schemas.ITEMS)}
    rows = files.rows(lexical, LEXICAL)
    for response in files.rows(responses, schemas.RESPONSES):
        rows += answer_rows(task, asked[response["item"]], response)
    order = {problem: place for place, problem in enumerate(dict.fromkeys(item.story for item in asked.values()))}
    rows.sort(key=lambda row: (order[row["item"]], row["statement"]))
    for place, several in groupby(list(rows), key=lambda row: (row["item"], row["statement"])):
        item = asked.get("{}:{}".format(*place))
        rows += [] if item is None else joined_rows(item.text, list(several))
    rows.sort(key=lambda row: (order[row["item"]], row["statement"]))
    files.write(output, PROPOSALS, rows, {"dataset": dataset, **made_from(lexical, items_file, responses)})
    counts = Counter((row["source"], row["reason"] or "usable") for row in rows)
    for (source, reason), count in sorted(counts.items()):
        LOGGER.info(f"{dataset}: {count:>6} proposals of {source}: {reason}")


if __name__ == "__main__":
    run_job(main)
