"""Estimate what asking the models would take: candidates and journals -> a table. No model is asked."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.asking.asking import Asking, Offered
from nlfol.asking.questions import compared_texts, dialogues
from nlfol.models.entries.chat import ApiChatEntry, LocalChatEntry
from nlfol.models.entries.embedding import ApiEmbeddingEntry, vectors_folder
from nlfol.models.entries.model import read_entry
from nlfol.models.journal.reading import JournalReader, Record
from nlfol.models.local import materialisation
from nlfol.models.request import ChatRequest
from nlfol.models.vectors.store import Vectors
from nlfol.spending import price_of
from nlfol.statistics.estimates import Count, estimate, estimate_texts
from nlfol.store.logs import job_log
from nlfol.tables.estimates import estimates
from nlfol.tables.rendering import RENDERERS
from nlfol.tasks.registry import build_task

if TYPE_CHECKING:
    snakemake: Any

_ERROR = "where nothing else is known by 3, for 2.4 to 3.5 that one tokenizer has on prompts of these tasks"


def main(
    askings: Sequence[Asking], prompts: Path, journal: Path, weights: Mapping[str, Path], outputs: Mapping[str, Path]
) -> None:
    """Write the estimate.

    Args:
        askings: every dialogue model and every embedding model behind an interface, with each dataset and task; their
            outputs are not made.
        prompts: folder of the templates.
        journal: folder of the journals.
        weights: folders of the models that were materialised already.
        outputs: the file to write for each suffix ("csv", "md").
    """
    kept = _Kept(journal, weights)
    rows: list[dict[str, Any]] = []
    for asking in askings:
        entry = read_entry(asking.entry_json)
        if isinstance(entry, ApiEmbeddingEntry):
            row = _of_texts(asking, entry, journal)
        elif isinstance(entry, LocalChatEntry | ApiChatEntry):
            row = _of_questions(asking, entry, prompts, kept)
        else:
            raise TypeError(f"nothing is estimated of model {asking.model!r}")
        rows.append({"model": asking.model, "dataset": asking.dataset, "task": asking.task_name, **row})
    table = estimates(rows, error=_ERROR)
    for suffix, path in outputs.items():
        path.write_text(RENDERERS[suffix](table), encoding="utf-8", newline="\n")


class _Kept:
    """What is known of each dialogue model already."""

    def __init__(self, journal: Path, weights: Mapping[str, Path]) -> None:
        self._journal = journal
        self.weights = weights
        self._records: dict[str, dict[str, list[Record]]] = {}
        self._counts: dict[str, Count | None] = {}

    def records(self, model: str) -> dict[str, list[Record]]:
        """Of its journals, by file."""
        if model not in self._records:
            paths = sorted((self._journal / model).glob("*.jsonl"))
            self._records[model] = {path.name: JournalReader(path).fresh() for path in paths}
        return self._records[model]

    def count(self, model: str, entry: LocalChatEntry | ApiChatEntry) -> Count | None:
        """Counts the tokens of a prompt; None where the tokenizer is not here."""
        if model not in self._counts:
            self._counts[model] = _tokenizer(entry, self.weights.get(model))
        return self._counts[model]


def _of_questions(asking: Asking, entry: LocalChatEntry | ApiChatEntry, prompts: Path, kept: _Kept) -> dict[str, Any]:
    folder, records = kept.weights.get(asking.model), kept.records(asking.model)
    identity = entry.identity
    if isinstance(entry, LocalChatEntry) and folder is not None:
        identity = materialisation.identity(entry, folder)
    return estimate(
        dialogues(asking, entry, prompts, identity),
        records.get(f"{asking.dataset}.{asking.task_name}.jsonl", []),
        all_answers=[record for of_task in records.values() for record in of_task],
        price=price_of(entry),
        batch=getattr(entry, "batch", None) is not None,
        count=kept.count(asking.model, entry),
    )


def _of_texts(asking: Asking, entry: ApiEmbeddingEntry, journal: Path) -> dict[str, Any]:
    vectors = Vectors(vectors_folder(journal, entry, ""), entry.identity)
    texts: list[str] = []
    left: list[str] = []
    for role, needed in compared_texts(asking, asking.items(entry.items)).items():
        prompt = entry.prompt(role)
        texts += [prompt + text for text in dict.fromkeys(needed)]
        left += [prompt + text for text in vectors.missing(needed, role)]
    return estimate_texts(texts, left, price_of(entry))


def _tokenizer(entry: LocalChatEntry | ApiChatEntry, folder: Path | None) -> Count | None:
    """Counts the tokens of a prompt; None where the tokenizer is not here."""
    if not isinstance(entry, LocalChatEntry) or folder is None:
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
        pairs = [(dataset, task) for dataset, task in json.loads(params.pairs)]
        offered = {pair: Offered.read(Path(path)) for pair, path in zip(pairs, snakemake.input.item_files, strict=True)}
        tasks = {name: build_task(entry) for name, entry in params.tasks.items()}
        main(
            [
                Asking(
                    offered[dataset, task],
                    dataset,
                    task,
                    tasks[task],
                    model,
                    params.entries[model],
                    params.seed,
                    Path(snakemake.output[0]),
                )
                for dataset, task, model in json.loads(params.jobs)
            ],
            Path(params.prompts),
            Path(params.journal),
            {name: Path(path) for name, path in params.weights.items()},
            {Path(path).suffix.removeprefix("."): Path(path) for path in snakemake.output},
        )
