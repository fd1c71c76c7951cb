"""The transcript of docs/language-models.md: `greedy` answers in text for a language model, in a solo game."""

from __future__ import annotations

import json
import re

import chocofactory_env as cf
from arena.language import Listener, StandIn

DEAL = 1
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


def filled(text: str) -> str:
    """The page with the transcript between its marks."""
    return PLACE.sub(lambda place: "\n".join([place[1], *transcript(), "", place[2]]), text)
