"""The English of generated items, a tenth of what the benchmark reads back."""

from dataclasses import replace

import pytest
from benchmarks.generating import SETS, read_back

from nlfol.grammars.generation import Drawn, Generation
from nlfol.languages.registry import LANGUAGES

AUDITED = {name: recipe for name, recipe in SETS.items() if recipe.protocol == "audited"}


def drawn(name: str, count: int) -> list[Drawn]:
    """So many items of the least, the middle and the greatest value."""
    values = AUDITED[name].values
    recipe = replace(AUDITED[name], values=(values[0], values[len(values) // 2], values[-1]), count=count)
    return [item for item in Generation(recipe, 5).items() if item.refusal is None]


@pytest.mark.parametrize("name", AUDITED)
def test_the_english_of_items_of_any_size_is_read_back_as_the_same_sentence(name: str) -> None:
    language = LANGUAGES[AUDITED[name].read()[0].language]
    assert read_back(language, drawn(name, 30)) == 90
