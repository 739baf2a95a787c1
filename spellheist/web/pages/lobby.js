/** The lobby: the games, tables that wait for players, and the games that this browser sits at. */

import { html, nothing } from "lit-html";
import { ask, games } from "../api.js";
import { cover, seatsOf } from "../kit.js";
import { makeWithBots } from "../new_table/make_table.js";
import { cardBack, die, stone } from "../pieces.js";
import { redraw } from "../router.js";
import { say } from "../words.js";

const EVERY = 8000; // milliseconds between looks at the tables

/** @type {import("../router.js").Opener} */
export function lobby() {
  /** @type {import("../api.js").Game[]} */ let all = [];
  /** @type {import("../api.js").OpenTable[]} */ let open = [];
  /** @type {import("../api.js").MyTable[]} */ let mine = [];
  let problem = "";
  let loaded = false;
  let making = "";

  async function look() {
    if (document.visibilityState !== "visible" && loaded) return;
    try {
      [all, open, mine] = await Promise.all([games(), ask("/api/tables"), ask("/api/mine")]);
      problem = "";
    } catch (refusal) {
      problem = /** @type {Error} */ (refusal).message;
    }
    loaded = true;
    redraw();
  }

  /** @param {import("../api.js").Game} game */
  async function quick(game) {
    if (making) return;
    making = game.name;
    redraw();
    try {
      await makeWithBots(game, "gentle");
    } catch (refusal) {
      problem = /** @type {Error} */ (refusal).message;
      making = "";
      redraw();
    }
  }

  void look();
  const timer = setInterval(look, EVERY);

  return {
    title: () => say("home"),
    turn: () => mine.some((row) => row.your_turn),
    leave: () => clearInterval(timer),
    draw: () =>
      html` <div class="hero">
          <div class="hero-art" aria-hidden="true">
            ${die(12, { sides: 12, fill: "#e7bb62" })}${cardBack()}${stone("?")}${die(5)}
          </div>
          <h1>${say("lobby_title")}</h1>
          <p>${say("lobby_text")}</p>
        </div>
        ${problem ? html`<p class="notice bad" role="alert">${problem}</p>` : nothing}
        ${
          mine.length
            ? html`<section class="block" aria-labelledby="mine">
                <h2 id="mine">${say("my_games")}</h2>
                <ul class="rows">
                  ${mine.slice(0, 12).map(myRow)}
                </ul>
              </section>`
            : nothing
        }
        <section class="block" aria-labelledby="games">
          <h2 id="games" class="sr">${say("home")}</h2>
          ${loaded ? nothing : html`<p class="soft">${say("loading")}</p>`}
          <ul class="games">
            ${all.map((game) => gameCard(game, making === game.name, () => quick(game)))}
          </ul>
        </section>
        <section class="block" aria-labelledby="open">
          <h2 id="open">${say("open_tables")}</h2>
          ${
            open.length
              ? html`<ul class="rows">
                  ${open.map(openRow)}
                </ul>`
              : html`<p class="soft">${say("open_none")}</p>`
          }
        </section>`,
  };
}

/** @param {import("../api.js").Game} game @param {boolean} busy @param {() => void} quick */
function gameCard(game, busy, quick) {
  return html`<li class="game">
    <img class="cover" src=${cover(game.name)} alt="" width="400" height="220" />
    <div class="game-text">
      <h3>${game.title}</h3>
      <p>${game.sentence}</p>
      <p class="soft small">${seatsOf(game)}</p>
      <p class="game-links">
        <a href="/learn/${game.name}" aria-label="${say("learn")}: ${game.title}">${say("learn")}</a>
        <a href="/rules/${game.name}" aria-label="${say("rules")}: ${game.title}">${say("rules")}</a>
      </p>
      <div class="actions">
        <button class="button main" ?disabled=${busy} @click=${quick} aria-label="${say("play_bots")}: ${game.title}">
          ${busy ? say("loading") : say("play_bots")}
        </button>
        <a class="button" href="/new/${game.name}" aria-label="${say("new_table")}: ${game.title}">${say("new_table")}</a>
      </div>
    </div>
  </li>`;
}

/** @param {import("../api.js").MyTable} row */
function myRow(row) {
  const ended = ["over", "closed", "frozen"].includes(row.state);
  return html`<li class="row ${row.your_turn ? "due" : ""}">
    <img class="thumb" src=${cover(row.game)} alt="" width="72" height="40" />
    <div class="row-text">
      <h3>${row.title}</h3>
      <p class="soft small">${row.names.filter(Boolean).join(", ")} · ${stateOf(row.state)}</p>
    </div>
    ${row.your_turn ? html`<span class="badge">${say("your_turn")}</span>` : nothing}
    ${
      row.state === "archived"
        ? html`<a class="button small" href="/api/tables/${row.table}/record" download>${say("download")}</a>`
        : html`<a
            class="button small ${ended ? "" : "main"}"
            href="/t/${row.table}"
            aria-label="${ended ? say("look") : say("resume")}: ${row.title}"
            >${ended ? say("look") : say("resume")}</a
          >`
    }
  </li>`;
}

/** @param {string} state */
const stateOf = (state) => say(/** @type {"state_over"} */ (`state_${state}`));

/** @param {import("../api.js").OpenTable} row */
function openRow(row) {
  const free = row.chairs.filter((chair) => chair.kind === "open").length;
  const names = row.chairs
    .filter((chair) => chair.kind !== "open")
    .map((chair) => chair.name)
    .join(", ");
  return html`<li class="row">
    <img class="thumb" src=${cover(row.game)} alt="" width="72" height="40" />
    <div class="row-text">
      <h3>${row.title}</h3>
      <p class="soft small">${names} · ${row.running ? say("open_row_running") : say("open_row", { free })}</p>
    </div>
    <a
      class="button small main"
      href="/t/${row.table}"
      aria-label="${row.running ? say("watch") : say("join")}: ${row.title}"
      >${row.running ? say("watch") : say("join")}</a
    >
  </li>`;
}
