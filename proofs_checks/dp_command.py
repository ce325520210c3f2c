"""The command `dp-refimpl`: above all packages, of which it imports only what the command that was given needs."""

from importlib import import_module

import click

from dp_checks.boundary import Commands

COMMANDS = {
    "audit": "dp_audit.command:audit",
    "budget": "dp_checks.calibration.command:budget",
    "cards": "dp_checks.commands.ledger:cards_command",
    "certify": "dp_checks.commands.certify:certify",
    "explain": "dp_checks.commands.ledger:explain",
    "list": "dp_checks.commands.ledger:list_command",
    "reproduce": "dp_checks.reproduce.command:reproduce",
    "table": "dp_checks.commands.table:table",
    "vectors": "dp_audit.vectors.command:vectors",
    "verify": "dp_checks.commands.verify:verify_command",
}
"""Where each command is."""


class LazyCommands(Commands):
    """The commands of `COMMANDS`, imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name].split(":")
        command = getattr(import_module(module), name)
        assert isinstance(command, click.Command)
        return command


@click.group(cls=LazyCommands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="dp-refimpl")
def main() -> None:
    """Executable, machine-checked specification of differential-privacy mechanisms.

    Start with `dp-refimpl list`, then `dp-refimpl explain` with an id.
    """


if __name__ == "__main__":
    main()
