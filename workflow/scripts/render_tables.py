"""Write the tables, each in every form asked for."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from nlfol.provenance.manifest import note
from nlfol.results.analyses.analysis import Given
from nlfol.results.analyses.drawing import SOURCES, build
from nlfol.results.analyses.registry import TABLES
from nlfol.results.tables.rendering import RENDERERS
from nlfol.results.tables.table import TableError
from nlfol.store.checksums import write_checksums
from nlfol.store.jobs import run_job


def main(given: Given, manifest: Path, outputs: Sequence[Path]) -> None:
    """Write tables and their checksums, and remove those of other experiments beside them.

    ``given`` are the files behind each of ``drawing.SOURCES``, in the order of rows, and the published ``figures``.
    ``outputs`` are named as one of ``registry.TABLES``, with a suffix of ``RENDERERS``; others raise ``TableError``.
    """
    for path in outputs:
        if _suffix(path) not in RENDERERS:
            raise TableError(f"{path}: no renderer for {_suffix(path)}; there are {', '.join(RENDERERS)}")
    remark = note(manifest)
    drawn = {name: build(name, given) for name in dict.fromkeys(path.stem for path in outputs)}
    tables = {name: replace(table, notes=(*table.notes, remark)) for name, table in drawn.items()}
    for path in outputs:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(RENDERERS[_suffix(path)](tables[path.stem]), encoding="utf-8", newline="\n")
    for folder in {path.parent for path in outputs}:
        _remove_others(folder, tables, given.files)
        # Arrow files hold their own.
        write_checksums(
            folder, (path for path in folder.iterdir() if path.suffix not in ("", ".arrow") and path.name[0] != ".")
        )


def _remove_others(folder: Path, names: Collection[str], sources: Collection[str]) -> None:
    for path in folder.iterdir():
        if (path.stem in TABLES.keys() - names and _suffix(path) in RENDERERS) or (
            path.stem in {*SOURCES} - {*sources} and path.suffix == ".arrow"
        ):
            path.unlink()


def _suffix(path: Path) -> str:
    return path.suffix.removeprefix(".")


if __name__ == "__main__":
    run_job(
        main,
        outputs=lambda job: [Path(path) for path in job.output if path != job.output.checksums],
    )
