import pytest

from nlfol.datasets.entries.folio import FolioEntry
from nlfol.datasets.entries.table import TableEntry
from nlfol.datasets.entry import read_entry
from nlfol.store.records import SourceError


def test_both_readers() -> None:
    folio = read_entry('{"reader": "folio"}')
    assert isinstance(folio, FolioEntry)
    assert (folio.path, folio.ontology, folio.exclusive_or) == (None, None, "exclude")
    table = read_entry('{"reader": "table", "path": "a.csv", "ontology": "b.yaml"}')
    assert table == TableEntry(reader="table", path="a.csv", ontology="b.yaml")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"reader": "excel"}', "reader|excel"),
        ('{"reader": "table"}', r"table\.path: Field required"),
        ('{"reader": "folio", "paht": "a"}', r"folio\.paht: Extra inputs"),
        ('{"reader": "folio", "exclusive_or": "maybe"}', r"folio\.exclusive_or"),
        ("{", "JSON"),
    ],
)
def test_faults_name_the_key(text: str, problem: str) -> None:
    with pytest.raises(SourceError, match=problem):
        read_entry(text)
