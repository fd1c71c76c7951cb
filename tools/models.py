"""`docs/models.md`: the models and their cards.

    python -m tools.models chocofactory-network-solo          # play the trials of cards again, and compare
    python -m tools.models chocofactory-network-solo --write  # and write what they find into the cards

Deals and agents are seeded, so the same versions give the same games. With other versions of NumPy or torch, a network
may decide otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from tqdm import tqdm

from chocofactory_env.arena.report import as_code, markdown_table
from chocofactory_env.arena.results import rules_of
from chocofactory_env.core.command import Command
from chocofactory_env.core.text.words import counted
from chocofactory_env.training.cards import SUFFIX, Card, Trial, read_card

from . import ROOT, clauses

PAGE = clauses.DOCS / "models.md"
KINDS = {"checkpoints": "network", "values": "value"}  # by folder
HEAD = """# Models

*Data* of a network counts only its last run of PPO; its section lists all runs. *Rules* is
the version of the game's rules under which the model was made. A network plays as the agent `learned`; a learned value
guides the agent `expert`. [How models are trained](training.md), [which agents use them](agents.md).
"""
TRIALS = """Trials are on deals that the model was not trained on; *first deal* is the seed of the first. Brackets are
95 % intervals. Equally strong players win 1 / (number of players) of their games.
"""
CURVE = """Points are evaluations on the same deals, with 95 % intervals. The best of them is shipped, so its own score
flatters.
"""
ROUNDS = """Players explore a little in these games. *Explained* is the share of the results' variance that a fit to
four fifths of the games explains, stage by stage.
"""
CHECK = """
This command plays the trials of a card again, and compares what they find:

```
python -m tools.models candyfactory-value-two
```
"""


def cards() -> dict[str, Path]:
    """The cards of all shipped models, by the heading of their section."""
    files = sorted((ROOT / "agents").glob(f"*/*/*{SUFFIX}"), key=lambda file: (file.parent.name, file))
    return {f"{file.parts[-3]}-{KINDS[file.parent.name]}-{file.name.removesuffix(SUFFIX)}": file for file in files}


def _row(name: str, card: Card) -> list[str]:
    rules = rules_of(card.game, card.rules).removeprefix("rules ")
    return [f"[{name}](#{name})", card.kind, card.data, f"{card.minutes:.0f} minutes", rules]


def _section(name: str, file: Path, card: Card) -> Iterator[str]:
    """The lines about a model."""
    model, where = file.name.removesuffix(SUFFIX), file.parent.relative_to(ROOT)
    decks = f"decks {', '.join(card.decks)}" if card.decks else f"deck `{card.deck[:12]}`"
    variants = f"; variants {'; '.join(card.variants)}" if card.variants else ""
    yield from (f"### {name}", "", f"{card.title}.", "")
    facts = {
        "Task": f"{card.game}, players {', '.join(map(str, card.players))}, {decks}, rules {card.rules}{variants}",
        "Model": f"{', '.join(f'{key} {value}' for key, value in card.model.items())}; {card.parameters:,} parameters; "
        f"`{where}/{model}`, SHA-256 `{card.digest[:12]}…`",
        "Data": card.data,
        "Time": f"{card.minutes:.0f} minutes in all{f' ({card.machine})' if card.machine else ''}",
        "Seed": f"{card.seed:,}",
        "Versions": ", ".join(f"{package} {version}" for package, version in card.versions.items()),
        "Limits": card.limits,
    }
    yield from (f"- **{fact}**: {text}." for fact, text in facts.items())
    made = [f"python -m chocofactory_env.{each.command}  # {each.minutes:g} min" for each in card.made]
    yield from ("", "```", *made, "```", "")
    if file.with_name(f"{model}.svg").exists():
        yield from (f"![Games won while training](../{where}/{model}.svg)", "", CURVE)
    if card.rounds:
        yield from (*markdown_table(list(card.rounds[0]), [_cells(each) for each in card.rounds]), "", ROUNDS)
    columns = ["players", "against", "first deal", "games", "won, %"]
    yield from (*markdown_table(columns, map(_trial, card.trials), text_columns=(1,)), "")


def _cells(report: Mapping[str, Any]) -> list[str]:
    return [_shares(value) if isinstance(value, list) else f"{value:,}" for value in report.values()]


def _shares(explained: Sequence[float | None]) -> str:
    return " ".join("–" if share is None else f"{share:.2f}" for share in explained)


def _trial(trial: Trial) -> list[str]:
    assert trial.found is not None
    others = " ".join(as_code(agent) for agent in dict.fromkeys(trial.agents[1:]))
    options = [f"{name} {value}" for name, value in trial.options.items()]
    found = trial.found
    won = f"{found.wins / found.games:.1%} [{found.low:.1%}, {found.high:.1%}]".replace("%", "")
    against = ", ".join(filter(None, [others, *options, *trial.decks]))
    return [str(len(trial.agents)), against or "alone", f"{trial.first:,}", f"{found.games:,}", won]


def page() -> str:
    """The text of the page."""
    known = {name: (file, read_card(file)) for name, file in cards().items()}
    columns = ["model", "kind", "data", "time", "rules"]
    rows = [_row(name, card) for name, (_, card) in known.items()]
    lines = [HEAD, *markdown_table(columns, rows, text_columns=range(5)), "", TRIALS]
    for name, (file, card) in known.items():
        lines += _section(name, file, card)
    return "\n".join([*lines, CHECK]).rstrip() + "\n"


def check(file: Path, write: bool) -> int:
    """Play a card's trials again; print and count those that find something else. write: put it into the card."""
    card = read_card(file)
    trials = [trial.played(card.game) for trial in card.trials]
    changed = [each for each, before in zip(trials, card.trials, strict=True) if each != before]
    for trial in changed:
        print(f"{file}: {trial.command(card.game)} finds {trial.found}")
    if write and changed:
        msgspec.structs.replace(card, trials=trials).write(file.with_name(file.name.removesuffix(SUFFIX)))
    return len(changed)


@dataclass(frozen=True)
class Checked:
    """How many trials found something else."""

    changed: int

    def message(self) -> str:
        return f"{counted(self.changed, 'trial')} found something else" if self.changed else ""

    def __str__(self) -> str:
        return "all trials find what the cards say" if not self.changed else ""


def check_cards(models: Sequence[str] = (), *, write: bool = False) -> Checked:
    """Play the trials of models' cards again, and compare what they find.

    Args:
        models: names in docs/models.md; all unless given.
        write: write into the cards what the trials find.
    """
    known = cards()
    if unknown := [name for name in models if name not in known]:
        raise ValueError(f"there is no model {unknown[0]!r}; there are: {', '.join(known)}")
    return Checked(sum(check(known[name], write) for name in tqdm(models or known, unit="model")))


EXAMPLES = ("chocofactory-network-solo", "chocofactory-network-solo --write")
main = Command("python -m tools.models", check_cards, EXAMPLES, positional=("models",)).run

if __name__ == "__main__":
    main()
