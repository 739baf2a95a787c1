/** The chat as this reader wants it, and the table's own word, which is shown also where the chat is muted. */

import { redraw } from "../router.js";
import { sound } from "../sound.js";

const WORD = 20_000; // milliseconds for which the table's own word is shown; it stays in the chat

export class Chat {
  muted = false;
  word = ""; // what the table itself said last
  #timer = 0;

  /** @param {import("./known.js").Said[]} fresh what was just said */
  hear(fresh) {
    if (fresh.length && !this.muted) sound("chat");
    const words = fresh.filter(({ seat }) => seat === null);
    if (!words.length) return;
    this.word = words[words.length - 1].text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.dismiss(), WORD);
  }

  /** The table's word was heard. */
  dismiss() {
    this.word = "";
    redraw();
  }

  toggle() {
    this.muted = !this.muted;
    redraw();
  }

  end() {
    clearTimeout(this.#timer);
  }
}
