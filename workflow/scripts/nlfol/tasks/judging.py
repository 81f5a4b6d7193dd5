"""Judging the replies of a dialogue, without the registry of tasks: so it is code of each kind (``config.code``)."""

from collections.abc import Sequence
from dataclasses import replace

from nlfol.facts import Strictly
from nlfol.plugins import PluginError
from nlfol.store.logs import LOGGER
from nlfol.tasks.item import Item
from nlfol.tasks.plan import Reply
from nlfol.tasks.task import AnyTask, Judgement


def judgements(
    task: AnyTask, item: Item, replies: Sequence[Reply], *, plain: bool = False, label: str = ""
) -> Sequence[Judgement]:
    """Judge a dialogue, given its replies as they were written: judgements that share no metric.

    An unexpected error is the outcome ``internal_error``, which counts as wrong; the log has the traceback, with the
    item and ``label``. Raises ``PluginError`` if a means of proof of another package cannot be loaded.
    """
    try:
        opened = [task.opened(item, reply, plain=plain) for reply in replies]
        judged = task.judgements(item, opened)
    except PluginError:
        raise  # it is a fault of the installation, and no answer's
    except Exception as error:
        LOGGER.exception(f"internal error: item {item.item!r}{label}: counted as wrong")
        return task.lost(item, "internal_error", f"{type(error).__name__}: {error}", replies[-1].text)
    liberties = tuple(dict.fromkeys(liberty for reply in opened for liberty in reply.liberties))
    fault = next((reply.fault for reply in opened if reply.fault), None)
    if not liberties and fault is None:
        return judged
    return [
        replace(
            judgement,
            liberties=liberties,
            detail=fault if fault and judgement.outcome == "unparsable" else judgement.detail,
            strictly=judgement.strictly and (Strictly.UNREAD if liberties else judgement.strictly),
        )
        for judgement in judged
    ]
