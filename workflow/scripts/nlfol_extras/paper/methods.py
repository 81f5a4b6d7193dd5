"""``nlfol export --methods``: a paragraph on how a run was made, each value from its manifest and tables.

Works are cited by the keys of ``CITATION.cff``: abbreviations in small letters. What a run did not use is not cited.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

import polars as pl

from nlfol.facts import FACTS, GUESSERS, REFERENCES
from nlfol.results.tables.headlines import worded
from nlfol.results.tables.latex import latex
from nlfol.store.canonical import canonical, sha256
from nlfol_extras.paper.tables import Run
from nlfol_extras.works import works_of

MEANS: Mapping[str, str] = {
    "equivalence": "the share of answers logically equivalent to the gold formula",
    "accuracy": "the share of items in which the gold formula is chosen",
    "both": "the share of items with equivalent formulas ranked first and negations last",
    "truth_uncopied": "the share of formulas equivalent after a round trip in which nothing was copied",
    "right": "the share of right answers",
    "balanced_accuracy": "the mean share of right answers over equivalent and other pairs",
    "anchored": "the share of sentences equivalent to gold under one map of symbols that names and glosses bear out",
    "rating": "the mean rating",
}
"""Definitions of the leading metrics of tasks."""

_TASKS = {
    **dict.fromkeys(("logical_translation", "most_similar", "ranking"), "NL-FOL-LT"),
    **dict.fromkeys(("round_trip", "verification"), "∀uto∃∨∧L"),
    "program": "Logic-LM",
}
_METHODS = {"grammar": "∀uto∃∨∧L", "diversified": "SoLT and MenTaL"}
"""Works of readers that read no published data."""

CITED = frozenset((*_TASKS.values(), *_METHODS.values(), "LoRA", "Clustered errors"))
"""Abbreviations of all works that a paragraph may cite beside those of its data."""

CITE = re.compile(r"(\[@[^\]]+\])")
_SIGNS = str.maketrans("∀∃∨∧", "aeva")
_HEX = re.compile(r"\b([0-9a-f]{16})[0-9a-f]{48}\b")
_SHORT = r"\1"
_BREAK = re.compile(r"(?<=[/:;=@])(?=\S)|(?<=[0-9a-f]{16})(?=[0-9a-f]{8})")
_CALLED = {"chat": "dialogue model", "embedding": "embedding model", "answers": "answers from a file"}


def key(abbreviation: str) -> str:
    """Return the citation key of an abbreviation in ``CITATION.cff``, such as ``nl-fol-lt`` or ``autoeval``."""
    return re.sub(r"[^a-z0-9]+", "-", abbreviation.translate(_SIGNS).lower()).strip("-")


def methods(run: Run, *, in_latex: bool = False) -> str:
    r"""Return the paragraphs, in Markdown with Pandoc's citations or in LaTeX with ``\cite``."""
    parts = (" ".join(part(run)) for part in (_models, _data, _tasks, _statistics, _versions))
    text = "\n\n".join(filter(None, parts)) + "\n"
    if not in_latex:
        return text
    pieces = (
        rf"\cite{{{re.sub('[^a-z0-9-]+', ',', piece).strip(',')}}}" if place % 2 else _breakable(piece)
        for place, piece in enumerate(CITE.split(text))
    )
    return "".join(pieces)


def _breakable(text: str) -> str:
    return r"\allowbreak{}".join(map(latex, _BREAK.split(text)))


def _cite(*abbreviations: str | None) -> str:
    named = dict.fromkeys(key(each) for each in abbreviations if each)
    return f" [{'; '.join(f'@{each}' for each in named)}]" if named else ""


def _apart(parts: Iterable[str]) -> str:
    return "; ".join(filter(None, parts))


def _listed(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def _models(run: Run) -> Iterator[str]:
    entries, asked = run.manifest["experiment"]["configuration"]["models"], run.manifest["environment"]["answers"]
    identities, kinds = run.manifest["experiment"]["models"], run.kinds
    compared = [name for name, kind in kinds.items() if kind in ("chat", "embedding")]
    if compared:
        yield f"We evaluate {len(compared)} model{'s' * (len(compared) > 1)}."
    for name in compared:
        entry, served = entries[name], asked.get(name, {}).get("served_models") or []
        seeds = entry.get("seeds") or ()
        parts = [
            f"{_CALLED.get(entry['kind'], entry['kind'])}, {_HEX.sub(_SHORT, identities[name])}",
            f"served as {_listed(served)}" if served else "",
            *(f"{worded(name)} {value}" for name, value in (entry.get("sampling") or {}).items() if value is not None),
            f"seed{'s' * (len(seeds) > 1)} {_listed(map(str, seeds))}" if seeds else "",
            f"at most {entry['limits']['tokens']} tokens" if (entry.get("limits") or {}).get("tokens") else "",
            "with thinking" if entry.get("thinking") else "",
        ]
        yield f"{name}: {_apart(parts)}{_cite('LoRA' if entry.get('adapter') else None)}."
    if others := [worded(name) for name, kind in kinds.items() if kind in (*REFERENCES, *GUESSERS)]:
        yield f"References without a language model: {_listed(others)}."


def _data(run: Run) -> Iterator[str]:
    digests, entries = run.manifest["experiment"]["data"], run.manifest["experiment"]["configuration"]["datasets"]
    for name, dataset in entries.items():
        stage = next(stage for stage in ("problems", "sentences") if f"{stage}/{name}" in digests)
        items = run.given.frame("cells").filter(pl.col("dataset") == name).unique("task", maintain_order=True)
        counts = [f"{row['available']} of {worded(row['task'])}" for row in items.to_dicts()]
        asked = f"items: {_listed(counts)}" if counts else "not asked"
        reader = dataset["reader"]
        works = [work["abbreviation"] for work in works_of(reader)]
        yield (
            f"The dataset {name} (reader {reader}; {asked}; SHA-256 of its {stage} "
            f"{digests[f'{stage}/{name}'][:16]}){_cite(*works, _METHODS.get(reader))}."
        )


def _tasks(run: Run) -> Iterator[str]:
    ways = {way["task"]: way for way in run.configuration.ways if "task" in way}
    for task, question in {question.about["task"]: question for question in run.questions().values()}.items():
        about, way = question.about, ways[task]
        entry = run.manifest["experiment"]["configuration"]["tasks"][task]
        kind = FACTS[about["task_kind"]].kind
        shown = [worded(each) for each in entry.get("presentations") or ()]
        parts = [
            f"prompt {way['prompt']}" if way.get("prompt") else "",
            f"shown as {_listed(shown)}" if shown else "",
            f"{way['shots']} solved examples" if way.get("shots") else "",
            f"strategy {worded(str(way['strategy']))}" if way.get("strategy") else "",
            f"up to {way['reasoning']} tokens of reasoning" if way.get("reasoning") else "",
            f"candidates by protocol {about['protocol']}" if about["protocol"] else "",
        ]
        works = _cite(_TASKS.get(kind), "SoLT and MenTaL" if way.get("strategy") == "concept_table" else None)
        metric = MEANS.get(about["metric"], "")
        said = f"by {worded(about['metric'])}{f', {metric}' if metric else ''}"
        yield f"The task {worded(task)}{works} ({_apart(parts)}) is scored {said}."


def _statistics(run: Run) -> Iterator[str]:
    """Say of the tables what their notes say."""
    if run.given.frame("cells")["low"].count():
        yield f"{run.table('scores').notes[0].removesuffix('.')}{_cite('Clustered errors')}."
    if tested := run.given.frame("differences")["p"].count():
        first, *others = run.table("differences").notes
        yield f"{tested} paired difference{'s' * (tested > 1)} of models. {first}"
        yield from (note for note in others if note.startswith("p:"))
    if len(run.given.frame("ranks")):
        yield "Ranks are the places that are possible at 95 % for all models of a question together."
    if planned := run.configuration.planned:
        yield f"Fixed before results were seen: {_listed(map(worded, planned))}."


def _versions(run: Run) -> Iterator[str]:
    environment, judge = run.manifest["environment"], run.manifest["experiment"]["judge"]
    git = environment.get("git") or {}
    commit = f" (commit {git['commit'][:12]}{', changed' if git['dirty'] else ''})" if git.get("commit") else ""
    version = f"{environment['packages']['nlfol']}{commit}{_cite('nlfol')}"
    prompts = sha256(canonical(run.manifest["experiment"]["prompts"]))[:16]
    seed = run.manifest["experiment"]["configuration"]["seed"]
    yield (
        f"Answers were judged by nlfol {version}, with Z3 {judge['z3']} and a budget of {judge['rlimit']} (rlimit) for "
        f"each question. Seed of the experiment: {seed}. SHA-256 over the digests of prompts: {prompts}; of the run: "
        f"{run.digest}."
    )
    if run.root:
        yield f"Root over all answers and items: {run.root}."
