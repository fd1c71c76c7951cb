"""Numbers are written in ASCII digits; `int` and `\\d` would also take those of other scripts."""

from __future__ import annotations

import pytest

import chocofactory_env as cf
from chocofactory_env.arena.decks import measured, names_of
from chocofactory_env.core.text.answers import MoveError
from chocofactory_env.drawing.names import named

WIDE = str.maketrans("0123456789", "".join(chr(0xFF10 + digit) for digit in range(10)))
ARABIC = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
DECKS = ("generated:1-3", "generated:1", "generated:1-3,stray=1", "generated:1,stray=1")


@pytest.mark.parametrize("digits", [WIDE, ARABIC], ids=["wide", "arabic"])
@pytest.mark.parametrize("deck", DECKS)
def test_names_of_decks(deck: str, digits: dict[int, int]) -> None:
    names_of(deck)
    with pytest.raises(cf.DeckError, match="generated:SEED"):
        names_of(deck.translate(digits))
    with pytest.raises(cf.DeckError, match="generated:SEED"):
        cf.make_batch("schoko", num_envs=1, num_players=2, decks=deck.translate(digits))
    with pytest.raises(cf.DeckError, match="generated:SEED"):
        measured([deck.translate(digits)])


@pytest.mark.parametrize("digits", [WIDE, ARABIC], ids=["wide", "arabic"])
def test_answers_and_prompts(digits: dict[int, int]) -> None:
    game = cf.load("schoko", num_players=2)
    state = game.new(seed=1)
    action = int(game.legal_mask(state).argmax())
    for answer in (f"{action}", f"I play {action}.", f'{{"move": "{action}"}}'):
        assert game.parse_move(state, answer) == action
        with pytest.raises(MoveError):
            game.parse_move(state, answer.translate(digits))
    prompt = game.prompt(state, 0, rules=False)
    game.read_prompt(prompt)
    first, rest = prompt.split("\n", 1)
    for changed in (f"{first.translate(digits)}\n{rest}", f"{first}\n{rest.translate(digits)}"):
        with pytest.raises(ValueError, match="expected"):
            game.read_prompt(changed)


def test_a_card_that_is_named_like_another_seat_keeps_its_name() -> None:
    assert named("Player 1 buys Player 9 and player ٢", ["Ann", "Bob"]) == "Bob buys Player 9 and player ٢"
