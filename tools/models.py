"""The page that compares models and results, made from model cards and tournament results."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import chocofactory_env as cf
from agents.protocol import check_named_by_stranger, make_agent, sources_of
from arena.report import as_code, markdown_table
from arena.results import rules_of
from chocofactory_env.registry import check_registered
from training.cards import Card, read_card

from . import ROOT, clauses

PAGE = clauses.DOCS / "models.md"
HEAD = """# Models and results

Compare the shipped models, and how strong the agents are.

## Models

Each has a card with its task, data, training time, seed, versions, limits, commands, and
trials on deals that it was not trained on. *Data* of a network counts only its last run of PPO; the card lists all
runs. *Rules* is the version of the game's rules under which the model was made; – means that the card names none.
"""
TRIALS = """
## Trials

Brackets are 95 % intervals. Equally strong players win 1 / (number of players) of their games. A network plays as the
agent `learned`; a learned value guides the agent `expert`. *Against* names the opponents. In the solo game, which has
none, that column names the difficulty (0 unless given), the expansion, and the decks (the shipped deck unless given). A
trial plays consecutive deals from *first deal* on. The cards say which of these deals were also used to choose the
model, and whether the model was made or tried under older rules.
"""
CHECK = """
This command replays the trials of a card and compares the results:

```
python -m tools.check_card agents/candyfactory/values/two.md
```
"""


RATINGS = """\
Compare ratings only within one table. A lead of 400 points means odds of ten to one
([statistics](arena.md#statistics)). To enter your own agent, use the [benchmark](benchmark.md).
"""


def cards() -> list[Card]:
    """The cards of all shipped models."""
    folders = ("checkpoints", "values")
    return [read_card(file) for folder in folders for file in sorted((ROOT / "agents").glob(f"*/{folder}/*.md"))]


def _link(card: Card) -> str:
    return f"[`{card.file.stem}`]({os.path.relpath(card.file, PAGE.parent)})"


def _model_rows() -> list[list[str]]:
    return [
        [
            f"`{card.game}`",
            _link(card),
            "network" if card.file.parent.name == "checkpoints" else "value",
            card.facts["Data"],
            card.facts["Time"].partition(" in all")[0],
            "–" if card.rules is None else rules_of(card.game, card.rules).removeprefix("rules "),
        ]
        for card in cards()
    ]


def _trial_rows() -> Iterator[list[str]]:
    for card in cards():
        for figure in card.figures():
            share = f"{figure.share:.1f} [{figure.low:.1f}, {figure.high:.1f}]"
            deal = "–" if figure.first_deal is None else f"{figure.first_deal:,}"
            yield [f"`{card.game}`", _link(card), str(figure.players), figure.against, deal, f"{figure.games:,}", share]


def _results() -> Iterator[tuple[Path, dict[str, Any]]]:
    for file in sorted(clauses.DOCS.glob("*/results/*.json")):
        data = json.loads(file.read_text(encoding="utf-8"))
        if data.get("ratings"):
            yield file, data


def _rating_lines(file: Path, data: dict[str, Any]) -> list[str]:
    game = file.relative_to(clauses.DOCS).parts[0]
    title = f"{game}: {file.stem.replace('-', ' ')}"
    ranked = sorted(data["ratings"], key=lambda each: -each["points"])
    rows = [
        [str(place), as_code(each["agent"]), f"{each['points']:.0f}", "[{:.0f}, {:.0f}]".format(*each["interval"])]
        for place, each in enumerate(ranked, start=1)
    ]
    table = markdown_table(["", "agent", "rating", "95 %"], rows, text_columns=(1,))
    rules = rules_of(game, data["settings"]["rules"])
    earlier = "".join(f" {as_code(agent)} had an earlier network or value." for agent in _changed(data["settings"]))
    return [f"### {title}", "", *table, "", f"[How it was measured]({game}/results.md); {rules}.{earlier}", ""]


def _changed(settings: Mapping[str, Any]) -> list[str]:
    """The agents whose network or value has changed since they played a series with these settings."""
    there, agents = settings.get("sources", {}), settings["agents"]
    check_registered(settings["game"])
    for agent in agents:
        check_named_by_stranger(agent, settings["game"])
    here = sources_of(agents, make_agent, cf.load(settings["game"], **settings["options"])).get("sources", {})
    return [agent for agent in agents if there.get(agent) != here.get(agent)]


def page() -> str:
    """The text of the page."""
    models = markdown_table(["game", "model", "kind", "data", "time", "rules"], _model_rows(), text_columns=range(6))
    columns = ["game", "model", "players", "against", "first deal", "games", "games won, %"]
    trials = markdown_table(columns, _trial_rows(), text_columns=(0, 1, 3))
    lines = [HEAD, *models, TRIALS, *trials, CHECK]
    lines += ["## Ratings", "", RATINGS]
    for file, data in _results():
        lines += _rating_lines(file, data)
    return "\n".join(lines).rstrip() + "\n"
