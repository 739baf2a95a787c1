/** What nobody decides alone while people play: to remove somebody, to pause, to close. The others are asked first. */

import { html, nothing } from "lit-html";
import { sure } from "../sure.js";
import { proposed } from "../visit/sentences.js";
import { listed, say } from "../words.js";

/** @typedef {import("./page.js").Look} Look */
/** @typedef {import("../visit/known.js").Proposal} Proposal */

/** @param {Look} look @param {Proposal} asked is somebody at this device to answer? */
const answers = ({ visit }, asked) => asked.waits_for.some((seat) => visit.seats.mine.includes(seat));

/** @param {Look} look @param {Proposal} asked until when the others can answer */
function waiting(look, asked) {
  const { visit, known } = look;
  const n = Math.max(0, Math.ceil(((known.askedUntil ?? 0) - performance.now()) / 1000));
  if (answers(look, asked)) return say("answer_by", { n });
  return say("waits_for", { names: listed(asked.waits_for.map((seat) => visit.nameOf(seat))), n });
}

/** @param {Look} look */
export function proposal(look) {
  const { visit, place, table } = look;
  const asked = table.proposal;
  if (!asked) return nothing;
  const answer = (/** @type {boolean} */ yes) => place.send({ t: "agree", yes });
  const open = answers(look, asked);
  return html`<section class="notice call proposal ${open ? "open" : ""}" aria-labelledby="proposal">
    <div class="proposal-text">
      <h2 id="proposal">${proposed(visit, asked)}</h2>
      <p class="soft small" aria-live="off">${waiting(look, asked)}</p>
    </div>
    ${
      open
        ? html`<div class="actions">
            <button class="button small main" @click=${() => answer(true)}>${say("agree")}</button>
            <button class="button small" @click=${() => answer(false)}>${say("refuse")}</button>
          </div>`
        : nothing
    }
  </section>`;
}

/** In the table's menu: what can be proposed or, where nobody else plays, done. @param {Look} look */
export function powers(look) {
  const { visit, place, table } = look;
  if (place.seat === null && !table.host) return nothing;
  if (table.proposal)
    return html`<p class="soft small">${proposed(visit, table.proposal)} ${waiting(look, table.proposal)}</p>`;
  const { mine } = visit.seats;
  const people = table.chairs.flatMap((chair, seat) => (chair.kind === "person" && !mine.includes(seat) ? [seat] : []));
  const ask = people.some((seat) => !table.chairs[seat].away);
  const paused = table.state === "paused";
  const pause = () => place.send({ t: "pause", on: !paused });
  const [close, closeSure] = ask ? [say("ask_close"), say("ask_close_sure")] : [say("close_table"), say("close_sure")];
  return html`<button class="button small" @click=${pause}>${say(paused ? "unpause" : ask ? "ask_pause" : "pause")}</button>
    ${people.map((seat) => removal(look, seat, ask))}
    ${sure(visit, "close", close, closeSure, () => place.send({ t: "close" }))}`;
}

/** @param {Look} look @param {number} seat @param {boolean} ask are the others asked? */
function removal({ visit, place }, seat, ask) {
  const name = visit.nameOf(seat);
  const label = say(ask ? "ask_kick" : "kick", { name });
  const question = say(ask ? "ask_kick_sure" : "kick_sure", { name });
  return sure(visit, `kick${seat}`, label, question, () => place.send({ t: "kick", seat }));
}
