"""Seconds that the estimate of each shipped configuration takes from a checkout in which nothing has run.

    NLFOL_DATA=FOLDER python benchmarks/estimates.py FOLDER [config/autoeval.yaml ...]

Nothing can be asked: there is no key, GPU or network, so published data must lie in the folders of ``NLFOL_DATA``.
"""

import argparse
import os
import sys
from pathlib import Path
from time import perf_counter

import yaml

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.workflow.checkout import ROOT, Checkout

NOWHERE = dict.fromkeys(("http_proxy", "https_proxy"), "http://127.0.0.1:9") | {"CUDA_VISIBLE_DEVICES": ""}


def main() -> None:
    """Print a line for each configuration."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the checkouts go")
    parser.add_argument("configs", nargs="*", help="configurations; all by default")
    options = parser.parse_args()
    folder, given = options.folder, options.configs
    data = {"NLFOL_DATA": os.environ.get("NLFOL_DATA", "data"), "OPENAI_API_KEY": ""}
    for config in given or ["config.yaml", *sorted(f"config/{path.name}" for path in (ROOT / "config").glob("*.yaml"))]:
        checkout = Checkout.make(folder / Path(config).stem)
        results = yaml.safe_load((ROOT / config).read_text(encoding="utf-8")).get("results", "results")
        start = perf_counter()
        checkout.run(f"{results}/estimate.csv", config=config, environment=NOWHERE | data)
        rows = checkout.read(f"{results}/estimate.csv").count("\n") - 1
        print(f"{config}: {perf_counter() - start:.0f} s, {rows} rows", flush=True)


if __name__ == "__main__":
    main()
