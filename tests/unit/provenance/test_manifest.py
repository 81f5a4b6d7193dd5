"""The manifest: equal for equal experiments, and silent about people, places and machines' names."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.stored import stored

from nlfol.provenance.manifest import Inputs, ManifestError, manifest, note, public, read, to_text, unplanned
from nlfol.store import files, schemas
from nlfol.store.canonical import canonical, sha256
from nlfol.store.origins import made_from


def response(request: str | None, **values: Any) -> dict[str, Any]:
    return stored(schemas.RESPONSES, item="s:0", request=request, **values)


def responses(folder: Path, model: str, *rows: dict[str, Any], task: str = "t", **said: str) -> Path:
    path = folder / f"responses/mine/{task}/{model}.arrow"
    about = {"dataset": "mine", "task": task, "model": model, "identity": "path:m", **said}
    files.write(path, schemas.RESPONSES, rows, about)
    return path


def written(folder: Path, *answered: Path, given: dict[str, Any] | None = None, **resolved: Any) -> dict[str, Any]:
    """The manifest of a dataset without sentences, and of the responses files."""
    folder.mkdir(exist_ok=True)
    sentences, triples = folder / "sentences.arrow", folder / "triples.arrow"
    files.write(sentences, schemas.SENTENCES, [], {"dataset": "mine", "made_from.source/mine": "s" * 64})
    files.write(triples, schemas.TRIPLES, [], {"dataset": "mine", **made_from(sentences)})
    figures, prompts = folder / "figures.csv", [folder / "prompts/symbols.jinja", folder / "prompts/ranking/user.jinja"]
    for path in (figures, *prompts):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(path.name, encoding="utf-8")
    return manifest(
        Inputs([sentences], [triples], [], answered, [], prompts, [figures]),
        given=given or {"seed": 7},
        resolved={"seed": 7, **resolved},
        code={"scores": "c" * 64},
        written="2026-01-01T00:00:00+00:00",
    )


def test_manifest_digest_covers_experiment_only(tmp_path: Path) -> None:
    quick, slow = (
        responses(tmp_path / name, "m", response("r", seconds=seconds))
        for name, seconds in (("quick", 1.0), ("slow", 9.0))
    )
    one = written(tmp_path / "one", quick)
    other = written(tmp_path / "other", slow, given={"seed": 7, "results": "elsewhere"})
    assert one["environment"] != other["environment"]
    assert one["experiment"] == other["experiment"]
    assert one["digest"] == other["digest"] == sha256(canonical(one["experiment"]))


def test_manifest_experiment_lists_data_prompts_and_models(tmp_path: Path) -> None:
    experiment = written(tmp_path / "run", responses(tmp_path, "m", identity="hub:a/b@1"))["experiment"]
    assert set(experiment["data"]) == {"source/mine", "sentences/mine", "triples/mine"}
    assert experiment["data"]["source/mine"] == "s" * 64
    assert set(experiment["prompts"]) == {"symbols.jinja", "ranking/user.jinja"}
    assert experiment["models"] == {"m": "hub:a/b@1"}
    assert experiment["judge"]["rlimit"] == 500_000


def test_manifest_sums_tokens_and_seconds_over_unique_requests(tmp_path: Path) -> None:
    rows = [
        response("a", seconds=0.1, prompt_tokens=10, served_model="m-1"),
        response("a", seconds=0.1, prompt_tokens=10, served_model="m-1"),
        response("b", seconds=0.2, prompt_tokens=None, served_model="m-2"),
    ]
    embedded = responses(tmp_path, "e", response(None))
    answers = written(tmp_path / "run", responses(tmp_path, "m", *rows), embedded)["environment"]["answers"]
    assert set(answers) == {"m"}, "nothing was requested of the other"
    assert answers["m"]["requests"] == 2
    assert answers["m"]["seconds"] == pytest.approx(0.3)
    assert answers["m"]["prompt_tokens"] == 10
    assert answers["m"]["completion_tokens"] is None, "unknown is not zero"
    assert answers["m"]["served_models"] == ["m-1", "m-2"]


def test_manifest_lists_engines_once(tmp_path: Path) -> None:
    listed = [{"engine": {"dtype": "float32"}, "answers": 4}, {"engine": {"dtype": "bfloat16"}, "answers": 1}]
    path = responses(tmp_path, "m", engines=json.dumps(listed))
    other = responses(tmp_path, "m", task="u", engines='[{"dtype":"float32"}]')
    found = written(tmp_path / "run", path, other, responses(tmp_path, "api"))["environment"]["engines"]
    assert found == {"m": [{"dtype": "bfloat16"}, {"dtype": "float32"}]}


def test_manifest_lists_prices_where_present(tmp_path: Path) -> None:
    price = {"currency": "USD", "prompt": 0.15, "completion": 0.6, "read": "2026-01-01", "source": "https://a.b/c"}
    stated = {"paid": price, "unpriced": None}
    answered = [responses(tmp_path, model, price=json.dumps(each)) for model, each in stated.items()]
    found = written(tmp_path / "run", *answered, responses(tmp_path, "chance"))["environment"]["prices"]
    assert found == {"paid": price}


def test_manifest_tells_looks_that_were_not_planned(tmp_path: Path) -> None:
    answered = [responses(tmp_path, "m", looks="[20,50]"), responses(tmp_path, "m", task="u"), responses(tmp_path, "n")]
    path = tmp_path / "manifest.json"
    for planned, seen in (([], "20, 50 items"), ([20], "50 items"), ([20, 50], "")):
        values = written(tmp_path / "run", *answered, looks=planned)
        assert values["environment"]["looks"] == {"m": {"mine/t": [20, 50]}}
        path.write_text(to_text(values), encoding="utf-8")
        said = f"m was seen before on fewer of these items, and p is not adjusted for it: mine/t ({seen})."
        assert unplanned(path) == ([said] if seen else [])
    values = written(tmp_path / "run", *answered)
    assert values["digest"] == written(tmp_path / "other", *answered[1:], responses(tmp_path / "2", "m"))["digest"]


def test_manifest_refuses_model_name_with_two_identities(tmp_path: Path) -> None:
    first = responses(tmp_path, "m", identity="path:m#sha256:1")
    second = responses(tmp_path, "m", identity="path:m#sha256:2", task="u")
    with pytest.raises(ManifestError, match=r"u/m\.arrow: m answered as path:m#sha256:2, but as path:m#sha256:1 in "):
        written(tmp_path / "run", first, second)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("/home/ada/models/tiny", "…/tiny"),
        ("../../ada/tiny.gguf", "…/tiny.gguf"),
        ("resources/datasets/tarski/sentences.csv", "resources/datasets/tarski/sentences.csv"),
        ("Qwen/Qwen3-8B", "Qwen/Qwen3-8B"),
        ("https://api.example.org/v1?key=sk-1", "https://api.example.org/v1"),
        ("openai:https://api.example.org/v1?key=sk-1/model", "openai:https://api.example.org/v1/model"),
        ({"m": {"resources": {"slurm_account": "ada", "mem_mb": 5}}}, {"m": {"resources": {"mem_mb": 5}}}),
        (["/home/ada/x", 3, None, True], ["…/x", 3, None, True]),
    ],
)
def test_public_values_omit_places_queries_and_accounts(value: object, said: object) -> None:
    assert public(value) == said


def test_manifest_round_trips(tmp_path: Path) -> None:
    values, path = written(tmp_path / "run"), tmp_path / "manifest.json"
    path.write_text(to_text(values), encoding="utf-8")
    assert read(path) == json.loads(canonical(values))
    root = values["environment"]["root"]
    assert note(path) == f"Run {values['digest'][:12]}: see manifest.json. Journals and items: root {root[:32]}."


def test_edited_manifest_is_refused(tmp_path: Path) -> None:
    values, path = written(tmp_path / "run"), tmp_path / "manifest.json"
    path.write_text(to_text(values).replace('"seed": 7', '"seed": 8'), encoding="utf-8")
    with pytest.raises(ManifestError, match="the digest does not match the experiment"):
        read(path)
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(ManifestError, match="not a manifest"):
        read(path)
    with pytest.raises(ManifestError, match="no such file"):
        read(tmp_path / "absent.json")
