"""The limits of a SLURM cluster's partitions: a job that asks for more would pend for ever, without a message."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

_SECONDS = 20


@dataclass(frozen=True, slots=True)
class Limits:
    """What a job of a partition may ask for at most; infinite where there is no limit.

    Attributes:
        minutes: of its duration.
        mem_mb: of its memory on a node.
        is_default: whether jobs that name no partition queue here.
    """

    minutes: float
    mem_mb: float
    is_default: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """What a job asks for.

    Attributes:
        job: the rule and its wildcards, in words.
        partition: where it is to queue; None for the cluster's default.
        minutes: of its duration; None for the partition's default.
        mem_mb: of its memory; None likewise.
    """

    job: str
    partition: str | None
    minutes: float | None
    mem_mb: float | None

    @classmethod
    def of_job(cls, job: Any) -> Asked:
        """What a job of Snakemake's asks for."""
        said = {name: job.resources.get(name) for name in ("slurm_partition", "runtime", "mem_mb")}
        numbers = {name: said[name] if isinstance(said[name], int | float) else None for name in ("runtime", "mem_mb")}
        wildcards = " ".join(map(str, job.wildcards))
        return cls(
            f"{job.rule.name} {wildcards}".strip(), said["slurm_partition"], numbers["runtime"], numbers["mem_mb"]
        )


def refused(jobs: Iterable[Asked], partitions: Mapping[str, Limits]) -> list[str]:
    """A line for each job that its partition would never run."""
    if not partitions:
        return []
    default = next((name for name, limits in partitions.items() if limits.is_default), None)
    lines = []
    for job in jobs:
        # Several may be named; one that would do is enough.
        named = [name for name in (job.partition or default or "").split(",") if name]
        unknown = [name for name in named if name not in partitions]
        faults = [fault for name in named if name in partitions for fault in [_fault(job, name, partitions[name])]]
        if unknown:
            lines.append(
                f"{job.job}: no partition {unknown[0]}; there is {', '.join(partitions)}: correct slurm_partition"
            )
        elif faults and all(faults):
            lines.append(f"{job.job}: {faults[0]}")
    return lines


def _fault(job: Asked, name: str, limits: Limits) -> str | None:
    if job.minutes is not None and job.minutes > limits.minutes:
        return (
            f"asks for {job.minutes:g} min, but partition {name} gives {limits.minutes:g} at most; "
            "set resources: {runtime: …} of the model, or another slurm_partition"
        )
    if job.mem_mb is not None and job.mem_mb > limits.mem_mb:
        return (
            f"asks for {job.mem_mb:g} MB, but partition {name} gives {limits.mem_mb:g} at most; "
            "set resources: {mem_mb: …} of the model, or another slurm_partition"
        )
    return None


def partitions_here() -> dict[str, Limits]:
    """The partitions of the cluster; none where this is no SLURM cluster or it does not answer."""
    command = shutil.which("scontrol")
    if command is None or shutil.which("sbatch") is None:
        return {}
    try:
        done = subprocess.run(  # noqa: S603
            [command, "show", "partition", "--oneliner"], capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return {}
    return read_partitions(done.stdout) if done.returncode == 0 else {}


def read_partitions(text: str) -> dict[str, Limits]:
    """The partitions that ``scontrol show partition --oneliner`` lists."""
    found = {}
    for line in text.splitlines():
        said = dict(re.findall(r"(\S+?)=(\S*)", line))
        if "PartitionName" in said:
            memory = said.get("MaxMemPerNode", "")
            found[said["PartitionName"]] = Limits(
                _minutes(said.get("MaxTime", "")),
                float(memory) if memory.isdigit() else math.inf,
                said.get("Default") == "YES",
            )
    return found


def _minutes(text: str) -> float:
    """``[DAYS-]HOURS:MINUTES:SECONDS``, or minutes; infinite for UNLIMITED."""
    found = re.fullmatch(r"(?:(\d+)-)?(\d+):(\d+):(\d+)", text)
    if found is None:
        return float(text) if text.isdigit() else math.inf
    days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return days * 1440 + hours * 60 + minutes + seconds / 60
