/**
 * Fair dice, seen from the page: the nonce that a person adds to the dice, and the proof afterwards. Everything is computed
 * here with WebCrypto, from the record and the odds of each roll; the server is not asked whether it was honest. (That
 * the odds are those of the rules is checked by `spellheist verify` with the record.) Browsers offer WebCrypto only on
 * safe connections and on this machine itself; elsewhere a person adds nothing, and the command is the way to a proof.
 */

/** @typedef {"" | "no_secret" | "secret" | "nonces" | "roll" | "odds" | "unable"} Fault */

const encoder = new TextEncoder();

/** @param {ArrayBuffer | Uint8Array} bytes */
const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} text */
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** @param {Uint8Array<ArrayBuffer>} bytes */
const sha256 = async (bytes) => hex(await crypto.subtle.digest("SHA-256", bytes));

/** Can this browser compute hashes here? */
export const able = () => Boolean(globalThis.crypto?.subtle);

/** A random nonce of one person, and the promise to tell it later: its SHA-256. Nothing where it cannot be computed. */
export async function contribution() {
  if (!able()) return { nonce: "", promise: null };
  const nonce = hex(crypto.getRandomValues(new Uint8Array(16)));
  return { nonce, promise: await sha256(encoder.encode(nonce)) };
}

const place = (/** @type {string} */ table, /** @type {number} */ seat) => `spellheist.words.${table}.${seat}`;

/** Keeps the nonce of a seat until the game begins. @param {string} table @param {number} seat @param {string} nonce */
export const keep = (table, seat, nonce) => nonce && localStorage.setItem(place(table, seat), nonce);

/** The nonce that was kept for a seat, or null. @param {string} table @param {number} seat */
export const kept = (table, seat) => localStorage.getItem(place(table, seat));

/**
 * The commitment of a table as this browser first saw it, so that another one cannot be put in its place later.
 * @param {string} table
 * @param {string} shown what the table shows now
 */
export function firstShown(table, shown) {
  const where = `spellheist.commitment.${table}`;
  if (!localStorage.getItem(where)) localStorage.setItem(where, shown);
  return localStorage.getItem(where) ?? shown;
}

/**
 * What a record says of its dice.
 * @param {string} record
 */
export function told(record) {
  const head = record.split("\n\n")[0].split("\n");
  const all = (/** @type {string} */ key) =>
    head.filter((line) => line.startsWith(`${key}: `)).map((line) => line.slice(key.length + 2));
  return { commitment: (all("dice")[0] ?? "").replace(/^fair /, ""), nonces: all("words"), secret: all("secret")[0] ?? "" };
}

/** @param {Uint8Array<ArrayBuffer>} secret @param {string[]} nonces the key of all dice of a game */
async function diceKey(secret, nonces) {
  const parts = nonces.map((nonce) => encoder.encode(nonce));
  const message = new Uint8Array(parts.reduce((sum, part) => sum + 4 + part.length, 0));
  let at = 0;
  for (const part of parts) {
    new DataView(message.buffer).setUint32(at, part.length);
    message.set(part, at + 4);
    at += 4 + part.length;
  }
  const mac = await hmacKey(secret);
  return hmacKey(new Uint8Array(await crypto.subtle.sign("HMAC", mac, message)));
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
const hmacKey = (bytes) => crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);

/**
 * The outcome at a ply: a number from HMAC(key, ply, try), drawn again while it would favour some outcomes.
 * @param {CryptoKey} key
 * @param {number} ply how many plies came before
 * @param {number[]} odds
 */
async function outcome(key, ply, odds) {
  const total = BigInt(odds.reduce((sum, weight) => sum + weight, 0));
  const span = 1n << 64n;
  for (let attempt = 0; ; attempt++) {
    const message = new DataView(new ArrayBuffer(16));
    message.setBigUint64(0, BigInt(ply));
    message.setBigUint64(8, BigInt(attempt));
    const number = new DataView(await crypto.subtle.sign("HMAC", key, message)).getBigUint64(0);
    if (number >= span - (span % total)) continue;
    let left = Number(number % total);
    for (const [index, weight] of odds.entries()) {
      left -= weight;
      if (left < 0) return index;
    }
  }
}

/**
 * Checks a finished game: does the secret fit what was promised before anybody sat down, and does every roll follow?
 * @param {string} record
 * @param {import("./api.js").Frame[]} frames
 * @param {string} promised the commitment that the page has known since it first saw the table
 * @param {string[]} own nonces that this browser has added
 * @returns {Promise<{good: boolean, rolls: number, wrong: number | null, why: Fault}>}
 */
export async function verify(record, frames, promised, own) {
  const { commitment, nonces, secret } = told(record);
  if (!able()) return { good: false, rolls: 0, wrong: null, why: "unable" };
  if (!secret) return { good: false, rolls: 0, wrong: null, why: "no_secret" };
  if ((await sha256(unhex(secret))) !== commitment || commitment !== promised)
    return { good: false, rolls: 0, wrong: null, why: "secret" };
  if (!own.every((mine) => nonces.includes(mine))) return { good: false, rolls: 0, wrong: null, why: "nonces" };
  const key = await diceKey(unhex(secret), nonces);
  let rolls = 0;
  for (const frame of frames) {
    if (frame.who !== -1) continue;
    if (!frame.odds) return { good: false, rolls, wrong: frame.ply, why: "odds" };
    if ((await outcome(key, frame.ply - 1, frame.odds)) !== frame.move)
      return { good: false, rolls, wrong: frame.ply, why: "roll" };
    rolls++;
  }
  return { good: true, rolls, wrong: null, why: "" };
}
