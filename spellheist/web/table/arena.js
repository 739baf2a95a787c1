/** The arena: a game's own table, and the scene that it draws. */

import { html } from "lit-html";
import { say, speaker } from "../words.js";
import { fields } from "./fields.js";

/** @typedef {import("./page.js").Look} Look */

/** @param {Look} look */
export function arena(look) {
  return html`<section class="felt" aria-labelledby="felt">
    <h2 id="felt" class="sr">${say("table_label")}</h2>
    ${look.visit.loaded ? drawn(look, look.visit.loaded) : html`<p>${say("loading")}</p>`}
  </section>`;
}

/**
 * The game's own table; if it fails to draw a position, the fields of the view, so that the game can go on.
 * @param {Look} look
 * @param {import("../visit/visit.js").Loaded} loaded
 */
function drawn(look, loaded) {
  const shown = scene(look, loaded);
  const draw = look.visit.bare ? fields : (loaded.kit.draw ?? fields);
  try {
    return draw(shown);
  } catch (error) {
    console.error(error);
    return fields(shown);
  }
}

/**
 * What the table shows: now, or the moment that is looked back at.
 * @param {Look} look
 * @param {import("../visit/visit.js").Loaded} loaded
 * @returns {import("../kit.js").Scene}
 */
function scene({ visit, place, known, table }, { game, kit, cards }) {
  const { moment, before, open } = visit.back;
  const last = moment ? (moment.frame.news ?? []) : known.last;
  return {
    view: moment?.view ?? known.view ?? {},
    before: moment ? before : known.before,
    seat: open && moment ? null : place.seat,
    seats: table.seats,
    names: table.names,
    sides: table.chairs.map((chair, seat) => chair.side ?? seat),
    moves: visit.moves,
    play: (move) => visit.play(move),
    why: (move) => place.why(move),
    c: game.constants,
    cards,
    say: speaker(kit.words),
    last: last.map(([who, move, sentence]) => ({ who, move, sentence })),
    over: moment ? false : known.over,
    score: moment ? null : known.score,
  };
}
