"""FOLIO for benchmarks that read it by ``NLFOL_DATA``."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
DATA = ROOT / "../shared/data"


def use_folio(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the environment name a folder with FOLIO and its published ontologies; skip the test where they are not."""
    if not DATA.exists():
        pytest.skip("FOLIO is not here: ../shared/data")
    for path in [*DATA.glob("folio/folio-train.jsonl"), *DATA.glob("nl_fol_lt/*.pkl")]:
        (folder / path.name).symlink_to(path)
    monkeypatch.setenv("NLFOL_DATA", str(folder))
