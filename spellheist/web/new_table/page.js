/** The page of a new table: how many play, who sits where, variants, the clock and who may watch. */

import { html, nothing } from "lit-html";
import { Refusal, games } from "../api.js";
import { cover, seatsOf, usualSeats } from "../kit.js";
import { dead, named } from "../pages/not_found.js";
import { redraw } from "../router.js";
import { say } from "../words.js";
import { chairs } from "./chairs.js";
import { make } from "./make_table.js";
import { options } from "./options.js";
import { isOpen, newPlan, requestOf } from "./plan.js";
import { terms } from "./terms.js";

/** @typedef {import("./plan.js").Plan} Plan */

/** @type {import("../router.js").Opener} */
export function newTablePage(name) {
  /** @type {Plan | null} */ let plan = null;
  /** @type {Error | null} why there is no game */ let missing = null;
  const asking = { busy: false, problem: "" };
  planFor(name)
    .then(
      (made) => (plan = made),
      (refusal) => (missing = refusal),
    )
    .then(redraw);
  return {
    title: () => (plan ? say("new_title", { title: plan.game.title }) : missing ? named(missing) : say("loading")),
    draw: () => {
      if (missing) return dead(named(missing), missing.message);
      return plan ? form(plan, asking) : html`<p class="soft">${say("loading")}</p>`;
    },
  };
}

/** @param {string} name of the game */
async function planFor(name) {
  const game = (await games()).find((one) => one.name === name);
  if (!game) throw new Refusal(say("not_found_text"), null, 404);
  return newPlan(game, await usualSeats(game));
}

/** @param {Plan} plan @param {{busy: boolean, problem: string}} asking how far the request is */
async function go(plan, asking) {
  if (asking.busy) return;
  Object.assign(asking, { busy: true, problem: "" });
  redraw();
  try {
    await make(requestOf(plan));
  } catch (refusal) {
    Object.assign(asking, { busy: false, problem: /** @type {Error} */ (refusal).message });
    redraw();
  }
}

/** @param {Plan} plan @param {{busy: boolean, problem: string}} asking */
function form(plan, asking) {
  const { game } = plan;
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    void go(plan, asking);
  };
  return html`<form class="new-table" @submit=${submit}>
    <header class="new-table-head">
      <img class="cover" src=${cover(game.name)} alt="" width="400" height="220" />
      <div>
        <h1>${say("new_title", { title: game.title })}</h1>
        <p>${game.sentence}</p>
        <p class="soft small">${seatsOf(game)}</p>
      </div>
    </header>
    ${chairs(plan)} ${options(plan)} ${terms(plan)}
    ${asking.problem ? html`<p class="notice bad" role="alert">${asking.problem}</p>` : nothing}
    <div class="new-table-go">
      <button class="button main big" ?disabled=${asking.busy}>
        ${asking.busy ? say("loading") : say(isOpen(plan) ? "new_go_open" : "new_go")}
      </button>
    </div>
  </form>`;
}
