"""List gold formulas that all dialogue models contradict while they agree, and propose patches."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.statistics.gold_audit import gold_audit, proposals
from nlfol.statistics.series import load_all
from nlfol.store import analysis_schemas, files
from nlfol.store.logs import LOGGER, job_log

if TYPE_CHECKING:
    snakemake: Any


def main(scores: Sequence[Path], sentences: Mapping[str, Path], output: Path, patches: Path) -> None:
    """Write ``GOLD_AUDIT``, and the proposed entries of a patch file as JSON Lines.

    Args:
        scores: files of ``schemas.SCORES``; their order is the order of the rows.
        sentences: the SENTENCES file of each dataset, by name.
        output: where the rows go.
        patches: where the proposed entries go.
    """
    loaded = load_all(scores)
    rows = gold_audit(loaded, sentences)
    made_from = {
        f"made_from.{source.name}": files.digest(path) for (source, _), path in zip(loaded, scores, strict=True)
    }
    files.write(output, analysis_schemas.GOLD_AUDIT, rows, made_from)
    patches.write_text(proposals(rows), encoding="utf-8", newline="\n")
    LOGGER.info(f"{len(rows)} gold formulas in doubt")


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            [Path(path) for path in snakemake.input.scores],
            dict(zip(snakemake.params.datasets, map(Path, snakemake.input.sentences), strict=True)),
            Path(snakemake.output.rows),
            Path(snakemake.output.patches),
        )
