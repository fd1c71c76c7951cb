"""Layouts: named blocks and verbs to flat numbers and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from chocofactory_env.core.observation.layout import ActionLayout, Block, ObservationLayout, merged_layout


def layout() -> ObservationLayout:
    return ObservationLayout([Block("a", (2, 3), 4, ""), Block("b", (), 2, ""), Block("c", (5,), 1, "")])


def test_a_tensor_that_is_not_there_is_named_with_the_one_that_was_meant() -> None:
    tensors = ObservationLayout([Block("coal", (2,), 9, "")]).tensors(np.zeros(2, np.uint8))
    with pytest.raises(KeyError, match=r"no tensor is named 'coals' \(did you mean 'coal'\?\)"):
        tensors["coals"]
    assert "coals" not in tensors
    assert tensors.get("coals") is None


def test_tensors_print_names_shapes_and_dtype() -> None:
    one = layout().tensors(np.zeros(12, np.float32))
    assert repr(one) == "Tensors(float32 (12,): a (2, 3), b (), c (5,))"
    batch = layout().tensors(np.zeros((7, 12), np.uint8))
    assert repr(batch) == "Tensors(uint8 (7, 12): a (7, 2, 3), b (7,), c (7, 5))"
    many = ObservationLayout([Block(f"block_{number}", (1,), 1, "") for number in range(10_000)])
    text = repr(many.tensors(np.zeros(10_000, np.float32)))
    assert len(text) < 2_000
    assert text.endswith(" more)")


def wide_layout() -> ObservationLayout:
    return ObservationLayout([Block("a", (2,), 255, ""), Block("b", (2, 2), 256, ""), Block("c", (), 65535, "")])


def test_entries_of_wide_blocks_take_two_bytes() -> None:
    assert [block.wide for block in wide_layout().blocks] == [False, True, True]
    assert (wide_layout().size, wide_layout().raw_size, wide_layout().narrow) == (7, 12, 2)
    assert wide_layout().offsets.tolist() == [0, 2, 6]
    assert wide_layout().raw_offsets.tolist() == [0, 2, 10]
    assert wide_layout().offset_of == {"a": 0, "b": 2, "c": 10}
    assert wide_layout().high_of == {"a": 255, "b": 256, "c": 65535}
    assert wide_layout().high.tolist() == [255] * 2 + [256] * 4 + [65535]
    assert wide_layout().raw_high.tolist() == [255] * 2 + [255, 1] * 4 + [255, 255]
    assert wide_layout().raw_high.dtype == np.uint8
    assert (layout().raw_size, layout().raw_high.tolist()) == (layout().size, layout().high.tolist())
    assert layout().narrow == layout().size


@pytest.mark.parametrize("batch", [(), (3,), (2, 3)])
def test_raw_numbers_are_read_and_scaled(batch: tuple[int, ...]) -> None:
    raw = np.zeros((*batch, 12), np.uint8)
    raw[...] = [7, 255, 0, 0, 1, 0, 255, 0, 0, 1, 254, 255]
    numbers: dict[str, Any] = {"a": [7, 255], "b": [[0, 1], [255, 256]], "c": 255 * 256 + 254}
    named = wide_layout().tensors(raw)
    for name, expected in numbers.items():
        assert named[name].shape == batch + np.shape(expected)
        assert (named[name] == np.array(expected)).all()
    scaled = wide_layout().scaled(raw)
    assert scaled.shape == (*batch, 7)
    assert scaled.dtype == np.float32
    for (name, tensor), high in zip(wide_layout().tensors(scaled).items(), (255, 256, 65535), strict=True):
        assert tensor.shape == named[name].shape
        assert (tensor == named[name] * np.float32(1 / high)).all()
    assert scaled.max() == 1


def test_raw_tensors_share_the_memory_of_the_bytes() -> None:
    raw = np.zeros((3, 12), np.uint8)
    named = wide_layout().tensors(raw)
    named["b"][1, 1, 0] = 0x102
    named.row(2)["c"][...] = 0xFFFE
    assert raw[1].tolist() == [0] * 6 + [2, 1] + [0] * 4
    assert raw[2].tolist() == [0] * 10 + [0xFE, 0xFF]


def test_wide_blocks_come_last() -> None:
    with pytest.raises(ValueError, match=r"^blocks with a high above 255 come last: wide, broad$"):
        ObservationLayout([Block("wide", (1,), 256, ""), Block("a", (1,), 255, ""), Block("broad", (1,), 999, "")])


@pytest.mark.parametrize("high", [-1, 0, 65536])
def test_a_high_that_no_entry_can_have_is_refused(high: int) -> None:
    with pytest.raises(ValueError, match=f"block a: expected a high of 1 to 65535, got {high}"):
        Block("a", (1,), high, "")


def test_names_must_be_unique() -> None:
    with pytest.raises(ValueError, match="unique"):
        ObservationLayout([Block("a", (1,), 1, ""), Block("a", (1,), 1, "")])


def test_every_action_is_encoded_and_decoded_and_nothing_else() -> None:
    actions = ActionLayout([("take", 3), ("stop", 1), ("make", 2)])
    moves = [("take", 0), ("take", 1), ("take", 2), ("stop", 0), ("make", 0), ("make", 1)]
    assert [actions.decode(action) for action in range(actions.size)] == moves
    assert [actions.encode(*move) for move in moves] == list(range(6))
    assert actions.encode("stop") == 3
    for action in (-1, 6):
        with pytest.raises(IndexError, match=r"0\.\.5"):
            actions.decode(action)
    for argument in (-1, 3):
        with pytest.raises(IndexError, match=r"0\.\.2"):
            actions.encode("take", argument)
    with pytest.raises(KeyError):
        actions.encode("fly")


def test_a_block_is_made_from_its_axes() -> None:
    assert Block.of("day", [], 6, "1 to 6") == Block("day", (1,), 6, "1 to 6")
    kinds, seats = ("nuts", "milk"), ("seat", 3)
    assert Block.of("own", [], 9, "", kinds, private=True) == Block("own", (2,), 9, "", kinds, private=True)
    assert Block.of("goods", [seats, ("store",)], 9, "", kinds) == Block(
        "goods", (3, 1, 2), 9, "", kinds, axes=("seat", ("store",))
    )


def test_blocks_are_merged_by_name() -> None:
    seats = Block("seats", (2, 3), 4, "", axes=("seat", "store"))
    one = ObservationLayout([Block("day", (1,), 6, ""), seats])
    assert merged_layout(one, one) is one
    more = Block("seats", (4, 3), 5, "", axes=("seat", "store"))
    both = merged_layout(one, ObservationLayout([more, Block("new", (2,), 1, ""), Block("wide", (1,), 500, "")]))
    assert [(block.name, block.shape, block.high) for block in both.blocks] == [
        ("day", (1,), 6),
        ("seats", (4, 3), 5),
        ("new", (2,), 1),
        ("wide", (1,), 500),
    ]
    named = Block("kinds", (2,), 1, "", entries=("nuts", "milk"))
    for known, other, message in (
        (one.blocks[0], Block("day", (1, 1), 6, ""), "expected a number of axes of 1, got 2"),
        (seats, Block("seats", (2, 5), 4, ""), r"expected rows of shape \(3,\), got \(5,\)"),
        (one.blocks[0], Block("day", (1,), 600, ""), "expected wide to be False, got True"),
        (one.blocks[0], Block("day", (1,), 6, "", private=True), "expected private to be False, got True"),
        (one.blocks[0], Block("day", (1,), 6, "", clipped=True), "expected clipped to be False, got True"),
        (named, Block("kinds", (3,), 1, "", entries=("nuts", "rum", "milk")), "expected the entry 'milk', got 'rum'"),
    ):
        with pytest.raises(ValueError, match=f"^block {known.name} of its observations: {message}$"):
            merged_layout(ObservationLayout([known]), ObservationLayout([other]))
