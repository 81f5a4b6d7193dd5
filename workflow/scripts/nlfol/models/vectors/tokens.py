"""BERTScore: how near the tokens of two texts are in a model's hidden layer (Zhang et al., ICLR 2020, section 3).

Recall is the mean, over the reference's tokens, of the greatest cosine with a token of the text, precision the same of
the text's tokens, the score their harmonic mean. As in the released code, tokens that the tokenizer adds are matched
with, but not counted. There are no weights by frequency, and no baseline is taken away.
"""

from collections.abc import Sequence
from functools import cache
from statistics import harmonic_mean
from typing import Any

from nlfol.models.entries.embedding import EmbeddingEntry
from nlfol.models.request import JobFiles, refuse_alone
from nlfol.models.vectors.local import EmbeddingError, LocalEmbedder


def token_scores(
    pairs: Sequence[tuple[str, str]], entry: EmbeddingEntry, layer: int | None, files: JobFiles
) -> list[float]:
    """Return the score of each text and its reference, by a hidden layer, from 1 on (None: the last).

    Texts beyond the model's length are cut off. Raises ``EmbeddingError`` if there is no such layer.
    """
    refuse_alone(entry.identity)
    import torch

    model = LocalEmbedder.open(entry, files).model

    @cache
    def read(text: str) -> tuple[Any, Any]:
        """Return the unit vectors of all tokens (tokens, dimensions), and which of them count."""
        row = model.tokenizer(text, truncation=True, max_length=model.max_seq_length, return_tensors="pt")
        hidden = model[0].auto_model(**row.to(model.device), output_hidden_states=True).hidden_states
        if layer is not None and layer >= len(hidden):
            raise EmbeddingError(f"bertscore.layer: {layer}, but {entry.identity} has {len(hidden) - 1}")
        added = model.tokenizer.get_special_tokens_mask(row["input_ids"][0].tolist(), already_has_special_tokens=True)
        vectors = hidden[-1 if layer is None else layer][0].float()
        return torch.nn.functional.normalize(vectors, dim=-1), torch.tensor(added, device=vectors.device) == 0

    scores = []
    with torch.inference_mode():
        for (one, counts), (other, counted) in (map(read, pair) for pair in pairs):
            near = one @ other.T
            sides = near.amax(dim=1)[counts], near.amax(dim=0)[counted]
            precision, recall = (float(side.mean()) if len(side) else 0.0 for side in sides)
            # Rounding can take the cosine of equal vectors a little above one; below 0 nothing is alike.
            scores.append(min(1.0, harmonic_mean(max(0.0, value) for value in (precision, recall))))
    return scores
