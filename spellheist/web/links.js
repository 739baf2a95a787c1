/** Links that people pass on: to a table, and to their own seats on another device. */

import { html, nothing } from "lit-html";
import { ask } from "./api.js";
import { redraw } from "./router.js";
import { say } from "./words.js";

export class Links {
  copied = ""; // which link was copied last
  personal = ""; // a link for another device that was just made

  /** @param {string} [to] where a link for another device leads */
  constructor(to = "") {
    this.to = to;
  }

  /** Makes a link by which another device gets the seats of this one. */
  async make() {
    this.personal = `${(await ask("/api/me/links", {})).link}${this.to}`;
  }

  /** @param {string} which @param {string} address */
  async copy(which, address) {
    try {
      await navigator.clipboard.writeText(address);
      this.copied = which;
    } catch {
      const field = /** @type {HTMLInputElement | null} */ (document.getElementById(`link-${which}`));
      field?.select();
    }
    redraw();
  }

  forget() {
    this.personal = this.copied = "";
  }
}

/** Is this page served to this computer alone? Then no other device can open its links. */
const alone = /^(localhost|127\..*|\[::1\])$/.test(location.hostname);

/**
 * A link in a field, with a button to copy it and, where the browser can, to share it.
 * @param {Links} links
 * @param {string} which
 * @param {string} label
 * @param {string} address
 */
export function linkField(links, which, label, address) {
  const share = () => navigator.share({ url: address }).catch(() => {});
  return html`<div class="link-field">
    <label for="link-${which}">${label}</label>
    <div class="link-row">
      <input
        id="link-${which}"
        type="text"
        readonly
        .value=${address}
        @focus=${(/** @type {Event} */ e) => /** @type {HTMLInputElement} */ (e.target).select()}
      />
      <button class="button" @click=${() => links.copy(which, address)}>
        ${links.copied === which ? say("copied") : say("copy")}
      </button>
      ${"share" in navigator ? html`<button class="button" @click=${share}>${say("share")}</button>` : nothing}
    </div>
    ${alone ? html`<small class="soft">${say("link_alone")}</small>` : nothing}
  </div>`;
}

/**
 * A link for another device: made when it is asked for, since it works once.
 * @param {Links} links
 * @param {() => void} make
 */
export function deviceLink(links, make) {
  return html`<p class="soft small">${say("personal_text")}</p>
    ${
      links.personal
        ? linkField(links, "personal", say("personal_link"), links.personal)
        : html`<p><button class="button small" @click=${make}>${say("personal_make")}</button></p>`
    }`;
}
