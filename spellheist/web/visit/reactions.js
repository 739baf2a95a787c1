/** What the reader hears, and what is read out, when something new is known. */

import { sound } from "../sound.js";
import { say } from "../words.js";
import { isEnded } from "./known.js";
import { proposed } from "./sentences.js";

/** @typedef {import("./known.js").Known} Known */
/** @typedef {import("./visit.js").Visit} Visit */

/**
 * @param {Visit} visit
 * @param {import("./place.js").Place} place that knows more than before
 * @param {Known} before
 */
export function react(visit, place, before) {
  const { known } = place;
  if (known.window.mine !== null && before.window.mine === null) sound("press");
  if (place === visit.place) reactHere(visit, known, before);
  else if (known.view !== before.view && known.before && known.moves.size) sound("turn");
}

/** At the place that is looked at. @param {Visit} visit @param {Known} known @param {Known} before */
function reactHere(visit, known, before) {
  const asks = proposed(visit, known.table?.proposal);
  if (asks && asks !== proposed(visit, before.table?.proposal)) {
    visit.announce(asks);
    sound("chat");
  }
  if (known.refusal && known.refusal !== before.refusal) visit.announce(known.refusal.sentence);
  if (known.view !== before.view) seeView(visit, known);
  if (known.fresh !== before.fresh) visit.chat.hear(known.fresh);
  if (known.view && isEnded(known)) visit.back.finish();
  visit.guide?.follow(known);
}

/** A ply was made, or the whole view was sent. @param {Visit} visit @param {Known} known */
function seeView(visit, known) {
  if (known.before) {
    visit.announce(known.last.map(([, , sentence]) => sentence).join(" "));
    sound(known.over ? "won" : known.moves.size ? "turn" : "move");
  } else {
    visit.back.forget();
    if (known.moves.size) sound("turn");
  }
  if (known.moves.size && known.turn >= 0)
    visit.announce(`${visit.announced} ${say("banner_you")}. ${known.question}`.trim());
  if (known.over) visit.sure = ""; // what is to be confirmed has nothing to do with the ply
}
