/** A table before the game: the link to send, the chairs, and how the dice are already fixed. */

import { html, nothing } from "lit-html";
import { deviceLink, linkField } from "./links.js";
import { cover } from "./lobby.js";
import { seatMark } from "./pieces.js";
import { redraw } from "./router.js";
import { change, settings } from "./settings.js";
import { say, titled } from "./words.js";

/**
 * One chair in a sentence.
 * @param {import("./visit.js").Visit} visit
 * @param {number} seat
 */
export function chairWords(visit, seat) {
  const chair = visit.table?.chairs[seat];
  if (!chair) return "";
  if (chair.kind === "bot") return say("chair_bot", { level: chair.level });
  const parts = [];
  if (visit.mine.includes(seat)) parts.push(say("chair_you"));
  if (chair.away) parts.push(say("chair_bot_for"));
  else if (!chair.here) parts.push(say("chair_away"));
  return parts.join(", ");
}

/** @param {import("./visit.js").Visit} visit */
export function gathering(visit) {
  const table = /** @type {import("./line.js").TableNews} */ (visit.table);
  const full = table.chairs.every((chair) => chair.kind !== "open");
  const seated = visit.mine.length > 0;
  const usual = new Map((visit.game?.options ?? []).map((option) => [option.name, option.default]));
  const variants = Object.entries(table.settings).filter(
    ([name, value]) => usual.has(name) && usual.get(name) !== value && value.length < 60,
  );
  const invite = full
    ? nothing
    : html`<section class="card">
        ${linkField(visit, "table", say("gather_invite"), `${location.origin}/t/${visit.name}`)}
      </section>`;
  return html`<div class="gather">
    <header>
      <img class="cover" src=${cover(table.game)} alt="" width="400" height="220" />
      <h1>${say("gather_title", { title: table.title })}</h1>
    </header>
    ${visit.problem ? html`<p class="notice bad" role="alert">${visit.problem}</p>` : nothing}
    ${visit.line?.refusal ? html`<p class="notice bad" role="alert">${visit.line.refusal.sentence}</p>` : nothing}
    ${seated ? invite : nothing}
    <section class="card form" aria-labelledby="chairs">
      <h2 id="chairs">${say("gather_chairs")}</h2>
      ${
        full || (seated && !visit.more)
          ? nothing
          : html`<label class="field"
              ><span>${seated ? say("sit_more") : say("sit_name")}</span>
              <input id="sit-name" type="text" maxlength="24" autocomplete="nickname" .value=${seated ? "" : settings.name}
            /></label>`
      }
      <ul class="chairs-now">
        ${table.chairs.map((chair, seat) => chairNow(visit, chair, seat, seated))}
      </ul>
      ${start(visit, table, full)}
      ${
        full || !seated || visit.more
          ? nothing
          : html`<p>
              <button
                class="button plain small"
                @click=${() => {
                  visit.more = true;
                  redraw();
                }}
              >
                ${say("sit_more")}
              </button>
            </p>`
      }
    </section>
    ${seated ? nothing : invite}
    ${
      variants.length
        ? html`<section class="card">
            <h2>${say("variants")}</h2>
            <ul class="plain-list">
              ${variants.map(
                ([name, value]) =>
                  html`<li><strong>${titled(name)}</strong>${value === "true" ? nothing : `: ${value}`}</li>`,
              )}
            </ul>
          </section>`
        : nothing
    }
    <section class="card soft-card">
      <h2>${say("dice_fingerprint")}</h2>
      <p>${say("dice_note")}</p>
      <p><code class="hash">${table.commitment}</code></p>
    </section>
    ${
      seated
        ? html`<section class="card soft-card">
            <h2>${say("personal")}</h2>
            ${deviceLink(visit)}
          </section>`
        : nothing
    }
  </div>`;
}

/** @param {import("./visit.js").Visit} visit @param {import("./line.js").TableNews} table @param {boolean} full */
function start(visit, table, full) {
  if (table.state === "promising") return html`<p class="soft" role="status">${say("promising")}</p>`;
  if (!visit.host) return html`<p class="soft" role="status">${say(full ? "start_soon" : "start_host")}</p>`;
  return html`<div class="actions">
    <button class="button main big" ?disabled=${!full} @click=${() => visit.line?.send({ t: "start" })}>
      ${say("start")}
    </button>
    ${full ? nothing : html`<p class="soft">${say("start_wait")}</p>`}
  </div>`;
}

/**
 * @param {import("./visit.js").Visit} visit
 * @param {import("./api.js").Chair} chair
 * @param {number} seat
 * @param {boolean} seated
 */
function chairNow(visit, chair, seat, seated) {
  const sit = () => {
    const field = /** @type {HTMLInputElement} */ (document.getElementById("sit-name"));
    const name = field.value.trim() || (seated ? say("default_friend", { n: seat + 1 }) : say("default_name"));
    if (!seated && field.value.trim()) change({ name });
    void visit.sit(seat, name);
  };
  const place = `${say("sit")}: ${say("new_seat", { n: seat + 1 })}`;
  const sitButton = html`<button class="button small ${seated ? "" : "main"}" @click=${sit} aria-label=${place}>
    ${say("sit")}
  </button>`;
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
    ${chair.kind === "open" && (!seated || visit.more) ? sitButton : nothing}
    ${visit.mine.includes(seat) && visit.table?.state === "gathering" ? riseButton : nothing}
    ${
      visit.host && chair.kind === "person" && !visit.mine.includes(seat)
        ? html`<button class="button plain small danger" @click=${() => visit.line?.send({ t: "kick", seat })}>
            ${say("kick", { name: chair.name })}
          </button>`
        : nothing
    }
  </li>`;
}
