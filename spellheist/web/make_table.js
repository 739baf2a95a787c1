/** Making a table: the request, the words that the people at this device add to the dice, and the way there. */

import { ask } from "./api.js";
import { contribution, keep } from "./dice.js";
import { go } from "./router.js";
import { settings } from "./settings.js";
import { kit } from "./arena.js";
import { say } from "./words.js";

/** @typedef {{kind: "me" | "open" | "bot", name?: string, level?: string}} PlannedChair */

/**
 * @param {{game: string, chairs: PlannedChair[], options?: Record<string, any>, clock?: {kind: string, seconds: number},
 *   listed?: boolean, watchers?: boolean, hints?: boolean, leavers?: string}} table
 * @param {string} [query] what stands behind the address of the table
 */
export async function make(table, query = "") {
  const name = settings.name || say("default_name");
  /** @type {Map<number, string>} */
  const words = new Map();
  const chairs = [];
  for (const [seat, chair] of table.chairs.entries()) {
    if (chair.kind !== "me") {
      chairs.push(chair);
      continue;
    }
    const own = await contribution();
    words.set(seat, own.words);
    chairs.push({ kind: "me", name: chair.name || name, promise: own.promise });
  }
  const made = await ask("/api/tables", { ...table, chairs, name });
  for (const [seat, own] of words) keep(made.table, seat, own);
  const ready = !chairs.some((chair) => chair.kind === "open");
  go(`/t/${made.table}${query}`, { state: { start: ready } });
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

/**
 * The quickest game: me and gentle or steady bots.
 * @param {import("./api.js").Game} game
 * @param {string} level
 * @param {string} [query]
 */
export async function makeWithBots(game, level, query) {
  const seats = await usualSeats(game);
  /** @type {PlannedChair[]} */
  const chairs = [
    { kind: "me" },
    ...Array.from({ length: seats - 1 }, () => /** @type {PlannedChair} */ ({ kind: "bot", level })),
  ];
  return make({ game: game.name, chairs, hints: true, watchers: true, leavers: "bot" }, query);
}
