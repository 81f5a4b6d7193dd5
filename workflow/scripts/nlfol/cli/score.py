"""``nlfol score``: a file of answers to figures and wrong answers."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from nlfol.cli.lines import say, write
from nlfol.cli.options import refusing


def score(
    file: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="Answers: JSON, JSON Lines, CSV, Parquet or Arrow.")
    ],
    *,
    dataset: Annotated[str, typer.Option(help="tarski, folio, proofwriter, another name, or a file.")] = "tarski",
    ontology: Annotated[Path | None, typer.Option(help="Ontology of a --dataset file.")] = None,
    task: Annotated[str | None, typer.Option(help="Task; by default as the answers look.")] = None,
    language: Annotated[str | None, typer.Option(help="Language of programs; by default as they look.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of candidate sets; that of config.yaml.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Count items without an answer as failed.")] = False,
    wrong: Annotated[int, typer.Option(min=0, help="Number of wrong answers to show.")] = 3,
    allow_refused: Annotated[
        bool, typer.Option("--allow-refused", help="Exit with 0 though gold rows of a --dataset file are refused.")
    ] = False,
    own: Annotated[
        bool, typer.Option("--own", help="Judge programs in symbols of their own, with glosses behind ':::'.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write everything as one JSON object.")] = False,
    csv: Annotated[Path | None, typer.Option(help="Folder to write summary, answers and refused rows to.")] = None,
    html: Annotated[Path | None, typer.Option(help="File to write the page of the report to.")] = None,
) -> None:
    """Score a file of answers, without a configuration and Snakemake.

    nlfol score predictions.jsonl --dataset tarski

    {"item", "answer"} -> scores with intervals, outcomes, faults, and wrong answers with counter-models

    With --own, {"program"} in symbols of its own, with sentences behind ':::' -> an interval for right sentences, from
    those that words anchor to those equivalent under any definitions, and the definitions by story.

    The exit status is 1 if gold rows of a --dataset file are refused.
    """
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")
    from nlfol.cli import score_output, scored
    from nlfol.cli.named import datasets_of, known_datasets
    from nlfol.cli.own import score_own
    from nlfol.logic.judging import without_collecting
    from nlfol.randomness import SEED

    with without_collecting(), refusing(ValueError, OSError):
        known = known_datasets()
        datasets = datasets_of(dataset, known, ontology)
        if own:
            judged = score_own(file, datasets, list(datasets)[-1], SEED if seed is None else seed)
            if as_json:
                write([judged.tables])
            else:
                say(judged.text)
            raise typer.Exit
        wanted = scored.Wanted(
            *(file, list(datasets)[-1], datasets, SEED if seed is None else seed, task, language), listed=not every
        )
        result = scored.score(wanted)
        if csv is not None:
            score_output.write_tables(result, csv)
        if html is not None:
            with TemporaryDirectory() as made:
                html.write_text(score_output.page([(wanted, result)], Path(made)), encoding="utf-8", newline="\n")
    if as_json:
        write(
            [
                {
                    "file": str(file),
                    "dataset": wanted.dataset,
                    "seed": wanted.seed,
                    "located": result.located,
                    **result.tables,
                }
            ]
        )
    else:
        if notice := result.gold.told(wanted.dataset):
            say(f"{notice}\n")
        say(score_output.text_of(result, wrong))
    if result.gold.refused and dataset not in known and not allow_refused:
        raise typer.Exit(1)
