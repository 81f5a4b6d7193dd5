import pytest
from tests.examples import ROOT

from nlfol.problems import Lexicon, read_lexicon


@pytest.fixture(scope="session")
def lexicon() -> Lexicon:
    return read_lexicon(ROOT / "resources/lexicon/problems.yaml")
