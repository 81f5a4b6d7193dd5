"""A text that is too long for the page: its beginning is there, and all of it in a file beside, behind a link."""

from pathlib import Path
from typing import Any

from tests.unit.report.browser import Reader, write_page
from tests.unit.tasks.generated_set import judged, triples

import write_report
from nlfol.report.answers import read_answers
from nlfol.report.items import MAX_SHOWN, Collection

LONG = "The end of it all? " + "and so on " * 500_000


def test_long_answer_is_shortened_on_page_and_complete_in_file(chromium: Any, tmp_path: Path) -> None:
    source = triples(tmp_path / "triples.arrow", [("s", "a is a cube.", "Cube(a)")])
    scores = judged(tmp_path, source, {"task": "logical_translation"}, lambda _: LONG)
    collection = Collection()
    collection.add_candidates(tmp_path / "t.items.arrow")
    collection.add_answers(read_answers(tmp_path / "t.responses.arrow", scores))
    assert max(map(len, collection.texts.every)) < MAX_SHOWN + 100

    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "stale.txt").touch()
    write_report.write_texts(tmp_path / "texts", dict(collection.texts.whole.values()))
    (written,) = (tmp_path / "texts").iterdir()
    assert written.read_text(encoding="utf-8") == LONG

    page = write_page(collection, tmp_path)
    assert page.stat().st_size < 3_000_000
    with Reader(chromium, page) as reader:
        reader.open("#items")
        reader.page.fill("#filter-text", "The end of it all?")
        reader.page.keyboard.press("Enter")
        link = reader.page.locator(".entry[open] a", has_text="whole text").first
        link.wait_for()
        assert "5,000,019 characters" in reader.page.inner_text(".entry[open]")
        assert link.get_attribute("href") == f"texts/{written.name}"
        with reader.page.expect_popup() as opened:
            link.click()
        assert opened.value.url.endswith(f"texts/{written.name}")
        opened.value.close()
