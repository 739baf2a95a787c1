/**
 * One line to the server: the socket of one seat at one table, or of a watcher, and what it has told so far. A line
 * that breaks is opened again by itself, with growing pauses; what was sent and not answered is sent again.
 *
 * @typedef {{seat: number, move: number, reaction: number | null, lag: number | null, score: number | null,
 *   verdict: string}} Verdict
 * @typedef {{ply: number, open: boolean, pressed: number[], mine: number | null, vote: number[], until: number,
 *   voted: boolean, ruling: Verdict[]}} LiveWindow
 * @typedef {{by: number, waits_for: number[]}} Undo
 * @typedef {{what: "remove" | "pause" | "close", by: number | null, about: number | null, waits_for: number[],
 *   left: number}} Proposal
 * @typedef {{seat: number | null, name: string, text: string, time: number}} Said
 * @typedef {{table: string, game: string, title: string, seats: number, seat: number | null, mine: number[],
 *   settings: Record<string, string>, state: "gathering" | "promising" | "playing" | "paused" | "over" | "closed" | "frozen",
 *   host: boolean, commitment: string, names: string[],
 *   chairs: (import("./api.js").Chair & {away?: boolean, marks?: string[]})[],
 *   clock: {kind: string, seconds?: number}, watchers: boolean, watching: number, hints: boolean, leavers: string,
 *   undo: Undo | null, proposal: Proposal | null, rematch: string | null, reason: string | null,
 *   left_out: number[], removed: string[]}} TableNews
 * @typedef {[number, number, string, number]} News who, move, sentence, ply
 * @typedef {{ply: number, lines: string[], moves: [number, number, number][]}} Thoughts
 */

/** @typedef {"opening" | "open" | "lost" | "gone"} LineState */

const PAUSES = [150, 400, 1000, 2000, 4000, 8000]; // milliseconds before trying again
export const ANYONE = -4; // whose turn it is where several may move
const LATEST = 400; // news that a page keeps
const BEFORE = 1000; // milliseconds after connecting in which the chat so far comes
const SHOW = 4000; // milliseconds that the end of a round is looked at before the next begins

let lastId = 0;

/** A number for a message that no other tab uses, growing. */
const nextId = () => (lastId = Math.max(lastId + 1, Date.now() * 1000 + Math.floor(Math.random() * 1000)));

/**
 * News with the ply of each: one that has none is of the next.
 * @param {number} base
 * @param {any[][]} news
 * @returns {News[]}
 */
function counted(base, news) {
  let ply = base;
  return news.map(([who, move, sentence, given]) => [who, move, sentence, (ply = given ?? ply + 1)]);
}

/**
 * A view with a change applied: runs of numbers, each with the place of its first and how many they are. Places count
 * all numbers of the view in the order of its fields.
 * @param {Record<string, any>} view
 * @param {number[]} change
 */
export function changed(view, change) {
  const news = new Map();
  for (let at = 0; at < change.length; at += 2 + change[at + 1])
    for (let k = 0; k < change[at + 1]; k++) news.set(change[at] + k, change[at + 2 + k]);
  let place = 0;
  /** @param {any} value @returns {any} the same value where nothing in it has changed */
  const next = (value) => {
    if (!Array.isArray(value)) return news.get(place++) ?? value;
    const row = value.map(next);
    return row.every((one, k) => one === value[k]) ? value : row;
  };
  return Object.fromEntries(Object.entries(view).map(([field, value]) => [field, next(value)]));
}

export class Line {
  /** @type {LineState} */ state = "opening";
  /** @type {TableNews | null} */ table = null;
  /** @type {Record<string, any> | null} */ view = null;
  /** @type {Record<string, any> | null} the view before the last change */ before = null;
  ply = -1;
  turn = -1;
  /** @type {number[]} */ asked = [];
  question = "";
  /** @type {Map<number, string>} */ moves = new Map();
  /** @type {string[]} */ rules = [];
  /** @type {News[]} */ news = [];
  /** @type {News[]} what came with the last change */ last = [];
  over = false;
  /** @type {number[] | null} */ score = null;
  /** @type {string[]} what each seat has at the end, in words */ standings = [];
  /** @type {number | null} when the clock of whoever is asked runs out, by this page's clock */ until = null;
  /** @type {Said[]} */ chat = [];
  /** @type {Said[]} what was said last, and not before this page was opened */ fresh = [];
  /** @type {number | null} when silence counts as an answer to a proposal, by this page's clock */ askedUntil = null;
  code = 0; // with which the server has shut this line
  /** @type {Thoughts | null} */ thoughts = null;
  /** @type {{sentence: string, rule: string | null} | null} */ refusal = null;
  /** @type {LiveWindow} */
  window = { ply: -1, open: false, pressed: [], mine: null, vote: [], until: 0, voted: false, ruling: [] };
  holding = false; // the end of a round is shown, and what comes after it is kept back
  waiting = false; // a move was sent and not yet answered
  /** @type {Map<number, number>} when the drawing of each recent ply was shown */ shown = new Map();

  /** @type {WebSocket | null} */ #socket = null;
  /** @type {Map<number, any>} */ #unanswered = new Map();
  #ruled = false; // was a ruling the last that was heard of a window or a ply?
  #tries = 0; // in vain, since the line was last open
  #timer = 0;
  #hold = 0;
  /** @type {any[]} */ #held = [];
  #closed = false;
  #joined = 0; // when this page was first told of the table
  #latest = 0; // when the last line of the chat was said

  /**
   * @param {string} name of the table
   * @param {number | null} seat
   * @param {(line: Line, what: string) => void} tell called after each message
   */
  constructor(name, seat, tell) {
    this.name = name;
    this.seat = seat;
    this.tell = tell;
    this.wake = () => {
      if (this.state === "lost" && document.visibilityState === "visible") this.#open();
    };
    addEventListener("online", this.wake);
    document.addEventListener("visibilitychange", this.wake);
    this.#open();
  }

  #open() {
    clearTimeout(this.#timer);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const seat = this.seat === null ? "" : `?seat=${this.seat}`;
    const socket = new WebSocket(`${scheme}://${location.host}/ws/${encodeURIComponent(this.name)}${seat}`);
    this.#socket = socket;
    socket.onmessage = (event) => {
      if (socket === this.#socket) this.#receive({ ...JSON.parse(event.data), at: performance.now() });
    };
    socket.onclose = (event) => {
      if (socket !== this.#socket || this.#closed) return;
      const final = event.code >= 4400 && event.code < 4500 && event.code !== 4429;
      this.state = final || (!this.table && this.#tries > 2) ? "gone" : "lost";
      if (final) this.refusal = { sentence: event.reason, rule: null };
      this.code = event.code;
      if (this.state === "lost") {
        const pause = PAUSES[Math.min(this.#tries++, PAUSES.length - 1)];
        this.#timer = setTimeout(() => this.#open(), pause * (0.75 + Math.random() / 2));
      }
      this.tell(this, final ? "shut" : "line");
    };
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#hold);
    removeEventListener("online", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
    this.#socket?.close();
  }

  /** @param {any} message */
  #say(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /**
   * Sends a message that is answered with `did`, `refused` or `thoughts`, again after a broken line if need be.
   * @param {Record<string, unknown> & {t: string}} message
   */
  send(message) {
    const whole = { ...message, id: nextId() };
    this.#unanswered.set(whole.id, whole);
    this.refusal = null;
    this.#say(whole);
  }

  /**
   * Plays a move. Where everybody may act at once it is a press, which carries the time from shown to pressed.
   * @param {number} move
   * @param {number} [stamp] of the event that played it
   */
  play(move, stamp = performance.now()) {
    if (!this.moves.has(move) || this.waiting) return;
    if (this.turn !== ANYONE) {
      this.waiting = true;
      this.send({ t: "move", ply: this.ply, move });
      this.tell(this, "sent");
      return;
    }
    if (this.window.mine !== null) return;
    const shown = this.shown.get(this.window.open ? this.window.ply : this.ply);
    const reaction = this.window.open && shown !== undefined ? Math.max(0, Math.round((stamp - shown) * 10) / 10) : null;
    this.window.mine = move;
    this.send({ t: "press", ply: this.ply, move, reaction });
    this.tell(this, "pressed");
  }

  /** @param {number} move asks why it is not allowed */
  why(move) {
    this.#say({ t: "why", move });
  }

  /** @param {string} words @param {number} seat */
  reveal(words, seat) {
    this.#say({ t: "reveal", words, seat });
  }

  /** While a round's end is shown, what happens in the game waits; all else is heard at once. @param {any} m */
  #receive(m) {
    if (m.t === "view") this.#let();
    if (this.holding && ["plies", "window", "did"].includes(m.t)) this.#held.push(m);
    else this.#hear(m);
  }

  #let() {
    clearTimeout(this.#hold);
    this.holding = false;
    this.#held = [];
  }

  /** Goes on after the end of a round was shown. */
  goOn() {
    const held = this.#held;
    this.#let();
    for (const m of held) this.#receive(m);
    this.tell(this, "on");
  }

  /** @param {any} m */
  #hear(m) {
    switch (m.t) {
      case "ping":
        this.#say({ t: "pong", n: m.n });
        return;
      case "table":
        this.#tables(m);
        break;
      case "here":
        if (this.table) {
          const chairs = this.table.chairs.map((chair, seat) => ({ ...chair, here: m.here[seat] }));
          this.table = { ...this.table, chairs, watching: m.watching };
        }
        break;
      case "view":
        this.#whole(m);
        break;
      case "plies":
        if (m.did) this.#unanswered.delete(m.did);
        if (m.base !== this.ply || !this.view) {
          this.#say({ t: "whole" });
          return;
        }
        this.before = this.view;
        this.view = changed(this.view, m.change);
        this.#common(m);
        this.last = counted(m.base, m.news ?? []);
        this.news = [...this.news, ...this.last].slice(-LATEST);
        if (m.show && !m.over && document.visibilityState === "visible") {
          this.holding = true;
          this.#hold = setTimeout(() => this.goOn(), SHOW);
        }
        break;
      case "did":
        this.#unanswered.delete(m.id);
        break;
      case "refused":
        this.#unanswered.delete(m.id);
        this.refusal = m;
        this.window.mine = null;
        this.waiting = false;
        break;
      case "why":
        this.refusal = m;
        break;
      case "thoughts":
        this.#unanswered.delete(m.id);
        this.thoughts = m;
        break;
      case "chat":
        this.#chats(m);
        break;
      case "window":
        this.#windows(m);
        break;
    }
    this.tell(this, m.t);
  }

  /** On connecting comes what was said before: of that only what this page has missed is fresh. @param {any} m */
  #chats(m) {
    /** @type {Said[]} */
    const said = m.lines.map((/** @type {any[]} */ [seat, name, text, time]) => ({ seat, name, text, time }));
    const before = !this.#latest && m.at - this.#joined < BEFORE;
    this.fresh = before ? [] : said.filter(({ time }) => time > this.#latest);
    this.#latest = Math.max(this.#latest, ...said.map(({ time }) => time));
    this.chat = [...this.chat, ...said].slice(-200);
  }

  /** @param {any} m */
  #tables(m) {
    const again = this.state !== "open";
    this.state = "open";
    this.table = m;
    this.#joined ||= m.at;
    this.askedUntil = m.proposal ? m.at + m.proposal.left : null;
    if (!again) return;
    this.#tries = 0;
    this.chat = [];
    for (const message of this.#unanswered.values()) this.#say(message);
  }

  /** @param {any} m */
  #whole(m) {
    this.before = null;
    this.view = m.view;
    this.news = m.news ?? [];
    this.last = this.news.slice(-1);
    this.moves = new Map();
    this.rules = [];
    this.window = { ...this.window, open: false, pressed: [], mine: null, vote: [] };
    this.#common(m);
  }

  /** @param {any} m */
  #common(m) {
    if (m.ply !== this.ply) this.thoughts = this.refusal = null;
    this.ply = m.ply;
    this.waiting = [...this.#unanswered.values()].some((sent) => sent.t === "move" && sent.ply === m.ply);
    this.turn = m.turn ?? this.view?.turn ?? this.turn;
    if (m.asked) this.asked = m.asked;
    else if (this.turn !== ANYONE) this.asked = this.turn >= 0 ? [this.turn] : [];
    if (m.question !== undefined) this.question = m.question;
    if (m.moves) this.moves = new Map(m.moves);
    if (m.rules) this.rules = m.rules;
    if (m.over !== undefined) this.over = m.over;
    if (m.score !== undefined) this.score = m.score;
    if (m.standings) this.standings = m.standings;
    this.until = typeof m.left === "number" ? m.at + m.left : null;
    this.#ruled = false;
    if (this.window.ply < m.ply) this.window.open = false; // the next window is opened by a message of its own
    if (!this.window.open) this.window.mine = null;
    const ply = this.ply;
    requestAnimationFrame((now) => {
      this.shown.set(ply, now);
      if (this.shown.size > 50) this.shown.delete(this.shown.keys().next().value ?? -1);
    });
  }

  /** @param {any} m */
  #windows(m) {
    const w = this.window;
    const ruling = this.#ruled ? w.ruling : []; // after thefts that failed the window goes on, below the ruling on them
    if (m.open) this.window = { ply: m.ply, open: true, pressed: [], mine: null, vote: [], until: 0, voted: false, ruling };
    else if (m.pressed) this.window = { ...w, pressed: m.pressed };
    else if (m.vote) this.window = { ...w, vote: m.vote, until: m.until, voted: false };
    else if (m.ruling) this.window = { ...w, open: false, ruling: m.ruling, vote: [], mine: null };
    this.#ruled = Boolean(m.ruling);
  }
}
