/**
 * A visit to a table. What the server tells goes one way: a message changes what a place knows (`messages.js`), the visit
 * reacts to what is new (`reactions.js`), and the page is drawn from what is known (`../table/`).
 */

import { ask, game } from "../api.js";
import { firstShown, kept } from "../dice.js";
import { kit } from "../kit.js";
import { Links } from "../links.js";
import { go, redraw } from "../router.js";
import { say, toPlayer } from "../words.js";
import { Chat } from "./chat.js";
import { Guide } from "./guide.js";
import { Input } from "./input.js";
import { UNKNOWN } from "./known.js";
import { LookingBack } from "./looking_back.js";
import { Proof } from "./proof.js";
import { react } from "./reactions.js";
import { Seats } from "./seats.js";

/** @typedef {import("./known.js").TableNews} TableNews */
/** @typedef {{game: import("../api.js").WholeGame, kit: import("../kit.js").Kit, cards: any}} Loaded */

export class Visit {
  back = new LookingBack(this);
  chat = new Chat();
  proof = new Proof(this);
  input = new Input(this);
  /** @type {Loaded | null} the game, with what it brings to the page */ loaded = null;
  /** @type {Guide | null} of a first game */ guide = null;
  announced = ""; // what is read out to whoever cannot see the page
  problem = ""; // what did not work
  sure = ""; // what the reader is asked to confirm
  sitMore = false; // another person at this device wants to sit down
  #loading = false;
  #starts = false; // the game begins at once
  #wantsRematch = false;
  #ticker = 0;

  /** @param {string} name */
  constructor(name) {
    this.name = name;
    this.#starts = history.state?.start === true;
    if (this.#starts) history.replaceState(null, "", location.href);
    this.learns = location.search === "?learn";
    this.bare = location.search === "?fields"; // the fields of the view instead of the game's table: for who writes games
    this.links = new Links(`/t/${name}`);
    this.seats = new Seats(name, (place, before) => this.#learned(place, before));
    this.#ticker = setInterval(() => {
      if (this.known.until || this.known.window.vote.length || this.table?.proposal) redraw();
    }, 500);
  }

  // What is looked at.

  /** The place that is looked at; there is none before the first is opened. */
  get place() {
    return this.seats.place;
  }

  /** What is known at that place. */
  get known() {
    return this.place?.known ?? UNKNOWN;
  }

  get table() {
    return this.known.table;
  }

  /** The own legal moves, in words for the one who plays them; none while the reader looks back. */
  get moves() {
    const { back, known, place, table } = this;
    const asked = place && table?.state === "playing" && !back.moment ? [...known.moves] : [];
    return new Map(asked.map(([move, words]) => [move, toPlayer(words, place?.seat ?? null, table?.names ?? [])]));
  }

  /** @param {number} seat */
  nameOf(seat) {
    return this.table?.names[seat] || say("new_seat", { n: seat + 1 });
  }

  // What the server tells.

  /** @param {import("./place.js").Place} place @param {import("./known.js").Known} before */
  #learned(place, before) {
    const { table } = place.known;
    if (table && table !== before.table) this.#follow(place, table);
    react(this, place, before);
    redraw();
  }

  /**
   * What has to be done for the table as it is now: the seats, the dice, the start, the rematch.
   * @param {import("./place.js").Place} place
   * @param {TableNews} table
   */
  #follow(place, table) {
    if (!this.#loading) void this.#load(table.game);
    firstShown(this.name, table.commitment);
    this.seats.follow(table);
    if (table.state === "gathering") {
      void this.attempt(() => this.seats.promiseAll(table));
      this.#startIfFull(place, table);
    }
    const nonce = place.seat === null ? null : kept(this.name, place.seat);
    if (table.state === "promising" && nonce) place.reveal(nonce);
    if (table.rematch && this.#wantsRematch) {
      this.#wantsRematch = false;
      go(`/t/${table.rematch}`);
    }
  }

  /** @param {import("./place.js").Place} place @param {TableNews} table */
  #startIfFull(place, table) {
    if (!this.#starts || place.seat === null || table.chairs.some((chair) => chair.kind === "open")) return;
    this.#starts = false;
    place.send({ t: "start" });
  }

  /** @param {string} name of the game */
  async #load(name) {
    this.#loading = true;
    await this.attempt(async () => {
      const [whole, own, cards] = await Promise.all([
        game(name),
        kit(name),
        ask(`/api/tables/${this.name}/cards`).catch(() => null),
      ]);
      this.loaded = { game: whole, kit: own, cards: cards ?? whole.cards };
      if (this.learns && own.words.learn) this.guide = new Guide(own.words.learn, whole.constants);
      this.guide?.follow(this.known);
    });
    this.#loading = this.loaded !== null;
  }

  // What the reader does.

  /** Does what the server may refuse; then the reader is told why. @param {() => Promise<void>} work */
  async attempt(work) {
    try {
      await work();
    } catch (refusal) {
      this.problem = /** @type {Error} */ (refusal).message;
    }
    redraw();
  }

  /** @param {string} sentence is read out to whoever cannot see the page */
  announce(sentence) {
    this.announced = sentence;
    redraw();
  }

  /** @param {number} move */
  play(move) {
    this.chat.dismiss();
    this.place?.play(move, this.input.pressedAt);
  }

  /** @param {number} seat @param {string} name */
  sit(seat, name) {
    this.problem = "";
    return this.attempt(() => this.seats.sit(seat, name));
  }

  /** @param {number} seat */
  async rise(seat) {
    this.problem = "";
    await this.attempt(() => this.seats.rise(seat, this.table?.state === "gathering"));
    this.sure = "";
  }

  /** @param {number} seat of this browser that is looked at from here on */
  turnTo(seat) {
    this.seats.active = seat;
    this.back.forget();
    redraw();
  }

  rematch() {
    this.#wantsRematch = true;
    this.place?.send({ t: "rematch" });
  }

  end() {
    clearInterval(this.#ticker);
    this.chat.end();
    this.input.end();
    this.seats.end();
  }
}
