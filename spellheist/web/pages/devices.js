/** On the page of settings: by which devices somebody is known, and the links that make more of them. */

import { html, nothing } from "lit-html";
import { ask } from "../api.js";
import { Links, deviceLink } from "../links.js";
import { atTables } from "./me.js";
import { redraw } from "../router.js";
import { sure } from "../sure.js";
import { say } from "../words.js";

/**
 * @typedef {{id: string, name: string, since: number, seen: number, here: boolean, old: boolean}} Device
 * @typedef {{name: string, tables: number, devices: Device[], links: {id: string, made: number, until: number}[],
 *   old_links: boolean, signed_out: boolean}} Me
 */

/** @param {number} time in words, to the day */
function day(time) {
  const date = new Date(time);
  return date.toDateString() === new Date().toDateString()
    ? say("today")
    : date.toLocaleDateString("en", { day: "numeric", month: "long" });
}

export class Devices {
  /** @type {Me | null} */ me = null;
  problem = "";
  sure = "";
  links = new Links();

  constructor() {
    void this.#ask("/api/me");
  }

  /** @param {string} path @param {any} [body] */
  async #ask(path, body) {
    try {
      this.me = await ask(path, body);
      this.problem = "";
    } catch (refusal) {
      this.problem = /** @type {Error} */ (refusal).message;
    }
    redraw();
  }

  async #link() {
    try {
      await this.links.make();
    } catch (refusal) {
      this.problem = /** @type {Error} */ (refusal).message;
    }
    await this.#ask("/api/me");
  }

  /** @param {string} id */
  async #revoke(id) {
    this.links.forget();
    await this.#ask("/api/me/links/revoke", { id });
  }

  draw() {
    const { me } = this;
    return html`<section class="card narrow form" aria-labelledby="devices">
      <h2 id="devices">${say("devices_title")}</h2>
      ${this.problem ? html`<p class="notice bad" role="alert">${this.problem}</p>` : nothing}
      ${!me ? html`<p class="soft">${say("loading")}</p>` : me.devices.length ? this.#known(me) : this.#nobody(me)}
    </section>`;
  }

  /** @param {Me} me */
  #nobody(me) {
    return html`<p class="soft">${me.signed_out ? say("signed_out_text") : say("devices_nobody")}</p>`;
  }

  /** @param {Me} me */
  #known(me) {
    const who = me.tables ? say("devices_text", { name: me.name, where: atTables(me.tables) }) : "";
    const old = say("links_old");
    const revokeOld = this.#end("old", say("link_revoke"), old, () => this.#revoke("old"));
    return html`<p class="soft">${who} ${say("devices_how")}</p>
      <ul class="plain-list">
        ${me.devices.map((device) => this.#device(device))}
      </ul>
      ${
        me.links.length || me.old_links
          ? html`<h3 id="links">${say("links_title")}</h3>
              <ul class="plain-list" aria-labelledby="links">
                ${me.links.map((link) => {
                  const dates = say("links_row", { made: day(link.made), until: day(link.until) });
                  return this.#row(dates, "", this.#end(link.id, say("link_revoke"), dates, () => this.#revoke(link.id)));
                })}
                ${me.old_links ? this.#row(old, say("links_old_text"), revokeOld) : nothing}
              </ul>`
          : nothing
      }
      ${deviceLink(this.links, () => this.#link())}`;
  }

  /** @param {Device} device */
  #device({ id, name, since, seen, here, old }) {
    const title = name || say("device_old");
    const when = seen ? say("device_when", { since: day(since), seen: day(seen) }) : say("device_old_text");
    const end = () => void this.#ask("/api/me/devices/end", { id });
    const does = here ? html`<span class="badge">${say("device_here")}</span>` : this.#end(id, say("sign_out"), title, end);
    return this.#row(title, old && name ? `${when} ${say("device_old_too")}` : when, does);
  }

  /** @param {string} id @param {string} label @param {string} what @param {() => void} does */
  #end(id, label, what, does) {
    return sure(this, id, label, say("end_sure"), does, what);
  }

  /** @param {string} title @param {string} text @param {unknown} does */
  #row(title, text, does) {
    return html`<li class="chair-now">
      <div class="row-text">
        <strong>${title}</strong>${text ? html`<br /><small class="soft">${text}</small>` : nothing}
      </div>
      ${does}
    </li>`;
  }
}
