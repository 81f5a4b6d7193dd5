"""The figure of docs/folio-reread.md shows the corrections that are shipped."""

import re

from tests.unit.data.kinds_figure import FIGURE, counts


def test_the_figure_has_each_kind_with_its_number() -> None:
    texts = re.findall(r">([^<>]+)</text>", FIGURE.read_text(encoding="utf-8"))
    assert list(counts()) == [text for text in texts if text in counts()]
    assert texts[-len(counts()) :] == [str(count) for count in counts().values()]
