"""Batches and environments whose deals choose between decks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
import schoko_decks
from damaged_decks import write

import chocofactory_env as cf
from chocofactory_env.core.cards.lists import decks_of
from chocofactory_env.core.jit import COMPILED
from chocofactory_env.core.kernel import variants
from chocofactory_env.record import GameRecord

GAMES = pytest.mark.parametrize("name", ["chocofactory", "candyfactory", "schoko"])
STEPS = 900 if COMPILED else 30


@GAMES
@pytest.mark.parametrize("kind", [cf.SelfPlayBatch, cf.ParallelBatch])
def test_decks_are_loaded_when_they_are_dealt(name: str, kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether all decks are there, or four at a time, changes nothing; nor do threads."""
    options: dict[str, Any] = {"num_players": 2, "decks": "generated:100000-100011"}
    whole = kind(name, 2, **options)
    whole._batch._variants.load(range(12), [])
    assert (whole._batch._variants.slots >= 0).all()
    monkeypatch.setattr(variants, "FEWEST_SLOTS", 0)
    few = kind(name, 2, num_threads=2, **options)
    assert few._batch._variants.tables.shape == (4,)
    sample, steps = cf.LegalSampler(1), [batch.reset(seed=1) for batch in (whole, few)]
    for _ in range(STEPS):
        for one, other in zip(*steps, strict=True):
            assert np.array_equal(one, other)
        actions = sample(steps[0].action_masks)
        steps = [batch.step(actions) for batch in (whole, few)]
    assert whole._batch.states.tobytes() == few._batch.states.tobytes()


@pytest.mark.parametrize("opponent", ["flat_mc:playouts=2", "planner:width=2", "learned"])
def test_opponents_by_name_search_with_the_cards_of_the_game(opponent: str) -> None:
    """The network that is shipped reads cards, too."""
    single: Any = gymnasium.make(
        "ChocoFactory/Versus-v0", opponents=opponent, decks="generated:100000-100005"
    ).unwrapped
    native: Any = gymnasium.make_vec(
        "ChocoFactory/Versus-v0", 2, opponents=opponent, decks="generated:100000-100005"
    ).unwrapped
    found = set()
    for seed in range(3):
        single.reset(seed=seed)
        native.reset(seed=seed)
        found |= {single.game.deck_hash}
        assert single.opponents[0]._game.deck_hash == single.game.deck_hash
        for row in range(2):
            assert native.opponents[0].agent(row)._game.deck_hash == native.game_of(row).deck_hash
    assert len(found) > 1
    agent = cf.make_agent(opponent, single.game)
    for make in (
        lambda: gymnasium.make("ChocoFactory/Versus-v0", opponents=agent, decks="generated:1-2"),
        lambda: gymnasium.make_vec(
            "ChocoFactory/Versus-v0", 2, opponents=cf.PerGame(lambda: agent), decks="generated:1-2"
        ),
        lambda: cf.make_parallel_env("chocofactory", partners={"player_1": agent}, decks="generated:1-2"),
    ):
        with pytest.raises(TypeError, match=r"(opponent 0|partner player_1): it looks at the cards of the game"):
            make()


@GAMES
def test_a_record_of_a_generated_deck_replays_from_its_name(name: str, tmp_path: Path) -> None:
    env = cf.make_env(name, num_players=2, decks="generated:100000-100009")
    env.reset(seed=5)
    record = cf.record_game(env.game, cf.make_agent("random", env.game), seed=5)
    record.write(tmp_path / "record.json")
    again = GameRecord.read(tmp_path / "record.json")
    assert again.options["deck"] == env.infos["player_0"]["deck"]
    assert again.replay().tobytes() == record.replay(env.game).tobytes()
    again.deck = "0" * 64
    with pytest.raises(cf.RecordError, match=r"another deck \(hash '0000.*; replay it with version"):
        again.replay()


@pytest.mark.parametrize(
    ("decks", "options", "message"),
    [
        (["generated:1", "schoko.toml"], {}, r"decks\[1\]: .*schoko\.toml.*contracts"),
        ([None, "missing.toml"], {}, r"decks\[1\]: .*missing\.toml"),
        ([None, 5], {}, r"decks\[1\]: deck: expected"),
        (["generated:1", "generated:x"], {}, "generated:x"),
        ("generated:5-3", {}, "from the lower seed to the higher"),
        ("generated:0-5000000", {}, "at most 1,000,000"),
        ("generated:0-5,stray=7", {}, "stray"),
        ([], {}, "one or more, got none"),
        (7, {}, "decks in a list, or a range"),
        ("generated:1-2", {"deck": "generated:3"}, "either deck, for one, or decks"),
        ("generated:1-2", {"colour": 1}, "unexpected keyword argument 'colour'"),
    ],
)
def test_decks_that_cannot_be_played_are_refused_by_their_place(
    decks: Any, options: dict[str, Any], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "schoko.toml", schoko_decks.shipped())
    for make in (cf.make_batch, gymnasium.make_vec):
        name = "chocofactory" if make is cf.make_batch else "ChocoFactory/Versus-v0"
        with pytest.raises((TypeError, ValueError), match=message):
            make(name, num_envs=2, decks=decks, **options)


def test_ranges_name_each_deck() -> None:
    assert decks_of(["generated:8-9,stray=1", None]) == ["generated:8,stray=1", "generated:9,stray=1", None]
    assert decks_of("shipped") == decks_of(["shipped"]) == [None]
    assert decks_of(["shipped*3", "generated:8"]) == [None, None, None, "generated:8"]


def test_a_list_of_one_deck_names_it_too() -> None:
    env = gymnasium.make("ChocoFactory/FactoryManager-v0", decks="generated:3-3")
    assert env.reset(seed=1)[1]["deck"] == "generated:3"
    batch = cf.make_batch("schoko", 2, num_players=2, decks=["generated:3"], autoreset=False)
    batch.reset(seed=1)
    step = batch.step(batch.buffers.action_masks.argmax(1))
    while not step.dones.all():
        step = batch.step(step.action_masks.argmax(1))
    assert batch.results(np.arange(2))["deck"].tolist() == ["generated:3"] * 2


@pytest.mark.parametrize("kind", [cf.SelfPlayBatch, cf.ParallelBatch])
def test_results_are_of_games_that_ended(kind: Any) -> None:
    batch, sample = kind("schoko", 3, num_players=2, months=6), cf.LegalSampler(1)
    for rows in ([1], np.array([False, True, False])):
        with pytest.raises(ValueError, match="got row 1, in which none has"):
            batch.results(rows)
    assert batch.results(np.zeros(3, bool))["scores"].shape == (0, 2)
    step = batch.reset(seed=1)
    while not step.dones.any():
        step = batch.step(sample(step.action_masks))
    assert sorted(batch.results(step.dones)["ranking"][0].tolist()) == [0, 1]
    assert not step.dones.all()
    with pytest.raises(ValueError, match=f"got row {step.dones.argmin()}, in which none has"):
        batch.results(np.arange(3))
    other = kind("schoko", 3, num_players=2, months=6)
    other.restore(batch.snapshot())
    assert np.array_equal(other.results(step.dones)["scores"], batch.results(step.dones)["scores"])
