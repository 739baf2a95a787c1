/** Where an address leads nowhere, or a page cannot be shown: one heading, one sentence and the way to all games. */

import { html } from "lit-html";
import { say } from "../words.js";

/** What a failure is called as a heading: nothing is there, or it cannot be had just now. @param {any} failure */
export const named = (failure) => say(failure?.status === 404 ? "not_found" : "not_now");

/** @param {string} heading @param {string} sentence */
export const dead = (heading, sentence) =>
  html`<section class="card narrow">
    <h1>${heading}</h1>
    <p role="alert">${sentence}</p>
    <p><a class="button main" href="/">${say("home")}</a></p>
  </section>`;

/** @type {import("../router.js").Opener} */
export const lost = () => ({
  title: () => say("not_found"),
  draw: () => dead(say("not_found"), say("not_found_text")),
});
