"""Estimate what asking the dialogue models would take: candidates and journals -> a table. No model is asked."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.models import materialisation
from nlfol.models.chat_entry import ApiChatSpecification, LocalChatSpecification
from nlfol.models.journal_reading import JournalReader, Record
from nlfol.models.prices import price_of
from nlfol.models.questions import questions
from nlfol.models.request import ChatRequest
from nlfol.models.specification import read_specification
from nlfol.statistics.estimates import Count, estimate
from nlfol.store.logs import job_log
from nlfol.tables.estimates import estimates
from nlfol.tables.rendering import RENDERERS
from nlfol.tasks.asking import Asking

if TYPE_CHECKING:
    snakemake: Any

_ERROR = "where nothing else is known by 3, for 2.4 to 3.5 that one tokenizer has on prompts of these tasks"


def main(
    askings: Sequence[Asking], prompts: Path, journal: Path, weights: Mapping[str, Path], outputs: Mapping[str, Path]
) -> None:
    """Write the estimate.

    Args:
        askings: every dialogue model, dataset and task; their outputs are not made.
        prompts: folder of the templates.
        journal: folder of the journals.
        weights: folders of the models that were materialised already.
        outputs: the file to write for each suffix ("csv", "md").
    """
    rows: list[dict[str, Any]] = []
    kept: dict[str, dict[str, list[Record]]] = {}
    counts: dict[str, Count | None] = {}
    for asking in askings:
        entry = read_specification(asking.specification)
        if not isinstance(entry, LocalChatSpecification | ApiChatSpecification):
            raise TypeError(f"model {asking.model!r} is no dialogue model")
        folder = weights.get(asking.model)
        if asking.model not in kept:
            kept[asking.model] = {
                path.name: JournalReader(path).fresh() for path in sorted((journal / asking.model).glob("*.jsonl"))
            }
            counts[asking.model] = _tokenizer(entry, folder)
        identity = entry.identity
        if isinstance(entry, LocalChatSpecification) and folder is not None:
            identity = materialisation.identity(entry, folder)
        row = estimate(
            [each.request for each in questions(asking, entry, prompts, identity)],
            kept[asking.model].get(f"{asking.dataset}.{asking.task}.jsonl", []),
            all_answers=[record for records in kept[asking.model].values() for record in records],
            price=price_of(entry),
            batch=getattr(entry, "batch", None) is not None,
            count=counts[asking.model],
        )
        rows.append({"model": asking.model, "dataset": asking.dataset, "task": asking.task, **row})
    table = estimates(rows, error=_ERROR)
    for suffix, path in outputs.items():
        path.write_text(RENDERERS[suffix](table), encoding="utf-8", newline="\n")


def _tokenizer(entry: LocalChatSpecification | ApiChatSpecification, folder: Path | None) -> Count | None:
    """Counts the tokens of a prompt; None where the tokenizer is not here."""
    if not isinstance(entry, LocalChatSpecification) or folder is None:
        return None
    from transformers import AutoTokenizer

    tokenizer: Any = AutoTokenizer.from_pretrained(materialisation.weights(folder), local_files_only=True)

    def count(request: ChatRequest) -> int:
        turns = [{"role": message.role, "content": message.content} for message in request.messages]
        text = tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True, **entry.variables)
        return len(tokenizer(text, add_special_tokens=False)["input_ids"])

    return count


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        params = snakemake.params
        main(
            [
                Asking(
                    Path(snakemake.input.candidates[place]),
                    dataset,
                    task,
                    tuple(presentations),
                    model,
                    params.specifications[model],
                    params.seed,
                    Path(snakemake.output[0]),
                )
                for model in params.specifications
                for place, (dataset, task, presentations) in enumerate(json.loads(params.tasks))
            ],
            Path(params.prompts),
            Path(params.journal),
            {name: Path(path) for name, path in params.weights.items()},
            {Path(path).suffix.removeprefix("."): Path(path) for path in snakemake.output},
        )
