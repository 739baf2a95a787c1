/**
 * The connection of one seat at one table, or of a watcher. One that breaks is opened again by itself, with growing
 * pauses; what was sent and not answered is sent again. What the messages say is no concern of it.
 *
 * @typedef {"opening" | "open" | "lost" | "gone"} ConnectionState
 */

const PAUSES = [150, 400, 1000, 2000, 4000, 8000]; // milliseconds before trying again
const IN_VAIN = 2; // tries, after which a table that never let us in is gone
const TOO_MUCH = 4429; // the code with which whoever sends too much is shut out for a while

let lastId = 0;

/** A number for a message that no other tab uses, growing. */
const nextId = () => (lastId = Math.max(lastId + 1, Date.now() * 1000 + Math.floor(Math.random() * 1000)));

export class Connection {
  /** @type {ConnectionState} */ state = "opening";
  /** @type {WebSocket | null} */ #socket = null;
  /** @type {Map<number, any>} */ #unanswered = new Map();
  #wasIn = false;
  #tries = 0; // in vain, since it was last open
  #timer = 0;
  #ended = false;

  /**
   * @param {string} table
   * @param {number | null} seat
   * @param {(message: any) => void} received called with each message, and `at`, when it came
   * @param {(code: number, sentence: string) => void} closed called when it breaks; with a code if the server shut it
   *   for good, else with 0
   */
  constructor(table, seat, received, closed) {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const query = seat === null ? "" : `?seat=${seat}`;
    this.address = `${scheme}://${location.host}/ws/${encodeURIComponent(table)}${query}`;
    this.received = received;
    this.closed = closed;
    this.wake = () => {
      if (this.state === "lost" && document.visibilityState === "visible") this.#open();
    };
    addEventListener("online", this.wake);
    document.addEventListener("visibilitychange", this.wake);
    this.#open();
  }

  #open() {
    clearTimeout(this.#timer);
    const socket = new WebSocket(this.address);
    this.#socket = socket;
    socket.onmessage = (event) => {
      if (socket === this.#socket && !this.#ended) this.received({ ...JSON.parse(event.data), at: performance.now() });
    };
    socket.onclose = ({ code, reason }) => {
      if (socket === this.#socket && !this.#ended) this.#broke(code, reason);
    };
  }

  /** @param {number} code @param {string} reason */
  #broke(code, reason) {
    const final = code >= 4400 && code < 4500 && code !== TOO_MUCH;
    this.state = final || (!this.#wasIn && this.#tries > IN_VAIN) ? "gone" : "lost";
    if (this.state === "lost") {
      const pause = PAUSES[Math.min(this.#tries++, PAUSES.length - 1)];
      this.#timer = setTimeout(() => this.#open(), pause * (0.75 + Math.random() / 2));
    }
    this.closed(final ? code : 0, reason);
  }

  /** The table has answered: is this connection new? Then what was not answered before is sent again. */
  letIn() {
    if (this.state === "open") return false;
    this.state = "open";
    this.#wasIn = true;
    this.#tries = 0;
    for (const message of this.#unanswered.values()) this.say(message);
    return true;
  }

  /** Sends a message once. @param {any} message */
  say(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /**
   * Sends a message that is answered with `did`, `refused` or `thoughts`, again after a broken connection if need be.
   * @param {Record<string, unknown> & {t: string}} message
   */
  send(message) {
    const whole = { ...message, id: nextId() };
    this.#unanswered.set(whole.id, whole);
    this.say(whole);
  }

  /** @param {number} id of a message that was answered */
  answered(id) {
    this.#unanswered.delete(id);
  }

  /** Was such a message of this ply sent and not answered? @param {string} kind @param {number} ply */
  waitsFor(kind, ply) {
    return [...this.#unanswered.values()].some((sent) => sent.t === kind && sent.ply === ply);
  }

  end() {
    this.#ended = true;
    clearTimeout(this.#timer);
    removeEventListener("online", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
    this.#socket?.close();
  }
}
