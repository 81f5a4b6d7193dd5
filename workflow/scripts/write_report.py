"""Write the report: all tables and figures, and every item behind them, as one page."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType

from nlfol.provenance.manifest import read as read_manifest
from nlfol.provenance.manifest import unplanned
from nlfol.report.answers import Place, prompts, read_answers
from nlfol.report.figures import figures
from nlfol.report.items import Collection
from nlfol.report.page import Contents, to_html
from nlfol.report.summary import summary
from nlfol.results.analyses.analysis import Given
from nlfol.results.analyses.drawing import build
from nlfol.results.analyses.drawing import figures as drawn_figures
from nlfol.results.analyses.registry import TABLES
from nlfol.results.tables.headlines import standings
from nlfol.store.checksums import write_checksums
from nlfol.store.evidence import files_of_evidence
from nlfol.store.jobs import run_job
from nlfol.store.logs import LOGGER
from nlfol.store.origins import name_of
from nlfol.store.parameters import paths_of


def main(
    given: Given,
    item_files: Sequence[Path],
    answers: Sequence[tuple[Path, Path]],
    output: Path,
    *,
    of_figures: Path,
    manifest: Path,
    journals: Path,
    programs: Mapping[str, Path] = MappingProxyType({}),
    tables: Sequence[str] = tuple(TABLES),
    title: str = "nlfol",
) -> None:
    """Write the page, the texts that are too long for it, and the figures as JSON for ``write_figures``.

    ``given`` are the files behind each of ``drawing.SOURCES``, and ``figures``, the published ones;
    ``item_files`` the ITEMS files; ``answers`` the RESPONSES and SCORES file of each dataset, task and model;
    ``programs`` the PROGRAMS files by ``dataset/task/model``; ``tables`` their names in the order of the page.
    Long texts go into the folder ``texts`` beside ``output``, the figures into ``of_figures``.
    """
    collection = Collection()
    for path in item_files:
        collection.add_candidates(path)
    for path in given.files["audits"]:
        collection.add_audit(path)
    explained = files_of_evidence(given.files.get("evidence", ()))
    costs: dict[Place, float] = {}
    tokens: dict[Place, float] = {}
    for responses, scores in answers:
        program = programs.get(name_of(scores).partition("/")[2])
        answered = read_answers(responses, scores, program, evidence=explained)
        collection.add_answers(answered, prompts(answered, journals))
        costs |= answered.means("cost")
        tokens |= answered.means("completion_tokens")
    items, count = len(collection.items["item"]), len(collection.answers["entry"])
    board = given.planned.models
    contents = Contents(
        title,
        [build(name, given) for name in tables],
        figures(
            given.frame("cells"),
            given.frame("differences"),
            given.frame("ranks"),
            board=board,
            costs=costs,
            tokens=tokens,
            worded=list(drawn_figures(given)),
        ),
        collection.as_data(),
        collection.first_task(),
        f"{items:,} items, {count:,} answers.",
        summary(
            given.frame("cells").to_dicts(),
            standings(*(given.frame(name).to_dicts() for name in ("cells", "ranks", "verifications")), board=board),
            {name: given.frame(name).to_dicts() for name in ("reading", "stability", "trained")},
            read_manifest(manifest),
            seen=unplanned(manifest),
            items=items,
            answers=count,
            differences=given.frame("differences").to_dicts(),
        ),
        collection.left_out,
    )
    for left_out in collection.left_out:
        LOGGER.warning(f"left out of the report: {left_out}")
    page = to_html(contents)
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(page, encoding="utf-8", newline="\n")
    of_figures.write_text(json.dumps(list(map(asdict, contents.figures)), ensure_ascii=False) + "\n", encoding="utf-8")
    texts = dict(collection.texts.whole.values())
    write_texts(output.parent / "texts", texts)
    write_checksums(output.parent, [output, of_figures, *(output.parent / "texts" / name for name in texts)])
    LOGGER.info(f"{output}: {contents.footer} {len(page.encode()) / 1e6:.1f} MB")


def write_texts(folder: Path, texts: Mapping[str, str]) -> None:
    """Write the texts of which the page has only the beginning, and remove stale ones."""
    for stale in folder.glob("*.txt"):
        if stale.name not in texts:
            stale.unlink()
    for name, text in texts.items():
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")


if __name__ == "__main__":
    run_job(
        main,
        answers=lambda job: list(zip(map(Path, job.input.responses), map(Path, job.input.scores), strict=True)),
        of_figures=lambda job: Path(job.output.figures),
        programs=lambda job: {name_of(path).partition("/")[2]: path for path in paths_of(job.input.programs)},
    )
