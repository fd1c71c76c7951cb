"""Make agents by name: shipped ones, those of a game, and the user's own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from importlib import import_module
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, cast

from chocofactory_env import Agent, Game, SearchAgent, decide
from chocofactory_env import reset_agent as reset
from chocofactory_env.core.agents.agent import is_agent
from chocofactory_env.core.messages import hint, shown

from .by_game import AGENTS as PACKAGE
from .by_game import addition, shipped_network
from .settings import SettingError, blanked, check_settings, settings_of

__all__ = ["Agent", "AnyAgent", "SearchAgent", "agents_of", "decide", "make_agent", "reset"]

AnyAgent = Agent | SearchAgent
Factory = Callable[..., AnyAgent]


class AgentName(NamedTuple):
    """A parsed name of an agent."""

    text: str
    name: str  # a shipped one, or "module:factory"
    settings: dict[str, Any]
    own: bool  # whether it is the user's


def agents_of(game: str) -> dict[str, Factory]:
    """The factories of a game's agents, by name: `AGENTS` of `agents/<game>/`, or of `agents.any_game`."""
    from . import any_game  # agents import this module

    return addition(PACKAGE, game, "AGENTS", any_game.AGENTS)


def make_agent(text: str, game: Game) -> AnyAgent:
    """Make a fresh agent for a seat of `game`.

    Args:
        text: a shipped agent's name and settings, `"greedy"` or `"planner:width=32"`; or your own factory, which is
            called with the game and the settings: `"my_agents:make_mine"`, `"my_agents:make_mine:width=3"`.
        game: the game that it will play.

    Raises:
        ValueError: no such agent, module or factory, invalid settings, or the factory's result is not an agent.
        TypeError: `text` is not a string, or `game` is not a loaded game.
        ImportError: a package that a shipped agent needs is not installed.
    """
    if not isinstance(text, str):
        raise TypeError(f"make_agent(text, game): expected an agent's name, got {shown(text)}")
    if not hasattr(game, "action_layout"):  # a class, or a name
        raise TypeError(f"make_agent(text, game): expected a game, as cf.load(name) makes one, got {shown(game)}")
    named = parse_agent(text, game.name)
    factory = _factory(named, game)
    try:
        check_settings(factory, named.settings)
    except SettingError as error:
        raise ValueError(f"agent {shown_agent(text)}: {error}") from None
    if named.own:
        return _own_agent(named, factory, game)
    try:
        agent: Any = factory(game, **named.settings)
    except ModuleNotFoundError as error:  # networks need torch
        raise ImportError(
            f'agent {named.name!r} needs {error.name}, which is not installed: pip install "chocofactory-env[learned]"'
        ) from error
    agent.made_for = (game.name, game.num_players)  # lets callers refuse an agent made for another game
    return cast(AnyAgent, agent)


def _own_agent(named: AgentName, factory: Factory, game: Game) -> AnyAgent:
    try:
        agent: Any = factory(game, **named.settings)
    except (Exception, SystemExit) as error:  # a user's factory may fail in any way
        failure = f"{type(error).__name__}: {error}"
        raise ValueError(f"agent {shown_agent(named.text)}: {named.name} failed with {failure}") from error
    if not is_agent(agent):
        raise ValueError(
            f"agent {shown_agent(named.text)}: {named.name} made {shown(agent)}; expected a callable on "
            "(observation, mask), or an object with choose(state, player)"
        )
    return cast(AnyAgent, agent)


def parse_agent(text: str, game: str) -> AgentName:
    """Parse the name of an agent of this game; ValueError if there is no such agent."""
    agents = agents_of(game)
    name, _, rest = text.partition(":")
    if name in agents:
        return AgentName(text, name, _settings(text, rest), own=False)
    attribute, _, rest = rest.partition(":")
    if not name or not attribute or "=" in attribute:
        raise ValueError(
            f"unknown agent {shown(name)}{hint(name, agents)}; there are: {', '.join(sorted(agents))}, "
            "and your own as MODULE:FACTORY"
        )
    return AgentName(text, f"{name}:{attribute}", _settings(text, rest), own=True)


def check_named_by_stranger(text: str, game: str) -> None:
    """Check the name of an agent of this game that a browser or somebody else's file gives, before `make_agent`.

    That may run a module, read files, and send a secret to an address. So a stranger names shipped agents alone, with
    settings that are true, false, or numbers of a size that does not take hours.

    Raises:
        ValueError: anything else. Says what, without a secret.
    """
    agents = agents_of(game)
    if text.partition(":")[0] not in agents:
        raise ValueError(f"no agent {shown_agent(text)} of this game; there are: {', '.join(sorted(agents))}")
    named = parse_agent(text, game)
    for name, value in named.settings.items():
        if not (value is None or isinstance(value, bool | int | float)):
            raise ValueError(f"{named.name}: setting {shown(name)} is no number, and not true or false")
    known = {setting.name: setting for setting in settings_of(agents[named.name])}
    for name, value in named.settings.items():
        if name in known and value is not None and value > known[name].reach:
            raise ValueError(f"{named.name}: {name}: expected at most {known[name].reach:,}, got {shown(value)}")


def shown_agent(text: str) -> str:
    """The name of an agent as a message shows it, without secrets that were written into it."""
    return shown(blanked(text))


def sources_of(texts: Iterable[str], make: Factory, game: Game) -> dict[str, dict[str, str]]:
    """Digests that reveal a changed agent, `{"sources": ...}`, for the settings of a series; `{}` if there are none.

    Each text maps to a SHA-256 of the files behind it: for a user's agent, the Python files of its package or single
    module; for a shipped agent, the network or value that it reads by default; for any agent, the files that its
    settings name. Other imports and reads are not covered, nor are agents made by a function other than `make_agent`.

    Raises:
        ValueError: an unknown agent, or one without a source file.
        ImportError: a package that a shipped agent needs is not installed.
    """
    if make is not make_agent:
        return {}
    sources = {
        text: digest for text in dict.fromkeys(texts) if (digest := _digest_of(parse_agent(text, game.name), game))
    }
    return {"sources": sources} if sources else {}


def _digest_of(named: AgentName, game: Game) -> str | None:
    files = _source_files(named) if named.own else _shipped_files(named, game)
    files += [Path(value) for value in named.settings.values() if isinstance(value, str) and Path(value).is_file()]
    if not files:
        return None
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file.name} {file.stat().st_size} ".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _shipped_files(named: AgentName, game: Game) -> list[Path]:
    """The network and the learned value that a shipped agent reads by default, unless its settings name others.

    It reads a network if it takes a `checkpoint`, or with `network=true`.
    """
    parameters, settings = signature(agents_of(game.name)[named.name]).parameters, named.settings
    judges = settings.get("learned", False) if "learned" in parameters else "value" in parameters
    value: Callable[[int], Path] | None = addition(PACKAGE, game.name, "shipped_value", None)
    files = []
    if (settings.get("network") is True or "checkpoint" in parameters) and "checkpoint" not in settings:
        network = shipped_network(game)
        files += [] if network is None else [network]
    if value is not None and judges and "value" not in settings:
        files.append(value(game.num_players))
    return files


def _source_files(named: AgentName) -> list[Path]:
    """The Python files of a user's agent, sorted by path."""
    module = _module_of(named)
    package = import_module(module.__name__.partition(".")[0])
    files = sorted(file for folder in getattr(package, "__path__", ()) for file in Path(folder).rglob("*.py"))
    files = files or [Path(file) for file in [getattr(module, "__file__", None)] if file and Path(file).is_file()]
    if not files:
        raise ValueError(f"agent {shown_agent(named.text)}: {module.__name__} has no source file to identify it by")
    return files


def _factory(named: AgentName, game: Game) -> Factory:
    if not named.own:
        return agents_of(game.name)[named.name]
    attribute, agent = named.name.partition(":")[2], f"agent {shown_agent(named.text)}"
    factory = getattr(_module_of(named), attribute, None)
    if factory is None:
        raise ValueError(f"{agent}: {_module_of(named).__name__} has no {attribute!r}")
    if not callable(factory):
        raise ValueError(f"{agent}: {named.name} is {shown(factory)}; expected a factory to call")
    return cast(Factory, factory)


def _module_of(named: AgentName) -> ModuleType:
    """The module of a user's agent."""
    module = named.name.partition(":")[0]
    try:
        return import_module(module)
    except (Exception, SystemExit) as error:  # a user's module may fail in any way
        if isinstance(error, ModuleNotFoundError) and f"{module}.".startswith(f"{error.name}."):
            why = "there is no such module in the current folder or among the installed ones"
        else:
            why = f"{type(error).__name__}: {error}"
        raise ValueError(f"agent {shown_agent(named.text)}: module {module!r} cannot be imported: {why}") from error


def _settings(text: str, given: str) -> dict[str, Any]:
    """Parse `"width=32,time_s=0.05"`. A value that is not JSON is text."""
    settings: dict[str, Any] = {}
    for part in filter(None, given.split(",")):
        key, equals, value = part.partition("=")
        if not equals or key in settings:
            expected = f"each setting once, got {shown(key)} twice" if equals else "settings as NAME=VALUE"
            raise ValueError(f"agent {shown_agent(text)}: expected {expected}")
        try:
            settings[key] = json.loads(value)
        except (ValueError, RecursionError):  # not JSON, or too long or too deep for the parser
            settings[key] = value
    return settings
