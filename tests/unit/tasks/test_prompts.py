"""Prompts that are not where they are looked for."""

from pathlib import Path

import pytest

from nlfol.ontology.ontology import Ontology
from nlfol.tasks.item import Item
from nlfol.tasks.plan import PromptError, Prompts


def test_a_missing_prompt_is_named_with_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/systm.jinja").write_text("")
    item = Item("s:0", "s", "It rains.", "Rains", Ontology(), ())
    with pytest.raises(PromptError, match=rf"no prompt mine/system\.jinja in {tmp_path} \(did you mean mine/systm"):
        Prompts(tmp_path).render("mine/system", item)
