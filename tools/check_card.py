"""Whether the figures of a card come out again: `python -m tools.check_card agents/candyfactory/values/two.md`.

Every trial of the card is run, and what it prints is compared with what the card says. Deals and agents are seeded, so
the same versions give the same games. With other versions of NumPy or torch a network may decide otherwise.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from difflib import unified_diff
from pathlib import Path
from tempfile import TemporaryDirectory

from training.cards import CardError, Trial, read_card
from training.recipes import RecipeError, run_command


def differences(trial: Trial) -> list[str]:
    """Run a trial, and compare: lines of a diff, none if all is the same.

    Raises:
        RecipeError: the command failed.
    """
    with TemporaryDirectory() as folder:  # a trial that keeps its games would find those of the time before
        words = list(trial.words)
        if "--out" in words:
            words[words.index("--out") + 1] = folder
        printed = run_command(words)
    return list(unified_diff(lines_of(trial.printed), lines_of(printed), "the card", "now", lineterm=""))


def lines_of(printed: str) -> list[str]:
    return [line.rstrip() for line in printed.strip().splitlines()]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.check_card", description="Run the trials of a card again.")
    parser.add_argument("cards", type=Path, nargs="+")
    parser.add_argument("--trial", type=int, help="only this one, from 1 on")
    chosen = parser.parse_args(arguments)
    failed = 0
    try:
        for file in chosen.cards:
            trials = read_card(file).trials
            for number, trial in enumerate(trials, start=1):
                if chosen.trial in (None, number):
                    found = differences(trial)
                    failed += bool(found)
                    print(f"{file}, trial {number}: {'differs' if found else 'comes out again'}")
                    print("".join(f"{line}\n" for line in found), end="")
    except (CardError, RecipeError, OSError) as error:
        parser.error(str(error))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
