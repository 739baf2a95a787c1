/**
 * The page of a link for another device. To open it changes nothing: it says whose link it is, and who this browser would
 * no longer be, and asks. The key stands behind the #, which browsers do not send; the address of an earlier version has
 * it in the path.
 */

import { html, nothing } from "lit-html";
import { ask } from "../api.js";
import { dead } from "./not_found.js";
import { go, redraw } from "../router.js";
import { change, settings } from "../settings.js";
import { say } from "../words.js";

/** @typedef {{name: string, tables: number}} Who */
/** @typedef {{link: Who, here: Who, same: boolean}} Look */

const MANY = 12; // tables that are counted
const PLACE = /^#([\w-]{43})(\/t\/[\w-]{1,64})?$/; // the key, and the table that it leads to: nowhere else

/** @param {number} n "at 3 tables" */
export const atTables = (n) =>
  n === 1 ? say("at_one_table") : n >= MANY ? say("at_many_tables", { n: MANY }) : say("at_tables", { n });

/** @type {import("../router.js").Opener} */
export const mePage = (key = "") => new MePage(key);

class MePage {
  #key = "";
  #to = "/"; // where the link leads
  /** @type {Look | null} */ #asked = null;
  #problem = "";
  #busy = false;

  /** @param {string} key */
  constructor(key) {
    this.#key = key;
    this.look = () => void this.#look();
    addEventListener("hashchange", this.look);
    this.look();
  }

  title() {
    return say("me_title");
  }

  leave() {
    removeEventListener("hashchange", this.look);
  }

  async #look() {
    const found = PLACE.exec(location.hash);
    if (found) [this.#key, this.#to] = [found[1], found[2] ?? "/"];
    [this.#asked, this.#problem] = [null, this.#key ? "" : say("me_wrong")];
    redraw();
    if (!this.#key) return;
    try {
      this.#asked = await ask("/api/me/look", { key: this.#key });
    } catch (refusal) {
      this.#problem = /** @type {Error} */ (refusal).message;
    }
    redraw();
  }

  async #become() {
    this.#busy = true;
    redraw();
    try {
      const who = /** @type {Who} */ (await ask("/api/me", { key: this.#key }));
      if (who.name && !settings.name) change({ name: who.name });
      go(this.#to, { replace: true });
    } catch (refusal) {
      this.#problem = /** @type {Error} */ (refusal).message;
      this.#busy = false;
      redraw();
    }
  }

  draw() {
    if (this.#problem) return dead(say("me_title"), this.#problem);
    if (!this.#asked) return html`<h1 class="sr">${say("me_title")}</h1><p class="soft">${say("loading")}</p>`;
    return this.#asked.same ? this.#same(this.#asked) : this.#question(this.#asked);
  }

  /** @param {Look} asked this browser is the one already whom the link is for */
  #same({ link }) {
    return html`<section class="card narrow">
      <h1>${say("me_same", { name: nameIn(link) })}</h1>
      <p><button class="button main" @click=${() => go(this.#to, { replace: true })}>${say("me_go")}</button></p>
    </section>`;
  }

  /** @param {Look} asked */
  #question({ link, here }) {
    const name = nameIn(link);
    const yes = () => void this.#become();
    const no = () => go("/", { replace: true });
    return html`<section class="card narrow">
      <h1>${say("me_ask", { name })}</h1>
      <p>${link.tables ? say("me_text", { name, where: atTables(link.tables) }) : say("me_text_none", { name })}</p>
      ${
        here.tables
          ? html`<p class="notice warn">${say("me_warn", { name: here.name, where: atTables(here.tables) })}</p>`
          : nothing
      }
      <div class="actions">
        <button class="button main" ?disabled=${this.#busy} @click=${yes}>${say("me_yes", { name })}</button>
        <button class="button" ?disabled=${this.#busy} @click=${no}>${say("me_no")}</button>
      </div>
    </section>`;
  }
}

/** @param {Who} who */
const nameIn = (who) => who.name || say("me_somebody");
