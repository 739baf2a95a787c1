/**
 * Words: the texts of the page come from `words/en.js`, those of a game from its `words.en.js`. A text may have
 * places such as {name} that values fill in. Another language is another file with the same keys.
 */

import en, { toPlayer } from "./words/en.js";

export { toPlayer };

/**
 * Fills the places of a text.
 * @param {string} text
 * @param {Record<string, unknown>} [values]
 */
export const fill = (text, values = {}) =>
  text.replace(/\{(\w+)\}/g, (place, key) => (key in values ? String(values[key]) : place));

/**
 * A text of the page.
 * @param {keyof typeof en} key
 * @param {Record<string, unknown>} [values]
 */
export const say = (key, values) => fill(en[key], values);

/** The name of an option as a heading: "easy_mode" is "Easy mode". @param {string} name */
export const titled = (name) => name[0].toUpperCase() + name.slice(1).replaceAll("_", " ");

/**
 * A function that says the texts of a game.
 * @param {Record<string, any>} words what its words.en.js exports
 */
export const speaker =
  (words) =>
  (/** @type {string} */ key, /** @type {Record<string, unknown>} */ values = {}) =>
    fill(typeof words[key] === "string" ? words[key] : key, values);

/** @param {string[]} names "Ann, Bob and Cy" */
export const listed = (names) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${say("and")} ${names[names.length - 1]}`;
