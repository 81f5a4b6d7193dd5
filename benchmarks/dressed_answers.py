"""Answers dressed by a grammar: right ones that are lost, and others that are taken for right, by form and mode.

    python benchmarks/dressed_answers.py [--count 100000] [--part seen held later] [--hand [FILE ...]] [--show]

``dress.yaml`` is the grammar, in three parts that have no dress in common. All are older than the readers, and the
faults of all were looked at while those were written: what is lost of a dress that is new, only ``--hand`` told.
Each answer is drawn by part, form and kind: a right one in a dress (``right`` in plain text, ``json`` in an object), a
wrong one in the same dress, or a text that gives no answer though it says the right one (``none``). ``--hand`` measures
dresses that are written by hand instead: ``tests/unit/tasks/dressed_*.txt``, or other files. ``--show`` lists each
dress that was lost or wrongly taken, once.

Formulas are dressed in a notation, too: signs of Unicode mostly, else those of the part. Under ``envelope: strict``
nothing but the agreed object is read, so that all plain texts are lost and none is taken.
"""

import argparse
import json
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests import examples
from tests.unit.tasks.answered import CASES, Case, build

from nlfol.logic.ontology.derivation import derive
from nlfol.logic.printing import to_latex
from nlfol.logic.reading import parse
from nlfol.logic.syntax import CONNECTIVES, Atom, Equality, Exists, ForAll, Formula, Not, fold
from nlfol.randomness import generator
from nlfol.sets.audited import Plan, most_similar_set, ranking_set

GRAMMAR = yaml.safe_load(Path(__file__).with_name("dress.yaml").read_text(encoding="utf-8"))
BY_HAND = sorted((Path(__file__).parents[1] / "tests/unit/tasks").glob("dressed_*.txt"))
"""Files of dresses written by hand: before the readers, and after them (``later``, then ``last``, then ``newest``)."""
PARTS = ("seen", "held", "later")
FORMS = {
    "formula": "logical translation",
    "choice": "most similar",
    "ranking": "ranking",
    "label": "question answering",
}
WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
UNDRESSED = 0.7
"""Share of formulas that are in nlfol's own notation."""

SENTENCES = {
    examples.CUBES: "Every cube is small.",
    "∃x (Cube(x) ∧ Small(x) ∧ Larger(b, x))": "There is a small cube that b is larger than.",
    "Cube(a) → ¬Larger(a, b)": "If a is a cube, it is not larger than b.",
    "∀x (Student(x) → ∃y (Book(y) ∧ Reads(x, y)))": "Every student reads a book.",
    "¬∃x (Dodec(x) ∧ Large(x))": "No dodecahedron is large.",
    "∀x ∀y ((Cube(x) ∧ Tet(y)) → Larger(x, y))": "Every cube is larger than every tetrahedron.",
    "Happy(ann) ∧ (Tall(bob) ∨ Tall(ann))": "Ann is happy, and Bob or she is tall.",
}


class Told(NamedTuple):
    """A text with what it should count as: ``right``, ``wrong`` or ``none``; the dress it was made from."""

    form: str
    mode: str
    kind: str
    text: str
    dress: str
    case: Case


def with_signs(signs: Mapping[str, str], applied: str = "", quantified: str = "{} ") -> Callable[[Formula], str]:
    """Return a writer in a notation with other signs; ``applied`` is Lean's or Coq's application."""

    def write(formula: Formula) -> str:
        text = str(formula)
        if applied:
            text = re.sub(r"(\w+)\(([^()]*)\)", lambda match: f"{match[1]} {match[2].replace(', ', ' ')}", text)
        text = re.sub(r"([∀∃])(\w+) ", lambda match: signs.get(match[1], match[1]) + quantified.format(match[2]), text)
        return re.sub("[¬∧∨→↔⊕≠]", lambda match: signs.get(match[0], match[0]), text)

    return write


def kif(formula: Formula) -> str:
    """Write in KIF."""
    words = {"∧": "and", "∨": "or", "→": "=>", "↔": "<=>"}

    def step(node: Formula, parts: tuple[str, ...]) -> str:
        if isinstance(node, Atom):
            return f"({' '.join([node.predicate, *(_kif_term(str(term)) for term in node.arguments)])})"
        if isinstance(node, Equality):
            return f"(= {_kif_term(str(node.left))} {_kif_term(str(node.right))})"
        if isinstance(node, Not):
            return f"(not {parts[0]})"
        if isinstance(node, ForAll | Exists):
            return f"({'forall' if isinstance(node, ForAll) else 'exists'} (?{node.variable.name}) {parts[0]})"
        sign = next(sign for sign, kind in CONNECTIVES.items() if kind is type(node))
        return f"({words[sign]} {parts[0]} {parts[1]})"

    return fold(formula, step)


def _kif_term(term: str) -> str:
    return f"?{term}" if re.fullmatch("[u-z]", term) else term


_HTML = {"∀": "&forall;", "∃": "&exist;", "∧": " &and; ", "∨": " &or; ", "→": "&rarr;", "↔": "&harr;", "¬": "&not;"}
_ASCII = {"∀": "forall ", "∃": "exists ", "∧": "/\\", "∨": "\\/", "→": "->", "↔": "<->", "¬": "~"}
_ISABELLE = {
    "∀": r"\<forall>", "∃": r"\<exists>", "∧": r"\<and>", "∨": r"\<or>", "→": r"\<longrightarrow>",
    "↔": r"\<longleftrightarrow>", "¬": r"\<not>",
}  # fmt: skip
NOTATIONS: Mapping[str, Sequence[Callable[[Formula], str]]] = {
    "seen": (
        to_latex,
        lambda formula: f"theorem t : {with_signs({}, 'lean', '{}, ')(formula)} := by sorry",
        with_signs(_ASCII, "coq", "{} : Block, "),
        with_signs({sign: text.strip() for sign, text in _HTML.items()}),
        with_signs({"∀": "!", "∃": "?", "∧": "&", "∨": "|", "→": "=>", "↔": "<=>", "¬": "~"}, "", "{}. "),
    ),
    "held": (
        kif,
        with_signs({"→": "⟶", "↔": "⟷"}, "isabelle", "{}. "),
        with_signs({sign: rf"\u{ord(sign):04x}" for sign in "∀∃∧∨→↔¬"}),
        with_signs({"¬": "\\+ "}),
        lambda formula: f"Theorem s : {with_signs(_ASCII, 'coq', '{}, ')(formula)}.",
    ),
    "later": (
        lambda formula: f'lemma "{with_signs(_ISABELLE, "isabelle", "{}. ")(formula)}"',
        with_signs({sign: f"&#{ord(sign)};" for sign in "∀∃∧∨→↔¬"}),
        lambda formula: f"example : {with_signs({}, 'lean', ' {} : Thing, ')(formula)} := by\n  sorry",
        with_signs({"∀": "all ", "∃": "exists ", "∧": "&", "∨": "|", "→": "->", "↔": "<->", "¬": "-"}),
        with_signs({"∀": "![", "∃": "?[", "∧": "&", "∨": "|", "→": "=>", "↔": "<=>", "¬": "~"}, "", "{}]: "),
    ),
}


@lru_cache(maxsize=1)
def formulas() -> list[dict[str, Any]]:
    """Return the cases of formulas: ``F``, formulas that mean something else, and an equivalent one."""
    made = []
    for text, sentence in SENTENCES.items():
        gold, ontology = parse(text), derive([parse(text)])
        members = most_similar_set(gold, ontology, Plan(5), generator(1))
        ranked = ranking_set(gold, ontology, Plan(3), generator(2))
        case = Case("", build("logical_translation", reasoning=0), examples.item(text, sentence), {}, {}, "equivalence")
        made.append({
            "F": gold, "O": [member.formula for member in members if member.role != "gold"], "S": sentence,
            "case": case, "E": next(member.formula for member in ranked if member.role == "equivalent"),
        })  # fmt: skip
    return made


def cases() -> dict[str, Case]:
    """Return the case of each form that is no formula."""
    return {form: next(case for case in CASES if case.name == name) for form, name in FORMS.items()}


def drawn(part: str, form: str, draw: random.Random) -> Told:
    """Draw a dressed answer."""
    mode = draw.choice(("plain", "JSON"))
    kind = draw.choices(("right", "wrong", "none"), (2, 1, 1))[0]
    grammar = GRAMMAR[form][part]
    if kind == "none":
        mode = "plain"
    dress = draw.choice(grammar["none" if kind == "none" else "right" if mode == "plain" else "json"])
    return told(form, mode, kind, dress, part=part, draw=draw)


def told(form: str, mode: str, kind: str, dress: str, *, part: str, draw: random.Random) -> Told:
    """Fill a dress; a wrong answer says the other one wherever a right one says its own."""
    slots, case = _slots(form, kind == "wrong", part, draw, "cube" in dress.casefold())
    grammar = GRAMMAR[form].get(part, {})

    def filled(match: re.Match[str]) -> str:
        name = match[1]
        if name in slots:
            return str(slots[name](draw) if callable(slots[name]) else slots[name])
        return str(re.sub("⟨(.+?)⟩", filled, draw.choice(grammar[name])))

    text = re.sub("⟨(.+?)⟩", filled, dress)
    if mode == "JSON":
        text = json.dumps({"answer": text}, ensure_ascii=False)
    return Told(form, mode, kind, text, dress, case)


def _slots(
    form: str, is_wrong: bool, part: str, draw: random.Random, is_of_cubes: bool = False
) -> tuple[dict[str, Any], Case]:
    if form == "formula":
        made = formulas()[0] if is_of_cubes else draw.choice(formulas())
        writers = [str] if draw.random() < UNDRESSED or part == "hand" else NOTATIONS[part]
        write = draw.choice(writers)
        other = draw.choice(made["O"])
        right, wrong = (other, made["F"]) if is_wrong else (made["F"], other)
        equal = Not(Not(other)) if is_wrong else made["E"]
        if part == "hand" and is_wrong:
            wrong = equal  # a formula that is mentioned does not make a wrong one right
        shown = {"F": write(right), "O": write(wrong), "G": write(wrong), "E": write(equal), "S": made["S"]}
        return shown, made["case"]
    case = cases()[form]
    right, wrong = case.right["answer"], case.wrong["answer"]
    if is_wrong:
        right, wrong = wrong, right
    if form == "choice":
        numbers = {"n": right, "w": WORDS[right - 1], "word": WORDS[right - 1], "th": ORDINALS[right - 1], "o": wrong,
                   "nth": ORDINALS[right - 1], "m": wrong}  # fmt: skip
        return numbers, case
    if form == "label":
        return {"l": right, "k": wrong}, case
    lists: dict[str, Any] = {f"r{sign}": sign.join(map(str, right)) for sign in (", ", " > ", " → ")}
    lists |= {"w, ": ", ".join(map(str, wrong)), "list": lists["r, "], "others": ", ".join(map(str, wrong))}
    lists |= {"chain": lists["r > "], "plainlines": "\n".join(map(str, right))}
    for name, order in (("lines", right), ("wlines", wrong)):
        lists[name] = "\n".join(f"{place}. Formula {number}" for place, number in enumerate(order, 1))
    lists["ordinals"] = ", ".join(f"{ORDINALS[place]} {number}" for place, number in enumerate(right)).capitalize()
    return lists, case


def by_hand(path: Path) -> Iterator[Told]:
    """Yield the dresses that were written by hand, each with the right answer and with a wrong one.

    One without a place for the answer says the right one itself: that every cube is small, if it says a formula.
    """
    draw, head = random.Random(1), ["", "", ""]
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            head = line[3:].split()
            continue
        form, mode, kind = head
        versions = ("right", "wrong") if re.search("⟨[^S]", line) else ("right",)
        for version in versions if kind == "right" else ("none",):
            filled = told(form, "JSON" if mode == "json" else mode, version, line, part="hand", draw=draw)
            yield filled._replace(text=filled.text.replace("⏎", "\\n" if mode == "json" else "\n"))


@lru_cache(maxsize=100_000)
def _scored(case: int, text: str) -> str:
    return _cases_by_id[case].scored(text)[0]


_cases_by_id: dict[int, Case] = {}


def measured(answers: Iterator[Told]) -> tuple[Counter[tuple[str, str, str]], dict[str, str]]:
    """Return counts by form, mode, and kind or fault, and an example of each dress that was lost or wrongly taken."""
    counts: Counter[tuple[str, str, str]] = Counter()
    faults: dict[str, str] = defaultdict(str)
    for answer in answers:
        key = id(answer.case)
        _cases_by_id[key] = answer.case
        is_right = _scored(key, answer.text) == "right"
        counts[answer.form, answer.mode, "right" if answer.kind == "right" else "other"] += 1
        if is_right == (answer.kind == "right"):
            continue
        fault = "taken" if is_right else "lost"
        counts[answer.form, answer.mode, fault] += 1
        faults.setdefault(f"{fault} {answer.form} {answer.mode} {answer.kind}: {answer.dress!r}", answer.text)
    return counts, faults


def answers(part: str, count: int, seed: int = 1) -> Iterator[Told]:
    """Draw answers of a part; half of them are formulas."""
    draw = generator(seed, part, "dress")
    for _ in range(count):
        yield drawn(part, draw.choices(tuple(FORMS), (3, 1, 1, 1))[0], draw)


def main() -> None:
    """Print the shares by part, form and mode."""
    parser = argparse.ArgumentParser(description="Dressed answers that are lost or wrongly taken.")
    parser.add_argument("--count", type=int, default=100_000, help="answers, over all parts")
    parser.add_argument("--part", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--hand", nargs="*", type=Path, metavar="FILE", help="dresses written by hand instead")
    parser.add_argument("--show", action="store_true", help="list the dresses that were lost or wrongly taken")
    options = parser.parse_args()
    print(f"| part | form | mode | right | lost | others | taken for right |\n|{'---|' * 3}{'--:|' * 4}")
    sources = {part: answers(part, options.count // len(options.part)) for part in options.part}
    if options.hand is not None:
        sources = {path.stem: by_hand(path) for path in options.hand or BY_HAND}
    for part, drawn_answers in sources.items():
        counts, faults = measured(drawn_answers)
        for form in FORMS:
            for mode in ("plain", "JSON"):
                right, lost, other, taken = (counts[form, mode, kind] for kind in ("right", "lost", "other", "taken"))
                shares = f"{lost / max(1, right):.3f} | {other} | {taken / max(1, other):.4f}"
                print(f"| {part} | {form} | {mode} | {right} | {shares} |")
        if options.show:
            for fault, text in sorted(faults.items()):
                print(f"{fault}\n    {text!r}")


if __name__ == "__main__":
    main()
