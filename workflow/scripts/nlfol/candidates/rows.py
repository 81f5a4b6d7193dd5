"""Candidate sets in the shape of the ``candidates`` column of ``nlfol.store.schemas``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nlfol.candidates.sets import Candidate
from nlfol.languages.language import LanguageName
from nlfol.languages.registry import LANGUAGES


def candidate_rows(candidates: Sequence[Candidate], language: LanguageName = "first_order") -> list[dict[str, Any]]:
    """One row a member."""
    # A structure certifies several relations of a set and is written out once.
    texts: dict[int, str] = {}
    rows = []
    for candidate in candidates:
        certificates = candidate.certificates
        for certificate in certificates or ():
            if certificate.counter_model is not None and id(certificate.counter_model) not in texts:
                texts[id(certificate.counter_model)] = certificate.counter_model.to_json()
        rows.append(
            {
                "formula": LANGUAGES[language].write(candidate.formula),
                "english": candidate.english,
                "role": candidate.role.value,
                "edits": candidate.edits,
                "change": [str(change) for change in candidate.change],
                "path": ["/".join(map(str, path)) for path in candidate.path],
                "certificates": None
                if certificates is None
                else [
                    {
                        "to": certificate.to,
                        "verdict": certificate.verdict.value,
                        "means": certificate.means,
                        "counter_model": texts.get(id(certificate.counter_model)),
                        "word": certificate.word,
                    }
                    for certificate in certificates
                ],
            }
        )
    return rows
