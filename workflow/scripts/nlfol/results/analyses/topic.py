"""A line of the registry of analyses."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Topic:
    """An analysis, named as its module and as the rule ``analyse_{name}``.

    An experiment has its tables if it is about the subject ``about``, and its files if about ``rows_about``. ``inputs``
    are names in ``workflow/rules/analyses.smk``; files without a suffix are ``.arrow``. Rows of a small one take
    seconds, so that they queue nowhere.
    """

    name: str
    about: str
    inputs: tuple[str, ...]
    files: tuple[str, ...]
    tables: tuple[str, ...]
    rows_about: str
    is_small: bool = True
    module: str = ""
    """The module with its ``ANALYSIS``; of ours that of its name."""
    after: str = ""
    """The topic after which the tables of another package stand; at the end by default."""

    @property
    def outputs(self) -> list[str]:
        """Return the files with their suffixes."""
        return [file if "." in file else f"{file}.arrow" for file in self.files]
