"""Reproduce the figures of a card: `python -m tools.check_card agents/candyfactory/values/two.md`.

This runs every trial of the card, and compares its output with the card. Deals and agents are seeded, so the same
versions give the same games. With other versions of NumPy or torch, a network may decide otherwise. If an agent has
changed, `--write` updates the card. A trial that is not a measurement of shipped agents, and so could run anything, is
shown, and runs only with `--trust`.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from difflib import unified_diff
from pathlib import Path
from tempfile import TemporaryDirectory

from agents.protocol import check_named_by_stranger
from chocofactory_env.core.files import write_text
from chocofactory_env.core.messages import printable
from chocofactory_env.registry import check_registered
from training.cards import Card, CardError, Trial, read_card
from training.recipes import RecipeError, run_command

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


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.check_card", description="Run the trials of a card again.")
    parser.add_argument("cards", type=Path, nargs="+")
    parser.add_argument("--write", action="store_true", help="update the card with the new output")
    parser.add_argument("--trust", action="store_true", help="run any trial: it may run code and send your secrets")
    chosen = parser.parse_args(arguments)
    failed = 0
    try:
        for file in chosen.cards:
            card = read_card(file)
            if not chosen.trust:
                check_trials(card)
            trials = card.trials
            for number, trial in enumerate(trials, start=1):
                printed = outcome(trial)
                found = differences(trial.printed, printed)
                failed += bool(found)
                print(f"{file}, trial {number}: {'differs' if found else 'comes out again'}")
                print("".join(f"{line}\n" for line in found), end="")
                if found and chosen.write:
                    text = file.read_text(encoding="utf-8")
                    write_text(file, text.replace(f"\n{trial.printed}\n", f"\n{printed}\n"))
    except (CardError, RecipeError, OSError) as error:
        parser.error(str(error))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
