/** The page of settings. */

import { html } from "lit-html";
import { Devices } from "./devices.js";
import { redraw } from "./router.js";
import { change, settings } from "./settings.js";
import { sound } from "./sound.js";
import { say } from "./words.js";

/**
 * A group of radio buttons.
 * @param {string} legend
 * @param {string} name
 * @param {[string, string][]} choices value and label
 * @param {string} now
 * @param {(value: string) => void} chosen
 */
export function radios(legend, name, choices, now, chosen) {
  return html`<fieldset class="radios">
    <legend>${legend}</legend>
    <div class="segments">
      ${choices.map(
        ([value, label]) =>
          html`<label
            ><input
              type="radio"
              name=${name}
              value=${value}
              .checked=${value === now}
              @change=${() => chosen(value)}
            /><span>${label}</span></label
          >`,
      )}
    </div>
  </fieldset>`;
}

/**
 * A check box with a line of explanation.
 * @param {string} label
 * @param {string} text
 * @param {boolean} on
 * @param {(on: boolean) => void} chosen
 */
export function tick(label, text, on, chosen) {
  return html`<label class="tick"
    ><input
      type="checkbox"
      .checked=${on}
      @change=${(/** @type {Event} */ e) => chosen(/** @type {HTMLInputElement} */ (e.target).checked)}
    />
    <span><strong>${label}</strong>${text ? html`<small>${text}</small>` : ""}</span></label
  >`;
}

/** @type {import("./router.js").Opener} */
export function settingsPage() {
  const set = (/** @type {any} */ changed) => {
    change(changed);
    if (changed.sound) sound("turn");
    redraw();
  };
  const devices = new Devices();
  return {
    title: () => say("settings_title"),
    draw: () =>
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
            @change=${(/** @type {Event} */ e) => set({ name: /** @type {HTMLInputElement} */ (e.target).value.trim() })}
        /></label>
        ${radios(
          say("settings_theme"),
          "theme",
          [
            ["system", say("theme_system")],
            ["light", say("theme_light")],
            ["dark", say("theme_dark")],
          ],
          settings.theme,
          (theme) => set({ theme }),
        )}
        ${radios(
          say("settings_motion"),
          "motion",
          [
            ["system", say("motion_system")],
            ["off", say("motion_off")],
          ],
          settings.motion,
          (motion) => set({ motion }),
        )}
        ${tick(say("settings_sound"), "", settings.sound, (on) => set({ sound: on }))}
        ${tick(say("settings_keys"), say("moves_keys"), settings.keys, (keys) => set({ keys }))}
        <p><a class="button" href="/">${say("home")}</a></p>
        </section>
        ${devices.draw()}`,
  };
}
