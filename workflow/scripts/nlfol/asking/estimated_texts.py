"""Texts that embedding models would compare, before all of them are there."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from nlfol.asking.asking import Offered, sample, usable_items
from nlfol.asking.judging import compared_pairs
from nlfol.mappings import JsonObject
from nlfol.store import files
from nlfol.store.problem_schemas import PROPOSALS
from nlfol.tasks.task import AnyTask
from nlfol.tasks.wordings import wordings


def texts_of(paths: Mapping[str, str | None]) -> list[str]:
    """Return what is compared of a dataset of rewritten problems.

    The paths are its ``problems``, ``originals``, ``proposals`` if the model is its filter, and the ``statements`` that
    are rewritten; None for what does not exist yet.
    """
    texts: list[str] = []
    if (statements := paths["statements"]) is not None:
        for item in Offered.read(Path(statements)).items:
            # A sentence for each expression, two more, and words.
            others = [f"{item.text} {number}" for number in range(len(item.members) + 2)]
            texts += [
                item.text,
                *(others if paths["proposals"] is None else []),
                *(member.english for member in item.members),
            ]
    if (proposals := paths["proposals"]) is not None:
        texts += [row["sentence"] for row in files.rows(Path(proposals), PROPOSALS) if row["status"] == "usable"]
    if paths["problems"] is not None and paths["originals"] is not None:
        for pair in wordings(Path(paths["originals"]), Path(paths["problems"])):
            texts += [pair["before"], pair["after"]]
    return texts


def glosses_of(task: AnyTask, items_file: Path, seed: int, answers: Iterable[JsonObject]) -> list[str]:
    """Return the glosses that are compared of models' answers, and the gold ones.

    ``answers`` has for each model its ``responses``, None if there are none yet, and how many ``items`` (None is all)
    and ``seeds`` it is asked: then as many glosses as gold formulas have concepts, and as long.
    """
    pairs: list[tuple[str, str]] = []
    for of_model in answers:
        if of_model["responses"] is not None:
            pairs += compared_pairs(task, items_file, Path(of_model["responses"]))
            continue
        counts = [most for most in (of_model["items"], task.entry.items) if most is not None]
        items = sample(usable_items(items_file), min(counts, default=None), seed) * of_model["seeds"]
        pairs += [pair for number, item in enumerate(items) for pair in task.expected_texts(item, number)]
    return list(dict.fromkeys(text for pair in pairs for text in pair))
