/** The banner above the table: whose turn it is and what is asked, or which moment is looked back at. */

import { html, nothing } from "lit-html";
import { seatMark } from "../pieces.js";
import { ANYONE, isOver, isStopped } from "../visit/known.js";
import { listed, say } from "../words.js";
import { arrow, recordLink } from "./finished.js";

/** @typedef {import("./page.js").Look} Look */

const LATEST = 3; // sentences of news below the banner
const HOUR = 3600;
const DAY = 24 * HOUR;

/** @param {Look} look @param {boolean} hidden what happened stays behind the curtain */
export function banner(look, hidden) {
  const { moment } = look.visit.back;
  return moment ? bannerBack(look, moment) : bannerNow(look, hidden);
}

/** @param {Look} look @param {import("../visit/looking_back.js").Moment} moment */
function bannerBack({ visit: { back }, known }, { frame }) {
  const sentence = (frame.news ?? []).map(([, , words]) => words).join(" ");
  return html`<div class="banner back">
    <div class="banner-text">
      <p class="who">${say("banner_back", { ply: frame.ply, last: known.ply })}</p>
      <p>${sentence || frame.question || ""}</p>
    </div>
    <div class="actions">
      <button class="button small" aria-label=${say("replay_back")} @click=${() => back.step(-1)}>
        ${arrow("replay_back")}
      </button>
      <button class="button small" aria-label=${say("replay_on")} @click=${() => back.step(1)}>
        ${arrow("replay_on")}
      </button>
      <button class="button small main" @click=${() => (back.open ? back.setOpen(false) : back.look(null))}>
        ${say("back_now")}
      </button>
    </div>
  </div>`;
}

/** @param {Look} look @param {boolean} hidden */
function bannerNow(look, hidden) {
  const { known, table } = look;
  const over = isOver(known);
  const halted = isStopped(known);
  const latest = known.last.flatMap(([, , sentence]) => sentence || []).slice(-LATEST).join(" ");
  return html`<div class="banner ${over ? "ended" : mustMove(look) && known.turn !== ANYONE ? "mine" : ""}">
      ${
        known.asked.length === 1 && !over && !halted
          ? html`<span class="banner-mark">${seatMark(known.asked[0])}</span>`
          : nothing
      }
      <div class="banner-text">
        <p class="who">${who(look)}</p>
        <p>${over ? table.reason || latest : halted ? nothing : known.question}</p>
      </div>
      ${wayOn(look)}
    </div>
    ${latest && !over && !hidden ? html`<p class="latest">${latest}</p>` : nothing}`;
}

/** @param {Look} look */
const mustMove = ({ known, table }) => known.moves.size > 0 && table.state === "playing";

/** @param {Look} look what is going on, in a few words */
function who(look) {
  const { visit, known, table } = look;
  if (isOver(known)) return say("banner_over");
  if (table.state === "paused") return say("banner_paused");
  if (table.state === "closed") return table.reason || say("reason_closed");
  if (table.state === "frozen") return table.reason || say("reason_frozen");
  if (known.turn === ANYONE) return say("banner_anyone");
  if (mustMove(look)) return say("banner_you");
  if (known.asked.length) return say("banner_turn", { name: listed(known.asked.map((seat) => visit.nameOf(seat))) });
  return say("banner_chance");
}

/** @param {Look} look the way out of a table that stopped, the button to go on after a round, or the clock */
function wayOn(look) {
  const { place, known } = look;
  if (isStopped(known))
    return html`<div class="actions">
      ${recordLink(look)} <a class="button small main" href="/">${say("home")}</a>
    </div>`;
  if (place.holding)
    return html`<button class="button small main" data-go-on @click=${() => place.goOn()}>${say("go_on")}</button>`;
  return known.until === null ? nothing : clock(known.until);
}

/** @param {number} until */
function clock(until) {
  const left = Math.max(0, Math.round((until - performance.now()) / 1000));
  const time =
    left >= 2 * DAY
      ? `${Math.round(left / DAY)} d`
      : left >= 2 * HOUR
        ? `${Math.round(left / HOUR)} h`
        : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  return html`<p class="clock ${left < 10 ? "short" : ""}" role="timer" aria-live="off">${say("time_left", { time })}</p>`;
}
