"""The licences of installed packages."""

from importlib.metadata import distribution

import pytest
from benchmarks.packages import FROM_FILES, installed


def test_installed_packages_name_licences() -> None:
    assert [name for name, _, licence in installed() if licence == "not named"] == []


@pytest.mark.parametrize("name", sorted(set(FROM_FILES) & {name for name, _, _ in installed()}))
def test_licence_missing_from_metadata_is_found_in_package_file(name: str) -> None:
    licence, place = FROM_FILES[name]
    (file,) = [each for each in distribution(name).files or () if each.name == place]
    text = file.read_text()
    assert ("MIT License" if licence == "MIT" else "Redistribution and use in source and binary forms") in text
