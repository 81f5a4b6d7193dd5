"""The envelope of a model's answer: one reader, before the readers of forms."""

from nlfol.tasks.envelopes.formulas import Sought
from nlfol.tasks.envelopes.liberties import Liberty
from nlfol.tasks.envelopes.opening import Opened, is_simple, lone_answer, opened

__all__ = ["Liberty", "Opened", "Sought", "is_simple", "lone_answer", "opened"]
