"""Checks before a run: its targets, and the limits of a SLURM cluster's partitions.

Snakemake does not name the target that was meant, and a job that asks for more than its partition gives would pend for
ever, without a message.
"""

import math
import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any, Self

from nlfol.config.configuration import Configuration
from nlfol.config.reading import ConfigurationError
from nlfol.validation import nearest

FOLDERS = ("tables", "report")
"""The targets that are folders in the results."""

_SECONDS = 20
_FIELD = re.compile(r"(\S+?)=(\S*)")
_GPUS = re.compile(r"\bgpu(?::[^:,()]+)?:(\d+)")


def check_targets(arguments: Iterable[str], results: str) -> None:
    """Check that target folders are in that of the results; ``ConfigurationError`` names the one that was meant."""
    for argument in arguments:
        folder, name = PurePath(argument).parent, PurePath(argument).name
        if "/" not in argument or argument.startswith("-"):
            continue
        if folder == PurePath(results) and name not in FOLDERS and not PurePath(name).suffix:
            if meant := nearest(name, FOLDERS):
                raise ConfigurationError(f"no target {argument}{meant.replace('mean ', f'mean {folder}/')}")
        elif folder != PurePath(results) and name in FOLDERS:
            raise ConfigurationError(
                f"no target {argument}: the configuration has results: {results}; ask for {results}/{name}, or set "
                f"results: {folder} in the file that --configfile names"
            )


def check_folders(configuration: Configuration) -> None:
    """Check that nothing stands in the way of the folders of a run; ``ConfigurationError`` names the file that does."""
    for key in ("results", "journal"):
        folder = Path(getattr(configuration, key))
        for path in (folder, *folder.parents):
            if path.exists() and not path.is_dir():
                raise ConfigurationError(
                    f"{key}: {path} is no folder; move it away, or name another folder under {key}"
                )


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a partition's jobs (infinite if it has none), and whether it is the default partition.

    Memory, cores and GPUs are those of its largest node, as a job has one.
    """

    minutes: float
    mem_mb: float
    is_default: bool
    threads: float = math.inf
    gpu: float = math.inf


@dataclass(frozen=True, slots=True)
class Asked:
    """The resources that a job asks for; None for the cluster's or partition's default."""

    rule: str
    wildcards: str
    partition: str | None
    minutes: float | None
    mem_mb: float | None
    threads: float | None = None
    gpu: float | None = None

    @classmethod
    def of_job(cls, job: Any) -> Self:
        """Return the resources of a job of Snakemake's."""
        minutes, mem_mb, gpu = (
            value if isinstance(value := job.resources.get(name), int | float) else None
            for name in ("runtime", "mem_mb", "gpu")
        )
        wildcards = " ".join(map(str, job.wildcards))
        return cls(job.rule.name, wildcards, job.resources.get("slurm_partition"), minutes, mem_mb, job.threads, gpu)


def refused(jobs: Iterable[Asked], partitions: Mapping[str, Limits]) -> list[str]:
    """Return a line for each rule and resource that jobs ask for and their partition would never give."""
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
        ("threads", job.threads, limits.threads, "cores"),
        ("gpu", job.gpu, limits.gpu, "GPUs"),
    ):
        if asked is not None and asked > most:
            return (
                f"asks for {asked:g} {unit}, but partition {name} gives {most:g} at most; name another "
                f"slurm_partition, or --set-{'threads' if resource == 'threads' else 'resources'} "
                f"{job.rule}{'' if resource == 'threads' else f':{resource}'}={most:g}"
            )
    return None


def partitions_here() -> dict[str, Limits]:
    """Return the partitions of the cluster; empty if this is no SLURM cluster or it does not answer."""
    command = shutil.which("scontrol")
    if command is None or shutil.which("sbatch") is None:
        return {}
    said = []
    for noun in ("partition", "node"):
        try:
            done = subprocess.run(  # noqa: S603
                [command, "show", noun, "--oneliner"], capture_output=True, text=True, timeout=_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return {}
        said.append(done.stdout if done.returncode == 0 else "")
    return read_partitions(*said)


def read_partitions(text: str, nodes: str = "") -> dict[str, Limits]:
    """Return the partitions that ``scontrol show partition --oneliner`` lists; ``nodes`` are listed alike."""
    of_nodes: defaultdict[str, list[tuple[float, float, float]]] = defaultdict(list)
    for line in nodes.splitlines():
        fields = dict(_FIELD.findall(line))
        gpus = sum(map(int, _GPUS.findall(fields.get("Gres", ""))))
        node = (_number(fields.get("RealMemory", "")), _number(fields.get("CPUTot", "")), float(gpus))
        for partition in fields.get("Partitions", "").split(","):
            of_nodes[partition].append(node)
    partitions = {}
    for line in text.splitlines():
        fields = dict(_FIELD.findall(line))
        if name := fields.get("PartitionName"):
            memory, threads, gpus = map(max, zip(*of_nodes.get(name, [(math.inf,) * 3]), strict=True))
            partitions[name] = Limits(
                _minutes(fields.get("MaxTime", "")),
                min(memory, _number(fields.get("MaxMemPerNode", ""))),
                fields.get("Default") == "YES",
                threads,
                gpus,
            )
    return partitions


def _number(text: str) -> float:
    """Return a limit; infinite for what is no number, such as UNLIMITED."""
    return float(text) if text.isdigit() else math.inf


def _minutes(text: str) -> float:
    """Return the minutes of ``[DAYS-]HOURS:MINUTES:SECONDS`` or of a number; infinite for UNLIMITED."""
    parts = re.fullmatch(r"(?:(\d+)-)?(\d+):(\d+):(\d+)", text)
    if parts is None:
        return _number(text)
    days, hours, minutes, seconds = (int(part or 0) for part in parts.groups())
    return days * 1440 + hours * 60 + minutes + seconds / 60
