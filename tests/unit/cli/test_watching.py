"""The end of what ``nlfol run`` starts, without Snakemake."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SNAKEMAKE = """\
import os, subprocess
job = open("job", "w")
subprocess.run(["echo", "started"], stdout=job)
subprocess.Popen(["sleep", "600"], stdout=job)
{end}
"""
"""In place of Snakemake: it starts a job, which holds a pipe open, and ends."""

WATCHING = """\
import os, sys
from pathlib import Path
from nlfol.cli.watching import watch
watch([sys.executable, "snakemake.py"], Path("results"), verbose=True)
"""


@pytest.mark.parametrize(
    "end", ["os.kill(os.getpid(), 9)", "os.kill(os.getppid(), 9); import time; time.sleep(600)"], ids=["it", "we"]
)
def test_watched_jobs_end_when_parent_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("job")
    Path("snakemake.py").write_text(SNAKEMAKE.format(end=end), encoding="utf-8")
    with subprocess.Popen([sys.executable, "-c", WATCHING]), Path("job").open(encoding="utf-8") as job:
        assert job.read() == "started\n"
