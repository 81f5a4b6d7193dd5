"""``nlfol export``. It imports the analyses when it runs."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from nlfol.cli.lines import say
from nlfol.cli.options import one_of, refusing
from nlfol.plugins import placed

_FORMS, _WIDTHS = ("latex", "markdown", "csv"), ("column", "page")


def _named(value: str | None) -> list[str]:
    return [name for part in (value or "").split(",") if (name := part.strip())]


@placed(after="diff")
def export(
    folder: Annotated[Path, typer.Argument(exists=True, file_okay=False, help="Results of a run.")] = Path("results"),
    *,
    table: Annotated[str | None, typer.Option(help="A table of the run, or a task for its scores.")] = None,
    figure: Annotated[str | None, typer.Option(help="A figure of the report, without titles, as PDF and SVG.")] = None,
    methods: Annotated[bool, typer.Option("--methods", help="Paragraphs on how the run was made.")] = False,
    bib: Annotated[bool, typer.Option("--bib", help="BibTeX of the works that these paragraphs cite.")] = False,
    models: Annotated[str | None, typer.Option(help="Models to show, as a,b; by default all that were asked.")] = None,
    columns: Annotated[
        str | None, typer.Option(help="Columns of the table beside names, as both,negation; by default all measures.")
    ] = None,
    width: Annotated[
        str | None, one_of(lambda: _WIDTHS, help="Of a LaTeX table: column or page; the first that has room.")
    ] = None,
    form: Annotated[
        str | None, one_of(lambda: _FORMS, help="latex, markdown or csv (latex; of methods markdown).")
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="File to write; of a figure, a folder.")] = None,
) -> None:
    """Write a table, a figure, a paragraph of methods or its references of a run for a paper.

    nlfol export --table ranking --columns both,negation --width column -o ranking.tex

    Models are sorted by score, the best ones and those tied with them are bold. Answers that were written as examples
    are left out unless they are named.
    """
    from nlfol_extras.paper.tables import Run, rendered

    if sum((table is not None, figure is not None, methods, bib)) != 1:
        raise typer.BadParameter("give one of --table, --figure, --methods and --bib")
    if methods and form == "csv":
        raise typer.BadParameter("--methods are text: --form latex or markdown")
    if bib and form is not None:
        raise typer.BadParameter("--bib has one form: leave out --form")
    with refusing(ValueError, OSError):
        run = Run(folder)
        if figure is not None:
            from nlfol_extras.paper.figures import export_figure

            for path in export_figure(run, figure, _named(models), output or Path()):
                say(str(path))
            return
        if bib:
            from nlfol_extras.paper.references import references

            text = references(run)
        elif table is None:
            from nlfol_extras.paper.methods import methods as described

            text = described(run, in_latex=form == "latex")
        else:
            text, left_out = rendered(run, table, _named(models), _named(columns), form=form or "latex", width=width)
            if left_out:
                say(f"no room for {', '.join(left_out)}; choose with --columns", sys.stderr)
        if output is not None:
            output.parent.mkdir(parents=True, exist_ok=True)
            output.write_text(text, encoding="utf-8", newline="\n")
            say(f"{output} written")
        else:
            say(text.rstrip("\n"))
