/** A running or finished game: banner, arena, moves and sidebar; and the curtain between people at one device. */

import { html, nothing } from "lit-html";
import { seatMark } from "../pieces.js";
import { isEnded, isOver } from "../visit/known.js";
import { say } from "../words.js";
import { arena } from "./arena.js";
import { banner } from "./banner.js";
import { result } from "./finished.js";
import { guide } from "./guide.js";
import { moves } from "./moves.js";
import { proposal } from "./proposals.js";
import { ruling, slams, vote } from "./race.js";
import { sidebar } from "./sidebar.js";

/** @typedef {import("./page.js").Look} Look */

/** @param {Look} look */
export function playing(look) {
  const { visit, table } = look;
  const next = visit.seats.next;
  return html`<h1 class="sr">${table.title}</h1>
    ${proposal(look)} ${word(look)}
    <div class="play">
      <div class="play-main">
        ${banner(look, next !== null)}
        ${visit.problem ? html`<p class="notice bad" role="alert">${visit.problem}</p>` : nothing}
        ${next === null ? game(look) : curtain(look, next)}
      </div>
      <div class="play-side">${sidebar(look, next !== null)}</div>
    </div>`;
}

/** @param {Look} look */
function game(look) {
  const { visit, known } = look;
  const won = isOver(known) && visit.back.at === null;
  return html`${away(look)} ${guide(look)} ${won ? result(look) : nothing} ${arena(look)}
  ${isEnded(known) ? nothing : known.window.open ? slams(look) : moves(look)} ${vote(look)} ${ruling(look)}`;
}

/** What the table itself said last. Whoever reads the chat hears it there. @param {Look} look */
function word({ visit: { chat } }) {
  return chat.word
    ? html`<p class="notice call word" role=${chat.muted ? "status" : nothing}>
        <span>${chat.word}</span>
        <button class="button plain small" @click=${() => chat.dismiss()}>${say("word_heard")}</button>
      </p>`
    : nothing;
}

/** A bot plays for whoever was away too long. @param {Look} look */
function away({ visit, place: { seat }, known, table }) {
  if (seat === null || !table.chairs[seat].away || isOver(known)) return nothing;
  return html`<p class="notice">
    ${say("away")}
    <button class="button small main" @click=${() => visit.sit(seat, visit.nameOf(seat))}>${say("away_back")}</button>
  </p>`;
}

/** @param {Look} look @param {number} next */
function curtain({ visit, place }, next) {
  const name = visit.nameOf(next);
  return html`<section class="curtain" aria-labelledby="curtain">
    <span class="curtain-mark">${seatMark(next)}</span>
    <h2 id="curtain">${say("curtain", { name })}</h2>
    <p>${say("curtain_text", { name, other: visit.nameOf(Number(place.seat)) })}</p>
    <button class="button main big" @click=${() => visit.turnTo(next)}>${say("curtain_go", { name })}</button>
  </section>`;
}
