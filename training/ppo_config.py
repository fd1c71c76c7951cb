"""The settings of `training.ppo`, and its presets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agents.by_game import addition

from .evaluate import rival_of
from .settings import check_limits, decks_setting, game_setting, options_setting, setting


@dataclass(frozen=True)
class Config:
    """What a run is made of."""

    game: str = game_setting()
    players: tuple[int, ...] = setting(
        (1,), "numbers of players; each has a batch of games, and so has each value of a list of options", least=1
    )
    options: Mapping[str, Any] = options_setting()
    decks: tuple[str, ...] = decks_setting()
    network: Mapping[str, Any] = setting(
        {}, "kind and sizes of the network as JSON, see agents.networks.network.make_network; empty: the game's default"
    )
    games: int = setting(512, "N, games in each batch", least=1)
    groups: int = setting(1, "groups of each batch: while one group steps, the network decides for another", least=1)
    steps: int = setting(64, "T, decisions of each game in a rollout (joint steps where seats act at once)", least=2)
    iterations: int = setting(100, "rollouts, each followed by learning", least=1)
    learning_rate: float = setting(5e-4, "learning rate at the start, annealed linearly", least=0)
    last_learning_rate: float = setting(5e-5, "learning rate at the end", least=0)
    epochs: int = setting(3, "passes over a rollout", least=1)
    minibatch: int = setting(4096, "decisions in a minibatch", least=1)
    gamma: float = setting(1.0, "discount for each decision", least=0, most=1)
    lam: float = setting(0.95, "lambda of generalised advantage estimation", least=0, most=1)
    clip: float = setting(0.2, "clip range of the probability ratio", least=0)
    warm_up: int = setting(
        0,
        "first iterations, which train only the value head: for a start that can play but does not know the rewards",
    )
    entropy: float = setting(0.01, "entropy coefficient at the start, annealed linearly", least=0)
    last_entropy: float = setting(0.002, "entropy coefficient at the end", least=0)
    value_weight: float = setting(0.5, "weight of the value loss", least=0)
    max_norm: float = setting(0.5, "largest norm of the gradient", least=0)
    max_kl: float = setting(0.03, "KL divergence at which the epochs of an iteration end early; 0: never", least=0)
    win: float = setting(1.0, "reward for winning, shared if several seats win")
    score: float = setting(0.005, "reward for each point when it is earned, minus the mean of the other seats")
    goals: float = setting(0.0, "reward for meeting all goals of the game, paid as they are met; 0 without goals")
    past_share: float = setting(
        0.0, "share of the games, at least one, with a past self in all seats but one", least=0, most=1
    )
    rival: str = setting("", "agent that is the rival in games of rival_share and in evaluations; empty: the game's")
    rival_share: float = setting(
        0.0, "share of the games, at least one, with the rival in all seats but one", least=0, most=1
    )
    against: str = setting(
        "", "train a best response: this agent plays all other seats of every game, and the shares do not count"
    )
    remember_every: int = setting(10, "iterations between two past selves that are kept", least=1)
    most_selves: int = setting(15, "past selves that are kept", least=1)
    evaluate_every: int = setting(10, "iterations between evaluations", least=1)
    evaluate_deals: int = setting(100, "deals of an evaluation of each variant, against the rival or alone", least=1)
    seed: int = setting(0, "random seed", least=0)
    device: str = setting("cpu", "or cuda")
    threads: int = setting(2, "threads of torch and of the batches", least=1)
    compile: bool = setting(False, "compile the network with torch.compile")
    bf16: bool = setting(False, "run the network under bfloat16 autocast")

    def __post_init__(self) -> None:
        """ValueError for settings with which nothing could be learned."""
        check_limits(self)
        if not 0 < len(set(self.players)) == len(self.players):
            raise ValueError(f"players: expected different numbers, got {self.players}")
        if max(self.players) > 1 and self.steps < 8:
            raise ValueError(f"steps: expected at least 8 with several players, got {self.steps}")
        if self.games % self.groups:
            raise ValueError(f"games: expected a multiple of the {self.groups} groups, got {self.games}")
        games, past, of_rival = self.games // self.groups, *self.games_with_others
        if past + of_rival > games:
            raise ValueError(
                f"past_share and rival_share: expected at most the {games} games of a group together, got {past} and "
                f"{of_rival}"
            )
        if self.against and self.rival:
            raise ValueError(f"against and rival: expected one of them, got {self.against!r} and {self.rival!r}")
        if self.rival and not (self.rival_share and max(self.players) > 1):
            raise ValueError(f"rival: expected a rival_share above 0 and several players, got {self.rival!r}")
        if self.against and min(self.players) == 1:
            raise ValueError(f"against: expected two players or more, got players {self.players}")

    @property
    def games_with_others(self) -> tuple[int, int]:
        """The games of a group, with several players, against a past self and against the rival."""
        games = self.games // self.groups
        if self.against:
            return 0, games
        return _number_of(games, self.past_share), _number_of(games, self.rival_share)

    @property
    def opponent(self) -> str:
        """The rival's name, or the game's rival."""
        return self.against or self.rival or rival_of(self.game)


def _number_of(games: int, share: float) -> int:
    """The games in a share of them: at least one of a positive share."""
    return max(round(games * share), int(share > 0))


def presets_of(game: str) -> dict[str, Config]:
    """The game's presets by name, from `PPO` in its folder."""
    presets: Mapping[str, Mapping[str, Any]] = addition("training", game, "PPO", {})
    return {name: Config(game=game, **values) for name, values in presets.items()}
