"""Recorded play, hashed: proof that a change of structure has changed nothing that can be seen from outside.

`python tests/games/chocofactory/corpus.py` compares what this source gives with `corpus.json`. `--write` records it
anew, which belongs only into a change that is meant to alter games, observations or positions. Hashed are positions as
memory and as data, masks, observations, redeals, scores, refusals, batches and playouts. `--agents` adds what
agents decide; no test asks for that, since floating-point numbers may differ between processors.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

import chocofactory_env as cf

FILE = Path(__file__).with_name("corpus.json")
EXPANSION = "master_chocolatier"
VARIANTS: dict[str, dict[str, Any]] = {
    "solo": {"num_players": 1},
    "solo, difficulty 3, unforced": {"num_players": 1, "difficulty": 3, "play_forced": False},
    "solo, expansion": {"num_players": 1, "expansion": EXPANSION},
    "two": {"num_players": 2},
    "two, random sides, unforced": {"num_players": 2, "sides": "random", "play_forced": False},
    "two, expansion": {"num_players": 2, "expansion": EXPANSION},
    "three, start 1": {"num_players": 3, "sides": "B", "start_player": 1},
    "four": {"num_players": 4},
    "four, expansion, sides": {"num_players": 4, "expansion": EXPANSION, "sides": "CDABC"},
}
SEEDS = range(4)
EVERY = 9  # decisions between two looks at all that is slow
AGENTS = ("greedy", "planner:width=8", "mcts:simulations=40", "flat_mc:playouts=20", "learned")


# Fields of a position that say nothing in turns, which all variants here are played in: recordings are older than they.
BLANK_IN_TURNS = ("simultaneous", "finished", "shifts", "tasks")


def in_turns(states: np.ndarray) -> np.ndarray:
    """The positions without these fields, packed."""
    assert not states["simultaneous"].any()
    kept = [name for name in states.dtype.names or () if name not in BLANK_IN_TURNS]
    packed = np.zeros(states.shape, [(name, states.dtype[name]) for name in kept])
    for name in kept:
        packed[name] = states[name]
    return packed


class Digest:
    """A running SHA-256 of arrays, bytes and JSON."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def add(self, *things: Any) -> None:
        for thing in things:
            if isinstance(thing, np.ndarray):
                thing = in_turns(thing) if thing.dtype.names else thing  # noqa: PLW2901
                content = f"{thing.dtype.str if thing.dtype.names is None else 'record'}{thing.shape}".encode()
                content += thing.tobytes()
            elif isinstance(thing, bytes):
                content = thing
            else:
                content = json.dumps(thing, sort_keys=True).encode()
            self._hash.update(len(content).to_bytes(8, "little") + content)

    def __str__(self) -> str:
        return self._hash.hexdigest()[:32]


def choose(mask: np.ndarray, number: int) -> int:
    """Any legal action, by a rule that no generator of the package is needed for."""
    legal = np.flatnonzero(mask)
    return int(legal[(number * 2654435761 >> 7) % len(legal)])


def play(game: Any, look: Callable[[Any, int], None], seed: int) -> Any:
    """One game; `look(state, number)` is called before every decision."""
    state, number = game.new(seed), 0
    while not game.is_over(state):
        look(state, number)
        game.apply(state, choose(game.legal_mask(state), number * 31 + seed))
        number += 1
    return state


def of_words(game: Any) -> str:
    digest = Digest()
    digest.add(game.deck_hash, game.rules_version, dict(game.options), game.num_actions)
    digest.add([[*game.decode(action), game.describe(action)] for action in range(game.num_actions)])
    layout = game.observation_layout
    digest.add([[b.name, list(b.shape), b.high, b.meaning, list(b.entries), b.clipped] for b in layout.blocks])
    return str(digest)


def of_games(game: Any, seeds: Iterable[int] = SEEDS) -> list[str]:
    """Of each seed: positions, masks and raw observations of every decision; all else of every ninth."""
    found = []
    layout, seats = game.observation_layout, range(game.num_players)
    raw = np.zeros(layout.raw_size, np.uint8)

    def look(state: Any, number: int) -> None:
        digest.add(state, game.legal_mask(state), game.current_player(state))
        for seat in seats:
            game.write_raw_observation(state, seat, raw)
            digest.add(raw)
        if number % EVERY == 0:
            digest.add(game.observe(state, 0).flat, game.standings(state), game.scores(state), game.ranking(state))
            digest.add(game.redeal(state, game.current_player(state), number))
            data = game.to_dict(state)
            digest.add(data, game.from_dict(json.loads(json.dumps(data))))
            illegal = int(np.flatnonzero(game.legal_mask(state) == 0)[0])
            try:
                game.apply(state, illegal)
            except cf.IllegalActionError as error:
                digest.add(str(error))

    for seed in seeds:
        digest = Digest()
        end = play(game, look, seed)
        digest.add(end, game.scores(end), game.ranking(end), game.won(end), game.to_dict(end))
        game.renew(end)
        digest.add(end)
        found.append(str(digest))
    return found


def of_playouts(game: Any) -> str:
    digest = Digest()

    def look(state: Any, number: int) -> None:
        if number % (5 * EVERY) == 0:
            digest.add(game.random_playout(state, number))
            for redeal in (False, True):
                found = game.random_playouts(state, range(number, number + 4), player=0 if redeal else None)
                digest.add(found.scores, found.ranking, found.won, found.decisions)

    play(game, look, 1)
    return str(digest)


def of_batches(game: Any) -> str:
    """Self-play batches in all forms, and one seat against random rivals."""
    digest = Digest()
    name, options = game.name, {key: value for key, value in game.options.items() if key != "deck"}
    for scaled, reward in ((False, "win"), (True, "shaped")):
        batch = cf.make_batch(name, num_envs=5, scaled=scaled, reward=reward, **options)
        step = batch.reset(seed=11)
        for number in range(600):
            digest.add(*step)
            step = batch.step([choose(mask, number) for mask in step.action_masks])
    one_seat = "ChocoFactory/FactoryManager-v0" if game.num_players == 1 else "ChocoFactory/Versus-v0"
    if game.num_players == 1:
        options.pop("num_players")
    envs = gymnasium.make_vec(one_seat, num_envs=3, **options)
    observation, info = envs.reset(seed=5)
    for number in range(300):
        actions = np.array([choose(mask, number) for mask in info["action_mask"]])
        observation, *rest, info = envs.step(actions)
        digest.add(observation, *rest, info["action_mask"])
    envs.close()
    return str(digest)


def of_agents(game: Any) -> dict[str, str]:
    """What each agent decides in two games, from the positions of random play."""
    digests = {}
    for text in AGENTS:
        agent, digest = cf.make_agent(text, game), Digest()

        def look(state: Any, number: int, agent: Any = agent, digest: Digest = digest) -> None:
            if number % EVERY == 0:
                cf.reset_agent(agent, number)
                digest.add(int(cf.decide(game, agent, state)))

        play(game, look, 2)
        digests[text] = str(digest)
    return digests


def corpus(agents: bool = False) -> dict[str, dict[str, Any]]:
    """name of the variant -> what is looked at -> hash, or hashes of games."""
    found = {}
    for name, options in VARIANTS.items():
        game = cf.load("chocofactory", **options)
        parts: dict[str, Any] = {
            part.__name__.removeprefix("of_"): part(game) for part in (of_words, of_games, of_playouts, of_batches)
        }
        if agents:
            parts["agents"] = of_agents(game)
        found[name] = parts
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help="record instead of comparing")
    parser.add_argument("--agents", action="store_true", help="also what searching agents decide")
    parser.add_argument("--file", type=Path, default=FILE)
    chosen = parser.parse_args()
    found = corpus(chosen.agents)
    if chosen.write:
        chosen.file.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        return
    recorded = json.loads(chosen.file.read_text(encoding="utf-8"))
    differing = [
        f"{name}: {part}"
        for name, parts in found.items()
        for part, digest in parts.items()
        if recorded[name].get(part) != digest
    ]
    print("\n".join(differing) if differing else f"{len(found)} variants: equal")
    sys.exit(bool(differing))


if __name__ == "__main__":
    main()
