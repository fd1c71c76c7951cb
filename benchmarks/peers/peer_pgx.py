"""Pgx (JAX) on one core of the CPU, in batches.

One compiled call per step chooses an action for every game of the batch, plays it, and builds the next state with its
mask and observation. Pgx's `auto_reset` restarts finished games. A random action takes one random number per game: the
legal action of a random rank, found in the cumulative sum of the mask.

At 1,024 games, half of the time or more would go to page faults, as glibc returns memory to the system at every step
and requests it again. The environment variables `MALLOC_MMAP_THRESHOLD_`, `MALLOC_TRIM_THRESHOLD_` and
`MALLOC_TOP_PAD_` (raised) and `MALLOC_ARENA_MAX` (1) let the process keep its memory. They are read at its start, so
the runner sets them; set them yourself to run this script alone.
"""

import jax
import jax.numpy as jnp
import pgx
from measure import Play, Row, main
from pgx.experimental import auto_reset


def batch(name: str, games: int) -> Play:
    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def choose(key: jax.Array, legal: jax.Array) -> jax.Array:
        upto = jnp.cumsum(legal, axis=1, dtype=jnp.int32)
        rank = (jax.random.uniform(key, (games,)) * upto[:, -1]).astype(jnp.int32)
        return (upto > rank[:, None]).argmax(axis=1)

    def advance(state: pgx.State, key: jax.Array) -> tuple[pgx.State, jax.Array]:
        key, chooser, chance = jax.random.split(key, 3)
        return step(state, choose(chooser, state.legal_action_mask), jax.random.split(chance, games)), key

    compiled = jax.jit(advance, donate_argnums=(0, 1))  # reuses the old state's memory
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(1), games))
    key = jax.random.key(2)

    def play(count: int) -> int:
        nonlocal state, key
        steps = -(-count // games)
        for _ in range(steps):
            state, key = compiled(state, key)
        jax.block_until_ready(state)
        return steps * games

    return play


if __name__ == "__main__":
    main(
        "Pgx",
        "pgx",
        [
            Row(
                f"{name}, batch {games}", lambda name=name, games=games: batch(name, games), "JAX on CPU, jit of a step"
            )
            for name in ("backgammon", "chess")
            for games in (1, 64, 1024)
        ],
    )
