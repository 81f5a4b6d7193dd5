"""The candidate sets that the authors of NL-FOL-LT released, for ``nlfol audit`` and for ``protocol: released``.

Repository dslab-uniud/NL-FOL-LT, commit bf7b1432039f729869340ab553d97c582165355f, folder "perturbations and
translations": ``Most_similar`` and ``Ranking`` each hold a pickle of formulas and one of their English, by story and
premise. The gold formula comes first; of ranking sets its equivalent follows, and the negation and its normal form
are last. The files do not say in which order members were shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from pickle import UnpicklingError
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, StrictStr, TypeAdapter, ValidationError

from nlfol.facts import Role
from nlfol.logic import FormulaSyntaxError, read_decided, to_unicode
from nlfol.logic.ontology.pickles import unpickled
from nlfol.sets.audit_checks import PublishedRole
from nlfol.sets.sets import CandidateError
from nlfol.validation import describe_faults, read_bytes

if TYPE_CHECKING:
    from nlfol.store.row_parts import Candidate

FOLDERS = {"ms": "Most_similar", "r": "Ranking"}


class ReleasedError(ValueError):
    """No folder of released sets, or files that do not hold them."""


class _Formula(BaseModel):
    model_config = ConfigDict(from_attributes=True)
    formula: StrictStr


_FORMULAS = TypeAdapter(dict[int, list[list[_Formula]]])
_ENGLISH = TypeAdapter(dict[int, list[list[StrictStr]]])


class ReleasedSet(NamedTuple):
    """The members of a set, as published."""

    formulas: list[str]
    roles: list[PublishedRole]
    english: list[str] | None


def released_sets(folder: Path) -> Iterator[dict[str, object]]:
    """Yield ``{"id", "formulas", "roles", "renderings"}`` for each set of a folder; ``renderings`` may be missing.

    Raises ``ReleasedError`` if its files are missing or hold something else.
    """
    kind = next((kind for kind in FOLDERS if _path(folder, "modifications", kind).exists()), "ms")
    for story, sets in _stories(folder, kind).items():
        for number, members in enumerate(sets):
            shown = {"formulas": members.formulas, "roles": members.roles, "renderings": members.english}
            yield {"id": f"{story}_{number}", **shown}


def members_of(folder: Path, kind: str, story: str, formula: str) -> list[Candidate]:
    """Return the released set of a premise as a column of ITEMS, texts as published; ``kind`` is one of ``FOLDERS``.

    It is the story's set whose first formula equals ``formula`` but for the spelling of names, or else the only set
    with the same symbols. Its place in the story does not tell, because the files leave premises out. A set without
    English has empty texts.

    Raises:
        CandidateError: ``no_released_set`` if no set fits, ``released_set_incomplete`` if a set lacks members.
        ReleasedError: the files are missing or hold something else.
    """
    sets = [members for members in _stories(folder, kind).get(story, []) if members.formulas]
    spelt, symbols = _spelt(formula), _symbols(formula)
    # Sets of one formula are of sentences that say the same.
    found = [number for number, members in enumerate(sets) if _spelt(members.formulas[0]) == spelt][:1]
    found = found or [number for number, members in enumerate(sets) if _symbols(members.formulas[0]) == symbols]
    if len(found) != 1:
        detail = f"{folder}: {len(found)} of {len(sets)} sets of story {story} have the symbols of {formula}"
        raise CandidateError("no_released_set", f"{detail}; read the dataset with gold: published")
    (number,) = found
    members = sets[number]
    texts = members.english or [""] * len(members.formulas)
    counts = len(members.formulas), len(members.roles), len(texts)
    if len({*counts}) != 1:
        detail = "{}: story {}, set {}: {} formulas for {} roles and {} sentences; download the folder again"
        raise CandidateError("released_set_incomplete", detail.format(folder, story, number, *counts))
    return [
        {
            "formula": text,
            "english": english,
            "role": _ROLES[role],
            "edits": int(role is PublishedRole.PERTURBATION),
            "change": [],
            "path": [],
            "certificates": None,
        }
        for text, english, role in zip(members.formulas, texts, members.roles, strict=True)
    ]


def files_of(folder: Path, kind: str) -> list[Path]:
    """Return the two files of a folder."""
    return [_path(folder, name, kind) for name in ("modifications", "translations")]


_ROLES: dict[PublishedRole, Role] = {
    PublishedRole.PHI: Role.GOLD,
    PublishedRole.EQUIVALENT: Role.EQUIVALENT,
    PublishedRole.PERTURBATION: Role.PERTURBATION,
    PublishedRole.NEGATION: Role.NEGATION,
    PublishedRole.NEGATION_NNF: Role.NEGATION_NORMAL_FORM,
}


def _symbols(formula: str) -> frozenset[str]:
    """Return the names in a formula but for single letters, which are variables: readers spell them differently."""
    return frozenset(re.findall(r"\w{2,}", _joined(formula)))


@cache
def _spelt(formula: str) -> str:
    """Return a formula in canonical notation, where it can be read, with names as ``_symbols`` has them."""
    with suppress(FormulaSyntaxError):
        formula = to_unicode(read_decided(formula).formula)
    return _joined(formula).replace(" ", "")


def _joined(formula: str) -> str:
    return re.sub(r"(?<=\w)[-_'’.](?=\w)", "", formula).casefold()


@cache
def _stories(folder: Path, kind: str) -> dict[str, list[ReleasedSet]]:
    """Return the sets of a folder by story, in the order of premises."""
    modifications, translations = files_of(folder, kind)
    if not modifications.exists():
        raise ReleasedError(f"{folder}: no {modifications.name}; name the released folder {FOLDERS[kind]}")
    formulas, english = _read(modifications, _FORMULAS), _read(translations, _ENGLISH)
    return {
        str(story): [
            ReleasedSet(
                [member.formula for member in members],
                _roles(kind, len(members)),
                english[story][number] if number < len(english.get(story, [])) else None,
            )
            for number, members in enumerate(sets)
        ]
        for story, sets in formulas.items()
    }


def _roles(kind: str, size: int) -> list[PublishedRole]:
    first, last = [PublishedRole.PHI], list[PublishedRole]()
    if kind == "r":
        first.append(PublishedRole.EQUIVALENT)
        last = [PublishedRole.NEGATION, PublishedRole.NEGATION_NNF]
    return [*first, *[PublishedRole.PERTURBATION] * (size - len(first) - len(last)), *last]


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
