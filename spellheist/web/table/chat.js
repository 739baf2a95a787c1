/** The chat beside the table. */

import { html, nothing } from "lit-html";
import { seatMark } from "../pieces.js";
import { say } from "../words.js";

/** @typedef {import("./page.js").Look} Look */

const SHOWN = 50; // lines

/** @param {Look} look */
export function chat(look) {
  const { muted } = look.visit.chat;
  return html`<section class="card chat" aria-labelledby="chat">
    <div class="card-head">
      <h2 id="chat">${say("chat_title")}</h2>
      <button class="button plain small" @click=${() => look.visit.chat.toggle()}>
        ${muted ? say("chat_unmute") : say("chat_mute")}
      </button>
    </div>
    ${muted ? html`<p class="soft small">${say("chat_muted")}</p>` : html`${lines(look)} ${field(look)}`}
  </section>`;
}

/** @param {Look} look */
function lines({ known }) {
  const none = html`<li class="soft small">${say("chat_none")}</li>`;
  return html`<ul class="chat-list" aria-live="polite" tabindex="0" aria-labelledby="chat">
    ${
      known.chat.length
        ? known.chat.slice(-SHOWN).map(
            ({ seat, name, text }) =>
              html`<li>${seat === null ? nothing : seatMark(seat)}<span><strong>${name}</strong> ${text}</span></li>`,
          )
        : none
    }
  </ul>`;
}

/** @param {Look} look */
function field({ place }) {
  if (place.seat === null) return html`<p class="soft small">${say("chat_watch")}</p>`;
  const send = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const input = /** @type {HTMLInputElement} */ (/** @type {HTMLFormElement} */ (event.target).elements.namedItem("say"));
    if (input.value.trim()) place.send({ t: "chat", text: input.value.trim() });
    input.value = "";
  };
  return html`<form class="chat-form" @submit=${send}>
    <input
      name="say"
      type="text"
      maxlength="300"
      autocomplete="off"
      aria-label=${say("chat_say")}
      placeholder=${say("chat_say")}
    /><button class="button small">${say("chat_send")}</button>
  </form>`;
}
