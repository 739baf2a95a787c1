/** Links that people pass on: to a table, and to their own seats on another device. */

import { html, nothing } from "lit-html";
import { redraw } from "./router.js";
import { say } from "./words.js";

/** @param {{copied: string}} where @param {string} text @param {string} which */
async function copy(where, text, which) {
  try {
    await navigator.clipboard.writeText(text);
    where.copied = which;
  } catch {
    const field = /** @type {HTMLInputElement | null} */ (document.getElementById(`link-${which}`));
    field?.select();
  }
  redraw();
}

/** Is this page served to this computer alone? Then no other device can open its links. */
const alone = /^(localhost|127\..*|\[::1\])$/.test(location.hostname);

/**
 * A link in a field, with a button to copy it and, where the browser can, to share it.
 * @param {{copied: string}} where
 * @param {string} which
 * @param {string} label
 * @param {string} address
 */
export function linkField(where, which, label, address) {
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
      <button class="button" @click=${() => copy(where, address, which)}>
        ${where.copied === which ? say("copied") : say("copy")}
      </button>
      ${"share" in navigator ? html`<button class="button" @click=${share}>${say("share")}</button>` : nothing}
    </div>
    ${alone ? html`<small class="soft">${say("link_alone")}</small>` : nothing}
  </div>`;
}

/**
 * A link for another device: made when it is asked for, since it works once.
 * @param {{copied: string, personal: string, link: () => Promise<void>}} where
 */
export function deviceLink(where) {
  return html`<p class="soft small">${say("personal_text")}</p>
    ${
      where.personal
        ? linkField(where, "personal", say("personal_link"), where.personal)
        : html`<p><button class="button small" @click=${() => where.link()}>${say("personal_make")}</button></p>`
    }`;
}
