"""Models of a configuration as the table of providers settles them: what they accept and cost, within the budget."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.config import Configuration, ConfigurationError, read_configuration
from nlfol.models.entries.chat import ApiChatEntry, complete
from nlfol.models.entries.embedding import ApiEmbeddingEntry
from nlfol.models.entries.interface import Interface
from nlfol.models.entries.prices import Budget
from nlfol.models.entries.provider_table import ProviderTable, ProviderTableError
from nlfol.models.providers.registry import ModelEntry, is_remote

if TYPE_CHECKING:
    from nlfol.models.budget import Ledger
    from nlfol.models.request import JobFiles


def settle_models(configuration: Configuration, table: Path) -> Configuration:
    """Return the configuration with what models behind interfaces accept and cost, as their entries or the table say.

    Raises ``ConfigurationError`` if the table cannot be read, an entry asks for something that its model does not
    accept, or a model that the budget covers has no price in its currency.
    """
    try:
        known = ProviderTable(table)
    except ProviderTableError as error:
        raise ConfigurationError(str(error)) from error
    models: dict[str, ModelEntry] = {}
    problems = []
    for name, entry in configuration.models.items():
        settled = entry
        try:
            if isinstance(settled, ApiChatEntry):
                settled = complete(settled, known)
        except ProviderTableError as error:
            problems.append(f"  models.{name}: {error}")
        if isinstance(settled, Interface) and not settled.runs_here and settled.price is None:
            settled = settled.model_copy(update={"price": known.price(settled.url, settled.model)})
        models[name] = settled
    if configuration.budget:
        problems += _unaffordable(configuration.budget, models)
    if problems:
        raise ConfigurationError("\n".join(["the configuration cannot be used:", *problems]))
    return configuration.model_copy(update={"models": models})


def files_of(job: Any) -> JobFiles:
    """Return the files of a Snakemake job that asks a model, with the budget; raises as ``settle_models``."""
    from nlfol.models.request import JobFiles

    weights, service = (Path(named) if named else None for named in (job.input.weights, job.input.server))
    kept = job.params.get("journal") or job.params.vectors
    return JobFiles(Path(kept), Path(job.params.sharers), weights, service, _ledger_of(job))


def _ledger_of(job: Any) -> Ledger | None:
    """Return the budget of an experiment for one of its models; None where it has none, or does not cover the model.

    The job's ``config`` is no parameter of a rule, so that another budget asks nothing again.
    """
    if not job.config.get("budget"):
        return None
    # The job may run in another folder (--directory).
    table = Path(job.scriptdir).resolve().parents[1] / job.params.providers
    model = job.params.get("model") or job.wildcards.model
    configuration = settle_models(read_configuration(job.config), table)
    budget, entry = configuration.budget, configuration.models[model]
    if budget is None or not is_remote(entry) or not budget.covers(model):
        return None
    from nlfol.models.budget import Ledger, VectorSpending

    journal = Path(configuration.journal)
    remote = {name: other for name, other in configuration.models.items() if is_remote(other)}
    paid = {name: other.price for name, other in remote.items() if other.price is not None}
    stores = {
        name: VectorSpending(journal, other, paid[name])
        for name, other in remote.items()
        if isinstance(other, ApiEmbeddingEntry) and name in paid
    }
    return Ledger(budget, paid, journal, model, stores)


def _unaffordable(budget: Budget, models: Mapping[str, ModelEntry]) -> Iterator[str]:
    """Yield why the budget could not be held."""
    remote = {name: entry for name, entry in models.items() if is_remote(entry)}
    for name in budget.models.keys() - remote.keys():
        yield f"  budget.models.{name}: no such model behind an interface; correct the name"
    for name, entry in remote.items():
        if not budget.covers(name):
            continue
        if entry.price is None:
            yield (
                f"  models.{name}: has no price, so that the budget cannot be held; state it: "
                "price: {prompt: ..., completion: ...} a million tokens (0 where nothing is charged)"
            )
        elif entry.price.currency != budget.currency:
            currencies = f"has a price in {entry.price.currency} and the budget is in {budget.currency}"
            yield f"  models.{name}: {currencies}; state both in one"
