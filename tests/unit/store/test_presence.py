import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from nlfol.store.presence import FORGOTTEN, InterfaceUse

PROGRAM = """
import sys, time
from pathlib import Path
from nlfol.store.presence import InterfaceUse
with InterfaceUse(Path(sys.argv[1]), "https://one/v1"):
    print("entered", flush=True)
    time.sleep(600)
"""


def test_interface_use_counts_concurrent_jobs(tmp_path: Path) -> None:
    with InterfaceUse(tmp_path, "https://one/v1") as first, InterfaceUse(tmp_path, "https://other/v1") as other:
        with InterfaceUse(tmp_path, "https://one/v1") as second:
            assert [sharers.count() for sharers in (first, second, other)] == [2, 2, 1]
        assert first.count() == 1


def test_interface_use_forgets_killed_job(tmp_path: Path) -> None:
    with InterfaceUse(tmp_path, "https://one/v1") as sharers:
        command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
        environment = {**os.environ, "PYTHONPATH": ":".join(sys.path)}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as job:
            assert job.stdout
            assert job.stdout.readline() == "entered\n"
            assert sharers.count() == 2
            job.send_signal(signal.SIGKILL)
        (left,) = (path for path in tmp_path.glob("*/*") if f".{job.pid}." in path.name)
        long_ago = time.time() - FORGOTTEN - 1
        os.utime(left, (long_ago, long_ago))
        assert sharers.count() == 1
        assert not left.exists()
