"""Clues of candidate sets to who does not see the sentence: nearness, look, whatever learners find; and sets a second.

    python benchmarks/fair_sets.py [--folio FOLDER] [--released FOLDER …] [--rows N] [--generated N] [--attacked N]
        [--drawn N]

For ``most_similar`` and ``ranking`` under ``audited`` and ``fair`` (forms plain and drawn), on tarski, on FOLIO where a
folder with its data is given, and on three generated sets: items, how many have four members or more, sets a second,
and for each presentation the scores of chance, of the references ``medoid``, ``surface``, ``words``, ``order`` and
``learner``, of this with the sentence withheld, and of a forest on bags of tokens, learnt from other stories. Before
them, of ``ranking`` under each protocol, the scores of the reference ``reasoner``. Of ``released`` sets the same, but
for forest, references and reasoner.

Then, of generated fair sets: ``attacked`` sets are guessed by three learners that know the gold formulas of four fifths
of them and see all that a candidate shows: tokens, parts of words, nearness, and how it differs from the others. Of
``drawn`` sets, a χ² test says whether each meaning became gold equally often.

Measured: docs/fair-sets.md. Of ``audited`` sets, items with four members or more: tarski 199 of 208, fair 207; FOLIO
1,253 of 1,555, fair 1,554. In ranking, fair sets have 208 of 208 items on tarski and 1,257 of 1,269 on FOLIO. Sets a
second, fair to audited, in one run: most similar 1.4 (tarski), .8 (FOLIO), 2.1 (generated first-order), 10
(``first_order_full``); ranking .35, .25, .3, 1.8: four meanings in forms of equal length, drawn until they balance, are
slow. Both tasks on the first three together .64. Drawn gold formulas of 100,897 sets: χ² has p = .98 (first-order), .76
(propositional), .88 (``first_order_full``); in ranking .38 and .14 (first-order, full).
"""

import argparse
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "workflow/scripts"))
sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
from benchmarks.surface_cues import ROOT, TASKS, asked, by_reference
from scipy.stats import chisquare
from sklearn.decomposition import TruncatedSVD
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.feature_extraction import DictVectorizer, FeatureHasher
from sklearn.linear_model import SGDClassifier
from sklearn.model_selection import GroupKFold

from nlfol.data.entries.grammar import GrammarEntry
from nlfol.data.generation import generated
from nlfol.facts import BLIND
from nlfol.logic.equivalence import Outcome, equivalence
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.syntax import Formula
from nlfol.randomness import source_label
from nlfol.sets.distances import nearness
from nlfol.sets.released import released_sets
from nlfol.sets.sets import CandidateError, candidate_rows
from nlfol.tasks.choice import ChoiceTask
from nlfol.tasks.item import Item, Member
from nlfol.tasks.plan import NoPrompts, Setting
from nlfol.tasks.registry import build_task
from nlfol.tasks.task import AnyTask
from nlfol_extras.commands.audit import guesses, read_item

_FOLDS = 5
_TOKEN = re.compile(r"\w+|[^\w\s]")


GENERATED: dict[str, dict[str, Any]] = {
    "first_order": {"grammar": "first_order", "vocabulary": "english", "quantifiers": [1, 3]},
    "propositional": {"grammar": "propositional"},
    "first_order_full": {"grammar": "first_order_full", "vocabulary": "english", "quantifiers": [1, 3]},
}
"""Entries of generated datasets, but for their counts."""

PROTOCOLS: Sequence[Mapping[str, str]] = ({"protocol": "audited"}, {"forms": "plain"}, {"forms": "drawn"})
"""Keys of the sets that are compared."""

SEED = 20260119


def drawn_items(name: str, count: int) -> list[Item]:
    """Sentences of a generated dataset, of one operator to ten."""
    values = {"from": 1, "to": 10}
    entry = {
        "reader": "grammar",
        "values": values,
        "count": max(1, count // 10),
        "distinct": "trees",
        **GENERATED[name],
    }
    rows = [
        (row, ontology)
        for row, ontology in generated(GrammarEntry.model_validate(entry), SEED)
        if row["status"] == "usable"
    ]
    return [
        Item(row["item"], row["story"], row["text"], row["formula"] or "", ontology, (), row["language"])
        for row, ontology in rows
    ]


def sets(
    task: AnyTask, items: Sequence[Item], seed: int, *, are_drawn: bool = False
) -> tuple[list[Item], Counter[str], float]:
    """The items under a task's protocol, why others are refused, and the CPU seconds that making them took.

    Of generated items the gold formula is drawn.
    """
    made, refused, started = [], Counter[str](), process_time()
    for item in items:
        source = source_label(item.story, item.text)
        about = {"language": item.language, "formula": item.formula, "ontology": item.ontology.to_row()}
        triple: Any = {**about, "source": source, "category": 0 if are_drawn else None}
        try:
            members = task.candidates(triple, seed)
        except CandidateError as error:
            refused[error.reason] += 1
            continue
        rows = candidate_rows(members, item.language, bracketed=task.entry.sets_protocol == "fair")
        shown = tuple(Member(row["formula"], row["english"], row["role"]) for row in rows)
        text, formula = task.asked_instead(triple, members) or (item.text, item.formula)
        made.append(Item(item.item, item.story, text, formula, item.ontology, shown, source=source))
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
    for learnt, left in GroupKFold(_FOLDS).split(seen, groups=stories):
        forest = RandomForestClassifier(200, min_samples_leaf=3, random_state=0, n_jobs=2).fit(
            seen[learnt], grades[learnt]
        )
        expected[left] = forest.predict_proba(seen[left]) @ forest.classes_
    closeness = iter(expected.round(9).tolist())
    return _means([task.judge_similarities(i, [next(closeness) for _ in i.members]).scores for i in items])


_LEARNERS: dict[str, Callable[[], Any]] = {
    "logistic": lambda: SGDClassifier(loss="log_loss", alpha=1e-5, random_state=0),
    "forest": lambda: RandomForestClassifier(100, min_samples_leaf=10, random_state=0),
    "boosted": lambda: HistGradientBoostingClassifier(random_state=0),
}


def attacked(task: AnyTask, items: Sequence[Item], presentation: str) -> dict[str, tuple[float, float, float]]:
    """For each learner the mean score on the last fifth of sets, the half-width of its interval at 95 %, and chance."""
    rows, grades, sizes = [], [], []
    for item in items:
        texts = [member.shown(presentation) for member in item.members]
        away = nearness(texts)
        seen = [_seen(text) for text in texts]
        whole = sum(seen, Counter[str]())
        for text, bag, far in zip(texts, seen, away, strict=True):
            others = {f"less {token}": bag[token] - number / len(texts) for token, number in whole.items()}
            ranks = {"rank": sorted(texts).index(text), "far": far - fmean(away), "length": len(text)}
            rows.append({**bag, **others, **ranks})
        grades += [_graded(task).grade(member) for member in item.members]
        sizes.append(len(texts))
    learnt = sum(sizes[: len(items) * 4 // 5])
    seen_by_all = FeatureHasher(2**13).transform(rows)
    dense = TruncatedSVD(60, random_state=0).fit_transform(seen_by_all)
    found = {}
    for name, learner in _LEARNERS.items():
        features = seen_by_all if name != "boosted" else dense
        trained = learner().fit(features[:learnt], np.array(grades[:learnt]))
        expected = iter((trained.predict_proba(features[learnt:]) @ trained.classes_).round(9).tolist())
        left = items[len(items) * 4 // 5 :]
        scores = [
            next(iter(task.judge_similarities(i, [next(expected) for _ in i.members]).scores.values())) for i in left
        ]
        chance = fmean(next(iter(task.chance(item).scores.values())) for item in left)
        found[name] = fmean(scores), 1.96 * float(np.std(scores)) / len(scores) ** 0.5, chance
    return found


def _seen(text: str) -> Counter[str]:
    words = _TOKEN.findall(text)
    pairs = (" ".join(words[at : at + size]) for size in (1, 2, 3) for at in range(len(words)))
    return Counter(pairs) + Counter(text[at : at + 4] for at in range(len(text)))


def drawn(task: AnyTask, name: str, count: int) -> tuple[int, list[int], float]:
    """Sets of the largest number of meanings, how often each of these became gold, and the p-value of χ²."""
    items = drawn_items(name, min(count, 1000))
    read = LANGUAGES[items[0].language].parse
    whole = {item.item: read(item.formula) for item in items}
    step = 2 if task.kind == "ranking" else 1
    chosen: Counter[int] = Counter()
    for seed in range(max(1, count // len(items))):
        for item in sets(task, items, seed, are_drawn=True)[0]:
            if len(item.members) == 8:
                meanings = [read(member.formula) for member in item.members[::step]]
                chosen[_same_as(whole[item.item], meanings)] += 1
    counts = [chosen[place] for place in range(8 // step)]
    return sum(counts), counts, float(chisquare(counts).pvalue)


def _same_as(gold: Formula, meanings: Sequence[Formula]) -> int:
    equal = [place for place, each in enumerate(meanings) if each is gold]
    return (
        equal[0]
        if equal
        else next(place for place, each in enumerate(meanings) if equivalence(gold, each).outcome is Outcome.EQUIVALENT)
    )


def _graded(task: AnyTask) -> ChoiceTask[Any]:
    assert isinstance(task, ChoiceTask)
    return task


def _means(scores: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {metric: fmean(each[metric] for each in scores) for metric in scores[0]}


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folio", help="folder with FOLIO's data and published ontologies")
    parser.add_argument(
        "--released", nargs="*", type=Path, default=[], help="folders of sets that the authors released"
    )
    parser.add_argument("--rows", type=int, help="usable rows of each dataset at most")
    parser.add_argument("--generated", type=int, default=1000, help="items of each generated dataset")
    parser.add_argument("--attacked", type=int, default=1000, help="generated sets that learners guess")
    parser.add_argument("--drawn", type=int, default=1000, help="generated sets whose drawn gold formulas are counted")
    options = parser.parse_args()
    os.chdir(ROOT)
    if options.folio:
        os.environ["NLFOL_DATA"] = options.folio
    for folder in options.released:
        for guess in guesses([read_item(record) for record in released_sets(folder)]):
            print(f"released {folder.name}: {guess}", flush=True)
    for dataset in ["tarski", "folio"] if options.folio else ["tarski"]:
        for protocol in ("paper", "audited", "fair"):
            task, items, _ = asked(dataset, "ranking", options.rows, protocol)
            scores = [(task.reasoner(item).scores, task.chance(item).scores) for item in items]
            reasoner, chance = (_shown(_means(each)) for each in zip(*scores, strict=True))
            print(f"{dataset} ranking {protocol}: {len(items)} items; reasoner {reasoner}; chance {chance}", flush=True)
        for kind in TASKS:
            _, items, setting = asked(dataset, kind, options.rows)
            for keys in PROTOCOLS:
                _print(dataset, _task(kind, **keys), items, setting)
    setting = Setting(SEED, NoPrompts())
    for name in GENERATED if options.generated else ():
        for kind in TASKS:
            for keys in PROTOCOLS:
                _print(name, _task(kind, **keys), drawn_items(name, options.generated), setting, are_drawn=True)
    for kind in TASKS:
        task = _task(kind)
        if options.attacked:
            made, _, _ = sets(task, drawn_items("first_order", options.attacked), SEED, are_drawn=True)
            for presentation in ("formula", "english"):
                found = attacked(task, made, presentation)
                said = "; ".join(f"{name} {a:.3f} ± {b:.3f} (chance {c:.3f})" for name, (a, b, c) in found.items())
                print(f"{kind}, {len(made)} sets, learnt from four fifths, {presentation}: {said}", flush=True)
        for name in GENERATED if options.drawn else ():
            number, counts, p = drawn(task, name, options.drawn)
            print(f"{name} {kind}: gold drawn in {number} sets: {counts}, p = {p:.3f}", flush=True)


def _task(kind: str, protocol: str = "fair", **keys: str) -> AnyTask:
    return build_task(json.dumps({"task": kind, "protocol": protocol, **keys}))


def _print(dataset: str, task: AnyTask, items: Sequence[Item], setting: Setting, *, are_drawn: bool = False) -> None:
    made, refused, seconds = sets(task, items, setting.seed, are_drawn=are_drawn)
    protocol = " ".join(filter(None, (task.entry.sets_protocol, getattr(task.entry, "forms", None))))
    large = sum(len(item.members) >= 4 for item in made)
    if (stories := len({item.story for item in made})) < _FOLDS:
        sys.exit(
            f"{dataset} {task.kind} {protocol}: {len(made)} items of {stories} stories, but the forest learns from "
            f"other stories than it is asked about, and needs {_FOLDS}; give more rows or items"
        )
    print(
        f"{dataset} {task.kind} {protocol}: {len(made)} items, {large} of four or more, refused {dict(refused)}; ",
        end="",
    )
    print(f"{len(items) / seconds:.0f} sets/s; chance", _shown(_means([task.chance(item).scores for item in made])))
    for presentation in ("formula", "english"):
        away = [[-float(far) for far in nearness([m.shown(presentation) for m in item.members])] for item in made]
        near = [task.judge_similarities(item, each).scores for item, each in zip(made, away, strict=True)]
        print(f"  {presentation}: medoid {_shown(_means(near))}; ", end="")
        for kind in ("surface", "words", "order", "learner"):
            print(f"{kind} {_shown(by_reference(task, made, setting, presentation, kind))}; ", end="")
        print(
            f"blind learner {_shown(by_reference(task, made, setting, f'{BLIND}{presentation}', 'learner'))}; ", end=""
        )
        print(f"tokens {_shown(by_tokens(task, made, presentation))}", flush=True)


def _shown(scores: Mapping[str, float]) -> str:
    return " / ".join(f"{score:.3f}" for score in scores.values())


if __name__ == "__main__":
    main()
