"""``nlfol score`` beside the workflow: the same figures, and the CPU seconds of 200 answers.

    python benchmarks/scored_files.py [--answers 5000]

The answers are to tarski's sentences, under as many seeds as are needed: gold formulas, some of them in ASCII, one or
two elementary edits of them, texts that are no formula, and formulas with a symbol or a number of arguments that there
is not. The workflow runs with them and the written examples as models of ``kind: answers``; every figure of its table
of cells, and every judgement in its files of scores, must be that of ``nlfol score``. The seconds are those of the
command as a process of its own, imports included, for 200 of the answers, and the least of three.
"""

import argparse
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import yaml

from nlfol.cli.scored import Scored, Wanted, score
from nlfol.data.entries.table import TableEntry
from nlfol.facts import GUESSERS
from nlfol.logic.reading import parse
from nlfol.logic.rewriting import edits
from nlfol.store import files, schemas

ROOT = Path(__file__).parents[1]
TARSKI = ROOT / "resources/datasets/tarski"
WRITTEN = ROOT / "resources/answers/written.jsonl"
ASCII = str.maketrans({"∀": "all ", "∃": "exists ", "∧": "&", "∨": "|", "→": "->", "↔": "<->", "¬": "~"})

Row = Mapping[str, Any]


def synthetic(count: int) -> Iterator[dict[str, Any]]:
    """Yield so many answers, an item after the other and then under the next seed."""
    draw = random.Random("scored files")
    read = TableEntry(reader="table", path=str(TARSKI / "sentences.csv")).read().sentences
    gold = [(sentence.item, sentence.formula) for sentence in read if sentence.formula is not None]
    for number in range(count):
        seed, place = divmod(number, len(gold))
        item, text = gold[place]
        for _ in range(draw.choice((0, 1, 1, 2))):
            text = str(draw.choice(list(edits(parse(text)))).formula)
        answers = {
            "formula": text,
            "ascii": text.translate(ASCII),
            "cut": text[: len(text) // 2],
            "prose": f"The formula is that {text} or so",
            "empty": "",
            "symbol": text.replace("Cube", "Block").replace("Tet", "Pyramid"),
            "arity": text.replace("(x)", "(x, x)"),
            "object": json.dumps({"reasoning": "", "answer": text}),
        }
        yield {"item": item, "seed": seed, "answer": answers[draw.choice([*answers, "formula", "formula", "formula"])]}


def write_answers(path: Path, rows: Sequence[Row]) -> None:
    """Write a file of answers."""
    path.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), encoding="utf-8")


def configuration(results: str, synthetic_answers: Path) -> dict[str, Any]:
    """Return the workflow's experiment: what ``nlfol score`` is to be compared with."""
    whole = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    datasets = {name: whole["datasets"][name] for name in ("tarski", "rules", "rules_varied")}
    kinds = ("logical_translation", "most_similar", "ranking", "question_answering", "program")
    tasks = {kind: {k: v for k, v in whole["tasks"][kind].items() if k not in ("models", "control")} for kind in kinds}
    of_synthetic = {"datasets": ["tarski"], "tasks": ["logical_translation"]}
    models = {
        "written": whole["models"]["by_hand"],
        "synthetic": {"kind": "answers", "path": str(synthetic_answers), "only_listed": True, **of_synthetic},
        **{kind: {"kind": kind} for kind in GUESSERS},
    }
    return {"results": results, "datasets": datasets, "tasks": tasks, "models": models}


def differences(results: Path, model: str, scored: Scored) -> list[str]:
    """Return where the figures and judgements of a model differ from those of its file, on one dataset."""
    dataset = scored.cells[0]["dataset"]
    of_model = {"model": model, "kind": None}
    wanted = [
        {**cell, "kind": None}
        for cell in files.rows(results / "tables/cells.arrow", schemas.CELLS)
        if (cell["dataset"], cell["model"]) == (dataset, model) and cell["items"]
    ]
    found = [f"{cell}: not so in the workflow" for cell in scored.cells if {**cell, **of_model} not in wanted]
    if len(wanted) != len(scored.cells):
        found.append(f"{len(scored.cells)} cells in place of {len(wanted)}")
    for made in scored.made:
        own = files.rows(results / f"scores/{dataset}/{made.task.kind}/{model}.arrow", schemas.SCORES)
        if pa.Table.from_pylist(made.scores, schema=schemas.SCORES).to_pylist() != own:
            found.append(f"{dataset}, {made.task.kind}: other judgements")
    return found


def seconds_of(answers: Path) -> float:
    """Return the CPU seconds of the command, user and system."""
    before = getrusage(RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "nlfol.cli.main", "score", str(answers), "--dataset", "tarski"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "workflow/scripts")}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print what differs, and the seconds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=5000)
    given = parser.parse_args()
    rows = list(synthetic(given.answers))
    with TemporaryDirectory(dir=ROOT) as folder:
        place = Path(folder)
        write_answers(place / "synthetic.jsonl", rows)
        write_answers(place / "few.jsonl", rows[:200])
        print(f"{min(seconds_of(place / 'few.jsonl') for _ in range(3)):.2f} CPU seconds for 200 answers")
        values = configuration(os.path.relpath(place / "results", ROOT), place / "synthetic.jsonl")
        (place / "experiment.yaml").write_text(yaml.safe_dump(values), encoding="utf-8")
        command = ["-m", "snakemake", "--cores", "2", "--quiet", "all", "--configfile", str(place / "experiment.yaml")]
        subprocess.run(
            [sys.executable, *command, "--", f"{values['results']}/tables/cells.arrow"], cwd=ROOT, check=True
        )
        for model, dataset in (("synthetic", "tarski"), *(("written", name) for name in values["datasets"])):
            file = WRITTEN if model == "written" else place / "synthetic.jsonl"
            scored = score(Wanted(file, dataset, values["datasets"], 20260119))
            found = differences(place / "results", model, scored)
            print(
                f"{model} on {dataset}: {len(scored.answers)} answers, {len(found)} differences", *found[:9], sep="\n"
            )


if __name__ == "__main__":
    main()
