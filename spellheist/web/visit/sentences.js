/** Sentences about the table that are shown and read out alike. */

import { listed, say } from "../words.js";

/** @typedef {import("./visit.js").Visit} Visit */

/** Does a proposal come from this browser? @param {Visit} visit @param {import("./known.js").Proposal} asked */
const ours = (visit, asked) => (asked.by === null ? visit.table?.host : visit.seats.mine.includes(asked.by));

/**
 * Who asks for what; "" where nobody does.
 * @param {Visit} visit
 * @param {import("./known.js").Proposal | null} [asked]
 */
export function proposed(visit, asked) {
  if (!asked) return "";
  const values = {
    name: asked.by === null ? say("the_host") : visit.nameOf(asked.by),
    about: asked.about === null ? "" : visit.seats.mine.includes(asked.about) ? say("you") : visit.nameOf(asked.about),
  };
  const kind = ours(visit, asked) ? "asked" : "asks";
  return say(/** @type {"asks_pause"} */ (`${kind}_${asked.what}`), values);
}

/** One chair: whether this browser sits there, and who is not here. @param {Visit} visit @param {number} seat */
export function chairWords(visit, seat) {
  const { known, seats, table } = visit;
  const chair = table?.chairs[seat];
  if (!chair) return "";
  if (chair.kind === "bot") return say("chair_bot", { level: chair.level });
  const parts = [];
  if (seats.mine.includes(seat)) parts.push(say("chair_you"));
  if (chair.away) parts.push(say("chair_bot_for"));
  else if (!known.here[seat]) parts.push(say("chair_away"));
  return parts.join(", ");
}

/** @param {Visit} visit how a seat of this browser was lost, or "" */
export function lost(visit) {
  const { removed, mine, lost: seat, why } = visit.seats;
  if (removed.length) return mine.length ? say("removed_some", { names: listed(removed) }) : say("removed");
  if (seat === null) return "";
  if (visit.table?.chairs[seat]?.kind === "open") return mine.length ? "" : say("risen");
  return mine.length && why ? `${visit.nameOf(seat)}: ${why}` : why;
}
