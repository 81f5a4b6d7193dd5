"""The JSON Schema of configurations, resources/config.schema.json; run as a script, this module writes it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pydantic

if __name__ == "__main__":
    # Docstrings of keys become descriptions. Reading all sources for that would slow down the start of each job.
    pydantic.BaseModel.model_config["use_attribute_docstrings"] = True

from nlfol.config import Configuration
from nlfol.tasks.logical_translation import LogicalTranslation
from nlfol.tasks.registry import TASKS

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "resources/config.schema.json"
PATH = '"pattern": "^[^{}]+$"'
NAMED = "^[A-Za-z0-9][A-Za-z0-9_.-]*$"


def schema() -> dict[str, Any]:
    """Return the schema: pydantic's, with what is rewritten before pydantic validates."""
    whole = Configuration.model_json_schema()
    definitions = whole["$defs"]
    _add_variables(whole["properties"]["datasets"], definitions)
    for block, key in (("datasets", "reader"), ("models", "kind")):
        (of_block,) = whole["properties"][block]["patternProperties"].values()
        of_block["required"] = [key]
    tasks = whole["properties"]["tasks"]
    (entry,) = tasks.pop("patternProperties").values()
    kinds = entry["discriminator"]["mapping"]
    assert set(kinds) == set(TASKS)
    # ``ontology: own`` of a logical translation makes it another kind.
    own = _copied(definitions["OntologyExtractionEntry"], task=LogicalTranslation.kind, ontology="own")
    definitions["OwnOntologyEntry"] = own | {"required": ["task", "ontology"]}
    definitions["LogicalTranslationEntry"]["properties"]["ontology"] = {"const": "given"}
    either = {
        "required": ["task"],
        "anyOf": [*({"$ref": reference} for reference in kinds.values()), {"$ref": "#/$defs/OwnOntologyEntry"}],
    }
    tasks |= {"properties": {}, "additionalProperties": either, "propertyNames": {"pattern": NAMED}}
    for kind, reference in kinds.items():
        names = [reference.rpartition("/")[2], *(["OwnOntologyEntry"] if kind == LogicalTranslation.kind else [])]
        for name in names:
            definitions[f"{name}Named"] = _copied(definitions[name])
            definitions[f"{name}Named"]["required"] = [
                key for key in definitions[name].get("required", ()) if key != "task"
            ]
        named = {"anyOf": [{"$ref": f"#/$defs/{name}Named"} for name in names]}
        # An entry with the name of a kind can still be of another kind.
        tasks["properties"][kind] = {"if": {"required": ["task"]}, "then": either, "else": named}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **whole, "title": "An experiment of nlfol"}


def _copied(definition: dict[str, Any], **constants: str) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(definition))
    copy["properties"] |= {key: {"const": value, "type": "string"} for key, value in constants.items()}
    return copy


def _add_variables(datasets: dict[str, Any], definitions: dict[str, Any]) -> None:
    """Let entries of datasets name variables of the environment, and the entry that they stand in for."""
    (entry,) = datasets["patternProperties"].values()
    for reference in entry["discriminator"]["mapping"].values():
        properties = definitions[reference.rpartition("/")[2]]["properties"]
        properties["instead"] = {
            "type": "string",
            "description": "The entry that this one replaces if its variables are set.",
        }
        for key, form in properties.items():
            if PATH in json.dumps(form):
                properties[key] = {"anyOf": [form, {"type": "string", "pattern": "\\$\\{[A-Z_]+\\}"}]}


def text() -> str:
    """Return the text of the file, made by a process of its own: entries are described only if asked before."""
    command = [sys.executable, "-m", __name__, "--print"]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    made = json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"
    if sys.argv[1:] == ["--print"]:
        sys.stdout.write(made)
    else:
        SCHEMA.write_text(made, encoding="utf-8")
