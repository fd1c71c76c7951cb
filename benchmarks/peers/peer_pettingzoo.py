"""PettingZoo's classic games through `env()`, as its users get them: observation and mask come from `last()`.

pip install pettingzoo[classic]==1.27.0 gymnasium==1.4.0 chess==1.11.2 numpy==2.4.6 tyro==1.0.17
OMP_NUM_THREADS=1 taskset -c 0 python benchmarks/peers/peer_pettingzoo.py
"""

from functools import partial
from importlib import import_module
from importlib.metadata import version

from measure import Play, Row, main, play_aec


def aec(name: str) -> Play:
    return play_aec(import_module(f"pettingzoo.classic.{name}").env())


if __name__ == "__main__":
    title, names = f"PettingZoo classic {version('pettingzoo')}", ("chess_v6", "connect_four_v3")
    main("peers", [Row(f"{title}: {name}", partial(aec, name), "AEC through env()") for name in names], __doc__)
