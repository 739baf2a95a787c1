/** Making a table: the request, the part of the dice of those at this device, and the way there. */

import { ask } from "../api.js";
import { contribution, keep } from "../dice.js";
import { usualSeats } from "../kit.js";
import { go } from "../router.js";
import { settings } from "../settings.js";
import { say } from "../words.js";

/** @typedef {{kind: "me" | "open" | "bot", name?: string, level?: string}} PlannedChair */

/**
 * @param {{game: string, chairs: PlannedChair[], options?: Record<string, any>, clock?: {kind: string, seconds: number},
 *   listed?: boolean, watchers?: boolean, hints?: boolean, leavers?: string}} table
 * @param {string} [query] what stands behind the address of the table
 */
export async function make(table, query = "") {
  const name = settings.name || say("default_name");
  /** @type {Map<number, string>} */
  const nonces = new Map();
  const chairs = [];
  for (const [seat, chair] of table.chairs.entries()) {
    if (chair.kind !== "me") {
      chairs.push(chair);
      continue;
    }
    const { nonce, promise } = await contribution();
    nonces.set(seat, nonce);
    chairs.push({ kind: "me", name: chair.name || name, promise });
  }
  const made = await ask("/api/tables", { ...table, chairs, name });
  for (const [seat, nonce] of nonces) keep(made.table, seat, nonce);
  const ready = !chairs.some((chair) => chair.kind === "open");
  go(`/t/${made.table}${query}`, { state: { start: ready } });
}

/**
 * The quickest game: me and bots of one level.
 * @param {import("../api.js").Game} game
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
