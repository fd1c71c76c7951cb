"""`check_game`: check in random play what environments and agents rely on in any game."""

from __future__ import annotations

import json
import pickle
from collections.abc import Collection, Iterable, Iterator
from typing import Any

import numpy as np

from .core.game import Game, IllegalActionError, State
from .core.kernel import stepping
from .core.kernel.batch import Batch, seeds_of
from .core.observation.layout import ObservationLayout
from .core.text.events import Event
from .drawing.check import faults
from .view.layout import wide
from .view.tree import Tree
from .view.views import view_of

MAX_COLUMNS = 100
_REDEALS = 8
_LOOK_EVERY = 7  # decisions between checks of what redeals draw, if nothing else requires one
_DATA_EVERY = 5  # decisions between checks of positions as data, which are slow
_PICTURE_EVERY = 97  # decisions between checks of pictures, which are slower


def check_game(
    game: Game,
    seeds: Iterable[int] = range(3),
    max_actions: int = 100_000,
    hidden: bool = True,
    dice: Collection[str] = (),
) -> None:
    """Play one game of random legal actions per seed and check all that the `Game` protocol promises.

    Args:
        hidden: False for a game without hidden information, in which `redeal` need not change anything.
        dice: verbs whose outcome is drawn when they are played. Somewhere, redeals must change the outcome of each, so
            that a search that redeals cannot foresee it.

    `private` blocks of observations show what only their seat can see.

    Raises:
        AssertionError: a promise is broken. The message names it, the game, and the number of actions so far.
    """
    _check_words(game)
    unseen = _Unseen(game, dice) if hidden else None
    for seed in seeds:
        _check_play(game, seed, max_actions, unseen)
        _check_rows(game, seed, max_actions)
        _check_joint_steps(game, seed, max_actions)
        _check_playouts(game, seed)
    if unseen is not None:
        unseen.check()
        _check_redeal_draws(game)


class _Unseen:
    """Tracks what redeals must vary, because the asking seat cannot know it."""

    def __init__(self, game: Game, dice: Collection[str]) -> None:
        self._game = game
        self._dice = set(dice)
        unknown = self._dice - {verb for verb, _ in game.action_layout.verbs}
        if unknown:
            raise ValueError(f"dice: {', '.join(sorted(unknown))} are no verbs of {game.name}")
        private = [block.name for block in game.observation_layout.blocks if block.private]
        self._private = set(private if game.num_players > 1 else [])

    def is_there(self, state: State) -> bool:
        """Whether the seat to move sees something, perhaps rare, in a private block that has not varied yet."""
        if not self._private:
            return False
        view = self._game.observe(state, self._game.current_player(state))
        return any(view[name].any() for name in self._private)

    def look(self, state: State, seed: int, where: str) -> None:
        """Note what varies over redeals of this position; `check` reports what never did."""
        game, seats = self._game, range(self._game.num_players)
        for player in seats:
            dealt = [game.redeal(state, player, seed + number) for number in range(_REDEALS)]
            for other in seats:
                if other != player and self._private:
                    views = [game.observe(each, other) for each in (state, *dealt)]
                    self._private -= {name for name in self._private if len({v[name].tobytes() for v in views}) > 1}
            if player == game.current_player(state):
                self._roll(state, dealt)
            futures = [game.clone(each) for each in (state, *dealt)]
            for each in futures:
                game.renew(each)
            varied = len({_bytes(each) for each in futures}) == len(futures)
            _require(varied, f"after redeal player {player} cannot foresee what chance brings (renew)", where)

    def _roll(self, state: State, dealt: list[State]) -> None:
        game, mask = self._game, self._game.legal_mask(state)
        for action in np.flatnonzero(mask).tolist() if self._dice else []:
            verb, _ = game.decode(action)
            if verb in self._dice:
                seat, after = game.current_player(state), [game.clone(each) for each in dealt]
                for each in after:
                    game.apply(each, action)
                if len({game.observe(each, seat).flat.tobytes() for each in after}) > 1:
                    self._dice.discard(verb)

    def check(self) -> None:
        where = self._game.name
        hands, dice = (", ".join(sorted(names)) for names in (self._private, self._dice))
        _require(not hands, f"redeal for one seat draws afresh what another alone can see: {hands}", where)
        _require(not dice, f"redeal draws chance afresh, so that no search foresees: {dice}", where)


def _require(truth: Any, promise: str, where: str) -> None:
    if not truth:
        raise AssertionError(f"{where}: {promise}")


def _bytes(state: State) -> bytes:
    """A position as bytes; equal positions have equal bytes."""
    return np.asarray(state).tobytes()


def _require_equal(state: State, other: State | bytes, promise: str, where: str) -> None:
    """Require equal memory of two positions; `other` may be bytes. The message names the fields that differ."""
    if _bytes(state) != (other if isinstance(other, bytes) else _bytes(other)):
        one = np.asarray(state)
        two = np.frombuffer(other, one.dtype) if isinstance(other, bytes) else np.asarray(other)
        _require(False, f"{promise}, but not in {', '.join(_differing(one, two))}", where)


def _differing(one: np.ndarray, two: np.ndarray, path: str = "") -> Iterator[str]:
    """The paths of the fields in which two records differ."""
    for name in one.dtype.names or ():
        if one[name].tobytes() != two[name].tobytes():
            yield from _differing(one[name], two[name], f"{path}{name}.") if one[name].dtype.names else [path + name]


def _require_same_data(game: Game, one: State, two: State, promise: str, where: str) -> None:
    """Require equal data of two positions; equal memory implies it and is faster to compare. The message says where."""
    if _bytes(one) != _bytes(two):
        place = _difference(game.to_dict(one), game.to_dict(two))
        _require(place is None, f"{promise}, but not in {(place or '').lstrip('.')}", where)


def _difference(one: Any, two: Any, path: str = "") -> str | None:
    """The path to the first place where data differ; None if they are the same."""
    if isinstance(one, dict) and isinstance(two, dict) and one.keys() == two.keys():
        return next(filter(None, (_difference(one[key], two[key], f"{path}.{key}") for key in one)), None)
    if isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        pairs = enumerate(zip(one, two, strict=True))
        return next(filter(None, (_difference(*pair, f"{path}[{place}]") for place, pair in pairs)), None)
    return None if type(one) is type(two) and one == two else path


def _through_json(data: Any, what: str, where: str) -> Any:
    """The data after writing and reading it as JSON. The message names a value that JSON cannot write."""
    try:
        return json.loads(json.dumps(data))
    except (TypeError, ValueError) as error:
        raise AssertionError(f"{where}: JSON takes {what}, but not {_not_json(data, what)}: {error}") from None


def _not_json(data: Any, path: str) -> str:
    """The path to the first value that JSON cannot write."""
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list | tuple) else ()
    for key, value in inside:
        try:
            json.dumps({key: value} if isinstance(data, dict) else value)
        except (TypeError, ValueError):
            return _not_json(value, f"{path}[{key!r}]")
    return path


def _check_words(game: Game) -> None:
    where = game.name
    actions = range(game.num_actions)
    _require(game.num_actions == game.action_layout.size, "num_actions is the size of action_layout", where)
    _require(all(game.decode(a) == game.action_layout.decode(a) for a in actions), "decode is the layout's", where)
    _require(all(game.action_layout.encode(*game.decode(a)) == a for a in actions), "encode undoes decode", where)
    words = [game.describe(action) for action in actions]
    _require(all(words) and len(set(words)) == len(words), "describe is unique for every action", where)
    for outside in (-1, game.num_actions):
        try:
            game.decode(outside)
        except (IndexError, ValueError):
            continue
        _require(False, f"decode({outside}) is refused", where)
    _through_json(dict(game.options), "options", where)
    _require(isinstance(game.deck_hash, str), "deck_hash is a string", where)


def _check_play(game: Game, seed: int, max_actions: int, unseen: _Unseen | None) -> None:
    where = f"{game.name} {dict(game.options)}, seed {seed}, deal"
    state = game.new(seed)
    _require_equal(game.new(seed), state, "new(seed) always deals the same", where)
    _require_equal(game.new(game.seed_of(state)), state, "new(seed_of(state)) deals the same", where)
    copied: Game = pickle.loads(pickle.dumps(game))
    _require_equal(copied.new(seed), state, "a pickled game deals the same", where)

    rng = np.random.default_rng(seed)
    mask = np.empty(game.num_actions, np.int8)
    number = 0
    while not game.is_over(state):
        where = f"{game.name} {dict(game.options)}, seed {seed}, action {number}"
        _require(number < max_actions, f"a game ends within {max_actions} actions", where)
        _check_mask(game, state, where)
        _check_refusals(game, state, rng, where)
        _check_views(game, state, where)
        _check_copies(game, state, where)
        _check_redeal(game, state, rng, where)
        if number % _PICTURE_EVERY == 0:
            _check_pictures(game, state, rng, where)
        if unseen is not None and (number % _LOOK_EVERY == 0 or unseen.is_there(state)):
            unseen.look(state, number, where)
        _check_numbers(game, state, where)
        action = int(rng.choice(np.flatnonzero(game.legal_mask(state))))
        if number % _DATA_EVERY == 0:
            _check_data(game, state, action, where)
        _check_step(game, state, action, mask, where)
        game.apply(state, action)
        number += 1
    _check_end(game, state, f"{game.name} {dict(game.options)}, seed {seed}, the end")


def _check_mask(game: Game, state: State, where: str) -> None:
    player = game.current_player(state)
    _require(0 <= player < game.num_players, "current_player is a seat until the game is over", where)
    mask = game.legal_mask(state)
    _require(mask.dtype == np.int8 and mask.shape == (game.num_actions,), "legal_mask is (A,) int8", where)
    _require(mask.any(), "legal_mask is never empty for the seat to move", where)
    _require(((mask == 0) | (mask == 1)).all(), "legal_mask holds 0 and 1", where)
    _require(not np.shares_memory(mask, game.legal_mask(state)), "legal_mask is fresh", where)
    written = np.full(game.num_actions, 7, np.int8)
    game.write_mask(state, written)
    _require(np.array_equal(mask, written), "write_mask writes what legal_mask returns", where)


def _check_refusals(game: Game, state: State, rng: np.random.Generator, where: str) -> None:
    before = _bytes(state)
    illegal = np.flatnonzero(game.legal_mask(state) == 0)
    some = rng.permutation(illegal)[:3].tolist()
    for action in (-1, game.num_actions, *some):
        try:
            game.apply(state, action)
        except IllegalActionError as error:
            _require(str(error), "an IllegalActionError says something", where)
        else:
            _require(False, f"apply raises IllegalActionError for action {action}", where)
        _require_equal(state, before, f"refusing action {action} leaves the state unchanged", where)


def _check_views(game: Game, state: State, where: str) -> None:
    layout = game.observation_layout
    before = _bytes(state)
    for player in range(game.num_players):
        tensors = game.observe(state, player)
        _require(list(tensors) == [b.name for b in layout.blocks], "observe has the layout's names in order", where)
        scaled = np.full(layout.size, np.nan, np.float32)
        game.write_observation(state, player, scaled)
        raw = np.full(layout.raw_size, 255, layout.raw_dtype)
        game.write_raw_observation(state, player, raw)
        for block, tensor in zip(layout.blocks, tensors.values(), strict=True):
            _require(tensor.dtype == np.float32, f"{block.name} is float32", where)
            _require(tensor.shape == block.shape, f"{block.name} has its declared shape {block.shape}", where)
        flat = tensors.flat
        outside = _names(layout, ~((flat >= 0) & (flat <= 1)))
        _require(not outside, f"the observation of player {player} lies in [0, 1], but not in {outside}", where)
        _require_seen(game, flat, scaled, "write_observation writes what observe returns", where)
        beyond = [name for name, tensor in layout.tensors(raw).items() if tensor.max() > layout.high_of[name]]
        _require(not beyond, f"raw observation lies in 0..high: {', '.join(beyond)}", where)
        _require(np.allclose(layout.scaled(raw), scaled, atol=1e-6), "raw times scale is the observation", where)
        if player == 0:
            whole = {_owner(tensor) for tensor in tensors.values()}
            _require(len(whole) == 1, "the tensors are views of one buffer", where)
            again = game.observe(state, player)
            _require(whole.isdisjoint(_owner(t) for t in again.values()), "every observation is a fresh buffer", where)
    _require_equal(state, before, "observing leaves the state unchanged", where)


def _names(layout: ObservationLayout, found: np.ndarray) -> str:
    """Names of the blocks that have a True in `found`, (size,) bool."""
    return ", ".join(name for name, block in layout.tensors(found).items() if block.any()) if found.any() else ""


def _check_pictures(game: Game, state: State, rng: np.random.Generator, where: str) -> None:
    """Check that scenes, text, and log lines are complete, legible, and independent of what the viewer cannot know."""
    before, seed = _bytes(state), int(rng.integers(2**31))
    legal = set(np.flatnonzero(game.legal_mask(state)).tolist())
    for player in (None, *range(game.num_players)):
        viewer = "a spectator" if player is None else f"player {player}"
        shown = tree, text = _shown(game, state, player)
        scene = wide(tree)
        found = faults(scene)
        _require(not found, f"the scene of {viewer} is legible: {'; '.join(found[:3])}", where)
        actions = {thing.action for panel in scene.panels for thing in panel.things} - {None}
        expected = legal if player == game.current_player(state) else set()
        _require(actions == expected, f"the scene of {viewer} offers the legal actions of that seat", where)
        short = all(len(line) <= MAX_COLUMNS for line in text.splitlines())
        _require(short, f"render has {MAX_COLUMNS} columns", where)
        told = {action: game.event(state, action, player) for action in legal}
        for seat in range(game.num_players) if player is None else (player,):
            dealt = game.redeal(state, seat, seed)
            same = _shown(game, dealt, player) == shown
            same = same and all(_told_alike(game, state, dealt, action, player, told[action]) for action in legal)
            _require(same, f"redeal for player {seat} changes nothing that {viewer} sees, reads or is told", where)
    _require_equal(state, before, "pictures leave the state unchanged", where)


def _shown(game: Game, state: State, player: int | None) -> tuple[Tree, str]:
    """The tree, of which pictures and pages are made, and the text that a viewer is shown."""
    return view_of(game, state, player), game.render(state, player)


def _told_alike(game: Game, state: State, dealt: State, action: int, player: int | None, told: Event | None) -> bool:
    """Whether a viewer reads the same about a legal move in both positions, or sees a difference after it anyway.

    told: what it reads in `state`.
    """
    if not game.legal_mask(dealt)[action] or game.event(dealt, action, player) == told:
        return True
    after = [game.clone(each) for each in (state, dealt)]
    for each in after:
        game.apply(each, action)
    return _shown(game, after[0], player) != _shown(game, after[1], player)


def _owner(tensor: np.ndarray) -> int:
    """The id of the array that owns the memory."""
    while isinstance(tensor.base, np.ndarray):
        tensor = tensor.base
    return id(tensor)


def _check_copies(game: Game, state: State, where: str) -> None:
    copy = game.clone(state)
    _require_equal(copy, state, "clone is equal", where)
    before = _bytes(state)
    game.apply(copy, int(np.flatnonzero(game.legal_mask(copy))[-1]))
    game.renew(copy)
    _require_equal(state, before, "what is done to a clone leaves the original unchanged", where)
    _require_equal(copy, game.new(game.seed_of(copy)), "renew deals as new(seed_of) does", where)


def _check_data(game: Game, state: State, action: int, where: str) -> None:
    """Check that a position read back plays on like the original. Memory that is no longer used may differ."""
    again, copy = _read_back(game, state, where), game.clone(state)
    _require(np.array_equal(game.legal_mask(again), game.legal_mask(state)), "from_dict gives the same mask", where)
    seen = np.empty((2, game.observation_layout.size), np.float32)
    for player in range(game.num_players):
        game.write_observation(state, player, seen[0])
        game.write_observation(again, player, seen[1])
        _require_seen(game, seen[0], seen[1], f"from_dict gives player {player} the same observation", where)
    one, two = (game.redeal(each, game.current_player(state), 1) for each in (state, again))
    _require_same_data(game, one, two, "after from_dict redeal draws the same", where)
    for each in (again, copy):
        game.apply(each, action)
    _require_same_data(game, again, copy, "what from_dict gives goes on as the original", where)
    for each in (again, copy):
        game.renew(each)
    _require_same_data(game, again, copy, "after from_dict renew deals the same", where)


def _read_back(game: Game, state: State, where: str) -> State:
    """The position, written as data and read back."""
    again = game.from_dict(_through_json(game.to_dict(state), "to_dict", where))
    _require_same_data(game, state, again, "from_dict(to_dict) through JSON loses nothing", where)
    return again


def _require_seen(game: Game, one: np.ndarray, two: np.ndarray, promise: str, where: str) -> None:
    """Require equal scaled observations. The message names the blocks that differ."""
    differing = _names(game.observation_layout, one != two)
    _require(not differing, f"{promise}, but not in {differing}", where)


def _check_redeal(game: Game, state: State, rng: np.random.Generator, where: str) -> None:
    before = _bytes(state)
    seed = int(rng.integers(2**31))
    current = game.current_player(state)
    seen = np.empty(game.observation_layout.size, np.float32)
    still = np.empty_like(seen)
    for player in range(game.num_players):
        dealt = game.redeal(state, player, seed)
        _require_equal(dealt, game.redeal(state, player, seed), "redeal is a function of its seed", where)
        _require(game.current_player(dealt) == current, "redeal keeps the seat to move", where)
        game.write_observation(state, player, seen)
        game.write_observation(dealt, player, still)
        _require_seen(game, seen, still, f"redeal keeps the observation of player {player}", where)
        if player == current:
            same = game.legal_mask(dealt).tobytes() == game.legal_mask(state).tobytes()
            _require(same, f"redeal keeps the mask of player {player}", where)
        again = game.redeal(game.redeal(state, player, seed + 1), player, seed)
        _require_equal(again, dealt, "redeal does not depend on how hidden things lay", where)
    _require_equal(state, before, "redeal leaves the original unchanged", where)


def _check_rows(game: Game, seed: int, max_actions: int) -> None:
    """Check that two rows of a batch, raw and scaled, play like the game's own methods."""
    batches = [Batch(game, 2, autoreset=stepping.WAIT, scaled=scaled) for scaled in (False, True)]
    states = [game.new(seed), game.new(seed + 1)]
    for batch in batches:
        batch.deal(seeds_of(seed, 2), None, stepping.PAY | stepping.SHOW)
    rng = np.random.default_rng(seed)
    for number in range(max_actions):
        where = f"{game.name} {dict(game.options)}, seed {seed}, step {number} of a batch"
        actions = np.zeros(2, np.int64)
        for row, state in enumerate(states):
            over = game.is_over(state)
            mask = game.legal_mask(state)
            for batch in batches:
                _require_equal(batch.state(row), state, "a row is the state of the game", where)
                _require(np.array_equal(batch.masks[row], mask), "a row's mask is the game's", where)
                _require(batch.buffers.current_player[row] == game.current_player(state), "current_player", where)
                _require(batch.buffers.dones[row] == over, "dones is whether the game is over", where)
            _check_row_shown(game, state, [batch.buffers.observations[row] for batch in batches], where)
            if not over:
                actions[row] = rng.choice(np.flatnonzero(mask))
                game.apply(state, int(actions[row]))
        if batches[0].buffers.dones.all():
            break
        for batch in batches:
            batch.take(actions)
            batch.run(stepping.MOVE | stepping.PAY | stepping.SHOW)
    results = batches[0].row_info
    for row, state in enumerate(states):
        for name, own in (("scores", game.scores(state)), ("ranking", game.ranking(state)), ("won", game.won(state))):
            found = results[name][row, : game.num_players]
            _require(np.array_equal(found, own), f"{name} of a row that ended are the game's", where)


def _check_row_shown(game: Game, state: State, shown: list[np.ndarray], where: str) -> None:
    layout = game.observation_layout
    seat = max(0, game.current_player(state))
    raw, scaled = np.empty(layout.raw_size, layout.raw_dtype), np.empty(layout.size, np.float32)
    game.write_raw_observation(state, seat, raw)
    game.write_observation(state, seat, scaled)
    for own, found in ((raw, shown[0]), (scaled, shown[1])):
        _require(np.array_equal(own, found), "a row's observation is that of the seat to move", where)


def _check_joint_steps(game: Game, seed: int, max_actions: int) -> None:
    """Check that a joint step equals the same decisions in sequence, clockwise from the seat to move."""
    state, rng = game.new(seed), np.random.default_rng(seed)
    masks = np.zeros((game.num_players, game.num_actions + 1), np.int8)
    for number in range(max_actions):
        if game.is_over(state):
            break
        where = f"{game.name} {dict(game.options)}, seed {seed}, joint step {number}"
        before = _bytes(state)
        game.write_joint_masks(state, masks)
        _require_equal(state, before, "write_joint_masks leaves the position unchanged", where)
        first = game.current_player(state)
        clockwise = [(first + place) % game.num_players for place in range(game.num_players)]
        asked = [seat for seat in clockwise if not masks[seat, -1]]
        _require(first in asked, "the seat to move is one of those that are asked", where)
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        by_turns = game.clone(state)
        for seat in asked:
            game.ask_seat(by_turns, seat)
            _require(game.current_player(by_turns) == seat, "ask_seat makes this the seat to move", where)
            same = np.array_equal(game.legal_mask(by_turns), masks[seat, :-1])
            _require(same, "the masks of seats that are asked do not depend on each other", where)
            game.apply(by_turns, int(actions[seat]))
        _require(
            game.advance_jointly(state, actions, masks) == game.current_player(state),
            "advance_jointly returns the seat to move, -1 when over",
            where,
        )
        if not game.is_over(state) and not game.is_over(by_turns):
            for each in (state, by_turns):
                game.ask_seat(each, game.current_player(state))
        _require_equal(state, by_turns, "a joint step is the decisions of those asked, one after the other", where)


def _check_playouts(game: Game, seed: int) -> None:
    where = f"{game.name} {dict(game.options)}, seed {seed}, playouts"
    state = game.new(seed)
    before = _bytes(state)
    seeds = [seed, seed + 1, seed]
    for player in (None, *range(game.num_players)):
        results = game.random_playouts(state, seeds, player=player)
        for k, each in enumerate(seeds):
            end = game.random_playout(state if player is None else game.redeal(state, player, each), each)
            _require(game.is_over(end), "a playout ends the game", where)
            for found, own in (
                (results.scores[k], game.scores(end)),
                (results.ranking[k], game.ranking(end)),
                (results.won[k], game.won(end)),
                (results.payoffs[k], game.payoffs(end)),
            ):
                _require(np.array_equal(found, own), "random_playouts gives what random_playout gives", where)
    seat = game.current_player(state)
    for action in np.flatnonzero(game.legal_mask(state)).tolist():
        after = game.redeal(state, seat, seed)
        game.apply(after, action)
        results = game.random_playouts(state, [seed], player=seat, action=action)
        own = game.scores(game.random_playout(after, seed))
        _require(np.array_equal(results.scores[0], own), "random_playouts begins with the action it is given", where)
    _require_equal(state, before, "playouts leave the position unchanged", where)


def _check_redeal_draws(game: Game) -> None:
    state = game.new(0)
    dealt = [game.redeal(state, 0, seed) for seed in range(_REDEALS)]
    _require(len({_bytes(each) for each in dealt}) > 1, "redeal draws what is hidden afresh", game.name)


def _check_numbers(game: Game, state: State, where: str) -> None:
    for name in ("scores", "payoffs", "standings", "ranking"):
        values = np.asarray(getattr(game, name)(state))
        whole = values.shape == (game.num_players,) and np.issubdtype(values.dtype, np.integer)
        _require(whole, f"{name} is (P,) of integers", where)
    _require(not np.any(game.won(state)), "nobody has won before the end", where)


def _check_step(game: Game, state: State, action: int, mask: np.ndarray, where: str) -> None:
    applied, again, advanced = game.clone(state), game.clone(state), game.clone(state)
    game.apply(applied, action)
    game.apply(again, action)
    _require_equal(applied, again, "apply is deterministic", where)
    seat = game.advance(advanced, action, mask)
    _require_equal(applied, advanced, "advance does what apply does", where)
    _require(seat == game.current_player(applied), "advance returns the seat to move, -1 when over", where)
    _require((seat < 0) == game.is_over(applied), "current_player is -1 exactly when the game is over", where)
    if seat >= 0:
        _require(np.array_equal(mask, game.legal_mask(applied)), "advance writes the mask of the next decision", where)


def _check_end(game: Game, state: State, where: str) -> None:
    _require(game.current_player(state) == -1, "current_player is -1", where)
    _require(not game.legal_mask(state).any(), "nothing is legal", where)
    try:
        game.apply(state, 0)
    except IllegalActionError:
        pass
    else:
        _require(False, "apply raises IllegalActionError", where)
    _check_views(game, state, where)
    _check_pictures(game, state, np.random.default_rng(0), where)
    _read_back(game, state, where)
    ranking, won = np.asarray(game.ranking(state)), np.asarray(game.won(state))
    _require(ranking.min() == 0 and ranking.max() < game.num_players, "ranking is in 0..P-1 and has a 0", where)
    _require(won.shape == (game.num_players,) and won.dtype == np.bool_, "won is (P,) bool", where)
    if game.num_players > 1:
        _require(np.array_equal(won, ranking == 0), "who ranks first has won", where)
    payoffs = np.asarray(game.payoffs(state))
    by_rank = payoffs[np.lexsort((-payoffs, ranking))]
    _require((np.diff(by_rank) <= 0).all(), "no seat has a higher payoff than one that ranks before it", where)
