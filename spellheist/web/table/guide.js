/** The step of the guided first game that is to be read now. */

import { html, nothing } from "lit-html";
import { say } from "../words.js";

/** @param {import("./page.js").Look} look */
export function guide({ visit, known }) {
  const step = visit.guide?.step;
  if (!step || known.over) return nothing;
  return html`<aside class="guide" aria-label=${say("learn_label")}>
    <p class="soft small">${say("learn_step", step)}</p>
    <p aria-live="polite">${step.text}</p>
    <div class="actions">
      <button class="button main small" @click=${() => visit.guide?.read(known)}>${say("learn_next")}</button>
      <button class="button plain small" @click=${() => visit.guide?.stop()}>${say("learn_stop")}</button>
    </div>
  </aside>`;
}
