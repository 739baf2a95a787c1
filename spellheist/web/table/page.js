/**
 * The page of a table: what is drawn depends on where the table is, gathering, playing or over. Every part of it is a
 * function of a `Look`.
 *
 * @typedef {{visit: import("../visit/visit.js").Visit, place: import("../visit/place.js").Place,
 *   known: import("../visit/known.js").Known, table: import("../visit/known.js").TableNews}} Look what is looked at: the
 *   place, what is known there, and the visit, by which the reader acts
 */

import { html, nothing } from "lit-html";
import { dead } from "../pages/not_found.js";
import { ANYONE, isStopped } from "../visit/known.js";
import { lost } from "../visit/sentences.js";
import { Visit } from "../visit/visit.js";
import { say } from "../words.js";
import { gathering } from "./gathering.js";
import { playing } from "./playing.js";

/** @type {import("../router.js").Opener} */
export function tablePage(name) {
  const visit = new Visit(name);
  return {
    wide: true,
    title: () => visit.table?.title ?? say(visit.place?.connection.state === "gone" ? "table_gone" : "loading"),
    turn: () => visit.seats.mine.some((seat) => mustMove(visit.seats.places.get(seat)?.known)),
    leave: () => visit.end(),
    key: (event) => visit.input.key(event),
    drawn: () => visit.input.settle(),
    draw: () => page(visit),
  };
}

/** @param {import("../visit/known.js").Known | undefined} known is it this seat's turn, and no other's? */
const mustMove = (known) => Boolean(known?.moves.size && known.turn !== ANYONE);

/** @param {Visit} visit */
function page(visit) {
  const { known, place, table, seats } = visit;
  if (seats.signedOut) return dead(say("signed_out"), seats.signedOut);
  if (place?.connection.state === "gone" || (isStopped(known) && !known.view)) {
    const why = known.refusal?.sentence || table?.reason || say("not_found_text");
    return dead(say("table_gone"), lost(visit) || why);
  }
  if (!place || !table)
    return html`<h1 class="sr">${say("table_label")}</h1>
      <p class="soft">${visit.problem || say("loading")}</p>`;
  const look = { visit, place, known, table };
  const begun = known.view !== null && table.state !== "gathering";
  return html`${
      place.connection.state === "lost" ? html`<p class="notice warn lost" role="status">${say("connection_lost")}</p>` : nothing
    }
    ${lost(visit) ? html`<p class="notice warn" role="alert">${lost(visit)}</p>` : nothing}
    ${begun ? playing(look) : gathering(look)}
    <p class="sr" aria-live="polite" id="announcer">${visit.announced}</p>`;
}
