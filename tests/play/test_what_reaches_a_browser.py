"""Nothing hidden reaches a browser: what it is sent stays the same, byte for byte, however hidden cards lie.

`CF_TABLE_POSITIONS` says of how many positions of each game (default 2).
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from typing import Any

import pytest
from at_table import play, table_of
from games_under_test import GAMES_AND_EXPANSION, GameMaker, chocofactory, schoko
from long_runs import amount
from schoko_games import Position, encode

from chocofactory_env.drawing import svg
from chocofactory_env.drawing.moved import moved, with_moved
from chocofactory_env.drawing.names import with_names
from chocofactory_env.drawing.plain import panels_of
from chocofactory_env.drawing.scene import Scene
from chocofactory_env.play.protocol import Refusal
from chocofactory_env.play.tables.agents import TableAgents
from chocofactory_env.play.tables.background import WorkerThreads
from chocofactory_env.play.tables.game_files import record_of_table, saved_record
from chocofactory_env.play.tables.pictures import words_of_move
from chocofactory_env.play.tables.table import Table
from chocofactory_env.play.views.considerations import Considerations
from chocofactory_env.play.views.sight import Sight

POSITIONS = amount("CF_TABLE_POSITIONS", 2, 40)
DEALS = 2


def seen_by(table: Table, held: frozenset[int]) -> list[str]:
    return list(Sight(table, held, host=False).news())


def scrambled(table: Table, seat: int, seed: int) -> Table:
    """The table with all that the seat cannot know dealt anew, in all positions that it had before, too."""
    game = table.game
    other = table_of(game)
    vars(other).update({name: value for name, value in vars(table).items() if name not in ("_views", "run")})
    other._views = {}
    other.state = game.redeal(table.state, seat, seed)
    other.earlier = type(table.earlier)(game.redeal(before, seat, seed) for before in table.earlier)
    other.run.seat = table.run.seat
    for step in table.run.steps:
        before = game.redeal(step.before, seat, seed)
        other.run.steps.append(type(step)(before, step.action, step.words))
    return other


def positions(make_game: GameMaker, players: int) -> Iterator[Table]:
    rng = random.Random(players)
    for number in range(POSITIONS):
        table = table_of(make_game(num_players=players), number)
        play(table, rng.randrange(150), rng)
        yield table


@pytest.mark.long
@pytest.mark.parametrize("make_game", GAMES_AND_EXPANSION)
def test_scrambled_hidden_cards_change_no_message_to_a_seat_or_to_who_looks_on(make_game: GameMaker) -> None:
    for table in positions(make_game, players=3):
        sent = {held: seen_by(table, held) for held in (frozenset[int](), *(frozenset({seat}) for seat in range(3)))}
        for seat in range(3):
            for seed in range(DEALS):
                other = scrambled(table, seat, seed)
                assert seen_by(other, frozenset({seat})) == sent[frozenset({seat})]
                assert seen_by(other, frozenset()) == sent[frozenset()]
            if seat != table.mover:
                check_that_it_is_not_asked(table.view(seat))
            assert seat == table.run.seat or not table.view(seat)["undo"]


def check_that_it_is_not_asked(view: dict[str, Any]) -> None:
    assert view["decision"] is None
    assert not view["actions"]
    assert "data-action" not in str(view["panels"])


def test_a_move_that_nobody_may_see_sends_nothing() -> None:
    rng = random.Random(1)
    table = table_of(schoko(num_players=3), 1)
    sights = {seat: Sight(table, frozenset({seat}), host=False) for seat in range(3)}
    secret = 0
    while not table.over and len(table.actions) < 30:
        for sight in sights.values():
            list(sight.news())
        mover, state = table.game.current_player(table.state), table.state
        before = {seat: panels_of(table.game, state, seat) for seat in range(3)}
        table.when, told = 0.0, len(table.log(None))
        play(table, 1, rng)
        assert (table.when > 0) == (len(table.log(None)) > told), "the list of tables tells it to all"
        action = table.actions[-1]
        for seat in set(range(3)) - {mover, table.game.current_player(table.state)}:
            same = panels_of(table.game, table.state, seat) == before[seat]
            if not words_of_move(table.game, state, action, seat) and same:
                secret += 1  # what was moved last stays marked, too
                assert list(sights[seat].news()) == []
    assert secret > 5


@pytest.mark.parametrize("make_game", GAMES_AND_EXPANSION)
def test_what_was_moved_last_is_marked_until_the_viewer_sees_something_else(make_game: GameMaker) -> None:
    rng = random.Random(4)
    table = table_of(make_game(num_players=3), 4)
    shown = {seat: scenes_of(table, seat) for seat in (None, 0)}
    for _ in range(12):
        play(table, 1, rng)
        for seat, earlier in shown.items():
            drawn = [panel["svg"] for panel in table.view(seat)["panels"]]
            scene = with_moved(panels_of(table.game, table.state, seat), earlier)
            panels = with_names(scene, table.names).panels
            assert drawn == [svg.draw_panel(panel, classes=True) for panel in panels]
            earlier[:0] = scenes_of(table, seat)
            assert 'class="moved"' in "".join(drawn) or not any(map(moved, earlier[1:], earlier))


def scenes_of(table: Table, seat: int | None) -> list[Scene]:
    return [panels_of(table.game, table.state, seat)]


def test_thoughts_are_the_same_however_hidden_cards_lie() -> None:
    class Hall:
        advice_threads, agents = WorkerThreads(1), TableAgents()

    async def thoughts() -> None:
        for table in positions(schoko, players=2):
            if table.over:
                continue
            seat = table.game.current_player(table.state)
            found = []
            for seed in range(DEALS):
                hall: Any = Hall()
                state = table.game.redeal(table.state, seat, seed)
                found.append(await Considerations(hall).of(table.game, state, "mcts:simulations=20", table.names, None))
            assert found[0] == found[1]

    asyncio.run(thoughts())


def test_the_event_that_a_seat_has_paid_to_see_is_named_to_its_browser_alone() -> None:
    """LOOK-2"""
    game, state = Position(3).event("stomach_upset").ask("look", 0).build()
    table = table_of(game)
    table.state = state
    table.act(0, table.asked[0], encode(game, "look"))
    sent = {held: "".join(seen_by(table, frozenset(held))) for held in ((), (0,), (1,), (2,))}
    assert [held for held, text in sent.items() if "knows: Stomach Upset" in text] == [(0,)]
    assert [held for held, text in sent.items() if "looked at the event" in text] == [(), (0,), (1,), (2,)]


def test_between_persons_a_seed_is_not_given_away_before_the_end() -> None:
    table = table_of(chocofactory(num_players=2), 12345)
    with pytest.raises(Refusal, match="after its end"):
        record_of_table(table)
    play(table, 100_000, random.Random(1))
    assert '"seed":12345' in saved_record(record_of_table(table))["text"]
