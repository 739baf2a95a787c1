/** Hands at the table: when something was pressed, the keys that play and look back, and where the focus stays. */

import { settings } from "../settings.js";

/** The keys that play the first moves of the list. */
export const MOVE_KEYS = "1234567890";

const PRESSES = ["pointerdown", "keydown", "click"];
const JUST_NOW = 1000; // milliseconds in which a press counts as the one that played a move

export class Input {
  #pressedAt = 0;
  #touched = false; // a piece was played when it was touched, so the click that follows is no second press
  #byKeys = false;

  /** @param {import("./visit.js").Visit} visit */
  constructor(visit) {
    this.visit = visit;
    this.press = (/** @type {Event} */ event) => this.#press(event);
    for (const kind of PRESSES) addEventListener(kind, this.press, true);
  }

  /** When the press happened that is being handled, if there is one. */
  get pressedAt() {
    return performance.now() - this.#pressedAt < JUST_NOW ? this.#pressedAt : undefined;
  }

  /**
   * Remembers when something was pressed. While a live window is open a piece of the table counts from the moment it is
   * touched, and the click that follows when it is let go is no second press.
   * @param {Event} event
   */
  #press(event) {
    this.#byKeys = event.type === "keydown" || (event.type === "click" && this.#byKeys);
    if (event.type === "click") {
      if (this.#touched && /** @type {MouseEvent} */ (event).detail > 0) event.stopPropagation();
      this.#touched = false;
      return;
    }
    this.#pressedAt = event.timeStamp;
    this.#touched = false;
    const piece = event.target instanceof Element ? event.target.closest(".felt .lit") : null;
    if (event.type !== "pointerdown" || !this.visit.known.window.open || !(piece instanceof HTMLElement)) return;
    piece.click();
    this.#touched = true;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.repeat) return;
    const target = event.target instanceof HTMLElement ? event.target : null;
    if (target?.closest("input, textarea, select")) return;
    const { back, known, place, seats } = this.visit;
    const number = MOVE_KEYS.indexOf(event.key);
    const moves = back.at === null && seats.next === null ? [...this.visit.moves.keys()] : [];
    if (settings.keys && event.key && number >= 0 && number < moves.length) {
      event.preventDefault();
      place?.play(moves[number], event.timeStamp);
    } else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      if (known.view) void back.step(event.key === "ArrowLeft" ? -1 : 1);
    } else if (event.key === "Escape" && back.at !== null) void back.look(null);
  }

  /** After drawing: where every move can be played by a lit piece of the table, the list need not stay in sight. */
  settle() {
    const bar = document.getElementById("moves-bar");
    const lit = document.querySelectorAll(".felt button.lit").length;
    if (bar) bar.dataset.lit = lit < this.visit.known.moves.size ? "some" : "all";
    this.#refocus();
  }

  /** Whoever plays by keys does not lose the place when the button that was pressed is gone. */
  #refocus() {
    const now = document.activeElement;
    if (!this.#byKeys || (now && now !== document.body && now.id !== "moves-bar")) return;
    const place = document.querySelector(".move:not([disabled])") ?? document.getElementById("moves-bar");
    if (place instanceof HTMLElement && place !== now) place.focus({ preventScroll: true });
  }

  end() {
    for (const kind of PRESSES) removeEventListener(kind, this.press, true);
  }
}
