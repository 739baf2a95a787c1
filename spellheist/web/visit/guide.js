/**
 * The guide of a first game: the steps are in the game's words; the next one that fits the moment is shown, and stays
 * until it was read, whatever the bots do meanwhile. After a step that belongs to a moment the game goes on first, so
 * that nobody reads the whole guide before the first move.
 */

import { redraw } from "../router.js";

/** @typedef {import("./known.js").Known} Known */

export class Guide {
  /** @type {Set<number>} */ #read = new Set();
  #readAt = -1; // the ply at which the last step was read
  #now = -1; // the step that is being read
  #stopped = false;

  /** @param {import("../kit.js").Step[]} steps @param {Record<string, number>} constants */
  constructor(steps, constants) {
    this.steps = steps.map((step) => (typeof step === "string" ? { text: step } : step));
    this.c = constants;
  }

  /** What is to be read now, or null. */
  get step() {
    if (this.#stopped || this.#now < 0) return null;
    return { text: this.steps[this.#now].text, n: this.#read.size + 1, all: this.steps.length };
  }

  /** @param {Known} known */
  follow(known) {
    if (this.#now < 0) this.#now = this.#next(known);
  }

  /** @param {Known} known the first step not yet read that fits this moment, or -1 */
  #next({ moves, ply, view }) {
    const own = this.steps.findIndex((step) => step.mine);
    const early = own >= 0 && !this.steps.some((step, i) => step.mine && this.#read.has(i)); // what others do comes later
    return this.steps.findIndex((step, i) => {
      if (early && !step.mine && i > own) return false;
      const bound = step.mine || step.phase !== undefined;
      if (this.#read.has(i) || (step.mine && !moves.size) || (bound && ply <= this.#readAt)) return false;
      const phases = step.phase === undefined ? [] : [step.phase].flat();
      return !phases.length || phases.some((name) => this.c[name] === view?.phase);
    });
  }

  /** The step was read; the next may fit already. @param {Known} known */
  read(known) {
    this.#read.add(this.#now);
    this.#readAt = known.ply;
    this.#now = -1;
    this.follow(known);
    redraw();
  }

  stop() {
    this.#stopped = true;
    redraw();
  }
}
