"""GPUs of a job; locks stand for them here, so none is needed."""

import subprocess
import sys
import threading
from pathlib import Path

from nlfol.models.local.devices import VISIBLE, claimed, devices


def test_gpus_are_listed_from_device_files(tmp_path: Path) -> None:
    for name in ("nvidia10", "nvidia2", "nvidia0", "nvidiactl", "nvidia-uvm", "null"):
        (tmp_path / name).touch()
    assert devices({}, tmp_path) == ["0", "2", "10"]


def test_visible_devices_variable_selects_gpus() -> None:
    assert devices({VISIBLE: "3,GPU-5f1c"}) == ["3", "GPU-5f1c"]
    assert devices({VISIBLE: ""}) == []


def test_job_sees_only_claimed_gpus(tmp_path: Path) -> None:
    environment: dict[str, str] = {}
    with claimed(2, environment, ["0", "1", "2"], tmp_path) as first:
        assert first == ["0", "1"]
        assert environment == {VISIBLE: "0,1"}
        other: dict[str, str] = {}
        with claimed(1, other, ["0", "1", "2"], tmp_path):
            assert other == {VISIBLE: "2"}
    assert environment == {}


def test_gpu_claim_is_capped_at_available_devices(tmp_path: Path) -> None:
    for found, seen in ((["0"], {VISIBLE: "0"}), ([], {})):
        environment: dict[str, str] = {}
        with claimed(4, environment, found, tmp_path) as taken:
            assert (taken, environment) == (found, seen)


def test_gpu_claim_restores_visible_devices(tmp_path: Path) -> None:
    environment = {VISIBLE: "4,5"}
    with claimed(1, environment, locks=tmp_path):
        assert environment == {VISIBLE: "4"}
    assert environment == {VISIBLE: "4,5"}


def test_scheduler_allotment_skips_gpu_locks(tmp_path: Path) -> None:
    environment = {"SLURM_JOB_ID": "7", VISIBLE: "1"}
    with claimed(1, environment, locks=tmp_path):
        assert environment[VISIBLE] == "1"
    assert list(tmp_path.iterdir()) == []


def test_gpu_lock_is_released_when_holder_is_killed(tmp_path: Path) -> None:
    program = (
        "import sys, time; from pathlib import Path; from nlfol.models.local.devices import claimed\n"
        "with claimed(1, {}, ['0'], Path(sys.argv[1])): print('has it', flush=True); time.sleep(600)"
    )
    other = subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert other.stdout
    with other:
        assert other.stdout.readline() == "has it\n"
        began = threading.Event()

        def job() -> None:
            with claimed(1, {}, ["0"], tmp_path):
                began.set()

        waiting = threading.Thread(target=job)
        waiting.start()
        assert not began.wait(1)
        other.kill()
    waiting.join()
    assert began.is_set()
