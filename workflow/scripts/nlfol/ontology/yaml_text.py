"""YAML in which every scalar is text, an omitted value is null, and no key stands twice.

Names such as ``on``, ``no`` or ``1984`` stay what they are.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import Any

import yaml

from nlfol.validation import check_distinct


class TextLoader(yaml.SafeLoader):
    """Loads one document of such YAML."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012  (redefines an attribute of PyYAML's)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        """The mapping, if its keys are distinct names."""
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise yaml.constructor.ConstructorError(None, None, "a key must be a name", key.start_mark)
        check_distinct(node)
        return super().construct_mapping(node, deep)

    def construct_scalar(self, node: yaml.ScalarNode | yaml.MappingNode) -> str:
        """The text."""
        text = str(super().construct_scalar(node))
        try:
            # JSON escapes a character beyond the first 65,536 as two halves, and JSON is YAML.
            return text.encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeDecodeError as error:
            problem = f"half a character in {text!r}; write the whole"
            raise yaml.constructor.ConstructorError(None, None, problem, node.start_mark) from error


TextLoader.add_implicit_resolver("tag:yaml.org,2002:null", re.compile(r"~|"), ["~", ""])
