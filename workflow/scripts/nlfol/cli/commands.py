"""The commands of other packages among ours, imported when one of them or the help is asked for."""

from collections.abc import Callable, Collection
from typing import Any

import typer
from typer.core import TyperGroup
from typing_extensions import override

from nlfol.mappings import ByName
from nlfol.plugins import PluginError, in_order, names, registered


class Commands(TyperGroup):
    """Our commands, and those that other packages register: functions or apps of typer."""

    @override
    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands, in the order of the help."""
        ours = dict.fromkeys(super().list_commands(ctx), object())
        return list(in_order(ours, _others(ours)))

    @override
    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of a name, or None; raises ``typer.BadParameter`` if a package cannot be used."""
        ours = super().get_command(ctx, cmd_name)
        if ours is not None or cmd_name not in names("commands"):
            return ours
        app = typer.Typer(pretty_exceptions_enable=False)
        run = _others(super().list_commands(ctx))[cmd_name]
        if isinstance(run, typer.Typer):
            app.add_typer(run, name=cmd_name)
        else:
            app.command(cmd_name)(run)
        return typer.main.get_group(app).commands[cmd_name]


def _others(ours: Collection[str]) -> ByName:
    try:
        return registered("commands", Callable, ours)
    except PluginError as error:
        raise typer.BadParameter(str(error)) from error
