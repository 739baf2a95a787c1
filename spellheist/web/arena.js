/**
 * The stage: a game's own table, and the scene that it draws. A game brings `table.js`, `table.css` and `words.en.js`; one
 * that has no table yet is shown by its fields, so that every game can be played from its first day.
 *
 * @typedef {{view: Record<string, any>, before: Record<string, any> | null, seat: number | null, seats: number, names: string[],
 *   sides: number[], moves: Map<number, string>, play: (move: number) => void, why: (move: number) => void,
 *   c: Record<string, number>, cards: any, say: (key: string, values?: Record<string, unknown>) => string,
 *   last: {who: number, move: number, sentence: string}[], over: boolean, score: number[] | null}} Scene
 * @typedef {string | {text: string, phase?: string | string[], mine?: boolean}} Step a step of the guided first game
 * @typedef {{draw: (scene: Scene) => unknown, words: Record<string, any>}} Kit
 */

import { fields } from "./fields.js";

/** @type {Map<string, Promise<Kit>>} */
const kits = new Map();

/** @param {string} address */
function stylesheet(address) {
  return new Promise((done) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = address;
    link.onload = link.onerror = () => done(null);
    document.head.append(link);
  });
}

/**
 * What a game brings for its table.
 * @param {string} game
 * @returns {Promise<Kit>}
 */
export function kit(game) {
  const known = kits.get(game);
  if (known) return known;
  const base = new URL(`./games/${game}/`, import.meta.url);
  const whole = (async () => {
    try {
      const [table, words] = await Promise.all([
        import(new URL("table.js", base).href),
        import(new URL("words.en.js", base).href),
        stylesheet(new URL("table.css", base).href),
      ]);
      return { draw: table.draw, words: words.default };
    } catch {
      return { draw: fields, words: {} };
    }
  })();
  kits.set(game, whole);
  return whole;
}
