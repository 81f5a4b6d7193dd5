"""Surface cues that give candidates away to a guesser who does not read them: numbered lists and the look of texts.

    python benchmarks/surface_cues.py [--folio FOLDER] [--rows N]

For ``most_similar`` and ``ranking`` on tarski and, where a folder with its data is given, FOLIO, under ``audited``: the
scores of guessing by chance; of putting candidates without a list first, and last; and of the reference
``surface``, for each presentation. Beside English as candidates are shown stand those of the same formulas, each
rendered alone, as it was before candidates were laid out alike. Then the words of a text (mean, 90th percentile, most),
and how many of the equivalents have a double negation that the gold formula lacks.

Measured: guessing by lists scores what chance does, to the last digit, in both tasks and datasets; where each candidate
is rendered alone, it scores 0.172 instead of 0.129 in most similar on tarski.
"""

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

import yaml

sys.path.insert(0, str(Path(__file__).parents[1] / "workflow/scripts"))

import attach_ontology
import build_items
import ingest_dataset
from nlfol.asking.asking import Offered
from nlfol.config import as_json, read_configuration
from nlfol.facts import Role
from nlfol.logic.english.styles import Style, render
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.store import files, schemas
from nlfol.tasks.item import Item, Member
from nlfol.tasks.plan import NoPrompts, Setting
from nlfol.tasks.reference import dialogue
from nlfol.tasks.registry import task_of
from nlfol.tasks.task import AnyTask

ROOT = Path(__file__).parents[1]
CONFIGURATIONS = {"tarski": "config.yaml", "folio": "config/folio.yaml"}
TASKS = ("most_similar", "ranking")

Scores = Mapping[str, float]


def asked(
    dataset: str, kind: str, rows: int | None = None, protocol: str = "audited", **keys: str
) -> tuple[AnyTask, list[Item], Setting]:
    """A task, its items and what it is asked for, as configured but for some keys, of so many rows at most."""
    configuration = read_configuration(yaml.safe_load((ROOT / CONFIGURATIONS[dataset]).read_text(encoding="utf-8")))
    entry, block = (
        configuration.tasks[kind].model_copy(update={"protocol": protocol, **keys}),
        configuration.datasets[dataset],
    )
    with TemporaryDirectory() as name:
        sentences, triples, items = (Path(name, stage) for stage in ("sentences", "triples", "items"))
        ingest_dataset.main(as_json(block), dataset, sentences)
        attach_ontology.main(as_json(block), sentences, triples)
        table = files.read(triples, schemas.TRIPLES)
        usable = [row for row in table.to_pylist() if row["status"] == "usable"][:rows]
        files.write(triples, schemas.TRIPLES, usable, files.metadata_of(table))
        build_items.main(
            triples, dataset=dataset, task=kind, task_json=as_json(entry), seed=configuration.seed, output=items
        )
        setting = Setting(configuration.seed, NoPrompts())
        return task_of(entry), list(Offered.read(items).items), setting


def alone(item: Item) -> Item:
    """The item with each candidate rendered whatever the others are."""
    language = LANGUAGES[item.language]
    members = [
        Member(m.formula, render(language.parse(m.formula), item.ontology, Style.UNAMBIGUOUS), m.role)
        for m in item.members
    ]
    return Item(item.item, item.story, item.text, item.formula, item.ontology, tuple(members), item.language)


def guessed(task: AnyTask, items: Sequence[Item], closeness: Callable[[str], float]) -> Scores:
    """The mean scores of who orders candidates by falling closeness of their English, equals at random."""
    judged = [task.judge_similarities(item, [closeness(m.english) for m in item.members]).scores for item in items]
    return _means(judged)


def has_list(english: str) -> bool:
    """Return whether a text has a numbered list."""
    return "(1) " in english


def by_reference(
    task: AnyTask, items: Sequence[Item], setting: Setting, presentation: str, kind: str = "surface"
) -> Scores:
    """The mean scores of a reference, as in the tables."""
    plan, reference = task.plan(setting), task.reference(kind, items)
    dialogues = [dialogue(plan, reference, item, presentation, 0) for item in items]
    return _means(
        [task.judge(item, [reply for _, reply in found]).scores for item, found in zip(items, dialogues, strict=True)]
    )


def words(items: Sequence[Item]) -> tuple[float, int, int]:
    """The mean, the 90th percentile and the greatest number of words of the candidates' English."""
    counts = sorted(len(member.english.split()) for item in items for member in item.members)
    return fmean(counts), counts[int(0.9 * len(counts))], counts[-1]


def doubled(items: Sequence[Item]) -> tuple[int, int]:
    """Count equivalents with a ¬¬ that the gold formula lacks, and all equivalents."""
    pairs = [(m.formula, item.formula) for item in items for m in item.members if m.role == Role.EQUIVALENT]
    return sum("¬¬" in formula and "¬¬" not in gold for formula, gold in pairs), len(pairs)


def _means(scores: Sequence[Scores]) -> Scores:
    return {metric: fmean(each[metric] for each in scores) for metric in scores[0]}


def _shown(scores: Scores) -> str:
    return " / ".join(f"{score:.3f}" for score in scores.values())


def chosen(about: str | None) -> argparse.Namespace:
    """Return ``folio`` and ``rows`` of the command line, with FOLIO's data where datasets look for them."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folio", help="folder with FOLIO's data and published ontologies")
    parser.add_argument("--rows", type=int, help="usable rows of each dataset at most")
    options = parser.parse_args()
    os.chdir(ROOT)
    if options.folio:
        os.environ["NLFOL_DATA"] = options.folio
    return options


def main() -> None:
    """Print the figures."""
    options = chosen(__doc__)
    for dataset in CONFIGURATIONS if options.folio else ["tarski"]:
        for kind in TASKS:
            task, items, setting = asked(dataset, kind, options.rows)
            print(f"{dataset} {kind} ({' / '.join(task.metrics)}), {len(items)} items")
            print(f"  chance {_shown(guessed(task, items, lambda _: 0.0))}")
            print(f"  surface, formula: {_shown(by_reference(task, items, setting, 'formula'))}")
            for how, shown in (("together", items), ("each alone", [alone(item) for item in items])):
                first = guessed(task, shown, lambda text: -has_list(text))
                last = guessed(task, shown, has_list)
                print(f"  English, {how}: without list first {_shown(first)}, last {_shown(last)};", end=" ")
                print(f"surface {_shown(by_reference(task, shown, setting, 'english'))};", end=" ")
                print("words mean {:.1f}, p90 {}, most {}".format(*words(shown)))
            if kind == "ranking":
                print("  equivalents with a new ¬¬: {} of {}".format(*doubled(items)))


if __name__ == "__main__":
    main()
