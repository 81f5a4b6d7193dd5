"""Cost of starting jobs: CPU seconds of judging seven answers, with and without a shared process, and their ratio.

    python benchmarks/starts.py [--repeat 3]

Each run makes all tables, in a folder of its own, from nothing. All processes count, also those that outlive Snakemake.
"""

import argparse
import ctypes
import itertools
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
SUBREAPER = 36
"""Option of Linux's ``prctl``: this process inherits orphans, so that their CPU seconds are counted."""


def experiment(folder: Path) -> None:
    """Copy the project, and configure seven answers to one task of the default experiment."""
    for part in ("Snakefile", "workflow", "resources", "profiles", "envs"):
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy(ROOT / part, folder / part)
    default = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    with (ROOT / "resources/answers/written.jsonl").open(encoding="utf-8") as answers:
        (folder / "answers.jsonl").write_text("".join(itertools.islice(answers, 7)), encoding="utf-8")
    values = {
        "seed": 1,
        "datasets": {"tarski": default["datasets"]["tarski"]},
        "tasks": {"logical_translation": {}},
        "models": {"mine": {"kind": "answers", "path": "answers.jsonl", "only_listed": True}},
    }
    (folder / "config.yaml").write_text(yaml.safe_dump(values), encoding="utf-8")


def run(folder: Path, **environment: str) -> float:
    """CPU seconds of a run, and of all that it started."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    shutil.rmtree(folder / "results", ignore_errors=True)
    subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", "2", "--quiet", "all"],
        cwd=folder,
        env={**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), **environment},
        check=True,
        capture_output=True,
    )
    while True:
        try:
            os.wait()
        except ChildProcessError:
            break
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure, and print the least of each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=3)
    repeat = parser.parse_args().repeat
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        experiment(folder)
        # What Python compiles once is no cost of a job.
        run(folder)
        runs = [(run(folder), run(folder, NLFOL_OWN_PROCESSES="1")) for _ in range(repeat)]
    shared, alone = (min(each) for each in zip(*runs, strict=True))
    print(f"shared {shared:.1f} s, alone {alone:.1f} s, ratio {shared / alone:.2f}")


if __name__ == "__main__":
    main()
