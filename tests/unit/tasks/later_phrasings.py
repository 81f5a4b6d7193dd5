"""Twenty more phrasings a mode, written without a look at the first forty; see ``phrasings``."""

import json
from collections.abc import Mapping
from typing import Any

import yaml
from tests.unit.tasks import phrasings
from tests.unit.tasks.phrasings import MORE, WHY, Fields, Phrasing, dumped, lone, plain


def _json(value: Any, **more: Any) -> str:
    return json.dumps(value, ensure_ascii=False, **more)


def _whole(fields: Fields) -> dict[str, Any]:
    return {"reasoning": WHY, **fields}


def _lone(fields: Fields, form: Any) -> Any:
    """Return a form of a lone answer; the agreed fields where there are several."""
    return form(fields["answer"]) if list(fields) == ["answer"] else dict(fields)


def _tool(fields: Fields) -> str:
    return _json({"name": "answer", "arguments": _whole(fields)})


OBJECT: Mapping[str, Phrasing] = {
    "a result": lambda fields: _json({"result": _whole(fields)}),
    "a final answer": lambda fields: _json({"reasoning": WHY, "final_answer": _lone(fields, lambda each: each)}),
    "a call": _tool,
    "a call with arguments as text": lambda fields: _json({"name": "answer", "arguments": dumped(fields)}),
    "calls as in a reply": lambda fields: _json(
        {"tool_calls": [{"type": "function", "function": {"name": "answer", "arguments": dumped(fields)}}]}
    ),
    "confidence": lambda fields: _json({**_whole(fields), "confidence": 0.92}),
    "thoughts": lambda fields: _json({"thoughts": WHY, **fields}),
    "reasoning as a list": lambda fields: _json({"reasoning": [WHY, MORE], **fields}),
    "no reasoning but null": lambda fields: _json({"reasoning": None, **fields}),
    "capital keys": lambda fields: _json({name.upper(): each for name, each in _whole(fields).items()}),
    "keys with blanks": lambda fields: _json({f" {name} ": each for name, each in _whole(fields).items()}),
    "properties": lambda fields: _json({"type": "object", "properties": _whole(fields)}),
    "escapes": lambda fields: json.dumps(_whole(fields)),
    "a list of one": lambda fields: _json([_whole(fields)]),
    "status and data": lambda fields: _json({"status": "success", "data": _whole(fields)}),
    "a note after": lambda fields: _json({**_whole(fields), "note": "Checked twice."}),
    "draft and final": lambda fields: _json({"draft": dict(fields), "final": dict(fields)}),
    "no blanks": lambda fields: _json(_whole(fields), separators=(",", ":")),
    "lines of another system": lambda fields: _json(_whole(fields), indent=4).replace("\n", "\r\n"),
    "a value": lambda fields: _json({"reasoning": WHY, **_lone(fields, lambda each: {"answer": {"value": each}})}),
}

IGNORED: Mapping[str, Phrasing] = {
    "sure": lambda fields: f"Sure! Here is the JSON:\n\n{dumped(fields)}\n\nLet me know if you need anything else!",
    "a heading": lambda fields: f"### Answer\n\n```json\n{dumped(fields, indent=2)}\n```",
    "a fence in capitals": lambda fields: f"```JSON\n{dumped(fields)}\n```",
    "tildes": lambda fields: f"~~~json\n{dumped(fields)}\n~~~",
    "a fence in a fence": lambda fields: f"````markdown\n```json\n{dumped(fields)}\n```\n````",
    "a quotation": lambda fields: f"> {dumped(fields)}",
    "an answer's tags": lambda fields: f"<answer>\n{dumped(fields)}\n</answer>",
    "a call's tags": lambda fields: f"<tool_call>\n{_tool(fields)}\n</tool_call>",
    "thinking": lambda fields: f"<thinking>\n{MORE}\n</thinking>\n\n{dumped(fields)}",
    "a thought's end": lambda fields: f"{MORE}\n</think>\n\n{dumped(fields)}",
    "channels": lambda fields: (
        f"<|channel|>analysis<|message|>{MORE}<|end|><|start|>assistant<|channel|>final<|message|>{dumped(fields)}"
    ),
    "a draft of the same": lambda fields: (
        f"Draft:\n```json\n{dumped(fields)}\n```\n\nI have checked it. Final:\n```json\n{_json(fields)}\n```"
    ),
    "an explanation": lambda fields: f"{dumped(fields)}\n\n**Explanation:** {MORE} So nothing else is possible.",
    "steps": lambda fields: f"1. I read the text.\n2. I compare.\n\nTherefore:\n\n{dumped(fields, indent=1)}",
    "a comment": lambda fields: dumped(fields, indent=2).replace("{\n", "{\n  // as asked for\n", 1),
    "an assignment": lambda fields: f"```python\nanswer = {dumped(fields)}\n```",
    "printed": lambda fields: f"```python\nprint(json.dumps({dumped(fields)}))\n```",
    "YAML": lambda fields: f"```yaml\n{yaml.safe_dump(_whole(fields), sort_keys=False, allow_unicode=True)}```",
    "a box of tokens": lambda fields: f"<|begin_of_box|>{dumped(fields)}<|end_of_box|>",
    "a turn": lambda fields: f"<|im_start|>assistant\n{dumped(fields)}<|im_end|>",
}

PLAIN: Mapping[str, Phrasing] = {
    "sure, plain": lambda fields: f"Sure! Here is my answer.\n\n{plain(fields)}",
    "all bold": lambda fields: lone(fields, "**Answer: {}**", "**{}:**"),
    "headings": lambda fields: plain(fields, lambda name: f"## {name}\n"),
    "the answer is": lambda fields: lone(fields, "So the answer is: {}"),
    "final answer in bold": lambda fields: lone(fields, f"{MORE}\n\n**Final Answer:** {{}}"),
    "a display": lambda fields: lone(fields, f"{MORE}\n\n$$\n\\boxed{{{{}}}}\n$$"),
    "code": lambda fields: lone(fields, "Answer: `{}`"),
    "a fence, plain": lambda fields: f"```\n{plain(fields)}\n```",
    "a thought, plain": lambda fields: f"<think>\n{MORE}\n</think>\n\n{plain(fields)}",
    "reasoning before": lambda fields: f"Reasoning: {MORE}\n\n{plain(fields)}",
    "an explanation after": lambda fields: f"{plain(fields)}\n\nExplanation: this follows from the text.",
    "an offer after": lambda fields: f"{plain(fields)}\n\nLet me know if you need more detail.",
    "a blank before the colon": lambda fields: plain(fields, lambda name: f"{name} :"),
    "a dash": lambda fields: lone(fields, "Answer — {}"),
    "small titles": lambda fields: plain(fields, lambda name: f"{name.lower()}:"),
    "lines below titles": lambda fields: plain(fields, lambda name: f"{name}:\n", gap="\n\n"),
    "an object although plain": lambda fields: f"Here you go:\n{dumped(fields)}",
    "rules": lambda fields: f"---\n\n{plain(fields)}\n\n---",
    "tags, plain": lambda fields: f"<answer>\n{plain(fields)}\n</answer>",
    "a bold title in a list": lambda fields: plain(fields, lambda name: f"- **{name}**:"),
}

_LATER: Mapping[str, Mapping[str, Phrasing]] = {"none": PLAIN, "json_object": OBJECT, "json_schema ignored": IGNORED}
MODES = {
    mode: {**phrasings.MODES[mode]} | {f"{name}, later": phrasing for name, phrasing in later.items()}
    for mode, later in _LATER.items()
}
"""All phrasings, by mode."""
