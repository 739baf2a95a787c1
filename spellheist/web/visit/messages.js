/**
 * What the page does with each message of the server: one function a message, which answers what is known from then on.
 * Whoever adds a message adds its function here; what is to be seen of it is drawn from `Known`.
 */

import { ANYONE, changed } from "./known.js";

/** @typedef {import("./known.js").Known} Known */
/** @typedef {Pick<import("./connection.js").Connection, "say" | "answered" | "letIn" | "waitsFor">} Connection */
/** @typedef {(known: Known, message: any, connection: Connection) => Known} Receiver `message.at`: when it came */

const NEWS_KEPT = 400;
const CHAT_KEPT = 200;
const CHAT_SO_FAR = 1000; // milliseconds after connecting in which the chat so far comes

/** While the end of a round is looked at these wait; all others are heard at once. */
export const OF_THE_GAME = ["plies", "window", "did"];

/** @type {Record<string, Receiver>} */
export const RECEIVED = {
  /** The server measures the way to this page and back. */
  ping(known, { n }, connection) {
    connection.say({ t: "pong", n });
    return known;
  },

  /** Who sits where, and how the table stands: first on every connection, and after each change. */
  table(known, table, connection) {
    return {
      ...known,
      table,
      here: table.chairs.map((/** @type {import("../api.js").Chair} */ chair) => Boolean(chair.here)),
      watching: table.watching,
      since: known.since || table.at,
      askedUntil: table.proposal ? table.at + table.proposal.left : null,
      chat: connection.letIn() ? [] : known.chat, // on a new connection the chat so far is sent again
    };
  },

  /** Somebody has come or gone. */
  here: (known, { here, watching }) => ({ ...known, here, watching }),

  /** The whole view, and nothing that was known before it. */
  view(known, message, connection) {
    const { view, news = [] } = message;
    const window = { ...known.window, open: false, pressed: [], mine: null, vote: [] };
    const whole = { ...known, view, before: null, news, last: news.slice(-1), moves: new Map(), rules: [], window };
    return atPly(whole, message, connection);
  },

  /** What has changed since the last ply; a page that has missed something asks for the whole view. */
  plies(known, message, connection) {
    if (message.did) connection.answered(message.did);
    if (message.base !== known.ply || !known.view) {
      connection.say({ t: "whole" });
      return known;
    }
    const last = counted(message.base, message.news ?? []);
    const news = [...known.news, ...last].slice(-NEWS_KEPT);
    const next = { ...known, before: known.view, view: changed(known.view, message.change), last, news };
    return atPly(next, message, connection);
  },

  /** What this page sent was done. */
  did(known, { id }, connection) {
    connection.answered(id);
    return known;
  },

  /** What this page sent was refused, and why. */
  refused(known, message, connection) {
    connection.answered(message.id);
    return { ...known, refusal: message, window: { ...known.window, mine: null }, waiting: false, thinking: false };
  },

  /** Why a move is not legal. */
  why: (known, message) => ({ ...known, refusal: message }),

  /** What a bot thinks of the moves: the answer to a hint. */
  thoughts(known, message, connection) {
    connection.answered(message.id);
    return { ...known, thoughts: message, thinking: false };
  },

  /** On connecting comes what was said before: of that only what this page has missed is fresh. */
  chat(known, { lines, at }) {
    /** @type {import("./known.js").Said[]} */
    const said = lines.map((/** @type {any[]} */ [seat, name, text, time]) => ({ seat, name, text, time }));
    const before = !known.saidLast && at - known.since < CHAT_SO_FAR;
    return {
      ...known,
      chat: [...known.chat, ...said].slice(-CHAT_KEPT),
      fresh: before ? [] : said.filter(({ time }) => time > known.saidLast),
      saidLast: Math.max(known.saidLast, ...said.map(({ time }) => time)),
    };
  },

  /** A live window opens, somebody has pressed, the others are asked who was first, or it was ruled. */
  window(known, { ply, open, pressed, vote, until, ruling }) {
    const ruled = Boolean(ruling);
    const now = known.window;
    const above = known.ruled ? now.ruling : []; // after presses that failed it goes on, below their ruling
    const fresh = { ply, open: true, pressed: [], mine: null, vote: [], until: 0, voted: false, ruling: above };
    if (open) return { ...known, ruled, window: fresh };
    if (pressed) return { ...known, ruled, window: { ...now, pressed } };
    if (vote) return { ...known, ruled, window: { ...now, vote, until, voted: false } };
    if (ruling) return { ...known, ruled, window: { ...now, open: false, ruling, vote: [], mine: null } };
    return { ...known, ruled };
  },
};

/**
 * What `view` and `plies` tell alike. What a message leaves out has not changed.
 * @param {Known} known with the view of that ply already
 * @param {any} message
 * @param {Connection} connection
 * @returns {Known}
 */
function atPly(known, message, connection) {
  const { ply, at, asked, left, over, question, score } = message;
  const turn = message.turn ?? known.view?.turn ?? known.turn;
  const open = known.window.open && known.window.ply >= ply; // the next window is opened by a message of its own
  const same = ply === known.ply;
  return {
    ...known,
    ply,
    turn,
    asked: asked ?? (turn === ANYONE ? known.asked : turn >= 0 ? [turn] : []),
    question: question === undefined ? known.question : question,
    moves: message.moves ? new Map(message.moves) : known.moves,
    rules: message.rules ?? known.rules,
    over: over === undefined ? known.over : over,
    score: score === undefined ? known.score : score,
    standings: message.standings ?? known.standings,
    roundEnd: Boolean(message.show && !over),
    until: typeof left === "number" ? at + left : null,
    window: { ...known.window, open, mine: open ? known.window.mine : null },
    ruled: false,
    thoughts: same ? known.thoughts : null,
    refusal: same ? known.refusal : null,
    thinking: false,
    waiting: connection.waitsFor("move", ply),
  };
}

/**
 * News with the ply of each: one that has none is of the next.
 * @param {number} base
 * @param {any[][]} news
 * @returns {import("./known.js").News[]}
 */
function counted(base, news) {
  let ply = base;
  return news.map(([who, move, sentence, given]) => [who, move, sentence, (ply = given ?? ply + 1)]);
}
