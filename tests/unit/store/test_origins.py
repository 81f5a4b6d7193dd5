"""Stage files say by name what they were made from."""

from pathlib import Path

import pytest

from nlfol.store import files, origins, schemas


def stage_file(path: Path, **said: str) -> Path:
    files.write(path, schemas.SCORES, [], said)
    return path


def test_origin_name_follows_schema_and_metadata(tmp_path: Path) -> None:
    path = stage_file(tmp_path / "any.arrow", dataset="mine", task="ranking", model="m")
    assert origins.name_of(path) == "scores/mine/ranking/m"
    said = origins.made_from(path)
    assert said == {"made_from.scores/mine/ranking/m": files.digest(path)}
    assert origins.origins({**said, "seed": "1"}) == {"scores/mine/ranking/m": files.digest(path)}


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("sentences/mine", "datasets/mine/sentences.arrow"),
        ("triples/mine", "datasets/mine/triples.arrow"),
        ("measures/mine", "datasets/mine/measures.arrow"),
        ("items/mine/ranking", "items/mine/ranking.arrow"),
        ("scores/mine/ranking/m.1", "scores/mine/ranking/m.1.arrow"),
    ],
)
def test_origin_name_maps_to_results_path(name: str, place: str) -> None:
    assert origins.place_of(name, Path("results")) == Path("results") / place


def test_made_from_rejects_duplicate_names(tmp_path: Path) -> None:
    first, second = (stage_file(tmp_path / name, dataset="mine", task="ranking", model="m") for name in ("a", "b"))
    with pytest.raises(files.StoreError, match=r"b: scores/mine/ranking/m was already read from .*a; name it once"):
        origins.made_from(first, second)


def test_origin_name_rejects_invalid_stage_file(tmp_path: Path) -> None:
    with pytest.raises(files.StoreError, match="no such file; run the stage that makes it"):
        origins.name_of(tmp_path / "absent.arrow")
    (tmp_path / "half.arrow").write_bytes(b"ARROW1")
    with pytest.raises(files.StoreError, match="not a complete Arrow file"):
        origins.name_of(tmp_path / "half.arrow")
