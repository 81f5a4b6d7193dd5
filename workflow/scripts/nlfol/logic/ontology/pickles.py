"""Published pickles, read without running anything that they name."""

import io
import pickle
import pickletools
from pickle import UnpicklingError
from typing import Any, NoReturn

from typing_extensions import override

MOST_BYTES = 2**26
"""Most bytes of a pickle, which takes seconds a megabyte to check and build; published ontologies have 0.2."""


class Record:
    """An object of a published class, with its attributes and nothing else."""


class _RestrictedUnpickler(pickle.Unpickler):
    """Builds builtin containers, strings, numbers and records; refuses to look up any other class or function."""

    def __init__(self, content: bytes, record: str | None) -> None:
        super().__init__(io.BytesIO(content))
        self._record = record

    @override
    def find_class(self, module_name: str, global_name: str) -> type[Record]:
        if global_name != self._record:
            raise UnpicklingError(f"it names {module_name}.{global_name}, and may hold only dicts and strings")
        return Record

    @override
    def persistent_load(self, pid: Any) -> NoReturn:
        raise UnpicklingError(f"it refers to {pid!r} outside itself, and may hold only dicts and strings")


def unpickled(content: bytes, record: str | None = None) -> Any:
    """Read a pickle of dicts, lists and strings, objects of the class ``record`` as ``Record``.

    Raises ``UnpicklingError`` for any other, and for one of more than ``MOST_BYTES``.
    """
    if len(content) > MOST_BYTES:
        raise UnpicklingError(f"{len(content):,} bytes, and at most {MOST_BYTES:,} are read; download it again")
    try:
        # The memo grows to any index: a pickle must not ask for more room than it fills.
        for opcode, argument, offset in pickletools.genops(content):
            if "PUT" in opcode.name and int(argument or 0) > len(content):
                raise UnpicklingError(f"at byte {offset} it names object {argument:,} of at most {len(content):,}")
        return _RestrictedUnpickler(content, record).load()
    except Exception as error:
        # A damaged pickle fails in whatever operation its bytes happen to spell.
        raise UnpicklingError(f"not a pickle of plain dicts and strings: {error}; download it again") from error
