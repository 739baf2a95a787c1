/** A new table: how many play, who sits where, variants, the clock and who may watch. */

import { html, nothing } from "lit-html";
import { Refusal, games } from "./api.js";
import { cover, seatsOf } from "./lobby.js";
import { dead, named } from "./not_found.js";
import { make, usualSeats } from "./make_table.js";
import { redraw } from "./router.js";
import { change, settings } from "./settings.js";
import { radios, tick } from "./settings_page.js";
import { seatMark } from "./pieces.js";
import { say, titled } from "./words.js";

const DAY = 86400;

/** @param {Event} event */
const valueOf = (event) => /** @type {HTMLInputElement} */ (event.target).value;

/** @type {import("./router.js").Opener} */
export function plan(name) {
  /** @type {import("./api.js").Game | undefined} */ let game;
  /** @type {Error | null} why there is no game */ let missing = null;
  let problem = "";
  let busy = false;
  let seats = 0;
  /** @type {(import("./make_table.js").PlannedChair & {level: string, name: string})[]} */
  const chairs = [];
  /** @type {Record<string, any>} */ const options = {};
  const table = { clock: "none", seconds: 60, days: 2, listed: false, watchers: true, hints: true, leavers: "bot" };

  games()
    .then(async (all) => {
      const found = all.find((one) => one.name === name);
      if (found) setSeats(await usualSeats(found));
      else missing = new Refusal(say("not_found_text"), null, 404);
      game = found;
      redraw();
    })
    .catch((refusal) => {
      missing = refusal;
      redraw();
    });

  /** @param {number} count */
  function setSeats(count) {
    seats = count;
    while (chairs.length < count) {
      const first = chairs.length === 0;
      chairs.push({ kind: first ? "me" : chairs.length === 1 ? "open" : "bot", level: "gentle", name: "" });
    }
  }

  async function go() {
    if (!game || busy) return;
    busy = true;
    problem = "";
    redraw();
    const clock =
      table.clock === "none"
        ? { kind: "none", seconds: 0 }
        : table.clock === "move"
          ? { kind: "move", seconds: table.seconds }
          : { kind: "days", seconds: table.days * DAY };
    let friend = 1;
    const planned = chairs.slice(0, seats).map((chair, seat) =>
      chair.kind === "bot"
        ? { kind: chair.kind, level: chair.level }
        : chair.kind === "open"
          ? { kind: chair.kind }
          : {
              kind: chair.kind,
              name:
                seat === firstMe()
                  ? settings.name || say("default_name")
                  : chair.name || say("default_friend", { n: ++friend }),
            },
    );
    try {
      await make({
        game: game.name,
        chairs: planned,
        options,
        clock,
        listed: table.listed,
        watchers: table.watchers,
        hints: table.hints,
        leavers: table.leavers,
      });
    } catch (refusal) {
      problem = /** @type {Error} */ (refusal).message;
      busy = false;
      redraw();
    }
  }

  const firstMe = () => chairs.findIndex((chair) => chair.kind === "me");

  /** @param {import("./api.js").Option} option what the table plays if nothing is chosen */
  function usual(option) {
    const people = chairs.slice(0, seats).filter((chair) => chair.kind !== "bot").length;
    return option.among_people && people > 1 && table.clock !== "days" ? option.among_people : option.default;
  }

  /** @param {import("./api.js").Option} option @param {any} value */
  function setOption(option, value) {
    if (String(value) === String(option.default) && !option.among_people) delete options[option.name];
    else options[option.name] = value;
    redraw();
  }

  /** @param {number} seat */
  function chairRow(seat) {
    const chair = chairs[seat];
    const n = seat + 1;
    const level = game?.levels.find((one) => one.name === chair.level);
    return html`<li class="chair-row">
      <span class="chair-mark">${seatMark(seat)}</span>
      <select
        aria-label=${say("new_kind", { n })}
        @change=${(/** @type {Event} */ e) => {
          chair.kind = /** @type {any} */ (valueOf(e));
          redraw();
        }}
      >
        <option value="me" ?selected=${chair.kind === "me"}>
          ${seat === firstMe() || firstMe() < 0 ? say("new_me") : say("new_also_me")}
        </option>
        <option value="open" ?selected=${chair.kind === "open"}>${say("new_open")}</option>
        <option value="bot" ?selected=${chair.kind === "bot"}>${say("new_bot")}</option>
      </select>
      ${
        chair.kind === "bot"
          ? html`<select
                aria-label=${say("new_level", { n })}
                @change=${(/** @type {Event} */ e) => {
                  chair.level = valueOf(e);
                  redraw();
                }}
              >
                ${game?.levels.map((one) => html`<option value=${one.name} ?selected=${one.name === chair.level}>${one.name}</option>`)}
              </select>
              <small class="soft">${level?.sentence ?? nothing}</small>`
          : nothing
      }
      ${
        chair.kind === "me" && seat !== firstMe()
          ? html`<input
              type="text"
              maxlength="24"
              aria-label=${say("new_name_other", { n })}
              placeholder=${say("new_name_other", { n })}
              .value=${chair.name}
              @change=${(/** @type {Event} */ e) => {
                chair.name = valueOf(e).trim();
              }}
            />`
          : nothing
      }
      ${
        chair.kind === "me" && seat === firstMe()
          ? html`<input
              type="text"
              maxlength="24"
              autocomplete="nickname"
              aria-label=${say("new_name")}
              placeholder=${say("new_name")}
              .value=${settings.name}
              @change=${(/** @type {Event} */ e) => {
                change({ name: valueOf(e).trim() });
                redraw();
              }}
            />`
          : nothing
      }
    </li>`;
  }

  /** @param {import("./api.js").Option} option */
  function optionField(option) {
    const now = options[option.name] ?? usual(option);
    const label = titled(option.name);
    if (option.kind === "switch")
      return tick(label, option.sentence, String(now) === "true", (on) => setOption(option, on));
    if (option.kind === "choice") {
      return html`<div class="option">
        ${radios(
          label,
          option.name,
          (option.words ?? []).map((word) => [word, word]),
          now,
          (word) => setOption(option, word),
        )} <small>${option.sentence}</small>
      </div>`;
    }
    if (option.kind === "seat") {
      return html`<label class="field"
        ><span>${label}</span
        ><select @change=${(/** @type {Event} */ e) => setOption(option, valueOf(e))}>
          <option value="random" ?selected=${now === "random"}>${say("random")}</option>
          ${Array.from({ length: seats }, (_, seat) => html`<option value=${seat} ?selected=${String(now) === String(seat)}>${say("new_seat", { n: seat + 1 })}</option>`)}</select
        ><small>${option.sentence}</small></label
      >`;
    }
    if (option.kind === "deck") {
      return html`<label class="field"
        ><span>${say("deck_paste")}</span>
        <textarea
          rows="3"
          placeholder=${say("deck_standard")}
          .value=${now === "standard" ? "" : now}
          @change=${(/** @type {Event} */ e) => setOption(option, valueOf(e).trim() || "standard")}
        ></textarea
        ><small>${option.sentence}</small></label
      >`;
    }
    const number = option.kind === "number";
    return html`<label class="field"
      ><span>${label}</span>
      <input
        type=${number ? "number" : "text"}
        min=${option.low ?? nothing}
        max=${option.high ?? nothing}
        .value=${String(now)}
        @change=${(/** @type {Event} */ e) => setOption(option, number ? Number(valueOf(e)) : valueOf(e))}
      />
      <small>${option.sentence} (${option.range})</small></label
    >`;
  }

  return {
    title: () => (game ? say("new_title", { title: game.title }) : missing ? named(missing) : say("loading")),
    draw: () => {
      if (missing) return dead(named(missing), missing.message);
      if (!game) return html`<p class="soft">${say("loading")}</p>`;
      const simple = game.options.filter((option) => option.kind === "choice" || option.kind === "switch");
      const more = game.options.filter((option) => !simple.includes(option));
      const waits = chairs.slice(0, seats).some((chair) => chair.kind === "open");
      return html`<form
        class="plan"
        @submit=${(/** @type {Event} */ e) => {
          e.preventDefault();
          void go();
        }}
      >
        <header class="plan-head">
          <img class="cover" src=${cover(game.name)} alt="" width="400" height="220" />
          <div>
            <h1>${say("new_title", { title: game.title })}</h1>
            <p>${game.sentence}</p>
            <p class="soft small">${seatsOf(game)}</p>
          </div>
        </header>
        <section class="card form">
          <h2>${say("new_chairs")}</h2>
          ${
            game.seats.length > 1
              ? radios(
                  say("new_players"),
                  "seats",
                  game.seats.map((n) => [String(n), String(n)]),
                  String(seats),
                  (n) => {
                    setSeats(Number(n));
                    redraw();
                  },
                )
              : nothing
          }
          <ol class="chairs">
            ${Array.from({ length: seats }, (_, seat) => chairRow(seat))}
          </ol>
        </section>
        <section class="card form">
          <h2>${say("new_options")}</h2>
          ${simple.length ? simple.slice(0, 3).map(optionField) : nothing}
          ${
            simple.length > 3 || more.length
              ? html`<details>
                  <summary>${say("new_options_more")}</summary>
                  <div class="form">${simple.slice(3).map(optionField)}${more.map(optionField)}</div>
                </details>`
              : nothing
          }
          ${game.options.length ? nothing : html`<p class="soft">${say("new_options_none")}</p>`}
        </section>
        <section class="card form">
          <h2>${say("new_table_settings")}</h2>
          ${radios(
            say("new_clock"),
            "clock",
            [
              ["none", say("clock_none")],
              ["move", say("clock_move")],
              ["days", say("clock_days")],
            ],
            table.clock,
            (kind) => {
              table.clock = kind;
              redraw();
            },
          )}
          ${
            table.clock === "move"
              ? html`<label class="field"
                  ><span>${say("clock_seconds")}</span
                  ><input
                    type="number"
                    min="5"
                    max="3600"
                    .value=${String(table.seconds)}
                    @change=${(/** @type {Event} */ e) => {
                      table.seconds = Number(valueOf(e));
                    }}
                /></label>`
              : nothing
          }
          ${
            table.clock === "days"
              ? html`<label class="field"
                  ><span>${say("clock_day_count")}</span
                  ><input
                    type="number"
                    min="1"
                    max="30"
                    .value=${String(table.days)}
                    @change=${(/** @type {Event} */ e) => {
                      table.days = Number(valueOf(e));
                    }}
                /></label>`
              : nothing
          }
          ${
            waits
              ? tick(say("new_listed"), say("new_listed_text"), table.listed, (on) => {
                  table.listed = on;
                })
              : nothing
          }
          ${tick(say("new_watchers"), say("new_watchers_text"), table.watchers, (on) => {
            table.watchers = on;
          })}
          ${tick(say("new_hints"), say("new_hints_text"), table.hints, (on) => {
            table.hints = on;
          })}
          ${radios(
            say("new_leavers"),
            "leavers",
            [
              ["bot", say("leavers_bot")],
              ["wait", say("leavers_wait")],
            ],
            table.leavers,
            (kind) => {
              table.leavers = kind;
              redraw();
            },
          )}
        </section>
        ${problem ? html`<p class="notice bad" role="alert">${problem}</p>` : nothing}
        <div class="plan-go">
          <button class="button main big" ?disabled=${busy}>
            ${busy ? say("loading") : waits ? say("new_go_open") : say("new_go")}
          </button>
        </div>
      </form>`;
    },
  };
}
