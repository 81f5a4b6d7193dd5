"""Judge a model's answers: items and responses -> scores."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.asking.judging import dialogues, score_rows, with_items
from nlfol.store import files, schemas
from nlfol.store.logs import Progress, job_log
from nlfol.store.origins import made_from
from nlfol.store.parameters import entry_of
from nlfol.store.parts import WHOLE, Part
from nlfol.tasks.registry import build_task

if TYPE_CHECKING:
    snakemake: Any

_KEPT = ("dataset", "task", "task_kind", "protocol", "model", "kind", "available")
_THINKING = ("thinking", "apart_from_thinking", "reasoning")


def main(
    items_file: Path,
    responses: Path,
    entry_json: str,
    output: Path,
    *,
    glosses: Path | None = None,
    part: Part = WHOLE,
) -> None:
    """Write the SCORES file: a row a dialogue and metric; raises ``StoreError`` if items and responses do not fit.

    ``glosses`` is the GLOSSES file of tasks that compare texts by an embedding model.
    """
    table = files.read(responses, schemas.RESPONSES)
    metadata = files.metadata_of(table)
    origin = made_from(items_file, responses, *([glosses] if glosses else []))
    if part.made:
        rows = list(part.gathered(schemas.SCORES, origin))
    else:
        task = build_task(entry_json)
        if glosses:
            task.cosines = {
                (row["gloss"], row["gold"]): row["similarity"] for row in files.rows(glosses, schemas.GLOSSES)
            }
        listed = list(part.rows(dialogues(table.to_pylist())))
        progress = Progress(f"judging {metadata['model']} on {metadata['dataset']}, {metadata['task']}")
        rows = []
        for done, (item, dialogue) in enumerate(with_items(items_file, responses, listed)):
            progress(done, len(listed))
            rows += score_rows(task, metadata, responses, item, dialogue)
        progress(len(listed), len(listed))
    kept = {key: metadata[key] for key in _KEPT} | {key: metadata[key] for key in _THINKING if key in metadata}
    files.write(output, schemas.SCORES, rows, {**kept, **origin})


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            Path(snakemake.input.items_file),
            Path(snakemake.input.responses),
            entry_of(snakemake.params, "task"),
            Path(snakemake.output[0]),
            glosses=Path(snakemake.input.glosses) if snakemake.input.glosses else None,
            part=Part.of_job(snakemake),
        )
