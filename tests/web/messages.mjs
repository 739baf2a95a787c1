/**
 * Gives messages to a page's place outside a browser: a list of messages as JSON on standard input. Answers what is known
 * after each, what was said to the server, which of our messages count as answered, and which messages are received at all.
 */

import { readFileSync } from "node:fs";
import { register } from "node:module";

const HOOK = `export async function load(url, context, next) {
  return url.endsWith(".js") ? next(url, { ...context, format: "module" }) : next(url, context);
}`;
register(`data:text/javascript,${encodeURIComponent(HOOK)}`);

const visit = new URL("../../spellheist/web/visit/", import.meta.url);
const { RECEIVED } = await import(new URL("messages.js", visit).href);
const { UNKNOWN } = await import(new URL("known.js", visit).href);

const said = [];
const answered = [];
let isIn = false;
const connection = {
  say: (message) => said.push(message),
  answered: (id) => answered.push(id),
  letIn: () => !isIn && (isIn = true),
  waitsFor: () => false,
};

let known = UNKNOWN;
const story = JSON.parse(readFileSync(0, "utf8")).map((message, at) => {
  known = RECEIVED[message.t](known, { at, ...message }, connection);
  return { ...known, moves: [...known.moves] };
});
console.log(JSON.stringify({ story, said, answered, received: Object.keys(RECEIVED) }));
