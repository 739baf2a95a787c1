/**
 * The guide of a first game: the steps are in the game's words; the next one that fits the moment is shown, and stays
 * until it was read, whatever the bots do meanwhile. After a step that belongs to a moment the game goes on first, so
 * that nobody reads the whole guide before the first move.
 */

import { html, nothing } from "lit-html";
import { redraw } from "./router.js";
import { say } from "./words.js";

export class Guide {
  /** @type {Set<number>} */ #read = new Set();
  #shown = -1; // the step that is being read
  #readAt = -1; // the ply at which the last step was read
  stopped = false;

  /** @param {import("./arena.js").Step[]} steps @param {Record<string, number>} constants */
  constructor(steps, constants) {
    this.steps = steps.map((step) => (typeof step === "string" ? { text: step } : step));
    this.c = constants;
  }

  /** @param {import("./line.js").Line} line the first step not yet read that fits this moment, or -1 */
  #next(line) {
    const own = this.steps.findIndex((step) => step.mine);
    const early = own >= 0 && !this.steps.some((step, i) => step.mine && this.#read.has(i)); // what others do comes later
    return this.steps.findIndex((step, i) => {
      if (early && !step.mine && i > own) return false;
      const bound = step.mine || step.phase !== undefined;
      if (this.#read.has(i) || (step.mine && !line.moves.size) || (bound && line.ply <= this.#readAt)) return false;
      const phases = step.phase === undefined ? [] : [step.phase].flat();
      return !phases.length || phases.some((name) => this.c[name] === line.view?.phase);
    });
  }

  /** @param {import("./line.js").Line} line */
  draw(line) {
    if (this.#shown < 0) this.#shown = this.#next(line);
    const at = this.#shown;
    if (this.stopped || line.over || at < 0) return nothing;
    return html`<aside class="guide" aria-label=${say("learn_label")}>
      <p class="soft small">${say("learn_step", { n: this.#read.size + 1, all: this.steps.length })}</p>
      <p aria-live="polite">${this.steps[at].text}</p>
      <div class="actions">
        <button
          class="button main small"
          @click=${() => {
            this.#read.add(at);
            this.#readAt = line.ply;
            this.#shown = -1;
            redraw();
          }}
        >
          ${say("learn_next")}
        </button>
        <button
          class="button plain small"
          @click=${() => {
            this.stopped = true;
            redraw();
          }}
        >
          ${say("learn_stop")}
        </button>
      </div>
    </aside>`;
  }
}
