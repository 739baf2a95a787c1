/**
 * A visit to a table: the lines of this browser's seats (or of a watcher), which of them is looked at, and what is being
 * looked back at.
 */

import { ask, game as wholeGame, text } from "./api.js";
import { able, contribution, firstShown, keep, kept, verify } from "./dice.js";
import { fields } from "./fields.js";
import { Guide } from "./guide.js";
import { Line, changed } from "./line.js";
import { proposed } from "./proposals.js";
import { go, redraw } from "./router.js";
import { settings } from "./settings.js";
import { sound } from "./sound.js";
import { kit } from "./arena.js";
import { say, speaker, toPlayer } from "./words.js";

/** The keys that play the first moves of the list. */
export const MOVE_KEYS = "1234567890";

const SIGNED_OUT = 4401; // the code with which the lines of a device are shut that was signed out
const WORD = 20_000; // milliseconds for which the table's own word is shown; it stays in the chat
const PRESSES = ["pointerdown", "keydown", "click"];

/** @typedef {{frame: import("./api.js").Frame, view: Record<string, any>}} Moment */

export class Visit {
  /** @type {Map<number | null, Line>} */ lines = new Map();
  /** @type {number | null} the seat that is looked at */ active = null;
  /** @type {import("./api.js").WholeGame | null} */ game = null;
  /** @type {import("./arena.js").Kit | null} */ kit = null;
  /** @type {any} */ cards = null;
  /** @type {Moment[]} the game so far, fetched when somebody looks back */ moments = [];
  /** @type {number | null} which moment is looked at; null is now */ at = null;
  open = false; // looks at a finished game with nothing hidden
  announced = "";
  problem = "";
  muted = false;
  more = false; // another person at this device wants to sit down
  thinking = false;
  /** @type {string} what the reader is asked to confirm */ sure = "";
  /** @type {Guide | null} */ guide = null;
  /** @type {string} */ proof = "";
  proved = false;
  copied = "";
  personal = ""; // a link for another device that was just made
  word = ""; // what the table itself said last
  told = ""; // why a seat was lost
  signedOut = ""; // this browser is nobody here any more
  wantsRematch = false;
  /** @type {string[]} our names at seats from which the host removed us */ removed = [];
  /** @type {number | null} a seat that was ours, and that was not given up here */ lost = null;
  #start = false;
  /** @type {Set<number>} */ #contributed = new Set();
  /** @type {Set<number>} seats that are given up here */ #rising = new Set();
  #stamp = 0;
  #touched = false;
  #byKeys = false;
  #ticker = 0;
  #ended = false;
  #remembering = false;
  #returning = false;
  #proposed = "";
  #wordTimer = 0;

  /** @param {string} name */
  constructor(name) {
    this.name = name;
    this.#start = history.state?.start === true;
    if (this.#start) history.replaceState(null, "", location.href);
    this.learn = location.search === "?learn";
    this.bare = location.search === "?fields"; // the fields of the view instead of the game's table: for who writes games
    this.press = (/** @type {Event} */ event) => this.#pressed(event);
    for (const kind of PRESSES) addEventListener(kind, this.press, true);
    this.#ticker = setInterval(() => {
      if (this.line?.until || this.line?.window.vote.length || this.table?.proposal) redraw();
    }, 500);
    void this.#sitWhereIBelong();
  }

  /** @param {string} [signedOut] what to say if there is no seat here */
  async #sitWhereIBelong(signedOut = "") {
    /** @type {number[]} */ let mine = [];
    try {
      const rows = /** @type {import("./api.js").MyTable[]} */ (await ask("/api/mine"));
      mine = rows.find((row) => row.table === this.name)?.seats ?? [];
    } catch {
      /* the line will say what is wrong */
    }
    if (this.#ended) return;
    this.active = mine[0] ?? null;
    this.signedOut = mine.length ? "" : signedOut;
    if (!this.signedOut) for (const seat of mine.length ? mine : [null]) this.#openLine(seat);
    redraw();
  }

  /** @param {number | null} seat */
  #openLine(seat) {
    if (!this.lines.has(seat)) this.lines.set(seat, new Line(this.name, seat, (line, what) => this.#heard(line, what)));
  }

  /** The line that is looked at. */
  get line() {
    return this.lines.get(this.active);
  }

  get table() {
    return this.line?.table ?? null;
  }

  /** Own seats at this table. */
  get mine() {
    return [...this.lines.keys()].filter((seat) => seat !== null);
  }

  /** Closed or frozen: nobody is asked any more, and nobody has won. */
  get stopped() {
    return this.table?.state === "closed" || this.table?.state === "frozen";
  }

  get host() {
    return this.table?.host ?? false;
  }

  /** @param {number} seat */
  nameOf(seat) {
    return this.table?.names[seat] || say("new_seat", { n: seat + 1 });
  }

  /** @param {Line} line @param {string} what */
  #heard(line, what) {
    if (this.#ended) return;
    const looked = line === this.line;
    if (what === "table") this.#hearTable(line);
    if (what === "shut" && line.code === SIGNED_OUT) void this.#comeBack(line.refusal?.sentence ?? "");
    else if (what === "shut" && line.seat !== null) this.#drop(line.seat, line.refusal?.sentence);
    if (what === "thoughts" || what === "refused") this.thinking = false;
    if (what === "refused" && line.refusal?.sentence && looked) this.announced = line.refusal.sentence;
    if (what === "why" && looked) this.announced = line.refusal?.sentence ?? "";
    if ((what === "plies" || what === "view") && looked) this.#hearView(line, what);
    if (what === "plies" && !looked && line.moves.size) sound("turn");
    const ended = line.view && (line.over || line.table?.state === "closed");
    if (ended && looked && !this.#remembering && this.#remembered < line.ply) void this.remember();
    if (what === "chat" && looked) this.#hearChat(line);
    if (what === "pressed") sound("press");
    redraw();
  }

  /** The table's own word is shown also where the chat is muted or out of sight. @param {Line} line */
  #hearChat(line) {
    if (line.fresh.length && !this.muted) sound("chat");
    const words = line.fresh.filter(({ seat }) => seat === null);
    if (!words.length) return;
    this.word = words[words.length - 1].text;
    clearTimeout(this.#wordTimer);
    this.#wordTimer = setTimeout(() => {
      this.word = "";
      redraw();
    }, WORD);
  }

  /** This browser was signed out, or is somebody else by now: then it takes the seats of that. @param {string} sentence */
  async #comeBack(sentence) {
    if (this.#returning) return;
    this.#returning = true;
    for (const line of this.lines.values()) line.close();
    this.lines.clear();
    await this.#sitWhereIBelong(sentence);
    this.#returning = false;
  }

  /** @param {number} seat is no longer ours: whoever has none left watches @param {string} [sentence] why */
  #drop(seat, sentence = "") {
    if (!this.#rising.delete(seat)) [this.lost, this.told] = [seat, sentence || this.told];
    this.lines.get(seat)?.close();
    this.lines.delete(seat);
    if (this.active === seat) this.active = this.mine[0] ?? null;
    if (this.active === null) this.#openLine(null);
  }

  /** @param {Line} line @param {string} what */
  #hearView(line, what) {
    if (what === "plies") {
      this.announced = line.last.map(([, , sentence]) => sentence).join(" ");
      if (line.over) sound("won");
      else sound(line.moves.size ? "turn" : "move");
    } else {
      this.moments = [];
      this.at = null;
      if (line.moves.size) sound("turn");
    }
    if (line.moves.size && line.turn >= 0)
      this.announced = `${this.announced} ${say("banner_you")}. ${line.question}`.trim();
    this.thinking = false;
    if (line.over) this.sure = ""; // what is to be confirmed has nothing to do with the ply
  }

  /** @param {Line} line */
  #hearTable(line) {
    const table = /** @type {import("./line.js").TableNews} */ (line.table);
    if (!this.game) void this.#loadGame(table.game);
    firstShown(this.name, table.commitment);
    this.removed = table.removed;
    if (line === this.line) this.#hearProposal(table.proposal);
    for (const seat of table.mine) this.#openLine(seat);
    if (this.active === null && table.mine.length) {
      this.lines.get(null)?.close();
      this.lines.delete(null);
      this.active = table.mine[0];
    }
    for (const seat of this.mine) if (!table.mine.includes(seat)) this.#drop(seat);
    if (table.state === "gathering") {
      for (const seat of table.mine) if (!kept(this.name, seat)) void this.#contribute(seat, table.names[seat]);
      if (this.#start && table.chairs.every((chair) => chair.kind !== "open") && line.seat !== null) {
        this.#start = false;
        line.send({ t: "start" });
      }
    }
    if (table.state === "promising" && line.seat !== null) {
      const words = kept(this.name, line.seat);
      if (words) line.reveal(words, line.seat);
    }
    if (table.rematch && this.wantsRematch) {
      this.wantsRematch = false;
      go(`/t/${table.rematch}`);
    }
  }

  /** A question to the others is announced once. @param {import("./line.js").Proposal | null} asked */
  #hearProposal(asked) {
    const now = asked ? proposed(this, asked) : "";
    if (now && now !== this.#proposed) {
      this.announced = now;
      sound("chat");
    }
    this.#proposed = now;
  }

  /** Gives the dice words of this person. @param {number} seat @param {string} name */
  async #contribute(seat, name) {
    if (this.#contributed.has(seat) || !able()) return;
    this.#contributed.add(seat);
    const own = await contribution();
    try {
      await ask(`/api/tables/${this.name}/sit`, { seat, name, promise: own.promise });
      keep(this.name, seat, own.words);
    } catch (refusal) {
      this.problem = /** @type {Error} */ (refusal).message;
      redraw();
    }
  }

  /** @param {string} name */
  async #loadGame(name) {
    try {
      [this.game, this.kit, this.cards] = await Promise.all([
        wholeGame(name),
        kit(name),
        ask(`/api/tables/${this.name}/cards`).catch(() => null),
      ]);
      if (this.bare) this.kit = { ...this.kit, draw: fields };
      if (this.learn && this.kit.words.learn) this.guide = new Guide(this.kit.words.learn, this.game.constants);
    } catch (refusal) {
      this.problem = /** @type {Error} */ (refusal).message;
    }
    redraw();
  }

  /** @param {number} seat @param {string} name sits down */
  async sit(seat, name) {
    this.problem = "";
    this.lost = null;
    this.told = "";
    const own = await contribution();
    try {
      this.#contributed.add(seat);
      await ask(`/api/tables/${this.name}/sit`, { seat, name, promise: own.promise });
      keep(this.name, seat, own.words);
      this.lines.get(null)?.close();
      this.lines.delete(null);
      this.#openLine(seat);
      this.active = seat;
    } catch (refusal) {
      this.problem = /** @type {Error} */ (refusal).message;
    }
    redraw();
  }

  /** @param {number} seat gets up, or hands the seat to a bot */
  async rise(seat) {
    this.problem = "";
    if (this.table?.state === "gathering") this.#rising.add(seat);
    try {
      await ask(`/api/tables/${this.name}/rise`, { seat });
    } catch (refusal) {
      this.#rising.delete(seat);
      this.problem = /** @type {Error} */ (refusal).message;
    }
    this.sure = "";
    redraw();
  }

  /**
   * Remembers when something was pressed. While a live window is open a piece of the table counts from the moment it is
   * touched, and the click that follows when it is let go is no second press.
   * @param {Event} event
   */
  #pressed(event) {
    this.#byKeys = event.type === "keydown" || (event.type === "click" && this.#byKeys);
    if (event.type === "click") {
      if (this.#touched && /** @type {MouseEvent} */ (event).detail > 0) event.stopPropagation();
      this.#touched = false;
      return;
    }
    this.#stamp = event.timeStamp;
    this.#touched = false;
    const piece = event.target instanceof Element ? event.target.closest(".felt .lit") : null;
    if (event.type !== "pointerdown" || !this.line?.window.open || !(piece instanceof HTMLElement)) return;
    piece.click();
    this.#touched = true;
  }

  /** Makes a link by which another device gets these seats, and comes to this table. */
  async link() {
    try {
      this.personal = `${(await ask("/api/me/links", {})).link}/t/${this.name}`;
    } catch (refusal) {
      this.problem = /** @type {Error} */ (refusal).message;
    }
    redraw();
  }

  /** @param {number} move */
  play(move) {
    this.word = "";
    const recent = performance.now() - this.#stamp < 1000;
    this.line?.play(move, recent ? this.#stamp : undefined);
  }

  /** @param {string} sentence why something cannot be done, told as the server tells a refusal */
  explain(sentence) {
    if (this.line) this.line.refusal = { sentence, rule: null };
    this.announced = sentence;
    redraw();
  }

  /** Where every move can be played by a lit piece of the table, the list need not stay in sight. */
  settle() {
    const bar = document.getElementById("moves-bar");
    if (bar)
      bar.dataset.lit =
        document.querySelectorAll(".felt button.lit").length < (this.line?.moves.size ?? 0) ? "some" : "all";
    this.#refocus();
  }

  /** Whoever plays by keys does not lose the place when the button that was pressed is gone. */
  #refocus() {
    const now = document.activeElement;
    if (!this.#byKeys || (now && now !== document.body && now.id !== "moves-bar")) return;
    const place = document.querySelector(".move:not([disabled])") ?? document.getElementById("moves-bar");
    if (place instanceof HTMLElement && place !== now) place.focus({ preventScroll: true });
  }

  /** The seat of this browser that is asked while another of them is looked at, or null. */
  get next() {
    if (!this.line || this.mine.length < 2 || this.line.moves.size || this.table?.state !== "playing") return null;
    for (const [seat, line] of this.lines) if (seat !== null && line.moves.size) return seat;
    return null;
  }

  /** @param {number} seat of this browser that is looked at from here on */
  turnTo(seat) {
    this.active = seat;
    this.moments = [];
    this.at = null;
    redraw();
  }

  // Looking back.

  /** Fetches the game so far, as the seat that is looked at saw it. */
  async remember() {
    this.#remembering = true;
    try {
      /** @type {Moment[]} */ const moments = [];
      for (const frame of await this.#frames(this.open ? "open" : String(this.active ?? ""))) {
        const before = moments[moments.length - 1]?.view ?? {};
        moments.push({ frame, view: frame.view ?? changed(before, frame.change ?? []) });
      }
      this.moments = moments;
    } catch (refusal) {
      this.problem = /** @type {Error} */ (refusal).message;
    }
    this.#remembering = false;
    redraw();
  }

  /** The last ply of the game that was fetched, or -1. */
  get #remembered() {
    return this.moments[this.moments.length - 1]?.frame.ply ?? -1;
  }

  /** The whole game, ply by ply; a long one comes in several answers. @param {string} seat */
  async #frames(seat) {
    /** @type {import("./api.js").Frame[]} */ const all = [];
    let from = 0;
    for (;;) {
      const frames = /** @type {import("./api.js").Frame[]} */ (
        await ask(`/api/tables/${this.name}/frames?from=${from}${seat && `&seat=${seat}`}`)
      );
      all.push(...(from ? frames.slice(1) : frames));
      if (frames.length < 2) return all;
      from = frames[frames.length - 1].ply;
      if (from >= (this.line?.ply ?? 0)) return all;
    }
  }

  /** @param {number | null} ply looks at the table after this ply; null is now */
  async look(ply) {
    const line = this.line;
    if (!line) return;
    if (ply !== null && this.#remembered < Math.min(ply, line.ply)) await this.remember();
    const index = ply === null ? -1 : this.moments.findIndex(({ frame }) => frame.ply >= ply);
    this.at = index < 0 || (index === this.moments.length - 1 && !this.open) ? null : index;
    redraw();
  }

  /** @param {number} by how many plies on or back */
  async step(by) {
    if (this.line && this.#remembered < this.line.ply) await this.remember();
    const now = this.at ?? this.moments.length - 1;
    const next = Math.max(0, Math.min(this.moments.length - 1, now + by));
    this.at = next === this.moments.length - 1 && !this.open ? null : next;
    redraw();
  }

  /** @param {boolean} on shows a finished game with nothing hidden */
  async setOpen(on) {
    this.open = on;
    this.moments = [];
    await this.remember();
    this.at = on ? this.moments.length - 1 : null;
    redraw();
  }

  /** The own legal moves, in words for the one who plays them. @returns {Map<number, string>} */
  get moves() {
    const { line, table } = this;
    return new Map(
      [...(line?.moves ?? [])].map(([move, words]) => [move, toPlayer(words, line?.seat ?? null, table?.names ?? [])]),
    );
  }

  /** What the table shows: now, or the moment that is looked back at. @returns {import("./arena.js").Scene | null} */
  get scene() {
    const { line, table, game } = this;
    if (!line?.view || !table || !game || !this.kit) return null;
    const back = this.at === null ? null : this.moments[this.at];
    const seat = this.open && back ? null : line.seat;
    const last = back ? (back.frame.news ?? []) : line.last;
    return {
      view: back ? back.view : line.view,
      before: back ? (this.moments[(this.at ?? 0) - 1]?.view ?? null) : line.before,
      seat,
      seats: table.seats,
      names: table.names,
      sides: table.chairs.map((chair, i) => chair.side ?? i),
      moves: back || table.state !== "playing" ? new Map() : this.moves,
      play: (move) => this.play(move),
      why: (move) => line.why(move),
      c: game.constants,
      cards: this.cards ?? game.cards,
      say: speaker(this.kit.words),
      last: last.map(([who, move, sentence]) => ({ who, move, sentence })),
      over: back ? false : line.over,
      score: back ? null : line.score,
    };
  }

  /** Proves the dice of the finished game. */
  async prove() {
    this.proof = say("verify_running");
    redraw();
    try {
      const [record, frames] = await Promise.all([text(`/api/tables/${this.name}/record`), this.#frames("open")]);
      const out = this.table?.left_out ?? [];
      const own = this.mine.filter((seat) => !out.includes(seat)).flatMap((seat) => kept(this.name, seat) ?? []);
      const result = await verify(record, frames, firstShown(this.name, this.table?.commitment ?? ""), own);
      this.proved = result.good;
      this.proof = result.good
        ? say("verify_good", { rolls: result.rolls })
        : say(/** @type {"verify_roll"} */ (`verify_${result.why}`), { ply: result.wrong });
    } catch (refusal) {
      this.proof = /** @type {Error} */ (refusal).message;
    }
    this.announced = this.proof;
    redraw();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.repeat) return;
    const target = event.target instanceof HTMLElement ? event.target : null;
    if (target?.closest("input, textarea, select")) return;
    const number = MOVE_KEYS.indexOf(event.key);
    const moves = this.at === null && this.next === null ? [...(this.scene?.moves.keys() ?? [])] : [];
    if (settings.keys && event.key && number >= 0 && number < moves.length) {
      event.preventDefault();
      this.line?.play(moves[number], event.timeStamp);
    } else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      if (this.line?.view) void this.step(event.key === "ArrowLeft" ? -1 : 1);
    } else if (event.key === "Escape" && this.at !== null) void this.look(null);
  }

  end() {
    this.#ended = true;
    clearTimeout(this.#wordTimer);
    clearInterval(this.#ticker);
    for (const kind of PRESSES) removeEventListener(kind, this.press, true);
    for (const line of this.lines.values()) line.close();
  }
}
