/** What stands beside the table: who sits there, the replay, news, chat, rules of this moment and the table's menu. */

import { html, nothing } from "lit-html";
import { deviceLink, linkField } from "../links.js";
import { inline } from "../markdown.js";
import { seatMark } from "../pieces.js";
import { sure } from "../sure.js";
import { isEnded, isOver, isStopped } from "../visit/known.js";
import { chairWords } from "../visit/sentences.js";
import { say } from "../words.js";
import { chat } from "./chat.js";
import { proof, recordLink, replay } from "./finished.js";
import { powers } from "./proposals.js";

/** @typedef {import("./page.js").Look} Look */

const NEWS_SHOWN = 60;

/** @param {Look} look @param {boolean} hidden what a seat saw stays behind the curtain */
export function sidebar(look, hidden) {
  const ended = isEnded(look.known);
  return html`${seatList(look)}
  ${hidden ? nothing : html`${ended ? html`${replay(look)}${proof(look)}` : nothing} ${news(look)}`}
  ${chat(look)} ${hidden || ended ? nothing : rulesNow(look)} ${menu(look)}`;
}

/** @param {Look} look */
function seatList({ visit, known, table }) {
  const asks = !known.over && !isStopped(known);
  return html`<ul class="seat-list" aria-label=${say("gather_chairs")}>
    ${table.chairs.map(
      (chair, seat) =>
        html`<li class="${known.asked.includes(seat) && asks ? "asked" : ""}">
          ${seatMark(seat)}<span
            ><strong>${visit.nameOf(seat)}</strong> ${marks(visit.nameOf(seat), chair.marks ?? [])}
            <span class="soft small">${chairWords(visit, seat)}</span></span
          >
        </li>`,
    )}
    ${known.watching ? html`<li class="soft small">${say("watching", { n: known.watching })}</li>` : nothing}
  </ul>`;
}

/**
 * What the live window noticed of somebody's presses, for those at the table to make of it what they will.
 * @param {string} name
 * @param {string[]} kinds
 */
function marks(name, kinds) {
  return kinds.map((kind) => {
    const sentence = say(/** @type {"mark_lag"} */ (`mark_${kind}`), { name });
    return html`<span class="mark" role="img" aria-label=${sentence} title=${sentence}>⚑</span>`;
  });
}

/** @param {Look} look */
function news({ visit: { back }, known }) {
  const all = back.moments.length > 1 && back.whole;
  const told = (all ? back.moments.flatMap(({ frame }) => frame.news) : known.news).filter(([, , sentence]) => sentence);
  const rows = all ? told : told.slice(-NEWS_SHOWN);
  return html`<section class="card news" aria-labelledby="news">
    <h2 id="news">${say("news_title")}</h2>
    <ol class="news-list" tabindex="0" aria-labelledby="news">
      ${[...rows].reverse().map((row) => newsRow(back, row))}
    </ol>
    ${all ? nothing : html`<button class="button plain small" @click=${() => back.fetch()}>${say("news_all")}</button>`}
  </section>`;
}

/** @param {import("../visit/looking_back.js").LookingBack} back @param {any[]} row a piece of news */
function newsRow(back, [who, , sentence, ply]) {
  const looked = ply === back.moment?.frame.ply;
  return html`<li>
    <button
      class=${looked ? "looked" : ""}
      aria-label=${say("news_look", { sentence })}
      aria-current=${looked ? "true" : nothing}
      @click=${() => back.look(ply)}
    >
      ${who >= 0 ? seatMark(who) : html`<span class="chance-mark" aria-hidden="true">⚄</span>`}<span>${sentence}</span>
    </button>
  </li>`;
}

/** @param {Look} look */
function rulesNow({ visit, known, table }) {
  const rules = visit.loaded?.game.rules ?? {};
  return html`<details class="card" open>
    <summary><h2>${say("rules_now")}</h2></summary>
    <dl class="rules-now">
      ${known.rules.map(
        (id) =>
          html`<div>
            <dt><a href="/rules/${table.game}#${id}" target="_blank">${id}</a></dt>
            <dd>${inline(rules[id] ?? "")}</dd>
          </div>`,
      )}
    </dl>
    <p><a href="/rules/${table.game}" target="_blank">${say("rules_all", { title: table.title })}</a></p>
  </details>`;
}

/** @param {Look} look */
function menu(look) {
  const { visit, place, known, table } = look;
  const { seat } = place;
  const others = visit.seats.mine.filter((other) => other !== seat);
  const running = !isOver(known) && ["playing", "paused"].includes(table.state);
  return html`<details class="card menu">
    <summary><h2>${say("more")}</h2></summary>
    <div class="form">
      ${others.map(
        (other) =>
          html`<button class="button small" @click=${() => visit.turnTo(other)}>
            ${say("curtain_switch", { name: visit.nameOf(other) })}
          </button>`,
      )}
      ${isOver(known) ? nothing : recordLink(look)} ${running ? powers(look) : nothing}
      ${running && seat !== null ? leaving(look, seat) : nothing}
      ${linkField(visit.links, "table", say("gather_invite"), `${location.origin}/t/${visit.name}`)}
      ${seat === null ? nothing : deviceLink(visit.links, () => visit.attempt(() => visit.links.make()))}
      <p class="soft small">${say("dice_fingerprint")}: <code class="hash">${table.commitment}</code></p>
    </div>
  </details>`;
}

/** @param {Look} look @param {number} seat */
function leaving({ visit, place }, seat) {
  return html`${sure(visit, "rise", say("leave_seat"), say("leave_seat"), () => visit.rise(seat))}
  ${sure(visit, "resign", say("resign"), say("resign_sure"), () => place.send({ t: "resign" }))}`;
}
