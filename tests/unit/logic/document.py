"""The examples in docs/english.md; run as a script, this module writes them."""

import csv
from pathlib import Path
from random import Random

from nlfol.logic.english.styles import Style, render_candidates
from nlfol.logic.ontology.files import read_ontologies
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading import parse
from nlfol.logic.rewriting import edits, negation_normal_form, rewrites
from nlfol.logic.syntax import Formula, Not

ROOT = Path(__file__).parents[3]
DOCUMENT = ROOT / "docs/english.md"
TARSKI = ROOT / "resources/datasets/tarski"
BEGIN, END = "<!-- examples -->\n", "<!-- end of examples -->"


def tarski_ontology() -> Ontology:
    shared = read_ontologies(TARSKI / "ontology.yaml").shared
    assert shared is not None
    return shared


def tarski_formulas() -> list[Formula]:
    with (TARSKI / "sentences.csv").open(encoding="utf-8", newline="") as file:
        return list(dict.fromkeys(parse(row["formula"]) for row in csv.DictReader(file)))


def relatives(formula: Formula) -> list[Formula]:
    negation = Not(formula)
    made = [edit.formula for edit in edits(formula)] + [rewrite.formula for rewrite in rewrites(formula)]
    return [*made, negation, negation_normal_form(formula), negation_normal_form(negation)]


def examples() -> str:
    ontology, gold, draw = tarski_ontology(), tarski_formulas(), Random("renderings")
    known = set(gold)
    made = list(dict.fromkeys(new for formula in gold for new in relatives(formula) if new not in known))
    chosen = draw.sample(gold, 1) + draw.sample(made, 1)
    lines = []
    for number, formula in enumerate(chosen, 1):
        lines.append(f"{number}. `{to_unicode(formula)}`")
        for style in Style:
            (text,) = render_candidates([formula], ontology, style)
            lines += [f"   - {style}: " + text.replace("\n", "\n     ")]
    return "\n".join(lines) + "\n"


def document(text: str) -> str:
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{examples()}\n{END}{after}"


if __name__ == "__main__":
    DOCUMENT.write_text(document(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
