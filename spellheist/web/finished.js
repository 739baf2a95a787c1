/** After the game: who won, the game again ply by ply, and the proof that the dice were fair. */

import { html, nothing } from "lit-html";
import { seatMark } from "./pieces.js";
import { tick } from "./settings_page.js";
import { say } from "./words.js";

/** @param {string[]} names 'Ann, Bob and Cy' */
export const listed = (names) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${say("and")} ${names[names.length - 1]}`;

/** @param {import("./visit.js").Visit} visit the record as the seat that is looked at may read it */
export function recordLink(visit) {
  const seat = visit.line?.over ? null : (visit.line?.seat ?? null);
  return html`<a
    class="button small"
    href="/api/tables/${visit.name}/record${seat === null ? "" : `?seat=${seat}`}"
    download="${visit.table?.game}-${visit.name}.txt"
    >${say("download")}</a
  >`;
}

/** @param {import("./visit.js").Visit} visit */
export function result(visit) {
  const line = /** @type {import("./line.js").Line} */ (visit.line);
  const score = line.score ?? [];
  const best = Math.max(...score, 0);
  const winners = score.flatMap((share, seat) => (share === best && best > 0 ? [seat] : []));
  const mine = line.seat !== null && winners.includes(line.seat);
  const names = listed(winners.map((seat) => visit.nameOf(seat)));
  const title = mine
    ? say(winners.length > 1 ? "over_you_shared" : "over_won")
    : say(winners.length > 1 ? "over_shared" : "over_lost", { names });
  return html`<section class="result ${mine ? "won" : ""}" aria-labelledby="result">
    <h2 id="result">${title}</h2>
    <table class="shares" aria-labelledby="result">
      ${score.map(
        (share, seat) =>
          html`<tr class=${share === best ? "best" : ""}>
            <th scope="row">${seatMark(seat)}<span>${visit.nameOf(seat)}</span></th>
            ${line.standings.length ? html`<td class="standing">${line.standings[seat]}</td>` : nothing}
            <td class="share">
              ${share === 1 ? say("over_wins") : share > 0 ? say("over_share", { percent: Math.round(share * 100) }) : "–"}
            </td>
          </tr>`,
      )}
    </table>
    <div class="actions">
      ${
        visit.table?.rematch
          ? html`<a class="button main" href="/t/${visit.table.rematch}">${say("rematch_go")}</a>`
          : line.seat === null
            ? nothing
            : html`<button
                class="button main"
                @click=${() => {
                  visit.wantsRematch = true;
                  line.send({ t: "rematch" });
                }}
              >
                ${say("rematch")}
              </button>`
      }
      <a class="button" href="/api/tables/${visit.name}/record" download="${visit.table?.game}-${visit.name}.txt"
        >${say("download")}</a
      >
      <a class="button plain" href="/">${say("home")}</a>
    </div>
  </section>`;
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

/** @param {import("./visit.js").Visit} visit */
export function replay(visit) {
  const { moments, at } = visit;
  const last = moments.length - 1;
  const now = at ?? last;
  const button = (
    /** @type {"replay_back" | "replay_on" | "replay_first" | "replay_last"} */ key,
    /** @type {() => void} */ does,
    /** @type {boolean} */ off,
  ) => html`<button class="button small" aria-label=${say(key)} ?disabled=${off} @click=${does}>${arrow(key)}</button>`;
  return html`<section class="card replay" aria-labelledby="replay">
    <h2 id="replay">${say("replay_title")}</h2>
    ${
      moments.length
        ? html`<div class="replay-row">
              ${button("replay_first", () => visit.step(-1e9), now === 0)}${button("replay_back", () => visit.step(-1), now === 0)}
              <input
                type="range"
                min="0"
                max=${last}
                .value=${String(now)}
                aria-label=${say("replay_slider")}
                aria-valuetext="${say("banner_back", { ply: moments[now].frame.ply, last: moments[last].frame.ply })}"
                @input=${(/** @type {Event} */ e) => visit.step(Number(/** @type {HTMLInputElement} */ (e.target).value) - now)}
              />
              ${button("replay_on", () => visit.step(1), now === last)}${button("replay_last", () => visit.step(1e9), now === last)}
            </div>
            <p class="soft small">${say("replay_keys")}</p>
            ${tick(say("replay_open"), "", visit.open, (on) => visit.setOpen(on))}`
        : html`<p class="soft">${say("loading")}</p>`
    }
  </section>`;
}

/** @param {import("./visit.js").Visit} visit */
export const proof = (visit) =>
  html`<section class="card" aria-labelledby="proof">
    <h2 id="proof">${say("dice_fingerprint")}</h2>
    <p class="small">${say("verify_text")}</p>
    <p><code class="hash">${visit.table?.commitment}</code></p>
    ${
      visit.proof
        ? html`<p class="notice ${visit.proved ? "good" : ""}" id="proof-said">${visit.proof}</p>`
        : html`<button class="button" @click=${() => visit.prove()}>${say("verify")}</button>`
    }
  </section>`;
