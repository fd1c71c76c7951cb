"""Recipes: commands follow each other, go on where they stopped, and what is shipped is what its card says."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
import torch
from drawn import texts_of
from msgspec.structs import replace

import chocofactory_env as cf
from chocofactory_env.agents.chocofactory import CHECKPOINTS
from chocofactory_env.agents.learned import LearnedAgent
from chocofactory_env.agents.networks.checkpoint import load_checkpoint
from chocofactory_env.training import recipes as module
from chocofactory_env.training.cards import Trial, card_of, read_card
from chocofactory_env.training.recipes import Recipe, RecipeError, RecipeRun, install, out_of, progress, recipes
from chocofactory_env.training.runs import CONFIG, LAST, Run
from chocofactory_env.training.settings import STOPPED

TINY = Recipe(
    title="A tiny one",
    game="chocofactory",
    commands=[
        "training.dataset --agents greedy --deals 6 --out {out}/games",
        """
        training.imitate --data {out}/games --out {out}/imitation --network '{{"width": 4, "trunk": 8}}' --epochs 1
          --evaluate-deals 1 --threads 1 --seed {seed}
        """,
        """
        training.ppo solo --start {out}/imitation/best.safetensors --out {out}/ppo --games 4 --steps 16 --iterations 2
          --evaluate-every 1 --evaluate-deals 2 --threads 1 --seed {seeds[1]} --device {device}
        """,
    ],
    trials=[Trial(agents=["greedy"], deals=2, first=7)],
    limits="it has learned nothing",
)


def in_this_process(words: Sequence[str], end: float | None = None) -> None:
    """A command without a process that has to load torch first; `run_command` has a test of its own."""
    try:
        import_module(f"chocofactory_env.{words[0]}").main(words[1:])
    except SystemExit as exit_:
        if exit_.code:
            raise


class FakeCommand:
    """In place of `run_command`: remembers what it was asked, and stops at one command."""

    def __init__(self, stops_at: str = "", leaves: str = LAST) -> None:
        self.stops_at, self.leaves = stops_at, leaves
        self.asked: list[list[str]] = []
        self.ends: list[float | None] = []

    def __call__(self, words: list[str], end: float | None = None) -> None:
        self.asked.append(list(words))
        self.ends.append(end)
        if words[0] == self.stops_at:
            out_of(words).mkdir(parents=True)
            (out_of(words) / self.leaves).touch()
            raise KeyboardInterrupt


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeCommand:
    command = FakeCommand()
    monkeypatch.setattr(module, "run_command", command)
    return command


def test_a_recipe_leads_to_a_network_with_a_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "run_command", in_this_process)
    run = RecipeRun(TINY, tmp_path / "run", seed=3)
    run.run()
    shipped = install("tiny", run, tmp_path / "shipped")
    checkpoint = load_checkpoint(shipped)
    assert checkpoint.about["network"] == {"kind": "afterstates", "width": 4, "trunk": 8}
    trained = load_checkpoint(run.network).of("network")
    assert set(checkpoint.tensors) == {f"network.{name}" for name in trained}
    for name, tensor in checkpoint.of("network").items():  # the upper half of each float32, rounded
        assert tensor.dtype == torch.float32
        assert torch.equal(tensor, trained[name].bfloat16().float())
    assert shipped.stat().st_size < 0.8 * run.network.stat().st_size
    assert json.loads((run.network.parent / "config.json").read_text())["config"]["seed"] == 4
    card = read_card(card_of(shipped))
    assert [made.command for made in card.made] == [step.command for step in run.steps()]
    assert all(made.finished for made in card.made)
    decisions = checkpoint.about["decisions"]
    assert (card.data, card.limits) == (f"{decisions} decisions of the last run of PPO, after imitation", TINY.limits)
    assert [trial.found is not None for trial in card.trials] == [True]
    assert {"decisions of training", "games won (95 % intervals)", "the solo game"} <= texts_of(
        shipped.with_suffix(".svg")
    )


def test_a_recipe_goes_on_where_it_was_stopped(tmp_path: Path, fake: FakeCommand) -> None:
    fake.stops_at = "training.imitate"
    with pytest.raises(KeyboardInterrupt):
        RecipeRun(TINY, tmp_path).run()
    assert [words[0] for words in fake.asked] == ["training.dataset", "training.imitate"]
    assert "--resume" not in fake.asked[1]
    assert [progress(step) for step in RecipeRun(TINY, tmp_path).steps()] == ["0.0 min", "0.0 min so far", "not begun"]
    fake.stops_at = ""
    RecipeRun(TINY, tmp_path).run()
    assert [words[0] for words in fake.asked[2:]] == ["training.imitate", "training.ppo"]
    assert fake.asked[2][-1] == "--resume"
    assert "--resume" not in fake.asked[3]
    RecipeRun(TINY, tmp_path).run()
    assert len(fake.asked) == 4
    assert progress(RecipeRun(TINY, tmp_path).steps()[1]) == "0.0 min in 2 slices"


def test_a_command_that_stopped_before_its_first_checkpoint_begins_again(tmp_path: Path, fake: FakeCommand) -> None:
    fake.stops_at, fake.leaves = "training.imitate", CONFIG
    with pytest.raises(KeyboardInterrupt):
        RecipeRun(TINY, tmp_path).run()
    with Run(tmp_path / "imitation", {}):  # as the command does without --resume
        pass
    fake.stops_at = ""
    RecipeRun(TINY, tmp_path).run()
    assert [words[0] for words in fake.asked[2:]] == ["training.imitate", "training.ppo"]
    assert all("--resume" not in words for words in fake.asked)


def test_the_minutes_are_those_of_all_recipes_together(
    tmp_path: Path, fake: FakeCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(module, "recipes", lambda: {"one": TINY, "two": TINY})
    module.program(("one", "two"), minutes=10)
    assert len(fake.ends) == 2 * len(TINY.commands)
    assert len(set(fake.ends)) == 1


def test_the_folder_of_another_recipe_is_refused(tmp_path: Path, fake: FakeCommand) -> None:
    RecipeRun(TINY, tmp_path).run()
    with pytest.raises(RecipeError, match=r'begun with another recipe: 1 is "training\.imitate '):
        RecipeRun(TINY, tmp_path, 1)
    (tmp_path / "recipe.json").write_text('{"commands": []}')
    with pytest.raises(ValueError, match="lacks the field done"):
        RecipeRun(TINY, tmp_path)


def test_the_folder_of_something_else_is_refused(tmp_path: Path, fake: FakeCommand) -> None:
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(RecipeError, match=r"holds thesis\.tex; expected .* or one with recipe\.json"):
        RecipeRun(TINY, tmp_path).run()


def test_a_command_that_fails_is_named_and_one_that_is_stopped_is_not_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(RecipeError, match=r"training.dataset --agents oracle .* failed \(exit status 2\): see above"):
        module.run_command(["training.dataset", "--agents", "oracle", "--out", str(tmp_path)])
    waits = f"import sys, time\ntry:\n    time.sleep(60)\nexcept KeyboardInterrupt:\n    sys.exit({STOPPED})"
    (tmp_path / "waits.py").write_text(waits)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(KeyboardInterrupt):
        module.run_command(["waits"], perf_counter() + 2)
    with pytest.raises(KeyboardInterrupt):  # the time is over before the command could say that it was stopped
        module.run_command(["waits"], perf_counter())


def test_a_card_of_another_network_does_not_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    run = RecipeRun(TINY, tmp_path / "run")
    run.network.parent.mkdir(parents=True)
    run.network.write_bytes((CHECKPOINTS / "solo.safetensors").read_bytes())
    card_of(tmp_path / "solo.safetensors").write_text("of the network before")
    monkeypatch.setattr(module, "draw_curve", stop)
    with pytest.raises(KeyboardInterrupt):
        install("solo", run, tmp_path)
    assert (tmp_path / "solo.safetensors").exists()
    assert not card_of(tmp_path / "solo.safetensors").exists()


class Understood(Exception):  # noqa: N818 - not an error: it ends a command that has read its options
    pass


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(words, id=f"{name}-{number}-{words[0]}")
        for name, recipe in recipes().items()
        for number, words in enumerate(recipe.words(Path("nowhere"), 0, "cpu"))
    ],
)
def test_every_step_of_a_recipe_is_a_command_with_options_that_it_has(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command: Any = import_module(f"chocofactory_env.{words[0]}")
    work = {"dataset": "write_dataset", "imitate": "read_dataset", "ppo": "Learner"}

    def understood(*_: Any, **__: Any) -> None:
        raise Understood

    monkeypatch.setattr(command, work[words[0].rpartition(".")[2]], understood)
    with pytest.raises(Understood):
        command.main(words[1:])


# --- what is shipped


@pytest.mark.parametrize("name", [name for name, recipe in recipes().items() if recipe.trials])
def test_a_card_tells_how_the_network_was_made(name: str) -> None:
    recipe = recipes()[name]
    path = CHECKPOINTS.parents[1] / recipe.game / "checkpoints" / f"{name}.safetensors"
    card, about = read_card(card_of(path)), load_checkpoint(path).about
    device = "cuda" if any("--device cuda" in made.command for made in card.made) else "cpu"
    steps = RecipeRun(recipe, Path("runs") / name, device=device).steps()
    assert [made.command for made in card.made] == [step.command for step in steps]
    assert [replace(trial, found=None) for trial in card.trials] == recipe.trials
    assert (card.deck, card.decks, card.rules) == (
        about["deck"],
        about.get("decks", []),
        about.get("rules", card.rules),
    )
    assert (card.players, card.model) == (about["trained_for_players"], about["network"])
    assert path.with_suffix(".svg").exists()
    assert path.stat().st_size < 10 * 2**20


@pytest.mark.parametrize("options", [{"difficulty": 3}, {"difficulty": 1, "expansion": "master_chocolatier"}])
def test_the_network_alone_plays_every_variant(options: dict[str, Any]) -> None:
    LearnedAgent(cf.load("chocofactory", num_players=1, deck="generated:0,stray=1", **options))
