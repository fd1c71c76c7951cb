"""Plays what a trained network finds best.

Idea: one forward pass, no search. Cost: less than a millisecond per decision on a CPU. The network comes from a
checkpoint, by default the one that the game's folder names (`agents/<game>/__init__.py`).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakValueDictionary

import numpy as np

from chocofactory_env import Consideration, Game, RowRules

from .by_game import shipped_network
from .settings import checked

if TYPE_CHECKING:  # torch is imported with the first network
    from .networks.network import Network

INSTALL = 'pip install "chocofactory-env[learned]"'

_networks: WeakValueDictionary[tuple[Any, ...], Network] = WeakValueDictionary()  # by file and variant


class LearnedAgent:
    """Deterministic for a seed.

    checkpoint: a file; the shipped one by default.
    sample: draw actions by their probability instead of taking the likeliest.

    `shares_passes` says that one agent may decide for others of its name, in one pass for many positions.
    `trained_decks` names the decks that the network was trained on, if there were several.

    Raises:
        CheckpointError: the file is not a checkpoint, or its network does not fit the game.
        ValueError: no checkpoint is given, and none is shipped for the game.
    """

    needs: ClassVar = "torch"  # a package that may be missing

    @checked
    def __init__(self, game: Game, checkpoint: str | Path | None = None, sample: bool = False) -> None:
        path = shipped_checkpoint(game) if checkpoint is None else Path(checkpoint)
        self._game, self._path = game, path
        self._network = network_for(game, path)
        self.trained_decks = self._network.trained_decks
        self._sample = sample
        self.shares_passes = not sample  # else each agent draws with a generator of its own
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Start a game: seed the draws of actions."""
        self._rng = np.random.default_rng(seed)

    def choose(self, state: Any, player: int) -> int:
        """Choose an action. CheckpointError if damaged weights leave no legal action a probability."""
        legal = np.flatnonzero(self._game.legal_mask(state))
        if len(legal) == 1:
            return int(legal[0])
        return self._chosen(*self._look(state, player)[:2])

    def choose_rows(
        self, raw: np.ndarray, masks: np.ndarray, states: np.ndarray, seats: np.ndarray, rules: RowRules | None = None
    ) -> list[int]:
        """Choose B actions in one pass; arguments as in `Network.see`, and masks (B, A). Errors as in `choose`.

        rules: of the rows' games, if their decks differ from the agent's.
        """
        log_probs, _ = self._pass(raw, masks, states, seats, rules)
        legal = map(np.flatnonzero, masks)
        return [self._chosen(of_row, log_probs[row, of_row]) for row, of_row in enumerate(legal)]

    def _chosen(self, legal: np.ndarray, of_legal: np.ndarray) -> int:
        if not self._sample or len(legal) == 1:
            return int(legal[of_legal.argmax()])
        weights = np.exp(of_legal.astype(np.float64))
        return int(self._rng.choice(legal, p=weights / weights.sum()))

    def consider(self, state: Any, player: int) -> Consideration:
        """The probability of each action, and the network's value estimate."""
        legal, of_legal, value = self._look(state, player)
        chances = np.exp(of_legal.astype(np.float64))
        columns = {"probability": dict(zip(legal.tolist(), chances.tolist(), strict=True))}
        return Consideration(columns, value=("expected return", value))

    def _look(self, state: Any, player: int) -> tuple[np.ndarray, np.ndarray, float]:
        """Legal actions (L,), the logarithms of their probabilities (L,), and the value. CheckpointError as above."""
        layout, mask = self._game.observation_layout, self._game.legal_mask(state)
        raw = np.empty((1, layout.raw_size), layout.raw_dtype)
        self._game.write_raw_observation(state, player, raw[0])
        log_probs, values = self._pass(raw, mask[None], state, np.array([player], np.int32))
        legal = np.flatnonzero(mask)
        return legal, log_probs[0, legal], float(values[0])

    def _pass(
        self, raw: np.ndarray, masks: np.ndarray, states: np.ndarray, seats: np.ndarray, rules: RowRules | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Logarithms of probabilities, (B, A), and values, (B,). CheckpointError as above."""
        from .networks.checkpoint import CheckpointError
        from .networks.network import look

        try:
            return look(self._network, raw, masks, states, seats, rules)
        except ValueError as error:
            raise CheckpointError(f"{self._path}: {error}") from error


def network_for(game: Game, path: Path) -> Network:
    """The network of a checkpoint for `game`. Agents share it, as nothing changes it.

    CheckpointError like `load_checkpoint` and `Checkpoint.network`.
    """
    from .networks.checkpoint import load_checkpoint

    try:
        status = path.stat()
    except (OSError, ValueError):
        return load_checkpoint(path).network(game).eval()  # raises CheckpointError
    file = (path.resolve(), status.st_ino, status.st_size, status.st_mtime_ns)
    variant = (game.name, game.rules_version, game.deck_hash, repr(sorted(game.options.items())))
    network = _networks.get((file, variant))
    if network is None:
        network = _networks[file, variant] = load_checkpoint(path).network(game).eval()
    return network


def shipped_checkpoint(game: Game) -> Path:
    """The shipped network.

    Raises:
        ImportError: the package of the networks is not installed.
        ValueError: the game has none.
    """
    shipped = shipped_network(game)
    if shipped is None:
        raise ValueError(
            f"no network is shipped for {game.name!r} with num_players={game.num_players}: name one of your own as "
            "learned:checkpoint=FILE"
        )
    if not shipped.parent.exists():
        raise ImportError(f"agent 'learned' needs its networks, which are not installed: {INSTALL}")
    return shipped
