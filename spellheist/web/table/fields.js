/** A table for a game that has none of its own, and for those who write one: the fields of the view, as they are. */

import { html } from "lit-html";

/** @param {any} value @returns {string} */
const shown = (value) =>
  Array.isArray(value) ? value.map(shown).join(Array.isArray(value[0]) ? " | " : " ") : value === -3 ? "?" : String(value);

/** @param {import("../kit.js").Scene} scene */
export const fields = (scene) =>
  html`<div class="wide" tabindex="0">
    <table class="fields">
      <caption class="sr">
        ${scene.names.join(", ")}
      </caption>
      <tbody>
        ${Object.entries(scene.view).map(
          ([name, value]) =>
            html`<tr data-field=${name}>
              <th scope="row">${name}</th>
              <td>${shown(value)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
