import hashlib
import json
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from tests.examples import ROOT

from nlfol.data.entries.folio import FolioEntry
from nlfol.data.pin import Pin, fetch
from nlfol.store.records import SourceError

CONTENT = b'{"story_id": 1, "premises": ["Ann is tall."], "premises-FOL": ["Tall(ann)"]}\n'


def pin(url: str, content: bytes = CONTENT) -> Pin:
    digest = hashlib.sha256(content).hexdigest()
    return Pin(repository="a/b", commit="0" * 40, path="data/f.jsonl", url=url, sha256=digest, licence="CC0-1.0")


def test_pinned_file_is_fetched_once(tmp_path: Path, httpserver: HTTPServer) -> None:
    httpserver.expect_oneshot_request("/f.jsonl").respond_with_data(CONTENT)
    pinned = pin(httpserver.url_for("/f.jsonl"))
    for _ in range(2):
        assert fetch(pinned, tmp_path).read_bytes() == CONTENT
    assert [path.name for path in tmp_path.rglob("*.jsonl")] == ["f.jsonl"]
    assert len(list(tmp_path.rglob("*"))) == 3


def test_same_named_files_are_cached_separately(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at_hand = tmp_path / "data"
    at_hand.mkdir()
    monkeypatch.setenv("NLFOL_DATA", str(at_hand))
    pins = []
    for name in ("One", "Other"):
        (at_hand / f"{name}_dev.json").write_text(name)
        pins.append(pin("http://127.0.0.1:9/", name.encode()).model_copy(update={"path": f"data/{name}/dev.json"}))
    for _ in range(2):
        assert [fetch(each, tmp_path / "cache").read_text() for each in pins] == ["One", "Other"]
    assert len([path for path in (tmp_path / "cache").rglob("*") if path.is_file()]) == 2


def test_pin_rejects_path_outside_repository() -> None:
    data = pin("http://127.0.0.1:9/").model_dump()
    for path in ("/etc/hostname", "../f.jsonl"):
        with pytest.raises(ValueError, match="no path inside a repository"):
            Pin.model_validate(data | {"path": path})


def test_damaged_cache_is_fetched_again(tmp_path: Path, httpserver: HTTPServer) -> None:
    httpserver.expect_request("/f.jsonl").respond_with_data(CONTENT)
    pinned = pin(httpserver.url_for("/f.jsonl"))
    fetch(pinned, tmp_path).write_bytes(b"half")
    assert fetch(pinned, tmp_path).read_bytes() == CONTENT


def test_file_with_wrong_digest_is_refused(tmp_path: Path, httpserver: HTTPServer) -> None:
    httpserver.expect_request("/f.jsonl").respond_with_data(b"other")
    with pytest.raises(SourceError, match="instead of"):
        fetch(pin(httpserver.url_for("/f.jsonl")), tmp_path)
    assert not list(tmp_path.iterdir())


def test_offline_error_names_url_digest_and_remedy(tmp_path: Path) -> None:
    pinned = pin("http://127.0.0.1:9/f.jsonl")
    with pytest.raises(SourceError) as caught:
        fetch(pinned, tmp_path)
    for part in (pinned.url, pinned.sha256, "'path'"):
        assert part in str(caught.value)


def test_file_of_unknown_digest_is_taken_by_its_name(
    tmp_path: Path, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    pinned = pin(httpserver.url_for("/f.jsonl")).model_copy(update={"sha256": ""})
    httpserver.expect_oneshot_request("/f.jsonl").respond_with_data(CONTENT)
    assert fetch(pinned, tmp_path / "cache").read_bytes() == CONTENT
    (tmp_path / "data").mkdir()
    (tmp_path / "data/f.jsonl").write_text("at hand")
    monkeypatch.setenv("NLFOL_DATA", str(tmp_path / "data"))
    assert fetch(pinned, tmp_path / "other").read_text() == "at hand"
    with pytest.raises(SourceError) as caught:
        fetch(pinned.model_copy(update={"path": "g.jsonl", "url": "http://127.0.0.1:9/"}), tmp_path)
    assert "SHA-256" not in str(caught.value)


def test_shipped_annotations_are_pinned_by_revision() -> None:
    for part in ("instances", "ontology"):
        shipped = Pin.from_file(ROOT / f"resources/datasets/verified/{part}_pin.json")
        assert shipped.commit in shipped.url


def test_unwritable_cache_error_names_variable(tmp_path: Path, httpserver: HTTPServer) -> None:
    httpserver.expect_request("/f.jsonl").respond_with_data(CONTENT)
    (tmp_path / "file").touch()
    with pytest.raises(SourceError, match="XDG_CACHE_HOME"):
        fetch(pin(httpserver.url_for("/f.jsonl")), tmp_path / "file")


def test_folio_entry_reads_through_pin(tmp_path: Path, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    httpserver.expect_request("/f.jsonl").respond_with_data(CONTENT)
    file = tmp_path / "pin.json"
    file.write_text(pin(httpserver.url_for("/f.jsonl")).model_dump_json())
    dataset = FolioEntry(reader="folio", pin=str(file)).read()
    assert [s.formula for s in dataset.sentences] == ["Tall(ann)"]
    assert len(list((tmp_path / "cache/nlfol").rglob("f.jsonl"))) == 1


def test_missing_or_malformed_pin_raises_source_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="key 'pin'"):
        Pin.from_file(tmp_path / "absent.json")
    file = tmp_path / "pin.json"
    file.write_text(json.dumps({"url": "file:///etc/hostname"}))
    with pytest.raises(SourceError, match=r"pin\.json: not a pin"):
        Pin.from_file(file)


def test_shipped_pin_url_contains_commit_and_path() -> None:
    shipped = Pin.from_file(Path(__file__).parents[3] / "resources/datasets/folio/pin.json")
    assert shipped.commit in shipped.url
    assert shipped.url.endswith(shipped.path)
