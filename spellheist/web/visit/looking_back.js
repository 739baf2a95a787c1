/** Looking back: the game so far, as the seat that is looked at saw it, fetched when somebody wants to see it. */

import { frames } from "../api.js";
import { redraw } from "../router.js";
import { changed } from "./known.js";

/** @typedef {{frame: import("../api.js").Frame, view: Record<string, any>}} Moment */

export class LookingBack {
  /** @type {Moment[]} the game so far */ moments = [];
  /** @type {number | null} which moment is looked at; null is now */ at = null;
  open = false; // looks at a finished game with nothing hidden
  #fetching = false;

  /** @param {import("./visit.js").Visit} visit */
  constructor(visit) {
    this.visit = visit;
  }

  /** The moment that is looked back at, or null. */
  get moment() {
    return this.at === null ? null : (this.moments[this.at] ?? null);
  }

  /** The view before that moment, or null. */
  get before() {
    return this.at === null ? null : (this.moments[this.at - 1]?.view ?? null);
  }

  /** Has the whole game been fetched? */
  get whole() {
    return (this.moments[this.moments.length - 1]?.frame.ply ?? -1) >= this.visit.known.ply;
  }

  /** Fetches the game so far. */
  async fetch() {
    this.#fetching = true;
    await this.visit.attempt(async () => {
      const { name, seats, known } = this.visit;
      /** @type {Moment[]} */ const moments = [];
      for (const frame of await frames(name, this.open ? "open" : String(seats.active ?? ""), known.ply)) {
        const before = moments[moments.length - 1]?.view ?? {};
        moments.push({ frame, view: frame.view ?? changed(before, frame.change ?? []) });
      }
      this.moments = moments;
    });
    this.#fetching = false;
  }

  /** Fetches a game that is over, if that has not been done. */
  finish() {
    if (!this.#fetching && !this.whole) void this.fetch();
  }

  /** Forgets what was fetched: it is no longer what this seat saw. */
  forget() {
    this.moments = [];
    this.at = null;
  }

  /** @param {number | null} ply looks at the table after this ply; null is now */
  async look(ply) {
    if (ply === null) return this.#goTo(null);
    const has = this.moments[this.moments.length - 1]?.frame.ply ?? -1;
    if (has < Math.min(ply, this.visit.known.ply)) await this.fetch();
    const index = this.moments.findIndex(({ frame }) => frame.ply >= ply);
    this.#goTo(index < 0 ? null : index);
  }

  /** @param {number} by how many plies on or back */
  async step(by) {
    if (!this.whole) await this.fetch();
    const last = this.moments.length - 1;
    this.#goTo(Math.max(0, Math.min(last, (this.at ?? last) + by)));
  }

  /** @param {number | null} index of a moment; the last is now, but where nothing is hidden */
  #goTo(index) {
    this.at = index === this.moments.length - 1 && !this.open ? null : index;
    redraw();
  }

  /** @param {boolean} on shows a finished game with nothing hidden */
  async setOpen(on) {
    this.open = on;
    this.moments = [];
    await this.fetch();
    this.#goTo(on ? this.moments.length - 1 : null);
  }
}
