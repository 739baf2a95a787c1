/**
 * Draws scenes with a game's table.js outside a browser: `node draw.mjs FOLDER_OF_THE_GAME`, a scene as JSON a line on
 * standard input. Templates are plain objects here; what is drawn is written out as text and its tags are counted.
 * A thrown error, a word that is missing, tags that do not match or a button for a move that is not legal ends it.
 */

import { existsSync } from "node:fs";
import { register } from "node:module";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const folder = resolve(process.argv[2]);
const web = resolve(folder, "../../web");

/** Instead of lit-html: a template is its strings and values. Directives answer what they were given to draw. */
const LIT = `
  export const nothing = Symbol("nothing"), noChange = Symbol("noChange");
  export const html = (strings, ...values) => ({ strings, values });
  export const svg = html;
  export const repeat = (items, key, draw) => [...items].map(draw ?? key);
  export const keyed = (key, content) => content;
  export const classMap = (on) => Object.keys(on).filter((name) => on[name]).join(" ");
  export const styleMap = (on) => Object.entries(on).map(([name, value]) => name + ":" + value).join(";");
  export const ifDefined = (value) => value ?? "";
`;
const HOOKS = `
  export async function resolve(name, context, next) {
    if (name === "lit-html" || name.startsWith("lit-html/")) return { url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(LIT)}`)}, shortCircuit: true };
    if (name.startsWith("spellheist/")) return next(${JSON.stringify(pathToFileURL(web).href)} + name.slice(10) + ".js", context);
    return next(name, context);
  }
  export async function load(url, context, next) {
    return url.endsWith(".js") ? next(url, { ...context, format: "module" }) : next(url, context);
  }
`;
if (!existsSync(web)) throw new Error(`the page's own modules are missing: ${web}`);
register(`data:text/javascript,${encodeURIComponent(HOOKS)}`);

const { draw } = await import(pathToFileURL(`${folder}/table.js`).href);
const { default: words } = await import(pathToFileURL(`${folder}/words.en.js`).href);
const { nothing } = await import("lit-html");

const HOLLOW = new Set(["br", "hr", "img", "input", "wbr"]);
let scenes = 0;
let buttons = 0;

function say(key, values = {}) {
  if (typeof words[key] !== "string") throw new Error(`no words for ${JSON.stringify(key)}`);
  return words[key].replace(/\{(\w+)\}/g, (_, name) => {
    if (values[name] === undefined || values[name] === null || Number.isNaN(values[name])) throw new Error(`the words ${JSON.stringify(key)} lack ${name}`);
    return String(values[name]);
  });
}

const HOLES = new WeakMap();

/** For each value of a template where it stands: "event", "bare" (a whole attribute), "quoted" (part of one) or "content". */
function holes(strings) {
  if (!HOLES.has(strings)) {
    let tag = null; // the text of the tag that is open, or null
    HOLES.set(strings, strings.slice(0, -1).map((string) => {
      for (const [part] of string.matchAll(/<|>|[^<>]+/g)) tag = part === "<" ? "<" : part === ">" ? null : tag === null ? null : tag + part;
      if (tag === null) return "content";
      if (/\s@[\w-]+=["']?$/.test(tag)) return "event";
      return (tag.split('"').length - 1) % 2 ? "quoted" : "bare";
    }));
  }
  return HOLES.get(strings);
}

/** A template as text. Handlers of events are called. */
function written(value) {
  if (value === nothing || value === null || value === false) return "";
  if (value === undefined || Number.isNaN(value)) throw new Error(`${value} is drawn`);
  if (Array.isArray(value)) return value.map(written).join("");
  if (value?.strings) {
    const where = holes(value.strings);
    return value.strings.map((string, i) => string + (i < where.length ? filled(value.values[i], where[i]) : "")).join("");
  }
  if (typeof value === "object") throw new Error(`an object is drawn: ${JSON.stringify(value)}`);
  return String(value).replace(/[&<>]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[sign] ?? sign);
}

function filled(part, where) {
  if (where === "content") return written(part);
  if (where === "event") {
    if (typeof part === "function") part({ timeStamp: 0, preventDefault() {}, stopPropagation() {} });
    return '"handler"';
  }
  const text = written(part).replaceAll('"', "'");
  return where === "bare" ? `"${text}"` : text;
}

/** Do all tags close in order? */
function balanced(text) {
  const open = [];
  for (const [, closing, name, , selfClosed] of text.matchAll(/<(\/?)([a-zA-Z][\w-]*)((?:"[^"]*"|'[^']*'|[^"'>])*?)(\/?)>/g)) {
    if (closing) {
      const last = open.pop();
      if (last !== name) throw new Error(`</${name}> closes <${last}>`);
    } else if (!selfClosed && !HOLLOW.has(name)) {
      open.push(name);
    }
  }
  if (open.length) throw new Error(`<${open.join("> <")}> is not closed`);
}

function check(scene) {
  const played = [];
  const asked = []; // pieces that cannot be played now may ask why
  const why = (move) => asked.push(move);
  const text = written(draw({ ...scene, moves: new Map(scene.moves), play: (move) => played.push(move), why, say }));
  balanced(text);
  if (/undefined|NaN|\[object/.test(text)) throw new Error(`something unknown is drawn: ${/.{60}(undefined|NaN|\[object).{30}/s.exec(text)?.[0]}`);
  const legal = new Set(scene.moves.map(([move]) => move));
  for (const move of played) if (!legal.has(move)) throw new Error(`a button plays ${move}, which is not legal`);
  const pieces = [...text.matchAll(/<button\b((?:"[^"]*"|'[^']*'|[^"'>])*)>/g)];
  for (const [, inside] of pieces) if (!/aria-label="[^"]+"/.test(inside)) throw new Error(`a button without aria-label: ${inside}`);
  if (pieces.length !== played.length + asked.length) throw new Error(`${pieces.length} buttons do ${played.length + asked.length} things`);
  buttons += pieces.length;
}

for await (const line of createInterface({ input: process.stdin })) {
  if (!line) continue;
  const scene = JSON.parse(line);
  for (const other of [scene, { ...scene, moves: [] }, { ...scene, before: null, last: [], moves: [] }]) {
    try {
      check(other);
    } catch (error) {
      console.error(`${error.stack}\nin ${line.slice(0, 2000)}`);
      process.exit(1);
    }
  }
  scenes += 1;
}
for (const step of words.learn ?? []) {
  if (typeof (step.text ?? step) !== "string") throw new Error(`a step of the guided game is not whole: ${JSON.stringify(step)}`);
}
console.log(JSON.stringify({ scenes, buttons }));
