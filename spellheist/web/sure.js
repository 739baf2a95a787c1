/** A button that asks once more before it does something that cannot be taken back. */

import { html, nothing } from "lit-html";
import { redraw } from "./router.js";
import { say } from "./words.js";

/**
 * @param {{sure: string}} where what the reader is asked to confirm there
 * @param {string} key
 * @param {string} label
 * @param {string} question
 * @param {() => void} does
 * @param {string} [what] it is done to, where the label alone does not say
 */
export function sure(where, key, label, question, does, what = "") {
  const ask = (/** @type {string} */ next) => {
    where.sure = next;
    redraw();
  };
  if (where.sure !== key)
    return html`<button
      class="button small danger"
      aria-label=${what ? `${label}: ${what}` : nothing}
      @click=${() => ask(key)}
    >
      ${label}
    </button>`;
  return html`<span class="sure" role="group" aria-label=${question}
    ><span>${question}</span>
    <span class="sure-answers"
      ><button
        class="button small danger"
        @click=${() => {
          does();
          ask("");
        }}
      >
        ${say("yes")}
      </button>
      <button class="button small" @click=${() => ask("")}>${say("no")}</button></span
    ></span
  >`;
}
