/**
 * The table of Mage's Dice on a page: a pure function of the scene.
 *
 * The mana pool has a column for each number, because numbers decide where dice go: above a column are the marks of
 * the mages who focus on it. Below it is the battle, if one is on, then each mage's focus die, arsenal and points.
 */
import { html, nothing, svg } from "lit-html";
import { around, nameOf, piece, pips, range, seatMark, sum } from "spellheist/pieces";

const ELEMENTS = ["fire", "water", "earth", "air"];

/** @param {any} scene */
export function draw(scene) {
  // A second name for each motion, by turns, so that it begins again when the same happens twice.
  const odd = (scene.view.actions + sum(scene.view.rolling)) % 2;
  return html`<section class="md-table ${odd ? "md-odd" : ""}">
    ${head(scene)} ${pool(scene)} ${battle(scene)}
    <div class="md-seats md-seats-${scene.seats}">${around(scene).map((seat) => mage(scene, seat))}</div>
  </section>`;
}

function mark(seat) {
  return html`<span class="md-mark">${seatMark(seat)}</span>`;
}

const elementOf = ({ c }, kind) => Math.floor(kind / c.FACES);
const powerOf = ({ c }, kind) => (kind % c.FACES) + 1;

function spell(scene, kind) {
  return scene.say("spell", { element: scene.say(ELEMENTS[elementOf(scene, kind)]), power: powerOf(scene, kind) });
}

/** 'fire 5, air 2': the spells of a row of counts. */
function listed(scene, counts) {
  return range(scene.c.KINDS).flatMap((kind) => range(Math.max(0, counts[kind])).map(() => spell(scene, kind))).join(", ");
}

// Dice.

const SIGNS = [
  svg`<path d="M12 2 C13 7 19 9 19 15 A7 7 0 0 1 5 15 C5 12 7 10 8 7 C9 9 10 10 11 10 C12 8 11 5 12 2 Z"/>`,
  svg`<path d="M12 2 C14 8 19 11 19 15.5 A7 6.5 0 0 1 5 15.5 C5 11 10 8 12 2 Z M9 16 a3.5 3.5 0 0 0 3.5 3.2" fill-rule="evenodd"/>`,
  svg`<path d="M1 21 L9 6 L13 13 L16 9 L23 21 Z"/>`,
  svg`<path d="M2 9 H14 a3 3 0 1 0 -3 -3 M2 13 H19 a3 3 0 1 1 -3 3 M2 17 H10 a2.5 2.5 0 1 1 -2.5 2.5" class="md-stroke"/>`,
];

function sign(element) {
  return html`<svg viewBox="0 0 24 24" class="md-sign md-${ELEMENTS[element]}" aria-hidden="true">${SIGNS[element]}</svg>`;
}

/** A spell die: its element's colour and sign, and its number; 0 is a die that is still rolling. */
function die(element, power, look = "") {
  return html`<svg viewBox="0 0 48 48" class="md-die md-${ELEMENTS[element]} ${look}" aria-hidden="true">
    <rect x="2" y="2" width="44" height="44" rx="10" class="md-body"/>
    <path d="M6 13 a8 8 0 0 1 8 -8 h20" class="md-gleam"/>
    ${power ? svg`<text x="31" y="36" text-anchor="middle" class="md-power">${power}</text>` : nothing}
    <g transform=${power ? "translate(4 5) scale(0.62)" : "translate(9 9) scale(1.25)"} class="md-glyph">${SIGNS[element]}</g>
  </svg>`;
}

/** A focus die: brass, with pips. */
function focusDie(face, look = "") {
  return html`<svg viewBox="0 0 48 48" class="md-focus-die ${look}" aria-hidden="true">
    <rect x="2" y="2" width="44" height="44" rx="11"/>
    ${pips(face, 24, 10, 4.2)}</svg>`;
}

// The line above: round, what opposes what, and the ether box.

function head(scene) {
  const { view, c, say } = scene;
  const done = view.phase === c.SHOW; // then the round that just ended is counted already
  const key = view.turn === c.OVER ? "roundLast" : done ? "roundOver" : view.phase === c.AGAIN ? "roundAgain" : "round";
  const spent = Object.fromEntries(ELEMENTS.map((element, k) => [element, view.ether[k]]));
  return html`<div class="md-head">
    <b>${say(key, { n: done ? view.stage : view.stage + 1 })}</b>
    <span class="md-opposed">${pairs(scene).map(([one, other]) => html`<span>${sign(one)}<i aria-hidden="true">✕</i>${sign(other)}
      <span class="sr">${say(ELEMENTS[one])}, ${say(ELEMENTS[other])};</span></span>`)} <small>${say("opposed")}</small></span>
    <span class="md-ether"><small>${say("ether")}</small>
      <span aria-hidden="true">${ELEMENTS.map((_, k) => html`<span>${sign(k)}${view.ether[k]}</span>`)}</span>
      <span class="sr">${say("etherLong", spent)}</span></span>
  </div>`;
}

/** The elements that oppose each other, as printed. */
function pairs({ cards }) {
  return (cards ?? []).map(({ opposite }, element) => [element, ELEMENTS.indexOf(opposite)]).filter(([one, other]) => one < other);
}

// The pool.

function pool(scene) {
  const { view, c, say } = scene;
  const waiting = sum(view.rolling);
  return html`<div class="md-pool">
    <div class="md-pool-head"><b>${say("pool")}</b> <small>${say("poolOf", { n: sum(view.pool) + waiting })}</small>
      ${scene.moves.has(c.REFRESH) ? piece(scene, c.REFRESH, "md-refresh", html`<svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M19 8 A8 8 0 1 0 20 14 M20 3 V9 H14" class="md-stroke"/></svg> ${say("refresh")}`) : nothing}</div>
    <div class="md-wells">${range(c.FACES).map((i) => well(scene, i + 1))}</div>
    ${waiting ? html`<div class="md-rolling"><small>${say("rolling", { n: waiting })}</small>
      <span aria-hidden="true">${ELEMENTS.flatMap((_, element) =>
        range(view.rolling[element]).map(() => die(element, 0, "md-little md-shake")))}</span></div>` : nothing}
  </div>`;
}

/** The dice of the pool with one number, and whose focus that number is. */
function well(scene, power) {
  const { view, c, say, before } = scene;
  const owners = range(scene.seats).filter((seat) => view.focus[seat] === power);
  const kinds = range(c.ELEMENTS).map((element) => element * c.FACES + power - 1);
  const stirred = (scene.last ?? []).some(({ who, move }) => who >= 0 && move === c.REFRESH); // all of the pool was rolled
  const dice = kinds.flatMap((kind) => range(view.pool[kind]).map((i) => {
    const fresh = before && (stirred || i >= before.pool[kind]);
    return die(elementOf(scene, kind), power, fresh ? "md-tumble" : "");
  }));
  const inPlay = sum(kinds.map((kind) => view.pool[kind] + sum(range(scene.seats).map((seat) => view.arsenal[seat][kind]))));
  const lying = kinds.flatMap((kind) => range(view.pool[kind]).map(() => spell(scene, kind))).join(", ");
  const names = owners.map((seat) => nameOf(scene, seat)).join(", ");
  const told = { n: power, names, dice: say("inPool", { dice: lying || say("nothing") }) };
  return html`<div class="md-well ${owners.length ? "md-owned" : ""} ${owners.includes(scene.seat) ? "md-mine" : ""}">
    <span class="md-well-head" aria-hidden="true"><b>${power}</b>${owners.map((seat) => mark(seat))}</span>
    ${owners.length > 1 ? html`<small class="md-shared" aria-hidden="true">${say("shared")}</small>` : nothing}
    <span class="sr">${say(owners.length ? "wellFocus" : "wellFree", told)}</span>
    <span class="md-stack" aria-hidden="true">${dice}</span>
    <small class="md-in-play">${say("inPlay", { n: inPlay })}</small>
  </div>`;
}

// The battle that is on; or, right after it, the one that was.

/** The spells of the battle by seat, and who attacked: from the view, or from what happened last. */
function spells(scene) {
  const { view, c, before, last } = scene;
  if (range(scene.seats).some((seat) => view.played[seat] !== c.NONE)) return { attacker: view.mage, played: view.played, on: true };
  if (!before || !last?.length) return null;
  let casts = [];
  for (const { who, move } of [...last].reverse()) {
    if (who < 0 || move < c.CAST || casts.some((cast) => cast.who === who)) break;
    casts.unshift({ who, move });
  }
  if (!casts.length) return null;
  const ran = before.phase === c.DEFEND;
  if (before.phase === c.ACT && casts[casts.length - 1].who === before.mage) casts = casts.slice(-1); // nobody could answer
  const played = range(scene.seats).map((seat) => before.played[seat]);
  for (const { who, move } of casts) if (who < scene.seats) played[who] = move - c.CAST;
  return { attacker: ran ? before.mage : casts[0].who, played, on: false };
}

function battle(scene) {
  const { c, say, last } = scene;
  const fight = spells(scene);
  if (!fight) return nothing;
  const attack = fight.played[fight.attacker] ?? c.NONE;
  if (attack === c.NONE) return nothing;
  const order = range(scene.seats).map((step) => (fight.attacker + step) % scene.seats);
  const news = (last ?? []).filter(({ who }) => who >= 0).at(-1)?.sentence ?? "";
  return html`<div class="md-battle ${fight.on ? "md-on" : "md-past"}"><h3>${say(fight.on ? "battle" : "battleOver")}</h3>
    <div class="md-duel">${order.map((seat) => fighter(scene, fight, seat))}</div>
    <p class="md-news">${fight.on ? hint(scene, attack) : news}</p></div>`;
}

/** A mage in the battle: the spell that was cast, or the place where it is missing. */
function fighter(scene, { attacker, played, on }, seat) {
  const { view, c, say, before } = scene;
  const kind = played[seat] ?? c.NONE;
  const cast = kind !== c.NONE;
  const asked = on && !cast && sum(view.arsenal[seat]) > 0;
  const fresh = cast && before && before.played[seat] !== kind;
  const does = seat === attacker ? "attacks" : cast ? "answers" : asked ? "waits" : "nothingLeft";
  return html`<figure class="${seat === attacker ? "md-attack" : "md-answer"} ${asked && view.turn === seat ? "md-asked" : ""}">
    ${cast
      ? die(elementOf(scene, kind), powerOf(scene, kind), `md-big ${fresh ? "md-thrown" : ""}`)
      : html`<span class="md-slot md-big" aria-hidden="true">${asked ? "?" : "–"}</span>`}
    <figcaption>${mark(seat)} ${nameOf(scene, seat)}<small>${say(does)}</small>
      ${cast ? html`<span class="sr">${spell(scene, kind)}</span>` : nothing}</figcaption></figure>
    ${seat === attacker ? html`<span class="md-versus" aria-hidden="true">⚔</span>` : nothing}`;
}

/** What stops an attack. */
function hint(scene, attack) {
  const opposite = scene.cards?.[elementOf(scene, attack)]?.opposite;
  if (!opposite) return nothing;
  const told = { element: scene.say(opposite), power: powerOf(scene, attack) };
  return html`${sign(ELEMENTS.indexOf(opposite))} ${scene.say("stopped", told)}`;
}

// The mages.

function mage(scene, seat) {
  const { view, c, say } = scene;
  const mine = seat === scene.seat;
  const over = view.turn === c.OVER;
  const rolls = [c.REFRESHING, c.REFOCUSING, c.CLASH].includes(view.phase) && seat === view.mage;
  const acts = !over && (view.turn === seat || rolls);
  const won = over && scene.score && scene.score[seat] > 0;
  const told = { name: nameOf(scene, seat), points: view.points[seat], target: view.target, focus: view.focus[seat] || say("noFocus"),
    dice: listed(scene, view.arsenal[seat]) || say("noSpells") };
  return html`<article class="md-mage md-seat-${seat} ${acts ? "md-acts" : ""} ${won ? "md-winner" : ""}">
    <header>${mark(seat)}<b class="md-name">${nameOf(scene, seat)}</b>${mine ? html`<small class="md-tag">${say("you")}</small>` : nothing}
      ${acts ? html`<small class="md-tag md-tag-turn">${say(view.phase === c.DEFEND ? "mustAnswer" : "turnOf")}</small>` : nothing}</header>
    <span class="sr">${say("person", told)}</span>
    ${track(scene, seat)}
    <div class="md-gear">${focus(scene, seat)}${arsenal(scene, seat)}</div>
  </article>`;
}

/** The own pieces are for the own moves, those of the others only to see. */
function playable(scene, seat) {
  return seat === scene.seat ? scene : { ...scene, moves: new Map() };
}

function focus(scene, seat) {
  const { view, c, say, before } = scene;
  const own = playable(scene, seat);
  const rolls = (view.phase === c.REFOCUSING && view.mage === seat) || (view.phase === c.FOCUS_DICE && !view.focus[seat]);
  const fresh = before && before.focus[seat] !== view.focus[seat];
  const shown = focusDie(rolls ? 0 : view.focus[seat], rolls ? "md-shake" : fresh ? "md-tumble" : "");
  return html`<div class="md-focus">${piece(own, c.REFOCUS, "md-focus-piece", html`${shown}
    <small>${say(own.moves.has(c.REFOCUS) ? "refocus" : "focus")}</small>`)}</div>`;
}

function arsenal(scene, seat) {
  const { view, c, say, before } = scene;
  const own = playable(scene, seat);
  const kinds = range(c.KINDS).filter((kind) => view.arsenal[seat][kind] > 0);
  const casts = kinds.some((kind) => own.moves.has(c.CAST + kind));
  const shared = view.focus[seat] && range(scene.seats).some((other) => other !== seat && view.focus[other] === view.focus[seat]);
  const dice = kinds.flatMap((kind) => range(view.arsenal[seat][kind]).map((i) => {
    const fresh = before && i >= before.arsenal[seat][kind];
    return piece(own, c.CAST + kind, "md-spell", die(elementOf(scene, kind), powerOf(scene, kind), fresh ? "md-gained" : ""));
  }));
  return html`<div class="md-arsenal">
    ${casts ? html`<small class="md-call">${say(view.phase === c.DEFEND ? "answerNow" : "cast")}</small>` : nothing}
    <div class="md-dice">${dice.length ? dice : html`<small class="md-none">${say("noSpells")}</small>`}</div>
    ${shared ? html`<small class="md-sharing">${say("sharedLong")}</small>` : nothing}</div>`;
}

/** Points: a star for each up to ten, else the number. */
function track(scene, seat) {
  const { view, say, before } = scene;
  const points = view.points[seat];
  const look = (i) => (i >= points ? "" : before && i >= before.points[seat] ? "md-won md-fresh" : "md-won");
  return html`<div class="md-points" aria-hidden="true"><b>${say("points", { n: points, target: view.target })}</b>
    ${view.target <= 10 ? html`<span class="md-stars">${range(view.target).map((i) => star(look(i)))}</span>` : nothing}
    ${view.gain[seat] ? html`<small>${say("gain", { n: view.gain[seat] })}</small>` : nothing}</div>`;
}

function star(look) {
  return html`<svg viewBox="0 0 24 24" class="md-star ${look}">
    <path d="M12 2 L14.8 9 L22 9.5 L16.5 14.2 L18.3 21.5 L12 17.5 L5.7 21.5 L7.5 14.2 L2 9.5 L9.2 9 Z"/></svg>`;
}
