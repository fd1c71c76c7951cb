"""JAX learns the solo game by policy gradients: a rollout is one compiled scan that steps a native batch.

    python docs/libraries/jax_policy_gradient.py [DECISIONS]

Needs this package with the extra `arena`, and `jax` (tested with 0.10.2). A step changes the batch, so it goes through
an ordered `io_callback`: JAX may run a `pure_callback` twice, or not at all. The player is judged by the money earned.
"""

import sys
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import io_callback

import chocofactory_env as cf

DECISIONS = int(sys.argv[1]) if len(sys.argv) > 1 else 300_000
GAMES, STEPS, RATE = 64, 32, 2e-3

batch = cf.make_batch("chocofactory", num_envs=GAMES, num_players=1, reward="shaped")
shape = partial(jax.ShapeDtypeStruct, dtype=np.float32)
kinds = (shape((GAMES, batch.game.observation_layout.size)), shape((GAMES, batch.num_actions)), shape((GAMES,)))
kinds += (jax.ShapeDtypeStruct((GAMES,), np.bool_),)


def shown(step):
    """Observations, masks, rewards and dones, copied: the next step overwrites the batch's arrays."""
    rows = step.observations, step.action_masks, step.rewards[:, 0], step.dones
    return tuple(np.array(each, kind.dtype) for each, kind in zip(rows, kinds, strict=True))


def logits_and_value(params, seen, masks):
    hidden = jnp.tanh(seen @ params["in"])
    return jnp.where(masks > 0, hidden @ params["policy"], -1e9), (hidden @ params["value"])[..., 0]


def likeliest(observations, masks):
    return np.asarray(logits_and_value(params, observations, masks)[0].argmax(-1))


def money():
    """Of the likeliest actions, on deals that training does not use."""
    return cf.evaluate(likeliest, batch.game, deals=range(900_000, 900_064)).agents()[0]["score"]


@jax.jit
def rollout(params, now, key):
    def step(now, key):
        seen, masks, *_ = now
        action = jax.random.categorical(key, logits_and_value(params, seen, masks)[0])
        after = io_callback(lambda picked: shown(batch.step(np.asarray(picked))), kinds, action, ordered=True)
        return after, (seen, masks, action, after[2], after[3])

    return jax.lax.scan(step, now, jax.random.split(key, STEPS))


def loss(params, now, played):
    seen, masks, actions, rewards, dones = played
    logits, values = logits_and_value(params, seen, masks)
    back = lambda following, each: (each[0] * 0.05 + ~each[1] * following,) * 2  # noqa: E731 - returns so far, twice
    last = logits_and_value(params, *now[:2])[1]
    returns = jax.lax.stop_gradient(jax.lax.scan(back, last, (rewards, dones), reverse=True)[1])
    log_probs = jax.nn.log_softmax(logits)
    taken = jnp.take_along_axis(log_probs, actions[..., None], -1)[..., 0]
    gain = jax.lax.stop_gradient(returns - values)
    entropy = -(jnp.exp(log_probs) * log_probs).sum(-1).mean()
    return -(taken * gain / (gain.std() + 1e-6)).mean() + 0.5 * jnp.square(values - returns).mean() - 0.01 * entropy


@jax.jit
def learn(params, moments, now, played, count):
    """A step of Adam; Optax has it too."""
    slopes = jax.grad(loss)(params, now, played)
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, moments[0], slopes)
    second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, moments[1], slopes)
    update = lambda p, m, v: p - RATE * m / (1 - 0.9**count) / (jnp.sqrt(v / (1 - 0.999**count)) + 1e-8)  # noqa: E731
    return jax.tree.map(update, params, first, second), (first, second)


key, *keys = jax.random.split(jax.random.key(7), 4)
sizes = {"in": (kinds[0].shape[1], 128), "policy": (128, batch.num_actions), "value": (128, 1)}
params = {name: jax.random.normal(k, s) / s[0] ** 0.5 for k, (name, s) in zip(keys, sizes.items(), strict=True)}
moments = (jax.tree.map(jnp.zeros_like, params),) * 2
now, before = shown(batch.reset(seed=7)), money()
for count in range(1, 1 + max(1, DECISIONS // (GAMES * STEPS))):
    key, draw = jax.random.split(key)
    start, (now, played) = now, rollout(params, now, draw)
    params, moments = learn(params, moments, now, played, count)
print(f"mean money {before:.1f} before, {money():.1f} after {DECISIONS} decisions")
