import pytest
from tests import examples

from nlfol.problems import Lexicon, Problem
from nlfol.problems.families import FAMILIES, generate


@pytest.fixture(scope="session")
def words() -> Lexicon:
    return examples.lexicon()


@pytest.fixture(scope="session")
def lexicon() -> Lexicon:
    return examples.forms()


@pytest.fixture(scope="session")
def drawn(words: Lexicon) -> dict[str, list[Problem]]:
    return {family: generate(family, seed=11, count=20, lexicon=words) for family in FAMILIES}
