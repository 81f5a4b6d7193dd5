"""Keys that the entries of all models share."""

from abc import abstractmethod
from typing import Annotated, ClassVar

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, PositiveInt, StringConstraints

Seed = Annotated[NonNegativeInt, Field(lt=2**63)]
"""Seed of an experiment, or of requests."""

Word = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.,-]*$")]
"""A name of a cluster's configuration: no spaces, quotes or signs, for it reaches a command line."""

Features = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_\[(][A-Za-z0-9_.,&|*()\[\]-]*$")]
"""Features of nodes, as ``sbatch --constraint`` joins them; Snakemake quotes it."""


class Resources(BaseModel):
    """Resources of a model's jobs, by Snakemake's names; they change no answer, so changing them reruns nothing."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    gpu: NonNegativeInt | None = None
    """GPUs of a job; left out, none with ``device: cpu``, and otherwise one where there may be one."""
    gpu_model: Word | None = None
    """A kind of GPU, as the cluster calls it."""
    threads: PositiveInt | None = None
    """CPU cores of a job."""
    mem_mb: PositiveInt | None = None
    """Memory of a job, in MB."""
    runtime: PositiveInt | None = None
    """Longest duration of a job, in minutes."""
    slurm_partition: Word | None = None
    """The partition that jobs queue in."""
    slurm_account: Word | None = None
    """Account that jobs are charged to."""
    qos: Word | None = None
    """Quality of service."""
    constraint: Features | None = None
    """Features that a node must have."""


class Part(BaseModel):
    """A block of an entry: nothing unknown is accepted, and errors do not repeat the input, which may be a key."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class Entry(Part):
    """One model's entry."""

    kind: str
    items: PositiveInt | None = None
    """Most items asked per task, drawn by the experiment's seed; None is all."""
    resources: Resources = Resources()
    """Resources of its jobs; answers do not depend on them."""
    reaching: ClassVar[frozenset[str]] = frozenset({"resources"})
    """Keys that say how the model is reached and what its jobs may use: no answer depends on them."""

    @property
    @abstractmethod
    def identity(self) -> str:
        """The model in one line, with whatever the entry says that its answers depend on."""
