"""The figure of docs/folio-reread.md, from the corrections; run as a script, this module draws it."""

from collections import Counter
from pathlib import Path

import altair as alt
import polars as pl

from nlfol.data.patches import read_patches

ROOT = Path(__file__).parents[3]
PATCHES = ROOT / "resources/datasets/folio/patches.jsonl"
FIGURE = ROOT / "docs/images/folio-kinds.svg"


def counts() -> dict[str, int]:
    """Count the corrected formulas of each kind, most frequent first; a formula can have several."""
    patches = read_patches(PATCHES).by_item.values()
    return dict(Counter(kind.value for patch in patches for kind in patch.kinds).most_common())


def draw() -> None:
    """Write the figure."""
    rows = pl.DataFrame({"kind": list(counts()), "formulas": list(counts().values())})
    axes = {
        "y": alt.Y("kind", sort=None, title=None),
        "x": alt.X("formulas", title="Formulas (of 140; some have several kinds)"),
    }
    base = alt.Chart(rows, width=420, height=230)
    bars = base.mark_bar(color="#4c78a8").encode(**axes)
    labels = base.mark_text(align="left", dx=4).encode(**axes, text="formulas")
    (bars + labels).configure_view(stroke=None).properties(background="white").save(FIGURE)


if __name__ == "__main__":
    draw()
