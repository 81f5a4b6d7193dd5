"""The page on wide and narrow screens."""

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.unit.report.browser import Reader

FIGURES = ("accuracy-ranking", "forest", "operators", "curves", "position")


@pytest.mark.parametrize("width", [390, 800, 1400])
def test_page_fits_screen_width(chromium: Any, report: Path, width: int) -> None:
    with Reader(chromium, report) as reader:
        reader.page.set_viewport_size({"width": width, "height": 844})
        reader.open("#items?task=logical_translation&model=talker&model=rival&common=model&text=Exactly+one")
        reader.page.click(".answer summary:text-is('Conversation') >> nth=0")
        for name in FIGURES:
            figure = reader.drawn(name)
            taken, room = reader.page.evaluate(
                """selector => [document.querySelector(selector + ' svg.marks').getBoundingClientRect().width,
                    document.querySelector(selector + ' .drawing').clientWidth]""",
                figure,
            )
            assert taken <= room + 1, name
        assert reader.page.evaluate("() => document.documentElement.scrollWidth") == width


def test_table_fades_where_it_is_cut(chromium: Any, report: Path) -> None:
    with Reader(chromium, report) as reader:
        region = reader.page.locator("#leaderboard .scroll").first
        for width, cut in ((390, True), (1400, False)):
            reader.page.set_viewport_size({"width": width, "height": 844})
            reader.page.wait_for_selector(f"#leaderboard .scroll{'[data-cut]' if cut else ':not([data-cut])'} >> nth=0")
        reader.page.set_viewport_size({"width": 390, "height": 844})
        region.evaluate("region => region.scrollTo(region.scrollWidth, 0)")
        reader.page.wait_for_selector("#leaderboard .scroll:not([data-cut]) >> nth=0")


@pytest.mark.parametrize("width", [390, 1400])
def test_long_model_names_wrap_in_figures(chromium: Any, report: Path, tmp_path: Path, width: int) -> None:
    name = "talkative-model-of-a-large-laboratory-2026-01-19"
    before, mark, rest = report.read_text(encoding="utf-8").partition('id="data-figures">')
    figures, end, rest = rest.partition("</script>")
    page = tmp_path / "index.html"
    page.write_text(before + mark + figures.replace('"talker', f'"{name}') + end + rest, encoding="utf-8")
    with Reader(chromium, page) as reader:
        reader.page.set_viewport_size({"width": width, "height": 900})
        figure = reader.drawn("accuracy-ranking")
        panels = reader.page.evaluate(
            """selector => [...document.querySelectorAll(`${selector} .child_row_header, ${selector} .role-axis-label`)]
                .map(axis => [...axis.querySelectorAll('text')].map(text =>
                    [[...text.querySelectorAll('tspan')].map(line => line.textContent).join('') || text.textContent,
                        text.getBoundingClientRect().top, text.getBoundingClientRect().bottom]))
                .filter(labels => labels.some(([said]) => said === 'rival'))""",
            figure,
        )
        assert len(panels) == 3
        for labels in panels:
            assert [said for said, *_ in labels] == [name, "rival", "vectors", "chance"]
            tops, bottoms = ([label[edge] for label in labels] for edge in (1, 2))
            assert all(top >= bottom - 1 for bottom, top in zip(bottoms, tops[1:], strict=False))
            middles = [(top + bottom) / 2 for top, bottom in zip(tops, bottoms, strict=True)]
            steps = [below - above for above, below in pairwise(middles)]
            assert max(steps) - min(steps) < 3


def test_figures_fill_available_width(chromium: Any, report: Path) -> None:
    # On a telephone in one column; in several after the window was made wider.
    with Reader(chromium, report) as reader:
        for width, least in ((390, 330), (1400, 1000)):
            reader.page.set_viewport_size({"width": width, "height": 900})
            reader.drawn("accuracy-ranking")
            room = reader.page.evaluate("() => document.querySelector('#figure-accuracy-ranking .drawing').clientWidth")
            reader.page.wait_for_selector(f"#figure-accuracy-ranking [data-room='{room}']")
            taken, columns = reader.page.evaluate(
                """() => [document.querySelector('#figure-accuracy-ranking svg.marks').getBoundingClientRect().width,
                    new Set([...document.querySelectorAll('#figure-accuracy-ranking .cell > g > path.background')]
                        .map(panel => Math.round(panel.getBoundingClientRect().left))).size]"""
            )
            assert least <= taken <= room + 1
            assert columns == 1 if width == 390 else columns > 1


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_figure_can_be_saved(chromium: Any, report: Path, suffix: str) -> None:
    with Reader(chromium, report) as reader:
        reader.page.click(f"{reader.drawn('accuracy-ranking')} summary")
        with reader.page.expect_download() as saved:
            reader.page.click(f"#figure-accuracy-ranking .vega-actions a:has-text('{suffix.upper()}')")
        assert saved.value.suggested_filename == f"nlfol-accuracy-ranking.{suffix}"
        begun = Path(saved.value.path()).read_bytes()[:8]
        assert begun.startswith(b"\x89PNG" if suffix == "png" else b"<svg")
    assert [url for url in reader.requests if not re.match("data:|file:|blob:", url)] == []


def test_contents_stay_visible_and_fold_on_phone(chromium: Any, report: Path) -> None:
    with Reader(chromium, report) as reader:
        link = reader.page.locator("nav.contents a", has_text="All tasks")
        assert link.is_visible()
        link.click()
        reader.page.wait_for_function("() => document.getElementById('study-all-tasks').open && scrollY > 300")
        assert reader.page.locator("nav.contents").bounding_box()["y"] == 0
        reader.page.set_viewport_size({"width": 390, "height": 844})
        reader.page.wait_for_function("() => !document.querySelector('nav.contents details').open")
        assert not link.is_visible()
        reader.page.click("nav.contents summary")
        assert link.is_visible()
        link.click()
        reader.page.wait_for_function("() => !document.querySelector('nav.contents details').open")


def test_table_headers_and_first_column_stay_visible(chromium: Any, report: Path) -> None:
    with Reader(chromium, report) as reader:
        reader.page.set_viewport_size({"width": 700, "height": 900})
        head, first, moved = reader.page.evaluate(
            """() => {
              const region = document.querySelector('#table-scores .scroll');
              for (let at = region.closest('details'); at; at = at.parentElement.closest('details')) at.open = true;
              region.style.maxHeight = '20rem';
              region.scrollTo(200, 200);
              const at = (selector) => region.querySelector(selector).getBoundingClientRect();
              const { left, top } = region.getBoundingClientRect();
              const moved = region.scrollTop > 100 && region.scrollLeft > 100;
              return [at('thead').top - top, at('tbody tr:nth-child(9) th').left - left, moved];
            }"""
        )
        assert moved
        assert abs(head) < 2
        assert abs(first) < 2
