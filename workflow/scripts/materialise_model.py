"""Make a local model ready to load (``nlfol.models.local.materialisation``)."""

from pathlib import Path

from nlfol.models.local.materialisation import materialise
from nlfol.models.providers.registry import has_weights, read_entry
from nlfol.store.jobs import run_job


def main(model_json: str, output: Path, adapter: Path | None = None, base: Path | None = None) -> None:
    """Materialise a model; ``ValueError`` if it does not run here, ``ModelSourceError`` if its weights are missing."""
    entry = read_entry(model_json)
    if not has_weights(entry):
        raise ValueError(f"{entry.identity}: there is nothing to materialise; ask only for models with a source")
    materialise(entry, output, adapter, base)


if __name__ == "__main__":
    run_job(main)
