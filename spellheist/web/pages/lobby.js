/** The lobby: the games, tables that wait for players, and the games that this browser sits at. */

import { html, nothing } from "lit-html";
import { ask, games } from "../api.js";
import { cover, seatsOf } from "../kit.js";
import { makeWithBots } from "../new_table/make_table.js";
import { cardBack, die, stone } from "../pieces.js";
import { redraw } from "../router.js";
import { say } from "../words.js";

const EVERY = 8000; // milliseconds between looks at the tables
const MINE_SHOWN = 12;

/** @type {import("../router.js").Opener} */
export const lobby = () => new Lobby();

class Lobby {
  /** @type {import("../api.js").Game[]} */ #games = [];
  /** @type {import("../api.js").OpenTable[]} */ #open = [];
  /** @type {import("../api.js").MyTable[]} */ #mine = [];
  #problem = "";
  #loaded = false;
  #making = ""; // the game of which a table is being made

  constructor() {
    void this.#look();
    this.timer = setInterval(() => this.#look(), EVERY);
  }

  title() {
    return say("home");
  }

  turn() {
    return this.#mine.some((row) => row.your_turn);
  }

  leave() {
    clearInterval(this.timer);
  }

  async #look() {
    if (document.visibilityState !== "visible" && this.#loaded) return;
    try {
      [this.#games, this.#open, this.#mine] = await Promise.all([games(), ask("/api/tables"), ask("/api/mine")]);
      this.#problem = "";
    } catch (refusal) {
      this.#problem = /** @type {Error} */ (refusal).message;
    }
    this.#loaded = true;
    redraw();
  }

  /** @param {import("../api.js").Game} game is played at once against bots */
  async #quick(game) {
    if (this.#making) return;
    this.#making = game.name;
    redraw();
    try {
      await makeWithBots(game, "gentle");
    } catch (refusal) {
      this.#problem = /** @type {Error} */ (refusal).message;
      this.#making = "";
      redraw();
    }
  }

  draw() {
    return html`${hero()} ${this.#problem ? html`<p class="notice bad" role="alert">${this.#problem}</p>` : nothing}
      ${myGames(this.#mine)}
      <section class="block" aria-labelledby="games">
        <h2 id="games" class="sr">${say("home")}</h2>
        ${this.#loaded ? nothing : html`<p class="soft">${say("loading")}</p>`}
        <ul class="games">
          ${this.#games.map((game) => gameCard(game, this.#making === game.name, () => this.#quick(game)))}
        </ul>
      </section>
      ${openTables(this.#open)}`;
  }
}

const hero = () =>
  html`<div class="hero">
    <div class="hero-art" aria-hidden="true">
      ${die(12, { sides: 12, fill: "#e7bb62" })}${cardBack()}${stone("?")}${die(5)}
    </div>
    <h1>${say("lobby_title")}</h1>
    <p>${say("lobby_text")}</p>
  </div>`;

/** @param {import("../api.js").MyTable[]} mine */
const myGames = (mine) =>
  mine.length
    ? html`<section class="block" aria-labelledby="mine">
        <h2 id="mine">${say("my_games")}</h2>
        <ul class="rows">
          ${mine.slice(0, MINE_SHOWN).map(myRow)}
        </ul>
      </section>`
    : nothing;

/** @param {import("../api.js").OpenTable[]} open */
const openTables = (open) =>
  html`<section class="block" aria-labelledby="open">
    <h2 id="open">${say("open_tables")}</h2>
    ${open.length ? html`<ul class="rows">${open.map(openRow)}</ul>` : html`<p class="soft">${say("open_none")}</p>`}
  </section>`;

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
