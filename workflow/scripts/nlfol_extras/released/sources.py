"""Sources of released answers: ``resources/released``, a file each, and how their files are had."""

from pathlib import Path, PurePosixPath
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, PositiveInt, ValidationError, model_validator

from nlfol.data.pin import Pin, data_folders, fetch
from nlfol.mappings import JsonDict
from nlfol.store.records import SourceError, read_content
from nlfol.validation import describe_faults, nearest, read_yaml

_GITHUB = "https://raw.githubusercontent.com"

Share = Annotated[float, Field(ge=0, le=1)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Prompt(_Strict):
    """The prompt that models were given: its name, and the number of its examples."""

    id: str
    examples: Annotated[int, Field(ge=0)]


class Model(_Strict):
    """A model: who made it, when, and its prompt if that is not the source's."""

    provider: str
    date: str
    weights: str | None = None
    prompt: Prompt | None = None


class Published(_Strict):
    """Figures that the authors published of a file: accuracy, and the share of programs that their chain executed.

    ``fallback`` and ``where`` are those of the source's ``publication`` unless given.
    """

    accuracy: Share
    executable: Share | None = None
    fallback: str | None = None
    where: str | None = None


class Publication(_Strict):
    """The place where figures were published, and what stands in them for programs that were not executed."""

    where: str
    fallback: str | None = None


class File(_Strict):
    """A file of a repository; one without a digest is never downloaded."""

    path: str
    bytes: PositiveInt | None = None
    sha256: Digest | None = None


class Solver(File):
    """Verdicts of the authors' solver on the programs of a file, in records of Logic-LM or lists of LINC."""

    name: str


class Release(File):
    """The answers of a model to a dataset; ``language`` is that of their programs if it is not the dataset's own."""

    dataset: str
    model: str
    language: str | None = None
    published: Published | None = None
    solver: Solver | None = None


class Source(_Strict):
    """A repository of released answers, whose items are found by the texts of their problems.

    ``form`` is one of ``nlfol.asking.answer_forms``; without a ``licence`` nothing of it is downloaded. ``host`` is
    where files of repositories are.
    """

    repository: str
    commit: Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]
    licence: str | None
    form: Literal["logic_lm", "linc", "premises"]
    prompt: Prompt
    decoding: str
    models: dict[str, Model]
    files: Annotated[list[Release], Field(min_length=1)]
    publication: Publication | None = None
    host: str = _GITHUB

    @model_validator(mode="after")
    def _check(self) -> Self:
        pairs = [(file.model, file.dataset) for file in self.files]
        for pair in pairs:
            if pair[0] not in self.models:
                raise ValueError(f"no model {pair[0]}{nearest(pair[0], self.models)}; add it to models")
            if pairs.count(pair) > 1:
                raise ValueError(f"two files of {pair[0]} on {pair[1]}; give one another model")
        if self.publication is None and any(file.published and not file.published.where for file in self.files):
            raise ValueError("figures were published nowhere; add publication with where they stand")
        if self.licence is None and any(file.sha256 for file in self.files):
            raise ValueError("files are pinned, but there is no licence; take out their SHA-256")
        return self

    def about(self, model: str) -> JsonDict:
        """Return what an entry's ``released`` says of a model: who made it, its prompt, and figures by dataset."""
        of_model = self.models[model]
        prompt = of_model.prompt or self.prompt
        usual = self.publication.model_dump() if self.publication else {}
        figures = {file.dataset: file.published for file in self.files if file.model == model and file.published}
        return {
            "provider": of_model.provider,
            "date": of_model.date,
            "prompt": prompt.id,
            "examples": prompt.examples,
            "decoding": self.decoding,
            "published": {name: usual | figure.model_dump(exclude_none=True) for name, figure in figures.items()},
        }

    def path_of(self, file: File) -> Path:
        """Return where a file is, after a download if it is pinned; raises ``SourceError`` if it cannot be had."""
        url = f"{self.host}/{self.repository}/{self.commit}/{file.path}"
        if file.sha256 is not None and self.licence is not None:
            pin = {"repository": self.repository, "commit": self.commit, "path": file.path, "licence": self.licence}
            return fetch(Pin(**pin, url=url, sha256=file.sha256))
        name = PurePosixPath(file.path).name
        at_hand = (path for folder in data_folders() for path in sorted(folder.rglob(name)))
        for path in at_hand:
            return path
        why = "it has no licence" if self.licence is None else "its SHA-256 is not known"
        raise SourceError(f"{url}: not downloaded, as {why}; put the file into a folder that NLFOL_DATA names")


def read_sources(folder: Path) -> dict[str, Source]:
    """Return the sources of a folder by name.

    Raises ``SourceError`` if a file is none, or two sources have a model of one name.
    """
    sources: dict[str, Source] = {}
    of_models: dict[str, str] = {}
    for path in sorted(folder.glob("*.yaml")):
        read_content(path, "sources")
        try:
            source = Source.model_validate(read_yaml(path))
        except ValidationError as error:
            raise SourceError(f"{path}: not a source: {describe_faults(error, 'source')}") from error
        for model in source.models:
            if (other := of_models.setdefault(model, path.stem)) != path.stem:
                raise SourceError(f"{path}: the model {model} is one of {other}, too; rename it")
        sources[path.stem] = source
    if not sources:
        raise SourceError(f"{folder}: no sources; name a folder with files of YAML")
    return sources
