"""The list of items: right and wrong at a glance, filters that apply, the keyboard, links, a telephone."""

from typing import Any

import pytest
from tests.unit.report.browser import Reader

TRANSLATIONS = "#items?task=logical_translation"


def offered(reader: Reader) -> dict[str, list[str]]:
    """Return the values of each control that is there."""
    found: dict[str, list[str]] = reader.page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll('#filters select')]
            .filter(each => each.checkVisibility())
            .map(each => [each.id.slice(7), [...each.options].slice(1).map(option => option.value)]))"""
    )
    return found


def test_item_list_shows_answers_as_signed_cells(reader: Reader) -> None:
    reader.open(f"{TRANSLATIONS}&item=w01%3A0")
    cells = reader.page.locator(".entry > summary .mark")
    signs = dict(
        zip(cells.evaluate_all("cells => cells.map(cell => cell.title)"), cells.all_inner_texts(), strict=True)
    )
    assert signs["talker, seed 3: right"] == "✓"
    assert signs["talker, seed 12: wrong"] == "✗"
    assert len(signs) == 5
    assert reader.page.get_attribute(".entry > summary .tally", "aria-label") == "2 of 5 answers right"


def test_item_filters_follow_task_and_occurring_values(reader: Reader) -> None:
    reader.open("#items")
    everywhere = offered(reader)
    assert {"task", "model", "outcome", "seed"} <= everywhere.keys()
    assert not {"cause", "stop", "verdict", "relation", "metric", "dataset"} & everywhere.keys()
    reader.open(TRANSLATIONS)
    of_task = offered(reader)
    assert {"verdict", "relation", "fault", "metric"} <= of_task.keys()
    assert not {"cause", "stop", "presentation"} & of_task.keys()
    assert of_task["model"] == ["talker", "rival", "chance"]
    assert set(of_task["metric"]) == {"equivalence", "bleu", "le", "on_boards"}
    reader.open(f"{TRANSLATIONS}&verdict=invalid")
    narrowed = offered(reader)
    assert set(narrowed["verdict"]) == set(of_task["verdict"])
    assert "relation" not in narrowed
    for key, values in narrowed.items():
        for value in values if key not in ("verdict", "beside", "task", "metric") else []:
            reader.open(f"{TRANSLATIONS}&verdict=invalid&{key}={value}")
            assert not reader.count.startswith("0 items"), (key, value)


def test_keys_and_buttons_move_between_items(reader: Reader) -> None:
    reader.open(f"{TRANSLATIONS}&model=talker")
    entries = reader.page.locator(".entry")
    entries.nth(0).locator("> summary").focus()
    focused = "() => document.activeElement.closest('.entry')?.querySelector('.sentence').textContent"
    texts = reader.page.locator(".entry .sentence").all_text_contents()
    for key, at in (("j", 1), ("j", 2), ("k", 1)):
        reader.page.keyboard.press(key)
        assert reader.page.evaluate(focused) == texts[at]
        assert reader.page.locator(".entry[open]").count() == 1
    style = reader.page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle")
    assert style == "solid"
    reader.page.click(".entry[open] button:text-is('Next item →')")
    assert reader.page.evaluate(focused) == texts[2]
    # Letters that are typed are no keys.
    reader.page.fill("#filter-text", "")
    reader.page.type("#filter-text", "jk")
    assert reader.page.input_value("#filter-text") == "jk"
    reader.page.fill("#filter-text", "")


def test_item_link_opens_item_and_next_keeps_task(reader: Reader) -> None:
    reader.open(f"{TRANSLATIONS}&model=talker&seed=3")
    reader.page.click(".entry >> nth=1")
    link = reader.page.locator(".entry[open] a:text-is('Link to this item')")
    sentence = reader.page.inner_text(".entry[open] .sentence")
    reader.open(str(link.get_attribute("href")))
    reader.page.wait_for_selector(".entry[open] .answer")
    assert reader.page.locator(".entry").count() == 1
    assert reader.page.inner_text(".entry .sentence") == sentence
    before = reader.page.url
    reader.page.click(".entry[open] button:text-is('Next item →')")
    assert "task=logical_translation" in reader.page.url
    assert reader.page.url != before
    assert reader.page.inner_text(".entry .sentence") != sentence
    reader.page.go_back()
    reader.page.wait_for_function(
        "text => document.querySelector('.entry .sentence').textContent === text", arg=sentence
    )


def test_candidates_show_gold_choice_and_difference(reader: Reader) -> None:
    reader.open("#items?task=most_similar&model=talker&presentation=formula&right=wrong")
    reader.page.locator(".entry > summary").first.click()
    reader.settle()
    answer = reader.page.locator(".entry[open] > .answer").first
    (gold,) = answer.locator(".candidates .gold").all_inner_texts()
    (chosen,) = answer.locator(".candidates .chosen").all_inner_texts()
    assert "★ gold" in gold
    assert "✗ chosen" in chosen
    assert "It differs from the gold formula in a world of" in chosen
    number = 1 + answer.locator(".candidates > li").all_inner_texts().index(chosen)
    assert f"It chose no. {number} (" in answer.locator(".verdict").inner_text()
    said = answer.locator(".chat .assistant .turn").last
    if not said.is_visible():
        answer.locator("summary:text-is('Conversation')").click()
        reader.settle()
    assert said.inner_text() == str(number)


def test_ranking_verdict_names_misplaced_candidates(reader: Reader) -> None:
    reader.open("#items?task=ranking&model=talker&seed=3&item=w01%3A0")
    reader.page.wait_for_selector(".entry[open] .candidates")
    assert reader.page.inner_text(".verdict").startswith("Wrong. Not at their end of the order: gold formula")
    assert "✗ not at its end" in reader.page.inner_text(".candidates .gold")
    reader.open("#items?task=ranking&model=rival&seed=3&item=w01%3A0")
    assert reader.page.inner_text(".verdict").startswith("Right. ")
    assert reader.page.locator(".candidates > li").first.get_attribute("class") == "gold"


def test_embedding_candidates_are_sorted_by_similarity(reader: Reader) -> None:
    reader.open("#items?task=most_similar&model=vectors&presentation=english&item=w01%3A0")
    reader.page.wait_for_selector(".entry[open] .candidates")
    likeness = [
        float(text.split()[1]) for text in reader.page.locator(".badge:has-text('similarity')").all_inner_texts()
    ]
    assert likeness == sorted(likeness, reverse=True)
    assert reader.page.locator(".candidates > .chosen").count() == likeness.count(likeness[0])


def test_diff_marks_are_distinguishable_without_colour(reader: Reader) -> None:
    reader.open(f"{TRANSLATIONS}&model=talker&seed=12&item=w01%3A0")
    lines = reader.page.evaluate(
        """() => ['del', 'ins'].map(name => getComputedStyle(document.querySelector(`.pair ${name}.differs`)))
            .map(style => [style.borderBottomStyle, style.textDecorationStyle, style.fontWeight])"""
    )
    assert lines[0][0] == "double"
    assert lines[1][1] == "wavy"
    assert {weight for *_, weight in lines} == {"700"}


@pytest.mark.parametrize("color_scheme", ["light", "dark"])
def test_phone_layout_shows_answers_first_and_folds_filters(chromium: Any, report: Any, color_scheme: str) -> None:
    with Reader(chromium, report, color_scheme=color_scheme) as reader:
        reader.page.set_viewport_size({"width": 390, "height": 844})
        reader.open(TRANSLATIONS)
        reader.page.wait_for_function("() => !document.querySelector('#filters details').open")
        assert offered(reader) == {}
        bottoms = reader.page.evaluate(
            "() => [...document.querySelectorAll('.entry')].map(each => each.getBoundingClientRect().bottom)"
        )
        seen = sum(bottom < 844 for bottom in bottoms)
        assert seen >= 4
        reader.page.click("#filters summary")
        assert "verdict" in offered(reader)
        assert reader.page.inner_text("#filters summary") == "Filters: 1 chosen"
