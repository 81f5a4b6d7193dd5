"""What the models of a configuration cost, and whether its budget can be held."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.config import Configuration, ConfigurationError, read_configuration
from nlfol.models.entries.embedding import ApiEmbeddingEntry
from nlfol.models.entries.interface import Interface
from nlfol.models.entries.prices import FREE, Budget, Price, PriceError, PriceTable
from nlfol.models.providers.registry import ModelEntry, is_remote

if TYPE_CHECKING:
    from nlfol.models.budget.ledger import Ledger


def settle_prices(configuration: Configuration, table: Path) -> Configuration:
    """The configuration with the prices of the models behind interfaces, where an entry or the table says them.

    Raises:
        ConfigurationError: if the table cannot be read, or a model that the budget covers has no price in its currency.
    """
    try:
        prices = PriceTable(table)
    except PriceError as error:
        raise ConfigurationError(str(error)) from error
    models: dict[str, ModelEntry] = {
        name: entry.model_copy(update={"price": prices.of(entry.url, entry.model)})
        if isinstance(entry, Interface) and not entry.runs_here and entry.price is None
        else entry
        for name, entry in configuration.models.items()
    }
    if configuration.budget:
        _hold(configuration.budget, models)
    return configuration.model_copy(update={"models": models})


def price_of(entry: ModelEntry) -> Price | None:
    """What a model costs; None where nobody says, and nothing where it runs here."""
    return entry.price if is_remote(entry) else FREE


def ledger_of(job: Any) -> Ledger | None:
    """The budget of an experiment for one of its models; None where it has none, or does not cover the model.

    Args:
        job: what a script finds as ``snakemake``. Its ``config`` is no parameter of a rule, so that another budget asks
            nothing again. Of its parameters, ``prices`` is the table of prices, by its place in the checkout.

    Raises:
        ConfigurationError: as ``settle_prices``.
    """
    if not job.config.get("budget"):
        return None
    # The job may run in another folder (--directory).
    prices = Path(job.scriptdir).resolve().parents[1] / job.params.prices
    model = job.wildcards.model
    configuration = settle_prices(read_configuration(job.config), prices)
    budget, entry = configuration.budget, configuration.models[model]
    if budget is None or not is_remote(entry) or not budget.covers(model):
        return None
    from nlfol.models.budget.ledger import Ledger
    from nlfol.models.budget.vectors import VectorSpending

    journal = Path(configuration.journal)
    remote = {name: other for name, other in configuration.models.items() if is_remote(other)}
    paid = {name: other.price for name, other in remote.items() if other.price is not None}
    stores = {
        name: VectorSpending(journal, other, paid[name])
        for name, other in remote.items()
        if isinstance(other, ApiEmbeddingEntry) and name in paid
    }
    return Ledger(budget, paid, journal, model, stores)


def _hold(budget: Budget, models: Mapping[str, ModelEntry]) -> None:
    """Raises: ConfigurationError: if the budget could not be held."""
    remote = {name: entry for name, entry in models.items() if is_remote(entry)}
    problems = [
        f"  budget.models.{name}: no such model behind an interface; correct the name"
        for name in budget.models
        if name not in remote
    ]
    for name, entry in remote.items():
        if not budget.covers(name):
            continue
        if entry.price is None:
            problems.append(
                f"  models.{name}: has no price, so that the budget cannot be held; state it: "
                "price: {prompt: ..., completion: ...} a million tokens (0 where nothing is charged)"
            )
        elif entry.price.currency != budget.currency:
            currencies = f"has a price in {entry.price.currency} and the budget is in {budget.currency}"
            problems.append(f"  models.{name}: {currencies}; state both in one")
    if problems:
        raise ConfigurationError("\n".join(["the configuration cannot be used:", *problems]))
