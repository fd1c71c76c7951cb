"""Networks: every block counts, every parameter learns, one network plays any number of players, others are refused."""

from __future__ import annotations

import json
import random
import resource
import struct
from pathlib import Path
from shutil import copyfile
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from chocofactory_decks import any_deck, order, write_deck
from chocofactory_games import VARIANTS, load, variant_name
from damaged_decks import write
from safetensors.torch import save_file

import chocofactory_env as cf
from chocofactory_env.agents.learned import LearnedAgent
from chocofactory_env.agents.networks import threads
from chocofactory_env.agents.networks.checkpoint import (
    FORMAT,
    CheckpointError,
    about_network,
    digest_of,
    load_checkpoint,
    save_checkpoint,
    save_network,
)
from chocofactory_env.agents.networks.network import Network, make_network, masked
from chocofactory_env.arena.games import Entrant, play_game
from chocofactory_env.core.observation.layout import places_in
from chocofactory_env.games.chocofactory.layout import completed_blocks, observation_layout
from chocofactory_env.games.chocofactory.search.afterstates import room_beside

EVERY = pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
SMALL: dict[str, Any] = {"kind": "afterstates", "width": 8, "trunk": 8}
NO_FIT = r"net\.safetensors: trained for .*; it does not fit chocofactory"
KINDS = pytest.mark.parametrize("kind", ["mlp", "afterstates"])


class Decisions(NamedTuple):
    """K decisions: raw observations (K, R), masks (K, A), positions (K,), and seats (K,)."""

    raw: torch.Tensor
    masks: torch.Tensor
    states: np.ndarray
    seats: np.ndarray

    def of(self, rows: Any) -> Decisions:
        return Decisions(self.raw[rows], self.masks[rows], self.states[rows], self.seats[rows])

    def seen(self, network: Network, rules: cf.RowRules | None = None) -> torch.Tensor:
        return network.see(self.raw, self.states, self.seats, rules)


def decisions_in(game: cf.Game, number: int) -> Decisions:
    """Decisions from all over random games, of all seats that act at once."""
    batch = cf.make_batch(game, number, scaled=False)
    step, choose, found = batch.reset(seed=1), cf.LegalSampler(1), []
    each = game.num_players if game.simultaneous else 1
    for at in range(400):
        if at % 7 == 0:
            seats = np.tile(np.arange(each), number) if game.simultaneous else step.current_player.copy()
            masks = step.action_masks[..., : game.num_actions].reshape(-1, game.num_actions).copy()
            raw = step.observations.reshape(len(masks), -1).copy()
            found.append((raw, masks, np.repeat(batch.states, each), seats.astype(np.int32)))
        step = batch.step(choose(step.action_masks))
    raw, masks, states, seats = map(np.concatenate, zip(*found, strict=True))
    return Decisions(torch.from_numpy(raw), torch.from_numpy(masks), states, seats).of(masks.any(-1))


@KINDS
def test_a_widened_network_plays_as_before_and_all_of_it_learns(kind: str) -> None:
    game = load(num_players=2)
    torch.manual_seed(1)
    narrow, wide = make_network(game, kind, width=8), make_network(game, kind, width=20)
    for parameter in narrow.parameters():
        torch.nn.init.normal_(parameter, std=0.1)
    wide.widen(narrow)
    some = decisions_in(game, 16).of(slice(64))
    seen, masks = some.seen(narrow), some.masks
    before, after = narrow(seen), wide(seen)
    assert torch.allclose(masked(before.logits, masks).exp(), masked(after.logits, masks).exp(), atol=1e-6)
    assert torch.allclose(before.value, after.value, atol=1e-6)
    optimiser = torch.optim.SGD(wide.parameters(), 0.1)
    for _ in range(2):  # what reads the new units learns first, then they do
        output = wide(seen)
        optimiser.zero_grad()
        (masked(output.logits, masks).exp().square().sum() + output.value.square().sum()).backward()
        optimiser.step()
    shapes = {name: parameter.shape for name, parameter in narrow.named_parameters()}
    for name, parameter in wide.named_parameters():
        assert parameter.grad is not None
        new = parameter.grad[shapes[name][0] :]
        assert new.numel() == 0 or new.abs().sum() > 0, name
    others = [make_network(game, kind, width=4), make_network(game, {"mlp": "afterstates"}.get(kind, "mlp"))]
    if kind == "mlp":  # with room for other observations, in other places
        others.append(make_network(game, kind, width=20, players=4))
    for other in others:
        with pytest.raises(ValueError, match="cannot take over"):
            other.widen(narrow)


@EVERY
@KINDS
def test_every_parameter_learns(options: dict[str, Any], kind: str) -> None:
    game = load(**options)
    torch.manual_seed(1)
    network = make_network(game, kind, width=16)
    for parameter in network.parameters():  # the heads begin at almost nothing
        if parameter.abs().max() < 0.1:
            torch.nn.init.normal_(parameter, std=0.1)
    many = decisions_in(game, 128)
    # Of many positions the first in which an entry is not 0, or an action legal: few, and all that is rare is in them.
    some = many.of(np.unique(np.concatenate([(array.numpy() != 0).argmax(0) for array in many[:2]])))
    output, masks = network(some.seen(network)), some.masks
    assert output.logits.shape == masks.shape
    assert output.value.shape == (len(masks),)
    chances = masked(output.logits, masks)
    assert torch.allclose(chances.exp().sum(-1), torch.ones(len(masks)), atol=1e-5)
    assert chances.exp()[masks == 0].max() == 0
    (chances.exp().square().sum() + output.value.square().sum()).backward()
    for name, parameter in network.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.abs().max() > 0, name


@EVERY
@KINDS
def test_every_block_counts(options: dict[str, Any], kind: str) -> None:
    game = load(**options)
    torch.manual_seed(2)
    network = make_network(game, kind, width=16)
    seen = decisions_in(game, 2).of(slice(None, None, 8)).seen(network)  # of all days, enough for any block to count
    before = network(seen).value
    layout = game.observation_layout
    for block, at in zip(layout.blocks, layout.offsets, strict=True):
        if kind == "afterstates" and block.name in {block.name for block in completed_blocks()}:
            continue  # only the features read them
        changed = seen.clone()
        part = changed[:, at : at + block.size]
        part[:] = torch.where(part == 0, 1, part - 1)
        assert not torch.equal(network(changed).value, before), block.name


@pytest.mark.parametrize(
    ("first", "others"),
    [
        pytest.param(
            {"num_players": 1},
            [
                {"num_players": 1, "difficulty": 3},
                {"num_players": 1, "expansion": "master_chocolatier"},
                {"num_players": 1, "expansion": "master_chocolatier", "solo_money": "completed"},
            ],
            id="solo",
        ),
        pytest.param(
            {"num_players": 2},
            [{"num_players": 4, "expansion": "master_chocolatier"}, {"num_players": 3, "mode": "simultaneous"}],
            id="several",
        ),
    ],
)
def test_one_network_of_afterstates_plays_every_variant(first: dict[str, Any], others: list[dict[str, Any]]) -> None:
    torch.manual_seed(2)
    network = make_network(load(**first), "afterstates", width=8, trunk=8)
    for options in others:
        game = load(**options)
        network.accept(game)
        own = make_network(game, "afterstates", width=8, trunk=8)
        own.load_state_dict(network.state_dict())
        decided = decisions_in(game, 8)
        raw = decided.raw.numpy()
        for one, other in zip(network(decided.seen(network)), own(decided.seen(own)), strict=True):
            assert torch.equal(one, other)
        after, layout = game.afterstates(), game.observation_layout
        in_room = np.zeros((len(raw), after.room.size), np.float32)
        has_room = after.scale > 0
        in_room[:, after.places[has_room]] = np.rint(layout.scaled(raw) * layout.high)[:, has_room]
        seen = after.room.tensors(in_room)
        left_out = {block.name for block in completed_blocks()}  # only the features read them (SOLO-7)
        assert has_room.sum() == layout.size - sum(b.size for b in layout.blocks if b.name in left_out)
        for name, numbers in layout.tensors(raw).items():
            if name in left_out:
                continue
            assert np.array_equal(seen[name][:, : numbers.shape[1]], numbers)
            assert not seen[name][:, numbers.shape[1] :].any()
    with pytest.raises(ValueError, match="more blocks, or longer ones, than there is room for"):
        places_in(room_beside(1), observation_layout(1, difficulty=4))


@pytest.mark.parametrize("players", [1, 3])
def test_afterstates_of_every_row_are_those_of_its_own_deck(players: int, tmp_path: Path) -> None:
    """Decks of other numbers of cards among them."""
    own = write(tmp_path / "own.toml", any_deck(random.Random(1)))
    decks = [None, "generated:100000", "generated:100001", "generated:100002", str(own)]
    batch = cf.make_batch("chocofactory", 80, num_players=players, decks=decks, scaled=False)
    network = make_network(batch.game, "afterstates", width=8, trunk=8)
    alone = {name: make_network(batch.games[number], "afterstates", width=8) for number, name in enumerate(decks)}
    step, choose = batch.reset(seed=1), cf.LegalSampler(1)
    differ = set()
    for at in range(400):
        if at % 20 == 0:
            names = [batch.game_of(row).options["deck"] for row in range(80)]
            raw, masks = map(torch.from_numpy, (step.observations, step.action_masks))
            decided = Decisions(raw, masks, batch.states, step.current_player)
            seen, of_first = decided.seen(network, batch.rules()), decided.seen(network)
            some = np.arange(0, 80, 3)
            assert torch.equal(decided.of(some).seen(network, batch.rules(some)), seen[some])
            for row, name in enumerate(names):
                assert torch.equal(seen[row], decided.of(slice(row, row + 1)).seen(alone[name])[0])
                if not torch.equal(seen[row], of_first[row]):
                    differ.add(name)
        step = batch.step(choose(step.action_masks))
    assert differ == {*decks} - {None}


def test_a_network_plays_the_deck_that_it_accepted_last(tmp_path: Path) -> None:
    network = make_network(load(num_players=2), **SMALL)
    deck = write_deck(tmp_path / "deck.toml", orders=[order("own", ({"boxed": 1, "nuts": 1}, 9), ({"fingers": 4}, 14))])
    other = load(num_players=2, deck=str(deck))
    decided = decisions_in(other, 4)
    of_other = decided.seen(make_network(other, **SMALL))
    assert not torch.equal(decided.seen(network), of_other)
    network.accept(other)
    assert torch.equal(decided.seen(network), of_other)


def test_what_acting_first_moved_to_another_device_can_be_learned_through() -> None:
    """A GPU's place is taken by the device `meta`, which computes nothing."""
    game = load(num_players=1)
    network = make_network(game, **SMALL).to("meta")
    view: Any = network._views[game.observation_layout.raw_size]  # type: ignore[index]
    weight = network.get_parameter("body.0.weight")
    with torch.inference_mode():
        view.weights(weight)
    observed, _ = view.weights(weight)
    observed.sum().backward()
    assert weight.grad is not None
    assert weight.grad.device.type == "meta"


@pytest.mark.parametrize("settings", [SMALL, {"kind": "mlp", "width": 8, "players": 4}], ids=["afterstates", "mlp"])
def test_observations_of_several_layouts_share_a_pass(settings: dict[str, Any]) -> None:
    games = [load(num_players=players) for players in (2, 4, 3)]
    network = make_network(games[0], **settings)
    for game in games:
        network.accept(game)
    seen = [decisions_in(game, 4).seen(network) for game in games]
    alone, together = [network(each) for each in seen], network(*seen)
    for name in together._fields:
        of_all = torch.cat([getattr(each, name) for each in alone])
        assert torch.allclose(getattr(together, name), of_all, atol=1e-5)


def test_a_network_acts_by_what_it_has_just_learned() -> None:
    games = [load(num_players=2), load(num_players=3)]
    network = make_network(games[0], **SMALL)
    network.accept(games[1])
    seen = [decisions_in(game, 4).seen(network) for game in games]
    optimiser = torch.optim.Adam(network.parameters(), 0.1, fused=True)  # counts no versions
    for learned_from in seen:  # acting, scaled weights of both layouts are kept
        for _ in range(2):
            with torch.inference_mode():
                acted = [network(each) for each in seen]
            fresh = make_network(games[0], **SMALL)
            fresh.accept(games[1])
            fresh.load_state_dict(network.state_dict())
            for each, own in zip(seen, acted, strict=True):
                assert torch.equal(fresh(each).value, own.value)
        network(learned_from).value.sum().backward()
        optimiser.step()
    with torch.inference_mode():
        before = network(seen[0]).value
        network.load_state_dict(make_network(games[0], **SMALL).state_dict())
        assert not torch.equal(network(seen[0]).value, before)


def test_what_is_seen_can_be_written_to_a_buffer() -> None:
    for kind in ("mlp", "afterstates"):
        game = load(num_players=1)
        network, decided = make_network(game, kind), decisions_in(game, 4)
        out = torch.empty((len(decided.raw), network.size_seen(game)), dtype=torch.uint8)
        assert network.see(decided.raw, decided.states, decided.seats, out=out) is out
        assert torch.equal(out, decided.seen(network))


def test_threads_share_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load(num_players=1)
    network, decided = make_network(game, **SMALL), decisions_in(game, 4)
    alone = decided.seen(network)
    monkeypatch.setattr(torch, "get_num_threads", lambda: 3)
    monkeypatch.setattr(threads, "FEWEST_ROWS_A_THREAD", 20)
    assert len(threads.shares_of(len(alone), 3)) == 3
    assert torch.equal(decided.seen(network), alone)


@pytest.mark.parametrize(
    ("kind", "options", "named"),
    [
        ("afterstates", {"num_players": 1}, "codes"),
        ("mlp", {"num_players": 2, "expansion": "master_chocolatier"}, "extra_employee"),
        ("mlp", {"num_players": 3}, "factories"),
    ],
)
def test_other_observations_are_refused_and_what_differs_is_named(
    kind: str, options: dict[str, Any], named: str
) -> None:
    network = make_network(load(num_players=2), kind, width=8)
    with pytest.raises(ValueError, match=rf"built for other observations.*{named}"):
        network.accept(load(**options))


def test_training_resumes_with_the_network_that_it_began_with(tmp_path: Path) -> None:
    game = cf.load("candyfactory", num_players=2)
    flat, wider = (make_network(game, "mlp", width=width) for width in (8, 9))
    path = tmp_path / "net.safetensors"
    save_network(path, flat, game)
    with pytest.raises(CheckpointError, match=r"expected a network .*'width': 9.*, got .*'width': 8"):
        load_checkpoint(path).resume(wider, game)
    other = make_network(game, "mlp", width=8)
    load_checkpoint(path).resume(other, game)
    assert all(torch.equal(other.state_dict()[name], tensor) for name, tensor in flat.state_dict().items())


# --- checkpoints


@pytest.fixture
def saved(tmp_path: Path) -> tuple[Path, Network]:
    game = load(num_players=2)
    torch.manual_seed(3)
    network = make_network(game, **SMALL)
    path = tmp_path / "net.safetensors"
    save_network(path, network, game)
    return path, network


def test_a_checkpoint_gives_the_same_network(saved: tuple[Path, Network]) -> None:
    path, network = saved
    for players in (2, 4):
        game = load(num_players=players)
        again = load_checkpoint(path).network(game)
        network.accept(game)
        seen = decisions_in(game, 4).seen(network)
        assert torch.equal(again(seen).logits, network(seen).logits)


def test_a_checkpoint_that_lacks_tensors_is_refused(tmp_path: Path) -> None:
    game = load(num_players=2)
    network = make_network(game, **SMALL)
    some = dict(list(network.state_dict().items())[3:])
    save_checkpoint(tmp_path / "some.safetensors", about_network(network, game), {"network": some})
    said = r"some\.safetensors does not hold .*'network\.body\.0\.bias': expected float32 of shape \(16,\), got none"
    with pytest.raises(CheckpointError, match=said):
        load_checkpoint(tmp_path / "some.safetensors").network(game)


def written(path: Path, about: Any, tensors: dict[str, torch.Tensor], **header: str) -> Path:
    """A checkpoint whose digest is right, whatever it holds."""
    text = about if isinstance(about, str) else json.dumps(about)
    save_file(tensors, path, {"format": FORMAT, "about": text, "sha256": digest_of(text, tensors)} | header)
    return path


def parts_of(path: Path) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
    checkpoint = load_checkpoint(path)
    return checkpoint.about, checkpoint.tensors


@pytest.mark.parametrize("width", [30_000, 2**16])
def test_a_network_larger_than_the_file_is_refused_before_it_takes_memory(
    saved: tuple[Path, Network], width: int
) -> None:
    about, tensors = parts_of(saved[0])
    written(saved[0], about | {"network": {**about["network"], "width": width}}, tensors)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    said = rf"does not hold .*'network\.changes\.weight': expected float32 of shape \({width}, \d+\), got"
    with pytest.raises(CheckpointError, match=said):
        LearnedAgent(load(num_players=2), saved[0])
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # kB


def test_weights_that_are_no_numbers_are_refused(saved: tuple[Path, Network]) -> None:
    about, tensors = parts_of(saved[0])
    written(saved[0], about, tensors | {"network.body.2.bias": torch.full((8,), torch.nan)})
    with pytest.raises(
        CheckpointError, match=r"net\.safetensors: tensor 'network\.body\.2\.bias' holds nan or infinity"
    ):
        LearnedAgent(load(num_players=2), saved[0])


def test_weights_too_large_to_compute_with_are_an_error_and_no_illegal_action(saved: tuple[Path, Network]) -> None:
    about, tensors = parts_of(saved[0])
    game = load(num_players=2)
    state = game.new(1)
    mask = game.legal_mask(state)
    bias = torch.zeros_like(tensors["network.policy.bias"])
    bias[torch.from_numpy(np.flatnonzero(mask))] = -3e38  # below what stands for an illegal action
    written(saved[0], about, tensors | {"network.policy.bias": bias})
    for sample in (False, True):
        with pytest.raises(CheckpointError, match=r"net\.safetensors: its weights are so large"):
            LearnedAgent(game, saved[0], sample).choose(state, game.current_player(state))


def test_features_that_the_search_has_got_since_are_read_with_zeros(saved: tuple[Path, Network]) -> None:
    """They may stand between those that the file names."""
    game, path = load(num_players=2), saved[0]
    about, tensors = parts_of(path)
    names = about["layout"]["codes"]["features"]
    new = [names.index("functions.chute"), names.index("amounts.chute")]
    features = {"network.body.0.weight": room_beside(2).size, "network.changes.weight": 0}
    without = {}
    for parameter, first in features.items():
        columns = [first + at for at in new]
        tensors[parameter][:, columns] = 0
        kept = np.delete(np.arange(tensors[parameter].shape[1]), columns)
        without[parameter] = tensors[parameter][:, kept].contiguous()
    known = [name for at, name in enumerate(names) if at not in new]
    older = about | {"layout": about["layout"] | {"codes": {"features": known}}}
    written(path, older, tensors | without)
    grown = load_checkpoint(path).network(game).state_dict()
    for parameter in features:
        assert torch.equal(grown[parameter.removeprefix("network.")], tensors[parameter])
    for wrong in (torch.zeros(8), torch.zeros(8, 1), torch.zeros(1, 8, len(known)), tensors["network.changes.weight"]):
        written(path, older, tensors | without | {"network.changes.weight": wrong})
        with pytest.raises(CheckpointError, match=r"net\.safetensors.* does not (fit chocofactory|hold the network)"):
            load_checkpoint(path).network(game)


def test_features_that_the_search_does_not_have_are_refused(saved: tuple[Path, Network]) -> None:
    path = saved[0]
    about, tensors = parts_of(path)
    names = about["layout"]["codes"]["features"]
    there: list[Any] = [{"features": features} for features in (names[::-1], [*names, "hoist"], [names[0]] * 2, 5)]
    for codes in (*there, {}, {"features": names, "more": []}, names, None):
        written(path, about | {"layout": about["layout"] | {"codes": codes}}, tensors)
        with pytest.raises(CheckpointError, match=NO_FIT + r".*codes: "):
            load_checkpoint(path).network(load(num_players=2))


ABOUT = r"net\.safetensors: the field about of its header "


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ([], ABOUT + r"is \[\], which is not an object"),
        ({"network": 5}, ABOUT + "has network 5, which is not an object"),
        ({"options": {"num_players": "2"}}, ABOUT + r"has options\.num_players '2', which is not an integer"),
        ({"iteration": -1}, ABOUT + "has iteration -1, which is not an integer of at least 0"),
        ({"generators": [5]}, ABOUT + r"has generators\[0\] 5, which is not an object"),
        ({"network": {"kind": "cnn"}}, NO_FIT + ".*unknown network 'cnn'"),
        ({"network": SMALL | {"width": 0}}, NO_FIT + ".*width is 0, which is not an integer 1..65,536"),
        ({"network": SMALL | {"width": 2**40}}, NO_FIT + ".*width is 1099511627776, which is not an integer 1.."),
        ({"network": {"kind": "mlp", "players": 65}}, NO_FIT + ".*players is 65, which is not an integer 0..64"),
        ({"network": SMALL | {"breadth": 8}}, NO_FIT + ".*breadth"),
        ({"network": SMALL | {"game": 8}}, NO_FIT + ".*game"),
        *(
            ({"deck": deck}, NO_FIT + f".*deck: expected 64 hexadecimal digits, got '{deck}'")
            for deck in ("", "x", "1dd0a09a0561")
        ),
    ],
)
def test_a_header_that_does_not_fit_is_refused(saved: tuple[Path, Network], changes: Any, said: str) -> None:
    about, tensors = parts_of(saved[0])
    written(saved[0], about | changes if isinstance(changes, dict) else changes, tensors)
    with pytest.raises(CheckpointError, match=said):
        load_checkpoint(saved[0]).network(load(num_players=2))


def test_a_changed_byte_anywhere_is_noticed(saved: tuple[Path, Network]) -> None:
    path, _ = saved
    whole = path.read_bytes()
    for at in [*range(0, len(whole), 397), len(whole) - 1]:
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(CheckpointError, match=r"net\.safetensors"):
            load_checkpoint(path)


def test_what_is_no_file_of_a_bounded_size_is_refused_at_once(tmp_path: Path) -> None:
    with (tmp_path / "sparse").open("wb") as sparse:
        sparse.truncate(2**40)
    for path, said in (
        (tmp_path, "a regular file, got a folder"),
        (tmp_path / "sparse", "at most .* bytes, got 1,099"),
    ):
        with pytest.raises(CheckpointError, match=f"expected {said}"):
            load_checkpoint(path)
    bomb = b'{"a":' * 200_000
    for content, said in {
        struct.pack("<Q", 2**63) + b"{}": "its header is longer than the file",
        struct.pack("<Q", 2**21) + bytes(2**21): "its header has 2,097,152 bytes, expected at most 1,048,576",
        struct.pack("<Q", len(bomb)) + bomb: "its header is not JSON: one that is nested too deeply",
    }.items():
        (tmp_path / "file").write_bytes(content)
        with pytest.raises(CheckpointError, match=rf"file: no checkpoint can be read from it: {said}"):
            load_checkpoint(tmp_path / "file")


# --- the agent


@pytest.mark.parametrize("sample", [False, True])
def test_a_learned_agent_plays_whole_games_by_its_seed(saved: tuple[Path, Network], sample: bool) -> None:
    game = load(num_players=2)

    def money() -> tuple[int, ...]:
        entrants = [Entrant(f"learned {n}", LearnedAgent(game, saved[0], sample)) for n in range(2)]
        return play_game(game, entrants, 5).scores

    assert money() == money()


def test_agents_of_one_file_share_a_network_until_it_changes(saved: tuple[Path, Network], tmp_path: Path) -> None:
    """A vector environment makes an agent for every row, an evaluation one for every game."""
    file = Path(copyfile(saved[0], tmp_path / "copy.safetensors"))
    game, again = (cf.load("chocofactory", num_players=2) for _ in range(2))
    first, second = LearnedAgent(game, file), LearnedAgent(again, file, sample=True)
    assert first._network is second._network
    assert LearnedAgent(load(num_players=3), file)._network is not first._network
    checkpoint = load_checkpoint(file)
    tensors = {"network": {name: tensor + 1 for name, tensor in checkpoint.of("network").items()}}
    save_checkpoint(file, checkpoint.about, tensors)
    assert LearnedAgent(game, file)._network is not first._network


def test_a_learned_agent_does_what_its_network_finds_likeliest(saved: tuple[Path, Network]) -> None:
    path, network = saved
    game = load(num_players=2)
    agent, state = LearnedAgent(game, path), game.new(1)
    for _ in range(30):
        mask, seat = torch.from_numpy(game.legal_mask(state))[None], game.current_player(state)
        raw = torch.empty((1, game.observation_layout.size), dtype=torch.uint8)
        game.write_raw_observation(state, seat, raw.numpy()[0])
        seen = Decisions(raw, mask, state, np.array([seat], np.int32)).seen(network)
        action = agent.choose(state, seat)
        assert action == int(masked(network(seen).logits, mask).argmax())
        game.apply(state, action)
