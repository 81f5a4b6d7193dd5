"""A SLURM of one machine, for the length of some tests: its own daemons on loopback, without systemd and cgroups.

Several nodes are several ``slurmd`` on one host, each with a port of its own. SLURM enforces neither memory nor devices
without cgroups; it queues, places, counts GPUs, and kills at the time limit as anywhere.
"""

import fcntl
import os
import random
import re
import shutil
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO

from tests.workflow.slurm.commands import ClusterError, call, path, until

CONFIGURATION = Path("/etc/slurm/slurm.conf")
"""Place where jobs look for it: the executor plugin takes the environment variable SLURM_CONF from its inner calls."""

PROGRAMS = ("slurmctld", "slurmd", "munged", "sbatch", "scontrol")

_WAIT = 120.0
"""Seconds for SLURM to become what a command has told it."""

_TURN = 900.0
"""Seconds for another test session's SLURM to end."""

# On a busy machine a killed step or a daemon may take longer than by default, and its node would be drained.
_CONTROLLER = """\
ClusterName=nlfol
SlurmctldHost={host}(127.0.0.1)
AuthType=auth/munge
SlurmUser=root
SlurmdUser=root
SlurmctldPort={port}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
SwitchType=switch/none
SchedulerParameters=batch_sched_delay=1,sched_interval=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=100
MinJobAge=1800
KillWait=2
UnkillableStepTimeout=900
SlurmdTimeout=900
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc={folder}/completed.txt
JobAcctGatherType=jobacct_gather/none
GresTypes=gpu
SlurmdParameters=config_overrides
"""


def obstacle() -> str | None:
    """Why no SLURM can be started here; None if one can."""
    missing = [name for name in PROGRAMS if not shutil.which(name, path=path())]
    if missing:
        return f"SLURM is not installed: no {', '.join(missing)} (Debian: slurm-wlm and munge)"
    if find_spec("snakemake_executor_plugin_slurm") is None:
        return "Snakemake's executor plugin is not installed: requirements-slurm.txt"
    if os.geteuid() != 0:
        return "SLURM's daemons are started by root only"
    if CONFIGURATION.exists() and not CONFIGURATION.is_symlink():
        return f"{CONFIGURATION} belongs to another SLURM"
    return None


@dataclass(frozen=True, slots=True)
class Job:
    """A job as SLURM knows it.

    Attributes:
        number: SLURM's name of it.
        folder: where it was submitted.
        comment: what it is: the rule and its wildcards.
        state: RUNNING, COMPLETED, CANCELLED, TIMEOUT and so on.
        restarts: how often it was queued again after it had begun.
        partition: where it queued.
        node: where it runs or ran.
        gpus: how many GPUs it has.
        array: of which array it is one; None of a job by itself.
    """

    number: str
    folder: Path
    comment: str
    state: str
    restarts: int
    partition: str
    node: str
    gpus: int
    array: str | None


@dataclass(frozen=True, slots=True)
class Cluster:
    """A running SLURM: partition ``cpu`` of all nodes, partition ``gpu`` of the last one, which declares two GPUs."""

    folder: Path
    nodes: tuple[str, ...]

    def scontrol(self, *arguments: str) -> str:
        """Ask the controller."""
        return call("scontrol", *arguments)

    def jobs(self) -> list[Job]:
        """All jobs so far, in the order of their submission."""
        facts = [
            dict(fact.partition("=")[::2] for fact in line.split())
            for line in self.scontrol("show", "job", "--oneliner").splitlines()
            if line.startswith("JobId=")
        ]
        return [
            Job(
                number=fact["JobId"],
                folder=Path(fact["WorkDir"]),
                comment=fact["Comment"],
                state=fact["JobState"],
                restarts=int(fact["Restarts"]),
                partition=fact["Partition"],
                node=fact["NodeList"],
                gpus=int(re.sub(r".*gres:gpu:", "", fact.get("TresPerJob", "gres:gpu:0"))),
                array=fact.get("ArrayJobId"),
            )
            for fact in facts
        ]

    def requeue(self, number: str) -> None:
        """Take a job's node away as a more urgent job would; it queues again, and has not to wait."""
        self.scontrol("requeue", number)

        def waits() -> bool:
            return any(job.number == number and job.state == "PENDING" for job in self.jobs())

        until(waits, _WAIT, lambda: f"job {number} does not queue again: {self.scontrol('show', 'job', number)}")
        # A node starts no job in the second in which it killed it: "Job credential revoked".
        self.scontrol("update", f"JobId={number}", "StartTime=now+2")

    def cancel(self, number: str) -> None:
        """Kill a job as its user would."""
        call("scancel", number)


@contextmanager
def running(folder: Path, nodes: int) -> Iterator[Cluster]:
    """A SLURM that is ready for jobs; it and all its jobs end with the block.

    Raises:
        ClusterError: if it does not come up.
    """
    # One machine has one place for the configuration.
    with Path("/tmp/nlfol-slurm.lock").open("w") as lock:
        until(lambda: _taken(lock), _TURN, lambda: f"{lock.name}: another test session keeps its SLURM")
        names = tuple(f"n{number}" for number in range(1, nodes + 1))
        cluster = Cluster(folder, names)
        try:
            _start(cluster)
            yield cluster
        finally:
            _stop(cluster)


def _start(cluster: Cluster) -> None:
    folder = cluster.folder
    (folder / "state").mkdir(parents=True)
    host = socket.gethostname().partition(".")[0]
    ports = _free_ports(len(cluster.nodes) + 1)
    lines = [_CONTROLLER.format(host=host, folder=folder, port=ports[0])]
    for name, port in zip(cluster.nodes, ports[1:], strict=True):
        gpus = " Gres=gpu:2" if name == cluster.nodes[-1] else ""
        lines.append(
            f"NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=4 RealMemory=24000{gpus}\n"
        )
    lines.append(
        f"PartitionName=cpu Nodes={','.join(cluster.nodes)} Default=YES MaxTime=INFINITE DefaultTime=10 State=UP\n"
    )
    lines.append(f"PartitionName=gpu Nodes={cluster.nodes[-1]} MaxTime=INFINITE DefaultTime=10 State=UP\n")
    (folder / "slurm.conf").write_text("".join(lines))
    # Two devices that every machine has: SLURM counts them and says which ones a job has.
    (folder / "gres.conf").write_text(
        f"NodeName={cluster.nodes[-1]} Name=gpu File=/dev/null\nNodeName={cluster.nodes[-1]} Name=gpu File=/dev/zero\n"
    )
    CONFIGURATION.parent.mkdir(exist_ok=True)
    for name in ("slurm.conf", "gres.conf"):
        link = CONFIGURATION.with_name(name)
        link.unlink(missing_ok=True)
        link.symlink_to(folder / name)
    _start_authentication()
    call("slurmctld", "-c", "-f", str(folder / "slurm.conf"))
    for name in cluster.nodes:
        call("slurmd", "-c", "-f", str(folder / "slurm.conf"), "-N", name)

    def idle() -> bool:
        # Asked before the controller listens, it fails.
        listed = call("sinfo", "--noheader", "--Node", "--states=idle", "--partition=cpu", "--format=%N", check=False)
        return len(listed.split()) == len(cluster.nodes)

    until(idle, _WAIT, lambda: f"SLURM does not come up:\n{_logs(folder)}")


def _start_authentication() -> None:
    """``munged`` goes on after the tests: it is of the machine, not of one SLURM."""
    if call("munge", "--no-input", check=False):
        return
    run = Path("/run/munge")
    run.mkdir(exist_ok=True)
    shutil.chown(run, "munge", "munge")
    key = Path("/etc/munge/munge.key")
    if not key.exists():
        key.write_bytes(os.urandom(1024))
        shutil.chown(key, "munge", "munge")
        key.chmod(0o400)
    call("munged", user="munge")


def _stop(cluster: Cluster) -> None:
    try:
        call("scancel", "--quiet", "--user=root", check=False)
        time.sleep(0.5)
    finally:
        for file in sorted(cluster.folder.glob("*.pid")):
            number = int(file.read_text())
            for kill in (signal.SIGTERM, signal.SIGKILL):
                if _ends(number, kill):
                    break
        for name in ("slurm.conf", "gres.conf"):
            CONFIGURATION.with_name(name).unlink(missing_ok=True)


def _ends(number: int, kill: signal.Signals) -> bool:
    """Return whether a process is gone within ten seconds of a signal."""
    for attempt in range(100):
        try:
            os.kill(number, 0 if attempt else kill)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


def _taken(lock: IO[str]) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _logs(folder: Path) -> str:
    return "\n".join(path.read_text(errors="replace")[-2000:] for path in sorted(folder.glob("*.log")))


def _free_ports(count: int) -> list[int]:
    """Return different ports, none of which the system gives to outgoing connections meanwhile.

    Raises:
        ClusterError: if too few are free.
    """
    lowest = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    found: list[int] = []
    for port in random.sample(range(1024, lowest), lowest - 1024):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) and not _refuses(port):
                found.append(port)
        if len(found) == count:
            return found
    raise ClusterError(f"fewer than {count} ports below {lowest} are free")


def _refuses(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return True
    return False
