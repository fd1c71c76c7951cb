"""Recipes: commands follow each other, go on where they stopped, and what is shipped is what its card says."""

from __future__ import annotations

import json
import shlex
from contextlib import redirect_stdout
from dataclasses import replace
from importlib import import_module
from io import StringIO
from pathlib import Path
from shutil import copytree
from time import perf_counter
from typing import Any

import numpy as np
import pytest
from drawn import texts_of

import chocofactory_env as cf
from agents.chocofactory import CHECKPOINTS as SHIPPED
from agents.learned import LearnedAgent
from agents.networks.checkpoint import load_checkpoint
from training import curves, recipes
from training.recipes import RECIPES, Recipe, RecipeError, RecipeRun, out_of
from training.runs import STOPPED

TINY = Recipe.of(
    "A tiny one",
    "chocofactory",
    [
        "training.dataset --agents greedy --deals 6 --out {out}/games",
        """
        training.imitate --data {out}/games --out {out}/imitation --network '{{"width": 4, "trunk": 8}}' --epochs 1
          --evaluate-deals 1 --threads 1 --seed {seed}
        """,
        """
        training.ppo solo --start {out}/imitation/best.safetensors --out {out}/ppo --games 4 --steps 16 --iterations 2
          --evaluate-every 1 --evaluate-deals 2 --threads 1 --seed {seed} --device {device}
        """,
    ],
    ["arena.match --agents greedy --deals 2 --out {out}/trials-{network}"],
    limits="it has learned nothing",
)
SHIPPED_NAMES = [name for name, recipe in RECIPES.items() if recipe.trials]


def in_this_process(words: list[str], end: float | None = None) -> str:
    """A command without a process that has to load torch first; `run_command` has a test of its own."""
    said = StringIO()
    with redirect_stdout(said):
        try:
            import_module(words[0]).main(words[1:])
        except SystemExit as end:
            if end.code:
                raise
    return said.getvalue()


def test_a_recipe_leads_to_a_network_with_a_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = TINY.commands[0]
    run_command = recipes.run_command
    monkeypatch.setattr(
        recipes, "run_command", lambda words, end=None: (run_command if words[0] in first else in_this_process)(words)
    )
    run = RecipeRun(TINY, tmp_path / "a run", seed=3)
    run.run()
    recipes.ship("tiny", run, tmp_path / "shipped")
    shipped = load_checkpoint(tmp_path / "shipped" / "tiny.safetensors")
    assert shipped.about["network"] == {"kind": "afterstates", "width": 4, "trunk": 8}
    assert set(shipped.tensors) == {f"network.{name}" for name in shipped.of("network")}
    assert json.loads((run.network.parent / "config.json").read_text())["config"]["seed"] == 3
    card = (tmp_path / "shipped" / "tiny.md").read_text()
    for words in map(run.words, TINY.commands):
        assert f"python -m {shlex.join(words)}  # " in card
    digest = recipes.digest_of(tmp_path / "shipped" / "tiny.safetensors")
    words = run.words(TINY.trials[0], digest)
    assert f"trials-{digest}" in words[-1]
    assert f"$ python -m {shlex.join(words)}\n{run.outcome(words)[1]}\n" in card
    assert "greedy" in run.outcome(words)[1]
    assert "it has learned nothing" in card
    drawn = texts_of(tmp_path / "shipped" / "tiny.svg")
    assert {"decisions of training", "games won (95 % intervals)", "alone"} <= drawn


def test_a_card_says_which_options_differ_between_variants() -> None:
    about = {
        "game": "chocofactory",
        "options": {"num_players": 1, "difficulty": 0, "sides": "A", "deck": None},
        "deck": "1dd0a09a0561ff",
        "rules": 2,
        "trained_for_players": [1],
    }
    assert recipes.task_of(about) == "chocofactory, players 1, difficulty 0, sides A, deck `1dd0a09a0561`, rules 2"
    about["trained_for_variants"] = ["1,difficulty=0", "1,difficulty=3"]
    variants = "(variants 1,difficulty=0; 1,difficulty=3)"
    assert recipes.task_of(about) == f"chocofactory, players 1, sides A {variants}, deck `1dd0a09a0561`, rules 2"
    about["decks"] = ["generated:100000-100999", "generated:0,stray=1"]
    decks = "decks generated:100000-100999 generated:0,stray=1"
    assert recipes.task_of(about) == f"chocofactory, players 1, sides A {variants}, {decks}, rules 2"


class FakeCommand:
    """In place of `recipes.run_command`: remembers what it was asked, and stops at one command."""

    def __init__(self, stops_at: str, by: BaseException | None = None) -> None:
        self.stops_at, self.by = stops_at, by or KeyboardInterrupt()
        self.asked: list[list[str]] = []

    def __call__(self, words: list[str], end: float | None = None) -> str:
        self.asked.append(list(words))
        if words[0] != self.stops_at:
            return f"said by {words[0]}"
        folder = Path(words[words.index("--out") + 1])
        folder.mkdir(parents=True)
        (folder / "config.json").touch()
        raise self.by


def test_a_recipe_goes_on_where_it_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = FakeCommand("training.imitate")
    monkeypatch.setattr(recipes, "run_command", command)
    with pytest.raises(KeyboardInterrupt):
        RecipeRun(TINY, tmp_path).run()
    assert [words[0] for words in command.asked] == ["training.dataset", "training.imitate"]
    assert "--resume" not in command.asked[1]
    command = FakeCommand("nothing")
    monkeypatch.setattr(recipes, "run_command", command)
    run = RecipeRun(TINY, tmp_path)
    run.run()
    assert [words[0] for words in command.asked] == ["training.imitate", "training.ppo"]
    assert command.asked[0][-1] == "--resume"
    assert "--resume" not in command.asked[1]
    assert run.outcome(run.words(TINY.commands[0]))[1] == "said by training.dataset"
    RecipeRun(TINY, tmp_path).run()
    assert len(command.asked) == 2
    slices = ["0.0 min", "0.0 min in 2 slices", "0.0 min"]
    assert [run.progress(run.words(command)) for command in TINY.commands] == slices


def test_the_folder_of_another_recipe_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recipes, "run_command", FakeCommand("nothing"))
    RecipeRun(TINY, tmp_path).run()
    with pytest.raises(RecipeError, match="begun with another recipe: seed is 0 there and 1 here"):
        RecipeRun(TINY, tmp_path, 1)
    other = replace(TINY, commands=(TINY.commands[0] + " --forced", *TINY.commands[1:]))
    with pytest.raises(
        RecipeError, match=r'another recipe: commands.1 is "training.dataset .*" there and ".* --forced" h'
    ):
        RecipeRun(other, tmp_path)
    kept = json.loads((tmp_path / "recipe.json").read_text())
    for text, said in {
        "{": "is not JSON: .*; expected what is done of a recipe",
        '{"asked": {}}': "lacks the field done",
        json.dumps(kept | {"done": {"a": {"seconds": "x"}}}): "has done.a.seconds 'x', which is not a number",
    }.items():
        (tmp_path / "recipe.json").write_text(text)
        with pytest.raises(RecipeError, match=rf"recipe\.json {said}"):
            RecipeRun(TINY, tmp_path)


def test_the_folder_of_something_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recipes, "run_command", FakeCommand("nothing"))
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(RecipeError, match=r"holds thesis\.tex; expected .* or one with recipe\.json"):
        RecipeRun(TINY, tmp_path).run()


def test_a_recipe_that_was_killed_in_its_first_command_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def is_killed(words: list[str], end: float | None) -> str:
        out_of(words).mkdir()
        copytree(tmp_path, tmp_path.with_name("as it was left"))
        raise KeyboardInterrupt

    monkeypatch.setattr(recipes, "run_command", is_killed)
    with pytest.raises(KeyboardInterrupt):
        RecipeRun(TINY, tmp_path).run()
    monkeypatch.setattr(recipes, "run_command", FakeCommand("nothing"))
    RecipeRun(TINY, tmp_path.with_name("as it was left")).run()


def test_two_commands_at_once_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def starts_another(words: list[str], end: float | None) -> str:
        with pytest.raises(RecipeError, match="another process is at work in it"):
            RecipeRun(TINY, tmp_path).run()
        return ""

    monkeypatch.setattr(recipes, "run_command", starts_another)
    RecipeRun(TINY, tmp_path).run()


def test_a_command_that_fails_is_named_and_one_that_is_stopped_is_not_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(RecipeError, match=r"training.dataset --agents oracle .* failed \(exit status 2\): see above"):
        recipes.run_command(["training.dataset", "--agents", "oracle", "--out", str(tmp_path)])
    (tmp_path / "stopped.py").write_text(f"import sys; sys.exit({STOPPED})")
    monkeypatch.setattr(recipes, "ROOT", tmp_path)
    with pytest.raises(KeyboardInterrupt):
        recipes.run_command(["stopped"])
    waits = "import sys, time\ntry:\n    time.sleep(60)\nexcept KeyboardInterrupt:\n    sys.exit({})"
    (tmp_path / "waits.py").write_text(waits.format(STOPPED))
    with pytest.raises(KeyboardInterrupt):
        recipes.run_command(["waits"], perf_counter() + 2)


def test_trials_of_another_network_are_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = FakeCommand("nothing")
    monkeypatch.setattr(recipes, "run_command", command)
    recipe = replace(TINY, trials=("training.evaluate shipped.safetensors",))
    for network, played in [("first", 1), ("first", 1), ("second", 2), ("second", 2)]:
        RecipeRun(recipe, tmp_path).try_out(network)
        assert len(command.asked) == played


def test_a_card_of_another_network_does_not_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "solo.md").write_text("of the network before")
    run = RecipeRun(TINY, tmp_path / "run")
    run.network.parent.mkdir(parents=True)
    run.network.write_bytes((SHIPPED / "solo.safetensors").read_bytes())
    monkeypatch.setattr(recipes, "draw_run", lambda *_: None)
    monkeypatch.setattr(recipes, "run_command", FakeCommand("arena.match"))
    with pytest.raises(KeyboardInterrupt):
        recipes.ship("solo", run, tmp_path)
    assert (tmp_path / "solo.safetensors").read_bytes() == (SHIPPED / "solo.safetensors").read_bytes()
    assert not (tmp_path / "solo.md").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["solo", "small", "--ship"], "small is not shipped: it has no trials"),
        (["solo", "players", "--out", "somewhere"], "--out is for one recipe"),
        (["solo", "--seed", "-1"], "--seed: expected 0 or more"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_commanded(
    words: list[str], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = FakeCommand("nothing")
    monkeypatch.setattr(recipes, "run_command", command)
    with pytest.raises(SystemExit):
        recipes.main(words)
    assert said in capsys.readouterr().err
    assert not command.asked


class Understood(Exception):  # noqa: N818 - not an error: it ends a command that has read its options
    pass


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(words, id=f"{name}-{number}-{words[0]}")
        for name, recipe in RECIPES.items()
        for number, words in enumerate(
            map(RecipeRun(recipe, Path("nowhere")).words, (*recipe.commands, *recipe.trials))
        )
    ],
)
def test_every_step_of_a_recipe_is_a_command_with_options_that_it_has(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    module = import_module(words[0])
    works = {"dataset": "write_dataset", "imitate": "imitate"}
    works |= {"ppo": "train", "evaluate": "evaluate"}
    works |= {"tournament": "PlaysGames", "match": "PlaysGames"}

    def understood(*_: Any, **__: Any) -> None:
        raise Understood

    monkeypatch.setattr(module, works[words[0].rpartition(".")[2]], understood)
    with pytest.raises(Understood):
        module.main(words[1:])


# --- what is shipped


@pytest.mark.parametrize("name", SHIPPED_NAMES)
def test_a_card_tells_how_the_network_was_made(name: str) -> None:
    shipped = recipes.checkpoints_of(RECIPES[name].game)
    card = (shipped / f"{name}.md").read_text(encoding="utf-8")
    path = shipped / f"{name}.safetensors"
    digest = recipes.digest_of(path)
    run = RecipeRun(RECIPES[name], Path("nowhere"), device="cuda" if "--device cuda" in card else "cpu")
    for command in (*RECIPES[name].commands, *RECIPES[name].trials):
        assert f"python -m {shlex.join(run.words(command, digest))}".replace("nowhere", f"runs/{name}") in card
    about = load_checkpoint(path).about
    assert digest in card
    assert recipes.experience([run.words(command)[0] for command in RECIPES[name].commands], about) in card
    assert all(deck in card for deck in about.get("decks", [about["deck"][:12]]))
    assert (shipped / f"{name}.svg").exists()


def test_a_card_names_what_the_last_run_has_learned_from() -> None:
    told = recipes.experience
    of_ppo: dict[str, Any] = {"decisions": 12_000, "iteration": 3}
    last_run = "12,000 decisions of the last run of PPO"
    assert told(["training.imitate", "training.ppo"], of_ppo) == f"{last_run}, after imitation"
    assert told(["training.ppo"], of_ppo) == f"{last_run}, from the network of another recipe"
    assert told(["training.imitate"], {"iteration": 3}) == "3 epochs of imitation"


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_a_network_is_shipped_for_every_number_of_players(players: int) -> None:
    game = cf.load("chocofactory", num_players=players)
    name = "solo" if players == 1 else "players"
    path = recipes.checkpoints_of(RECIPES[name].game) / f"{name}.safetensors"
    assert path.stat().st_size < 10 * 2**20
    agent = LearnedAgent(game)
    state = game.new(seed=5)
    for _ in range(20):
        mask = game.legal_mask(state)
        action = agent(game.observe(state, game.current_player(state)), mask)
        assert mask[action]
        game.apply(state, action)


@pytest.mark.parametrize("options", [{"difficulty": 3}, {"difficulty": 1, "expansion": "master_chocolatier"}])
def test_the_network_alone_plays_every_variant(options: dict[str, Any]) -> None:
    LearnedAgent(cf.load("chocofactory", num_players=1, deck="generated:0,stray=1", **options))


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


def test_a_run_without_evaluations_has_no_curve_and_is_named(tmp_path: Path) -> None:
    (tmp_path / "metrics.jsonl").write_text('{"iteration": 1, "loss": 0.5}\n')
    with pytest.raises(ValueError, match=r"metrics\.jsonl: no evaluation to draw; expected lines with a score"):
        curves.draw_run(tmp_path, tmp_path / "curve.svg")
    assert not (tmp_path / "curve.svg").exists()


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
    (tmp_path / "metrics.jsonl").write_text('{"iteration": 1, "loss": 0.5}\n')
    with pytest.raises(ValueError, match="expected a run of PPO, got lines of iteration, loss"):
        curves.points(tmp_path, "loss")


def test_runs_are_drawn_beside_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for run, rate in (("one", 0.25), ("two", 0.5), ("late", 1.0)):
        (tmp_path / run).mkdir()
        first = 10_000 if run == "late" else 0
        lines = [
            {"iteration": at, "decisions": first + 100 * at, "decisions_per_s": 10.0, "score": rate * at}
            for at in range(1, 5)
        ]
        (tmp_path / run / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    runs = [f"some={tmp_path / 'one'}", f"some={tmp_path / 'two'}"]
    curves.main(["--runs", *runs, "--measure", "score", "--out", str(tmp_path / "curves.svg")])
    drawn = texts_of(tmp_path / "curves.svg")
    assert {"score", "(mean and range of the runs)", "decisions of training", "minutes of training", "some"} <= drawn
    assert '"decisions": 400.0' in capsys.readouterr().out
    with pytest.raises(SystemExit):
        curves.main(["--runs", *runs, f"some={tmp_path / 'late'}", "--measure", "score", "--out", "no.svg"])
    assert "no place in common" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("greedy_2", "against greedy, 2 players"),
        ("expert:width=16_4,sides=B", "against expert:width=16, 4 players,sides=B"),
        ("alone,difficulty=0,expansion=master_chocolatier", "alone,difficulty=0,expansion=master_chocolatier"),
    ],
)
def test_a_curve_says_against_whom_a_network_played(name: str, title: str) -> None:
    assert curves.title_of(name) == title
