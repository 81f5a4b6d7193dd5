"""Write the manifest of a run: what was measured, with what software and on what machine."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from nlfol.mappings import JsonObject
from nlfol.provenance.manifest import Inputs, manifest, to_text
from nlfol.store.checksums import write_checksums
from nlfol.store.jobs import run_job


def main(
    inputs: Inputs,
    *,
    given: JsonObject,
    resolved: JsonObject,
    code: Mapping[str, str],
    journals: Path = Path("journal"),
    output: Path,
) -> None:
    """Write the manifest (``nlfol.provenance.manifest.manifest``) and its checksum."""
    written = datetime.now(UTC).isoformat(timespec="seconds")
    output.write_text(
        to_text(manifest(inputs, given=given, resolved=resolved, code=code, written=written, journals=journals)),
        encoding="utf-8",
        newline="\n",
    )
    write_checksums(output.parent, [output])


if __name__ == "__main__":
    run_job(
        main,
        given=lambda job: job.config,
        resolved=lambda job: json.loads(job.params.configuration),
        code=lambda job: job.params.scripts,
    )
