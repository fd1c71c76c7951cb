"""Reproduce the figures of a card: `python -m tools.check_card agents/candyfactory/values/two.md`.

This runs every trial of the card, and compares its output with the card. Deals and agents are seeded, so the same
versions give the same games. With other versions of NumPy or torch, a network may decide otherwise. If an agent has
changed, `--write` updates the card.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from difflib import unified_diff
from pathlib import Path
from tempfile import TemporaryDirectory

from chocofactory_env.core.files import write_text
from training.cards import CardError, Trial, read_card
from training.recipes import RecipeError, run_command


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
    chosen = parser.parse_args(arguments)
    failed = 0
    try:
        for file in chosen.cards:
            trials = read_card(file).trials
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
