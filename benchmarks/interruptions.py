"""Cost of kills to a run of round trips: requests that are asked twice, and changes in the tables.

    python benchmarks/interruptions.py [--kills 20] [--items 40]

A whole run of the workflow, three rounds behind a scripted interface of the loopback, is killed so often while it asks,
each time at a drawn moment, and then goes on to its end. Its tables are held against those of a run that nobody killed.
"""

import argparse
import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.workflow.checkout import Checkout
from tests.workflow.interrupted_trips import CONCURRENCY, interrupted


def main() -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--items", type=int, default=40)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        checkout = Checkout.make(Path(folder) / "checkout")
        found = interrupted(checkout, items=arguments.items, kills=arguments.kills, seconds=0.05)
    under_way = {"under_way_at_most": found.kills * CONCURRENCY}
    print(json.dumps({**asdict(found), **under_way}))


if __name__ == "__main__":
    main()
