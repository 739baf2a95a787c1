/** The legal moves as buttons, what a bot thinks of them, the hint and taking back. */

import { html, nothing } from "lit-html";
import { redraw } from "../router.js";
import { change, settings } from "../settings.js";
import { MOVE_KEYS } from "../visit/input.js";
import { ANYONE } from "../visit/known.js";
import { listed, say } from "../words.js";

/** @typedef {import("./page.js").Look} Look */

/** @param {Look} look */
export function moves(look) {
  const { visit, known, table } = look;
  const legal = [...visit.moves];
  return html`<section id="moves-bar" tabindex="-1" class="moves ${legal.length ? "asked" : ""}" aria-labelledby="moves">
    <h2 id="moves" class="sr">${say("moves_title")}</h2>
    ${known.refusal ? refusalNotice(known.refusal, table.game) : nothing}
    ${table.undo ? undoRow(look, table.undo) : nothing}
    <div class="move-bar">
      ${legal.length ? (settings.list ? moveList(look, legal) : nothing) : idle(look)}${moveActions(look, legal.length > 0)}
    </div>
    ${thoughts(known.thoughts)}
  </section>`;
}

/** @param {import("../visit/known.js").Told} refusal @param {string} game */
function refusalNotice({ sentence, rule }, game) {
  const link = rule ? html`<a href="/rules/${game}#${rule}" target="_blank">${rule}</a>` : nothing;
  return html`<p class="notice bad" role="alert">${sentence} ${link}</p>`;
}

/** @param {Look} look @param {[number, string][]} legal moves with their words */
function moveList({ visit, known }, legal) {
  const chances = new Map((known.thoughts?.moves ?? []).map(([move, chance, error]) => [move, { chance, error }]));
  const best = Math.max(0, ...[...chances.values()].map(({ chance }) => chance));
  return html`<div class="move-list">
    ${legal.map(([move, words], i) => {
      const thought = chances.get(move);
      return html`<button
        class="move button ${thought && thought.chance === best ? "best" : ""}"
        data-move=${move}
        ?disabled=${known.waiting}
        @click=${() => visit.play(move)}
      >
        ${MOVE_KEYS[i] ? html`<kbd aria-hidden="true">${MOVE_KEYS[i]}</kbd>` : nothing}<span class="move-words"
          >${words}</span
        >
        ${thought ? chanceBar(thought.chance, thought.error === 0) : nothing}
      </button>`;
    })}
  </div>`;
}

/** @param {number} chance to win, from 0 to 1 @param {boolean} exact */
function chanceBar(chance, exact) {
  const percent = say("hint_chance", { percent: (chance * 100).toFixed(exact ? 1 : 0) });
  return html`<span class="chance"><span class="bar" .style=${`--part: ${chance}`}></span>${percent}</span>`;
}

/** @param {Look} look why there is nothing to choose from */
function idle({ visit, place }) {
  return html`<p class="soft idle">
    ${visit.back.at !== null ? nothing : place.seat === null ? say("moves_watch") : say("moves_none")}
  </p>`;
}

/** @param {import("../visit/known.js").Thoughts | null} told */
function thoughts(told) {
  return told?.lines.length
    ? html`<div class="thoughts">
        <h3>${say("hint_title")}</h3>
        ${told.lines.map((sentence) => html`<p>${sentence}</p>`)}
      </div>`
    : nothing;
}

/** @param {Look} look @param {boolean} asked */
function moveActions(look, asked) {
  const { visit, place, known, table } = look;
  if (place.seat === null || known.turn === ANYONE || visit.back.at !== null || table.state !== "playing") return nothing;
  return html`<div class="actions">
    ${
      table.hints && asked
        ? html`<button class="button small" ?disabled=${known.thinking} @click=${() => place.hint()}>
            ${known.thinking ? say("hint_wait") : say("hint")}
          </button>`
        : nothing
    }
    ${undoButton(look)} ${asked ? listButton(known.moves.size) : nothing}
  </div>`;
}

/** @param {number} n how many moves there are */
function listButton(n) {
  const toggle = () => {
    change({ list: !settings.list });
    redraw();
  };
  return html`<button class="button small plain" aria-expanded=${settings.list ? "true" : "false"} @click=${toggle}>
    ${settings.list ? say("moves_hide") : say("moves_show", { n })}
  </button>`;
}

/**
 * Greyed where this seat can see that asking is in vain; whether a move has shown something, the server says when asked.
 * @param {Look} look
 */
function undoButton(look) {
  const { place, known } = look;
  const reason = whyNoUndo(look);
  const click = () => (reason ? place.explain(reason) : place.send({ t: "undo", ply: known.ply }));
  return html`<button
    class="button small plain"
    aria-disabled=${reason ? "true" : nothing}
    title=${reason || nothing}
    @click=${click}
  >
    ${say("undo")}
  </button>`;
}

/** @param {Look} look why no move of this seat can be taken back now, or "" */
function whyNoUndo({ place, known, table }) {
  if (table.undo) return say("undo_wished");
  if (!known.news.some(([who]) => who === place.seat)) return say("undo_none");
  const [who, , , ply] = known.news[known.news.length - 1];
  return who === place.seat && ply === known.ply && !place.holding ? "" : say("undo_passed");
}

/** @param {Look} look @param {import("../visit/known.js").Undo} undo */
function undoRow({ visit, place }, undo) {
  const answer = (/** @type {boolean} */ yes) => place.send({ t: "agree", yes });
  if (place.seat !== null && undo.waits_for.includes(place.seat)) {
    return html`<div class="notice" role="status">
      <p>${say("undo_asked", { name: visit.nameOf(undo.by) })}</p>
      <div class="actions">
        <button class="button small main" @click=${() => answer(true)}>${say("agree")}</button>
        <button class="button small" @click=${() => answer(false)}>${say("disagree")}</button>
      </div>
    </div>`;
  }
  return undo.by === place.seat
    ? html`<p class="notice" role="status">
        ${say("undo_waiting", { names: listed(undo.waits_for.map((seat) => visit.nameOf(seat))) })}
      </p>`
    : nothing;
}
