"""Explain a game: where points or money came from, how win probabilities changed, and which decisions cost most.

    chocofactory explain runs/game.json --play 2 --agents greedy planner  # play a game first
    chocofactory explain runs/game.json --processes 2 --json runs/why.json --plot runs/game.png

`docs/explain.md` explains the output and its limits.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np

import chocofactory_env as cf
from chocofactory_env import Game, GameRecord
from chocofactory_env.agents.by_game import hook
from chocofactory_env.agents.files import write_json
from chocofactory_env.agents.protocol import make_agent
from chocofactory_env.core.command import Command, Natural, Options, OutFile, Picture, Seconds, Seed
from chocofactory_env.core.files import check_writable, write_text
from chocofactory_env.play.export import page_of
from chocofactory_env.play.playing import Playing, Seat
from chocofactory_env.play.thoughts import regret_of

from . import regret
from .games import Entrant, play_game, versions
from .judge import known_judge
from .notes import ARENA
from .options import DEFAULT_GAME, game_for
from .play import results_of
from .regret import (
    DEALS,
    LEAD,
    NOBODY,
    POINTS,
    Decision,
    Estimate,
    Played,
    PlayoutCheck,
    RegretFinder,
    Terms,
    curve_of,
    in_sum,
    largest,
    turns_of,
    when,
)
from .report import fixed, folded, text_table
from .workers import Workers, check_workers

FORMAT = 2  # of the JSON file
SHOWN = 3  # pictures in a notebook


# --- the game


def record_of(game: Game, agents: Sequence[str], deal: int) -> GameRecord:
    """Record the game that `play_game` plays. ValueError for an unknown agent."""
    actions: list[int] = []
    entrants = [Entrant(name, make_agent(name, game)) for name in agents]
    played = play_game(game, entrants, deal, before=lambda state, player, action: actions.append(action))
    return GameRecord.of(game, deal, actions, played.end, agents)


@dataclass(frozen=True)
class Books:
    """The sources of the scores. Lists are by seat."""

    over: bool
    scores: list[int]
    places: list[int]  # 1 = first
    won: list[bool]
    sources: dict[str, list[int]]  # by source, as the game accounts for them
    chapters: list[str]  # days, months, halves
    standings: list[list[int]]  # at the end of each chapter
    objectives: list[dict[str, Any]]  # of a solo game

    @classmethod
    def of(cls, played: Played, game: Any) -> Books:
        steps: list[tuple[Any, int]] = []
        chapters: list[str] = []
        standings: list[list[int]] = []
        end = played.begin(game)
        for state, action in played.steps(game):
            chapter, _ = when(game, state)
            if chapter not in chapters:
                chapters.append(chapter)
                standings.append([])
            steps.append((game.clone(state), action))
            end = game.clone(state)
            game.apply(end, action)
            standings[-1] = game.standings(end).tolist()
        objectives = hook(ARENA, game.name, "OBJECTIVES") if game.num_players == 1 else None
        return cls(
            over=game.is_over(end),
            scores=game.scores(end).tolist(),
            places=(game.ranking(end) + 1).tolist(),
            won=game.won(end).tolist(),
            sources={name: list(amounts) for name, amounts in game.accounts(steps, end).items()},
            chapters=chapters,
            standings=np.array(standings, int).reshape(len(chapters), game.num_players).T.tolist(),
            objectives=objectives(game, end) if objectives else [],
        )


# --- the explanation


@dataclass
class Explanation:
    """All findings about a game; `interrupted` if it was stopped before they were complete."""

    game: Game
    played: Played
    terms: Terms
    books: Books
    curve: list[tuple[int, list[float]]]  # see `regret.curve_of`
    planned: int  # decisions that were not forced
    decisions: list[Decision] = field(default_factory=list)  # examined so far
    top: list[Decision] = field(default_factory=list)  # the largest regrets
    interrupted: bool = False

    def text(self) -> str:
        books, names = self.books, self.played.names
        account = objective_table(books) if books.objectives else account_table(books, names)
        parts = [self._headline(), account, standing_table(books, names), self._curve_table()]
        if self.decisions:
            parts += [self._regret_table(), *([self._top_table()] if self.top else [])]
        if self.interrupted:
            parts.append(self._stopped())
        return "\n\n".join(parts)

    def _headline(self) -> str:
        if not self.books.over:
            return f"Deal {self.played.deal}, left before its end"
        winners = [self._seat(seat) for seat, won in enumerate(self.books.won) if won]
        return f"Deal {self.played.deal}, " + (f"won by {' and '.join(winners)}" if winners else "lost")

    def _curve_table(self) -> str:
        whens = {number: when(self.game, state)[0] for number, (state, _) in enumerate(self.played.steps(self.game))}
        rows = [
            [str(number), whens.get(number, "end"), *(f"{chance:.0f}" for chance in chances)]
            for number, chances in self.curve
        ]
        return text_table(["action", "when", *(f"chance of player {seat}" for seat in self._seats)], rows)

    @property
    def _seats(self) -> range:
        return range(self.game.num_players)

    def _stopped(self) -> str:
        if len(self.decisions) == self.planned:
            return "stopped before all of these were played out"
        return f"stopped after {len(self.decisions)} of {self.planned} decisions; regrets are of these alone"

    def _seat(self, seat: int) -> str:
        name = self.played.names[seat]
        return f"player {seat}" + ("" if name == NOBODY else f" ({name})")

    @property
    def _lead(self) -> str:
        return "objectives" if self.game.num_players == 1 else "lead"

    def _regret_table(self) -> str:
        rows = []
        for seat, name in enumerate(self.played.names):
            mine = [one for one in self.decisions if one.player == seat]
            for phase in [*dict.fromkeys(one.phase for one in mine), "all"]:
                some = [one for one in mine if phase in (one.phase, "all")]
                rows.append([str(seat), name, phase, *self._regret_cells(some)])
        head = ["player", "agent", "phase", "decisions", "regretted", "regret", "a decision", self._lead]
        return text_table(head, rows)

    def _regret_cells(self, some: Sequence[Decision]) -> list[str]:
        regret, lead = (in_sum(some, self.terms.deals, what) for what in (POINTS, LEAD))
        better = sum(one.gains is not None for one in some)
        return [str(len(some)), str(better), str(regret), f"{regret.mean / max(1, len(some)):+.2f}", str(lead)]

    def _top_table(self) -> str:
        head = ["action", "when", "phase", "player", "agent", "played", "better", "regret", self._lead, "played out"]
        return text_table(head, [self._top_cells(one) for one in self.top])

    def _top_cells(self, one: Decision) -> list[str]:
        assert one.lines is not None
        assert one.gains is not None
        seat = [str(one.player), self.played.names[one.player]]
        words = [self.game.describe(action) for action in (one.played, one.lines[0][0])]
        lead = Estimate.of(one.gains[:, LEAD])
        out = "–" if one.played_out is None else str(Estimate.of(one.played_out[:, POINTS]))
        return [str(one.number), one.chapter, one.phase, *seat, *words, str(one.regret), str(lead), out]

    def _repr_html_(self) -> str:
        """The text, and below it the positions of the largest regrets."""
        tops = {one.number: one for one in self.top[:SHOWN]}
        scenes = {
            number: cf.scene_of(self.game, state, tops[number].player)
            for number, (state, _) in enumerate(self.played.steps(self.game))
            if number in tops
        }
        pictures = [
            folded(f"Before action {number}, {self.game.describe(one.played)}", cf.draw(scenes[number]))
            for number, one in tops.items()
        ]
        return fixed(self.text()) + "".join(pictures)

    def draw(self, path: Path) -> None:
        """Draw win probabilities, standings after every day, month or half, and regrets."""
        from . import plots

        books, seats = self.books, self._seats
        ends = [number for number, _ in self.curve]
        plots.draw_game(
            books.chapters,
            (ends, {self._seat(seat): [chances[seat] for _, chances in self.curve] for seat in seats}),
            {self._seat(seat): books.standings[seat] for seat in seats},
            {self._seat(seat): [self._regret_of(seat, chapter) for chapter in books.chapters] for seat in seats},
            path,
        )

    def _regret_of(self, seat: int, chapter: str) -> Estimate:
        some = [one for one in self.decisions if (one.player, one.chapter) == (seat, chapter)]
        return in_sum(some, self.terms.deals, POINTS)

    def page(self) -> str:
        """The replay as one HTML file, with the curve and the decisions (`play.export`)."""
        names = [name if name != NOBODY else f"Player {seat}" for seat, name in enumerate(self.played.names)]
        seats = [Seat(name) for name in unique(names)]
        replay = Playing(self.game, self.played.deal, seats, self.played.actions)
        curve = [{"at": number, "chances": chances} for number, chances in self.curve]
        worst = [(one.number, one.lines, one.gains) for one in self.top if one.lines is not None]
        replay.analysis = {"curve": curve, "regrets": [regret_of(replay, regret, *one) for one in worst]}
        return page_of(replay)

    def to_dict(self) -> dict[str, Any]:
        """JSON-able data, determined by the game and the terms."""
        return {
            "format": FORMAT,
            "settings": {
                "game": self.game.name,
                "options": dict(self.game.options),
                "deck": self.game.deck_hash,
                "rules": self.game.rules_version,
                "seed": self.played.deal,
                "agents": list(self.played.names),
                "terms": asdict(self.terms),
                "versions": versions(),
            },
            "interrupted": self.interrupted,
            "result": asdict(self.books),
            "curve": [{"action": number, "chances": chances} for number, chances in self.curve],
            "planned": self.planned,
            "top": [one.number for one in self.top],
            "decisions": [self._plain(one) for one in self.decisions],
        }

    def _plain(self, one: Decision) -> dict[str, Any]:
        return {
            "number": one.number,
            "chapter": one.chapter,
            "phase": one.phase,
            "player": one.player,
            "played": self.game.describe(one.played),
            "better": None if one.lines is None else [self.game.describe(action) for action in one.lines[0]],
            "other": None if one.lines is None else [self.game.describe(action) for action in one.lines[1]],
            "gains": None if one.gains is None else one.gains.tolist(),
            "played_out": None if one.played_out is None else one.played_out.tolist(),
        }


def unique(names: Sequence[str]) -> list[str]:
    return [f"{name} (seat {seat})" if names.count(name) > 1 else name for seat, name in enumerate(names)]


def account_table(books: Books, names: Sequence[str]) -> str:
    rows = []
    for seat, (name, place) in enumerate(zip(names, books.places, strict=True)):
        by_source = [amounts[seat] for amounts in books.sources.values()]
        place_words = str(place) if books.over else NOBODY
        rows.append([str(seat), name, place_words, *map(str, by_source), str(sum(by_source))])
    return text_table(["player", "agent", "place", *books.sources, "together"], rows)


def standing_table(books: Books, names: Sequence[str]) -> str:
    """The standings at the end of each chapter, as text."""
    rows = [[str(seat), names[seat], *map(str, standings)] for seat, standings in enumerate(books.standings)]
    return text_table(["player", "agent", *books.chapters], rows)


def objective_table(books: Books) -> str:
    rows = [
        [
            one["objective"].replace("_", " "),
            in_words(one["asked_for"]),
            in_words(one["there_is"]),
            "yes" if one["satisfied"] else "no",
        ]
        for one in books.objectives
    ]
    return text_table(["objective", "asked for", "there is", "satisfied"], rows)


def in_words(numbers: Mapping[str, int] | None) -> str:
    """Counts as `2 small, 1 any`, without zeros."""
    if numbers is None:
        return ""
    return ", ".join(f"{number} {what}".strip() for what, number in numbers.items() if number) or "0"


def explain(
    played: Played,
    terms: Terms,
    *,
    top: int = 10,
    seconds: float | None = None,
    progress: bool = True,
    **workers: Unpack[Workers],
) -> Explanation:
    """Examine every unforced decision, and play out those with the largest regret.

    Ctrl-C, or the end of `seconds`, ends it early with the findings so far. ValueError for an unknown search.
    """
    from tqdm import tqdm

    check_workers(explain, workers)
    game = played.load()
    if terms.search is not None:
        make_agent(terms.search, game)
    judge = RegretFinder(played, terms).judges[DEALS]  # not the one sent to workers, as compiled code stays here
    turns, curve = turns_of(played, judge), curve_of(played, judge)
    explanation = Explanation(game, played, terms, Books.of(played, game), curve, planned=sum(map(len, turns)))
    seen: dict[int, Decision] = {}
    until = None if seconds is None else time.monotonic() + seconds
    try:
        with tqdm(total=explanation.planned, unit="decision", disable=not progress) as bar:
            tasks = [{"turn": turn} for turn in range(len(turns))]
            for task, record in results_of(RegretFinder(played, terms), tasks, **workers):
                turn = task["turn"]
                seen |= {one.number: one for one in turns[turn]}
                for number, lines, gains in record["regretted"]:
                    seen[number] = replace(seen[number], lines=lines, gains=np.array(gains))
                bar.update(len(turns[turn]))
                if until is not None and time.monotonic() > until:
                    explanation.interrupted = len(seen) < explanation.planned
                    break
        checked = top if terms.check and not explanation.interrupted else 0
        again = {one.number: one.lines for one in largest(seen.values(), checked) if one.lines}
        with tqdm(total=len(again), unit="played out", disable=not (progress and again)) as bar:
            tasks = [{"decision": number} for number in again]
            for task, record in results_of(PlayoutCheck(played, terms, again), tasks, **workers):
                number = task["decision"]
                seen[number] = replace(seen[number], played_out=np.array(record["gains"]))
                bar.update()
    except KeyboardInterrupt:
        explanation.interrupted = True
    explanation.decisions = [seen[number] for number in sorted(seen)]
    explanation.top = largest(explanation.decisions, top)
    return explanation


# --- the command


def explain_record(
    record: Path,
    terms: Terms,
    *,
    agents: Sequence[str] = (),
    play: Seed | None = None,
    game: str = DEFAULT_GAME,
    option: Options = {},  # noqa: B006
    deck: Path | None = None,
    top: Natural = 10,
    seconds: Seconds | None = None,
    json: OutFile | None = None,
    plot: Picture | None = None,
    page: OutFile | None = None,
    progress: bool = True,
    **workers: Unpack[Workers],
) -> Explanation:
    """Explain a recorded game: where the scores came from, and which decisions cost most.

    Args:
        record: file of the game's record; with `play`, the game is written to it first.
        terms: how decisions are judged.
        agents: one for each seat, as `expert` or `my_agents:Hasty`.
        play: let the agents play the deal of this seed first.
        game: name of the game to play.
        option: an option of that game; repeat it for more.
        deck: TOML file of your own deck.
        top: number of decisions to list.
        seconds: limit on the time to examine decisions.
        json: write everything to this file.
        plot: draw chances, standings and regrets into this .svg or .png.
        page: write the replay with all this as one .html file.
        progress: whether to show a progress bar.
        workers: see `Workers`.

    Raises:
        ValueError, TypeError, OSError: there is no such game or agent, nobody judges it, or the record is damaged.
    """
    if play is not None:
        if not agents:
            raise ValueError("--play needs --agents, one a seat")
        check_writable(record)
        played = game_for(agents, game, {**option, **({} if deck is None else {"deck": str(deck)})})
        known_judge(played.name)
        record_of(played, agents, play).write(record)
    one = Played.of(GameRecord.read(record), agents, deck)
    explanation = explain(one, terms, top=top, seconds=seconds, progress=progress, **workers)
    if json:
        write_json(json, explanation.to_dict())
    if plot:
        explanation.draw(plot)
    if page:
        write_text(page, explanation.page())
    return explanation


COMMAND = Command(
    "chocofactory explain",
    explain_record,
    (
        "game.json --play 7 --agents expert random",
        "game.json --play 7 --game schoko --agents expert manager manager",
        "game.json --search expert --plot game.svg",
    ),
    positional=("record",),
    parts={"terms": Terms},
    given={"progress": True},
    tell=lambda explanation: print(explanation.text()),
)
main = COMMAND.run

if __name__ == "__main__":
    main()
