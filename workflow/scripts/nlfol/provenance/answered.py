"""Answers of results that their journals no longer hold: the next run would ask for them again."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from nlfol.models.journal.journal import keys_in
from nlfol.store import files, schemas
from nlfol.store.files import StoreError
from nlfol.store.origins import origins


def missing_answers(responses: Path, journals: Path) -> str | None:
    """Say how many answers of a RESPONSES file are not in its journal; None if they all are, or none was asked for.

    Raises `StoreError` if the file is missing or of another schema.
    """
    table = files.read(responses, schemas.RESPONSES)
    about = files.metadata_of(table)
    # Answers of a file have the keys of whatever run wrote it.
    if about["kind"] != "chat" or any(name.startswith("answers/") for name in origins(about)):
        return None
    asked = {
        row["request"]
        for row in table.select(["request", "outcome"]).to_pylist()
        if row["request"] is not None and row["outcome"] != "failed"
    }
    journal = journals / about["model"] / f"{about['dataset']}.{about['task']}.jsonl"
    missing = asked - keys_in(journal) if asked else set()
    return f"{len(missing):,} of {len(asked):,} answers are no longer in {journal}" if missing else None


def asked_again(responses: Iterable[Path], journals: Path) -> Iterator[str]:
    """Yield what a run that makes these RESPONSES files is to ask again, though the ones there have the answers."""
    for path in responses:
        try:
            lost = missing_answers(path, journals) if path.exists() else None
        except StoreError as error:
            lost = f"cannot be read, so it does not show what was answered ({error})"
        if lost is not None:
            yield f"{path}: {lost}; what is missing is asked for again, so stop this run if you can restore it"
