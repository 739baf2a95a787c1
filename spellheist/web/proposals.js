/** What nobody decides alone while people play: to remove somebody, to pause, to close. The others are asked, and answer. */

import { html, nothing } from "lit-html";
import { listed } from "./finished.js";
import { sure } from "./sure.js";
import { say } from "./words.js";

/** @typedef {import("./visit.js").Visit} Visit */
/** @typedef {import("./line.js").Proposal} Proposal */

/** Does a proposal come from this browser? @param {Visit} visit @param {Proposal} asked */
const ours = (visit, asked) => (asked.by === null ? visit.host : visit.mine.includes(asked.by));

/** @param {Visit} visit @param {Proposal} asked who asks for what, in a sentence */
export function proposed(visit, asked) {
  const values = {
    name: asked.by === null ? say("the_host") : visit.nameOf(asked.by),
    about: asked.about === null ? "" : visit.mine.includes(asked.about) ? say("you") : visit.nameOf(asked.about),
  };
  const kind = ours(visit, asked) ? "asked" : "asks";
  return say(/** @type {"asks_pause"} */ (`${kind}_${asked.what}`), values);
}

/** @param {Visit} visit @param {Proposal} asked until when the others can answer */
function waiting(visit, asked) {
  const n = Math.max(0, Math.ceil(((visit.line?.askedUntil ?? 0) - performance.now()) / 1000));
  if (asked.waits_for.some((seat) => visit.mine.includes(seat))) return say("answer_by", { n });
  return say("waits_for", { names: listed(asked.waits_for.map((seat) => visit.nameOf(seat))), n });
}

/** @param {Visit} visit */
export function proposal(visit) {
  const line = visit.line;
  const asked = visit.table?.proposal;
  if (!line || !asked) return nothing;
  const answers = asked.waits_for.some((seat) => visit.mine.includes(seat));
  const answer = (/** @type {boolean} */ yes) => line.send({ t: "agree", yes });
  return html`<section class="notice call proposal ${answers ? "open" : ""}" aria-labelledby="proposal">
    <div class="proposal-text">
      <h2 id="proposal">${proposed(visit, asked)}</h2>
      <p class="soft small" aria-live="off">${waiting(visit, asked)}</p>
    </div>
    ${
      answers
        ? html`<div class="actions">
            <button class="button small main" @click=${() => answer(true)}>${say("agree")}</button>
            <button class="button small" @click=${() => answer(false)}>${say("refuse")}</button>
          </div>`
        : nothing
    }
  </section>`;
}

/** In the table's menu: what can be proposed or, where nobody else plays, done. @param {Visit} visit */
export function powers(visit) {
  const line = visit.line;
  const table = visit.table;
  if (!line || !table || (line.seat === null && !visit.host)) return nothing;
  const people = table.chairs.flatMap((chair, seat) => (chair.kind === "person" && !visit.mine.includes(seat) ? [seat] : []));
  const ask = people.some((seat) => !table.chairs[seat].away);
  const paused = table.state === "paused";
  if (table.proposal) return html`<p class="soft small">${proposed(visit, table.proposal)} ${waiting(visit, table.proposal)}</p>`;
  const pause = () => line.send({ t: "pause", on: !paused });
  return html`<button class="button small" @click=${pause}>${say(paused ? "unpause" : ask ? "ask_pause" : "pause")}</button>
    ${people.map((seat) => {
      const name = visit.nameOf(seat);
      const [label, question] = ask ? [say("ask_kick", { name }), say("ask_kick_sure", { name })] : [say("kick", { name }), say("kick_sure", { name })];
      return sure(visit, `kick${seat}`, label, question, () => line.send({ t: "kick", seat }));
    })}
    ${sure(visit, "close", say(ask ? "ask_close" : "close_table"), say(ask ? "ask_close_sure" : "close_sure"), () => line.send({ t: "close" }))}`;
}
