"""The report as a reader has it: opened from disk in a headless Chromium."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.unit.report.browser import Reader
from tests.unit.report.experiment import HOSTILE, Experiment

from nlfol.store import files, schemas

SCORES = ("logical_translation", "dialogue", "embedding", "repetitions", "other_metrics", "positions")


def test_report_loads_without_network_requests(reader: Reader, report: Path) -> None:
    assert reader.requests == [report.as_uri()]


def test_all_figures_are_drawn(reader: Reader) -> None:
    names = reader.page.evaluate("() => [...document.querySelectorAll('figure[id]')].map(figure => figure.id)")
    assert names == [
        f"figure-{name}"
        for name in (
            *("accuracy-logical_translation", "accuracy-most_similar", "accuracy-ranking", "position", "dimensions"),
            *("forest", "outcomes", "cost", "tokens", "readings", "benchmarks", "powers"),
            *("operators", "quantifiers", "curves", "counts"),
        )
    ]
    for name in names:
        assert reader.page.locator(f"{reader.drawn(name.removeprefix('figure-'))} svg.marks path").count() > 10, name


@pytest.mark.parametrize("table", SCORES)
def test_table_score_opens_averaged_answers(reader: Reader, table: str) -> None:
    checked = 0
    for header, text, address in reader.addresses(table):
        if not re.match(r"-?\d\.\d{3}", text) or re.search(r"Correlation|@k|\^k|Consistent", header):
            continue
        reader.open(address)
        assert re.search(r"mean .* (\S+)$", reader.count), (header, address)
        assert reader.count.split()[-1] == text[:5], (header, address)
        checked += 1
    assert checked


@pytest.mark.parametrize("table", ["logical_translation", "faults", "positions", "other_metrics"])
def test_answer_count_opens_matching_answers(reader: Reader, table: str) -> None:
    checked = 0
    for header, text, address in reader.addresses(table):
        if header in ("Items", "Seeds", "Position") or not text.isdecimal():
            continue
        reader.open(address)
        assert re.search(rf"\b{text} answers?\b", reader.count), (header, text, address, reader.count)
        checked += 1
    assert checked


@pytest.mark.parametrize("table", ["complexity", "edit_mix", "set_sizes"])
def test_item_count_opens_matching_items(reader: Reader, table: str) -> None:
    checked = 0
    for header, text, address in reader.addresses(table):
        if header not in ("Items", "Sentences", "Members"):
            continue
        reader.open(address)
        items = int(reader.count.split()[0])
        # A set may have several members that one edit made.
        assert items == int(text) if header != "Members" else 0 < items <= int(text), (header, address)
        checked += 1
    assert checked


def test_comparison_opens_compared_items(reader: Reader) -> None:
    # One of the sentences is refused in ranking.
    compared = [found for found in reader.addresses("task_agreement") if found[0] == "Items"]
    compared += [found for found in reader.addresses("differences") if found[0] == "Items"]
    for header, text, address in compared:
        reader.open(address)
        assert reader.count.startswith(f"{text.split(' of ')[0]} items,"), (header, address)
    assert len({text for _, text, _ in compared}) == 2
    # Nobody was asked to translate by vectors.
    reader.open("#items?task=logical_translation&model=talker&model=vectors&common=model")
    assert reader.count.startswith("0 items")


def test_agreement_share_opens_matching_answers(reader: Reader) -> None:
    # Shares of the items and seeds, of each of which both models' answers are shown.
    (row,) = {address.split("&pair=")[0] for _, _, address in reader.addresses("agreement") if "accuracy" in address
              and "english" in address and "pair" in address}  # fmt: skip
    counts = []
    for pair in ("both", "first_only", "second_only", "neither"):
        reader.open(f"{row}&pair={pair}")
        counts.append(int(re.search(r"(\d+) answers", reader.count)[1]))  # type: ignore[index]
    shares = [text for header, text, address in reader.addresses("agreement") if address.startswith(f"{row}&pair=")]
    assert [f"{count / sum(counts):.3f}" for count in counts] == shares


def test_controls_filter_items_and_announce_count(reader: Reader) -> None:
    reader.open("#items")
    everything = reader.count
    reader.page.select_option("#filter-model", "talker")
    reader.page.select_option("#filter-outcome", "refused")
    assert reader.count != everything
    assert reader.page.get_attribute("#count", "aria-live") == "polite"
    assert "model=talker" in reader.page.url
    assert "outcome=refused" in reader.page.url
    reader.page.fill("#filter-text", "CANNOT help")
    reader.page.keyboard.press("Enter")
    reader.page.wait_for_function("() => location.hash.includes('text=')")
    assert "answer" in reader.count
    reader.page.fill("#filter-text", "nobody wrote this")
    reader.page.keyboard.press("Enter")
    reader.page.wait_for_function("() => document.querySelector('#count').textContent.startsWith('0 items')")
    reader.page.click("text=Clear all")
    assert reader.count == everything


def test_item_row_opens_by_keyboard_with_full_details(reader: Reader) -> None:
    reader.open("#items?task=most_similar&model=rival&item=w01%3A0&presentation=english&seed=3")
    reader.page.focus(".entry > summary")
    if not reader.page.query_selector(".entry[open]"):
        reader.page.keyboard.press("Enter")
    text = reader.page.inner_text(".entry")
    assert "No cube is larger than b." in text
    assert "∀x (Cube(x) → ¬Larger(x, b))" in text
    assert "Ontology: 23 symbols" in text
    assert "Candidates: 5" in text
    assert "rival · seed 3 · shown as english" in text
    assert "Word by word." in text
    reader.page.click("text=Ontology: 23 symbols")
    reader.page.wait_for_selector("text=x is between y and z")
    reader.page.click("text=Candidates: 5")
    reader.page.wait_for_selector("th:has-text('A world that tells it from the gold formula')")


def test_counter_model_is_described_and_drawn_on_board(reader: Reader) -> None:
    reader.open("#items?task=logical_translation&model=talker&seed=3&text=Exactly+one")
    reader.page.wait_for_selector(".entry[open] .world svg.board")
    said = reader.page.inner_text(".entry .counter")
    assert re.fullmatch(r"The sentence is (true|false) and the answer (true|false) in a world of .*", said)
    squares = reader.page.locator(".world svg.board rect").count()
    blocks = reader.page.locator(".world svg.board .block.dodecahedron").count()
    said = reader.page.get_attribute(".world svg.board", "aria-label")
    # The blocks with a field about them, and no more of the board.
    assert blocks == 2
    assert 6 <= squares < 64
    assert re.fullmatch(r"(thing \d: large dodecahedron in row \d from the back, column \d(; )?){2}", said)
    reader.page.click(".world summary:text-is('As sets')")
    assert "universe {" in reader.page.inner_text(".sets")


def test_non_spatial_relations_are_drawn_as_graph(reader: Reader) -> None:
    reader.open("#items?task=logical_translation&model=talker&verdict=not_equivalent&item=w02%3A5")
    reader.page.wait_for_selector(".entry[open] .world")
    assert "No board" in reader.page.inner_text(".world")
    assert "it is right on every board" in reader.page.inner_text(".entry[open] .verdict")
    assert reader.page.inner_text(".entry[open] .counter").startswith("By logic alone, the sentence is ")
    assert reader.page.locator(".world svg.board").count() == 0
    graph = reader.page.locator(".world svg.graph")
    assert graph.locator("text.is").all_text_contents() == ["Cube"]
    assert "Cube" in str(graph.get_attribute("aria-label"))


def test_model_text_is_rendered_as_plain_text(reader: Reader) -> None:
    # In a reasoning, an answer, a reply of no form and a thought.
    reader.open("#items?task=logical_translation&text=onerror")
    for summary in reader.page.query_selector_all(".entry:not([open]) > summary"):
        summary.click()
    reader.settle()
    for summary in reader.page.query_selector_all(".answer details:not([open]) > summary"):
        summary.click()
    reader.settle()
    # In JSON, as it was written, quotes are escaped.
    for place, said in ((".pair", HOSTILE), (".chat", HOSTILE), (".facts", "<b>bold</b>")):
        assert any(said in text for text in reader.page.locator(f".answer {place}").all_inner_texts()), place
    assert reader.page.locator("#results img, #results script, #results b").count() == 0
    assert reader.wrong == []


def test_refused_sentence_count_opens_matching_rows(reader: Reader) -> None:
    found = [(text, address) for _, text, address in reader.addresses("refused") if address.startswith("#rows")]
    for text, address in found:
        reader.open(address)
        shown = reader.page.locator("#table-refused_rows tbody tr:not([hidden])").count()
        assert shown == int(text)
    assert found


def test_refused_item_states_reason(reader: Reader) -> None:
    reader.open("#items?task=ranking&status=refused")
    assert reader.count == "1 item, 0 answers"
    reader.page.wait_for_selector(".entry[open]")
    assert "too few perturbations: " in reader.page.inner_text(".entry")


def test_audit_findings_open_faulty_sets(chromium: Any, small_experiment: Experiment, tmp_path: Path) -> None:
    # Of an audit into which a fault was put: the real one finds none.
    path = small_experiment.folder / "ranking.audit.arrow"
    found = files.read(path, schemas.AUDITS)
    fault = {"item": "w01:2", "members": [0, 2], "formulas": ["P", "Q"], "detail": "the same <b>tree</b>"}
    first, *others = found.to_pylist()
    first |= {"items": 1, "pairs": 1, "faults": [fault]}
    files.write(tmp_path / "audit.arrow", schemas.AUDITS, [first, *others], files.metadata_of(found))
    sources = {**small_experiment.sources, "audits": [tmp_path / "audit.arrow"]}
    page = replace(small_experiment, sources=sources).report(tmp_path / "index.html")
    with Reader(chromium, page) as reader:
        found_by_header = {(header, text): address for header, text, address in reader.addresses("audit")}
        reader.open(found_by_header["Sets with it", "1"])
        assert reader.count.startswith("1 item")
        reader.page.wait_for_selector(".entry[open] h4:text('Found by the audit')")
        assert "1, 3" in reader.page.inner_text(".entry")
        assert "the same <b>tree</b>" in reader.page.inner_text(".entry")


def test_curves_follow_selected_measure(reader: Reader) -> None:
    points = "() => document.querySelectorAll('#figure-curves .mark-symbol path[aria-roledescription=point]').length"
    reader.drawn("curves")
    before = reader.page.evaluate(points)
    reader.page.select_option("#figure-curves select[name=measure]", "quantifiers")
    reader.page.wait_for_function(f"before => ({points})() !== before", arg=before)
    assert 0 < reader.page.evaluate(points) < before


def test_figure_mark_opens_its_items(reader: Reader) -> None:
    reader.open("#items")
    reader.page.locator(f"{reader.drawn('outcomes')} .mark-rect path").first.click()
    reader.page.wait_for_function("() => location.hash.includes('task=logical_translation')")
    assert "model=talker" in reader.page.url


def test_controls_are_labelled_and_ids_unique(reader: Reader) -> None:
    nameless, twice = reader.page.evaluate(
        """() => {
          const ids = [...document.querySelectorAll('[id]')].map(e => e.id).filter(id => !id.startsWith('clip'));
          const nameless = [...document.querySelectorAll('select, input')].filter(e => !e.labels.length);
          return [nameless.length, ids.filter((id, place) => ids.indexOf(id) !== place)];
        }"""
    )
    assert (nameless, twice) == (0, [])


def test_dark_scheme_renders_dark_page(chromium: Any, report: Path) -> None:
    with Reader(chromium, report, color_scheme="dark") as dark:
        ground = dark.page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    assert max(map(int, re.findall(r"\d+", ground)[:3])) < 64
