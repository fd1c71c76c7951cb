"""Cards: what is shipped, what it was made for and of, and how it plays. Networks and values have cards of one form.

The trials of a card are commands of this project with what they printed; `python -m tools.check_card` runs them again.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

# What a card says of each, in this order: for what it was made, what it is, from what it learned, how long that took,
# with which seed, with which versions, and what it cannot do.
FACTS = ("Task", "Model", "Data", "Time", "Seed", "Versions", "Limits")
MADE, TRIALS = "## How it was made", "## Trials"
FIRST_TRIAL = 20_000_000  # seed of the first deal of trials, apart from all deals that training and benchmarks play

FACT = re.compile(r"^- \*\*(\w+)\*\*: (.*)\.$", re.MULTILINE)
RULES = re.compile(r"\brules (\d+)\b")  # of a task
BLOCK = re.compile(r"^```\n(.*?)\n```$", re.DOTALL | re.MULTILINE)
# How commands print shares of games won: "won 347 of 400, 86.8% [83.1%, 89.7%]", and rows of tables with intervals.
SHARE = r"([\d.]+)% *\[ *([\d.]+)%, *([\d.]+)%\]"
WON = re.compile(rf"won \d+ of (\d+), {SHARE}")
STANDING = re.compile(rf"(\S+) +(\d+) +\d+ +{SHARE}")
DIFFICULTY = re.compile(rf"\S+ +(\d) +(\d+) +{SHARE}")


class CardError(ValueError):
    """A file that is no card; says what is missing."""


@dataclass(frozen=True)
class Trial:
    """A command, as words after `python -m`, and what it printed."""

    words: tuple[str, ...]
    printed: str

    def option(self, name: str) -> list[str]:
        """The words after each `--name`; none if it is not among them."""
        found, inside = [], False
        for word in self.words:
            if word.startswith("--"):
                inside = word == f"--{name}"
            elif inside:
                found.append(word)
        return found


@dataclass(frozen=True)
class Figure:
    """A share of games won, in percent, with its interval at 95 %."""

    players: int
    against: str  # agents on all other seats; alone the options and decks that the trial names
    first_deal: int | None  # its seed; None if the command names none
    games: int
    share: float
    low: float
    high: float


@dataclass(frozen=True)
class Card:
    """What a card says; `file` is where it was read from."""

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
        """The version of the rules that it was made under; None if the card names none."""
        found = RULES.search(self.facts["Task"])
        return int(found[1]) if found else None

    def figures(self) -> list[Figure]:
        return [figure for trial in self.trials for figure in figures_of(trial)]


def write_card(
    title: str, head: str, facts: Mapping[str, str], commands: Sequence[str], notes: str, trials: Sequence[Trial]
) -> str:
    """A card as text.

    Args:
        title: without the mark of a heading.
        head: by which command it was generated, and where the model lies.
        facts: those of FACTS, without full stops.
        commands: with which it was made, from nothing.
        notes: what is said below the commands: a curve, a table.
        trials: on deals that it did not learn from.
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
    """The card in a file.

    Raises:
        CardError: a fact or a part is missing. OSError: the file cannot be read.
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
    """The shares of games won that a trial printed for the first agent that it names."""
    seed = trial.option("seed")
    first_deal = int(seed[0]) if seed else None
    if trial.words[0] == "training.evaluate":
        players, rival, options, decks = (trial.option(name) for name in ("players", "rival", "option", "decks"))
        against = f"`{rival[0]}`" if rival else ", ".join([*(" ".join(each.split("=")) for each in options), *decks])
        first = int(players[0]) if players else 1, against, first_deal
        return [Figure(*first, int(games), *map(float, share)) for games, *share in WON.findall(trial.printed)]
    if trial.words[0] == "arena.match":
        agents = trial.option("agents")
        against = " ".join(f"`{agent}`" for agent in dict.fromkeys(agents[1:]))
        rows = [row for row in STANDING.findall(trial.printed) if row[0] == agents[0]]
        return [Figure(len(agents), against, first_deal, int(games), *map(float, share)) for _, games, *share in rows]
    rows = DIFFICULTY.findall(trial.printed)
    return [Figure(1, f"difficulty {row[0]}", first_deal, int(row[1]), *map(float, row[2:])) for row in rows]
