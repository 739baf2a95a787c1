/** A running or finished game: banner, the game's table, the moves; and the curtain between people at one device. */

import { html, nothing } from "lit-html";
import { beside } from "./sidebar.js";
import { fields } from "./fields.js";
import { arrow, listed, recordLink, result } from "./finished.js";
import { ANYONE } from "./line.js";
import { seatMark } from "./pieces.js";
import { proposal } from "./proposals.js";
import { ruling, slams } from "./race.js";
import { redraw } from "./router.js";
import { change, settings } from "./settings.js";
import { MOVE_KEYS } from "./visit.js";
import { say } from "./words.js";

/** @typedef {import("./visit.js").Visit} Visit */
/** @typedef {import("./line.js").Line} Line */

/** @param {Visit} visit */
export function playing(visit) {
  const line = /** @type {Line} */ (visit.line);
  const table = /** @type {import("./line.js").TableNews} */ (visit.table);
  const next = visit.next;
  const over = line.over || table.state === "over";
  const ended = over || table.state === "closed";
  return html`<h1 class="sr">${table.title}</h1>
    ${proposal(visit)} ${word(visit)}
    <div class="play">
      <div class="play-main">
        ${banner(visit, over, next !== null)}
        ${visit.problem ? html`<p class="notice bad" role="alert">${visit.problem}</p>` : nothing}
        ${
          next === null
            ? html` ${
                line.seat !== null && table.chairs[line.seat].away && !over
                  ? html`<p class="notice">
                      ${say("away")}
                      <button
                        class="button small main"
                        @click=${() => visit.sit(Number(line.seat), visit.nameOf(Number(line.seat)))}
                      >
                        ${say("away_back")}
                      </button>
                    </p>`
                  : nothing
              }
              ${visit.guide?.draw(line) ?? nothing} ${over && visit.at === null ? result(visit) : nothing} ${stage(visit)}
              ${ended ? nothing : line.window.open ? slams(visit) : moves(visit)} ${ruling(visit)}`
            : curtain(visit, next)
        }
      </div>
      <div class="play-side">${beside(visit, { over, ended, hidden: next !== null })}</div>
    </div>`;
}

/** What the table itself said last. Whoever reads the chat hears it there. @param {Visit} visit */
function word(visit) {
  const heard = () => {
    visit.word = "";
    redraw();
  };
  return visit.word
    ? html`<p class="notice call word" role=${visit.muted ? "status" : nothing}>
        <span>${visit.word}</span> <button class="button plain small" @click=${heard}>${say("word_heard")}</button>
      </p>`
    : nothing;
}

/**
 * The game's own table; if it fails to draw a position, the fields of the view, so that the game can go on.
 * @param {Visit} visit
 */
function stage(visit) {
  const scene = visit.scene;
  let drawn;
  if (!scene || !visit.kit) drawn = html`<p>${say("loading")}</p>`;
  else {
    try {
      drawn = visit.kit.draw(scene);
    } catch (error) {
      console.error(error);
      drawn = fields(scene);
    }
  }
  return html`<section class="felt" aria-labelledby="felt">
    <h2 id="felt" class="sr">${say("table_label")}</h2>
    ${drawn}
  </section>`;
}

/** @param {Visit} visit @param {boolean} over @param {boolean} hidden what happened stays behind the curtain */
function banner(visit, over, hidden) {
  const line = /** @type {Line} */ (visit.line);
  const table = /** @type {import("./line.js").TableNews} */ (visit.table);
  if (visit.at !== null) {
    const moment = visit.moments[visit.at];
    const sentence = (moment.frame.news ?? []).map(([, , words]) => words).join(" ");
    return html`<div class="banner back">
      <div class="banner-text">
        <p class="who">${say("banner_back", { ply: moment.frame.ply, last: line.ply })}</p>
        <p>${sentence || moment.frame.question || ""}</p>
      </div>
      <div class="actions">
        <button class="button small" aria-label=${say("replay_back")} @click=${() => visit.step(-1)}>
          ${arrow("replay_back")}
        </button>
        <button class="button small" aria-label=${say("replay_on")} @click=${() => visit.step(1)}>
          ${arrow("replay_on")}
        </button>
        <button class="button small main" @click=${() => (visit.open ? visit.setOpen(false) : visit.look(null))}>
          ${say("back_now")}
        </button>
      </div>
    </div>`;
  }
  const asked = line.asked;
  const mine = line.moves.size > 0 && table.state === "playing";
  let who = say("banner_chance");
  if (over) who = say("banner_over");
  else if (table.state === "paused") who = say("banner_paused");
  else if (table.state === "closed") who = table.reason || say("reason_closed");
  else if (table.state === "frozen") who = table.reason || say("reason_frozen");
  else if (line.turn === ANYONE) who = say("banner_anyone");
  else if (mine) who = say("banner_you");
  else if (asked.length) who = say("banner_turn", { name: listed(asked.map((seat) => visit.nameOf(seat))) });
  const goOn = html`<button class="button small main" data-go-on @click=${() => line.goOn()}>${say("go_on")}</button>`;
  const ways = html`<div class="actions">
    ${recordLink(visit)} <a class="button small main" href="/">${say("home")}</a>
  </div>`;
  const latest = line.last
    .map(([, , sentence]) => sentence)
    .filter(Boolean)
    .slice(-3)
    .join(" ");
  return html`<div class="banner ${over ? "ended" : mine && line.turn !== ANYONE ? "mine" : ""}">
      ${asked.length === 1 && !over && !visit.stopped ? html`<span class="banner-mark">${seatMark(asked[0])}</span>` : nothing}
      <div class="banner-text">
        <p class="who">${who}</p>
        <p>${over ? table.reason || latest : visit.stopped ? nothing : line.question}</p>
      </div>
      ${visit.stopped ? ways : line.holding ? goOn : clock(line)}
    </div>
    ${latest && !over && !hidden ? html`<p class="latest">${latest}</p>` : nothing}`;
}

/** @param {Line} line */
function clock(line) {
  if (line.until === null) return nothing;
  const left = Math.max(0, Math.round((line.until - performance.now()) / 1000));
  const time =
    left >= 172800
      ? `${Math.round(left / 86400)} d`
      : left >= 7200
        ? `${Math.round(left / 3600)} h`
        : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  return html`<p class="clock ${left < 10 ? "short" : ""}" role="timer" aria-live="off">${say("time_left", { time })}</p>`;
}

/** @param {Visit} visit */
function moves(visit) {
  const line = /** @type {Line} */ (visit.line);
  const legal = [...(visit.scene?.moves ?? [])];
  const chances = new Map((line.thoughts?.moves ?? []).map(([move, chance, error]) => [move, { chance, error }]));
  const best = Math.max(0, ...[...chances.values()].map(({ chance }) => chance));
  const undo = visit.table?.undo;
  return html`<section id="moves-bar" tabindex="-1" class="moves ${legal.length ? "asked" : ""}" aria-labelledby="moves">
    <h2 id="moves" class="sr">${say("moves_title")}</h2>
    ${line.refusal ? refusalNotice(line.refusal, visit.table?.game ?? "") : nothing}
    ${undo ? undoRow(visit, undo) : nothing}
    <div class="move-bar">
      ${
        legal.length && !settings.list
          ? nothing
          : legal.length
            ? html`<div class="move-list">${legal.map(([move, words], i) => {
                const thought = chances.get(move);
                return html`<button
                  class="move button ${thought && thought.chance === best ? "best" : ""}"
                  data-move=${move}
                  ?disabled=${line.waiting}
                  @click=${() => visit.play(move)}
                >
                  ${MOVE_KEYS[i] ? html`<kbd aria-hidden="true">${MOVE_KEYS[i]}</kbd>` : nothing}<span class="move-words"
                    >${words}</span
                  >
                  ${thought ? chanceBar(thought.chance, thought.error === 0) : nothing}
                </button>`;
              })}</div>`
            : html`<p class="soft idle">
                ${visit.at !== null ? nothing : line.seat === null ? say("moves_watch") : say("moves_none")}
              </p>`
      }${moveActions(visit, legal.length > 0)}
    </div>
    ${
      line.thoughts?.lines.length
        ? html`<div class="thoughts">
            <h3>${say("hint_title")}</h3>
            ${line.thoughts.lines.map((sentence) => html`<p>${sentence}</p>`)}
          </div>`
        : nothing
    }
  </section>`;
}

/** @param {{sentence: string, rule: string | null}} refusal @param {string} game */
function refusalNotice({ sentence, rule }, game) {
  const link = rule ? html`<a href="/rules/${game}#${rule}" target="_blank">${rule}</a>` : nothing;
  return html`<p class="notice bad" role="alert">${sentence} ${link}</p>`;
}

/** @param {number} chance to win, from 0 to 1 @param {boolean} exact */
function chanceBar(chance, exact) {
  const words = say("hint_chance", { percent: (chance * 100).toFixed(exact ? 1 : 0) });
  return html`<span class="chance"><span class="bar" .style=${`--part: ${chance}`}></span>${words}</span>`;
}

/** @param {Visit} visit @param {boolean} asked */
function moveActions(visit, asked) {
  const line = /** @type {Line} */ (visit.line);
  if (line.seat === null || line.turn === ANYONE || visit.at !== null || visit.table?.state !== "playing") return nothing;
  const hint = () => {
    visit.thinking = true;
    line.send({ t: "hint", ply: line.ply });
    redraw();
  };
  return html`<div class="actions">
    ${
      visit.table.hints && asked
        ? html`<button class="button small" ?disabled=${visit.thinking} @click=${hint}>
            ${visit.thinking ? say("hint_wait") : say("hint")}
          </button>`
        : nothing
    }
    ${undoButton(visit)}
    ${
      asked
        ? html`<button
            class="button small plain"
            aria-expanded=${settings.list ? "true" : "false"}
            @click=${() => {
              change({ list: !settings.list });
              redraw();
            }}
          >
            ${settings.list ? say("moves_hide") : say("moves_show", { n: line.moves.size })}
          </button>`
        : nothing
    }
  </div>`;
}

/**
 * Greyed where this seat can see that asking is in vain; whether a move has shown something, the server says when asked.
 * @param {Visit} visit
 */
function undoButton(visit) {
  const line = /** @type {Line} */ (visit.line);
  const reason = whyNoUndo(visit);
  const click = () => (reason ? visit.explain(reason) : line.send({ t: "undo", ply: line.ply }));
  return html`<button
    class="button small plain"
    aria-disabled=${reason ? "true" : nothing}
    title=${reason || nothing}
    @click=${click}
  >
    ${say("undo")}
  </button>`;
}

/** @param {Visit} visit why no move of this seat can be taken back now, or "" */
function whyNoUndo(visit) {
  const line = /** @type {Line} */ (visit.line);
  if (visit.table?.undo) return say("undo_wished");
  if (!line.news.some(([who]) => who === line.seat)) return say("undo_none");
  const [who, , , ply] = line.news[line.news.length - 1];
  return who === line.seat && ply === line.ply && !line.holding ? "" : say("undo_passed");
}

/** @param {Visit} visit @param {import("./line.js").Undo} undo */
function undoRow(visit, undo) {
  const line = /** @type {Line} */ (visit.line);
  if (line.seat !== null && undo.waits_for.includes(line.seat)) {
    return html`<div class="notice" role="status">
      <p>${say("undo_asked", { name: visit.nameOf(undo.by) })}</p>
      <div class="actions">
        <button class="button small main" @click=${() => line.send({ t: "agree", yes: true })}>${say("agree")}</button>
        <button class="button small" @click=${() => line.send({ t: "agree", yes: false })}>${say("disagree")}</button>
      </div>
    </div>`;
  }
  return undo.by === line.seat
    ? html`<p class="notice" role="status">
        ${say("undo_waiting", { names: listed(undo.waits_for.map((seat) => visit.nameOf(seat))) })}
      </p>`
    : nothing;
}

/** @param {Visit} visit @param {number} next */
function curtain(visit, next) {
  const name = visit.nameOf(next);
  return html`<section class="curtain" aria-labelledby="curtain">
    <span class="curtain-mark">${seatMark(next)}</span>
    <h2 id="curtain">${say("curtain", { name })}</h2>
    <p>${say("curtain_text", { name, other: visit.nameOf(Number(visit.active)) })}</p>
    <button class="button main big" @click=${() => visit.turnTo(next)}>${say("curtain_go", { name })}</button>
  </section>`;
}
