"""Gold formulas in doubt against FOLIO's corrections.

    NLFOL_DATA=FOLDER python benchmarks/gold_formulas.py [--answers FILE ...] [--verdicts FILE ...]

Suspects are those of the table ``gold_audit``, from files of answers (by default the second reading alone, said twice,
as a model that repeats itself). Wrong is what ``patches.jsonl`` corrects, or what a file of verdicts calls so: JSON
Lines with ``story`` and ``index``, or ``id``, and ``published`` or ``verdict``. There ``coarse`` and ``arguable``
formulas are neither wrong nor false alarms for the last figure. Precision and recall with their intervals at 95 %, in
which premises of one story go together.

Measured: the second reading doubts 260 of 1,560 premises.

    verdicts                                            precision            recall               precision, clear
    corrections (113)                                   .43 (.36 to .50)     .99 (.94 to 1.00)    .43
    the adjudicated ones (108 wrong)                    .41 (.34 to .48)     .99 (.94 to 1.00)    .53 (.45 to .61)
    those of a reader who only judged formulas (144)    .47 (.40 to .54)     .84 (.71 to .92)     .58 (.50 to .65)

The second reading helped to find the corrections, so only the last recall is an independent one. No released model's
answers to these premises are at hand: of Logic-LM's lines by GPT-3.5 and text-davinci-003 for the validation split, 20
of 2,371 are of sentences that are here, too.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

sys.path.insert(0, str(Path(__file__).parents[1] / "workflow/scripts"))

import ingest_dataset
from nlfol.data.entries.folio import FolioEntry
from nlfol.data.patches import read_patches
from nlfol.facts import EQUIVALENCE
from nlfol.logic import equivalence, parse
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading import read
from nlfol.results.statistics.clusters import clustered_mean
from nlfol.results.statistics.summary import Origin
from nlfol.store import files, schemas
from nlfol_extras.analyses.gold_audit import gold_audit

ROOT = Path(__file__).parents[1]
SECOND_READING = ROOT / "resources/answers/second_reading/folio.jsonl"
PATCHES = ROOT / "resources/datasets/folio/patches.jsonl"
TASK = "logical_translation"
UNDECIDED = ("coarse", "arguable")


def folio(gold: str = "published") -> FolioEntry:
    """Return the entry of FOLIO's training stories."""
    shipped = {"patches": str(PATCHES), "accepted": str(PATCHES.with_name("accepted.jsonl"))}
    pin = str(PATCHES.with_name("pin.json"))
    exclusive_or = "exclude" if gold == "published" else "include"
    return FolioEntry.model_validate(
        {"reader": "folio", "pin": pin, "gold": gold, "exclusive_or": exclusive_or, **shipped}
    )


def rows_of(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a file of JSON Lines."""
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def judged(gold: Mapping[str, str], answers: Path, seeds: Sequence[int]) -> pl.DataFrame:
    """Return what ``gold_audit`` reads of scores: a model's answers, the same under each seed."""
    said = {row["item"]: read(row["answer"]).formula for row in rows_of(answers) if row["item"] in gold}
    verdicts = {item: equivalence(parse(gold[item]), formula).outcome.value for item, formula in said.items()}
    return pl.DataFrame(
        [
            {"item": item, "seed": seed, "metric": EQUIVALENCE, "outcome": "answered", "verdict": verdicts[item]}
            | {"relation": "other", "detail": None, "formula": to_unicode(formula)}
            for item, formula in said.items()
            for seed in seeds
        ],
        schema_overrides={"detail": pl.String},
    )


def suspects(entry: FolioEntry, answers: Sequence[Path]) -> tuple[list[str], list[str]]:
    """Return the usable premises, and those whose gold formula is in doubt."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "sentences.arrow"
        ingest_dataset.main(entry.model_dump_json(), "folio", path)
        gold = {row["item"]: row["formula"] for row in files.rows(path, schemas.SENTENCES) if row["reason"] is None}
        seeds = (0, 1) if len(answers) == 1 else (0,)
        loaded = [
            (Origin("folio", TASK, TASK, None, file.stem, "chat", len(gold)), judged(gold, file, seeds))
            for file in answers
        ]
        return list(gold), [row["item"] for row in gold_audit(loaded, {"folio": path})]


def verdicts_of(path: Path) -> dict[str, str]:
    """Return verdicts on published formulas by premise."""
    return {
        row.get("id") or f"{row['story']}:{row['index']}": row.get("published") or row["verdict"]
        for row in rows_of(path)
    }


def figure(hits: Sequence[bool], items: Sequence[str]) -> str:
    """Return a share with its interval."""
    found = clustered_mean([float(hit) for hit in hits], [item.split(":")[0] for item in items])
    bounds = "" if found.low is None or found.high is None else f" ({found.low:.3f} to {found.high:.3f})"
    return f"{sum(hits)} of {len(hits)}, {found.mean:.3f}{bounds}"


def measured(usable: Sequence[str], doubted: Sequence[str], verdicts: Mapping[str, str]) -> dict[str, str]:
    """Return precision and recall of suspects, and precision over those on which the verdict is clear."""
    wrong = [item for item in usable if verdicts.get(item) == "wrong"]
    clear = [item for item in doubted if verdicts.get(item) not in UNDECIDED]
    return {
        "precision": figure([item in wrong for item in doubted], doubted),
        "recall": figure([item in doubted for item in wrong], wrong),
        "precision, clear": figure([item in wrong for item in clear], clear),
    }


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", nargs="+", type=Path, default=[SECOND_READING])
    parser.add_argument("--verdicts", nargs="*", type=Path, default=[])
    arguments = parser.parse_args()
    usable, doubted = suspects(folio(), arguments.answers)
    print(f"{len(doubted)} suspects of {len(usable)} premises, by {', '.join(path.stem for path in arguments.answers)}")
    sources = {"patches": dict.fromkeys(read_patches(PATCHES).by_item, "wrong")}
    sources |= {str(path): verdicts_of(path) for path in arguments.verdicts}
    for name, verdicts in sources.items():
        for what, said in measured(usable, doubted, verdicts).items():
            print(f"{name}: {what}: {said}")


if __name__ == "__main__":
    main()
