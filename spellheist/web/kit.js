/**
 * What a game brings to the page: the picture of its box, its table and its words. A game that has no table yet is
 * shown by its fields, so that every game can be played from its first day.
 *
 * @typedef {{view: Record<string, any>, before: Record<string, any> | null, seat: number | null, seats: number, names: string[],
 *   sides: number[], moves: Map<number, string>, play: (move: number) => void, why: (move: number) => void,
 *   c: Record<string, number>, cards: any, say: (key: string, values?: Record<string, unknown>) => string,
 *   last: {who: number, move: number, sentence: string}[], over: boolean, score: number[] | null}} Scene
 * @typedef {string | {text: string, phase?: string | string[], mine?: boolean}} Step a step of the guided first game
 * @typedef {{draw: ((scene: Scene) => unknown) | null, words: Record<string, any>}} Kit
 */

import { say } from "./words.js";

/** @type {Map<string, Promise<Kit>>} */
const kits = new Map();

/** @param {string} game @param {string} file */
const address = (game, file) => new URL(`./games/${game}/${file}`, import.meta.url);

/** @param {string} game the address of a game's picture */
export const cover = (game) => address(game, "cover.svg").pathname;

/** @param {URL} where */
function stylesheet(where) {
  return new Promise((done) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = where.href;
    link.onload = link.onerror = () => done(null);
    document.head.append(link);
  });
}

/** @param {string} game @returns {Promise<Kit>} */
async function load(game) {
  try {
    const [table, words] = await Promise.all([
      import(address(game, "table.js").href),
      import(address(game, "words.en.js").href),
      stylesheet(address(game, "table.css")),
    ]);
    return { draw: table.draw, words: words.default };
  } catch {
    return { draw: null, words: {} };
  }
}

/** A game's table and words; loaded once. @param {string} game */
export function kit(game) {
  const known = kits.get(game) ?? load(game);
  kits.set(game, known);
  return known;
}

/** @param {import("./api.js").Game} game how many can play, in words */
export function seatsOf(game) {
  const low = game.seats[0];
  const high = game.seats[game.seats.length - 1];
  return low === high ? say("seats_two") : say("seats_between", { low, high });
}

/**
 * How many play best: what the game's words say as `seats`, or three where that many can.
 * @param {import("./api.js").Game} game
 * @returns {Promise<number>}
 */
export async function usualSeats(game) {
  const { words } = await kit(game.name);
  return game.seats.includes(words.seats)
    ? words.seats
    : Math.min(Math.max(3, game.seats[0]), game.seats[game.seats.length - 1]);
}
