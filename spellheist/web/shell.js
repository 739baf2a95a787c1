/** The shell: what stands around every page, and which page each address shows. */

import { html, render } from "lit-html";
import { lobby } from "./pages/lobby.js";
import { lost } from "./pages/not_found.js";
import { mePage } from "./pages/me.js";
import { newTablePage } from "./new_table/page.js";
import { begin, redraw } from "./router.js";
import { learnPage, rulesPage } from "./pages/rules.js";
import { change, settings, show } from "./settings.js";
import { settingsPage } from "./pages/settings_page.js";
import { sound } from "./sound.js";
import { tablePage } from "./table/page.js";
import { say } from "./words.js";

/** @type {[RegExp, import("./router.js").Opener][]} */
const ROUTES = [
  [/^\/$/, lobby],
  [/^\/mine$/, lobby],
  [/^\/new\/(\w+)$/, newTablePage],
  [/^\/t\/([\w-]+)$/, tablePage],
  [/^\/replay\/([\w-]+)$/, tablePage],
  [/^\/rules\/(\w+)$/, rulesPage],
  [/^\/learn\/(\w+)$/, learnPage],
  [/^\/settings$/, settingsPage],
  [/^\/me$/, mePage],
  [/^\/me\/([\w-]+)$/, mePage],
  [/^\/(?!api\/|static\/|me\/|ws\/|metrics$|healthz$).*/, lost],
];

function toggleSound() {
  change({ sound: !settings.sound });
  sound("turn");
  redraw();
}

/** @param {import("./router.js").Page} page */
function frame(page) {
  return html` <a class="skip" href="#main">${say("skip")}</a>
    <header class="top">
      <a class="brand" href="/" aria-label="${say("product")}: ${say("home")}">
        <img src=${new URL("./favicon.svg", import.meta.url).pathname} alt="" width="34" height="34" /><span
          >${say("product")}</span
        ></a
      >
      <nav aria-label=${say("product")}>
        <button
          class="button plain small icon"
          aria-pressed=${settings.sound ? "true" : "false"}
          aria-label=${say("settings_sound")}
          @click=${toggleSound}
        >
          <svg
            viewBox="0 0 24 24"
            width="22"
            height="22"
            aria-hidden="true"
            fill="none"
            stroke="currentColor"
            stroke-width="2"
            stroke-linecap="round"
          >
            <path d="M4 9.500v5h3.500L12 19V5L7.5 9.500z" fill="currentColor" stroke-linejoin="round" />
            <path
              d=${settings.sound ? "M15.5 9a4.2 4.2 0 0 1 0 6M18 6.500a8 8 0 0 1 0 11" : "M16 9.500l5 5M21 9.500l-5 5"}
            />
          </svg>
        </button>
        <a class="button plain small" href="/settings">${say("settings")}</a>
      </nav>
    </header>
    <main id="main" tabindex="-1" class=${page.wide ? "wide-page" : ""}>${page.draw()}</main>
    <footer class="bottom"><p>${say("footer")}</p></footer>`;
}

show();
const root = /** @type {HTMLElement} */ (document.getElementById("page"));
root.replaceChildren();
begin(ROUTES, (page) => render(frame(page), root));
