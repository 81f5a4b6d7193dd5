"""The figure of docs/folio-reread.md shows the corrections that are shipped."""

import re

from tests.unit.data.kinds_figure import FIGURE, counts


def test_kinds_figure_shows_current_counts() -> None:
    texts = re.findall(r">([^<>]+)</text>", FIGURE.read_text(encoding="utf-8"))
    assert list(counts()) == [text for text in texts if text in counts()]
    assert texts[-len(counts()) :] == [str(count) for count in counts().values()]
