/**
 * What the page asks of the server over HTTP. A refusal is an error with one sentence, and the rule behind it.
 *
 * @typedef {{name: string, kind: "switch" | "number" | "numbers" | "choice" | "seat" | "deck", default: string,
 *   sentence: string,
 *   range: string, words?: string[], low?: number, high?: number, among_people?: string}} Option
 * @typedef {{name: string, sentence: string}} Level
 * @typedef {{name: string, title: string, sentence: string, seats: number[], options: Option[], levels: Level[],
 *   credits?: string}} Game
 * @typedef {Game & {constants: Record<string, number>, rules: Record<string, string>, page: string, cards: any}} WholeGame
 * @typedef {{kind: "person" | "bot" | "open", name: string, level?: string | null, here?: boolean, side?: number}} Chair
 * @typedef {{table: string, game: string, title: string, chairs: Chair[], created: number, running: boolean,
 *   host?: string}} OpenTable
 * @typedef {{table: string, game: string, title: string, state: string, seats: number[], names: string[], your_turn: boolean,
 *   updated: number}} MyTable
 * @typedef {{ply: number, who: number, move: number, news: any[], change?: number[], view?: Record<string, any>,
 *   odds?: number[], turn?: number, question?: string}} Frame
 */

import { say } from "./words.js";

export class Refusal extends Error {
  /**
   * @param {string} sentence
   * @param {string | null} [rule]
   * @param {number} [status]
   */
  constructor(sentence, rule = null, status = 0) {
    super(sentence);
    this.rule = rule;
    this.status = status;
  }
}

/**
 * @param {string} path
 * @param {any} [body] given: a POST
 * @returns {Promise<Response>}
 */
async function request(path, body) {
  const how =
    body === undefined
      ? {}
      : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  let response;
  try {
    response = await fetch(path, how);
  } catch {
    throw new Refusal(say("no_server"));
  }
  if (response.ok) return response;
  const told = await response.json().catch(() => ({}));
  throw new Refusal(told.sentence || say("went_wrong", { status: response.status }), told.rule, response.status);
}

/** @param {string} path @param {any} [body] @returns {Promise<any>} */
export const ask = async (path, body) => (await request(path, body)).json();

/** @param {string} path @returns {Promise<string>} */
export const text = async (path) => (await request(path)).text();

/** @type {Promise<Game[]> | null} */
let all = null;
/** @type {Map<string, Promise<WholeGame>>} */
const whole = new Map();

/** The games that there are; asked once. */
export function games() {
  all ??= ask("/api/games").catch((refusal) => {
    all = null;
    throw refusal;
  });
  return /** @type {Promise<Game[]>} */ (all);
}

/** @param {string} name @returns {Promise<WholeGame>} one game with its constants, rules and cards; asked once */
export function game(name) {
  const known = whole.get(name);
  if (known) return known;
  const asked = ask(`/api/games/${encodeURIComponent(name)}`);
  asked.catch(() => whole.delete(name));
  whole.set(name, asked);
  return asked;
}

/**
 * A table's game so far, ply by ply; a long one comes in several answers.
 * @param {string} table
 * @param {string} seat as whom: a seat, "open" for a finished game with nothing hidden, "" for a watcher
 * @param {number} last the ply up to which there is something to ask for
 */
export async function frames(table, seat, last) {
  /** @type {Frame[]} */ const all = [];
  let from = 0;
  for (;;) {
    const query = `from=${from}${seat && `&seat=${seat}`}`;
    const part = /** @type {Frame[]} */ (await ask(`/api/tables/${table}/frames?${query}`));
    all.push(...(from ? part.slice(1) : part));
    if (part.length < 2) return all;
    from = part[part.length - 1].ply;
    if (from >= last) return all;
  }
}
