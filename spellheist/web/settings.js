/**
 * What this browser remembers of its reader: name, theme, motion, sound, keys, whether the list of moves is shown.
 * Nothing of it leaves the browser but the name.
 */

/**
 * @typedef {{name: string, theme: "system" | "light" | "dark", motion: "system" | "off", sound: boolean, keys: boolean,
 *   list: boolean}} Settings
 */

const PLACE = "spellheist.settings";

/** @type {Settings} */
export const settings = { name: "", theme: "system", motion: "system", sound: false, keys: true, list: true, ...read() };

/** @returns {Partial<Settings>} */
function read() {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {Partial<Settings>} changed */
export function change(changed) {
  Object.assign(settings, changed);
  localStorage.setItem(PLACE, JSON.stringify(settings));
  show();
}

/** Lets the stylesheet know. */
export function show() {
  const root = document.documentElement;
  root.dataset.theme = settings.theme;
  root.dataset.motion = settings.motion;
}
