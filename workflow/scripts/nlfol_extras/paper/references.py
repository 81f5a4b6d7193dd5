"""``nlfol export --bib``: BibTeX of the works that the paragraphs of methods cite, as ``CITATION.cff`` has them."""

import re

from nlfol.results.tables.latex import latex
from nlfol_extras.paper.methods import CITE, key, methods
from nlfol_extras.paper.tables import Run
from nlfol_extras.works import Author, Work, citation

_BRACES = {r"\{": r"\textbraceleft{}", r"\}": r"\textbraceright{}"}
"""Braces without a partner end an entry, even behind a backslash."""


def references(run: Run) -> str:
    """Return one entry for each work that the methods of a run cite, in their order; nlfol in the run's version."""
    known = citation()
    version = run.manifest["environment"]["packages"]["nlfol"]
    own = known | {"abbreviation": "nlfol", "year": str(known["date-released"])[:4], "version": version}
    works = {key(work["abbreviation"]): work for work in (own, *known["references"])}
    cited = dict.fromkeys(name for group in CITE.findall(methods(run)) for name in re.findall("@([a-z0-9-]+)", group))
    return "\n".join(entry(name, works[name]) for name in cited)


def entry(name: str, work: Work) -> str:
    """Return a work of ``CITATION.cff`` under a key, a preprint as arXiv exports it."""
    identifiers = (each["value"] for each in work.get("identifiers", ()))
    arxiv = next((each.removeprefix("arXiv:") for each in identifiers if each.startswith("arXiv:")), None)
    book, journal = work.get("collection-title") or work.get("conference", {}).get("name"), work.get("journal")
    page = f"https://arxiv.org/abs/{arxiv}" if arxiv and not (book or journal) else None
    fields = {
        "author": " and ".join(map(_author, work["authors"])),
        "title": f"{{{_escaped(work['title'])}}}",  # as it is: styles write other titles in small letters
        "booktitle": book and _escaped(book),
        "journal": journal and _escaped(journal),
        "volume": work.get("volume"),
        "number": work.get("issue"),
        "pages": f"{work['start']}--{work['end']}" if "start" in work else None,
        "year": work["year"],
        "note": f"Version {_escaped(work['version'])}" if "version" in work else None,
        "doi": work.get("doi"),
        "eprint": arxiv,
        "archiveprefix": arxiv and "arXiv",
        "url": page if "doi" in work else work.get("url", page),
    }
    kind = "inproceedings" if book else "article" if journal else "misc"
    lines = [f"  {field} = {{{value}}},\n" for field, value in fields.items() if value is not None]
    return f"@{kind}{{{name},\n{''.join(lines)}}}\n"


def _author(author: Author) -> str:
    """Return a name, family first; BibTeX knows ``others``, and takes braces for the name of a group."""
    if "name" in author:
        return "others" if author["name"] == "others" else f"{{{_escaped(author['name'])}}}"
    return _escaped(f"{author['family-names']}, {author['given-names']}")


def _escaped(text: str) -> str:
    return re.sub(r"\\[{}]", lambda brace: _BRACES[brace[0]], latex(text))
