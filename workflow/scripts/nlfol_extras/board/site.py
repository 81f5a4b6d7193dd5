"""The page of a board: submissions and released answers, judged again by ``nlfol score`` and ranked by the report."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from nlfol.cli.named import datasets_of, known_datasets
from nlfol.cli.score_output import Ranking, page
from nlfol.cli.scored import Scored, Wanted, score
from nlfol.harnesses.questions import Questions, questions
from nlfol.mappings import JsonDict
from nlfol.randomness import SEED
from nlfol.store import canonical
from nlfol.store.records import SourceError
from nlfol_extras.board.submission import Submission, judged, read_submission
from nlfol_extras.released.experiment import DATASETS, Chosen, experiment
from nlfol_extras.released.sources import Release, Source

Own = Mapping[str, tuple[str, Path | None]]
"""Files of datasets, with their ontologies, by name."""


@dataclass
class Board:
    """Judged answers, and what each model is; ``refused`` says what was left out, and why.

    ``costs`` are by model, in US dollars, ``days`` of the last answers, ``digests`` the SHA-256 of their files.
    """

    judged: list[tuple[Wanted, Scored]] = field(default_factory=list)
    told: dict[str, str] = field(default_factory=dict)
    costs: dict[str, float] = field(default_factory=dict)
    days: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    digests: list[str] = field(default_factory=list)

    def add_submissions(self, folders: Iterable[Path], own: Own) -> None:
        """Judge the submissions in folders; one that cannot be used is left out."""

        @cache
        def asked(dataset: str, task: str) -> tuple[JsonDict, Questions]:
            given, ontology = own.get(dataset, (dataset, None))
            # A submission names no file of this machine.
            if dataset not in own and dataset not in known_datasets():
                raise SourceError(f"no dataset {dataset}; name its file with --dataset")
            return datasets_of(given, known_datasets(), ontology), questions(task, given, ontology=ontology)

        for folder in sorted(folders):
            try:
                submission, path = read_submission(folder)
                self._check(submission)
                one = judged(submission, path, *asked(submission.dataset, submission.task))
            except (ValueError, OSError) as error:
                self.refused.append(f"{folder.name}: {str(error).replace(f'{folder}/', '')}")
                continue
            self._add(one, submission.told, submission.sha256)
            self.days.append(str(submission.date))
            if submission.dollars is not None:
                self.costs[submission.name] = self.costs.get(submission.name, 0.0) + submission.dollars

    def _check(self, submission: Submission) -> None:
        """Refuse a second answer to a question, and another model under a name that is taken."""
        name, task, dataset = submission.name, submission.task, submission.dataset
        known = (part.model for _, scored in self.judged for part in scored.made)
        if (name, task, dataset) in ((of.model, of.task, of.dataset) for of in known):
            raise SourceError(f"{name} has answers to {task} on {dataset} already; keep one, or name the model anew")
        if not self.told.get(name, submission.identity).startswith(submission.identity):
            raise SourceError(f"{name} is another model already: {self.told[name]}; name this one anew")

    def add_released(self, sources: Mapping[str, Source], datasets: Sequence[str], folder: Path) -> None:
        """Judge the programs that others released on some datasets; files that cannot be had are left out.

        Items without a program in a file were not asked. The files that are judged are written into ``folder``.
        """
        had = {name: one.model_copy(update={"files": self._had(one, datasets)}) for name, one in sources.items()}
        origin = {model: source for source in had.values() for model in source.models}
        made = experiment(had, Chosen([name for name, source in had.items() if source.files], datasets), folder)
        made.write()
        for name, task in made.tasks.items():
            for model, dataset in product(task["models"], task["datasets"]):
                path = Path(made.models[model]["path"].format(task=name, dataset=dataset))
                if path in made.files:
                    wanted = Wanted(path, dataset, made.datasets, SEED, "program", task["language"], model=model)
                    told = _told(origin[model], model)
                    self._add((wanted, score(wanted)), told, sha256(made.files[path]).hexdigest())

    def _had(self, source: Source, datasets: Sequence[str]) -> list[Release]:
        """Return the files of a source on some datasets that are at hand or can be downloaded, without verdicts."""
        had = []
        for file in (file for file in source.files if file.dataset in datasets):
            try:
                source.path_of(file)
                had.append(file.model_copy(update={"solver": None}))
            except SourceError as error:
                self.refused.append(f"{file.model} on {file.dataset}: {error}")
        return had

    def _add(self, one: tuple[Wanted, Scored], told: str, digest: str) -> None:
        self.judged.append(one)
        self.told.setdefault(one[0].model, told)
        self.digests.append(digest)

    def page(self, title: str) -> str:
        """Return the page; raises ``SourceError`` if no answers can be used. Equal answers give equal pages."""
        if not self.judged:
            raise SourceError(f"no answers for a board: {'; '.join(self.refused) or 'name folders of submissions'}")
        digest = canonical.sha256(canonical.canonical(sorted(self.digests)))
        date, refused = max(self.days, default=""), self.refused
        with TemporaryDirectory() as made:
            return page(self.judged, Path(made), Ranking(title, digest, date, self.told, self.costs, refused))


def _told(source: Source, model: str) -> str:
    about = source.about(model)
    return (
        f"{about['provider']}, {about['date']}; prompt: {about['prompt']}, {about['examples']} examples; "
        f"{about['decoding']}; released by {source.repository} {source.commit[:7]} ({source.licence})"
    )


RELEASED = [name for name in DATASETS if name != "folio_train_corrected"]
"""Datasets on which others released programs."""
