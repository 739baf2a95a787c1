/**
 * The live window: everybody may press, and the quickest counts. A press is taken on pointerdown or keydown, not on the
 * click that follows; "pressed" is shown at once; the ruling comes from the server with the figures that led to it.
 */

import { html, nothing } from "lit-html";
import { redraw } from "./router.js";
import { seatMark } from "./pieces.js";
import { MOVE_KEYS } from "./visit.js";
import { say } from "./words.js";

/** @param {import("./visit.js").Visit} visit */
export function slams(visit) {
  const line = /** @type {import("./line.js").Line} */ (visit.line);
  const moves = visit.at === null ? [...visit.moves] : [];
  const { pressed, mine } = line.window;
  if (!moves.length && mine === null) return nothing;
  const others = pressed.filter((seat) => seat !== line.seat).map((seat) => visit.nameOf(seat));
  return html`<section class="slams" aria-labelledby="slams">
    <h2 id="slams" class="sr">${say("slam_title")}</h2>
    ${mine === null ? nothing : html`<p class="pressed" role="status">${say("slam_pressed")}</p>`}
    <div class="slam-row">
      ${moves.map(
        ([move, words], i) =>
          html`<button
            class="slam"
            aria-pressed=${mine === move ? "true" : "false"}
            ?disabled=${mine !== null}
            @pointerdown=${(/** @type {PointerEvent} */ e) => {
              if (!e.button) line.play(move, e.timeStamp);
            }}
            @click=${(/** @type {MouseEvent} */ e) => {
              if (e.detail === 0) line.play(move, e.timeStamp);
            }}
          >
            ${MOVE_KEYS[i] ? html`<kbd aria-hidden="true">${MOVE_KEYS[i]}</kbd>` : nothing}<span>${words}</span>
          </button>`,
      )}
    </div>
    ${others.length ? html`<p class="soft">${say("slam_others", { names: others.join(", ") })}</p>` : nothing}
  </section>`;
}

/** @param {string} kind what the judge said, in words */
const verdict = (kind) => say(/** @type {"verdict_late"} */ (`verdict_${kind.replaceAll(" ", "_")}`));

/** @param {import("./visit.js").Visit} visit */
export function ruling(visit) {
  const line = /** @type {import("./line.js").Line} */ (visit.line);
  const { vote, voted, ruling: rows, ply } = line.window;
  const cast = (/** @type {number} */ seat) => {
    line.window = { ...line.window, voted: true };
    line.send({ t: "vote", ply, seat });
    redraw();
  };
  const time = (/** @type {number | null} */ n) =>
    n === null || n === undefined ? "–" : say("milliseconds", { n: Math.round(n) });
  const involved = line.seat === null || vote.includes(line.seat);
  return html`${
    vote.length
      ? html`<section class="card vote" aria-labelledby="vote">
          <h2 id="vote">${say("vote_title")}</h2>
          ${
            involved || voted
              ? html`<p role="status">${say("vote_wait")}</p>`
              : html`<div class="actions">
                  ${vote.map(
                    (seat) =>
                      html`<button class="button main" @click=${() => cast(seat)}>
                        ${seatMark(seat)} ${visit.nameOf(seat)}
                      </button>`,
                  )} <button class="button" @click=${() => cast(-1)}>${say("vote_undecided")}</button>
                </div>`
          }
        </section>`
      : nothing
  }
  ${
    rows.length
      ? html`<section class="card ruling" aria-labelledby="ruling">
          <h2 id="ruling">${say("ruling_title")}</h2>
          <div class="wide" tabindex="0">
            <table>
              <thead>
                <tr>
                  ${["ruling_who", "ruling_reaction", "ruling_lag", "ruling_score", "ruling_verdict"].map(
                    (key) => html`<th scope="col">${say(/** @type {"ruling_who"} */ (key))}</th>`,
                  )}
                </tr>
              </thead>
              <tbody>
                ${rows.map(
                  (row) =>
                    html`<tr>
                      <th scope="row">${visit.nameOf(row.seat)}</th>
                      <td>${time(row.reaction)}</td>
                      <td>${time(row.lag)}</td>
                      <td>${time(row.score)}</td>
                      <td>${verdict(row.verdict)}</td>
                    </tr>`,
                )}
              </tbody>
            </table>
          </div>
        </section>`
      : nothing
  }`;
}
