"""Write the manifest of a run: what was measured, with what software and on what machine."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.provenance.manifest import Inputs, manifest, to_text
from nlfol.store.checksums import write_checksums
from nlfol.store.logs import job_log

if TYPE_CHECKING:
    snakemake: Any


def main(
    inputs: Inputs, *, given: Mapping[str, Any], resolved: Mapping[str, Any], code: Mapping[str, str], output: Path
) -> None:
    """Write the manifest (``nlfol.provenance.manifest.manifest``) and its checksum."""
    written = datetime.now(UTC).isoformat(timespec="seconds")
    output.write_text(
        to_text(manifest(inputs, given=given, resolved=resolved, code=code, written=written)),
        encoding="utf-8",
        newline="\n",
    )
    write_checksums(output.parent, [output])


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        stages = ("sentences", "triples", "items", "responses", "scores", "prompts", "figures", "problems")
        named = {
            name: [Path(path) for path in snakemake.input.get("item_files" if name == "items" else name)]
            for name in stages
        }
        main(
            Inputs(**named),
            given=snakemake.config,
            resolved=json.loads(snakemake.params.configuration),
            code=snakemake.params.scripts,
            output=Path(snakemake.output[0]),
        )
