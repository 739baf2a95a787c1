/**
 * The seats of this browser at a table: which are its own, sitting down and getting up, and how a seat was lost. Each
 * has a place; whoever has no seat watches.
 */

import { ask } from "../api.js";
import { able, contribution, keep, kept } from "../dice.js";
import { redraw } from "../router.js";
import { Place } from "./place.js";

const SIGNED_OUT = 4401; // the code with which the connections of a device are shut that was signed out

export class Seats {
  /** @type {Map<number | null, Place>} by seat; the place of a watcher has none */ places = new Map();
  /** @type {number | null} the seat that is looked at */ active = null;
  /** @type {string[]} our names at seats from which the host removed us */ removed = [];
  /** @type {number | null} a seat that was ours, and that was not given up here */ lost = null;
  why = ""; // it was lost
  signedOut = ""; // why this browser is nobody here any more
  /** @type {Set<number>} seats whose part of the dice is promised */ #promised = new Set();
  /** @type {Set<number>} seats that are being given up here */ #rising = new Set();
  #returning = false;
  #ended = false;

  /**
   * @param {string} table
   * @param {(place: Place, before: import("./known.js").Known) => void} learned
   */
  constructor(table, learned) {
    this.table = table;
    this.learned = learned;
    void this.#sitWhereIBelong();
  }

  /** The place that is looked at. */
  get place() {
    return this.places.get(this.active);
  }

  /** Own seats at this table. */
  get mine() {
    return [...this.places.keys()].filter((seat) => seat !== null);
  }

  /** The own seat that is asked while another of them is looked at, or null. */
  get next() {
    if (!this.place || this.mine.length < 2 || this.place.known.moves.size) return null;
    if (this.place.known.table?.state !== "playing") return null;
    return this.mine.find((seat) => this.places.get(seat)?.known.moves.size) ?? null;
  }

  /** @param {string} [signedOut] what to say if there is no seat here */
  async #sitWhereIBelong(signedOut = "") {
    /** @type {number[]} */ let mine = [];
    try {
      const rows = /** @type {import("../api.js").MyTable[]} */ (await ask("/api/mine"));
      mine = rows.find((row) => row.table === this.table)?.seats ?? [];
    } catch {
      /* the connection will say what is wrong */
    }
    if (this.#ended) return;
    this.active = mine[0] ?? null;
    this.signedOut = mine.length ? "" : signedOut;
    if (!this.signedOut) for (const seat of mine.length ? mine : [null]) this.#open(seat);
    redraw();
  }

  /** @param {number | null} seat */
  #open(seat) {
    if (this.places.has(seat)) return;
    const learned = (/** @type {Place} */ place, /** @type {import("./known.js").Known} */ before) => {
      if (!this.#ended) this.learned(place, before);
    };
    this.places.set(seat, new Place(this.table, seat, learned, (...shut) => this.#shut(...shut)));
  }

  /** @param {number | null} seat */
  #close(seat) {
    this.places.get(seat)?.end();
    this.places.delete(seat);
  }

  /** @param {Place} place that the server has shut for good @param {number} code @param {string} sentence */
  #shut({ seat }, code, sentence) {
    if (code === SIGNED_OUT) void this.#comeBack(sentence);
    else if (seat !== null) this.#drop(seat, sentence);
  }

  /** This browser was signed out, or is somebody else by now: then it takes the seats of that. @param {string} sentence */
  async #comeBack(sentence) {
    if (this.#returning) return;
    this.#returning = true;
    for (const seat of this.places.keys()) this.#close(seat);
    await this.#sitWhereIBelong(sentence);
    this.#returning = false;
  }

  /** @param {number} seat is no longer ours: whoever has none left watches @param {string} [sentence] why */
  #drop(seat, sentence = "") {
    if (!this.#rising.delete(seat)) [this.lost, this.why] = [seat, sentence || this.why];
    this.#close(seat);
    if (this.active === seat) this.active = this.mine[0] ?? null;
    if (this.active === null) this.#open(null);
  }

  /** Opens and closes places by what the table says of them. @param {import("./known.js").TableNews} table */
  follow({ mine, removed }) {
    this.removed = removed;
    for (const seat of mine) this.#open(seat);
    if (this.active === null && mine.length) this.#take(mine[0]);
    for (const seat of this.mine) if (!mine.includes(seat)) this.#drop(seat);
  }

  /** @param {number} seat that is looked at from here on, by whoever watched until now */
  #take(seat) {
    this.#close(null);
    this.#open(seat);
    this.active = seat;
  }

  /** @param {number} seat @param {string} name sits down */
  async sit(seat, name) {
    this.lost = null;
    this.why = "";
    await this.#promise(seat, name);
    this.#take(seat);
  }

  /** @param {number} seat gets up, or hands the seat to a bot @param {boolean} gathering nobody plays yet */
  async rise(seat, gathering) {
    if (gathering) this.#rising.add(seat);
    try {
      await ask(`/api/tables/${this.table}/rise`, { seat });
    } catch (refusal) {
      this.#rising.delete(seat);
      throw refusal;
    }
  }

  // Everybody's part of the dice: a nonce that is promised on sitting down, and revealed when the game begins.

  /** @param {number} seat @param {string} name who sits there, and promises a nonce */
  async #promise(seat, name) {
    const { nonce, promise } = await contribution();
    this.#promised.add(seat);
    await ask(`/api/tables/${this.table}/sit`, { seat, name, promise });
    keep(this.table, seat, nonce);
  }

  /** Promises for those own seats that have not yet. @param {import("./known.js").TableNews} table */
  async promiseAll({ mine, names }) {
    for (const seat of mine)
      if (able() && !kept(this.table, seat) && !this.#promised.has(seat)) {
        this.#promised.add(seat);
        await this.#promise(seat, names[seat]);
      }
  }

  /** The nonces of own seats that are in the dice. @param {number[]} without seats that were left out */
  nonces(without) {
    return this.mine.filter((seat) => !without.includes(seat)).flatMap((seat) => kept(this.table, seat) ?? []);
  }

  end() {
    this.#ended = true;
    for (const place of this.places.values()) place.end();
  }
}
