/** The proof that the dice of a finished game were fair, asked for by its reader. */

import { frames, text } from "../api.js";
import { firstShown, verify } from "../dice.js";
import { redraw } from "../router.js";
import { say } from "../words.js";

export class Proof {
  /** @type {string} what came out */ said = "";
  good = false;

  /** @param {import("./visit.js").Visit} visit */
  constructor(visit) {
    this.visit = visit;
  }

  async run() {
    this.said = say("verify_running");
    redraw();
    try {
      this.said = await this.#outcome();
    } catch (refusal) {
      this.said = /** @type {Error} */ (refusal).message;
    }
    this.visit.announce(this.said);
  }

  async #outcome() {
    const { name, table, known, seats } = this.visit;
    const [record, plies] = await Promise.all([text(`/api/tables/${name}/record`), frames(name, "open", known.ply)]);
    const promised = firstShown(name, table?.commitment ?? "");
    const result = await verify(record, plies, promised, seats.nonces(table?.left_out ?? []));
    this.good = result.good;
    return result.good
      ? say("verify_good", { rolls: result.rolls })
      : say(/** @type {"verify_roll"} */ (`verify_${result.why}`), { ply: result.wrong });
  }
}
