"""Multi-LogiEval (Patel et al., EMNLP 2024; MIT): questions by rules of inference and depth, answered by yes or no.

There is no gold program. A constant "yes" has F1 .859 on the propositional part and .862 on the first-order one
(without ``multivariable_fol_Data``), where labels are 395 to 130 and 405 to 130.
"""

from pathlib import Path
from typing import Literal

from typing_extensions import override

from nlfol.data.entries.block import PathText, shipped
from nlfol.data.entries.problems import Problems, ProblemsEntry, letter_of, sentences, text_of
from nlfol.problems.problem import Evidence, Problem, Statement, plain
from nlfol.store.records import SourceError, json_object, json_value, read_content

OPTIONS = ("Yes", "No")


class LogievalEntry(ProblemsEntry):
    """The problems of one logic in Multi-LogiEval; notes name files that are not UTF-8.

    ``path`` is a copy of its folder ``data``; None downloads the pinned files.
    """

    reader: Literal["logieval"]
    path: PathText | None = None
    logic: Literal["pl", "fol"]

    @property
    @override
    def read_from(self) -> list[str]:
        return [self.path or shipped("resources/datasets/multi_logieval/pins.json")]

    @property
    @override
    def published_as(self) -> str:
        return f"logieval_{self.logic}"

    def _paths(self) -> list[Path]:
        """Return the files; raises ``SourceError`` if there are none, or they cannot be downloaded."""
        from nlfol.data.pin import Pin, fetch  # start-up time

        if self.path is None:
            pins = Pin.all_from_file(Path(*self.read_from))
            return sorted(fetch(pin) for pin in pins if f"/{self.logic}/" in pin.path)
        paths = sorted(Path(self.path).glob(f"d[1-9]_Data/{self.logic}/*.json"))
        if not paths:
            raise SourceError(
                f"{self.path}: no files d1_Data/{self.logic}/*.json; give the folder 'data' of Multi-LogiEval, or no "
                "'path' to download it"
            )
        return paths

    @override
    def read(self, seed: int) -> Problems:
        problems: list[Problem] = []
        notes: list[str] = []
        for path in self._paths():
            text, note = _decoded(path)
            notes += note
            data = json_object(path, json_value(path, text))
            samples = data.get("samples")
            if not isinstance(samples, list):
                raise SourceError(f"{path}: 'samples' is not a list; download the file again")
            for number, sample in enumerate(samples, 1):
                location = f"{path}: sample {number}"
                record = json_object(location, sample)
                name = f"{self.logic}:{path.parts[-3][:2]}:{path.stem}:{text_of(location, record, 'id')}"
                answer = letter_of(location, text_of(location, record, "answer"), OPTIONS)
                statements = plain(sentences(text_of(location, record, "context")))
                question = Statement(text_of(location, record, "question"))
                options, depth = plain(OPTIONS), int(path.parts[-3][1])
                problems.append(
                    Problem(name, "free", None, statements, question, options, answer, Evidence.PUBLISHED, depth)
                )
        return Problems(tuple(problems), tuple(notes))


def _decoded(path: Path) -> tuple[str, list[str]]:
    """Return the text of a file, and a note if it is Windows-1252."""
    content = read_content(path)
    try:
        return content.decode(), []
    except UnicodeDecodeError as error:
        offset = error.start
    try:
        return content.decode("cp1252"), [f"{path}: not UTF-8 at byte {offset}; read as Windows-1252"]
    except UnicodeDecodeError as error:
        raise SourceError(
            f"{path}: neither UTF-8 nor Windows-1252 at byte {error.start}; download the file again"
        ) from error
