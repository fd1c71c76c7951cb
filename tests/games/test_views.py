"""The tree of a position: every choice once, nothing hidden, and in words everything that the seat observes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
from all_games import EVERY_VARIANT, load, looked_at

from chocofactory_env.view.tree import Item, Tree

STRIDE = 23


def items_of(tree: Tree, role: str = "") -> Iterator[Item]:
    for group in tree.groups:
        if role in ("", group.role):
            for row in group.rows:
                for item in row.items:
                    yield from with_inner(item)


def with_inner(item: Item) -> Iterator[Item]:
    yield item
    for inner in item.items:
        yield from with_inner(inner)


@EVERY_VARIANT
def test_every_choice_is_offered_once_and_to_nobody_else(name: str, options: dict[str, Any]) -> None:
    game = load(name, **options)
    for _, state, action in looked_at(game, 3, STRIDE):
        legal = Counter(np.flatnonzero(game.legal_mask(state)).tolist()) if action >= 0 else Counter[int]()
        for viewer in (None, *range(game.num_players)):
            tree = game.view(state, viewer)
            expected = legal if viewer == game.current_player(state) else Counter[int]()
            offered = Counter(item.action for item in items_of(tree, "choose") if item.action is not None)
            assert offered == expected
            assert {item.action for item in items_of(tree)} - {None} == set(expected)


@EVERY_VARIANT
def test_hidden_cards_change_nothing(name: str, options: dict[str, Any]) -> None:
    game = load(name, **options)
    for number, state, _ in looked_at(game, 4, STRIDE):
        for seat in range(game.num_players):
            dealt = game.redeal(state, seat, number)
            for viewer in (None, seat):
                assert game.view(dealt, viewer) == game.view(state, viewer)


@EVERY_VARIANT
def test_faces_have_only_signs_of_the_tree_and_names_are_whole(name: str, options: dict[str, Any]) -> None:
    game = load(name, **options)
    for _, state, _ in looked_at(game, 5, 3 * STRIDE):
        tree = game.view(state, 0)
        assert len({group.id for group in tree.groups}) == len(tree.groups)
        for item in items_of(tree):
            assert item.name
            for word in (*item.tail, *(word for line in item.face for word in line)):
                assert not word.startswith(":") or word[1:] in tree.signs, item


@EVERY_VARIANT
def test_pictures_show_every_item_by_its_name(name: str, options: dict[str, Any]) -> None:
    """So picture, text and prompt name the same things; only signs are explained where there is room for it."""
    game = load(name, **options)
    for _, state, _ in looked_at(game, 6, 3 * STRIDE):
        tree = game.view(state, 0)
        rows = [row for group in tree.groups for row in group.rows]
        explained = {item.name for row in rows if row.kind == "legend" for item in row.items}
        labels = {row.label for row in rows}
        for picture in (game.scene(state, 0), game.panels(state, 0)):
            shown = {thing.name for panel in picture.panels for thing in panel.things}
            assert shown - labels <= {item.name for item in items_of(tree)}
            assert {item.name for item in items_of(tree)} - explained <= shown


# --- the text has what the seat observes


def asked(game: Any, state: np.ndarray, seat: int) -> tuple[str, bytes]:
    """The words for a seat and its observation, when it is asked."""
    masks = np.empty((game.num_players, game.num_actions + 1), np.int8)
    game.write_joint_masks(state, masks)
    seen = game.clone(state)
    if masks[seat, :-1].any():
        game.ask_seat(seen, seat)
    raw = np.empty(game.observation_layout.raw_size, np.uint8)
    game.write_raw_observation(seen, seat, raw)
    return game.render(seen, seat), raw.tobytes()


@EVERY_VARIANT
def test_positions_that_read_alike_are_observed_alike(name: str, options: dict[str, Any]) -> None:
    """Of whole games, and of what each legal action would have led to instead."""
    game, observed = load(name, **options), dict[tuple[int, str], bytes]()
    for _, state, action in looked_at(game, 7, 7):
        reached = [state]
        for other in np.flatnonzero(game.legal_mask(state)).tolist() if action >= 0 else ():
            reached.append(game.clone(state))
            game.apply(reached[-1], other)
        for each in reached:
            for seat in range(game.num_players):
                words, raw = asked(game, each, seat)
                assert observed.setdefault((seat, words), raw) == raw
