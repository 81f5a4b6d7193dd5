"""The experiment that judges released answers: files of answers, datasets, and a configuration."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nlfol.asking.answer_forms import from_draws
from nlfol.asking.answer_items import nearly
from nlfol.data.entries.block import shipped
from nlfol.data.entry import read_problems_entry
from nlfol.randomness import SEED
from nlfol.store.records import SourceError, decode, json_array, json_value, read_content
from nlfol.validation import nearest
from nlfol_extras.released.sources import Release, Source

DATASETS: Mapping[str, tuple[str, Mapping[str, str] | None]] = {
    "folio_dev": ("formulas", None),
    "folio_train": ("formulas", {"reader": "folio_questions"}),
    "folio_train_corrected": ("formulas", {"reader": "folio_questions", "gold": "corrected"}),
    "folio_v2": ("formulas", None),
    "proofwriter": ("clauses", {"reader": "proofwriter"}),
    "prontoqa": ("clauses", {"reader": "prontoqa"}),
    "logical_deduction": ("constraints", {"reader": "logical_deduction"}),
    "ar_lsat": ("checks", {"reader": "ar_lsat"}),
}
"""Datasets by name: the language of their programs, and their entry.

Those without an entry are the problems of the records themselves, or of a file of yours.
"""

BESIDE: Mapping[str, str] = {"folio_train": "folio_train_corrected"}
"""Datasets with the same problems and another gold, to which answers are given, too."""

_PROBLEM = ("id", "context", "question", "options", "answer")


@dataclass
class Experiment:
    """An experiment in a folder: entries by name, the files that they read, and what its user should know."""

    folder: Path
    datasets: dict[str, Any] = field(default_factory=dict)
    tasks: dict[str, Any] = field(default_factory=dict)
    models: dict[str, Any] = field(default_factory=dict)
    files: dict[Path, bytes] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    @property
    def values(self) -> dict[str, Any]:
        """Return the values of its configuration."""
        about = {"seed": SEED, "results": f"{self.folder}/results"}
        return {**about, "datasets": self.datasets, "tasks": self.tasks, "models": self.models}

    def write(self) -> None:
        """Write the files that the configuration names; raises ``OSError`` if it cannot."""
        for path, content in self.files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    def add(self, model: str, dataset: str, answers: tuple[str, bytes], name: str, **task: Any) -> None:
        """Add a model's answers to a dataset, with the ending of their file, and the task that they answer."""
        ending, content = answers
        entry = self.tasks.setdefault(name, {**task, "shots": 0, "datasets": [], "models": []})
        for key, value in (("datasets", dataset), ("models", model)):
            entry[key] += [value] * (value not in entry[key])
        path = f"{self.folder}/answers/{model}/{{task}}.{{dataset}}{ending}"
        new = {"kind": "answers", "path": path, "datasets": [], "only_listed": True}
        self.models.setdefault(model, new)["datasets"].append(dataset)
        self.files[Path(path.format(task=name, dataset=dataset))] = content


@dataclass(frozen=True)
class Chosen:
    """Options of the command: files that are judged, at most so many items of each dataset, and FOLIO's own split."""

    sources: Sequence[str]
    datasets: Sequence[str] = ()
    models: Sequence[str] = ()
    items: int | None = None
    folio: Path | None = None


def experiment(sources: Mapping[str, Source], chosen: Chosen, folder: Path) -> Experiment:
    """Return the experiment of some sources; raises ``SourceError`` if a name is unknown, or a file cannot be had."""
    known_models = {model for name in chosen.sources if name in sources for model in sources[name].models}
    for kind, names, known in (
        ("source", chosen.sources, sources.keys()),
        ("dataset", chosen.datasets, DATASETS.keys()),
        ("model", chosen.models, known_models),
    ):
        for name in names:
            if name not in known:
                raise SourceError(f"no {kind} {name}{nearest(name, known)}; there is {', '.join(sorted(known))}")
    made = Experiment(folder)
    by_dataset: dict[str, list[tuple[Source, Release]]] = {}
    for source in (sources[name] for name in chosen.sources):
        for file in source.files:
            if file.dataset in (chosen.datasets or DATASETS) and file.model in (chosen.models or source.models):
                for name in filter(None, (file.dataset, BESIDE.get(file.dataset))):
                    by_dataset.setdefault(name, []).append((source, file))
    if not by_dataset:
        raise SourceError(f"{', '.join(chosen.sources)}: no file of these datasets and models; name others")
    for name, files in by_dataset.items():
        made.datasets[name] = _dataset(name, files, chosen, made)
        for source, file in files:
            programs = Path(file.path).suffix, source.path_of(file).read_bytes()
            language, usual = file.language or DATASETS[name][0], DATASETS[name][0]
            task = f"program_{language}" if language == usual else f"{name}_as_{language}"
            made.add(file.model, name, programs, task, task="program", language=language)
            made.models[file.model]["released"] = source.about(file.model)
            if file.solver is not None:
                chain = f"{file.model}.{file.solver.name}"
                made.add(chain, name, (".json", _verdicts(source, file)), "verdicts", task="question_answering")
                made.models[chain] |= {"reference": True, "verdicts_of": file.model}
    if chosen.items is not None:
        made.datasets = {name: {**entry, "sample": chosen.items} for name, entry in made.datasets.items()}
    return made


def _dataset(name: str, files: Sequence[tuple[Source, Release]], chosen: Chosen, made: Experiment) -> dict[str, str]:
    """Return the entry of a dataset; where it has none, its problems are those of the records."""
    _, entry = DATASETS[name]
    if entry is not None:
        read_problems_entry(json.dumps(entry))
        return dict(entry)
    if name == "folio_dev" and chosen.folio is not None:
        return {"reader": "folio_questions", "path": str(chosen.folio)}
    for source, file in files:
        if source.form == "premises":
            path = made.folder / "problems" / f"{name}.jsonl"
            made.files[path] = source.path_of(file).read_bytes()
            return {"reader": "folio_questions", "path": str(path)}
    problems: dict[str, dict[str, Any]] = {}
    edited: dict[str, None] = {}
    for source, file in files:
        if source.form == "logic_lm":
            origin = source.path_of(file)
            for row, record in json_array(origin, read_content(origin)):
                problem = {key: record.get(key) for key in _PROBLEM}
                first = problems.setdefault(str(problem["id"]), problem)
                if not all(nearly(str(first[key]), str(problem[key])) for key in _PROBLEM):
                    raise SourceError(f"{origin}: row {row}: another problem {problem['id']!r} than in other files")
                if first != problem:
                    edited[str(problem["id"])] = None
    if not problems:
        raise SourceError(f"{name}: none of these sources holds its problems; name FOLIO's split with --folio")
    if edited:
        made.warnings.append(
            f"{name}: {len(edited)} of {len(problems)} problems have other words in some files, and are judged by the "
            f"first: {', '.join(list(edited)[:5])}"
        )
    path = made.folder / "problems" / f"{name}.jsonl"
    lines = (json.dumps(problem, ensure_ascii=False) for problem in problems.values())
    made.files[path] = "".join(f"{line}\n" for line in lines).encode()
    return {"reader": "problems", "path": str(path)}


def _verdicts(source: Source, file: Release) -> bytes:
    """Return what the authors' solver said as records of Logic-LM; those of LINC have no text of their own."""
    assert file.solver is not None
    path = source.path_of(file.solver)
    content = read_content(path)
    if source.form != "linc":
        return content
    programs, verdicts = source.path_of(file), json_value(path, decode(path, content))
    table = from_draws(programs, json_value(programs, decode(programs, read_content(programs))))
    about: dict[str, str] = {row["item"]: row["about"] for _, row in (table.rows if table else ())}
    if (
        not isinstance(verdicts, list)
        or len(verdicts) != len(about)
        or not all(isinstance(draws, list) for draws in verdicts)
    ):
        raise SourceError(f"{path}: not a list of verdicts for each problem of {programs}; download both again")
    records = [
        {
            "id": item,
            "context": text,
            "predicted_answer": draws,
            "flag": ["success" if draw != "Error" else "error" for draw in draws],
        }
        for (item, text), draws in zip(about.items(), verdicts, strict=True)
    ]
    return json.dumps(records, ensure_ascii=False).encode()


def sources_folder() -> Path:
    """Return the folder of the shipped sources."""
    return Path(shipped("resources/released"))
