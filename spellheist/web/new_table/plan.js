/**
 * The plan of a new table: a plain object, what the form changes in it, and the request that it becomes.
 *
 * @typedef {{kind: "me" | "open" | "bot", level: string, name: string}} Chair
 * @typedef {{game: import("../api.js").Game, seats: number, chairs: Chair[], options: Record<string, any>,
 *   clock: "none" | "move" | "days", seconds: number, days: number, listed: boolean, watchers: boolean, hints: boolean,
 *   leavers: "bot" | "wait"}} Plan `chairs` may be more than `seats`: those that were taken away are kept as they were
 */

import { redraw } from "../router.js";
import { settings } from "../settings.js";
import { say } from "../words.js";

const DAY = 86400;

/** @param {import("../api.js").Game} game @param {number} seats @returns {Plan} */
export function newPlan(game, seats) {
  /** @type {Plan} */
  const plan = {
    game,
    seats,
    chairs: [],
    options: {},
    clock: "none",
    seconds: 60,
    days: 2,
    listed: false,
    watchers: true,
    hints: true,
    leavers: "bot",
  };
  setSeats(plan, seats);
  return plan;
}

/** @param {Plan} plan @param {Partial<Plan>} to */
export function change(plan, to) {
  Object.assign(plan, to);
  redraw();
}

/** @param {Plan} plan @param {number} count */
export function setSeats(plan, count) {
  const kinds = /** @type {const} */ (["me", "open"]);
  while (plan.chairs.length < count)
    plan.chairs.push({ kind: kinds[plan.chairs.length] ?? "bot", level: "gentle", name: "" });
  change(plan, { seats: count });
}

/** @param {Plan} plan @param {number} seat @param {Partial<Chair>} to */
export function setChair(plan, seat, to) {
  Object.assign(plan.chairs[seat], to);
  redraw();
}

/**
 * What an option is at this table if nothing is chosen.
 * @param {Plan} plan
 * @param {import("../api.js").Option} option
 */
export function usual(plan, option) {
  const people = plan.chairs.slice(0, plan.seats).filter((chair) => chair.kind !== "bot").length;
  return option.among_people && people > 1 && plan.clock !== "days" ? option.among_people : option.default;
}

/**
 * An option that is as always is not mentioned. One whose usual value depends on who sits there is, once it was chosen.
 * @param {Plan} plan
 * @param {import("../api.js").Option} option
 * @param {any} value
 */
export function setOption(plan, option, value) {
  if (String(value) === String(option.default) && !option.among_people) delete plan.options[option.name];
  else plan.options[option.name] = value;
  redraw();
}

/** @param {Plan} plan where the one who makes the table sits, or -1; others at this device come after */
export const firstMe = (plan) => plan.chairs.findIndex((chair) => chair.kind === "me");

/** @param {Plan} plan is there an open chair? */
export const isOpen = (plan) => plan.chairs.slice(0, plan.seats).some((chair) => chair.kind === "open");

/** @param {Plan} plan */
function clockOf({ clock, seconds, days }) {
  return { kind: clock, seconds: clock === "none" ? 0 : clock === "move" ? seconds : days * DAY };
}

/** @param {Plan} plan @returns {import("./make_table.js").PlannedChair[]} */
function chairsOf(plan) {
  let friends = 1;
  return plan.chairs.slice(0, plan.seats).map(({ kind, level, name }, seat) => {
    if (kind === "bot") return { kind, level };
    if (kind === "open") return { kind };
    if (seat === firstMe(plan)) return { kind, name: settings.name || say("default_name") };
    return { kind, name: name || say("default_friend", { n: ++friends }) };
  });
}

/** What the server is asked for. @param {Plan} plan */
export function requestOf(plan) {
  const { game, options, listed, watchers, hints, leavers } = plan;
  return { game: game.name, chairs: chairsOf(plan), options, clock: clockOf(plan), listed, watchers, hints, leavers };
}
