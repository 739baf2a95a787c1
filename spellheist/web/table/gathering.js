/** A table before the game: the link to send, the chairs, and how the dice are already fixed. */

import { html, nothing } from "lit-html";
import { cover } from "../kit.js";
import { deviceLink, linkField } from "../links.js";
import { seatMark } from "../pieces.js";
import { redraw } from "../router.js";
import { change, settings } from "../settings.js";
import { chairWords } from "../visit/sentences.js";
import { say, titled } from "../words.js";

/** @typedef {import("./page.js").Look} Look */

const LONG = 60; // letters of a setting, such as a deck, that is too long to be shown

/** @param {Look} look */
export function gathering(look) {
  const { visit, known, table } = look;
  const seated = visit.seats.mine.length > 0;
  return html`<div class="gather">
    <header>
      <img class="cover" src=${cover(table.game)} alt="" width="400" height="220" />
      <h1>${say("gather_title", { title: table.title })}</h1>
    </header>
    ${visit.problem ? html`<p class="notice bad" role="alert">${visit.problem}</p>` : nothing}
    ${known.refusal ? html`<p class="notice bad" role="alert">${known.refusal.sentence}</p>` : nothing}
    ${seated ? invitation(look) : nothing} ${chairs(look, seated)} ${seated ? nothing : invitation(look)} ${variants(look)}
    <section class="card soft-card">
      <h2>${say("dice_fingerprint")}</h2>
      <p>${say("dice_note")}</p>
      <p><code class="hash">${table.commitment}</code></p>
    </section>
    ${
      seated
        ? html`<section class="card soft-card">
            <h2>${say("personal")}</h2>
            ${deviceLink(visit.links, () => visit.attempt(() => visit.links.make()))}
          </section>`
        : nothing
    }
  </div>`;
}

/** @param {Look} look is every chair taken? */
const isFull = ({ table }) => table.chairs.every((chair) => chair.kind !== "open");

/** @param {Look} look */
function invitation(look) {
  const { visit } = look;
  return isFull(look)
    ? nothing
    : html`<section class="card">
        ${linkField(visit.links, "table", say("gather_invite"), `${location.origin}/t/${visit.name}`)}
      </section>`;
}

/** @param {Look} look the options that are not as usual */
function variants({ visit, table }) {
  const usual = new Map((visit.loaded?.game.options ?? []).map((option) => [option.name, option.default]));
  const chosen = Object.entries(table.settings).filter(
    ([name, value]) => usual.has(name) && usual.get(name) !== value && value.length < LONG,
  );
  return chosen.length
    ? html`<section class="card">
        <h2>${say("variants")}</h2>
        <ul class="plain-list">
          ${chosen.map(
            ([name, value]) => html`<li><strong>${titled(name)}</strong>${value === "true" ? nothing : `: ${value}`}</li>`,
          )}
        </ul>
      </section>`
    : nothing;
}

/** @param {Look} look @param {boolean} seated */
function chairs(look, seated) {
  const { visit, table } = look;
  const full = isFull(look);
  const sits = !full && (!seated || visit.sitMore);
  const more = () => {
    visit.sitMore = true;
    redraw();
  };
  return html`<section class="card form" aria-labelledby="chairs">
    <h2 id="chairs">${say("gather_chairs")}</h2>
    ${sits ? nameField(seated) : nothing}
    <ul class="chairs-now">
      ${table.chairs.map((_, seat) => chairRow(look, seat, seated))}
    </ul>
    ${start(look, full)}
    ${full || sits ? nothing : html`<p><button class="button plain small" @click=${more}>${say("sit_more")}</button></p>`}
  </section>`;
}

/** @param {boolean} seated */
const nameField = (seated) =>
  html`<label class="field"
    ><span>${seated ? say("sit_more") : say("sit_name")}</span>
    <input id="sit-name" type="text" maxlength="24" autocomplete="nickname" .value=${seated ? "" : settings.name}
  /></label>`;

/** @param {Look} look @param {boolean} full */
function start({ place, table }, full) {
  if (table.state === "promising") return html`<p class="soft" role="status">${say("promising")}</p>`;
  if (!table.host) return html`<p class="soft" role="status">${say(full ? "start_soon" : "start_host")}</p>`;
  return html`<div class="actions">
    <button class="button main big" ?disabled=${!full} @click=${() => place.send({ t: "start" })}>${say("start")}</button>
    ${full ? nothing : html`<p class="soft">${say("start_wait")}</p>`}
  </div>`;
}

/** @param {Look} look @param {number} seat @param {boolean} seated */
function chairRow({ visit, place, table }, seat, seated) {
  const chair = table.chairs[seat];
  const mine = visit.seats.mine.includes(seat);
  const riseButton = html`<button class="button plain small" @click=${() => visit.rise(seat)}>${say("rise")}</button>`;
  return html`<li class="chair-now ${chair.kind}">
    ${seatMark(seat)}
    <div class="row-text">
      ${
        chair.kind === "open"
          ? html`<span class="soft">${say("chair_open")}</span>`
          : html`<strong>${chair.name}</strong> <span class="soft small">${chairWords(visit, seat)}</span>`
      }
    </div>
    ${chair.kind === "open" && (!seated || visit.sitMore) ? sitButton(visit, seat, seated) : nothing}
    ${mine && table.state === "gathering" ? riseButton : nothing}
    ${
      table.host && chair.kind === "person" && !mine
        ? html`<button class="button plain small danger" @click=${() => place.send({ t: "kick", seat })}>
            ${say("kick", { name: chair.name })}
          </button>`
        : nothing
    }
  </li>`;
}

/** @param {Look["visit"]} visit @param {number} seat @param {boolean} seated */
function sitButton(visit, seat, seated) {
  const sit = () => {
    const field = /** @type {HTMLInputElement} */ (document.getElementById("sit-name"));
    const name = field.value.trim() || (seated ? say("default_friend", { n: seat + 1 }) : say("default_name"));
    if (!seated && field.value.trim()) change({ name });
    void visit.sit(seat, name);
  };
  const label = `${say("sit")}: ${say("new_seat", { n: seat + 1 })}`;
  return html`<button class="button small ${seated ? "" : "main"}" @click=${sit} aria-label=${label}>
    ${say("sit")}
  </button>`;
}
