/**
 * What one place at a table knows: everything that the server has told it. A `Known` is never changed: `messages.js`
 * makes the next one from the last, and the page is drawn from it.
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
 *   chairs: (import("../api.js").Chair & {away?: boolean, marks?: string[]})[],
 *   clock: {kind: string, seconds?: number}, watchers: boolean, watching: number, hints: boolean, leavers: string,
 *   undo: Undo | null, proposal: Proposal | null, rematch: string | null, reason: string | null,
 *   left_out: number[], removed: string[]}} TableNews
 * @typedef {[number, number, string, number]} News who, move, sentence, ply
 * @typedef {{ply: number, lines: string[], moves: [number, number, number][]}} Thoughts
 * @typedef {{sentence: string, rule: string | null}} Told why something cannot be done
 */

/**
 * @typedef {object} Known
 * @property {TableNews | null} table who sits where, and how the table stands
 * @property {boolean[]} here which seats are connected
 * @property {number} watching how many watch
 * @property {Record<string, any> | null} view
 * @property {Record<string, any> | null} before the view before the last change; null where the whole view was sent
 * @property {number} ply
 * @property {number} turn
 * @property {number[]} asked the seats that may move
 * @property {string} question what they are asked
 * @property {Map<number, string>} moves the own legal moves, with their words
 * @property {string[]} rules the rules of this moment
 * @property {News[]} news
 * @property {News[]} last what came with the last change
 * @property {boolean} over
 * @property {number[] | null} score
 * @property {string[]} standings what each seat has at the end, in words
 * @property {boolean} roundEnd does the view show the end of a round?
 * @property {number | null} until when the clock of whoever is asked runs out, by this page's clock
 * @property {number | null} askedUntil when silence counts as an answer to a proposal, by this page's clock
 * @property {Said[]} chat
 * @property {Said[]} fresh what was said last, and not before this page was opened
 * @property {number} saidLast when the last line of the chat was said
 * @property {number} since when this page was first told of the table
 * @property {Thoughts | null} thoughts what a bot thinks of the moves
 * @property {boolean} thinking a bot was asked, and has not answered
 * @property {Told | null} refusal
 * @property {LiveWindow} window
 * @property {boolean} ruled was a ruling the last that was heard of a window or a ply?
 * @property {boolean} waiting a move was sent and not yet answered
 */

export const ANYONE = -4; // whose turn it is where several may move

/** @type {Known} what a place knows before the first message */
export const UNKNOWN = {
  table: null,
  here: [],
  watching: 0,
  view: null,
  before: null,
  ply: -1,
  turn: -1,
  asked: [],
  question: "",
  moves: new Map(),
  rules: [],
  news: [],
  last: [],
  over: false,
  score: null,
  standings: [],
  roundEnd: false,
  until: null,
  askedUntil: null,
  chat: [],
  fresh: [],
  saidLast: 0,
  since: 0,
  thoughts: null,
  thinking: false,
  refusal: null,
  window: { ply: -1, open: false, pressed: [], mine: null, vote: [], until: 0, voted: false, ruling: [] },
  ruled: false,
  waiting: false,
};

/** Has the game come to its end? @param {Known} known */
export const isOver = ({ over, table }) => over || table?.state === "over";

/** Over, or closed before its end: then the whole game may be looked at. @param {Known} known */
export const isEnded = (known) => isOver(known) || known.table?.state === "closed";

/** Closed or frozen: nobody is asked any more, and nobody has won. @param {Known} known */
export const isStopped = ({ table }) => table?.state === "closed" || table?.state === "frozen";

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
