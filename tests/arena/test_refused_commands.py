"""What a command cannot do it says in a line before anything is begun: it ends with 2, and nothing is written."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest
from exit_status import status_of

# A command with its options, and what it says.
REFUSED = """
arena.match --agents nobody random => unknown agent 'nobody'
arena.match --agents nowhere:make random => module 'nowhere' cannot be imported
arena.match --agents random greedy --out o --seed -1 => --seed: expected 0 or more
arena.match --agents random greedy --out o --time-out 0 => --time-out: expected a number above 0, got '0'
arena.match --agents random greedy --out o --option deck= => deck: expected the path of a TOML file, or None, got ''
arena.match --agents random greedy --out o --decks shipped nowhere.toml => nowhere.toml
arena.match --agents random greedy --out o --decks generated:x => generated:SEED
arena.tournament random --out o => expected two agents or more
arena.tournament random random --out o => agents: expected different names, got random, random
arena.tournament random nobody --out o => unknown agent 'nobody'
arena.tournament random greedy --out o --seed -1 => --seed: expected 0 or more
arena.tournament random greedy --out o --deals 0 => --deals: expected 1 or more
arena.tournament random greedy --out o --games 0 => error: Unrecognized options: --games, 0
arena.tournament random greedy --out o --players 1 => two players or more, got one of one player; to compare
arena.tournament random greedy --out o --players 5 => num_players
arena.tournament random greedy --out o --option colour=red => colour
arena.tournament random greedy --out o --decks shipped nowhere.toml => nowhere.toml
arena.benchmark --out o => agent: expected a value, got none
arena.benchmark random => --out: expected a folder, got none
arena.benchmark random --out o --tracks four => there is no 'four'; there are:
arena.benchmark random --out o --deals 0 => --deals: expected 1 or more
arena.benchmark random --out o --link=javascript:alert(1) => has link
arena.benchmark nobody --out o => unknown agent 'nobody'
arena.benchmark greedy --dry-run => --dry-run: expected tracks in text
arena.benchmark greedy --tracks text-greedy --out o => agent: expected one that answers in text
arena.__main__ task first --agent random --decisions 500001 --out o => --decisions: expected at most 500,000, the budget
arena.__main__ task first --agent missing.safetensors --out o => missing.safetensors
arena.results --only five-players => there is no 'five-players'; there are: two-players
arena.results --game toyrace.game:ToyRace => no results are made of game 'toyrace.game:ToyRace'
games.candyfactory.display.describe_cards nowhere.toml => nowhere.toml: expected a file that can be read
arena.draw --out position.gif => expected a file ending in .svg or .png
arena.draw --video position.svg => --video: expected a file ending in .gif, got 'position.svg'
arena.draw --out position.svg --page game.html => expected one file, by --out, --page or --video, got --out and --page
arena.draw --all-seats => --all-seats needs --page
arena.draw --panel own => --panel needs --out
arena.draw --record game.json --players 2 => --players: a record names its own
arena.draw --record game.json --option expansion=master_chocolatier => --option: a record names its own
arena.draw --out position.svg --moves -1 => --moves: expected 0 or more, got -1
arena.draw --out position.svg --seed -1 => --seed: expected 0 or more
arena.draw --out position.svg --record nowhere.json => nowhere.json
arena.draw --out position.svg --game schoko --seat 7 => 7
arena.explain game.json => error: game.json: No such file or directory
arena.explain game.json --play 1 => --play needs --agents
arena.explain game.json --play 1 --agents random random --game toyrace.game:ToyRace => nobody judges positions of
arena.explain game.json --play 1 --agents nobody random => unknown agent 'nobody'
arena.explain game.json --play 1 --agents random random --deals 1 => expected 2 or more
arena.explain game.json --plot a.bmp => --plot: expected a file ending in .svg or .png, got 'a.bmp'
arena.explain game.json --seconds -1 => --seconds: expected a number above 0, got '-1'
arena.explain game.json --json nowhere/a.json => a.json: expected a file in a folder that is there
play.__main__ --folder games --seats nobody person => unknown agent 'nobody'
play.__main__ --folder games --game chess => unknown game 'chess'
play.__main__ --folder games --seats random --game candyfactory => num_players
c_library chess --out o => unknown game 'chess'; there are: candyfactory
c_library schoko --option colour=1 --out o => colour
c_library schoko --target plan9-mips --out o => --target: expected one of
adapters.mcp --agents nobody => unknown agent
adapters.mcp --option num_players=3 => expected 2
training.dataset --out o --agents nobody => unknown agent 'nobody'
training.dataset --out o --agents random --deals 0 => --deals: expected 1 or more
training.dataset --out o --agents random --of greedy => of: greedy plays no game
training.dataset --out o --agents random --option num_players=2 => 2 seats need as many agents, got 1
training.dataset --out o --agents random --option colour=red => colour
training.dataset --out o --agents random --decks shipped none.toml => none.toml: expected a file that can be read
training.value --out o --game chess => chess
training.value --out o --players 7 => players
training.value --out o --games 1 => games: expected an integer of at least 5
training.value --out o --game toyrace --players 2 --ship => names no shipped_value
training.value --out o --game candyfactory --players 3 --ship => two.json is fitted to games of 2 players, not 3
training.ppo --out o --options difficulty=3 => --options
training.ppo --out o --options 3 => --options
training.ppo --out o solo --game schoko => solo
training.ppo --out o --games 0 => games: expected an integer of at least 1, got 0
training.recipes solo small --ship => names: expected a recipe with trials, as only such are shipped, got 'small'
training.recipes solo players --out o => names: expected one recipe with --out
training.recipes sole => names: expected one of
training.tasks --out o frist ppo_mlp => unknown task 'frist'
training.tasks --out o first dqn => algorithm: expected one of maskable_ppo, ppo_mlp, ppo_afterstates, got 'dqn'
training.tasks --out o first ppo_mlp --share 2 => share: expected a number above 0, and at most 1, got 2
training.sb3 ChocoFactory/FactoryManager-v0 --option months=6 --out o => months
training.sb3 ChocoFactory/Versus-v0 --option opponents=nobody --out o => unknown agent 'nobody'
training.sb3 ChocoFactory/Versus-v0 --steps 0 --out o => expected 1 or more, got 0
"""


@pytest.mark.parametrize("line", REFUSED.strip("\n").split("\n"))
def test_what_a_command_cannot_do_is_said_and_nothing_is_written(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words, said = line.split(" => ")
    name, *options = words.split()
    if name == "training.sb3":
        pytest.importorskip("sb3_contrib")
    assert status_of(import_module(f"chocofactory_env.{name}").main, *options) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
