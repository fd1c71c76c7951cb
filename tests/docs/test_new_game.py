"""The page on a new game: its code and its commands run from the folder of the examples."""

import re
import shlex
from pathlib import Path

import pytest
from processes import output
from repository import ROOT

PAGE = (ROOT / "docs" / "new-game.md").read_text(encoding="utf-8")
PROGRAM = "\n".join(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
EXAMPLES = [ROOT / "examples"]
COMMANDS = re.search(r"```sh\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.programs
def test_the_code_of_the_page_runs(tmp_path: Path) -> None:
    assert "turn 0, seat" in output("-c", PROGRAM, where=tmp_path, path=EXAMPLES)


@pytest.mark.programs
def test_the_commands_of_the_page_run_and_the_network_plays(tmp_path: Path) -> None:
    assert COMMANDS is not None
    said = ""
    for command in COMMANDS[1].splitlines():
        program, *words = shlex.split(command)
        assert program == "chocofactory"
        said = output("-m", "chocofactory_env.arena", *words, where=tmp_path, path=EXAMPLES)
    assert "learned:checkpoint=runs/toyrace-ppo/best.safetensors" in said


def test_what_a_game_may_override_to_be_seen_is_on_the_page() -> None:
    from inspect import signature

    from chocofactory_env.core.compiled import CompiledGame
    from chocofactory_env.core.kernel import rng
    from chocofactory_env.core.observation import layout
    from chocofactory_env.view.views import HasView

    for owner, name in (
        (HasView, "view"),
        (CompiledGame, "event"),
        (CompiledGame, "choices_lie_open"),
        (CompiledGame, "choices"),
    ):
        parameters = [each for each in signature(getattr(owner, name)).parameters if each != "self"]
        assert f"| `{name}({', '.join(parameters)})` |" in PAGE
    for helper in (layout.offsets, layout.filled_tables, rng.shuffle_unseen):
        assert f"`{helper.__name__}`" in PAGE


def test_every_rule_is_on_the_page() -> None:
    """The table names the rules and their parameters as the kernel asks for them."""
    from inspect import signature

    from chocofactory_env.core.binding import RULES, bind
    from toyrace.game import RECORDS

    with pytest.raises(TypeError, match="has no rule"):
        bind("nothing", {}, module=__name__, records=RECORDS)
    for name, function in RULES.items():
        assert f"| `{name}({', '.join(signature(function).parameters)})` |" in PAGE
