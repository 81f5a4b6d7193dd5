"""The envelope of a model's answer: one reader, before the readers of forms."""

from nlfol.tasks.envelopes.liberties import Liberty
from nlfol.tasks.envelopes.opening import Opened, is_simple, opened

__all__ = ["Liberty", "Opened", "is_simple", "opened"]
