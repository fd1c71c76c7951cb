// Plays random games with a game's C library: `make -C examples/c`. It prints decisions per second, then a digest of 100 games, the same
// on every platform and in every language: see examples/play.py and examples/js/play.mjs.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The compiler is told GAME, and includes GAME.h and GAME_variant.h: OF(step) is candyfactory_step.
#define JOIN(game, name) game##_##name
#define NAME(game, name) JOIN(game, name)
#define OF(name) NAME(GAME, name)

enum { GAMES = 100, ACTIONS = OF(num_actions), RAW = OF(raw_size), NUMBERS = OF(observation_size) };

static uint8_t state[OF(state_size)], raw[RAW];
static int8_t mask[ACTIONS];
static float observation[NUMBERS];
static uint32_t generator = 1, digest = 0;

// What each function reads and writes, in its order: the address of each array, and its length.
static const struct OF(new_game) dealing = {OF(tables), 1, state, 1};
static const struct OF(legal_mask) choosing = {OF(tables), 1, state, 1, mask, ACTIONS};
static const struct OF(step) playing = {OF(tables), 1, state, 1, mask, ACTIONS};
static const struct OF(observe) seeing = {OF(tables), 1, state, 1, raw, RAW};
static const struct OF(observe_scaled) seeing_scaled = {OF(tables), 1, state, 1, raw, RAW, OF(scale), NUMBERS, observation, NUMBERS};

static void deal(int64_t seed) {
  memcpy(state, OF(blank_state), sizeof state);
  memcpy(state + OF(seed_at), &seed, sizeof seed);
  OF(new_game)(&dealing);
  OF(legal_mask)(&choosing);
}

static uint32_t random_bits(void) { // xorshift
  generator ^= generator << 13;
  generator ^= generator >> 17;
  return generator ^= generator << 5;
}

static int64_t random_action(void) {
  uint32_t legal = 0;
  for (int64_t action = 0; action < ACTIONS; action++) legal += (uint32_t)mask[action];
  int64_t action = -1;
  for (int64_t left = random_bits() % legal; left >= 0; left -= mask[action]) action++;
  return action;
}

static double decisions_per_second(int64_t decisions) {
  clock_t start = clock();
  int64_t seat = -1, seed = 0;
  for (int64_t number = 0; number < decisions; number++) {
    if (seat < 0) deal(seed++);
    seat = OF(step)(&playing, random_action()); // the next seat
    OF(observe)(&seeing, seat < 0 ? 0 : seat);
  }
  return (double)decisions * CLOCKS_PER_SEC / (double)(clock() - start);
}

static void add(const void *array, size_t size) {
  const uint8_t *bytes = array;
  for (size_t place = 0; place < size; place++) digest = digest * 16777619u + bytes[place];
}

static void add_games(void) {
  generator = 1;
  for (int64_t seed = 0; seed < GAMES; seed++) {
    deal(seed);
    for (int64_t seat = 0; seat >= 0;) {
      seat = OF(step)(&playing, random_action());
      OF(observe_scaled)(&seeing_scaled, seat < 0 ? 0 : seat);
      add(state, sizeof state);
      add(mask, sizeof mask);
      add(observation, sizeof observation);
    }
  }
}

int main(int count, char **words) {
  printf("%.0f decisions/s\n", decisions_per_second(count > 1 ? atoll(words[1]) : 1000000));
  add_games();
  printf("digest %08x\n", digest);
  return 0;
}
