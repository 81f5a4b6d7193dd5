"""Small jobs share a process, which changes nothing but how long they take."""

import os
import shutil
import signal
import time
from collections import Counter
from pathlib import Path

import pytest
from tests.workflow.checkout import OWN_PROCESSES, Checkout, configuration

INGEST = "workflow/scripts/ingest_dataset.py"
TARGET = "results/datasets/mine/sentences.arrow"

COUNTING = """\
import os, sys
with open(os.environ["NLFOL_TEST_STARTED"], "a") as file:
    print(sys.orig_argv[sys.orig_argv.index("-m") + 1] if "-m" in sys.orig_argv else "a script", file=file)
"""
"""Run by each interpreter when it starts; forks start none."""


def edit(checkout: Checkout, added: str) -> None:
    """Put a statement before the script's own, for jobs alone."""
    checkout.write(INGEST, f"import os\nif __name__ == '__main__': {added}\n{checkout.read(INGEST)}")


def started(checkout: Checkout, **environment: str) -> Counter[str]:
    """Make rows of tables; return what interpreters were started for."""
    checkout.write("counting/sitecustomize.py", COUNTING)
    log = checkout.folder / "started"
    log.unlink(missing_ok=True)
    counting = {"PYTHONPATH": str(checkout.folder / "counting"), "NLFOL_TEST_STARTED": str(log)}
    checkout.run("results/tables/cells.arrow", environment={**counting, **environment}, cold=True)
    return Counter(log.read_text().splitlines())


def test_jobs_share_interpreter_with_identical_output(checkout: Checkout) -> None:
    checkout.configure({**configuration(), "tasks": {"ranking": configuration()["tasks"]["ranking"]}})
    alone = started(checkout, **OWN_PROCESSES)
    assert alone == {"snakemake": 1, "a script": 6}
    written = checkout.bytes("results/**/*.arrow")
    shutil.rmtree(checkout.folder / "results")
    assert started(checkout) == {"snakemake": 1, "fork_jobs": 1}
    assert checkout.bytes("results/**/*.arrow") == written != {}


def gone(process: int) -> bool:
    """Tell whether a process has ended, be it that nobody has asked for its status."""
    stat = Path(f"/proc/{process}/stat")
    try:
        return stat.read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_stopped_run_terminates_all_processes(checkout: Checkout, how: signal.Signals) -> None:
    """Ctrl-C stops all processes of a terminal; a kill may hit Snakemake alone."""
    edit(checkout, "import time; open('started', 'w').write(f'{os.getpid()} {os.getppid()}'); time.sleep(600)")
    os.mkfifo(checkout.folder / "started")
    run = checkout.start("--cores", "1", TARGET)
    processes = [int(process) for process in checkout.read("started").split()]
    assert run.pid not in processes
    (os.killpg if how is signal.SIGINT else os.kill)(run.pid, how)
    assert run.wait(60) != 0
    until = time.monotonic() + 60
    while not all(map(gone, processes)):
        assert time.monotonic() < until, processes
        time.sleep(0.05)
    assert not (checkout.folder / TARGET).exists()


def test_changed_code_runs_in_next_shared_process(checkout: Checkout) -> None:
    module = "workflow/scripts/nlfol/data/generation.py"
    checkout.run(TARGET, cold=True)
    checkout.write(module, f"{checkout.read(module)}\nraise RuntimeError('this is new')\n")
    assert "this is new" in checkout.snakemake(TARGET, "--forcerun", "ingest_dataset", cold=True).output


@pytest.mark.parametrize("killed", ["getpid", "getppid"], ids=["a job", "the shared process"])
def test_killed_job_is_retried_with_more_memory(checkout: Checkout, killed: str) -> None:
    edit(checkout, f"os.kill(os.{killed}(), 9 * (snakemake.resources.mem_mb < 8000))")
    run = checkout.run(TARGET, "--retries", "1", cold=True)
    assert "died with <Signals.SIGKILL: 9>" in run.output


@pytest.mark.parametrize("environment", [{}, OWN_PROCESSES])
def test_job_error_names_rule_file(checkout: Checkout, environment: dict[str, str]) -> None:
    edit(checkout, "raise SystemExit(3)")
    done = checkout.fail(TARGET, environment=environment, cold=True)
    (line,) = (line for line in done.output.splitlines() if "CalledProcessError in file" in line)
    assert "workflow/rules/datasets.smk" in line
