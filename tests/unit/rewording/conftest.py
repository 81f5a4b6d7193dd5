from pathlib import Path

import pytest
from tests import examples
from tests.workflow.checkout import MINILM

from nlfol.models.entries.embedding import EmbeddingEntry
from nlfol.models.local.materialisation import materialise
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


@pytest.fixture(scope="session")
def minilm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the weights of MiniLM."""
    folder = tmp_path_factory.mktemp("minilm") / "weights"
    materialise(EmbeddingEntry.model_validate(MINILM), folder)
    return folder
