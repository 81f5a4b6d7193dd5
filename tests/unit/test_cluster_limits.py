"""Jobs that a SLURM cluster would never run, by the limits of its partitions."""

import math
from pathlib import Path

import pytest

from nlfol.config.checks import Asked, Limits, partitions_here, read_partitions, refused

LISTED = (
    "PartitionName=short AllowGroups=ALL Default=YES MaxNodes=UNLIMITED MaxTime=01:30:00 MaxMemPerNode=8000 State=UP\n"
    "PartitionName=long AllowGroups=ALL Default=NO MaxTime=2-00:00:00 MaxMemPerNode=UNLIMITED State=UP\n"
    "PartitionName=free Default=NO MaxTime=UNLIMITED MaxMemPerNode=UNLIMITED State=UP\n"
)
PARTITIONS = {
    "short": Limits(90, 8000, True),
    "long": Limits(2880, math.inf, False),
    "free": Limits(math.inf, math.inf, False),
}


def test_partitions_parse_scontrol_output() -> None:
    assert read_partitions(LISTED) == PARTITIONS
    assert read_partitions("No partitions in the system\n") == {}


@pytest.mark.parametrize(
    ("partition", "minutes", "mem_mb", "message"),
    [
        (None, 60, 4000, None),
        (None, 720, 4000, "asks for 720 min, but partition short gives 90 at most; name another slurm_partition"),
        ("short", 60, 16_000, "asks for 16000 MB, but partition short gives 8000 at most"),
        ("long", 720, 16_000, None),
        ("long", 3000, None, "asks for 3000 min, but partition long gives 2880"),
        ("short,long", 720, None, None),
        ("gpu", 1, 1, "no partition gpu; there is short, long, free"),
        ("free", 1e6, 1e6, None),
        (None, None, None, None),
    ],
)
def test_job_is_refused_when_every_partition_is_too_small(
    partition: str | None, minutes: float | None, mem_mb: float | None, message: str | None
) -> None:
    lines = refused([Asked("ask_api", "a b", partition, minutes, mem_mb)], PARTITIONS)
    assert len(lines) == (message is not None)
    assert message is None or message in lines[0]
    assert refused([Asked("ask_api", "a b", partition, minutes, mem_mb)], {}) == []


NODES = (
    "NodeName=n1 Arch=x86_64 CPUTot=8 RealMemory=4000 Gres=(null) State=IDLE Partitions=short,long BootTime=None\n"
    "NodeName=n2 CPUTot=4 RealMemory=64000 Gres=gpu:a100:2(S:0),gpu:1,shard:9 State=DOWN Partitions=long\n"
)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (Asked("ask_chat", "a", "long", 60, 64_000, 8, 3), None),
        (Asked("ask_chat", "a", "long", 60, 64_001, 8, 3), "asks for 64001 MB, but partition long gives 64000 at most"),
        (Asked("ask_chat", "a", "short", 60, 4_001), "asks for 4001 MB, but partition short gives 4000 at most"),
        (Asked("ask_chat", "a", "short", 60, 9, 8, 1), "asks for 1 GPUs, but partition short gives 0 at most"),
        (Asked("ask_chat", "a", "long", 60, 9, 9), "--set-threads ask_chat=8"),
    ],
)
def test_job_is_refused_that_fits_on_no_node(asked: Asked, message: str | None) -> None:
    lines = refused([asked], read_partitions(LISTED, NODES))
    assert lines == [] if message is None else message in lines[0]


def test_refused_jobs_are_grouped_by_rule_and_fault() -> None:
    jobs = [Asked("judge_answers", each, None, 240, None) for each in ("a", "b")]
    lines = refused([*jobs, Asked("ask_api", "a", None, 240, None)], PARTITIONS)
    assert [line.partition(":")[0] for line in lines] == ["judge_answers a", "ask_api a"]


def test_partitions_come_from_scontrol_where_available(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin/nothing")
    monkeypatch.setattr("shutil.which", lambda name: str(tmp_path / name) if (tmp_path / name).exists() else None)
    assert partitions_here() == {}
    for name, text in (("sbatch", ""), ("scontrol", f"cat <<'END'\n{LISTED}END\n")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}")
        (tmp_path / name).chmod(0o755)
    assert partitions_here() == PARTITIONS
    (tmp_path / "scontrol").write_text("#!/bin/sh\nexit 1\n")
    assert partitions_here() == {}
