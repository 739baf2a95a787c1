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
export function mePage(given = "") {
  let key = given;
  let to = "/";
  /** @type {Look | null} */ let asked = null;
  let problem = "";
  let busy = false;

  async function look() {
    const found = PLACE.exec(location.hash);
    if (found) [key, to] = [found[1], found[2] ?? "/"];
    [asked, problem] = [null, key ? "" : say("me_wrong")];
    redraw();
    if (!key) return;
    try {
      asked = await ask("/api/me/look", { key });
    } catch (refusal) {
      problem = /** @type {Error} */ (refusal).message;
    }
    redraw();
  }

  async function become() {
    busy = true;
    redraw();
    try {
      const who = /** @type {Who} */ (await ask("/api/me", { key }));
      if (who.name && !settings.name) change({ name: who.name });
      go(to, { replace: true });
    } catch (refusal) {
      problem = /** @type {Error} */ (refusal).message;
      busy = false;
      redraw();
    }
  }

  const leave = () => go("/", { replace: true });
  addEventListener("hashchange", look);
  void look();
  return {
    title: () => say("me_title"),
    leave: () => removeEventListener("hashchange", look),
    draw: () => {
      if (problem) return dead(say("me_title"), problem);
      if (!asked) return html`<h1 class="sr">${say("me_title")}</h1><p class="soft">${say("loading")}</p>`;
      const { link, here, same } = asked;
      const name = link.name || say("me_somebody");
      if (same)
        return html`<section class="card narrow">
          <h1>${say("me_same", { name })}</h1>
          <p><button class="button main" @click=${() => go(to, { replace: true })}>${say("me_go")}</button></p>
        </section>`;
      return html`<section class="card narrow">
        <h1>${say("me_ask", { name })}</h1>
        <p>${link.tables ? say("me_text", { name, where: atTables(link.tables) }) : say("me_text_none", { name })}</p>
        ${
          here.tables
            ? html`<p class="notice warn">${say("me_warn", { name: here.name, where: atTables(here.tables) })}</p>`
            : nothing
        }
        <div class="actions">
          <button class="button main" ?disabled=${busy} @click=${become}>${say("me_yes", { name })}</button>
          <button class="button" ?disabled=${busy} @click=${leave}>${say("me_no")}</button>
        </div>
      </section>`;
    },
  };
}
