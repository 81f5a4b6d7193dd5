"""What candidate sets give away without the sentence: by nearness, by look, by a strong guesser; and how fast they are.

    python benchmarks/fair_sets.py [--folio FOLDER] [--rows N]

For ``most_similar`` and ``ranking`` under ``audited`` and ``fair``, on tarski and, where a folder with its data is
given, FOLIO: items, how many have four members or more, sets a second, and for each presentation the scores of chance,
of the references ``medoid`` and ``surface``, and of a forest on bags of tokens, learnt from other stories.
"""

import argparse
import os
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "workflow/scripts"))

import numpy as np
from benchmarks.surface_cues import ROOT, TASKS, asked, by_surface
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction import DictVectorizer
from sklearn.model_selection import GroupKFold

from nlfol.candidates.distances import nearness
from nlfol.candidates.sets import CandidateError, candidate_rows
from nlfol.randomness import source_label
from nlfol.tasks.choice import ChoiceTask
from nlfol.tasks.item import Item, Member
from nlfol.tasks.plan import Setting
from nlfol.tasks.registry import build_task
from nlfol.tasks.task import AnyTask

_TOKEN = re.compile(r"\w+|[^\w\s]")


def sets(task: AnyTask, items: Sequence[Item], seed: int) -> tuple[list[Item], Counter[str], float]:
    """The items under a task's protocol, why others are refused, and the CPU seconds that making them took."""
    made, refused, started = [], Counter[str](), process_time()
    for item in items:
        source = source_label(item.story, item.text)
        triple = {"language": item.language, "formula": item.formula, "ontology": item.ontology.to_row()}
        try:
            members = task.candidates({**triple, "source": source, "category": None}, seed)
        except CandidateError as error:
            refused[error.reason] += 1
            continue
        rows = candidate_rows(members, item.language, bracketed=task.entry.sets_protocol == "fair")
        shown = tuple(Member(row["formula"], row["english"], row["role"]) for row in rows)
        made.append(Item(item.item, item.story, item.text, item.formula, item.ontology, shown, source=source))
    return made, refused, process_time() - started


def by_tokens(task: AnyTask, items: Sequence[Item], presentation: str) -> dict[str, float]:
    """The mean scores of a forest that sees each candidate's tokens, less those of the others, and its nearness."""
    bags = []
    for item in items:
        counts = [Counter(_TOKEN.findall(member.shown(presentation))) for member in item.members]
        away = nearness([m.shown(presentation) for m in item.members])
        mean = Counter[str]()
        for bag in counts:
            mean.update(bag)
        bags += [
            {token: bag[token] - mean[token] / len(counts) for token in mean} | {"": total - fmean(away)}
            for bag, total in zip(counts, away, strict=True)
        ]
    grades = np.array([_graded(task).grade(m) for item in items for m in item.members])
    stories = np.array([item.story for item in items for _ in item.members])
    seen, expected = DictVectorizer().fit_transform(bags), np.zeros(len(grades))
    for learnt, left in GroupKFold(5).split(seen, groups=stories):
        forest = RandomForestClassifier(200, min_samples_leaf=3, random_state=0, n_jobs=2).fit(
            seen[learnt], grades[learnt]
        )
        expected[left] = forest.predict_proba(seen[left]) @ forest.classes_
    closeness = iter(expected.round(9).tolist())
    return _means([task.judge_similarities(i, [next(closeness) for _ in i.members]).scores for i in items])


def _graded(task: AnyTask) -> ChoiceTask[Any]:
    assert isinstance(task, ChoiceTask)
    return task


def _means(scores: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {metric: fmean(each[metric] for each in scores) for metric in scores[0]}


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folio", help="folder with FOLIO's data and published ontologies")
    parser.add_argument("--rows", type=int, help="usable rows of each dataset at most")
    options = parser.parse_args()
    os.chdir(ROOT)
    if options.folio:
        os.environ["NLFOL_DATA"] = options.folio
    for dataset in ["tarski", "folio"] if options.folio else ["tarski"]:
        for kind in TASKS:
            _, items, setting = asked(dataset, kind, options.rows)
            for protocol in ("audited", "fair"):
                task = build_task(f'{{"task": "{kind}", "protocol": "{protocol}"}}')
                _print(dataset, task, items, protocol, setting)


def _print(dataset: str, task: AnyTask, items: Sequence[Item], protocol: str, setting: Setting) -> None:
    made, refused, seconds = sets(task, items, setting.seed)
    large = sum(len(item.members) >= 4 for item in made)
    print(
        f"{dataset} {task.kind} {protocol}: {len(made)} items, {large} of four or more, refused {dict(refused)}; ",
        end="",
    )
    print(f"{len(items) / seconds:.0f} sets/s; chance", _shown(_means([task.chance(item).scores for item in made])))
    for presentation in ("formula", "english"):
        away = [[-float(far) for far in nearness([m.shown(presentation) for m in item.members])] for item in made]
        near = [task.judge_similarities(item, each).scores for item, each in zip(made, away, strict=True)]
        print(f"  {presentation}: medoid {_shown(_means(near))}; ", end="")
        print(f"surface {_shown(by_surface(task, made, setting, presentation))}; ", end="")
        print(f"tokens {_shown(by_tokens(task, made, presentation))}", flush=True)


def _shown(scores: Mapping[str, float]) -> str:
    return " / ".join(f"{score:.3f}" for score in scores.values())


if __name__ == "__main__":
    main()
