"""Hooks of MkDocs: the site has the folders of the repository, so that a link leads to the same file in both."""

import os
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parent.parent
PAGES = ("*.md", "docs/*.md", "results/README.md", "resources/**/README.md")
LINK = re.compile(r"\]\(([^)#\s]+)")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Make a section of the navigation from each section of ``docs/index.md``."""
    _, *sections = re.split(r"^## ", (ROOT / "docs/index.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    pages = {
        section.partition("\n")[0]: [os.path.normpath(f"docs/{target}") for target in LINK.findall(section)]
        for section in sections
    }
    config.nav = [{"Home": "README.md"}, {"All pages": "docs/index.md"}, *({name: pages[name]} for name in pages)]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Replace the files of ``docs`` by all pages of the repository and the files that they link to."""
    for file in list(files.src_uris.values()):
        if file.src_dir == config.docs_dir:
            files.remove(file)
    pages = {page for pattern in PAGES for page in ROOT.glob(pattern)}
    linked = {
        Path(os.path.normpath(page.parent / target))
        for page in pages
        for target in LINK.findall(page.read_text(encoding="utf-8"))
    }
    for path in sorted(pages | {path for path in linked if path.is_file()}):
        files.append(File.generated(config, path.relative_to(ROOT).as_posix(), abs_src_path=str(path)))
    return files
