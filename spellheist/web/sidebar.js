/** What stands beside the table: who sits there, the replay, news, chat, rules of this moment and the table's menu. */

import { html, nothing } from "lit-html";
import { proof, recordLink, replay } from "./finished.js";
import { chairWords } from "./gathering.js";
import { deviceLink, linkField } from "./links.js";
import { seatMark } from "./pieces.js";
import { powers } from "./proposals.js";
import { redraw } from "./router.js";
import { sure } from "./sure.js";
import { say } from "./words.js";

/** @typedef {import("./visit.js").Visit} Visit */
/** @typedef {import("./line.js").Line} Line */

const NEWS_SHOWN = 60;

/**
 * @param {Visit} visit
 * @param {{over: boolean, ended: boolean, hidden: boolean}} where `hidden`: what a seat saw stays behind the curtain
 */
export function beside(visit, { over, ended, hidden }) {
  return html`${seatList(visit)}
  ${hidden ? nothing : html`${ended ? html`${replay(visit)}${proof(visit)}` : nothing} ${news(visit)}`}
  ${chat(visit)} ${hidden || ended ? nothing : rulesNow(visit)} ${menu(visit, over)}`;
}

/** @param {Visit} visit */
function seatList(visit) {
  const line = /** @type {Line} */ (visit.line);
  const table = /** @type {import("./line.js").TableNews} */ (visit.table);
  return html`<ul class="seat-list" aria-label=${say("gather_chairs")}>
    ${table.chairs.map(
      (chair, seat) =>
        html`<li class="${line.asked.includes(seat) && !line.over && !visit.stopped ? "asked" : ""}">
          ${seatMark(seat)}<span
            ><strong>${visit.nameOf(seat)}</strong> ${marks(visit.nameOf(seat), chair.marks ?? [])}
            <span class="soft small">${chairWords(visit, seat)}</span></span
          >
        </li>`,
    )}
    ${table.watching ? html`<li class="soft small">${say("watching", { n: table.watching })}</li>` : nothing}
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

/** @param {Visit} visit */
function news(visit) {
  const line = /** @type {Line} */ (visit.line);
  const all = visit.moments.length > 1 && visit.moments[visit.moments.length - 1].frame.ply >= line.ply;
  const told = (all ? visit.moments.flatMap(({ frame }) => frame.news) : line.news).filter(([, , sentence]) => sentence);
  const looked = visit.at === null ? -1 : visit.moments[visit.at].frame.ply;
  const rows = all ? told : told.slice(-NEWS_SHOWN);
  return html`<section class="card news" aria-labelledby="news">
    <h2 id="news">${say("news_title")}</h2>
    <ol class="news-list" tabindex="0" aria-labelledby="news">
      ${[...rows].reverse().map(
        ([who, , sentence, ply]) =>
          html`<li>
            <button
              class=${ply === looked ? "looked" : ""}
              aria-label=${say("news_look", { sentence })}
              aria-current=${ply === looked ? "true" : nothing}
              @click=${() => visit.look(ply)}
            >
              ${who >= 0 ? seatMark(who) : html`<span class="chance-mark" aria-hidden="true">⚄</span>`}<span
                >${sentence}</span
              >
            </button>
          </li>`,
      )}
    </ol>
    ${all ? nothing : html`<button class="button plain small" @click=${() => visit.remember()}>${say("news_all")}</button>`}
  </section>`;
}

/** @param {Visit} visit */
function rulesNow(visit) {
  const line = /** @type {Line} */ (visit.line);
  const rules = visit.game?.rules ?? {};
  const game = visit.table?.game;
  return html`<details class="card" open>
    <summary><h2>${say("rules_now")}</h2></summary>
    <dl class="rules-now">
      ${line.rules.map(
        (id) =>
          html`<div>
            <dt><a href="/rules/${game}#${id}" target="_blank">${id}</a></dt>
            <dd>${rules[id] ?? ""}</dd>
          </div>`,
      )}
    </dl>
    <p><a href="/rules/${game}" target="_blank">${say("rules_all", { title: visit.table?.title })}</a></p>
  </details>`;
}

/** @param {Visit} visit */
function chat(visit) {
  const line = /** @type {Line} */ (visit.line);
  const send = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const field = /** @type {HTMLInputElement} */ (/** @type {HTMLFormElement} */ (event.target).elements.namedItem("say"));
    if (field.value.trim()) line.send({ t: "chat", text: field.value.trim() });
    field.value = "";
  };
  return html`<section class="card chat" aria-labelledby="chat">
    <div class="card-head">
      <h2 id="chat">${say("chat_title")}</h2>
      <button
        class="button plain small"
        @click=${() => {
          visit.muted = !visit.muted;
          redraw();
        }}
      >
        ${visit.muted ? say("chat_unmute") : say("chat_mute")}
      </button>
    </div>
    ${
      visit.muted
        ? html`<p class="soft small">${say("chat_muted")}</p>`
        : html` <ul class="chat-list" aria-live="polite" tabindex="0" aria-labelledby="chat">
              ${
                line.chat.length
                  ? line.chat.slice(-50).map(
                      ({ seat, name, text }) =>
                        html`<li>
                          ${seat === null ? nothing : seatMark(seat)}<span><strong>${name}</strong> ${text}</span>
                        </li>`,
                    )
                  : html`<li class="soft small">${say("chat_none")}</li>`
              }
            </ul>
            ${
              line.seat === null
                ? html`<p class="soft small">${say("chat_watch")}</p>`
                : html`<form class="chat-form" @submit=${send}>
                    <input
                      name="say"
                      type="text"
                      maxlength="300"
                      autocomplete="off"
                      aria-label=${say("chat_say")}
                      placeholder=${say("chat_say")}
                    /><button class="button small">${say("chat_send")}</button>
                  </form>`
            }`
    }
  </section>`;
}

/** @param {Visit} visit @param {boolean} over */
function menu(visit, over) {
  const line = /** @type {Line} */ (visit.line);
  const table = /** @type {import("./line.js").TableNews} */ (visit.table);
  const seated = line.seat !== null;
  const running = !over && ["playing", "paused"].includes(table.state);
  const others = visit.mine.filter((seat) => seat !== visit.active);
  return html`<details class="card menu">
    <summary><h2>${say("more")}</h2></summary>
    <div class="form">
      ${others.map(
        (seat) =>
          html`<button class="button small" @click=${() => visit.turnTo(seat)}>
            ${say("curtain_switch", { name: visit.nameOf(seat) })}
          </button>`,
      )}
      ${over ? nothing : recordLink(visit)}
      ${running ? powers(visit) : nothing}
      ${
        seated && running
          ? html`${sure(visit, "rise", say("leave_seat"), say("leave_seat"), () => visit.rise(Number(line.seat)))}
            ${sure(visit, "resign", say("resign"), say("resign_sure"), () => line.send({ t: "resign" }))}`
          : nothing
      }
      ${linkField(visit, "table", say("gather_invite"), `${location.origin}/t/${visit.name}`)}
      ${seated ? deviceLink(visit) : nothing}
      <p class="soft small">${say("dice_fingerprint")}: <code class="hash">${table.commitment}</code></p>
    </div>
  </details>`;
}
