"""Translation into first-order logic as an environment of verifiers."""

from nlfol_verifiers.taskset import NlfolTaskset

__all__ = ["NlfolTaskset"]
