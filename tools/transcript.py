"""The transcript of docs/logs/language-models.md: `greedy` answers in text for a language model, in a solo game."""

from __future__ import annotations

import json
import re

import chocofactory_env as cf
from arena.language import Listener, StandIn

from . import ROOT

DEAL = 1
PAGE = ROOT / "docs" / "logs" / "language-models.md"
PLACE = re.compile(r"(<!-- transcript -->\n).*?(<!-- end -->)", re.DOTALL)


def transcript() -> list[str]:
    """Markdown: the first question, all answers, and how the game ended."""
    game = cf.load("chocofactory", num_players=1)
    agent, state = StandIn(game, "greedy", "none"), game.new(DEAL)
    agent.listener = heard = Listener([])
    while not game.is_over(state):
        game.apply(state, cf.decide(game, agent, state))
    talk = [json.loads(line) for line in heard.lines]
    answers = ", ".join(game.describe(int(each["answer"])) for each in talk)
    result = "won" if game.won(state)[0] else "lost"
    return [
        "```text",
        talk[0]["messages"][-1]["content"],
        "```",
        "",
        f"Its {len(talk)} answers: {answers}.",
        "",
        f"The game ended with £{game.scores(state)[0]} and was {result}.",
    ]


def page() -> str:
    """The page with the transcript between its marks, made anew."""
    text = PAGE.read_text(encoding="utf-8")
    return PLACE.sub(lambda place: "\n".join([place[1], *transcript(), "", place[2]]), text)
