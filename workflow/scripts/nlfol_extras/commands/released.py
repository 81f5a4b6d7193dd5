"""The candidate sets that the authors of NL-FOL-LT released, as lines for ``nlfol audit``.

Repository dslab-uniud/NL-FOL-LT, commit bf7b1432039f729869340ab553d97c582165355f, folder "perturbations and
translations": ``Most_similar`` and ``Ranking`` each hold a pickle of formulas and one of their English, by story and
premise. The gold formula comes first; of ranking sets its equivalent follows, and the negation and its normal form
are last.
"""

from collections.abc import Iterator
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

from pydantic import BaseModel, ConfigDict, StrictStr, TypeAdapter, ValidationError

from nlfol.logic.ontology.pickles import unpickled
from nlfol.mappings import JsonDict
from nlfol.sets.audit_checks import PublishedRole
from nlfol.validation import describe_faults, read_bytes

FOLDERS = {"ms": "Most_similar", "r": "Ranking"}


class ReleasedError(ValueError):
    """No folder of released sets, or files that do not hold them."""


class _Formula(BaseModel):
    model_config = ConfigDict(from_attributes=True)
    formula: StrictStr


_FORMULAS = TypeAdapter(dict[int, list[list[_Formula]]])
_ENGLISH = TypeAdapter(dict[int, list[list[StrictStr]]])


def released_sets(folder: Path) -> Iterator[JsonDict]:
    """Yield ``{"id", "formulas", "roles", "renderings"}`` for each set of a folder; ``renderings`` may be missing.

    Raises ``ReleasedError`` if its files are missing or hold something else.
    """
    kind = next((kind for kind in FOLDERS if _path(folder, "modifications", kind).exists()), None)
    if kind is None:
        raise ReleasedError(
            f"{folder}: no {_path(folder, 'modifications', 'ms').name}; name one of the released folders"
        )
    formulas = _read(_path(folder, "modifications", kind), _FORMULAS)
    english = _read(_path(folder, "translations", kind), _ENGLISH)
    first, last = [PublishedRole.PHI], list[PublishedRole]()
    if kind == "r":
        first.append(PublishedRole.EQUIVALENT)
        last = [PublishedRole.NEGATION, PublishedRole.NEGATION_NNF]
    for story, sets in formulas.items():
        for number, members in enumerate(sets):
            texts = [member.formula for member in members]
            renderings = english.get(story, [])[number : number + 1]
            yield {
                "id": f"{story}_{number}",
                "formulas": texts,
                "roles": [*first, *[PublishedRole.PERTURBATION] * (len(texts) - len(first) - len(last)), *last],
                "renderings": renderings[0] if renderings else None,
            }


def _path(folder: Path, name: str, kind: str) -> Path:
    return folder / f"list_{name}_{kind}_FOLIO.pkl"


def _read(path: Path, form: TypeAdapter[Any]) -> Any:
    try:
        return form.validate_python(unpickled(read_bytes(path), "FOLFormula"))
    except OSError as error:
        raise ReleasedError(f"{path}: cannot be read ({error.strerror}); download the folder again") from error
    except UnpicklingError as error:
        raise ReleasedError(f"{path}: {error}") from error
    except ValidationError as error:
        raise ReleasedError(f"{path}: {describe_faults(error, 'file')}") from error
