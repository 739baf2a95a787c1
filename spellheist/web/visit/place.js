/** A place at a table: one seat of this browser, or a watcher's, with its connection, what it knows and what it can do. */

import { redraw } from "../router.js";
import { Connection } from "./connection.js";
import { ANYONE, UNKNOWN } from "./known.js";
import { OF_THE_GAME, RECEIVED } from "./messages.js";

/** @typedef {import("./known.js").Known} Known */

const LOOK = 4000; // milliseconds that the end of a round is looked at before the next begins
const SHOWN_KEPT = 50;

export class Place {
  /** @type {Known} */ known = UNKNOWN;
  /** @type {Map<number, number>} when the drawing of each recent ply was shown */ #shown = new Map();
  /** @type {any[]} messages that wait while the end of a round is shown */ #held = [];
  #hold = 0; // the timer of that

  /**
   * @param {string} table
   * @param {number | null} seat
   * @param {(place: Place, before: Known) => void} learned called when something is known that was not
   * @param {(place: Place, code: number, sentence: string) => void} shut called when the server shuts this place for good
   */
  constructor(table, seat, learned, shut) {
    this.seat = seat;
    this.learned = learned;
    this.connection = new Connection(
      table,
      seat,
      (message) => this.#receive(message),
      (code, sentence) => {
        if (code) {
          this.known = { ...this.known, refusal: { sentence, rule: null } };
          shut(this, code, sentence);
        }
        redraw();
      },
    );
  }

  /** @param {any} message */
  #receive(message) {
    if (message.t === "view") this.#letGo();
    if (this.holding && OF_THE_GAME.includes(message.t)) this.#held.push(message);
    else this.learn(RECEIVED[message.t]?.(this.known, message, this.connection) ?? this.known);
  }

  /** @param {Partial<Known>} news */
  learn(news) {
    const before = this.known;
    if (news === before) return;
    this.known = { ...before, ...news };
    if (this.known.view !== before.view) this.#comeTo(this.known);
    this.learned(this, before);
  }

  /** @param {Known} known with another view than before */
  #comeTo({ ply, roundEnd }) {
    requestAnimationFrame((now) => {
      this.#shown.set(ply, now);
      if (this.#shown.size > SHOWN_KEPT) this.#shown.delete(this.#shown.keys().next().value ?? -1);
    });
    if (roundEnd && document.visibilityState === "visible") this.#hold = setTimeout(() => this.goOn(), LOOK);
  }

  /** Is the end of a round shown, and what comes after it kept back? */
  get holding() {
    return this.#hold !== 0;
  }

  #letGo() {
    clearTimeout(this.#hold);
    this.#hold = 0;
    this.#held = [];
  }

  /** Goes on after the end of a round was shown. */
  goOn() {
    const held = this.#held;
    this.#letGo();
    for (const message of held) this.#receive(message);
    redraw();
  }

  // What can be done from here.

  /** @param {Record<string, unknown> & {t: string}} message that is answered */
  send(message) {
    this.connection.send(message);
    this.learn({ refusal: null });
  }

  /**
   * Plays a move. Where everybody may act at once it is a press, which carries the time from shown to pressed.
   * @param {number} move
   * @param {number} [stamp] of the event that played it
   */
  play(move, stamp = performance.now()) {
    const { moves, waiting, turn, ply, window } = this.known;
    if (!moves.has(move) || waiting) return;
    if (turn !== ANYONE) {
      this.send({ t: "move", ply, move });
      this.learn({ waiting: true });
    } else if (window.mine === null) {
      const shown = this.#shown.get(window.ply);
      const reaction = window.open && shown !== undefined ? Math.max(0, Math.round((stamp - shown) * 10) / 10) : null;
      this.send({ t: "press", ply, move, reaction });
      this.learn({ window: { ...window, mine: move } });
    }
  }

  /** @param {number} move asks why it is not allowed */
  why(move) {
    this.connection.say({ t: "why", move });
  }

  hint() {
    this.send({ t: "hint", ply: this.known.ply });
    this.learn({ thinking: true });
  }

  /** @param {number} seat that was first in a dead heat; -1 if nobody can tell */
  vote(seat) {
    const { window } = this.known;
    this.send({ t: "vote", ply: window.ply, seat });
    this.learn({ window: { ...window, voted: true } });
  }

  /** @param {string} nonce that this seat has promised */
  reveal(nonce) {
    this.connection.say({ t: "reveal", words: nonce, seat: this.seat });
  }

  /** @param {string} sentence why something cannot be done, told as the server tells a refusal */
  explain(sentence) {
    this.learn({ refusal: { sentence, rule: null } });
  }

  end() {
    this.#letGo();
    this.connection.end();
  }
}
