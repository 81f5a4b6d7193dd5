"""Digests of the components of what is asked, by which two answers can be compared.

Everything that a request's key depends on is in one component, but whether log-probabilities are asked for, which
changes no question; ``served`` is of the reply:

============  ==========================================================================================================
model         identity of the model when it does not think, the role under which it takes its instructions, and the
              bounds on lengths that its interface holds answers to
served        the model's name by its server's word, which may name another under one alias from one day to the next
thinking      what thinking adds to that identity
sampling      temperature and ``top_p``
seed          the seed
reasoning     tokens of the reasoning before the answer
limits        most tokens, without those of the reasoning
schema        structure of the answer
prompt        instructions and questions, without what they are filled with
examples      solved examples
shots         how many
glossary      symbols with their meaning
text          the sentence, problem, formula or pair that is asked about
candidates    texts of the candidates, whatever their order
order         order of the candidates
replies       what the model said in earlier steps, and what is made of it
============  ==========================================================================================================
"""

from collections.abc import Mapping, Sequence

from nlfol.models.request import ChatRequest
from nlfol.store.canonical import canonical, sha256
from nlfol.store.schemas import COMPONENTS
from nlfol.tasks.answers import reasoning_of
from nlfol.tasks.plan import Step
from nlfol.tasks.shown import CANDIDATES, EXAMPLES, GLOSSARY, PROMPT, REPLIES, TEXT, Piece, pieces_of

Components = Mapping[str, str | None]
"""The digest of each of ``schemas.COMPONENTS``; null where there is none."""

_DIGITS = 12


def digest(value: object) -> str:
    """Return the beginning of the SHA-256 of a value's canonical JSON, in hexadecimal."""
    return sha256(canonical(value))[:_DIGITS]


def of_request(
    step: Step, request: ChatRequest, without_thinking: str, bounds: Sequence[str] = (), served: str | None = None
) -> Components:
    """Return the digests of a request for a step.

    ``without_thinking`` is the model's identity when it does not think, ``bounds`` those that its interface keeps,
    ``served`` the model's name in the reply. System fingerprints are left out: they also change with the machines
    behind a name, from one request to the next.
    """
    turns = [("system", pieces_of(step.system))]
    for turn in step.earlier:
        own: tuple[Piece, ...] = ((REPLIES, turn.content),) if turn.role == "assistant" else pieces_of(turn.content)
        turns.append((turn.role, own))
    turns.append(("user", pieces_of(step.user)))
    filled = {name: [text for _, own in turns for part, text in own if part == name] for name in _FILLED}
    identity, plain = request.model.split(";"), without_thinking.split(";")
    added = [[part for part in one if part not in other] for one, other in ((identity, plain), (plain, identity))]
    reasoning = reasoning_of(request.answer_schema)
    return {
        "model": digest([without_thinking, request.messages[0].role, *([sorted(bounds)] if bounds else [])]),
        "served": None if served is None else digest(served),
        "thinking": digest(added),
        "sampling": digest([request.temperature, request.top_p]),
        "seed": digest(request.seed),
        "reasoning": digest(reasoning),
        "limits": digest(request.max_tokens - reasoning),
        "schema": digest(request.answer_schema),
        # Without a trace of examples, glossary and replies: whether there are any is no matter of the prompt.
        PROMPT: digest(
            [
                [role, "".join(text if name == PROMPT else f"\0{name}\0" for name, text in own if name in _OF_PROMPT)]
                for role, own in turns
            ]
        ),
        **{name: digest(texts) if texts else None for name, texts in filled.items()},
        CANDIDATES: digest(sorted(filled[CANDIDATES])) if filled[CANDIDATES] else None,
        "shots": digest(len(filled[EXAMPLES])) if filled[EXAMPLES] else None,
        "order": digest(step.order),
    }


_OF_PROMPT = (PROMPT, TEXT, CANDIDATES)
_FILLED = (EXAMPLES, GLOSSARY, TEXT, CANDIDATES, REPLIES)


def of_vectors(text: str, candidates: Sequence[str], model: str) -> Components:
    """Return the digests of what an embedding model compares, which reads no prompt, order or schema."""
    known = {"model": digest([model]), TEXT: digest([text]), CANDIDATES: digest(sorted(candidates))}
    return {**dict.fromkeys(COMPONENTS), **known}
