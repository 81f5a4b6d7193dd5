"""``nlfol submit`` and ``nlfol board``. Nothing here imports the judge: a command imports what it runs."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from nlfol.cli.lines import say
from nlfol.cli.options import one_of, refusing
from nlfol.plugins import placed


def _released() -> list[str]:
    from nlfol_extras.board.site import RELEASED

    return RELEASED


@placed(after="score")
def submit(
    answers: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="JSON Lines, JSON or CSV.")],
    *,
    about: Annotated[Path, typer.Option(exists=True, dir_okay=False, help="YAML: whose answers they are.")],
    dataset: Annotated[str, typer.Option(help="tarski, folio, proofwriter, another name, or a file.")],
    task: Annotated[str, typer.Option(help="Task that the answers are about.")],
    ontology: Annotated[Path | None, typer.Option(help="Ontology of a --dataset file.")] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Folder (default: submissions/NAME).")] = None,
) -> None:
    """Check a file of answers, and write the folder that a board takes.

    nlfol submit answers.jsonl --about about.yaml --dataset tarski --task logical_translation

    Answers that are missing count as wrong. The exit status is 2, with the reason, if the answers are refused.
    """
    from nlfol.cli.score_output import text_of
    from nlfol_extras.board.submission import About
    from nlfol_extras.board.submission import submit as submitted

    with refusing(ValueError, OSError):
        described = About.read(about)
        to = output or Path("submissions", f"{described.name}.{Path(dataset).stem}.{task}")
        _, scored = submitted(answers, described, to, dataset=dataset, task=task, ontology=ontology)
    say(text_of(scored, 0))
    say(f"{to} written")


@placed(after="submit")
def board(
    folders: Annotated[
        list[Path] | None, typer.Argument(exists=True, file_okay=False, help="Submissions, or folders of them.")
    ] = None,
    *,
    released: Annotated[
        list[str], one_of(_released, help="Add the models of nlfol released on this dataset; repeatable.")
    ] = [],  # noqa: B006
    sources: Annotated[
        Path | None, typer.Option(exists=True, file_okay=False, help="Folder of sources of your own, for --released.")
    ] = None,
    dataset: Annotated[list[Path], typer.Option(help="A file of a dataset of your own; repeatable.")] = [],  # noqa: B006
    ontology: Annotated[Path | None, typer.Option(help="Ontology of the --dataset files.")] = None,
    title: Annotated[str, typer.Option(help="Title of the page.")] = "Leaderboard of nlfol",
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder of the page.")] = Path("site"),
) -> None:
    """Judge submitted answers again, and write a page with models in rows and tasks in columns.

    nlfol board submissions --released logical_deduction -o site

    The exit status is 1 if submissions are refused; the page says why.
    """
    from nlfol.cli.named import name_of
    from nlfol_extras.board.site import Board
    from nlfol_extras.board.submission import FILE
    from nlfol_extras.released.experiment import sources_folder
    from nlfol_extras.released.sources import read_sources

    made = Board()
    own = {name_of(path.stem): (str(path), ontology) for path in dataset}
    with refusing(ValueError, OSError), TemporaryDirectory() as kept:
        if released:  # they keep their names
            made.add_released(read_sources(sources or sources_folder()), released, Path(kept))
        listed = [[folder] if (folder / FILE).exists() else list(folder.iterdir()) for folder in folders or ()]
        made.add_submissions([path for inside in listed for path in inside if path.is_dir()], own)
        output.mkdir(parents=True, exist_ok=True)
        (output / "index.html").write_text(made.page(title), encoding="utf-8", newline="\n")
    for reason in made.refused:
        say(f"left out: {reason}", sys.stderr)
    say(f"{output / 'index.html'}: {len(made.told)} models, {len(made.judged)} files of answers")
    if made.refused:
        raise typer.Exit(1)
