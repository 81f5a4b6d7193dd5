"""A new reader of data is one module and its name in the registry."""

import filecmp
import os
import shutil
import subprocess
import sys
from pathlib import Path

SCRIPTS = Path(__file__).parents[3] / "workflow/scripts"

MODULE = """
from pathlib import Path
from typing import Literal

from nlfol.data.entries.block import PathText
from nlfol.data.entries.sentences import SentencesEntry
from nlfol.data.sentences import Dataset, Sentence
from nlfol.logic import parse


class LinesEntry(SentencesEntry):
    reader: Literal["lines"]
    path: PathText
    ontology: None = None

    @property
    def source_files(self):
        return [self.path]

    def read(self):
        pairs = [line.split(" | ") for line in Path(self.path).read_text().splitlines()]
        sentences = [Sentence.of("s", n, text, line, parse(line)) for n, (text, line) in enumerate(pairs)]
        return Dataset(tuple(sentences), "digest")
"""

RUN = """
import json, sys
from pathlib import Path
import attach_ontology, ingest_dataset
from nlfol.config import read_configuration
from nlfol.store import files, schemas

entry, sentences, triples = {"reader": "lines", "path": "mine.txt"}, Path("sentences.arrow"), Path("triples.arrow")
models = {"chance": {"kind": "chance"}}
read_configuration({"seed": 1, "datasets": {"mine": entry}, "tasks": {"ranking": {}}, "models": models})
ingest_dataset.main(json.dumps(entry), "mine", sentences)
attach_ontology.main(json.dumps(entry), sentences, triples)
print([(row["text"], row["status"]) for row in files.rows(triples, schemas.TRIPLES)])
"""


def test_new_reader_needs_only_module_and_registry_line(tmp_path: Path) -> None:
    library = tmp_path / "scripts"
    shutil.copytree(SCRIPTS, library, ignore=shutil.ignore_patterns("__pycache__"))
    entries = library / "nlfol/data/entries"
    (entries / "lines.py").write_text(MODULE)
    registry = library / "nlfol/data/entry.py"
    text = registry.read_text(encoding="utf-8")
    text = text.replace(
        "\nENTRIES: Final = (", "\nfrom nlfol.data.entries.lines import LinesEntry\n\nENTRIES: Final = (LinesEntry,"
    )
    registry.write_text(text, encoding="utf-8")
    (tmp_path / "mine.txt").write_text("Ann is tall. | Tall(ann)\nBob sleeps. | Sleeps(bob)\n")
    run = subprocess.run(
        [sys.executable, "-c", RUN],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(library)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stdout == "[('Ann is tall.', 'usable'), ('Bob sleeps.', 'usable')]\n", run.stderr
    changed = {
        path.relative_to(library).as_posix()
        for path in library.rglob("*.py")
        if not (SCRIPTS / path.relative_to(library)).is_file()
        or not filecmp.cmp(path, SCRIPTS / path.relative_to(library), shallow=False)
    }
    assert changed == {"nlfol/data/entries/lines.py", "nlfol/data/entry.py"}
