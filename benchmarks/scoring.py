"""From responses to scores, evidence and tables: seconds of CPU and wall, and peak memory, by stage, on two cores.

    python benchmarks/scoring.py [--folio FILE] [--items 1565] [--times 1] [--keep FOLDER] [--rates FILE]

One dialogue model's responses to all three tasks, candidates in two presentations, under five seeds: 39,000, or 196,000
with ``--times 5``, where the same answers are given again under further seeds. Beside it stand two embedding models and
chance. The items are those of FOLIO, where its file is given, else Tarski's World, repeated as further stories. The
responses are made up of what models write: the gold formula, rewrites of it, one and two edits, symbols of another
sentence, prose, and answers cut off, empty or refused. Sentences, candidate sets and responses are made beforehand;
what is measured are the scripts of the workflow from there on, each a fork of one process, as the workflow runs them.
"""

from __future__ import annotations

import argparse
import csv
import gc
import json
import multiprocessing
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache, partial
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "workflow/scripts"))

from fork_jobs import SHARED  # noqa: E402 - a script of the workflow

SEEDS = (3, 12, 20, 31, 42)
TASKS = ("logical_translation", "most_similar", "ranking")
PRESENTATIONS = ("formula", "english")
ENTRIES = {
    "logical_translation": {"task": "logical_translation"},
    "most_similar": {"task": "most_similar", "perturbations": 8},
    "ranking": {"task": "ranking", "perturbations": 3},
}
ANALYSES = (
    *("scores", "comparisons", "task_agreement", "seeds", "faults", "round_trip", "claims", "positions"),
    *("ceiling", "reading", "facets", "readings"),
)
MIX = {
    "gold": 0.35,
    "rewrite": 0.15,
    "edit": 0.2,
    "two_edits": 0.1,
    "symbols": 0.1,
    "prose": 0.04,
    "truncated": 0.03,
    "empty": 0.01,
    "refused": 0.02,
}


def repeated_tarski(path: Path, items: int) -> None:
    """Tarski's World as a table of so many sentences: stories again under another name."""
    with (ROOT / "resources/datasets/tarski/sentences.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["story", "text", "formula"], extrasaction="ignore")
        writer.writeheader()
        for number in range(items):
            row = rows[number % len(rows)]
            writer.writerow({**row, "story": f"{row['story']} {number // len(rows)}"})


def prepare(folder: Path, folio: Path | None, items: int, times: int = 1) -> None:
    """Sentences, triples and candidate sets, and the responses."""
    for task, candidates in prepare_items(folder, folio, items):
        _respond(folder, task, candidates, times)


def prepare_items(folder: Path, folio: Path | None, items: int) -> Iterator[tuple[str, Path]]:
    """Sentences, triples and candidate sets, by the workflow's own scripts."""
    import attach_ontology
    import build_items
    import ingest_dataset

    if folio is None:
        repeated_tarski(folder / "sentences.csv", items)
        entry = {"reader": "table", "path": str(folder / "sentences.csv")}
    else:
        entry = {"reader": "folio", "path": str(folio)}
    sentences, triples = folder / "sentences.arrow", folder / "triples.arrow"
    ingest_dataset.main(json.dumps(entry), "big", sentences)
    attach_ontology.main(json.dumps(entry), sentences, triples)
    for task in TASKS:
        candidates = folder / f"{task}.arrow"
        build_items.main(
            triples, dataset="big", task=task, task_json=json.dumps(ENTRIES[task]), seed=1, output=candidates
        )
        yield task, candidates


def note(rates: Path | None, stage: str, answers: int, **figures: float) -> None:
    """Add a stage's figures at so many answers to a JSON file."""
    if rates is not None:
        known = json.loads(rates.read_text(encoding="utf-8")) if rates.exists() else {}
        known.setdefault(stage, {})[str(answers)] = {name: round(value, 2) for name, value in figures.items()}
        rates.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _respond(folder: Path, task: str, candidates: Path, times: int) -> None:
    from nlfol.asking.asking import Asking, Offered
    from nlfol.asking.responses import response_row, write_responses
    from nlfol.tasks.choice import shown_order
    from nlfol.tasks.plan import NoPrompts, Setting
    from nlfol.tasks.registry import build_task

    offered, built = Offered.read(candidates), build_task(json.dumps(ENTRIES[task]))
    items = offered.items
    shown = ("",) if task == "logical_translation" else PRESENTATIONS
    draw = Random(task)

    def asking(model: str) -> Asking:
        return Asking(offered, "big", task, built, model, "{}", 1, folder / f"responses.{task}.{model}.arrow")

    is_choice = task != "logical_translation"
    setting = Setting(1, NoPrompts())
    rows = []
    for number, item in enumerate(items):
        other = items[(number + 7) % len(items)].formula
        orders: dict[int, list[int]] = {key: [] for key in SEEDS}
        if is_choice:
            orders = {seed: shown_order(item, setting, seed, kind=task, protocol="audited") for seed in SEEDS}
        for presentation in shown:
            for seed, order in orders.items():
                said = _choice(task, order, draw) if is_choice else _translation(item.formula, other, draw)
                for again in range(times):
                    own = seed + 1_000 * again
                    shown_to = _shown(item.item, presentation, own, order)
                    rows.append(response_row(item, presentation, seed=own, order=order, shown=shown_to, **said))
    write_responses(asking("chat"), "chat", "made up", rows)
    chance = [response_row(item, presentation) for presentation in shown for item in items]
    write_responses(asking("chance"), "chance", "chance", chance)
    if is_choice:
        for model in ("embedding", "other"):
            compared = [
                response_row(item, presentation, similarities=[draw.choice((0.5, 0.6, 0.7)) for _ in item.members])
                for presentation in shown
                for item in items
            ]
            write_responses(asking(model), "embedding", "made up", compared)


@lru_cache(None)
def _digest(*value: object) -> str:
    from nlfol.asking.components import digest

    return digest(value)


def _shown(item: str, presentation: str, seed: int, order: Sequence[int]) -> dict[str, str | None]:
    """Return digests of a request's components, with as many values as those of real requests have."""
    from nlfol.store.schemas import COMPONENTS

    vary = {
        **dict.fromkeys(("text", "glossary"), (item,)),
        "candidates": (item, presentation),
        "prompt": (presentation,),
        "order": tuple(order),
        "seed": (seed,),
    }
    never = ("served", "examples", "replies")
    return {name: None if name in never else _digest(name, *vary.get(name, ())) for name in COMPONENTS}


def _translation(gold: str, other: str, draw: Random) -> dict[str, Any]:
    from nlfol.logic.printing import to_unicode
    from nlfol.logic.reading import parse
    from nlfol.logic.rewriting import edits, rewrites

    (kind,) = draw.choices(list(MIX), list(MIX.values()))
    formula = parse(gold)
    match kind:
        case "rewrite":
            formula = draw.choice([rewrite.formula for rewrite in rewrites(formula)] or [formula])
        case "edit" | "two_edits":
            for _ in range(1 if kind == "edit" else 2):
                formula = draw.choice(list(edits(formula))).formula
        case "symbols":
            return _said(other)
        case "prose":
            return _said("The sentence says that everything is as it should be.")
        case "truncated" | "empty" | "refused":
            return {"outcome": kind, "answer": None if kind == "refused" else ""}
        case _:
            pass
    return _said(to_unicode(formula))


def _choice(task: str, order: Sequence[int], draw: Random) -> dict[str, Any]:
    if draw.random() < 0.05:
        return {"outcome": draw.choice(("truncated", "empty", "refused")), "answer": None}
    if task == "most_similar":
        return _said(order.index(0) + 1 if draw.random() < 0.7 else draw.randrange(len(order)) + 1)
    places = list(range(1, len(order) + 1))
    if draw.random() < 0.5:
        places.sort(key=lambda place: order[place - 1])
    else:
        draw.shuffle(places)
    return _said(places)


def _said(answer: object) -> dict[str, Any]:
    return {"answer": json.dumps({"reasoning": "As the sentence says.", "answer": answer}, ensure_ascii=False)}


def judge(folder: Path, task: str, model: str) -> float:
    """Seconds of CPU, imports included."""
    import judge_answers

    judge_answers.main(
        folder / f"{task}.arrow",
        folder / f"responses.{task}.{model}.arrow",
        json.dumps(ENTRIES[task]),
        folder / f"scores.{task}.{model}.arrow",
    )
    return process_time()


def explain(folder: Path, task: str) -> float:
    """Time the evidence on a task's answers, as ``judge`` does."""
    import explain_answers

    scores = [folder / f"scores.{task}.{model}.arrow" for model in models_of(task)]
    output = folder / f"evidence.{task}.arrow"
    output.unlink(missing_ok=True)
    explain_answers.main(folder / f"{task}.arrow", scores, json.dumps(ENTRIES[task]), output, dataset="big", task=task)
    return process_time()


def analyse(folder: Path, topic: str, scores: Sequence[Path]) -> float:
    """Time a topic of analyses, as ``judge`` does."""
    from nlfol.results.analyses.analysis import Given, run
    from nlfol.results.analyses.registry import TOPICS

    evidence = [folder / "evidence.logical_translation.arrow"]
    items = [folder / "most_similar.arrow"]
    inputs = {"scores": scores, "evidence": evidence, "choice_scores": scores, "choice_items": items}
    given = {name: inputs.get(name, []) for name in TOPICS[topic].inputs}
    if "thinking" in given:
        given["thinking"] = [folder / "thinking.arrow"]
    run(topic, Given(given), {name: folder / name for name in TOPICS[topic].outputs})
    return process_time()


def render(folder: Path) -> float:
    """Time the tables, as ``judge`` does; those of stages before the responses are empty."""
    import render_tables
    from nlfol.provenance.manifest import to_text
    from nlfol.results.analyses.analysis import Given
    from nlfol.results.analyses.registry import FILES, TABLES
    from nlfol.store.canonical import canonical, sha256

    sources = {name: [path] for name in FILES if (path := folder / f"{name}.arrow").exists()}
    outputs = [folder / f"tables/{name}.{suffix}" for name in TABLES for suffix in ("csv", "md", "tex")]
    manifest = folder / "manifest.json"
    manifest.write_text(to_text({"digest": sha256(canonical({})), "experiment": {}}), encoding="utf-8")
    sources["figures"] = [ROOT / "resources/published/nl_fol_lt.csv"]
    render_tables.main(Given(sources), manifest, outputs)
    return process_time()


def measured(work: Callable[..., float], *job: Any) -> tuple[float, float]:
    """Return the seconds of CPU of some work, and the most memory of its process in MB."""
    from nlfol.store.jobs import COLLECTED

    gc.set_threshold(*COLLECTED)
    seconds = work(*job)
    (peak,) = re.findall(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text(encoding="utf-8"))
    return seconds, int(peak) / 1_000


def measure(name: str, work: Callable[..., float], jobs: Sequence[tuple[Any, ...]]) -> tuple[float, float, float]:
    """Run jobs two at a time, each in a new process; print and return the seconds of CPU and wall, and megabytes."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*SHARED])
    start = perf_counter()
    with ProcessPoolExecutor(2, mp_context=context, max_tasks_per_child=1) as processes:
        found = list(processes.map(partial(measured, work), *zip(*jobs, strict=True)))
    wall, cpu, peak = perf_counter() - start, sum(seconds for seconds, _ in found), max(most for _, most in found)
    print(f"{name:>20}: {cpu:6.1f} s of CPU, {wall:6.1f} s of wall, {peak:5.0f} MB, {len(jobs)} jobs", flush=True)
    return cpu, wall, peak


def models_of(task: str) -> Iterator[str]:
    """Return the models of a task, the longest job first."""
    yield from ("chat", "chance") if task == "logical_translation" else ("chat", "embedding", "other", "chance")


def main() -> None:
    """Prepare, then measure stage by stage."""
    parser = argparse.ArgumentParser(description="Seconds and memory by stage from 39,000 responses to tables.")
    parser.add_argument("--folio", type=Path, help="FOLIO v0.0's folio-train.jsonl")
    parser.add_argument("--items", type=int, default=1565, help="sentences, where Tarski's World is repeated")
    parser.add_argument("--times", type=int, default=1, help="how often each answer is given, under other seeds")
    parser.add_argument("--keep", type=Path, help="an empty folder for the files, to compare them or to run again")
    parser.add_argument("--rates", type=Path, help="a JSON file that gets the figures, for scale.py --takes")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "responses.ranking.chance.arrow").exists():
            prepare(folder, options.folio, options.items, options.times)
        asked = [(folder, task, model) for task in TASKS for model in models_of(task)]
        scores = [folder / f"scores.{task}.{model}.arrow" for _, task, model in asked]
        stages: list[tuple[str, Callable[..., float], Sequence[tuple[Any, ...]]]] = [
            ("judge_answers", judge, asked),
            ("explain_answers", explain, [(folder, "logical_translation")]),
            *((f"analyse {topic}", analyse, [(folder, topic, scores)]) for topic in ANALYSES),
            ("render_tables", render, [(folder,)]),
        ]
        seconds = []
        for stage in stages:
            cpu, wall, peak = measure(*stage)
            seconds.append((cpu, wall))
            note(options.rates, stage[0], 25 * options.items * options.times, cpu=cpu, peak=peak)
        for kind in ("responses", "scores"):
            size = sum(path.stat().st_size for path in folder.glob(f"{kind}.*.chat.arrow")) / 1e6
            note(options.rates, f"{kind} on disk", 25 * options.items * options.times, size=size)
    print(f"{'all':>20}: {sum(s[0] for s in seconds):6.1f} s of CPU, {sum(s[1] for s in seconds):6.1f} s of wall")


if __name__ == "__main__":
    main()
