/** After the game: who won, the game again ply by ply, and the proof that the dice were fair. */

import { html, nothing } from "lit-html";
import { tick } from "../forms.js";
import { seatMark } from "../pieces.js";
import { listed, say } from "../words.js";

/** @typedef {import("./page.js").Look} Look */

/** @param {Look} look the record as the seat that is looked at may read it */
export function recordLink({ visit, place, known, table }) {
  const seat = known.over ? null : place.seat;
  return html`<a
    class="button small"
    href="/api/tables/${visit.name}/record${seat === null ? "" : `?seat=${seat}`}"
    download="${table.game}-${visit.name}.txt"
    >${say("download")}</a
  >`;
}

/** @param {Look} look */
export function result(look) {
  const { visit, place, known } = look;
  const score = known.score ?? [];
  const best = Math.max(...score, 0);
  const winners = score.flatMap((share, seat) => (share === best && best > 0 ? [seat] : []));
  const mine = place.seat !== null && winners.includes(place.seat);
  const names = listed(winners.map((seat) => visit.nameOf(seat)));
  const title = mine
    ? say(winners.length > 1 ? "over_you_shared" : "over_won")
    : say(winners.length > 1 ? "over_shared" : "over_lost", { names });
  return html`<section class="result ${mine ? "won" : ""}" aria-labelledby="result">
    <h2 id="result">${title}</h2>
    <table class="shares" aria-labelledby="result">
      ${score.map((share, seat) => shareRow(look, seat, share, share === best))}
    </table>
    ${afterwards(look)}
  </section>`;
}

/** @param {Look} look @param {number} seat @param {number} share of the win @param {boolean} best */
function shareRow({ visit, known }, seat, share, best) {
  const part = share === 1 ? say("over_wins") : share > 0 ? say("over_share", { percent: Math.round(share * 100) }) : "–";
  return html`<tr class=${best ? "best" : ""}>
    <th scope="row">${seatMark(seat)}${visit.nameOf(seat)}</th>
    ${known.standings.length ? html`<td class="standing">${known.standings[seat]}</td>` : nothing}
    <td class="share">${part}</td>
  </tr>`;
}

/** @param {Look} look */
function afterwards({ visit, place, table }) {
  const again = html`<button class="button main" @click=${() => visit.rematch()}>${say("rematch")}</button>`;
  const record = `/api/tables/${visit.name}/record`;
  return html`<div class="actions">
    ${
      table.rematch
        ? html`<a class="button main" href="/t/${table.rematch}">${say("rematch_go")}</a>`
        : place.seat === null
          ? nothing
          : again
    }
    <a class="button" href=${record} download="${table.game}-${visit.name}.txt">${say("download")}</a>
    <a class="button plain" href="/">${say("home")}</a>
  </div>`;
}

const ARROWS = {
  replay_back: "M15 5L8 12L15 19",
  replay_on: "M9 5L16 12L9 19",
  replay_first: "M18 5L11 12L18 19M7 5V19",
  replay_last: "M6 5L13 12L6 19M17 5V19",
};

/** @param {keyof typeof ARROWS} key */
export const arrow = (key) =>
  html`<svg
    viewBox="0 0 24 24"
    width="18"
    height="18"
    aria-hidden="true"
    fill="none"
    stroke="currentColor"
    stroke-width="2.5"
    stroke-linecap="round"
    stroke-linejoin="round"
  >
    <path d=${ARROWS[key]} />
  </svg>`;

/** @param {Look} look */
export function replay({ visit: { back } }) {
  return html`<section class="card replay" aria-labelledby="replay">
    <h2 id="replay">${say("replay_title")}</h2>
    ${
      back.moments.length
        ? html`${slider(back)}
            <p class="soft small">${say("replay_keys")}</p>
            ${tick(say("replay_open"), "", back.open, (on) => back.setOpen(on))}`
        : html`<p class="soft">${say("loading")}</p>`
    }
  </section>`;
}

/** @param {import("../visit/looking_back.js").LookingBack} back */
function slider(back) {
  const { moments, at } = back;
  const last = moments.length - 1;
  const now = at ?? last;
  const button = (/** @type {keyof typeof ARROWS} */ key, /** @type {number} */ by, /** @type {boolean} */ off) =>
    html`<button class="button small" aria-label=${say(key)} ?disabled=${off} @click=${() => back.step(by)}>
      ${arrow(key)}
    </button>`;
  const slide = (/** @type {Event} */ event) =>
    back.step(Number(/** @type {HTMLInputElement} */ (event.target).value) - now);
  return html`<div class="replay-row">
    ${button("replay_first", -last, now === 0)}${button("replay_back", -1, now === 0)}
    <input
      type="range"
      min="0"
      max=${last}
      .value=${String(now)}
      aria-label=${say("replay_slider")}
      aria-valuetext="${say("banner_back", { ply: moments[now].frame.ply, last: moments[last].frame.ply })}"
      @input=${slide}
    />
    ${button("replay_on", 1, now === last)}${button("replay_last", last, now === last)}
  </div>`;
}

/** @param {Look} look */
export const proof = ({ visit, table }) =>
  html`<section class="card proof" aria-labelledby="proof">
    <h2 id="proof">${say("dice_fingerprint")}</h2>
    <p class="small">${say("verify_text")}</p>
    <p><code class="hash">${table.commitment}</code></p>
    ${
      visit.proof.said
        ? html`<p class="notice ${visit.proof.good ? "good" : ""}" id="proof-said">${visit.proof.said}</p>`
        : html`<button class="button" @click=${() => visit.proof.run()}>${say("verify")}</button>`
    }
  </section>`;
