r"""Writes the prices that a network of the kind `linear_prices` learned to where networks of the kind `sets` read them.

    python -m training.imitate --data runs/small/games --out runs/prices --epochs 5 --learning-rate 1.5e-3 --threads 1 \
        --network '{"kind": "linear_prices", "width": 32, "prices": 2}'
    python -m training.chocofactory.prices runs/prices/best.safetensors
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from agents.chocofactory.network import LinearPriceNetwork
from agents.chocofactory.worth import PRICES, Prices
from agents.files import write_json
from agents.networks.checkpoint import CheckpointError, load_checkpoint


def prices_of(path: Path) -> Prices:
    """CheckpointError if the file is no checkpoint of such a network."""
    checkpoint = load_checkpoint(path)
    network = checkpoint.network(checkpoint.game())
    if not isinstance(network, LinearPriceNetwork):
        raise CheckpointError(f"{path}: expected a network of the kind {LinearPriceNetwork.kind}, got {network.kind}")
    layers = network.price, network.coal_price
    return Prices(*(part.detach().numpy() for layer in layers for part in (layer.weight, layer.bias)))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m training.chocofactory.prices", description="Write fitted prices.")
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--out", type=Path, default=PRICES)
    chosen = parser.parse_args(arguments)
    try:
        prices = prices_of(chosen.checkpoint)
    except (CheckpointError, ValueError) as error:
        parser.error(str(error))
    write_json(chosen.out, {name: part.round(4).tolist() for name, part in prices._asdict().items()})
    print(f"{len(prices.coal)} sets of prices: {chosen.out}")


if __name__ == "__main__":
    main()
