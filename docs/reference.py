"""The page docs/reference.md: every key of a configuration, by its JSON Schema, and every command, by its help.

``python docs/reference.py`` writes it.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from typer.main import get_command

from nlfol.cli.main import app

ROOT = Path(__file__).parent.parent
SCHEMA = ROOT / "resources/config.schema.json"
PAGE = ROOT / "docs/reference.md"

HEAD = """\
# Reference

Every key of a configuration, and every command with its options. This page is generated: `python docs/reference.py`
writes it from [the JSON Schema](../resources/config.schema.json) and `--help`.
[Configuration](configuration.md) and [the command `nlfol`](console.md) explain them.
"""

BLOCKS = {"datasets": "reader", "tasks": "task", "models": "kind"}
"""Blocks of entries by name, and the key that says which entry it is."""

Form = Mapping[str, Any]


def text(schema: Form) -> str:
    """Return the page of a JSON Schema and of the command."""
    return "\n".join([HEAD, *_configuration(schema), *_commands()]).rstrip() + "\n"


def _configuration(schema: Form) -> Iterator[str]:
    definitions, top = schema["$defs"], schema["properties"]
    shown: dict[str, None] = {}
    yield from ("## Configuration", "", *_table(top, schema.get("required", ()), shown))
    for block, key in BLOCKS.items():
        names = [name for name in dict.fromkeys(_references(top[block])) if not name.endswith("Named")]
        entries = [definitions[name] for name in names]
        shared = [
            name
            for name, form in entries[0]["properties"].items()
            if all(entry["properties"].get(name) == form for entry in entries)
        ]
        yield from ("", f"## `{block}`", "", f"Each entry has its `{key}`, and may have:", "")
        yield from _table({name: entries[0]["properties"][name] for name in shared}, (), shown)
        for entry in entries:
            own = {name: form for name, form in entry["properties"].items() if name not in shared}
            constants = [f"`{name}: {form['const']}`" for name, form in own.items() if "const" in form]
            yield from ("", f"### {', '.join(constants)}", "", _words(entry), "")
            rest = {name: form for name, form in own.items() if "const" not in form}
            yield from _table(rest, entry.get("required", ()), shown) if rest else ()
    yield from ("", "## Parts of entries")
    done: set[str] = set()
    while waiting := [name for name in shown if name not in done]:
        for name in waiting:
            done.add(name)
            part = definitions[name]
            yield from ("", f"### {_title(name)}", "", _words(part), "")
            yield from _table(part.get("properties", {}), part.get("required", ()), shown)


def _references(form: Any) -> Iterator[str]:
    """Yield the names of definitions that a schema names, in order."""
    if isinstance(form, dict):
        if "$ref" in form:
            yield form["$ref"].rpartition("/")[2]
        for value in form.values():
            yield from _references(value)
    elif isinstance(form, list):
        for value in form:
            yield from _references(value)


def _table(properties: Mapping[str, Form], required: Any, shown: dict[str, None]) -> Iterator[str]:
    yield from ("| key | value | default | |", "|---|---|---|---|")
    for key, form in properties.items():
        default = (
            "*required*" if key in required else "" if form.get("default") is None else f"`{_json(form['default'])}`"
        )
        # A default that repeats those of a part says nothing.
        default = "" if isinstance(form.get("default"), dict) else default
        yield f"| `{key}` | {_type(form, shown)} | {default} | {_words(form)} |"


def _words(form: Form) -> str:
    said = " ".join(form.get("description", "").split()).replace("``", "`").replace("|", "\\|")
    return re.sub(r"\bNone\b", "null", said)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False).strip('"').replace("|", "\\|")


def _type(form: Form, shown: dict[str, None]) -> str:
    """Return the type of a value in words; adds the definitions that it names to ``shown``."""
    if "$ref" in form:
        name = form["$ref"].rpartition("/")[2]
        if name.startswith("JsonValue"):
            return "any value"
        shown.setdefault(name)
        return f"[{_title(name)}](#{_title(name).lower().replace(' ', '-')})"
    if "const" in form or "enum" in form:
        return ", ".join(f"`{_json(value)}`" for value in form.get("enum", [form.get("const")]))
    for union in ("anyOf", "oneOf"):
        if union in form:
            kinds = (_type(each, shown) for each in form[union] if each.get("type") != "null")
            return " or ".join(dict.fromkeys(kinds))
    match form.get("type"):
        case "array":
            items = form.get("items") or {}
            return f"list of {_type(items, shown)}" if items else "list"
        case "object":
            (values,) = [*form.get("patternProperties", {}).values(), form.get("additionalProperties")][:1]
            is_plain = isinstance(values, dict) and "discriminator" not in values and "anyOf" not in values
            return f"entries by name: {_type(values, shown)}" if is_plain and values else "entries by name"
        case "integer" | "number" as kind:
            return f"{kind}{_bounds(form)}"
        case None:
            return "any value"
        case kind:
            return str(kind)


def _bounds(form: Form) -> str:
    signs = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}
    bounds = [f"{sign} {form[name]}" for name, sign in signs.items() if name in form and abs(form[name]) < 1e9]
    return f" {', '.join(bounds)}" if bounds else ""


def _title(name: str) -> str:
    """Return the words of the name of a definition: RoundTripLimits is "round trip limits"."""
    *modules, last = name.split("__")
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", last).lower()
    return f"{words} of {modules[1]}" if modules else words


def _commands() -> Iterator[str]:
    yield from ("", "## Commands")
    group: Any = get_command(app)
    whole = group.make_context("nlfol", [], resilient_parsing=True)
    for name in group.list_commands(whole):
        command = group.get_command(whole, name)
        context = command.make_context(f"nlfol {name}", [], resilient_parsing=True)
        usage = " ".join(command.collect_usage_pieces(context))
        what, *more = (part.strip("\b\n") for part in (command.help or "").split("\n\n"))
        examples = ["", "```text", *"\n".join(more).splitlines(), "```"] if more else []
        yield from ("", f"### nlfol {name}", "", f"`nlfol {name} {usage}`", "", " ".join(what.split()), *examples, "")
        yield from ("| option | default | |", "|---|---|---|")
        for parameter in command.params:
            if getattr(parameter, "hidden", False) or "--help" in parameter.opts:
                continue
            names = parameter.opts + parameter.secondary_opts
            if parameter.param_type_name == "argument":
                names = [(parameter.metavar or parameter.name.upper()).replace("|", "\\|")]
            default = parameter.default
            is_said = default not in (None, False, (), []) and not callable(default)
            said = " ".join((getattr(parameter, "help", None) or "").split()).replace("|", "\\|")
            yield f"| {', '.join(f'`{each}`' for each in names)} | {f'`{default}`' if is_said else ''} | {said} |"


if __name__ == "__main__":
    PAGE.write_text(text(json.loads(SCHEMA.read_text(encoding="utf-8"))), encoding="utf-8")
