"""What pydantic finds wrong, in one line."""

from __future__ import annotations

from pydantic import ValidationError
from pydantic_core import ErrorDetails


def describe_faults(error: ValidationError, whole: str) -> str:
    """Each key at fault with what is wrong there.

    Args:
        error: what pydantic raised.
        whole: what a fault of no key is said of: ``file``, ``line``.
    """
    return "; ".join(
        f"{'.'.join(map(str, fault['loc'])) or whole}: {describe_fault(fault)}"
        for fault in error.errors(include_url=False, include_input=False)
    )


def describe_fault(fault: ErrorDetails) -> str:
    """What is wrong at one key and, where pydantic does not say it, the remedy."""
    if fault["type"] in ("model_type", "dict_type", "model_attributes_type"):
        return "must be a mapping of keys to values"
    # Pydantic puts a prefix before what a check of ours says.
    message = fault["msg"].removeprefix("Value error, ")
    if fault["type"] == "extra_forbidden":
        return f"{message}; remove the key or correct its name"
    if fault["type"] == "union_tag_not_found":
        return f"{message}; give the key {fault['ctx']['discriminator']}"
    return message
