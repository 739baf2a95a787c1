/** Fields of forms that several pages have. */

import { html } from "lit-html";

/** @param {Event} event what stands in the field that has changed */
export const valueOf = (event) => /** @type {HTMLInputElement} */ (event.target).value;

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

/**
 * A number between two others.
 * @param {string} label
 * @param {number} low
 * @param {number} high
 * @param {number} now
 * @param {(value: number) => void} chosen
 */
export function number(label, low, high, now, chosen) {
  return html`<label class="field"
    ><span>${label}</span
    ><input
      type="number"
      min=${low}
      max=${high}
      .value=${String(now)}
      @change=${(/** @type {Event} */ e) => chosen(Number(valueOf(e)))}
  /></label>`;
}
