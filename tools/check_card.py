"""Reproduce the figures of a card: `python -m tools.check_card agents/candyfactory/values/two.md`.

This runs every trial of the card, and compares its output with the card. Deals and agents are seeded, so the same
versions give the same games. With other versions of NumPy or torch, a network may decide otherwise. If an agent has
changed, `--write` updates the card. A trial that is not a measurement of shipped agents, and so could run anything, is
shown, and runs only with `--trust`.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from tempfile import TemporaryDirectory

from tqdm import tqdm

from agents.protocol import check_named_by_stranger
from chocofactory_env.core.command import Command
from chocofactory_env.core.files import write_text
from chocofactory_env.core.messages import printable
from chocofactory_env.registry import check_registered
from training.cards import Card, CardError, Trial, read_card
from training.recipes import run_command

from .clauses import shipped_games

MEASUREMENTS = ("arena.match", "training.evaluate")  # what a stranger's card may run,
OPTIONS = ("--agents", "--deals", "--decks", "--game", "--option", "--players", "--rival", "--seed")  # and with what


def check_trials(card: Card) -> None:
    """CardError, which shows the trial, unless all trials measure shipped agents with options that write nothing."""
    for number, trial in enumerate(card.trials, start=1):
        module, *words = trial.words
        try:
            if module not in MEASUREMENTS:
                raise ValueError(f"{module} is none of {', '.join(MEASUREMENTS)}")
            if other := [word for word in words if word.startswith("-") and word not in OPTIONS]:
                raise ValueError(f"{other[0]} is none of {', '.join(OPTIONS)}")
            for game in trial.option("game"):
                check_registered(game)
            for agent in [*trial.option("agents"), *trial.option("rival")]:
                check_agent(agent)
        except ValueError as error:
            command = printable(shlex.join(trial.words))
            raise CardError(
                f"{card.file}, trial {number} is python -m {command}: {printable(str(error))}. It may run any code; to "
                "run it, give --trust"
            ) from error


def check_agent(text: str) -> None:
    """ValueError unless a stranger may name this agent in some game. A network's trial does not name its game."""
    problems = []
    for game in shipped_games():
        try:
            return check_named_by_stranger(text, game)
        except ValueError as error:
            problems.append(error)
    raise problems[0]


def outcome(trial: Trial) -> str:
    """Run a trial, and return its output.

    Raises:
        RecipeError: the command failed.
    """
    with TemporaryDirectory() as folder:  # a trial that saves its games must not find old ones
        words = list(trial.words)
        if "--out" in words:
            words[words.index("--out") + 1] = folder
        return run_command(words)


def differences(card: str, now: str) -> list[str]:
    """Lines of a diff; empty if both are the same."""
    return list(unified_diff(lines_of(card), lines_of(now), "the card", "now", lineterm=""))


def lines_of(printed: str) -> list[str]:
    return [line.rstrip() for line in printed.strip().splitlines()]


def check_cards(cards: Sequence[Path], *, write: bool = False, trust: bool = False) -> Checked:
    """Run the trials of cards again, and compare what they print with the cards.

    Args:
        cards: files of cards.
        write: update the cards with the new output.
        trust: run any trial: it may run code and send your secrets.

    Raises:
        CardError: a card is damaged, or has a trial that is not trusted.
        RecipeError, OSError: a trial fails, or a card cannot be written.
    """
    failed = 0
    read = [read_card(file) for file in cards]
    for card in read if not trust else ():
        check_trials(card)
    trials = [(card, number, trial) for card in read for number, trial in enumerate(card.trials, start=1)]
    for card, number, trial in tqdm(trials, unit="trial"):
        printed = outcome(trial)
        found = differences(trial.printed, printed)
        failed += bool(found)
        print(f"{card.file}, trial {number}: {'differs' if found else 'comes out again'}")
        print("".join(f"{line}\n" for line in found), end="")
        if found and write:
            text = card.file.read_text(encoding="utf-8")
            write_text(card.file, text.replace(f"\n{trial.printed}\n", f"\n{printed}\n"))
    return Checked(failed)


@dataclass
class Checked:
    """How many trials differ."""

    failed: int

    def message(self) -> str:
        return f"{self.failed} differ" if self.failed else ""


COMMAND = Command(
    "python -m tools.check_card",
    check_cards,
    ("agents/candyfactory/values/two.md",),
    positional=("cards",),
    tell=lambda checked: None,
)
main = COMMAND.run

if __name__ == "__main__":
    main()
