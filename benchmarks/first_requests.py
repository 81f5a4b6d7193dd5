"""The first request of each task of the papers' grids, beside what it must say and must not say.

    python benchmarks/first_requests.py [GRID ...] [--brief]

A grid is a file of ``config``: paper, autoeval, autoeval_benchmarks, autoeval_reasoning, solt or fine_tuning. It is
asked about stand-ins: one sentence, formula, expression or problem of the kind that a dataset holds. Equal
requests are printed once; ``--brief`` leaves out the texts. The status is 1 if a request is at odds with its checklist
(``tests/unit/tasks/published_prompts.yaml``). All six grids: 69 requests, 82 checks, none at odds.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.unit.tasks.published_prompts import GRIDS, requests_of


def main() -> int:
    """Print requests and checks; return 1 if a check is not met, else 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("grids", nargs="*", metavar="GRID", help=f"some of {', '.join(GRIDS)}; by default all")
    parser.add_argument("--brief", action="store_true", help="print no texts")
    options = parser.parse_args()
    if unknown := set(options.grids) - GRIDS.keys():
        parser.error(f"no grid of a paper: {', '.join(sorted(unknown))}")
    printed: set[str] = set()
    checked = faulty = 0
    for grid in options.grids or GRIDS:
        for request in requests_of(grid):
            if request.text in printed:
                continue
            printed.add(request.text)
            print(f"\n== config/{grid}.yaml: {request.name}\n")
            if not options.brief:
                print(f"{request.text}\n")
            checks = request.checks([GRIDS[grid]])
            for check in checks:
                faults = check.faults(request.text)
                print(f"{check.appendix}: {'; '.join(faults) or 'as printed'}")
                print(f"  says {check.says}\n  does not say {check.omits}")
                faulty += bool(faults)
            checked += len(checks)
            if not checks:
                print("a prompt of our own: the paper prints none")
    print(f"\n{len(printed)} requests, {checked} checks, {faulty} not met")
    return min(faulty, 1)


if __name__ == "__main__":
    raise SystemExit(main())
