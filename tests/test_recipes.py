"""Recipes: commands follow each other, go on where they stopped, and what is shipped is what its card says."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import numpy as np
import pytest

import chocofactory_env as cf
from agents.checkpoint import load_checkpoint
from agents.learned import SHIPPED, LearnedAgent
from training import curves, recipes
from training.recipes import RECIPES, Kitchen, Recipe

TINY = Recipe.of(
    "A tiny one",
    [
        "agents.dataset --agents greedy --deals 6 --out {out}/games",
        """
        training.imitate --data {out}/games --out {out}/imitation --network '{{"width": 4, "trunk": 8}}' --epochs 1
          --evaluate-deals 1 --threads 1 --seed {seed}
        """,
        """
        training.ppo solo --start {out}/imitation/best.safetensors --out {out}/ppo --games 4 --steps 16 --iterations 2
          --evaluate-every 1 --evaluate-deals 2 --threads 1 --seed {seed}
        """,
    ],
    ["agents.solo_benchmark greedy random --difficulties 0 --seeds 2 --out {out}/trials"],
    result="ppo",
    limits="it has learned nothing",
)
SHIPPED_NAMES = [name for name, recipe in RECIPES.items() if recipe.trials]


def test_a_recipe_leads_to_a_network_with_a_card(tmp_path: Path) -> None:
    kitchen = Kitchen(TINY, tmp_path / "run", seed=3)
    assert kitchen.cook()
    assert recipes.ship("tiny", kitchen, tmp_path / "shipped")
    shipped = load_checkpoint(tmp_path / "shipped" / "tiny.safetensors")
    assert shipped.about["network"] == {"kind": "entity", "width": 4, "trunk": 8}
    assert set(shipped.tensors) == {f"network.{name}" for name in shipped.of("network")}
    assert json.loads((tmp_path / "run" / "ppo" / "config.json").read_text())["config"]["seed"] == 3
    card = (tmp_path / "shipped" / "tiny.md").read_text()
    for words in map(kitchen.words, TINY.commands):
        assert f"python -m {shlex.join(words)}  # " in card
    assert kitchen.printed(TINY.trials[0]) in card
    assert "greedy" in kitchen.printed(TINY.trials[0])
    assert "it has learned nothing" in card
    assert (tmp_path / "shipped" / "tiny.svg").stat().st_size > 1000


class Cook:
    """In place of `recipes.run`: remembers what it was asked, and stops at one command."""

    def __init__(self, stops_at: str) -> None:
        self.stops_at = stops_at
        self.asked: list[list[str]] = []

    def __call__(self, words: list[str]) -> str | None:
        self.asked.append(list(words))
        if words[0] != self.stops_at:
            return f"said by {words[0]}"
        folder = Path(words[words.index("--out") + 1])
        folder.mkdir(parents=True)
        (folder / "config.json").touch()
        return None


def test_a_recipe_goes_on_where_it_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cook = Cook("training.imitate")
    monkeypatch.setattr(recipes, "run", cook)
    assert not Kitchen(TINY, tmp_path, 0).cook()
    assert [words[0] for words in cook.asked] == ["agents.dataset", "training.imitate"]
    assert "--resume" not in cook.asked[1]
    cook = Cook("nothing")
    monkeypatch.setattr(recipes, "run", cook)
    kitchen = Kitchen(TINY, tmp_path, 0)
    assert kitchen.cook()
    assert [words[0] for words in cook.asked] == ["training.imitate", "training.ppo"]
    assert cook.asked[0][-1] == "--resume"
    assert "--resume" not in cook.asked[1]
    assert kitchen.printed(TINY.commands[0]) == "said by agents.dataset"
    assert Kitchen(TINY, tmp_path, 0).cook()
    assert len(cook.asked) == 2


def test_the_folder_of_another_recipe_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recipes, "run", Cook("training.ppo"))
    Kitchen(TINY, tmp_path, 0).cook()
    with pytest.raises(ValueError, match="begun with another recipe: seed is 0 there and 1 here"):
        Kitchen(TINY, tmp_path, 1)


def test_a_command_that_fails_ends_the_recipe(tmp_path: Path) -> None:
    assert recipes.run(["agents.dataset", "--agents", "oracle", "--out", str(tmp_path)]) is None


# --- what is shipped


@pytest.mark.parametrize("name", SHIPPED_NAMES)
def test_a_card_tells_how_the_network_was_made(name: str) -> None:
    card = (SHIPPED / f"{name}.md").read_text(encoding="utf-8")
    kitchen = Kitchen(RECIPES[name], Path("nowhere") / "runs", 0)
    for command in (*RECIPES[name].commands, *RECIPES[name].trials):
        said = shlex.join(kitchen.words(command)).replace("nowhere/runs", f"runs/{name}")
        assert f"python -m {said}" in card
    about = load_checkpoint(SHIPPED / f"{name}.safetensors").about
    assert f"{about['decisions']:,} decisions" in card
    assert about["deck"][:12] in card
    assert (SHIPPED / f"{name}.svg").exists()


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_a_network_is_shipped_for_every_number_of_players(players: int) -> None:
    game = cf.load("chocofactory", num_players=players)
    name = "solo" if players == 1 else "players"
    path = SHIPPED / f"{name}.safetensors"
    assert path.stat().st_size < 5 * 2**20
    assert load_checkpoint(path).about["deck"] == game.deck_hash
    agent = LearnedAgent(game)
    state = game.new(seed=5)
    for _ in range(20):
        mask = game.legal_mask(state)
        action = agent(game.observe(state, game.current_player(state)), mask)
        assert mask[action]
        game.apply(state, action)


# --- curves


def test_curves_are_averaged_as_far_as_all_of_them_reach() -> None:
    rising = np.array([[0.0, 0.0], [200.0, 2.0]])
    flat = np.array([[50.0, 1.0], [100.0, 1.0], [150.0, 1.0]])
    place, mean, low, high = curves.together([rising, flat]).T
    assert place[0] > 50
    assert place[-1] < 150
    np.testing.assert_allclose(np.maximum(place / 100, 1), high, atol=0.02)
    np.testing.assert_allclose(np.minimum(place / 100, 1), low, atol=0.02)
    np.testing.assert_allclose(mean, (high + low) / 2)


def test_points_of_a_run_are_those_that_were_measured(tmp_path: Path) -> None:
    lines = [
        {"iteration": 1, "decisions": 600, "decisions_per_s": 10.0},
        {"iteration": 2, "decisions": 1200, "decisions_per_s": 5.0, "score": 0.25},
        {"iteration": 3, "decisions": 1800, "decisions_per_s": 10.0, "score": 0.5},
    ]
    (tmp_path / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    np.testing.assert_allclose(curves.points(tmp_path, "score"), [[1200, 3, 0.25], [1800, 4, 0.5]])
    with pytest.raises(ValueError, match="'return/1' was measured 0 times"):
        curves.points(tmp_path, "return/1")
