import pytest

from nlfol.datasets.errors import DatasetError
from nlfol.datasets.specification import FolioSpecification, TableSpecification, specification_from_json


def test_both_readers() -> None:
    folio = specification_from_json('{"reader": "folio"}')
    assert isinstance(folio, FolioSpecification)
    assert (folio.path, folio.ontology, folio.exclusive_or) == (None, None, "exclude")
    table = specification_from_json('{"reader": "table", "path": "a.csv", "ontology": "b.yaml"}')
    assert table == TableSpecification(reader="table", path="a.csv", ontology="b.yaml")


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
    with pytest.raises(DatasetError, match=problem):
        specification_from_json(text)
