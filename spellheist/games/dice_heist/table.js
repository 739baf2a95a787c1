/**
 * The table of Dice Heist on a page: a pure function of the scene.
 *
 * Above, the deck, the free sidekicks and the dice of the heist; then the four museums with what lies in them;
 * then everybody's loot. What a museum needs, and how likely that is, comes printed with `scene.cards`.
 */
import { html, nothing, svg } from "lit-html";
import { around, nameOf, piece, pips, range, seatMark, sum } from "spellheist/pieces";
import { facade } from "./museums.js";

/** @param {any} scene */
export function draw(scene) {
  // A second name for each motion, by turns, so that it begins again when the same happens twice.
  const odd = (scene.view.turns + sum(scene.view.left)) % 2;
  return html`<section class="dh-table ${odd ? "dh-odd" : ""}">
    ${strip(scene)} ${tray(scene)}
    <div class="dh-museums">${range(scene.c.MUSEUMS).map((museum) => house(scene, museum))}</div>
    <div class="dh-seats dh-seats-${scene.seats}">${around(scene).map((seat) => person(scene, seat))}</div>
  </section>`;
}

function mark(seat) {
  return html`<span class="dh-mark">${seatMark(seat)}</span>`;
}

// The strip above: turn, deck, and the sidekicks that nobody has.

function strip(scene) {
  const { view, c, say } = scene;
  const left = sum(view.left);
  const free = scene.moves.has(c.RECRUIT);
  return html`<div class="dh-strip">
    <div class="dh-deck" title=${say("deckLeft", { n: left })}>
      <svg viewBox="0 0 44 56" aria-hidden="true" class="dh-back">${back(left)}</svg>
      <span><b>${left}</b><small>${say("deck")}</small></span>
      <span class="sr">${say("deckLeft", { n: left })}</span>
    </div>
    ${piece(scene, c.RECRUIT, "dh-supply", html`
      <span class="dh-pips" aria-hidden="true">${range(c.SIDEKICKS).map((i) => die(i < view.supply ? 0 : -1, "dh-small"))}</span>
      <span class="dh-supply-words">${free ? html`<b>${say("recruit")}</b>` : html`<small>${say("supply")}</small>`}
        <small>${view.supply ? say("supplyLeft", { n: view.supply, all: c.SIDEKICKS }) : say("supplyEmpty")}</small></span>`,
      view.phase === c.ACT ? say("whyNotRecruit") : "")}
    <div class="dh-turn"><small>${say("turn", { n: view.turn === c.OVER ? view.turns : view.turns + 1 })}</small></div>
  </div>`;
}

/** The deck: thick while many cards are left, and a hole after the last. */
function back(left) {
  if (!left) return svg`<rect x="4" y="4" width="36" height="48" rx="5" class="dh-hole"/>`;
  return svg`${left > 8 ? svg`<rect x="1" y="7" width="36" height="48" rx="5" class="dh-back-edge"/>` : nothing}
    ${left > 1 ? svg`<rect x="3" y="5" width="36" height="48" rx="5" class="dh-back-edge"/>` : nothing}
    <rect x="5" y="3" width="36" height="48" rx="5" class="dh-back-face"/>
    <path d="M23 14 L33 27 L23 40 L13 27 Z M23 20 L28.5 27 L23 34 L17.5 27 Z" class="dh-back-sign"/>`;
}

// Dice. 0 is a die that waits, with a mask on it, -1 the place of one that is elsewhere.

function die(face, look = "") {
  return html`<svg viewBox="0 0 40 40" class="dh-die ${look} ${face < 0 ? "dh-gone" : ""}" aria-hidden="true">
    <rect x="2" y="2" width="36" height="36" rx="8"/>
    ${face === 0 ? svg`<path d="M7 15 Q20 9 33 15 Q34 27 27 26 Q22 25 20 21 Q18 25 13 26 Q6 27 7 15 Z" class="dh-mask"/>` : nothing}
    ${pips(face, 20, 9, 3.7)}
  </svg>`;
}

// The heist that is on, or was the last one; before the game, the rolls for the start.

function tray(scene) {
  const { view, c, say } = scene;
  if (view.phase === c.START) {
    return html`<div class="dh-tray"><h3>${say("start")}</h3><div class="dh-dice">${range(scene.seats).map((seat) => {
      const face = view.opening[seat];
      const fresh = scene.before && scene.before.opening[seat] !== face && face;
      return html`<figure class="${face < 0 ? "dh-beaten" : ""} ${seat === view.thief ? "dh-next" : ""}">
        ${die(Math.abs(face), `dh-thief ${fresh ? "dh-tumble" : ""}`)}
        <figcaption>${mark(seat)} ${nameOf(scene, seat)}<span class="sr"> ${Math.abs(face) || ""}</span></figcaption></figure>`;
    })}</div></div>`;
  }
  if (view.target === c.NONE) return nothing;
  const on = view.phase === c.SEND || view.phase === c.ROLL;
  const thief = on || view.turn === c.OVER ? view.thief : (view.thief + scene.seats - 1) % scene.seats;
  const raid = view.target >= c.RAID;
  const museum = raid ? view.kind_museum[view.target - c.RAID] : view.target - c.HEIST;
  const face = printed(scene, museum, raid ? "raid" : "heist").face;
  const dice = view.dice.filter((value) => value !== c.NO_DIE);
  const values = { name: nameOf(scene, thief), museum: museumName(scene, museum), thing: raid ? thing(scene, view.target - c.RAID) : "" };
  const done = dice.length > 0 && !dice.includes(c.TO_ROLL);
  const won = done && dice.some((value) => value >= face);
  return html`<div class="dh-tray ${on ? "dh-on" : "dh-past"} ${done ? (won ? "dh-won" : "dh-lost") : ""}">
    <h3>${mark(thief)} ${say(raid ? "planRaid" : "plan", values)}</h3>
    <p class="dh-need">${say(face === c.FACES ? "needSix" : "need", { face })}</p>
    ${view.phase === c.SEND
      ? choices(scene, museum, raid)
      : html`<div class="dh-dice">${dice.map((value, i) => rolled(scene, value, i, face, on))}</div>`}
    ${done ? html`<p class="dh-result">${say(won ? "won" : "lost")}</p>` : nothing}
  </div>`;
}

function rolled(scene, value, i, face, on) {
  const { c, before, say } = scene;
  const waits = value === c.TO_ROLL;
  const fresh = !waits && before && (before.dice[i] !== value || before.target !== scene.view.target);
  const hit = !waits && value >= face;
  return html`<figure class=${hit ? "dh-hit" : ""}>
    ${die(waits ? 0 : value, `${i ? "" : "dh-thief"} ${waits && on ? "dh-shake" : ""} ${fresh ? "dh-tumble" : ""}`)}
    <figcaption>${say(i ? "sidekick" : "thief")}<span class="sr"> ${waits ? say("rolling") : value}</span>
      ${hit ? html`<span aria-hidden="true">✓</span>` : nothing}</figcaption>
  </figure>`;
}

/** How many go along: each choice with its dice and its chance. */
function choices(scene, museum, raid) {
  const { view, c, say } = scene;
  const chances = printed(scene, museum, raid ? "raid" : "heist").chances;
  const asked = scene.moves.has(c.JOIN);
  const most = view.sidekicks[view.thief];
  return html`<p class="dh-hint"><b>${say("send")}</b> ${asked ? say("sendHint") : nothing}</p>
    <div class="dh-choices">${range(most + 1).map((n) => piece(scene, c.JOIN + n, "dh-choice", html`
      <span class="dh-pips" aria-hidden="true">${die(0, "dh-small dh-thief")}${range(n).map(() => die(0, "dh-small"))}</span>
      <b>${say("percent", { n: chances[n] })}</b>
      <small>${n ? say("with", { n }) : say("alone")}</small>`))}</div>`;
}

// Museums.

function museumName(scene, museum) {
  return scene.cards?.[museum]?.name ?? "";
}

/** The face that a heist or raid needs and its chances by sidekicks, as printed. */
function printed(scene, museum, what) {
  return scene.cards?.[museum]?.[what] ?? { face: scene.c.FACES, chances: range(scene.c.DICE).map(() => "?") };
}

function house(scene, museum) {
  const { view, c, say } = scene;
  const lying = shelf(scene, view.shown, museum), coming = shelf(scene, view.left, museum);
  const things = lying.flatMap((kind) => range(view.shown[kind]).map(() => thing(scene, kind))).join(", ");
  return html`<article class="dh-museum ${aimedAt(scene) === museum ? "dh-target" : ""} ${lying.length ? "" : "dh-bare"}">
    ${front(scene, museum, lying.length > 0)}
    ${view.turn === c.OVER ? nothing : odds(scene, museum)}
    <div class="dh-loot"><span class="sr">${say("lies", { things: things || say("nothing") })}</span>
      ${lying.length
        ? lying.flatMap((kind) => exhibits(scene, kind))
        : html`<p class="dh-empty">${say(coming.length ? "empty" : "bare")}</p>`}</div>
    <p class="dh-coming"><small>${say("coming")}</small>
      ${coming.length ? coming.map((kind) => toCome(scene, kind)) : html`<small>${say("nothing")}</small>`}</p>
  </article>`;
}

/** The museum that the heist or raid under way is for, or NONE. */
function aimedAt({ view, c }) {
  if (view.phase !== c.SEND && view.phase !== c.ROLL) return c.NONE;
  return view.target < c.RAID ? view.target - c.HEIST : view.kind_museum[view.target - c.RAID];
}

/** The house itself, its name and the rolls that open it: this is what one presses to rob it. */
function front(scene, museum, lit) {
  const { view, c, say } = scene;
  const { face } = printed(scene, museum, "heist");
  const missed = view.phase === c.ACT ? say("whyNotRob", { museum: museumName(scene, museum) }) : "";
  return piece(scene, c.HEIST + museum, "dh-front", html`${facade(museum, lit)}
    <span class="dh-plate"><b>${museumName(scene, museum)}</b>
      <span class="dh-level"><small>${say("level", { n: scene.cards?.[museum]?.level ?? "?" })}</small>
        <span class="dh-faces" aria-hidden="true">${range(c.FACES).map((i) =>
          die(i + 1, `dh-tiny ${i + 1 >= face ? "dh-good" : "dh-bad"}`))}</span></span></span>
    ${scene.moves.has(c.HEIST + museum) ? html`<span class="dh-rob">${say("rob")}</span>` : nothing}`, missed);
}

/** A kind of card that is still in the deck, and how many. */
function toCome(scene, kind) {
  const n = scene.view.left[kind];
  return html`<span class="dh-chip">${icon(scene, kind, "dh-icon")}${n > 1 ? html`<small>×${n}</small>` : nothing}
    <span class="sr">${thing(scene, kind)}</span></span>`;
}

/** The chance alone and with each number of sidekicks that the own seat (or whose turn it is) has. */
function odds(scene, museum) {
  const { view, say } = scene;
  const seat = scene.seat ?? view.thief;
  const most = view.sidekicks[seat] ?? 0;
  const joined = [...new Set([0, 1, 2, most])].filter((n) => n <= most);
  const row = ({ chances }) => html`<ul>${joined.map((n) => html`<li>
    <span class="sr">${say(n ? "chanceWith" : "chanceLong", { n: chances[n], joined: n })}</span>
    <span aria-hidden="true"><small>${n ? say("with", { n }) : say("alone")}</small>
      <b>${say("percent", { n: chances[n] })}</b></span></li>`)}</ul>`;
  return html`<div class="dh-odds">
    <small>${scene.seat === null ? say("chanceOf", { name: nameOf(scene, seat) }) : say("chance")}</small>
    ${row(printed(scene, museum, "heist"))}
    ${view.targeted_raid ? html`<small>${say("raid")}</small>${row(printed(scene, museum, "raid"))}` : nothing}</div>`;
}

/** The kinds of one museum that there are any of, paintings first. */
function shelf({ view, c }, counts, museum) {
  const order = [c.PAINTING, c.RED, c.GREEN, c.BLUE, c.ARTIFACT];
  return range(c.KINDS).filter((kind) => counts[kind] > 0 && view.kind_museum[kind] === museum)
    .sort((a, b) => order.indexOf(view.kind_what[a]) - order.indexOf(view.kind_what[b]) || view.kind_worth[b] - view.kind_worth[a]);
}

function thing({ view, c, say }, kind) {
  const what = view.kind_what[kind];
  if (what === c.PAINTING) return say("painting", { worth: view.kind_worth[kind] });
  if (what === c.ARTIFACT) return say(view.kind_worth[kind] === c.MINOR ? "artifact" : "artifacts");
  return say(what === c.RED ? "red" : what === c.GREEN ? "green" : "blue");
}

/** The cards of one kind that lie open; with raids each can be the target. */
function exhibits(scene, kind) {
  const { view, c, before } = scene;
  const fresh = before ? Math.max(0, view.shown[kind] - before.shown[kind]) : 0;
  const count = view.shown[kind];
  const aimed = view.target === c.RAID + kind && (view.phase === c.SEND || view.phase === c.ROLL);
  return range(count).map((i) => piece(scene, c.RAID + kind,
    `dh-exhibit ${i >= count - fresh ? "dh-new" : ""} ${aimed && i === 0 ? "dh-aimed" : ""}`, icon(scene, kind, "dh-card")));
}

// What is on the cards.

function icon({ view, c, say }, kind, look) {
  const what = view.kind_what[kind], worth = view.kind_worth[kind];
  if (what === c.PAINTING) return painting(worth, look);
  if (what === c.ARTIFACT) return worth === c.MINOR ? artifact(look) : artifacts(look);
  return gem(what === c.RED ? "red" : what === c.GREEN ? "green" : "blue", look);
}

/** A framed landscape: the hour of the day and the hills follow from its value, which is on the plate. */
function painting(worth, look) {
  const k = worth % 7, sun = 14 + (worth * 7) % 22, hill = 24 + (worth * 3) % 9;
  return html`<svg viewBox="0 0 48 56" class="dh-painting ${look}" aria-hidden="true">
    <rect x="1.5" y="1.5" width="45" height="53" rx="3" class="dh-frame"/>
    <rect x="6" y="6" width="36" height="30" class="dh-sky dh-sky-${k % 4}"/>
    <circle cx=${sun} cy=${13 + k} r="4.5" class="dh-sun"/>
    <path d="M6 ${hill} Q ${12 + k} ${hill - 9} 23 ${hill} T 42 ${hill - 3} V36 H6 Z" class="dh-hill"/>
    <path d="M6 ${hill + 6} Q ${18 + k} ${hill - 1} 30 ${hill + 5} T 42 ${hill + 3} V36 H6 Z" class="dh-field"/>
    <rect x="9" y="38" width="30" height="14" rx="2" class="dh-plate-of"/>
    <text x="24" y="49.5" text-anchor="middle" class="dh-worth">${worth}</text>
  </svg>`;
}

/** Outline and facets of each gem: a ruby is round, an emerald has corners, a sapphire is a drop. */
const CUTS = {
  red: [
    "M24 8 L35 13 L40 24 L35 37 L24 44 L13 37 L8 24 L13 13 Z",
    "M24 15 L31 18 L33 25 L30 32 L24 36 L18 32 L15 25 L17 18 Z M24 8 V15 M35 13 L31 18 M40 24 L33 25"
      + "M35 37 L30 32 M24 44 V36 M13 37 L18 32 M8 24 L15 25 M13 13 L17 18",
  ],
  green: [
    "M15 7 H33 L40 14 V38 L33 45 H15 L8 38 V14 Z",
    "M18 14 H30 L33 17 V35 L30 38 H18 L15 35 V17 Z M15 7 L18 14 M33 7 L30 14 M40 14 L33 17"
      + "M40 38 L33 35 M33 45 L30 38 M15 45 L18 38 M8 38 L15 35 M8 14 L15 17",
  ],
  blue: [
    "M24 5 C27 14 40 22 40 32 A16 14 0 0 1 8 32 C8 22 21 14 24 5 Z",
    "M24 17 L33 30 L24 39 L15 30 Z M24 5 V17 M40 31 L33 30 M24 46 V39 M8 31 L15 30",
  ],
};

function gem(colour, look) {
  const [outline, cut] = CUTS[colour];
  return html`<svg viewBox="0 0 48 52" class="dh-gem dh-${colour} ${look}" aria-hidden="true">
    <path d=${outline} class="dh-stone"/><path d=${cut} class="dh-cut"/><path d="M16 18 L20 13" class="dh-shine"/></svg>`;
}

const vase = svg`<path d="M17 8 H31 V12 L29 15 C40 21 39 34 30 42 V46 H18 V42 C9 34 8 21 19 15 L17 12 Z" class="dh-clay"/>
  <path d="M11.5 26 H36.5 M12.5 31 H35.5 M14 28.5 l2.5 -2 2.5 2 2.5 -2 2.5 2 2.5 -2 2.5 2 2.5 -2 2.5 2" class="dh-band"/>`;

function artifact(look) {
  return html`<svg viewBox="0 0 48 52" class="dh-artifact ${look}" aria-hidden="true">${vase}</svg>`;
}

function artifacts(look) {
  return html`<svg viewBox="0 0 76 52" class="dh-artifact dh-two ${look}" aria-hidden="true">${vase}
    <path d="M56 8 C66 8 71 14 70 24 C69 36 62 45 56 46 C50 45 43 36 42 24 C41 14 46 8 56 8 Z" class="dh-clay"/>
    <path d="M47 23 q4 -4 7 0 M58 23 q4 -4 7 0 M56 25 v8 M51 38 h10" class="dh-band"/></svg>`;
}

// Everybody's loot.

function person(scene, seat) {
  const { view, c, say, before } = scene;
  const over = view.turn === c.OVER;
  const covered = seat !== scene.seat && !over; // DH-s2: piles of artifacts lie face down
  const has = loot(scene, seat);
  const points = has.gems.reduce((all, [, n]) => all + stack(n), has.bonus) + (covered ? 0 : has.artifacts);
  const signed = points < 0 ? say("below", { n: -points }) : points;
  const shown = covered && has.pile ? say("pointsAnd", { n: signed }) : signed;
  const acts = !over && seat === view.thief && view.phase !== c.START;
  const gained = before && sum(before.stolen[seat]) < sum(view.stolen[seat]);
  const won = over && scene.score && scene.score[seat] > 0;
  const [red, green, blue] = has.gems.map(([, n]) => n);
  const told = { name: nameOf(scene, seat), points: shown, sidekicks: view.sidekicks[seat], paintings: has.paintings, red, green, blue,
    artifacts: covered ? say("faceDown", { n: has.pile }) : has.artifacts };
  return html`<article class="dh-person dh-seat-${seat} ${acts ? "dh-acts" : ""} ${gained ? "dh-gained" : ""} ${won ? "dh-winner" : ""}">
    <header>${mark(seat)}<b class="dh-name">${nameOf(scene, seat)}</b>
      ${seat === scene.seat ? html`<small class="dh-tag">${say("you")}</small>` : nothing}
      ${acts ? html`<small class="dh-tag dh-tag-turn"><span aria-hidden="true">▶</span>
        <span class="sr">${say("turnOf")}</span></small>` : nothing}
      <span class="dh-points"><b>${shown}</b> <small>${say("points")}</small></span></header>
    <span class="sr">${say("pointsSoFar", told)}</span>
    ${crew(scene, seat)}
    <dl class="dh-has" aria-hidden="true">
      <div class="dh-row"><dt>${painting(has.paintings, "dh-icon")}</dt>
        <dd><b>${has.paintings}</b> ${bonusWords(scene, has.bonus)}</dd></div>
      ${has.gems.filter(([, n]) => n).map(([colour, n]) => html`<div class="dh-row"><dt>${gem(colour, "dh-icon")}</dt>
        <dd><b>×${n}</b> <small>= ${stack(n)}</small></dd></div>`)}
      ${has.pile ? html`<div class="dh-row"><dt>${artifact("dh-icon")}</dt><dd>${covered
        ? html`<small>${say("faceDown", { n: has.pile })}</small>`
        : html`<b>×${has.artifacts}</b> <small>= ${has.artifacts}</small>`}</dd></div>` : nothing}
    </dl>
  </article>`;
}

/** A thief and the sidekicks; when the supply is empty, one may be taken from here. */
function crew(scene, seat) {
  const { view, c, say, before } = scene;
  const n = view.sidekicks[seat];
  const look = (i) => `dh-small ${before && i >= before.sidekicks[seat] ? "dh-new" : ""}`;
  return piece(scene, c.TAKE_FROM + seat, "dh-crew", html`
    <span class="dh-pips" aria-hidden="true">${die(0, "dh-small dh-thief")}${range(n).map((i) => die(0, look(i)))}</span>
    ${scene.moves.has(c.TAKE_FROM + seat)
      ? html`<b>${say("take")}</b>`
      : html`<small>${say(n === 1 ? "crewOne" : "crew", { n })}</small>`}`);
}

/** What a seat has: gems by colour, cards in the pile and artifacts on them, the total of paintings and what it scores now (DH-9). */
function loot(scene, seat) {
  const { c } = scene;
  const totals = range(scene.seats).map((other) => total(scene, other, c.PAINTING));
  const highest = totals[seat] === Math.max(...totals), lowest = totals[seat] === Math.min(...totals);
  return {
    gems: [["red", c.RED], ["green", c.GREEN], ["blue", c.BLUE]].map(([colour, what]) => [colour, cards(scene, seat, what)]),
    pile: cards(scene, seat, c.ARTIFACT),
    artifacts: total(scene, seat, c.ARTIFACT),
    paintings: totals[seat],
    bonus: (highest ? c.BONUS : 0) - (lowest ? c.MALUS : 0),
  };
}

function bonusWords({ c, say }, bonus) {
  if (!bonus) return nothing;
  const words = bonus === c.BONUS ? say("most", { n: c.BONUS })
    : bonus < 0 ? say("least", { n: c.MALUS }) : say("both", { more: c.BONUS, less: c.MALUS });
  return html`<small class="dh-bonus ${bonus > 0 ? "dh-plus" : "dh-minus"}">${words}</small>`;
}

/** What so many gems of a colour are worth: 1 and 2 and 3 and so on. */
function stack(n) {
  return (n * (n + 1)) / 2;
}

function kindsOf({ view, c }, what) {
  return range(c.KINDS).filter((kind) => view.kind_what[kind] === what);
}

function cards(scene, seat, what) {
  return sum(kindsOf(scene, what).map((kind) => scene.view.stolen[seat][kind]));
}

function total(scene, seat, what) {
  return sum(kindsOf(scene, what).map((kind) => scene.view.stolen[seat][kind] * scene.view.kind_worth[kind]));
}
