// A game's rules in WebAssembly, and random play with them: the same games as examples/c/play.c and examples/play.py.

export class RandomGame {
  // wasm: the bytes of GAME.wasm; variant: the content of GAME_variant.json.
  static async load(wasm, variant) {
    const { instance } = await WebAssembly.instantiate(wasm);
    return new RandomGame(instance.exports, variant);
  }

  constructor({ memory, ...functions }, variant) {
    this.variant = variant;
    const { num_players, num_actions, raw_size, observation_size, tables, blank_state, scale } = variant;
    // The memory beyond its present end belongs to this program. An array's place in it is its address.
    let end = memory.buffer.byteLength;
    memory.grow(Math.ceil((tables.length + blank_state.length + num_actions + raw_size + 8 * observation_size + 64 * num_players) / 65536) + 1);
    const array = (Type, length, content = []) => {
      const made = new Type(memory.buffer, end, length);
      made.set(content);
      end += Math.ceil(made.byteLength / 8) * 8;
      return made;
    };
    const deck = array(Uint8Array, tables.length, tables);
    this.state = array(Uint8Array, blank_state.length);
    this.mask = array(Int8Array, num_actions);
    this.raw = array(Uint8Array, raw_size);
    this.scale = array(Float32Array, observation_size, scale);
    this.observation = array(Float32Array, observation_size);
    this.scores = array(Int32Array, num_players);
    this.ranking = array(Int32Array, num_players);
    this.won = array(Uint8Array, num_players);
    this.generator = 1;

    // A function of arrays and at most one number. It takes the arrays in a structure: the address and the length of each, in eight bytes.
    const bind = (name, ...others) => {
      const call = functions[`${variant.game}_${name}`];
      const fields = [deck, this.state, ...others].flatMap((each) => [each.byteOffset, each.length].map(BigInt));
      Object.assign(fields, { 1: 1n, 3: 1n }); // one record each
      const { byteOffset } = array(BigInt64Array, fields.length, fields);
      return (number) => Number(number === undefined ? call(byteOffset) : call(byteOffset, BigInt(number)));
    };
    this.newGame = bind("new_game");
    this.legalMask = bind("legal_mask", this.mask);
    this.step = bind("step", this.mask);
    this.observe = bind("observe", this.raw);
    this.observeScaled = bind("observe_scaled", this.raw, this.scale, this.observation);
    this.writeOutcome = bind("outcome", this.scores, this.ranking, this.won);
  }

  deal(seed) {
    this.state.set(this.variant.blank_state);
    new DataView(this.state.buffer, this.state.byteOffset).setBigInt64(this.variant.seed_at, BigInt(seed), true);
    this.newGame();
    this.legalMask();
  }

  randomBits() { // xorshift
    this.generator ^= this.generator << 13;
    this.generator ^= this.generator >>> 17;
    this.generator ^= this.generator << 5;
    return this.generator >>> 0;
  }

  // Plays a random legal action, and returns the next seat; -1 when the game is over.
  play() {
    const { mask } = this;
    let legal = 0, action = -1;
    for (let each = 0; each < mask.length; each++) legal += mask[each];
    for (let left = this.randomBits() % legal; left >= 0; left -= mask[action]) action++;
    return this.step(action);
  }
}

export function decisionsPerSecond(game, decisions, afterGame = () => {}) {
  const start = performance.now();
  for (let number = 0, seat = -1, seed = 0; number < decisions; number++) {
    if (seat < 0) game.deal(seed++);
    seat = game.play();
    game.observe(Math.max(0, seat));
    if (seat < 0) afterGame(game);
  }
  return (1000 * decisions) / (performance.now() - start);
}

export function digestOf(game, games = 100) {
  let digest = 0;
  const add = (array) => {
    for (const byte of new Uint8Array(array.buffer, array.byteOffset, array.byteLength)) digest = (Math.imul(digest, 16777619) + byte) >>> 0;
  };
  game.generator = 1;
  for (let seed = 0; seed < games; seed++) {
    game.deal(seed);
    for (let seat = 0; seat >= 0; ) {
      seat = game.play();
      game.observeScaled(Math.max(0, seat));
      [game.state, game.mask, game.observation].forEach(add);
    }
  }
  return digest.toString(16).padStart(8, "0");
}
