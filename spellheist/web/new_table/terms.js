/** The terms of a new table: time to think, who may come and watch, hints, and what happens when somebody leaves. */

import { html, nothing } from "lit-html";
import { number, radios, tick } from "../forms.js";
import { say } from "../words.js";
import { change, isOpen } from "./plan.js";

/** @typedef {import("./plan.js").Plan} Plan */

/** @param {Plan} plan */
export function terms(plan) {
  const { listed, watchers, hints } = plan;
  const shown = tick(say("new_listed"), say("new_listed_text"), listed, (on) => change(plan, { listed: on }));
  return html`<section class="card form">
    <h2>${say("new_table_settings")}</h2>
    ${clock(plan)}
    ${isOpen(plan) ? shown : nothing}
    ${tick(say("new_watchers"), say("new_watchers_text"), watchers, (on) => change(plan, { watchers: on }))}
    ${tick(say("new_hints"), say("new_hints_text"), hints, (on) => change(plan, { hints: on }))}
    ${radios(
      say("new_leavers"),
      "leavers",
      [
        ["bot", say("leavers_bot")],
        ["wait", say("leavers_wait")],
      ],
      plan.leavers,
      (leavers) => change(plan, { leavers: /** @type {Plan["leavers"]} */ (leavers) }),
    )}
  </section>`;
}

/** @param {Plan} plan */
function clock(plan) {
  const { seconds, days } = plan;
  return html`${radios(
    say("new_clock"),
    "clock",
    [
      ["none", say("clock_none")],
      ["move", say("clock_move")],
      ["days", say("clock_days")],
    ],
    plan.clock,
    (kind) => change(plan, { clock: /** @type {Plan["clock"]} */ (kind) }),
  )}
  ${plan.clock === "move" ? number(say("clock_seconds"), 5, 3600, seconds, (n) => change(plan, { seconds: n })) : nothing}
  ${plan.clock === "days" ? number(say("clock_day_count"), 1, 30, days, (n) => change(plan, { days: n })) : nothing}`;
}
