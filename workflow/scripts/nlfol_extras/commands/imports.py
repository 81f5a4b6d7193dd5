"""``nlfol import``: logs of inspect_ai and samples of lm-eval as rows of a file of answers."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nlfol.store.records import SourceError, json_lines
from nlfol.validation import read_bytes

OF_INSPECT = (".eval", ".json")

Row = dict[str, str | int | float | list[int] | None]
"""A row of a file of answers (``AnswerRow``)."""


def answers_of(path: Path) -> Iterator[Row]:
    """Yield a row for each reply of a log; raises ``SourceError`` if it is no log of a task of nlfol's."""
    yield from _of_inspect(path) if path.suffix in OF_INSPECT else _of_lm_eval(path)


def _of_inspect(path: Path) -> Iterator[Row]:
    try:
        from inspect_ai.log import read_eval_log
    except ModuleNotFoundError as error:
        how = "pip install '.[inspect]' in a clone of the repository, into an environment of its own"
        raise SourceError(f"{path}: a log of inspect_ai needs the package {error.name}: {how}") from error
    try:
        log = read_eval_log(str(path))
    except (ValueError, OSError, KeyError) as error:
        raise SourceError(f"{path}: no log of inspect_ai that can be read: {error}") from error
    for sample in log.samples or ():
        about: Any = sample.metadata
        if "row" not in about:
            raise SourceError(f"{path}: sample {sample.id} is of no task of nlfol's; name a log of a task nlfol/…")
        shared: Row = {name: about[name] for name in ("dataset", "task", "item", "presentation")}
        shared |= {"seed": about["row"]["seed"] + sample.epoch - 1, "model": log.eval.model}
        replies = about.get("replies")
        if replies is None:  # the sample failed before its dialogue was over
            why = sample.error.message if sample.error else "the sample has no replies"
            replies = [{"answer": None, "outcome": "failed", "error": why}]
        for step, reply in enumerate(replies, 1):
            yield {**shared, "step": step, **_given(reply)}


def _of_lm_eval(path: Path) -> Iterator[Row]:
    model = _model(path)
    for place, sample in json_lines(path, read_bytes(path)):
        document = sample.get("doc")
        if not isinstance(document, dict) or "row" not in document:
            raise SourceError(f"{path}: line {place} is no sample of a task nlfol_…; give lm-eval's samples_….jsonl")
        try:
            row = json.loads(document["row"])
            shared: Row = {"dataset": document["dataset"], "task": document["task"], "item": row["item"]}
            shared |= {"presentation": row.get("presentation", ""), "seed": row["seed"], "step": 1, "model": model}
            if options := document.get("options"):
                scores = [float(told[0][0]) for told in sample["resps"]]
                answer = max(zip(scores, options, strict=True), key=lambda option: option[0])[1]
                # Its answers by generation are another model's, as those of nlfol's own ``answer: likelihood``.
                shared["model"] = model and f"{model};answer=likelihood"
            else:
                ((answer, *_),) = sample["resps"]
            given = _given({**shared, "answer": answer, "order": json.loads(document["order"])})
        except (KeyError, TypeError, ValueError) as error:
            raise SourceError(
                f"{path}: line {place} is no whole sample ({error!r}); give the file unchanged"
            ) from error
        yield given


def _model(path: Path) -> str | None:
    """Return the model that the results beside some samples name, if they are there: ``results_TIME.json``."""
    beside = path.with_name(f"results_{path.stem.rpartition('_')[2]}.json")
    if not beside.is_file():
        return None
    results = json.loads(read_bytes(beside))
    model: str | None = results.get("model_name") or results.get("config", {}).get("model")
    return model


def _given(reply: Row) -> Row:
    """Return what a reply says; an empty order is none."""
    return {name: value for name, value in reply.items() if name == "answer" or (value is not None and value != [])}


def written(paths: list[Path], to: Path) -> int:
    """Write the rows of logs as JSON Lines, and return their number."""
    rows = [row for path in paths for row in answers_of(path)]
    to.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8", newline="\n")
    return len(rows)
