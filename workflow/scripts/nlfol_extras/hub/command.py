"""``nlfol publish``. Nothing here imports the judge: the command imports what it runs."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from nlfol.cli.lines import say
from nlfol.cli.options import refusing
from nlfol.plugins import placed


@placed(after="board")
def publish(
    dataset: Annotated[str, typer.Argument(help="tarski, proofwriter, another name, or a file.")],
    *,
    task: Annotated[list[str], typer.Option(help="Task that is asked about it; repeatable.")],
    repository: Annotated[str, typer.Option(help="OWNER/NAME of the data set on the Hub.")],
    config: Annotated[Path | None, typer.Option(exists=True, help="Configuration of the dataset and tasks.")] = None,
    ontology: Annotated[Path | None, typer.Option(exists=True, help="Ontology of a file of sentences.")] = None,
    licence: Annotated[str | None, typer.Option("--license", help="SPDX licence of files of your own.")] = None,
    results: Annotated[Path | None, typer.Option(exists=True, help="Folder of a run: write models' scores.")] = None,
    revision: Annotated[str | None, typer.Option(help="With --results: commit of the data set on the Hub.")] = None,
    source: Annotated[str | None, typer.Option(help="With --results: address of the run.")] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder to write.")] = Path("hub"),
) -> None:
    """Write the items of tasks as a data set for the Hugging Face Hub, or scores for the repositories of models.

    nlfol publish tarski --task logical_translation --repository OWNER/nlfol-tarski -o hub

    The exit status is 2 if the data may not be published, and 1 if scores are left out. Nothing is uploaded.
    """
    import yaml

    from nlfol.cli.named import datasets_of, known_datasets
    from nlfol.harnesses.questions import questions
    from nlfol.validation import read_yaml
    from nlfol_extras.hub.dataset import Published, licence_of, parts_of, splits
    from nlfol_extras.hub.scores import Entry, entries

    if [bool(part) for part in repository.split("/")] != [True, True]:
        raise typer.BadParameter(f"--repository {repository}: give OWNER/NAME")
    with refusing(ValueError, OSError):
        known = read_yaml(config)["datasets"] if config else known_datasets()
        about = datasets_of(dataset, known, ontology)
        name, of, parts = list(about)[-1], str(config) if config else None, parts_of(about, list(about)[-1])
        allowed = licence_of(parts, licence)
        asked = {kind: questions(kind, dataset, config=of, ontology=ontology) for kind in task}
        boards = [board for kind, rows in asked.items() for board in splits(kind, rows)]
        made = Published(repository, name, about[name]["reader"], allowed, parts, boards)
        if results is None:
            made.write(output)
            say(f"{output} written, under {allowed}. Upload: hf upload {repository} {output} . --repo-type dataset")
            return
        told: Entry = {"source": {"url": source, "name": "nlfol"}} if source else {}
        by_model, refused = entries(made, results, {"revision": revision} if revision else {}, told)
        for model, scores in by_model.items():
            path = output / model / ".eval_results" / f"{repository.rpartition('/')[2]}.yaml"
            path.parent.mkdir(parents=True)
            path.write_text(yaml.safe_dump(scores, sort_keys=False), encoding="utf-8")
            say(f"{path} written. Propose it: hf upload MODEL {path.parent} .eval_results --create-pr")
        if not by_model:
            refused += [f"{results}: no scores of models in these tasks"]
    for reason in refused:
        say(f"left out: {reason}", sys.stderr)
    raise typer.Exit(bool(refused))
