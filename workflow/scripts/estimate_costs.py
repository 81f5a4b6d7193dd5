"""Estimate what asking the models would take: candidates and journals -> a table. No model is asked."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.asking.asking import Asking, Offered
from nlfol.asking.embedding import ALIKE
from nlfol.asking.questions import compared_texts, dialogues
from nlfol.diversification.comparing import wordings
from nlfol.models.entries.chat import ApiChatEntry, LocalChatEntry
from nlfol.models.entries.embedding import ApiEmbeddingEntry, vectors_folder
from nlfol.models.journal.reading import JournalReader, Record
from nlfol.models.local import materialisation
from nlfol.models.providers.registry import read_entry
from nlfol.models.request import ChatRequest
from nlfol.models.vectors.request import Role
from nlfol.models.vectors.store import Vectors
from nlfol.problems import Problem
from nlfol.spending import price_of
from nlfol.statistics.estimates import Count, estimate, estimate_texts
from nlfol.store import files
from nlfol.store.logs import job_log
from nlfol.store.origins import metadata_at
from nlfol.store.problem_schemas import PROBLEMS
from nlfol.store.rewrite_schemas import PROPOSALS
from nlfol.tables.estimates import estimates
from nlfol.tables.rendering import RENDERERS
from nlfol.tasks.registry import build_task
from nlfol.tasks.task import AnyTask

if TYPE_CHECKING:
    snakemake: Any

_ERROR = "where nothing else is known by 3, for 2.4 to 3.5 that one tokenizer has on prompts of these tasks"


@dataclass(frozen=True, slots=True)
class Compared:
    """The texts that an embedding model behind an interface compares for problems in other words.

    Attributes:
        dataset: its name in the configuration.
        model: the model's.
        entry_json: its entry.
        texts: as far as they are known, and others as long.
    """

    dataset: str
    model: str
    entry_json: str
    texts: Sequence[str]


def main(  # noqa: PLR0917
    askings: Sequence[Asking],
    prompts: Path,
    journal: Path,
    weights: Mapping[str, Path],
    outputs: Mapping[str, Path],
    compared: Sequence[Compared] = (),
) -> None:
    """Write the estimate.

    Args:
        askings: every dialogue model and every embedding model behind an interface, with each dataset and task; their
            outputs are not made.
        prompts: folder of the templates.
        journal: folder of the journals.
        weights: folders of the models that were materialised already.
        outputs: the file to write for each suffix ("csv", "md").
        compared: what embedding models behind interfaces compare of problems in other words.
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
    for each in compared:
        of_model = read_entry(each.entry_json)
        if not isinstance(of_model, ApiEmbeddingEntry):
            raise TypeError(f"nothing is estimated of model {each.model!r}")
        row = _of_roles({ALIKE: each.texts}, of_model, journal)
        rows.append({"model": each.model, "dataset": each.dataset, "task": "rewrites", **row})
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
    return _of_roles(compared_texts(asking, asking.items(entry.items)), entry, journal)


def _of_roles(by_role: Mapping[Role, Sequence[str]], entry: ApiEmbeddingEntry, journal: Path) -> dict[str, Any]:
    vectors = Vectors(vectors_folder(journal, entry, ""), entry.identity)
    texts: list[str] = []
    left: list[str] = []
    for role, needed in by_role.items():
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


def offered_by(task: AnyTask, name: str, path: Path) -> Offered:
    """The items of a task; where their file is not there yet, others like them, of the file that there is instead."""
    found = Offered.read(path)
    return found if metadata_at(path)["task"] == name else replace(found, items=tuple(task.expected(found.items)))


def texts_of(said: Mapping[str, str | None]) -> list[str]:
    """What is compared of a dataset of problems in other words.

    Args:
        said: paths: ``problems`` of the dataset, ``originals``, its ``proposals`` if the model is its filter, and the
            ``statements`` that are rewritten; none for what is not there yet.
    """
    texts: list[str] = []
    if (statements := said["statements"]) is not None:
        for item in Offered.read(Path(statements)).items:
            # A sentence for each expression, two more, and words.
            others = [f"{item.text} {number}" for number in range(len(item.members) + 2)]
            texts += [
                item.text,
                *(others if said["proposals"] is None else []),
                *(each.english for each in item.members),
            ]
    if (proposals := said["proposals"]) is not None:
        texts += [row["sentence"] for row in files.rows(Path(proposals), PROPOSALS) if row["status"] == "usable"]
    if said["problems"] is not None and said["originals"] is not None:
        before = {row["item"]: Problem.from_row(row) for row in files.rows(Path(said["originals"]), PROBLEMS)}
        for row in files.rows(Path(said["problems"]), PROBLEMS):
            problem = Problem.from_row(row)
            for pair in wordings(before[problem.name], problem) if problem.is_usable else ():
                texts += [pair["before"], pair["after"]]
    return texts


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        params = snakemake.params
        tasks = {name: build_task(entry) for name, entry in params.tasks.items()}
        pairs = json.loads(params.pairs)
        offered = {(dataset, task): offered_by(tasks[task], task, Path(path)) for dataset, task, path in pairs}
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
            [
                Compared(said["dataset"], said["model"], params.entries[said["model"]], texts_of(said))
                for said in json.loads(params.compared)
            ],
        )
