"""Published works, as ``CITATION.cff`` has them."""

from typing import Any, TypedDict

from nlfol.installed import PROJECT
from nlfol.validation import read_yaml

Author = TypedDict("Author", {"family-names": str, "given-names": str, "name": str}, total=False)
"""A person, or a name alone: that of a group, or ``others``."""

Work = TypedDict(
    "Work",
    {
        "abbreviation": str, "title": str, "authors": list[Author], "keywords": list[str], "year": int, "version": str,
        "conference": dict[str, str], "collection-title": str, "journal": str, "volume": int, "issue": int,
        "start": int, "end": int, "doi": str, "url": str, "identifiers": list[dict[str, str]],
    },
    total=False,
)  # fmt: skip
"""A reference, with the keys that are used here."""


def citation() -> Any:
    """Return the content of ``CITATION.cff``: a work itself, with its ``references``."""
    return read_yaml(PROJECT / "CITATION.cff")


def works_of(reader: str) -> list[Work]:
    """Return the references whose keywords name a reader: those of the data that it reads."""
    return [work for work in citation()["references"] if reader in work.get("keywords", ())]
