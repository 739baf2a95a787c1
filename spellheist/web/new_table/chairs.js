/** Who sits where at a new table: one row a chair. */

import { html, nothing } from "lit-html";
import { radios, valueOf } from "../forms.js";
import { seatMark } from "../pieces.js";
import { redraw } from "../router.js";
import { change as changeSettings, settings } from "../settings.js";
import { say } from "../words.js";
import { firstMe, setChair, setSeats } from "./plan.js";

/** @typedef {import("./plan.js").Plan} Plan */

/** @param {Plan} plan */
export function chairs(plan) {
  const counts = plan.game.seats.map((n) => /** @type {[string, string]} */ ([String(n), String(n)]));
  const setCount = (/** @type {string} */ n) => setSeats(plan, Number(n));
  return html`<section class="card form">
    <h2>${say("new_chairs")}</h2>
    ${counts.length > 1 ? radios(say("new_players"), "seats", counts, String(plan.seats), setCount) : nothing}
    <ol class="chairs">
      ${plan.chairs.slice(0, plan.seats).map((_, seat) => chairRow(plan, seat))}
    </ol>
  </section>`;
}

/** @param {Plan} plan @param {number} seat */
function chairRow(plan, seat) {
  const { kind } = plan.chairs[seat];
  return html`<li class="chair-row">
    <span class="chair-mark">${seatMark(seat)}</span>
    ${kindField(plan, seat)} ${kind === "bot" ? levelField(plan, seat) : nothing}
    ${kind !== "me" ? nothing : seat === firstMe(plan) ? ownName() : otherName(plan, seat)}
  </li>`;
}

/** @param {Plan} plan @param {number} seat */
function kindField(plan, seat) {
  const { kind } = plan.chairs[seat];
  const alone = seat === firstMe(plan) || firstMe(plan) < 0;
  const kinds = [
    ["me", say(alone ? "new_me" : "new_also_me")],
    ["open", say("new_open")],
    ["bot", say("new_bot")],
  ];
  const set = (/** @type {Event} */ e) => setChair(plan, seat, { kind: /** @type {"me" | "open" | "bot"} */ (valueOf(e)) });
  return html`<select aria-label=${say("new_kind", { n: seat + 1 })} @change=${set}>
    ${kinds.map(([value, label]) => html`<option value=${value} ?selected=${value === kind}>${label}</option>`)}
  </select>`;
}

/** @param {Plan} plan @param {number} seat */
function levelField(plan, seat) {
  const { level } = plan.chairs[seat];
  const { levels } = plan.game;
  const set = (/** @type {Event} */ e) => setChair(plan, seat, { level: valueOf(e) });
  return html`<select aria-label=${say("new_level", { n: seat + 1 })} @change=${set}>
      ${levels.map(({ name }) => html`<option value=${name} ?selected=${name === level}>${name}</option>`)}
    </select>
    <small class="soft">${levels.find(({ name }) => name === level)?.sentence ?? nothing}</small>`;
}

/** The name of whoever makes the table: it is kept for the next. */
function ownName() {
  const set = (/** @type {Event} */ e) => {
    changeSettings({ name: valueOf(e).trim() });
    redraw();
  };
  return html`<input
    type="text"
    maxlength="24"
    autocomplete="nickname"
    aria-label=${say("new_name")}
    placeholder=${say("new_name")}
    .value=${settings.name}
    @change=${set}
  />`;
}

/** @param {Plan} plan @param {number} seat */
function otherName(plan, seat) {
  const label = say("new_name_other", { n: seat + 1 });
  return html`<input
    type="text"
    maxlength="24"
    aria-label=${label}
    placeholder=${label}
    .value=${plan.chairs[seat].name}
    @change=${(/** @type {Event} */ e) => setChair(plan, seat, { name: valueOf(e).trim() })}
  />`;
}
