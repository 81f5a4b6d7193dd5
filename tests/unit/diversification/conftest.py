import pytest
from tests.unit.problems.published import ROOT

from nlfol.problems import Lexicon, Problem, read_lexicon
from nlfol.problems.families import FAMILIES, generate
from nlfol.problems.forms import read_forms


@pytest.fixture(scope="session")
def words() -> Lexicon:
    return read_lexicon(ROOT / "resources/lexicon/problems.yaml")


@pytest.fixture(scope="session")
def lexicon(words: Lexicon) -> Lexicon:
    return read_forms(words, ROOT / "resources/lexicon/diversified.yaml")


@pytest.fixture(scope="session")
def drawn(words: Lexicon) -> dict[str, list[Problem]]:
    """Twenty problems of each family."""
    return {family: generate(family, seed=11, count=20, lexicon=words) for family in FAMILIES}
