"""Whether the memory of generating, attaching and measuring grows with the number of items.

    python benchmarks/generating_memory.py [--items 5000 50000] [--grammar first_order]

Each set is made in a process of its own, from ten values; its peak is that of the process, imports included.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

SCRIPTS = Path(__file__).resolve().parents[1] / "workflow" / "scripts"

STAGES = """
import resource, sys
from pathlib import Path
from attach_ontology import main as attach_ontology
from ingest_dataset import main as ingest_dataset
from measure_items import main as measure_items
entry, folder = sys.argv[1], Path(sys.argv[2])
ingest_dataset(entry, "set", folder / "sentences.arrow", seed=1)
attach_ontology(entry, folder / "sentences.arrow", folder / "triples.arrow", seed=1)
measure_items(folder / "triples.arrow", dataset="set", edits=0, seed=1, output=folder / "measures.arrow")
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def peak(grammar: str, items: int) -> float:
    """MiB at the most, for a set of so many items."""
    entry = {"reader": "grammar", "grammar": grammar, "values": {"from": 5, "to": 14}, "count": items // 10}
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(
            [sys.executable, "-c", STAGES, json.dumps(entry), folder],
            env={"PYTHONPATH": str(SCRIPTS)},
            capture_output=True,
            text=True,
            check=True,
        )
    return int(run.stdout.split()[-1]) / 1024


def main() -> None:
    """Print a line for each size, and the last peak as a ratio to the first."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, nargs="+", default=[5_000, 50_000])
    parser.add_argument("--grammar", default="first_order")
    arguments = parser.parse_args()
    peaks = []
    for items in arguments.items:
        start = perf_counter()
        peaks.append(peak(arguments.grammar, items))
        print(f"{items:>8} items: {peaks[-1]:.0f} MiB, {perf_counter() - start:.0f} s")
    print(f"{peaks[-1] / peaks[0]:.3f} of the first")


if __name__ == "__main__":
    main()
