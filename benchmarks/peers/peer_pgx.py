"""Pgx (JAX) on one core of the CPU, in batches: one compiled call steps every game, and draws its action from the mask.

    pip install pgx==2.6.0 jax==0.10.2 jaxlib==0.10.2 numpy==2.4.6 tyro==1.0.17
    OMP_NUM_THREADS=1 JAX_PLATFORMS=cpu XLA_FLAGS=--xla_cpu_multi_thread_eigen=false MALLOC_ARENA_MAX=1 \
        MALLOC_MMAP_THRESHOLD_=4294967296 MALLOC_TRIM_THRESHOLD_=17179869184 MALLOC_TOP_PAD_=268435456 \
        taskset -c 0 python benchmarks/peers/peer_pgx.py

Without the variables of `MALLOC`, half of the time or more goes to page faults at 1,024 games, as glibc returns memory
to the system at every step. Pgx's `auto_reset` restarts finished games.
"""

from functools import partial
from importlib.metadata import version

import jax
import jax.numpy as jnp
import pgx
from measure import Play, Row, main
from pgx.experimental import auto_reset


def batch(name: str, games: int) -> Play:
    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def advance(state: pgx.State, key: jax.Array) -> tuple[pgx.State, jax.Array]:
        key, chooser, chance = jax.random.split(key, 3)
        upto = jnp.cumsum(state.legal_action_mask, axis=1, dtype=jnp.int32)
        rank = (jax.random.uniform(chooser, (games,)) * upto[:, -1]).astype(jnp.int32)
        action = (upto > rank[:, None]).argmax(axis=1)  # the legal action of a random rank
        return step(state, action, jax.random.split(chance, games)), key

    compiled = jax.jit(advance, donate_argnums=(0, 1))  # reuses the old state's memory
    state, key = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(1), games)), jax.random.key(2)
    while True:
        for _ in range(8):  # a step does not wait for the one before
            state, key = compiled(state, key)
        jax.block_until_ready(state)
        yield 8 * games


if __name__ == "__main__":
    title, note = f"Pgx {version('pgx')}", "JAX on CPU, jit of a step"
    for name in ("backgammon", "chess"):
        rows = [Row(f"{title}: {name}, batch {size}", partial(batch, name, size), note) for size in (1, 64, 1024)]
        main("peers", rows, __doc__)
