"""The limits of a SLURM cluster's partitions: a job that asks for more would pend for ever, without a message."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from nlfol.validation import nearest

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
        rule: its rule.
        wildcards: their values, in words.
        partition: where it is to queue; None for the cluster's default.
        minutes: of its duration; None for the partition's default.
        mem_mb: of its memory; None likewise.
    """

    rule: str
    wildcards: str
    partition: str | None
    minutes: float | None
    mem_mb: float | None

    @classmethod
    def of_job(cls, job: Any) -> Asked:
        """What a job of Snakemake's asks for."""
        minutes, mem_mb = (
            said if isinstance(said := job.resources.get(name), int | float) else None for name in ("runtime", "mem_mb")
        )
        wildcards = " ".join(map(str, job.wildcards))
        return cls(job.rule.name, wildcards, job.resources.get("slurm_partition"), minutes, mem_mb)


def refused(jobs: Iterable[Asked], partitions: Mapping[str, Limits]) -> list[str]:
    """What the jobs of a rule ask for that their partition would never give, a line for each rule and fault."""
    default = next((name for name, limits in partitions.items() if limits.is_default), None)
    lines: dict[tuple[str, str], str] = {}
    for job in jobs if partitions else ():
        # Several may be named; one that would do is enough.
        named = [name for name in (job.partition or default or "").split(",") if name]
        faults = [_fault(job, name, partitions) for name in named]
        if faults and all(faults):
            lines.setdefault((job.rule, str(faults[0])), f"{job.rule} {job.wildcards}: {faults[0]}")
    return list(lines.values())


def _fault(job: Asked, name: str, partitions: Mapping[str, Limits]) -> str | None:
    limits = partitions.get(name)
    if limits is None:
        return (
            f"no partition {name}{nearest(name, partitions)}; there is {', '.join(partitions)}: correct slurm_partition"
        )
    for resource, asked, most, unit in (
        ("runtime", job.minutes, limits.minutes, "min"),
        ("mem_mb", job.mem_mb, limits.mem_mb, "MB"),
    ):
        if asked is not None and asked > most:
            return (
                f"asks for {asked:g} {unit}, but partition {name} gives {most:g} at most; name another "
                f"slurm_partition, or --set-resources {job.rule}:{resource}={most:g}"
            )
    return None


def partitions_here() -> dict[str, Limits]:
    """The partitions of the cluster; empty if this is no SLURM cluster or it does not answer."""
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
