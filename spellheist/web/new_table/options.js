/** The options of a new table: a field for each, by its kind. */

import { html, nothing } from "lit-html";
import { radios, tick, valueOf } from "../forms.js";
import { say, titled } from "../words.js";
import { setOption, usual } from "./plan.js";

/** @typedef {import("./plan.js").Plan} Plan */
/** @typedef {import("../api.js").Option} Option */

const IN_SIGHT = 3; // switches and choices that are not folded away

/** @param {Plan} plan */
export function options(plan) {
  const all = plan.game.options;
  const simple = all.filter(({ kind }) => kind === "choice" || kind === "switch");
  const folded = [...simple.slice(IN_SIGHT), ...all.filter((option) => !simple.includes(option))];
  const field = (/** @type {Option} */ option) =>
    FIELDS[option.kind](plan, option, plan.options[option.name] ?? usual(plan, option));
  return html`<section class="card form">
    <h2>${say("new_options")}</h2>
    ${simple.slice(0, IN_SIGHT).map(field)}
    ${
      folded.length
        ? html`<details>
            <summary>${say("new_options_more")}</summary>
            <div class="form">${folded.map(field)}</div>
          </details>`
        : nothing
    }
    ${all.length ? nothing : html`<p class="soft">${say("new_options_none")}</p>`}
  </section>`;
}

/** @type {Record<Option["kind"], (plan: Plan, option: Option, now: any) => unknown>} */
const FIELDS = {
  switch: (plan, option, now) =>
    tick(titled(option.name), option.sentence, String(now) === "true", (on) => setOption(plan, option, on)),

  choice(plan, option, now) {
    const choices = (option.words ?? []).map((choice) => /** @type {[string, string]} */ ([choice, choice]));
    return html`<div class="option">
      ${radios(titled(option.name), option.name, choices, now, (choice) => setOption(plan, option, choice))}
      <small>${option.sentence}</small>
    </div>`;
  },

  seat(plan, option, now) {
    const seats = plan.chairs.slice(0, plan.seats).map((_, seat) => [String(seat), say("new_seat", { n: seat + 1 })]);
    const choices = [["random", say("random")], ...seats].map(
      ([value, label]) => html`<option value=${value} ?selected=${value === String(now)}>${label}</option>`,
    );
    return html`<label class="field"
      ><span>${titled(option.name)}</span
      ><select @change=${(/** @type {Event} */ e) => setOption(plan, option, valueOf(e))}>
        ${choices}</select
      ><small>${option.sentence}</small></label
    >`;
  },

  deck: (plan, option, now) =>
    html`<label class="field"
      ><span>${say("deck_paste")}</span>
      <textarea
        rows="3"
        placeholder=${say("deck_standard")}
        .value=${now === "standard" ? "" : now}
        @change=${(/** @type {Event} */ e) => setOption(plan, option, valueOf(e).trim() || "standard")}
      ></textarea
      ><small>${option.sentence}</small></label
    >`,

  number: (plan, option, now) => written(plan, option, now, "number", Number),
  numbers: (plan, option, now) => written(plan, option, now, "text", String),
};

/**
 * An option that is written down.
 * @param {Plan} plan
 * @param {Option} option
 * @param {any} now
 * @param {string} type of the field
 * @param {(text: string) => any} read
 */
function written(plan, option, now, type, read) {
  return html`<label class="field"
    ><span>${titled(option.name)}</span>
    <input
      type=${type}
      min=${option.low ?? nothing}
      max=${option.high ?? nothing}
      .value=${String(now)}
      @change=${(/** @type {Event} */ e) => setOption(plan, option, read(valueOf(e)))}
    />
    <small>${option.sentence} (${option.range})</small></label
  >`;
}
