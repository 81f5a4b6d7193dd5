"""Count what was proposed, kept and chosen of rewrites, and average how similar they are."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.statistics.rewrites import Diversified, rewrites, similarity
from nlfol.store import files
from nlfol.store.logs import job_log
from nlfol.store.origins import made_from
from nlfol.store.rewrite_schemas import REWRITES, SIMILARITY

if TYPE_CHECKING:
    snakemake: Any


def main(datasets: Sequence[Diversified], output: Path, similarities: Path) -> None:
    """Write ``REWRITES`` and ``SIMILARITY``; the datasets' order is that of the rows."""
    of_rewrites = [
        path
        for each in datasets
        for path in (each.problems, each.audit, each.proposals, each.similarities)
        if path is not None
    ]
    files.write(output, REWRITES, rewrites(datasets), made_from(*of_rewrites))
    wordings = [path for each in datasets for path in each.wordings.values()]
    files.write(similarities, SIMILARITY, similarity(datasets), made_from(*wordings))


def _diversified(name: str, said: dict[str, Any]) -> Diversified:
    def path(key: str) -> Path | None:
        return Path(said[key]) if key in said else None

    wordings = {model: Path(place) for model, place in said["wordings"].items()}
    proposals, similarities = path("proposals"), path("similarities")
    problems, audit = Path(said["problems"]), Path(said["audit"])
    return Diversified(name, said["protocol"], problems, audit, proposals, similarities, wordings)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            [_diversified(name, said) for name, said in json.loads(snakemake.params.datasets).items()],
            Path(snakemake.output.rewrites),
            Path(snakemake.output.similarity),
        )
