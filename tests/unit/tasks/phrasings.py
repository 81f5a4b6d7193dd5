"""Phrasings: one answer in the dresses that models give it, by how the answer was to be held to its form.

``OBJECT`` are those of a model held to some JSON object, ``IGNORED`` of one whose server ignores the schema, ``PLAIN``
of one that is asked for plain text. Each takes an answer (its fields without reasoning) and the schema of its step.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Fields = Mapping[str, Any]
Phrasing = Callable[[Fields], str]

WHY = "I read it word by word, and compare."
MORE = "First I read it; then I compare it with the others."


def dumped(fields: Fields, **more: Any) -> str:
    return json.dumps({"reasoning": WHY, **fields}, ensure_ascii=False, **more)


def changed(fields: Fields, key: Callable[[str], str] = str, value: Callable[[Any], Any] = lambda value: value) -> Any:
    """Return the fields with other keys and scalar values, at any depth."""

    def inner(found: Any) -> Any:
        if isinstance(found, Mapping):
            return {key(name): inner(part) for name, part in found.items()}
        if isinstance(found, list):
            return [inner(part) for part in found]
        return value(found)

    return inner(fields)


def as_text(value: Any) -> Any:
    return str(value) if isinstance(value, int) else value


def as_float(value: Any) -> Any:
    return float(value) if isinstance(value, int) else value


def in_list(fields: Fields) -> Any:
    """Return fields with a lone answer in a list; a list as text."""
    answer = fields.get("answer")
    if isinstance(answer, list) and all(isinstance(each, int) for each in answer):
        return {**fields, "answer": ", ".join(map(str, answer))}
    return {**fields, "answer": [answer]} if isinstance(answer, int | str) else fields


def in_capitals(fields: Fields) -> Any:
    """Return fields with words of a closed list capitalised."""
    answer = fields.get("answer")
    closed = isinstance(answer, str) and answer in ("yes", "no", "true", "false", "unknown")
    return {**fields, "answer": str(answer).capitalize()} if closed else changed(fields, value=as_text)


def latex(fields: Fields) -> str:
    """Return the object with LaTeX in its reasoning, its backslashes as they are."""
    return dumped(fields).replace(WHY, r"So \forall x and \neg P, \text{that is} \land.")


def python(fields: Fields) -> str:
    return repr({"reasoning": "It isn't hard.", **fields})


def trailing(fields: Fields) -> str:
    return dumped(fields, indent=1).replace("\n}", ",\n}").replace("\n]", ",\n]")


def with_answer(fields: Fields, number: str, word: str, text: str) -> Any:
    """Return fields with a lone answer in other words: of a number or list of them, a word, or a text."""
    if list(fields) != ["answer"]:
        return changed(fields, value=as_text)
    answer = fields["answer"]
    if isinstance(answer, list):
        return {"answer": " > ".join(map(str, answer))}
    form = number if isinstance(answer, int) else word if answer in CLOSED else text
    return {"answer": form.replace("@", str(answer)).replace("%", str(answer).capitalize())}


def in_latex(fields: Fields) -> str:
    """Return the object with formulas in LaTeX, their backslashes as they are."""
    commands = {"∀": "\\forall ", "∃": "\\exists ", "→": "\\rightarrow", "∧": "\\land", "¬": "\\neg "}
    text = dumped(fields)
    for sign, command in commands.items():
        text = text.replace(sign, command)
    return text


def curly(fields: Fields) -> str:
    parts = dumped(fields).split('"')
    return "".join(part + "“”"[place % 2] for place, part in enumerate(parts[:-1])) + parts[-1]


def unquoted(fields: Fields) -> str:
    text = dumped(fields)
    for key in ("reasoning", *re.findall(r'"(\w+)":', text)):
        text = text.replace(f'"{key}":', f"{key}:")
    return text


def renamed(fields: Fields) -> Any:
    if list(fields) != ["answer"]:
        return {**fields, "notes": {"sure": True}}
    answer = fields["answer"]
    name = "choice" if isinstance(answer, int) else "ranking" if isinstance(answer, list) else "final_answer"
    return {name: answer}


CLOSED = ("yes", "no", "true", "false", "unknown")

OBJECT: dict[str, Phrasing] = {
    "as agreed": dumped,
    "over several lines": lambda fields: dumped(fields, indent=2),
    "no reasoning": lambda fields: json.dumps(fields, ensure_ascii=False),
    "a further key": lambda fields: dumped({**fields, "confidence": 0.9}),
    "reasoning last": lambda fields: json.dumps({**fields, "reasoning": WHY}, ensure_ascii=False),
    "capital keys": lambda fields: json.dumps(changed({"reasoning": WHY, **fields}, str.capitalize)),
    "keys in capitals": lambda fields: json.dumps(changed({"reasoning": WHY, **fields}, str.upper)),
    "reasoning in steps": lambda fields: json.dumps({"reasoning": [WHY, MORE], **fields}),
    "a thought before": lambda fields: f"<think>\n{MORE}\n</think>\n\n{dumped(fields)}",
    "a special token behind": lambda fields: f"{dumped(fields)}<|eot_id|>",
    "numbers as text": lambda fields: dumped(changed(fields, value=as_text)),
    "numbers with a point": lambda fields: dumped(changed(fields, value=as_float)),
    "in a list": lambda fields: dumped(in_list(fields)),
    "capital words": lambda fields: dumped(in_capitals(fields)),
    "within another object": lambda fields: json.dumps({"response": {"reasoning": WHY, **fields}}, ensure_ascii=False),
    "explanation for reasoning": lambda fields: json.dumps({"explanation": WHY, **fields}, ensure_ascii=False),
    "no reasoning but null": lambda fields: json.dumps({"reasoning": None, **fields}, ensure_ascii=False),
    "LaTeX in the reasoning": latex,
    "a trailing comma": trailing,
    "raw newlines": lambda fields: dumped(fields).replace(WHY, f"{WHY}\n\n{MORE}"),
    # Written after the reader.
    "an object in the thought": lambda fields: f'<think>{{"answer": null}} or {{"a": [1]}}?</think>{dumped(fields)}',
    "twice": lambda fields: f"{dumped(fields)}\n{dumped(fields)}",
    "in a list of one": lambda fields: f"[{dumped(fields)}]",
    "blanks in keys": lambda fields: dumped(fields).replace('":', ' ":').replace('{"', '{" '),
    "a key twice": lambda fields: "{" + f"{dumped(fields)[1:-1]}, {json.dumps(fields, ensure_ascii=False)[1:-1]}" + "}",
    "the end of a thought": lambda fields: f"</think>\n\n{dumped(fields)}",
    "a role before": lambda fields: f"<|im_start|>assistant\n{dumped(fields)}<|im_end|>",
    "tags of a sequence": lambda fields: f"<s> {dumped(fields)}</s>",
    "a number for reasoning": lambda fields: json.dumps({"reasoning": 1, **fields}, ensure_ascii=False),
    "further objects inside": lambda fields: dumped({**fields, "meta": {"model": {"name": "m"}, "tokens": [1, 2]}}),
    "comments": lambda fields: dumped(fields, indent=1).replace(",\n", ", // so\n"),
    "keys without quotes": unquoted,
    "curly quotes": curly,
    "LaTeX in the answer": in_latex,
    "an answer in brackets": lambda fields: dumped(with_answer(fields, "(@)", "%.", "@")),
    "an answer with its name": lambda fields: dumped(with_answer(fields, "Option @", "A) @", "@")),
    "an answer with a reason": lambda fields: dumped(with_answer(fields, "@: as it says so", "%, because of it.", "@")),
    "quotes inside": lambda fields: dumped(fields).replace(WHY, 'The word "every" says it, I think.'),
    "another name": lambda fields: json.dumps({"reasoning": WHY, **renamed(fields)}, ensure_ascii=False),
    "escapes": lambda fields: json.dumps({"reasoning": WHY, **fields}, ensure_ascii=True),
}

IGNORED: dict[str, Phrasing] = {
    "as agreed": dumped,
    "a fence": lambda fields: f"```json\n{dumped(fields, indent=2)}\n```",
    "a fence without language": lambda fields: f"```\n{dumped(fields)}\n```",
    "a sentence and a fence": lambda fields: f"Here is my answer:\n\n```json\n{dumped(fields)}\n```",
    "a fence and a sentence": lambda fields: f"```json\n{dumped(fields)}\n```\nLet me know if you need anything else!",
    "a sentence before": lambda fields: f"Sure! Here is the JSON object: {dumped(fields)}",
    "a sentence after": lambda fields: f"{dumped(fields)}\n\nThis is the best answer.",
    "a thought": lambda fields: f"<think>Hm, {MORE}</think>{dumped(fields)}",
    "a thought and a fence": lambda fields: f"<think>\n{MORE}\n</think>\n```json\n{dumped(fields)}\n```",
    "a thought without its beginning": lambda fields: f"{MORE}\n</think>\n\n{dumped(fields)}",
    "a special token": lambda fields: f"{dumped(fields)}<|im_end|>",
    "a fence, a further key": lambda fields: f"```json\n{dumped({**fields, 'confidence': 'high'})}\n```",
    "a fence, no reasoning": lambda fields: f"{MORE}\n\n```json\n{json.dumps(fields)}\n```",
    "a fence, numbers as text": lambda fields: f"```json\n{dumped(changed(fields, value=as_text))}\n```",
    "Python": python,
    "a fence, a trailing comma": lambda fields: f"```json\n{trailing(fields)}\n```",
    "a fence, capital keys": lambda fields: f"```json\n{json.dumps(changed(fields, str.capitalize), indent=2)}\n```",
    "a fence, raw newlines": lambda fields: "```json\n" + dumped(fields).replace(WHY, f"{WHY}\n{MORE}") + "\n```",
    "bold before": lambda fields: f"**Answer:**\n\n```json\n{dumped(fields)}\n```",
    "a tag": lambda fields: f"<answer>\n{dumped(fields)}\n</answer>",
    # Written after the reader.
    "reasoning before": lambda fields: f"**Reasoning**: {WHY}\n\n**Final Answer**:\n```json\n{dumped(fields)}\n```",
    "json without a fence": lambda fields: f"json\n{dumped(fields)}",
    "tildes": lambda fields: f"~~~json\n{dumped(fields)}\n~~~",
    "code in a line": lambda fields: f"My answer is `{dumped(fields)}`.",
    "a quotation": lambda fields: f"> {dumped(fields)}",
    "output": lambda fields: f"Output:\n{dumped(fields)}",
    "a speaker": lambda fields: f"Assistant: {dumped(fields)}",
    "the same in words": lambda fields: f"{dumped(fields)}\n\n{lone(fields, 'Answer: {}')}",
    "the same fence twice": lambda fields: f"```json\n{dumped(fields)}\n```\nAgain:\n```json\n{dumped(fields)}\n```",
    "LaTeX before": lambda fields: f"Let $S = \\{{ x : \\text{{Cube}}(x) \\}}$.\n\n{dumped(fields)}",
    "braces after": lambda fields: f"{dumped(fields)}\nHere {{x}} is any thing, and {{}} none.",
    "a call": lambda fields: json.dumps({"name": "answer", "arguments": {"reasoning": WHY, **fields}}),
    "channels": lambda fields: (
        f"<|channel|>analysis<|message|>{MORE}<|end|><|start|>assistant<|channel|>final<|message|>{dumped(fields)}<|return|>"
    ),
    "YAML": lambda fields: f"reasoning: {WHY}\n{plain(fields, lambda name: f'{name.lower()}:')}",
    "plain": lambda fields: f"{WHY}\n\n{plain(fields)}",
    "a thought in brackets": lambda fields: f"[THINK]{MORE}[/THINK]{dumped(fields)}",
    "Python in a fence": lambda fields: f"```python\nanswer = {python(fields)}\n```",
    "a fence, LaTeX": lambda fields: f"```json\n{in_latex(fields)}\n```",
    "a fence, quotes inside": lambda fields: "```json\n" + dumped(fields).replace(WHY, 'As "all" says so.') + "\n```",
    "an offer of help": lambda fields: f"{dumped(fields, indent=4)}\n\nI hope this helps! Shall I explain it?",
}


def shown(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def row(found: Any, mark: str = ".") -> str:
    """Return a row of a list: a number or letter before a line, a name before its values, or columns."""
    if not isinstance(found, Mapping):
        return str(found)
    first, *rest = found.values()
    if len(rest) == 1:
        numbered = isinstance(first, int) or len(str(first)) == 1
        return f"{first}{mark if numbered else ':'} {rest[0]}"
    return " | ".join("; ".join(part) if isinstance(part, list) else str(part) for part in found.values())


def sections(fields: Fields) -> list[tuple[str, list[str]]]:
    """Return names of fields, and their lines in plain text: one of a value, one a row of a list."""
    found: list[tuple[str, list[str]]] = []
    for name, value in fields.items():
        title = name.replace("_", " ").capitalize()
        if not isinstance(value, list) or all(isinstance(each, int) for each in value):
            found.append((title, [shown(value)]))
        elif name == "answer":
            found.append((title, [f"{number}. {each}" for number, each in enumerate(value, 1)]))
        else:
            found.append((title, [row(each) for each in value]))
    return found


def plain(
    fields: Fields,
    title: Callable[[str], str] = lambda name: f"{name}:",
    line: Callable[[str], str] = str,
    *,
    gap: str = "\n",
) -> str:
    """Return the agreed plain text; a lone line stands behind its title, several below it."""
    lists = {name.replace("_", " ").capitalize() for name, value in fields.items() if _is_list(value)}
    parts = []
    for name, lines in sections(fields):
        if name in lists:
            parts.append("\n".join([title(name), *map(line, lines)]))
        else:
            parts.append(f"{title(name)} {line(lines[0])}")
    return gap.join(parts)


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and not all(isinstance(each, int) for each in value)


def bold(fields: Fields) -> str:
    return plain(fields, lambda name: f"**{name}:**")


def lone(fields: Fields, form: str, title: str = "{}:") -> str:
    """Return a lone answer in a form of its own, several fields in plain text."""
    if list(fields) == ["answer"]:
        return form.replace("{}", shown(fields["answer"]))
    return plain(fields, lambda name: title.replace("{}", name))


def stepped(fields: Fields) -> str:
    """Return numbered lines with a bracket; of a lone answer a bullet."""
    if list(fields) == ["answer"]:
        return f"- Answer: {shown(fields['answer'])}"
    return re.sub(r"^(\d+)\. ", r"\1) ", plain(fields), flags=re.MULTILINE)


def bulleted(fields: Fields) -> str:
    return plain(fields, line=lambda text: f"- {text}" if _is_row(text) else text)


def _is_row(text: str) -> bool:
    return bool(re.match(r"\w+[.:] ", text))


PLAIN: dict[str, Phrasing] = {
    "as agreed": lambda fields: f"{WHY}\n{plain(fields)}",
    "alone": plain,
    "a gap before": lambda fields: f"{WHY} {MORE}\n\n{plain(fields)}\n",
    "bold titles": lambda fields: f"{WHY}\n\n{bold(fields)}",
    "a heading": lambda fields: f"{WHY}\n\n{plain(fields, lambda name: f'### {name}:')}",
    "small titles": lambda fields: f"{WHY}\n\n{plain(fields, lambda name: f'{name.lower()}:')}",
    "titles in capitals": lambda fields: f"{WHY}\n\n{plain(fields, lambda name: f'{name.upper()}:')}",
    "a thought": lambda fields: f"<think>\n{MORE}\n</think>\n\n{WHY}\n{plain(fields)}",
    "a special token": lambda fields: f"{WHY}\n{plain(fields)}<|eot_id|>",
    "code": lambda fields: f"{WHY}\n{plain(fields, line=lambda text: f'`{text}`')}",
    "a fence": lambda fields: f"{WHY}\n\n```\n{plain(fields)}\n```",
    "gaps between": lambda fields: f"{WHY}\n\n{plain(fields, gap=chr(10) * 2)}",
    "reasoning by name": lambda fields: f"Reasoning: {WHY}\n{plain(fields)}",
    "bold reasoning": lambda fields: f"**Reasoning:** {WHY}\n\n{bold(fields)}",
    "steps before": lambda fields: f"Step 1: I read it.\nStep 2: I compare.\n\n{plain(fields)}",
    "an object": dumped,
    "a fenced object": lambda fields: f"```json\n{dumped(fields)}\n```",
    "a sentence before": lambda fields: f"Let me think about this.\n\n{WHY}\n\n{plain(fields)}",
    "indented": lambda fields: f"{WHY}\n" + "\n".join(f"  {each}" for each in plain(fields).split("\n")),
    "carriage returns": lambda fields: f"{WHY}\n{plain(fields)}\n".replace("\n", "\r\n"),
    # Written after the reader.
    "final answer": lambda fields: f"{WHY}\n\n{lone(fields, 'Final answer: {}')}",
    "a heading for the final answer": lambda fields: f"{WHY}\n\n## Final Answer\n\n{lone(fields, '{}')}",
    "bold final answer": lambda fields: f"{WHY}\n\n**Final Answer:** {lone(fields, '{}')}",
    "a box": lambda fields: f"{WHY}\n\n{lone(fields, '$$' + chr(92) + 'boxed{{}}$$')}",
    "a box behind the label": lambda fields: f"{WHY}\n\n{lone(fields, 'Answer: ' + chr(92) + 'boxed{{}}')}",
    "a sentence": lambda fields: f"{WHY}\n\n{lone(fields, 'The answer is {}')}",
    "so the final answer is": lambda fields: f"{WHY}\n\n{lone(fields, 'So the final answer is: **{}**')}",
    "below the label": lambda fields: f"{WHY}\n\n{lone(fields, 'Answer:' + chr(10) + '{}')}",
    "below the label, in a fence": lambda fields: (
        f"{WHY}\n\n{lone(fields, 'Answer:' + chr(10) + '```' + chr(10) + '{}' + chr(10) + '```')}"
    ),
    "dollars": lambda fields: f"{WHY}\n\n{lone(fields, 'Answer: ${}$')}",
    "quotes": lambda fields: f"{WHY}\n\n{lone(fields, 'Answer: ' + chr(34) + '{}' + chr(34))}",
    "bold answer": lambda fields: f"{WHY}\n\n{lone(fields, '**Answer: {}**', '**{}**')}",
    "a quotation": lambda fields: f"{WHY}\n\n{lone(fields, '> Answer: {}', '### {}')}",
    "brackets behind numbers": lambda fields: f"{WHY}\n\n{stepped(fields)}",
    "bullets": lambda fields: f"{WHY}\n\n{bulleted(fields)}",
    "a remark behind": lambda fields: f"{WHY}\n{plain(fields)}\n\nThis says exactly what was asked, in short.",
    "nothing else": lambda fields: lone(fields, "{}"),
    "only a fence": lambda fields: f"Here it is:\n\n```\n{lone(fields, '{}')}\n```",
    "tags": lambda fields: f"<reasoning>{WHY}</reasoning>\n<answer>{lone(fields, '{}')}</answer>",
    "twice the same": lambda fields: f"{plain(fields)}\n\nTo sum up:\n\n{plain(fields)}",
}

MODES: Mapping[str, Mapping[str, Phrasing]] = {
    "none": PLAIN,
    "json_object": OBJECT,
    "json_schema ignored": IGNORED,
}

REFUSED: Sequence[str] = (
    "I cannot answer this.",
    "I'm sorry, but I can't help with that request.",
    '{"error": "I cannot answer this question."}',
    '{"reasoning": "I cannot decide this.", "answer": null}',
    "<think>It may be {} or not.</think>",
    "As an AI language model, I am not able to determine the answer.",
)
"""No answer, in any task."""


def contradictory(right: Fields, wrong: Fields) -> dict[str, str]:
    """Return texts with two different answers."""
    return {
        "two objects": f"{dumped(right)}\n\nOr rather:\n{dumped(wrong)}",
        "two objects, the right one last": f"{dumped(wrong)}\n\nOr rather:\n{dumped(right)}",
        "two fences": f"```json\n{dumped(right)}\n```\n\n```json\n{dumped(wrong)}\n```",
        "two plain": f"{plain(right)}\n\nOn reflection:\n\n{plain(wrong)}",
        "two plain, the right one last": f"{plain(wrong)}\n\nOn reflection:\n\n{plain(right)}",
        "draft and final": json.dumps({"draft": right, "final": wrong}, ensure_ascii=False),
        "final and draft": json.dumps({"final": right, "draft": wrong}, ensure_ascii=False),
        "two calls": json.dumps({"first": {"arguments": dumped(right)}, "second": {"arguments": dumped(wrong)}}),
        "one key twice": "{" + f"{dumped(wrong)[1:-1]}, {json.dumps(right, ensure_ascii=False)[1:-1]}" + "}",
    }


def unfinished(right: Fields) -> dict[str, str]:
    """Return texts that are cut off, or hold the answer in a thought alone."""
    whole, alone = dumped(right), json.dumps(right, ensure_ascii=False)
    return {
        "cut off in the object": whole[: -max(2, len(alone) // 3)],
        "cut off behind a comment": f"{{ // my answer\n{whole[1:12]} {plain(right)}",
        "cut off in a call": f'{{"name": "answer", "arguments": {whole[:-1]}',
        "cut off in a fence": f"```json\n{whole[:-1]}",
        "cut off in the reasoning": f'{{"reasoning": "Final answer: {shown(next(iter(right.values())))}, since',
        "cut off after the answer, in the reasoning": f'{whole[:12]} "\\n{plain(right)}\\n',
        "in a thought alone": f"<think>\n{whole}\n</think>",
        "in a thought without end": f"<think>\n{whole}",
        "plain, in a thought without end": f"<think>{WHY}\n{plain(right)}",
    }
