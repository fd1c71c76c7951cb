// Plays random games with a game's WebAssembly: node examples/js/play.mjs [GAME [DECISIONS]]. It writes the library first.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { RandomGame, decisionsPerSecond, digestOf } from "./game.mjs";

const [name = "candyfactory", decisions = 1e6] = process.argv.slice(2);
const root = fileURLToPath(new URL("../..", import.meta.url));
const python = [process.env.VIRTUAL_ENV, `${root}.venv`].map((folder) => `${folder}/bin/python`).find(existsSync) ?? "python3";
const words = ["-m", "chocofactory_env.c_library", name, "--target", "wasm32", "--out", "build/c"];
execFileSync(python, words, { cwd: root, stdio: ["ignore", 2, 2] });

const read = (file) => readFileSync(`${root}build/c/${file}`);
const game = await RandomGame.load(read(`wasm32/${name}.wasm`), JSON.parse(read(`${name}_variant.json`)));
console.log(`${decisionsPerSecond(game, Number(decisions)).toFixed(0)} decisions/s`);
console.log(`digest ${digestOf(game)}`);
