"""The command `dp-refimpl`: above all packages, of which it imports only what the command that was given needs."""

from importlib import import_module

import click

from dp_checks.runtime.boundary import Commands

COMMANDS = {
    "account": (
        "dp_checks.commands.account:account",
        "What does a synthetic table claim to spend, and what is certified?",
    ),
    "amplify": (
        "dp_studies.comparisons.amplification.command:amplify",
        "How private are shuffled reports? Certified, for every data set.",
    ),
    "audit": ("dp_audit.command:audit", "Does this code have the law of its mechanism?"),
    "budget": (
        "dp_studies.comparisons.budget.command:budget",
        "Which mechanism has the smallest error at equal certified privacy?",
    ),
    "cards": ("dp_checks.commands.ledger:cards_command", "What the kernel takes on trust."),
    "certify": ("dp_checks.commands.certify:certify", "Derive all verdicts, or some, and compare with the ledger."),
    "explain": ("dp_checks.commands.explain:explain", "A statement, its verdict, why, and what holds instead."),
    "frequency-oracles": (
        "dp_studies.comparisons.frequency_oracles.command:frequency_oracles",
        "Which frequency oracle has the smallest exact error, and where that changes?",
    ),
    "list": ("dp_checks.commands.ledger:list_command", "The entries of the ledger, and the mechanisms."),
    "profile": (
        "dp_studies.comparisons.amplification.profile_command:profile",
        "The exact privacy profile of a few shuffled reports, for every epsilon.",
    ),
    "reproduce": ("dp_studies.reproduce.command:reproduce", "The figures of a source, exact and simulated."),
    "search": (
        "dp_studies.search:search_command",
        "What is known about some words: statements, mechanisms, oracles, commands.",
    ),
    "strategies": (
        "dp_studies.comparisons.strategies.command:strategies",
        "Which strategy answers a workload of linear queries with the smallest exact error?",
    ),
    "table": ("dp_checks.commands.table:table", "The exact law of a mechanism."),
    "vectors": ("dp_audit.vectors.command:vectors", "Conformance vectors for code that Python cannot call."),
    "verify": ("dp_checks.commands.verify:verify_command", "Check a certificate with the kernel."),
}
"""Where each command is, and what it is for, said without importing it."""
STUDIES = {
    "audit": (
        "dp_studies.libraries.command:library",
        "dp_studies.libraries.maps.command:declared_map",
        "dp_studies.libraries.accountants.command:accountant",
    ),
}
"""Commands that a group gets from a package which the group itself may not import."""


class LazyCommands(Commands):
    """The commands of `COMMANDS`, imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = _imported(COMMANDS[cmd_name][0])
        for place in STUDIES.get(cmd_name, ()):
            assert isinstance(command, click.Group)
            command.add_command(_imported(place))
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, says) for name, (_, says) in COMMANDS.items()])


def _imported(place: str) -> click.Command:
    module, name = place.split(":")
    command = getattr(import_module(module), name)
    assert isinstance(command, click.Command)
    return command


@click.group(cls=LazyCommands, context_settings={"help_option_names": ["-h", "--help"], "obj": COMMANDS})
@click.version_option(package_name="dp-refimpl")
def main() -> None:
    """Executable, machine-checked specification of differential-privacy mechanisms.

    Start with `dp-refimpl search` and some words, then `dp-refimpl explain` with an id.
    """


if __name__ == "__main__":
    main()
