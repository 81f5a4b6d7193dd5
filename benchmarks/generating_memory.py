"""Peak memory of generating, attaching and measuring, by number of items.

    python benchmarks/generating_memory.py [--items 5000 50000] [--grammar first_order]

Each stage of a set of ten values runs in a process of its own, as its job does; the peak is that of the process,
imports included.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

SCRIPTS = Path(__file__).resolve().parents[1] / "workflow" / "scripts"

STAGES = {
    "ingest_dataset": "main(entry, 'set', folder / 'sentences.arrow', seed=1)",
    "attach_ontology": "main(entry, folder / 'sentences.arrow', folder / 'triples.arrow', seed=1)",
    "measure_items": (
        "main(folder / 'triples.arrow', dataset='set', sensitivity=0, seed=1, output=folder / 'measures.arrow')"
    ),
}
RUN = """
import resource, sys
from pathlib import Path
from {stage} import main
entry, folder = sys.argv[1], Path(sys.argv[2])
{call}
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def peaks(grammar: str, items: int) -> dict[str, float]:
    """MiB at the most of each stage, for a set of so many items."""
    entry = {"reader": "grammar", "grammar": grammar, "values": {"from": 5, "to": 14}, "count": items // 10}
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for stage, call in STAGES.items():
            run = subprocess.run(
                [sys.executable, "-c", RUN.format(stage=stage, call=call), json.dumps(entry), folder],
                env={"PYTHONPATH": str(SCRIPTS)},
                capture_output=True,
                text=True,
                check=True,
            )
            found[stage] = int(run.stdout.split()[-1]) / 1024
    return found


def main() -> None:
    """Print a line for each size, and the last peaks as ratios to the first."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, nargs="+", default=[5_000, 50_000])
    parser.add_argument("--grammar", default="first_order")
    arguments = parser.parse_args()
    found = []
    for items in arguments.items:
        start = perf_counter()
        found.append(peaks(arguments.grammar, items))
        said = ", ".join(f"{stage} {peak:.0f} MiB" for stage, peak in found[-1].items())
        print(f"{items:>8} items: {said}; {perf_counter() - start:.0f} s")
    print("of the first: " + ", ".join(f"{stage} {found[-1][stage] / found[0][stage]:.3f}" for stage in STAGES))


if __name__ == "__main__":
    main()
