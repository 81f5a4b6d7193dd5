"""Published works, as ``CITATION.cff`` has them."""

from nlfol.installed import PROJECT
from nlfol.mappings import JsonDict
from nlfol.validation import read_yaml


def works_of(reader: str) -> list[JsonDict]:
    """Return the references whose keywords name a reader: those of the data that it reads."""
    known = read_yaml(PROJECT / "CITATION.cff")["references"]
    return [work for work in known if reader in work.get("keywords", ())]
