/**
 * The live window: everybody may press, and the quickest counts. A press is taken on pointerdown or keydown, not on the
 * click that follows; "pressed" is shown at once; the ruling comes from the server with the figures that led to it.
 */

import { html, nothing } from "lit-html";
import { seatMark } from "../pieces.js";
import { MOVE_KEYS } from "../visit/input.js";
import { say, speaker } from "../words.js";

/** @typedef {import("./page.js").Look} Look */

const COLUMNS = /** @type {const} */ ([
  "ruling_who",
  "ruling_reaction",
  "ruling_lag",
  "ruling_score",
  "ruling_verdict",
]);

/** @param {Look} look */
export function slams(look) {
  const { visit, place, known } = look;
  const moves = [...visit.moves];
  const { pressed, mine } = known.window;
  if (!moves.length && mine === null) return nothing;
  const others = pressed.filter((seat) => seat !== place.seat).map((seat) => visit.nameOf(seat));
  return html`<section class="slams" aria-labelledby="slams">
    <h2 id="slams" class="sr">${say("slam_title")}</h2>
    ${mine === null ? nothing : html`<p class="pressed" role="status">${say("slam_pressed")}</p>`}
    <div class="slam-row">${moves.map(([move, words], i) => slam(look, move, words, MOVE_KEYS[i]))}</div>
    ${others.length ? html`<p class="soft">${say("slam_others", { names: others.join(", ") })}</p>` : nothing}
  </section>`;
}

/** @param {Look} look @param {number} move @param {string} words @param {string | undefined} key */
function slam({ place, known }, move, words, key) {
  const { mine } = known.window;
  return html`<button
    class="slam"
    aria-pressed=${mine === move ? "true" : "false"}
    ?disabled=${mine !== null}
    @pointerdown=${(/** @type {PointerEvent} */ e) => {
      if (!e.button) place.play(move, e.timeStamp);
    }}
    @click=${(/** @type {MouseEvent} */ e) => {
      if (e.detail === 0) place.play(move, e.timeStamp);
    }}
  >
    ${key ? html`<kbd aria-hidden="true">${key}</kbd>` : nothing}<span>${words}</span>
  </button>`;
}

/** A dead heat: those who did not press say who was first. @param {Look} look */
export function vote({ visit, place, known }) {
  const { vote: seats, voted } = known.window;
  if (!seats.length) return nothing;
  const waits = voted || place.seat === null || seats.includes(place.seat);
  return html`<section class="card vote" aria-labelledby="vote">
    <h2 id="vote">${say("vote_title")}</h2>
    ${
      waits
        ? html`<p role="status">${say("vote_wait")}</p>`
        : html`<div class="actions">
            ${seats.map(
              (seat) =>
                html`<button class="button main" @click=${() => place.vote(seat)}>
                  ${seatMark(seat)} ${visit.nameOf(seat)}
                </button>`,
            )} <button class="button" @click=${() => place.vote(-1)}>${say("vote_undecided")}</button>
          </div>`
    }
  </section>`;
}

/** How the last window was judged. @param {Look} look */
export function ruling(look) {
  const { known } = look;
  if (!known.window.ruling.length) return nothing;
  return html`<section class="card ruling" aria-labelledby="ruling">
    <h2 id="ruling">${say("ruling_title")}</h2>
    <div class="wide" tabindex="0">
      <table>
        <thead>
          <tr>
            ${COLUMNS.map((key) => html`<th scope="col">${say(key)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${known.window.ruling.map((row) => verdictRow(look, row))}
        </tbody>
      </table>
    </div>
  </section>`;
}

/** The verdict is in the game's words. @param {Look} look @param {import("../visit/known.js").Verdict} row */
function verdictRow({ visit }, { seat, reaction, lag, score, verdict }) {
  const ofGame = speaker(visit.loaded?.kit.words ?? {});
  return html`<tr>
    <th scope="row">${visit.nameOf(seat)}</th>
    <td>${time(reaction)}</td>
    <td>${time(lag)}</td>
    <td>${time(score)}</td>
    <td>${ofGame(`verdict_${verdict.replaceAll(" ", "_")}`)}</td>
  </tr>`;
}

/** @param {number | null | undefined} n milliseconds */
const time = (n) => (n === null || n === undefined ? "–" : say("milliseconds", { n: Math.round(n) }));
