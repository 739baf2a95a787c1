/**
 * Where the reader is: which page an address shows, moving between pages without loading anew, and drawing the page
 * again when something has changed. A page is an object with `title` and `draw`; it may also `leave`, hear keys, and be
 * told when it was `drawn`.
 *
 * @typedef {{title: () => string, draw: () => unknown, leave?: () => void, key?: (event: KeyboardEvent) => void,
 *   turn?: () => boolean, drawn?: () => void, wide?: boolean}} Page
 * @typedef {(...parts: string[]) => Page} Opener
 */

import { say } from "./words.js";

/** @type {[RegExp, Opener][]} */
let routes = [];
/** @type {Page | null} */
let page = null;
/** @type {(page: Page) => void} */
let draw = () => {};
let drawing = false;
let opened = "";

/** Draws the page soon: once, however often it is asked for. */
export function redraw() {
  if (drawing) return;
  drawing = true;
  queueMicrotask(() => {
    drawing = false;
    if (page) show(page);
  });
}

/** @param {Page} now */
function show(now) {
  draw(now);
  now.drawn?.();
  const turn = now.turn?.() ?? false;
  document.title = `${turn ? `● ${say("title_turn")} · ` : ""}${now.title()} · ${say("product")}`;
  const icon = /** @type {HTMLLinkElement | null} */ (document.getElementById("favicon"));
  const wanted = new URL(turn ? "./favicon_turn.svg" : "./favicon.svg", import.meta.url).pathname;
  if (icon && icon.getAttribute("href") !== wanted) icon.href = wanted;
}

/** Opens the page of the present address. */
function open() {
  page?.leave?.();
  const path = location.pathname;
  opened = path + location.search;
  for (const [pattern, opener] of routes) {
    const match = pattern.exec(path);
    if (!match) continue;
    page = opener(...match.slice(1).map(decodeURIComponent));
    show(page);
    return;
  }
}

/**
 * Goes to another address of this site.
 * @param {string} path
 * @param {{replace?: boolean, state?: any}} [how]
 */
export function go(path, { replace = false, state = null } = {}) {
  if (replace) history.replaceState(state, "", path);
  else history.pushState(state, "", path);
  open();
  const anchor = location.hash && document.getElementById(location.hash.slice(1));
  if (!anchor) scrollTo(0, 0);
  document.getElementById("main")?.focus({ preventScroll: true });
}

/** @param {MouseEvent} event a click on a link inside the site goes there without loading anew */
function follow(event) {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
  if (!routes.some(([pattern]) => pattern.test(link.pathname))) return;
  if (link.hash && link.pathname === location.pathname) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}

/**
 * @param {[RegExp, Opener][]} all
 * @param {(page: Page) => void} drawPage
 */
export function begin(all, drawPage) {
  routes = all;
  draw = drawPage;
  addEventListener("popstate", () => {
    if (location.pathname + location.search !== opened) open(); // otherwise only the anchor has changed
  });
  addEventListener("click", follow);
  addEventListener("keydown", (event) => page?.key?.(event));
  open();
}
