"""The first screen: leaderboard, findings, a telling wrong answer; studies folded away, and tables to sort."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.unit.report.browser import Reader
from tests.unit.report.experiment import Experiment


@pytest.fixture
def page(reader: Reader) -> Any:
    reader.page.evaluate("() => document.querySelectorAll('details.study').forEach(each => { each.open = false; })")
    reader.page.evaluate("() => scrollTo(0, 0)")
    return reader.page


def test_leaderboard_comes_first_with_studies_folded(page: Any) -> None:
    assert page.locator("#leaderboard").bounding_box()["y"] < 300
    assert page.evaluate("() => document.documentElement.scrollHeight") < 9000
    assert page.locator("figure svg.marks:visible, details.table:visible").count() == 0
    models = page.locator(".leaderboard tbody:not(.references) th").all_inner_texts()
    assert sorted(models) == ["rival", "talker", "vectors"]
    assert "chance" in page.locator(".leaderboard .references th").all_inner_texts()


def test_leaderboard_score_opens_its_answers(reader: Reader) -> None:
    links = reader.page.evaluate(
        "() => [...document.querySelectorAll('.leaderboard td a')].map(a => [a.textContent, a.getAttribute('href')])"
    )
    for text, address in links:
        reader.open(address)
        assert reader.count.split()[-1] == text[:5], address
    assert len(links) > 8


def test_telling_answer_is_most_gold_like_wrong_answer_with_board(reader: Reader, page: Any) -> None:
    section = page.locator("#telling")
    assert section.locator(".board").count() == 1
    said = section.inner_text()
    assert "not equivalent" in said
    assert "The sentence is " in said
    # No other answer with a board agrees more with gold as a text.
    shown, most = page.evaluate(
        """async () => {
          const bytes = Uint8Array.from(atob(document.getElementById('data-items').textContent), c => c.charCodeAt(0));
          const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
          const data = JSON.parse(await new Response(stream).text());
          const wrong = data.answers.world.map((world, answer) => [world, answer])
            .filter(([world, answer]) => world >= 0 && data.worlds[world].blocks && !data.answers.chain[answer].length
              && data.texts[data.answers.verdict[answer]] === 'not_equivalent');
          const most = Math.max(...wrong.map(([, answer]) => data.scores.bleu[answer]));
          return [document.querySelector('#telling').innerText.match(/agree to (\\d+) %/)[1], Math.round(100 * most)];
        }"""
    )
    assert int(shown) == most
    section.locator("a").click()
    page.wait_for_selector(".entry[open]")
    assert reader.count.startswith("1 item")


def test_header_click_sorts_numbers_by_value(page: Any) -> None:
    page.evaluate("() => { location.hash = '#table-scores'; }")
    page.wait_for_selector("#table-scores tbody tr:visible")
    head = page.locator("#table-scores thead th", has_text="Score").first
    column = int(head.get_attribute("data-place"))
    read = f"() => [...document.querySelectorAll('#table-scores tbody tr')].map(row => row.cells[{column}].textContent)"
    before = page.evaluate(read)
    for order in ("descending", "ascending"):
        head.locator("button").click()
        assert head.get_attribute("aria-sort") == order
        values = [float(text[:5]) for text in page.evaluate(read) if text != "–"]
        assert values == sorted(values, reverse=order == "descending")
    assert sorted(page.evaluate(read)) == sorted(before)


def test_tables_name_files_and_citation(page: Any) -> None:
    said = page.locator("#table-dialogue .files")
    assert said.locator("a", has_text="CSV").get_attribute("href") == "../tables/dialogue.csv"
    assert "Cite: table “" in said.text_content()
    figure = said.locator("a", has_text="Figure").get_attribute("href")
    assert page.locator(figure).count() == 1


def test_telling_section_reports_missing_proven_wrong_answer(
    chromium: Any, small_experiment: Experiment, tmp_path: Path
) -> None:
    without = [pair for pair in small_experiment.answers if "logical_translation" not in pair[0].name]
    page = replace(small_experiment, answers=without).report(tmp_path / "index.html")
    with Reader(chromium, page) as reader:
        assert "No answer is proven wrong" in reader.page.inner_text("#telling")
