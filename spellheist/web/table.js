/** The page of a table: what is drawn depends on where the table is, gathering, playing or over. */

import { html, nothing } from "lit-html";
import { listed } from "./finished.js";
import { gathering } from "./gathering.js";
import { ANYONE } from "./line.js";
import { dead } from "./not_found.js";
import { playing } from "./playing.js";
import { Visit } from "./visit.js";
import { say } from "./words.js";

/** @param {Visit} visit how a seat of this browser was lost, or "" */
function lost(visit) {
  const { removed, mine, lost, told, table } = visit;
  if (removed.length) return mine.length ? say("removed_some", { names: listed(removed) }) : say("removed");
  if (lost === null) return "";
  if (table?.chairs[lost]?.kind === "open") return mine.length ? "" : say("risen");
  return mine.length && told ? `${visit.nameOf(lost)}: ${told}` : told;
}

/** @type {import("./router.js").Opener} */
export function tablePage(name) {
  const visit = new Visit(name);
  return {
    wide: true,
    title: () => visit.table?.title ?? say(visit.line?.state === "gone" ? "line_gone" : "loading"),
    turn: () => visit.mine.some((seat) => Boolean(visit.lines.get(seat)?.moves.size) && visit.lines.get(seat)?.turn !== ANYONE),
    leave: () => visit.end(),
    key: (event) => visit.key(event),
    drawn: () => visit.settle(),
    draw: () => {
      const { line, table } = visit;
      if (visit.signedOut) return dead(say("signed_out"), visit.signedOut);
      if (line?.state === "gone" || (visit.stopped && line && !line.view)) {
        const why = line.refusal?.sentence || table?.reason || say("not_found_text");
        return dead(say("line_gone"), lost(visit) || why);
      }
      if (!line || !table)
        return html`<h1 class="sr">${say("table_label")}</h1>
          <p class="soft">${visit.problem || say("loading")}</p>`;
      const begun = line.view !== null && table.state !== "gathering";
      return html`${line.state === "lost" ? html`<p class="notice warn line" role="status">${say("line_lost")}</p>` : nothing}
        ${lost(visit) ? html`<p class="notice warn" role="alert">${lost(visit)}</p>` : nothing}
        ${begun ? playing(visit) : gathering(visit)}
        <p class="sr" aria-live="polite" id="announcer">${visit.announced}</p>`;
    },
  };
}
