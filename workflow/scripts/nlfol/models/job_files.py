"""Files and folders of a job that asks a model."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from nlfol.models.request import RequestBudget


@dataclass(frozen=True, slots=True)
class JobFiles:
    """Files and folders that a job needs to ask its model.

    Attributes:
        kept: journal of a dialogue model, or the folder of an embedding model's vectors. Models that run here have one
            folder for each dataset and task: a vector's last bits depend on what it was encoded beside, and must not
            depend on which other task was asked first.
        sharers: where jobs that ask one interface find one another; None if this is the only one.
        weights: folder of the materialised model; None for one behind an interface.
        service: the service file of the model's server; None for one that the workflow does not serve.
        ledger: the budget; None without one, or for a model that runs here.
    """

    kept: Path
    sharers: Path | None = None
    weights: Path | None = None
    service: Path | None = None
    ledger: RequestBudget[Any] | None = None

    @classmethod
    def of_job(cls, job: Any, kept: str, ledger: RequestBudget[Any] | None) -> Self:
        """Read the files of a Snakemake job from its parameters and inputs; ``kept`` and ``ledger`` as of the class."""
        weights, service = (Path(named) if named else None for named in (job.input.weights, job.input.server))
        return cls(Path(kept), Path(job.params.sharers), weights, service, ledger)
