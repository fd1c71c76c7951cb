"""Model cards of shipped networks and values.

The trials on a card are commands of this project with their output. `python -m tools.check_card` runs them again.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

# The facts on a card, in order.
FACTS = ("Task", "Model", "Data", "Time", "Seed", "Versions", "Limits")
MADE, TRIALS = "## How it was made", "## Trials"
FIRST_TRIAL = 20_000_000  # first deal of trials, apart from the deals of training and benchmarks

FACT = re.compile(r"^- \*\*(\w+)\*\*: (.*)\.$", re.MULTILINE)
RULES = re.compile(r"\brules (\d+)\b")  # in a task
BLOCK = re.compile(r"^```\n(.*?)\n```$", re.DOTALL | re.MULTILINE)
# A printed win rate, in "won 347 of 400, 86.8% [83.1%, 89.7%]" or in a row of a table.
SHARE = r"([\d.]+)% *\[ *([\d.]+)%, *([\d.]+)%\]"
WON = re.compile(rf"won \d+ of (\d+), {SHARE}")
STANDING = re.compile(rf"(\S+) +(\d+) +(?:\d+ +)?{SHARE}")  # older cards count wins before
DIFFICULTY = re.compile(rf"\S+ +(\d) +(\d+) +{SHARE}")


class CardError(ValueError):
    """A file is not a card. Says what is missing."""


@dataclass(frozen=True)
class Trial:
    """A command, as words after `python -m`, and its output."""

    words: tuple[str, ...]
    printed: str

    def option(self, name: str) -> list[str]:
        """The words after each `--name`; empty without this option."""
        found, inside = [], False
        for word in self.words:
            if word.startswith("--"):
                inside = word == f"--{name}"
            elif inside:
                found.append(word)
        return found


@dataclass(frozen=True)
class Figure:
    """A win rate in percent, with its 95 % interval."""

    players: int
    against: str  # agents on all other seats; then the trial's options and decks
    first_deal: int | None  # its seed; None if the command gives none
    games: int
    share: float
    low: float
    high: float


@dataclass(frozen=True)
class Card:
    """The contents of a card, read from `file`."""

    file: Path
    title: str
    facts: Mapping[str, str]
    commands: tuple[str, ...]
    trials: tuple[Trial, ...]

    @property
    def game(self) -> str:
        return self.facts["Task"].partition(",")[0]

    @property
    def rules(self) -> int | None:
        """The version of the rules in its task, or None."""
        found = RULES.search(self.facts["Task"])
        return int(found[1]) if found else None

    def figures(self) -> list[Figure]:
        return [figure for trial in self.trials for figure in figures_of(trial)]


def write_card(
    title: str, head: str, facts: Mapping[str, str], commands: Sequence[str], notes: str, trials: Sequence[Trial]
) -> str:
    """Format a card.

    Args:
        title: the heading, without its mark.
        head: the command that generated the card, and the location of the model.
        facts: one for each of FACTS, without full stops.
        commands: all commands that make the model.
        notes: text below the commands: a curve, a table.
        trials: on deals that it was not trained on.
    """
    return "\n".join(
        [
            f"# {title}\n",
            f"{head}\n",
            *(f"- **{name}**: {facts[name]}." for name in FACTS),
            f"\n{MADE}\n",
            "```\n" + "\n".join(commands) + "\n```\n",
            f"{notes}\n",
            f"{TRIALS}\n",
            *(f"```\n$ python -m {shlex.join(trial.words)}\n{trial.printed}\n```\n" for trial in trials),
        ]
    )


def read_card(file: Path) -> Card:
    """Read a card.

    Raises:
        CardError: a fact or a part is missing.
        OSError: the file cannot be read.
    """
    text = file.read_text(encoding="utf-8")
    facts = dict(FACT.findall(text))
    missing = [name for name in FACTS if name not in facts] + [part for part in (MADE, TRIALS) if part not in text]
    if missing:
        raise CardError(
            f"{file}: expected a card with {', '.join(FACTS)}, {MADE!r} and {TRIALS!r}, got none of {missing}"
        )
    made, trials = text.split(f"\n{MADE}\n")[1].split(f"\n{TRIALS}\n")
    commands = BLOCK.findall(made)[0].splitlines()
    return Card(file, text.splitlines()[0].removeprefix("# "), facts, tuple(commands), tuple(_trials(file, trials)))


def _trials(file: Path, text: str) -> list[Trial]:
    found = []
    for block in BLOCK.findall(text):
        command, _, printed = block.partition("\n")
        if not command.startswith("$ python -m "):
            raise CardError(f"{file}: expected a trial to begin with '$ python -m', got {command!r}")
        found.append(Trial(tuple(shlex.split(command.removeprefix("$ python -m "))), printed))
    if not found:
        raise CardError(f"{file}: expected trials, got none")
    return found


def figures_of(trial: Trial) -> list[Figure]:
    """The win rates that a trial printed for its first agent."""
    seed = trial.option("seed")
    first_deal = int(seed[0]) if seed else None
    if trial.words[0] == "training.evaluate":
        players, rival, options, decks = (trial.option(name) for name in ("players", "rival", "option", "decks"))
        rivals = [f"`{each}`" for each in rival]
        against = ", ".join([*rivals, *(" ".join(each.split("=")) for each in options), *decks])
        first = int(players[0]) if players else 1, against, first_deal
        return [Figure(*first, int(games), *map(float, share)) for games, *share in WON.findall(trial.printed)]
    if trial.words[0] == "arena.match":
        agents = trial.option("agents")
        against = " ".join(f"`{agent}`" for agent in dict.fromkeys(agents[1:]))
        rows = [row for row in STANDING.findall(trial.printed) if row[0] == agents[0]]
        return [Figure(len(agents), against, first_deal, int(games), *map(float, share)) for _, games, *share in rows]
    rows = DIFFICULTY.findall(trial.printed)
    return [Figure(1, f"difficulty {row[0]}", first_deal, int(row[1]), *map(float, row[2:])) for row in rows]
