"""Answers of a server of embeddings, as OpenAI writes them; the wire is ``ChatServer``'s."""

import base64
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .chat_server import Scripted

Matrix = npt.NDArray[np.float32]
Encode = Callable[[Sequence[str]], Matrix]


def lengths(texts: Sequence[str]) -> Matrix:
    """Vectors that tell texts apart: a number of each, its length, and one."""
    return np.array([[float(sum(text.encode())), len(text), 1] for text in texts], np.float32)


def openai_body(vectors: Matrix, encoding: str = "float", model: str = "tiny-2026-01-01") -> dict[str, Any]:
    """In the reverse order: who reads by position gets others' vectors."""
    data = [
        {
            "object": "embedding",
            "index": index,
            "embedding": base64.b64encode(vector.astype("<f4").tobytes()).decode()
            if encoding == "base64"
            else vector.tolist(),
        }
        for index, vector in enumerate(vectors)
    ]
    return {"object": "list", "data": data[::-1], "model": model, "usage": {"prompt_tokens": 5, "total_tokens": 5}}


def serving(
    encode: Encode = lengths, faults: Mapping[str, Sequence[Scripted]] | None = None
) -> Callable[[dict[str, Any]], Scripted]:
    """Encodes what it is asked; what happens before to a request is scripted by its first text."""
    script, seen = faults or {}, Counter[str]()

    def answer(body: dict[str, Any]) -> Scripted:
        texts = body["input"]
        success = openai_body(encode(texts), body["encoding_format"])
        steps, before = script.get(texts[0], ()), seen[texts[0]]
        seen[texts[0]] += 1
        return steps[before] if before < len(steps) else Scripted(body=success)

    return answer
