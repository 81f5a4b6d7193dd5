"""Prompts from the Jinja templates of ``resources/prompts``: a folder for each kind of task.

Templates see: ``presentation``; ``text`` (the sentence); ``language`` (of the formula); ``predicates``, ``functions``
and ``constants`` of the ontology with their glosses; ``candidates`` (as shown, in order); ``limits``; and what a task
gives beside them. Nothing that a dataset holds or a model writes is ever itself taken as a template.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jinja2
from typing_extensions import override

from nlfol.ontology.ontology import Ontology
from nlfol.ontology.phrases import fill
from nlfol.tasks.item import Item


class Prompts:
    """The templates of one folder."""

    def __init__(self, folder: Path) -> None:
        self.environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(folder),
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            autoescape=False,  # noqa: S701 - prompts are plain text
        )

    def render(self, name: str, item: Item, presentation: str = "", order: Sequence[int] = (), **more: Any) -> str:
        """Return the text of one template for one item.

        Args:
            name: of the template, without its suffix, such as ``ranking/user``.
            item: whose sentence, ontology and candidates it is about.
            presentation: what candidates are shown as.
            order: which of them are shown, in which order.
            more: further names that the template uses.

        Raises:
            jinja2.TemplateError: if the template is missing, malformed, or uses an unknown name.
        """
        values = {
            "presentation": presentation,
            "text": item.text,
            "language": item.language,
            **symbols(item.ontology),
            "candidates": [item.members[place].shown(presentation) for place in order],
            **more,
        }
        return self.environment.get_template(f"{name}.jinja").render(values).strip()

    def turns(
        self, prefix: str, item: Item, presentation: str = "", order: Sequence[int] = (), **more: Any
    ) -> tuple[str, str]:
        """Return the texts of two templates, ``system`` and ``user`` behind a prefix such as ``ranking/``."""
        system, user = (
            self.render(f"{prefix}{turn}", item, presentation, order, **more) for turn in ("system", "user")
        )
        return system, user


class NoPrompts(Prompts):
    """Empty prompts, for references, which are asked nothing in words."""

    def __init__(self) -> None:
        """Make prompts without templates."""

    @override
    def render(self, name: str, item: Item, presentation: str = "", order: Sequence[int] = (), **more: Any) -> str:
        return ""


def symbols(ontology: Ontology) -> dict[str, list[dict[str, str]]]:
    """Return the names that the template ``symbols.jinja`` uses."""
    return {
        "predicates": [_predicate(p.name, p.arity, p.positive) for p in ontology.predicates],
        "functions": [_predicate(f.name, f.arity, f.meaning) for f in ontology.functions],
        "constants": [{"name": c.name, "meaning": c.meaning} for c in ontology.constants],
    }


def argument_names(arity: int) -> list[str]:
    """Return names for the argument places of a gloss."""
    return ["x", "y", "z", "u", "v", "w"][:arity] if arity <= 6 else [f"x{place}" for place in range(1, arity + 1)]


def _predicate(name: str, arity: int, gloss: str) -> dict[str, str]:
    names = argument_names(arity)
    return {"form": f"{name}({', '.join(names)})" if names else name, "gloss": fill(gloss, names)}
