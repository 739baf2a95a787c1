/** The page of settings. */

import { html } from "lit-html";
import { radios, tick, valueOf } from "../forms.js";
import { redraw } from "../router.js";
import { change, settings } from "../settings.js";
import { sound } from "../sound.js";
import { say } from "../words.js";
import { Devices } from "./devices.js";

/** @typedef {import("../settings.js").Settings["theme"]} Theme */
/** @typedef {import("../settings.js").Settings["motion"]} Motion */

/** @type {[Theme, string][]} */
const THEMES = [
  ["system", say("theme_system")],
  ["light", say("theme_light")],
  ["dark", say("theme_dark")],
];

/** @type {[Motion, string][]} */
const MOTIONS = [
  ["system", say("motion_system")],
  ["off", say("motion_off")],
];

/** @type {import("../router.js").Opener} */
export function settingsPage() {
  const devices = new Devices();
  return { title: () => say("settings_title"), draw: () => html`${form()} ${devices.draw()}` };
}

/** @param {Partial<import("../settings.js").Settings>} changed */
function set(changed) {
  change(changed);
  if (changed.sound) sound("turn");
  redraw();
}

const form = () =>
  html`<section class="card narrow form">
    <h1>${say("settings_title")}</h1>
    <p class="soft">${say("settings_text")}</p>
    <label class="field"
      ><span>${say("settings_name")}</span>
      <input
        type="text"
        maxlength="24"
        autocomplete="nickname"
        .value=${settings.name}
        @change=${(/** @type {Event} */ e) => set({ name: valueOf(e).trim() })}
    /></label>
    ${radios(say("settings_theme"), "theme", THEMES, settings.theme, (theme) =>
      set({ theme: /** @type {Theme} */ (theme) }),
    )}
    ${radios(say("settings_motion"), "motion", MOTIONS, settings.motion, (motion) =>
      set({ motion: /** @type {Motion} */ (motion) }),
    )}
    ${tick(say("settings_sound"), "", settings.sound, (on) => set({ sound: on }))}
    ${tick(say("settings_keys"), say("moves_keys"), settings.keys, (keys) => set({ keys }))}
    <p><a class="button" href="/">${say("home")}</a></p>
  </section>`;
