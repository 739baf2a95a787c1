/** The rules of a game, from its own page; and the door to a guided first game. */

import { html, nothing } from "lit-html";
import { game } from "../api.js";
import { cover } from "../kit.js";
import { dead, named } from "./not_found.js";
import { makeWithBots } from "../new_table/make_table.js";
import { markdown } from "../markdown.js";
import { redraw } from "../router.js";
import { say } from "../words.js";

/**
 * A page about one game that has to be fetched first.
 * @param {string} name
 * @param {(game: import("../api.js").WholeGame) => string} title
 * @param {(game: import("../api.js").WholeGame) => unknown} draw
 * @param {() => void} [then]
 * @returns {import("../router.js").Page}
 */
function about(name, title, draw, then = () => {}) {
  /** @type {import("../api.js").WholeGame | null} */ let known = null;
  /** @type {Error | null} */ let problem = null;
  game(name)
    .then(
      (whole) => {
        known = whole;
      },
      (refusal) => {
        problem = refusal;
      },
    )
    .then(() => {
      redraw();
      setTimeout(then);
    });
  return {
    title: () => (known ? title(known) : problem ? named(problem) : say("loading")),
    draw: () => {
      if (known) return draw(known);
      if (problem) return dead(named(problem), problem.message);
      return html`<h1 class="sr">${say("loading")}</h1>
        <p class="soft">${say("loading")}</p>`;
    },
  };
}

/** @type {import("../router.js").Opener} */
export function rulesPage(name) {
  /** The page is drawn after the browser has looked for the anchor, so it looks again. */
  const jump = () => {
    if (location.hash) location.replace(location.href);
  };
  return about(
    name,
    (known) => say("rules_title", { title: known.title }),
    (known) =>
      html` <article class="card rules-page">
        ${markdown(known.page)} ${known.credits ? html`<p class="soft small">${say("credits", known)}</p>` : nothing}
        <p class="actions">
          <a class="button main" href="/new/${known.name}">${say("rules_play")}</a>
          <a class="button" href="/learn/${known.name}">${say("rules_learn")}</a>
        </p>
      </article>`,
    jump,
  );
}

/** @type {import("../router.js").Opener} */
export function learnPage(name) {
  let problem = "";
  let busy = false;
  /** @param {import("../api.js").WholeGame} known */
  async function start(known) {
    busy = true;
    redraw();
    try {
      await makeWithBots(known, "gentle", "?learn");
    } catch (refusal) {
      problem = /** @type {Error} */ (refusal).message;
      busy = false;
      redraw();
    }
  }
  return about(
    name,
    (known) => say("learn_title", { title: known.title }),
    (known) =>
      html` <section class="card narrow learn-door">
        <img class="cover" src=${cover(known.name)} alt="" width="400" height="220" />
        <h1>${say("learn_title", { title: known.title })}</h1>
        <p>${known.sentence}</p>
        <p>${say("learn_text")}</p>
        ${problem ? html`<p class="notice bad" role="alert">${problem}</p>` : nothing}
        <div class="actions">
          <button class="button main big" ?disabled=${busy} @click=${() => start(known)}>${say("learn_go")}</button>
          <a class="button" href="/rules/${known.name}">${say("rules")}</a>
        </div>
      </section>`,
  );
}
