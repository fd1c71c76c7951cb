"""Tell results: tables as text, Markdown and HTML, numbers with their intervals, and the order of agents in words.

Pages are templates of Jinja, in `templates/`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from .play import Json
from .table import POWER, cycles, games_to_separate, ranked

# --- pages


def render(template: str, **values: Any) -> str:
    """The page `templates/<template>.j2`, filled with these values."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    pages = FileSystemLoader(Path(__file__).parent / "templates")
    environment = Environment(  # pages are Markdown
        loader=pages, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    return environment.get_template(f"{template}.j2").render(values)


# --- tables


def text_table(head: Sequence[str], rows: Iterable[Sequence[str]], text_columns: Sequence[int] = (0,)) -> str:
    """A table as text. Columns not listed as text are right-aligned numbers."""
    lines = [head, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    sides = ["<" if column in text_columns else ">" for column in range(len(head))]
    form = "  ".join(f"{{:{side}{width}}}" for side, width in zip(sides, widths, strict=True))
    return "\n".join(form.format(*line).rstrip() for line in lines)


CODE: Final = r"(?<!`)`\w[\w .,:=/+-]*`(?!`)"
MARKS: Final = r"[\\`*{}\[\]<>#!|&~$^@]|(?<![^\W_])_|_(?![^\W_])"  # an underscore inside a word is none


def as_text(text: str) -> str:
    """Somebody else's text in Markdown, in which nothing but simple code has a meaning for Markdown or HTML."""
    return re.sub(f"({CODE})|{MARKS}", lambda found: found[1] or f"&#{ord(found[0])};", text)


def as_code(text: str) -> str:
    """Somebody else's text as code in Markdown; as plain text if it would not stay inside."""
    return as_text(text) if re.search(r"[`<\\]", text) or not text.strip() else f"`{text}`"


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]], text_columns: Sequence[int] = (0,)) -> list[str]:
    """The lines of a Markdown table. Columns not listed as text are right-aligned numbers."""
    rule = ["---" if column in text_columns else "---:" for column in range(len(head))]
    lines = [[cell.replace("|", r"\|") for cell in cells] for cells in (head, rule, *rows)]
    return ["| " + " | ".join(cells) + " |" for cells in lines]


def html_table(head: Sequence[str], rows: Iterable[Sequence[str]], text_columns: Sequence[int] = (0,)) -> str:
    """A table. Columns not listed as text hold numbers and are right-aligned."""

    def line(cells: Sequence[str], tag: str) -> str:
        sides = ["left" if column in text_columns else "right" for column in range(len(cells))]
        drawn = (f'<{tag} align="{side}">{escape(cell)}</{tag}>' for cell, side in zip(cells, sides, strict=True))
        return f"<tr>{''.join(drawn)}</tr>"

    return f"<table>{line(head, 'th')}{''.join(line(cells, 'td') for cells in rows)}</table>"


def fixed(text: str) -> str:
    """Preformatted text."""
    return f"<pre>{escape(text)}</pre>"


def folded(title: str, drawn: str) -> str:
    """HTML or SVG folded below a title."""
    return f"<details><summary>{escape(title)}</summary>{drawn}</details>"


# --- numbers


def percent(rate: float, interval: Sequence[float]) -> str:
    """A win rate with its interval, as text."""
    return "{:.1%} [{:.1%}, {:.1%}]".format(rate, *interval)


def around(value: float, interval: Sequence[float]) -> str:
    """A number ± half of its interval."""
    return f"{value:.1f} ± {(interval[1] - interval[0]) / 2:.1f}"


def signed(value: float, interval: Sequence[float] | None) -> str:
    return f"{value:+.1f}" + bounds(interval, "{:+.1f}")


def bounds(interval: Sequence[float] | None, form: str) -> str:
    return "" if interval is None else f" [{form.format(interval[0])}, {form.format(interval[1])}]"


def speed(decisions_per_second: float | None) -> str:
    return "–" if decisions_per_second is None else f"{decisions_per_second:,.0f}"


# --- a tournament's result


def agent_table(found: Json, score: str) -> tuple[list[str], list[list[str]]]:
    """The head and the rows of the table of agents, best rating first."""
    points = {rating["agent"]: signed(rating["points"], rating["interval"]) for rating in found["ratings"]}
    agents = {one["agent"]: one for one in found["agents"]}
    rows = [
        [agent, points[agent], *cells_of(agents[agent]), speed(found["decisions_per_second"][agent])]
        for agent in ranked(found["ratings"])
    ]
    return ["agent", "rating", "games", "games won", score, "place", "decisions/s"], rows


def cells_of(agent: Json) -> list[str]:
    """The cells of games, games won, score, and place."""
    won = percent(agent["win_rate"], agent["win_rate_interval"])
    score = f"{agent['score']:.1f}" + bounds(agent["score_interval"], "{:.1f}")
    return [str(agent["games"]), won, score, f"{agent['place']:.2f}"]


def pairing_table(found: Json, score: str) -> str:
    rows = []
    for pairing in found["pairings"]:
        first, second = pairing["sides"]
        rows.append(
            [
                f"{first['agent']} – {second['agent']}",
                *cells_of(first)[:2],
                f"{first['score']:.1f} – {second['score']:.1f}",
                signed(pairing["difference"], pairing["difference_interval"]),
                "–" if pairing["more_games"] is None else f"{pairing['more_games']:,}",
            ]
        )
    return text_table(["pairing", "games", "first won", score, "difference", "games until scores differ"], rows)


def one_versus_rest_table(found: Json, score: str) -> str:
    rows = [
        [f"{one['alone']['agent']} among {one['others']}", *cells_of(one["alone"]), f"{one['even']:.1%}"]
        for one in found["one_versus_rest"]
    ]
    return text_table(["one alone", "games", "games won", score, "place", "as good as others"], rows)


SOLUTIONS: Final = ("agent", "Nash weight", "games won against it", "alpha-rank")


def solution_rows(found: Mapping[str, Any]) -> list[list[str]]:
    """Table cells under SOLUTIONS, best rating first; empty without solutions."""
    by_agent = {one["agent"]: one for one in found.get("solutions", ())}
    names = ("nash", "against_nash", "alpha_rank")
    return [
        [agent, *(_share(by_agent[agent][name], by_agent[agent][f"{name}_interval"]) for name in names)]
        for agent in (ranked(found["ratings"]) if by_agent else ())
    ]


def _share(value: float, interval: Sequence[float]) -> str:
    return f"{100 * value:.0f} % [{100 * interval[0]:.0f}, {100 * interval[1]:.0f}]"


def circles(found: Mapping[str, Any]) -> str:
    """A sentence about the cycles."""
    names = ["` > `".join([*cycle, cycle[0]]) for cycle in cycles(found)]
    if not names:
        return "No three agents beat each other in a circle."
    return f"In a circle: {', '.join(f'`{each}`' for each in names)}."


# --- the order of agents

AHEAD, LEVEL, BEHIND = ">", "≈", "<"
LEGEND = (
    f"`{AHEAD}`: the first won more than half of the games between the two, and the 95 % interval lies above 50 %. "
    f"`{LEVEL}`: the interval contains 50 %, so the difference is not significant. "
    f"`{BEHIND}`: the first has the higher rating, but loses to the second. *N more would separate them*: with N more "
    f"games the difference becomes significant with a probability of {100 * POWER:.0f} %, if the win rate stays."
)


@dataclass(frozen=True)
class Step:
    """Two neighbours in the rating, higher one first, and its share of the games between them."""

    agent: str
    other: str
    games: int
    win_rate: float
    low: float
    high: float

    @property
    def sign(self) -> str:
        if self.low > 0.5:
            return AHEAD
        return BEHIND if self.high < 0.5 else LEVEL

    @property
    def more_games(self) -> int | None:
        """See `games_to_separate`."""
        return 0 if self.sign != LEVEL else games_to_separate(self.win_rate, self.games)

    def __str__(self) -> str:
        rate = f"{100 * self.win_rate:.1f} % [{100 * self.low:.1f}, {100 * self.high:.1f}]"
        more = f" (about {self.more_games:,} more would separate them)" if self.more_games else ""
        return f"`{self.agent}` wins {rate} of {self.games} games against `{self.other}`{more}"


def steps_of(result: Mapping[str, Any]) -> list[Step]:
    """The pairs of neighbours, from the top of the rating."""
    sides = {}
    for pairing in result["pairings"]:
        one, other = pairing["sides"]
        sides[one["agent"], other["agent"]] = pairing["games"], one
        sides[other["agent"], one["agent"]] = pairing["games"], other
    steps = []
    for agent, other in pairwise(ranked(result["ratings"])):
        games, side = sides[agent, other]
        steps.append(Step(agent, other, games, side["win_rate"], *side["win_rate_interval"]))
    return steps


def sentences(steps: Sequence[Step]) -> str:
    """The order of agents in words, then the first step, and every insignificant or contradictory one."""
    order = "".join(f" {step.sign} `{step.other}`" for step in steps)
    named = [step for number, step in enumerate(steps) if number == 0 or step.sign != AHEAD]
    return " ".join([f"`{steps[0].agent}`{order}.", *(f"{step}." for step in named)])
