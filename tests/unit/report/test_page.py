import base64
import gzip
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.unit.report.experiment import HOSTILE, Experiment

from nlfol.report.page import ASSETS, policy
from nlfol.store import files, schemas


def items(page: str) -> dict[str, Any]:
    coded = re.search(r'<script type="text/plain" id="data-items">([^<]*)</script>', page)
    assert coded
    data: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(coded[1])))
    return data


@pytest.fixture(scope="module")
def text(report: Path) -> str:
    return report.read_text(encoding="utf-8")


def test_report_is_deterministic(small_experiment: Experiment, report: Path, tmp_path: Path) -> None:
    again = small_experiment.report(tmp_path / "again.html")
    assert again.read_bytes() == report.read_bytes()


def test_content_security_policy_allows_only_page_scripts(text: str) -> None:
    said = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert said
    rules = said[1].replace("&#39;", "'")
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    assert rules == policy(scripts)
    assert len(scripts) == 2
    assert "default-src 'none'" in rules
    assert "unsafe-eval" not in rules
    for script in scripts:
        assert base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() in rules


def test_page_markup_omits_external_hosts(text: str) -> None:
    markup = re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
    assert not re.search(r"""(src|href)=["']?(https?:|//)""", markup)
    assert "url(" not in markup
    assert "@import" not in markup


def test_model_text_appears_only_in_page_data(text: str) -> None:
    data = items(text)
    assert sum(HOSTILE in said for said in data["texts"]) >= 2
    markup = re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL)
    assert "<img" not in markup
    assert "onerror" not in markup


def test_page_contains_all_answers(small_experiment: Experiment, text: str) -> None:
    answers = items(text)["answers"]
    counts = [files.read(path, schemas.RESPONSES).num_rows for path, _ in small_experiment.answers]
    assert {len(column) for column in answers.values()} == {sum(counts)}


def test_sample_page_covers_all_outcomes_and_verdicts(text: str) -> None:
    data = items(text)
    outcomes = {data["texts"][place] for place in data["answers"]["outcome"]}
    assert outcomes == {"answered", "unparsable", "truncated", "empty", "blank", "refused", "failed"}
    verdicts = {data["texts"][place] for place in data["answers"]["verdict"] if place >= 0}
    assert verdicts == {"equivalent", "not_equivalent", "invalid"}


def test_empty_tables_state_reason(text: str) -> None:
    assert "<li>With and without thinking: No model has one entry that thinks and one that does not" in text
    assert 'id="table-thinking"' not in text


def test_page_includes_all_assets_with_main_script_last(text: str) -> None:
    for path in (*ASSETS.glob("*.js"), *ASSETS.glob("*.css")):
        assert path.read_text(encoding="utf-8") in text, path
    assert text.index("async function start()") > max(text.index(name) for name in ("class Store", "class Explorer"))


def test_scripts_avoid_building_markup_from_text() -> None:
    for path in ASSETS.glob("*.js"):
        script = path.read_text(encoding="utf-8")
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b\(|Function\(", script)
