"""Finding out what is to be done, against an empty workflow: CPU seconds of ``snakemake --dry-run``, all in one run.

    python benchmarks/dag.py [--repeat 3] [--models 50] [--datasets 5] [--profile FILE]

Two grids of dialogue models behind an interface, over copies of the shipped dataset: one of the paper's size, and a
large one. Nothing is asked. The memory is the most that any of the runs took. A profile of the large one can be kept
for ``python -m pstats``.
"""

import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
TASKS = {
    "logical_translation": {},
    "most_similar": {"perturbations": 8, "presentations": ["formula", "english"]},
    "ranking": {"perturbations": 3, "presentations": ["formula", "english"]},
}


def grid(models: int, datasets: int) -> dict[str, object]:
    """An experiment of some models over some datasets in all three tasks."""
    shipped = "resources/datasets/tarski"
    dataset = {"reader": "table", "path": f"{shipped}/sentences.csv", "ontology": f"{shipped}/ontology.yaml"}
    model = {"kind": "chat", "backend": "openai", "model": "m"}
    return {
        "seed": 1,
        "datasets": {f"dataset-{number}": dataset for number in range(datasets)},
        "tasks": TASKS,
        "models": {f"model-{number}": model for number in range(models)},
    }


def dry_run(folder: Path, *options: str) -> tuple[float, int]:
    """CPU seconds of a dry run in a folder, and the number of its jobs."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, *options, "-m", "snakemake", "--dry-run", "--quiet", "rules", "--cores", "1"],
        cwd=folder,
        env={**os.environ, "XDG_CACHE_HOME": str(folder / "cache")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stdout)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = re.search(r"^total +(\d+)$", done.stdout, re.MULTILINE)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, int(total[1]) if total else 0


def main() -> None:
    """Measure, and print a line for each workflow."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--models", type=int, default=50)
    parser.add_argument("--datasets", type=int, default=5)
    parser.add_argument("--profile", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        empty, checkout = Path(name, "empty"), Path(name, "checkout")
        empty.mkdir()
        checkout.mkdir()
        (empty / "Snakefile").write_text("rule all:\n    input: []\n")
        for part in ("Snakefile", "workflow", "resources", "profiles", "envs"):
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
            copy(ROOT / part, checkout / part)
        sizes = {"paper": (11, 1), "large": (arguments.models, arguments.datasets)}
        least: dict[str, tuple[float, int]] = {}
        for _ in range(arguments.repeat):
            runs = {"empty": dry_run(empty)}
            for size, (models, datasets) in sizes.items():
                (checkout / "config.yaml").write_text(json.dumps(grid(models, datasets)))
                runs[size] = dry_run(checkout)
            least = {kind: min(run, least.get(kind, run)) for kind, run in runs.items()}
        for kind, (seconds, jobs) in least.items():
            print(
                f"{kind:>6}: {jobs:5} jobs, {seconds:6.2f} s, {seconds / least['empty'][0]:5.1f} of an empty workflow"
            )
        print(f"{resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000:.0f} MB at most")
        if arguments.profile:
            dry_run(checkout, "-m", "cProfile", "-o", str(arguments.profile.resolve()))


if __name__ == "__main__":
    main()
