"""Pgx (JAX) on one core of the CPU, in batches.

One compiled call a step chooses an action for every game of the batch, plays it and builds the next state, of which
mask and observation are parts; finished games are restarted by Pgx's own `auto_reset`. A random action is the legal one
of a random rank, found in the running sum of the mask: one random number a game.

At 1,024 games the page faults of memory that glibc returns to the system at every step, only to ask for it anew, take
half of the time or more. The environment variables `MALLOC_MMAP_THRESHOLD_`, `MALLOC_TRIM_THRESHOLD_` and
`MALLOC_TOP_PAD_` (raised) and `MALLOC_ARENA_MAX` (1) let the process keep its memory. They are read when it starts, so
the runner sets them; whoever runs this script alone must do so.
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

    compiled = jax.jit(advance, donate_argnums=(0, 1))  # the old state's memory is used again
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
