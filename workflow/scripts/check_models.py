"""Check that every model behind an interface can be asked: entries -> a line for each; nothing is paid for."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

from nlfol.models.api.probing import probe
from nlfol.models.entries.interface import Interface
from nlfol.models.providers.registry import read_entry
from nlfol.models.request import ChatError
from nlfol.store.jobs import run_job
from nlfol.store.logs import LOGGER


def main(entries: Mapping[str, str]) -> None:
    """Log for each model behind an interface whether it can be asked; raise ``ChatError`` in the end if one cannot."""
    with ThreadPoolExecutor(16) as pool:
        answers = dict(zip(entries, pool.map(_probed, entries.values()), strict=True))
    for name, (_, answer) in answers.items():
        LOGGER.info(f"{name}: {answer}")
    if wrong := [name for name, (usable, _) in answers.items() if not usable]:
        raise ChatError(f"{', '.join(wrong)} cannot be asked; see above")
    if not entries:
        LOGGER.info("no model is behind an interface")


def _probed(entry_json: str) -> tuple[bool, str]:
    entry = read_entry(entry_json)
    assert isinstance(entry, Interface)
    try:
        return True, probe(entry)
    except ChatError as error:
        return False, str(error)


if __name__ == "__main__":
    run_job(main)
