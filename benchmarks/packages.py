"""List the packages installed beside nlfol: a bill of materials (CycloneDX 1.6), and a table of licences.

    python benchmarks/packages.py > sbom.json
    python benchmarks/packages.py --licences

Licences are as the packages themselves name them; of those whose metadata do not, as their licence files say. Hashes
are those of ``locks``: a package was installed from a file with one of them.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

LOCKS = Path(__file__).parents[1] / "locks"

_CLASSIFIER = "License :: "
_UNNAMED = "not named"

FROM_FILES = {
    "conda-inject": ("MIT", "LICENSE"),
    "cvc5": ("BSD-3-Clause", "COPYING"),
    "snakemake-interface-common": ("MIT", "LICENSE"),
    "snakemake-interface-logger-plugins": ("MIT", "LICENSE"),
    "snakemake-interface-report-plugins": ("MIT", "LICENSE"),
    "snakemake-interface-scheduler-plugins": ("MIT", "LICENSE"),
    "snakemake-interface-storage-plugins": ("MIT", "LICENSE"),
}
"""Licences of packages whose metadata name none, read in this file of theirs."""


def installed() -> Iterator[tuple[str, str, str]]:
    """Yield name, version and licence of each distribution, by name."""
    found = {_name(each): each for each in distributions()}
    for name in sorted(found.keys() - {"nlfol"}):
        yield name, found[name].version, licence(found[name])


def licence(distribution: Distribution) -> str:
    """Return a distribution's licence: its expression, or its classifiers, or the first line of its field."""
    fields = distribution.metadata.json
    if expression := fields.get("license_expression"):
        return str(expression)
    classifiers = [each for each in fields.get("classifier", ()) if each.startswith(_CLASSIFIER)]
    named = [each.rpartition(" :: ")[2] for each in classifiers if each.count("::") > 1]
    written = str(fields.get("license", "")).strip().split("\n")[0]
    of_file, _ = FROM_FILES.get(_name(distribution), (_UNNAMED, ""))
    return " or ".join(named) or (written if len(written) <= 80 else "") or of_file


def bill() -> dict[str, Any]:
    """Return the bill of materials, as JSON values."""
    locked = _hashes()
    components = [
        {
            "type": "library",
            "name": name,
            "version": version,
            "purl": f"pkg:pypi/{name}@{version}",
            **({} if said == _UNNAMED else {"licenses": [{"license": {"name": said}}]}),
            **_distribution(name, version, locked.get(name, [])),
        }
        for name, version, said in installed()
    ]
    return {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "components": components}


def _hashes() -> dict[str, list[str]]:
    """Return the SHA-256 of the files that each package may be installed from."""
    found: dict[str, set[str]] = {}
    for path in LOCKS.glob("*.txt"):
        for block in re.split(r"\n(?=\S)", path.read_text(encoding="utf-8")):
            found.setdefault(block.partition("==")[0], set()).update(re.findall(r"sha256:([0-9a-f]{64})", block))
    return {name: sorted(hashes) for name, hashes in found.items()}


def _distribution(name: str, version: str, hashes: Sequence[str]) -> dict[str, Any]:
    if not hashes:
        return {}
    address = f"https://pypi.org/project/{name}/{version.partition('+')[0]}/"
    listed = [{"alg": "SHA-256", "content": each} for each in hashes]
    return {"externalReferences": [{"type": "distribution", "url": address, "hashes": listed}]}


def table() -> str:
    """Return the licences as a table in Markdown."""
    rows = [f"| {name} | {version} | {said.replace('|', '/')} |" for name, version, said in installed()]
    return "\n".join(["| package | version | licence |", "|---|---|---|", *rows])


def _name(distribution: Distribution) -> str:
    return re.sub(r"[-_.]+", "-", distribution.metadata["Name"]).lower()


def main() -> None:
    """Write what the command asks for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--licences", action="store_true", help="Write the table instead.")
    sys.stdout.write((table() if parser.parse_args().licences else json.dumps(bill(), indent=1)) + "\n")


if __name__ == "__main__":
    main()
