/**
 * The table of Spellcaster on a page: a pure function of the scene.
 *
 * The rivals are above, the own side below, the four piles between them: a top card lies towards the side that it
 * works for. What is printed on the cards comes with `scene.cards`; a set of cards is a row of masks, as in the rules.
 */
import { html, nothing, svg } from "lit-html";
import { cardBack, nameOf, piece, range, seatMark } from "spellheist/pieces";

const COLOURS = ["red", "yellow", "blue", "green"];
const BACKS = 8; // so many backs of a hand are drawn
const TRACK = 20; // so many crystals of energy

const has = ({ c }, masks, card) => ((masks[Math.floor(card / c.EACH)] >> card % c.EACH) & 1) === 1;
const cardsIn = (scene, masks) => range(scene.c.CARDS).filter((card) => has(scene, masks, card));

/** @param {any} scene */
export function draw(scene) {
  const { view } = scene;
  const mine = scene.seat === null ? 0 : scene.sides[scene.seat];
  // A second name for each motion, by turns, so that it begins again when the same happens twice.
  const odd = (view.turns + view.left + view.actions + view.step + view.count) % 2;
  return html`<section class="sc-table ${odd ? "sc-odd" : ""}">
    ${side(scene, 1 - mine, mine)}
    <div class="sc-middle">
      ${stock(scene)}
      <div class="sc-piles">${range(scene.c.COLOURS).map((colour) => pile(scene, colour, mine))}</div>
    </div>
    ${ask(scene)} ${side(scene, mine, mine)} ${scene.seat === null ? nothing : ownHand(scene)}
  </section>`;
}

function seatsOf(scene, which) {
  return range(scene.seats).filter((seat) => scene.sides[seat] === which);
}

function sideNames(scene, which) {
  const team = seatsOf(scene, which).map((seat) => nameOf(scene, seat));
  return team.length > 1 ? scene.say("and", { one: team[0], other: team[1] }) : team[0] ?? "";
}

// Cards.

/** What is printed on a card. */
function printed(scene, card) {
  const colour = COLOURS[Math.floor(card / scene.c.EACH)] ?? COLOURS[0];
  return scene.cards?.[card] ?? { name: "", colour, kind: "incantation", sentence: "", family: "pile" };
}

const SIGNS = {
  red: svg`<path d="M12 1 L14.5 9.5 L23 12 L14.5 14.5 L12 23 L9.5 14.5 L1 12 L9.5 9.5 Z"/>`,
  yellow: svg`<circle cx="12" cy="12" r="5.5"/>
    <path d="M12 1 V4.5 M12 19.5 V23 M1 12 H4.5 M19.5 12 H23
      M4.2 4.2 L6.7 6.7 M17.3 17.3 L19.8 19.8 M4.2 19.8 L6.7 17.3 M17.3 6.7 L19.8 4.2" class="sc-line"/>`,
  blue: svg`<path d="M6 3 H18 L23 9.5 L12 22 L1 9.5 Z"/>`,
  green: svg`<path d="M3 21 C2 10 9 3 22 2 C22 14 15 21 6 18 L4 22 Z"/>`,
};

function sign(colour) {
  return html`<svg viewBox="0 0 24 24" class="sc-sign sc-${colour}" aria-hidden="true">${SIGNS[colour]}</svg>`;
}

const FAMILIES = {
  damage: svg`<path d="M14 0 L3 17 H11 L8 32 L21 13 H13 L18 0 Z"/>`,
  energy: svg`<path d="M12 4 L21 11 V21 L12 28 L3 21 V11 Z"/><path d="M12 10 V22 M7 16 H17" class="sc-cutout"/>`,
  sapphires: svg`<path d="M5 6 H19 L25 14 L12 29 L-1 14 Z"/>
    <path d="M5 6 L8 14 L12 6 L16 14 L19 6 M-1 14 H25 M8 14 L12 29 L16 14" class="sc-cutout sc-thin"/>`,
  actions: svg`<path d="M2 3 H22 V6 C22 11 15 13 15 16 C15 19 22 21 22 26 V29 H2 V26 C2 21 9 19 9 16 C9 13 2 11 2 6 Z"/>
    <path d="M6 26 Q12 20 18 26" class="sc-cutout"/>`,
  hand: svg`<g transform="translate(12 28)"><rect x="-7" y="-25" width="14" height="20" rx="2.5" transform="rotate(-22)"/>
    <rect x="-7" y="-25" width="14" height="20" rx="2.5" transform="rotate(22)"/><rect x="-7" y="-27" width="14" height="21" rx="2.5" class="sc-over"/></g>`,
  pile: svg`<rect x="0" y="11" width="17" height="19" rx="2.5"/><rect x="7" y="3" width="17" height="19" rx="2.5" class="sc-over"/>
    <path d="M12 16 V9 M9 12 L12 8.5 L15 12" class="sc-cutout"/>`,
};

/** An emblem for each card: rays and rings that follow from its number, and in front what its first effect is about. */
function emblem(scene, card) {
  const { family, kind } = printed(scene, card);
  const k = card % scene.c.EACH, rays = 6 + ((k * 5) % 9), turn = k * 17, inner = 20 + (k % 4) * 3, bend = (k % 5) * 6 - 12;
  const ray = `M0 -${inner} Q${bend} -56 0 -92 Q${9 - bend / 2} -56 ${inner / 3} -${inner} Z`;
  return html`<svg viewBox="0 0 160 64" class="sc-emblem" aria-hidden="true" preserveAspectRatio="xMidYMid slice">
    <rect width="160" height="64" class="sc-ground"/>
    <g transform="translate(80 32) rotate(${turn})">
      ${range(rays).map((i) => svg`<path d=${ray} transform="rotate(${(360 * i) / rays})" class="sc-ray"/>`)}
      <circle r=${inner} class="sc-ring"/><circle r=${inner + (k % 2 ? 12 : 6)} class="sc-ring ${k % 2 ? "sc-dots" : ""}"/></g>
    ${kind === "enchantment" ? svg`<circle cx="80" cy="32" r="29" class="sc-halo"/>` : nothing}
    <g transform="translate(68 16)" class="sc-family">${FAMILIES[family] ?? FAMILIES.pile}</g>
  </svg>`;
}

/** The face of a card: emblem, name, kind and what it says. */
function face(scene, card, { tag = "", chip = "" } = {}) {
  const { say } = scene;
  const { name: title, colour, kind, sentence } = printed(scene, card);
  return html`<div class="sc-card sc-${colour} sc-${kind}">${emblem(scene, card)}${sign(colour)}
    <b class="sc-title">${title}</b>
    <small class="sc-kind">${kind === "enchantment"
      ? html`<span aria-hidden="true">∞</span> ${say("enchantment")}<span class="sc-each">, ${say("enchantmentLong")}</span>`
      : say("incantation")}</small>
    <p>${sentence}</p>
    ${tag ? html`<small class="sc-note">${tag}</small>` : nothing}
    ${chip ? html`<span class="sc-chip">${chip}</span>` : nothing}</div>`;
}

// The piles.

function topOf(view, c, colour) {
  return view.height[colour] ? c.EACH * colour + view.pile[colour][view.height[colour] - 1] : c.NONE;
}

function pile(scene, colour, mine) {
  const { view, c, say } = scene;
  const card = topOf(view, c, colour);
  const hue = COLOURS[colour];
  if (card === c.NONE) {
    return html`<div class="sc-pile sc-${hue}"><h3>${sign(hue)} ${say(hue)}</h3>
      <div class="sc-empty">${sign(hue)}<small>${say("emptyPile")}</small></div><p class="sc-below"></p></div>`;
  }
  const works = has(scene, view.facing, card) ? 1 : 0;
  const own = works === mine;
  const move = c.PILE + colour;
  const fired = view.card === card || view.outer === card;
  const waits = (view.waiting >> colour) & 1;
  const tag = waits ? say("waits") : has(scene, view.used, card) ? say("activated") : "";
  const chip = scene.moves.has(move) ? say(view.phase === c.ACT ? "activate" : view.phase === c.SET_OFF ? "setOff" : "point") : "";
  const ribbon = html`<span class="sc-ribbon ${own ? "sc-ours" : "sc-theirs"}"><span aria-hidden="true">${own ? "▼" : "▲"}</span>
    ${own && scene.seat !== null ? say("facesYou") : say("faces", { names: sideNames(scene, works) })}</span>`;
  return html`<div class="sc-pile sc-${hue} ${own ? "sc-down" : "sc-up"}">
    <h3>${sign(hue)} ${say(hue)}</h3>
    <div class="sc-lane">${own ? nothing : ribbon}
      ${piece(scene, move, `sc-top ${motion(scene, colour, card, own)} ${fired ? "sc-fired" : ""}`, face(scene, card, { tag, chip }),
        view.phase === c.ACT ? say("whyNotActivate", { name: printed(scene, card).name }) : "")}
      ${own ? ribbon : nothing}</div>
    ${covered(scene, colour, mine)}
  </div>`;
}

/** How a top card came to lie there: slid from a side, turned, uncovered, or lit up by its effect. */
function motion({ view, c, before }, colour, card, own) {
  if (!before) return "";
  const then = topOf(before, c, colour);
  if (then !== card) return view.height[colour] > before.height[colour] ? (own ? "sc-from-below" : "sc-from-above") : "sc-uncovered";
  if (((before.facing[colour] ^ view.facing[colour]) >> card % c.EACH) & 1) return "sc-turned";
  const used = ((view.used[colour] & ~before.used[colour]) >> card % c.EACH) & 1;
  const went = ((before.waiting & ~view.waiting) >> colour) & 1;
  return used || went ? "sc-spark" : "";
}

/** The cards below the top, from above, with the side that each would work for. */
function covered(scene, colour, mine) {
  const { view, c, say } = scene;
  const below = view.pile[colour].slice(0, Math.max(0, view.height[colour] - 1)).reverse().map((k) => c.EACH * colour + k);
  if (!below.length) return html`<p class="sc-below"></p>`;
  const named = (card, i) => html`${i ? ", " : ""}<span title=${printed(scene, card).sentence}>
    <span aria-hidden="true">${(has(scene, view.facing, card) ? 1 : 0) === mine ? "▼" : "▲"}</span>${printed(scene, card).name}</span>`;
  return html`<p class="sc-below"><small>${say("covers")}: ${below.slice(0, 2).map(named)}
    ${below.length > 2 ? say("more", { n: below.length - 2 }) : nothing}</small></p>`;
}

// Deck, discards, turn.

function stock(scene) {
  const { view, c, say } = scene;
  const gone = cardsIn(scene, view.discards);
  const look = `sc-deck-back ${view.left > 1 ? "sc-thick" : view.left ? "" : "sc-spent"}`;
  return html`<div class="sc-stock">
    ${piece(scene, c.DRAW, "sc-deck", html`<span class=${look}>${cardBack()}</span>
      <span><b>${view.left}</b> <small>${say("deck")}</small>
        ${scene.moves.has(c.DRAW) ? html`<span class="sc-chip">${say("draw")}</span>` : nothing}</span>`)}
    <span class="sr">${say("deckLeft", { n: view.left })}</span>
    <div class="sc-turn"><small>${say("turn", { n: view.turns + 1 })} ${view.ending ? html`<b>${say("lastTurn")}</b>` : nothing}</small>
      ${view.mage >= 0 && view.turn !== c.OVER && view.actions ? actions(scene) : nothing}
      ${scene.moves.has(c.STOP) ? piece(scene, c.STOP, "sc-stop", say("stop")) : nothing}</div>
    ${gone.length ? html`<details class="sc-discards"><summary>${say("discards")} <b>${gone.length}</b></summary>
      <ul tabindex="0">${gone.map((card) => line(scene, card))}</ul></details>` : nothing}
  </div>`;
}

function actions(scene) {
  const { view, say } = scene;
  return html`<small>${say("actions", { name: nameOf(scene, view.mage) })}</small>
    <span class="sc-actions"><span aria-hidden="true">${range(Math.min(view.actions, 6)).map(() => html`<i></i>`)}</span>
      <b>${view.actions}</b></span>`;
}

/** A card as one line of text. */
function line(scene, card) {
  const { name: title, colour, sentence, kind } = printed(scene, card);
  const mark = kind === "enchantment" ? html`<span title=${scene.say("enchantment")}>∞</span>` : nothing;
  return html`<li>${sign(colour)}<span><b>${title}</b> ${mark} <small>${sentence}</small></span></li>`;
}

// What is asked in the middle of a spell.

const ASKS = { ACT: "askAct", SET_OFF: "askSetOff", EITHER: "askEither", OFFER: "askOffer", ANSWER: "askAnswer", GIVE_UP: "askGiveUp",
  PICK: "askPick", POINT: "askPoint", RECEIVE: "askReceive", ANY_CARD: "askAny", DEAL: "dealing", START: "beginning" };

function ask(scene) {
  const { view, c, say } = scene;
  const phase = Object.keys(ASKS).find((key) => c[key] === view.phase);
  if (view.turn === c.OVER || !phase || phase === "ACT") return nothing;
  const choices = [c.FIRST, c.SECOND, c.YES, c.NO].filter((move) => scene.moves.has(move));
  const picks = phase === "PICK" ? [...scene.moves.keys()].filter((move) => move >= c.CHOOSE && move < c.PILE) : [];
  const told = { name: view.turn >= 0 ? nameOf(scene, view.turn) : "", n: view.count };
  return html`<div class="sc-ask ${scene.moves.size ? "sc-asks-me" : ""}">
    ${view.card >= 0 ? html`<div class="sc-spell">${face(scene, view.card, { tag: usedBy(scene) })}</div>` : nothing}
    <div class="sc-choices">
      <p>${view.card >= 0 ? html`<small>${say("underWay")}</small><br>` : nothing}<b>${say(ASKS[phase], told)}</b></p>
      ${choices.length ? html`<div class="sc-answers">${choices.map((move) =>
        piece(scene, move, `sc-answer ${move === c.NO ? "sc-no" : ""}`, scene.moves.get(move)))}</div>` : nothing}
      ${picks.length ? html`<div class="sc-hand">${picks.map((move) =>
        piece(scene, move, "sc-held", face(scene, move - c.CHOOSE, { chip: say("point") })))}</div>` : nothing}</div>
  </div>`;
}

/** By which card the one under way is used, if by any. */
function usedBy(scene) {
  return scene.view.outer >= 0 ? scene.say("used", { name: printed(scene, scene.view.outer).name }) : "";
}

// The two sides.

function side(scene, which, mine) {
  const { view, c, say } = scene;
  const energy = view.energy[which], sapphires = view.sapphires[which];
  const won = view.turn === c.OVER && scene.score && seatsOf(scene, which).some((seat) => scene.score[seat] > 0)
    && seatsOf(scene, 1 - which).every((seat) => scene.score[seat] === 0);
  return html`<article class="sc-side ${which === mine ? "sc-mine" : "sc-rival"} ${won ? "sc-winner" : ""}">
    <span class="sr">${say("side", { names: sideNames(scene, which), energy, sapphires, goal: c.GOAL })}</span>
    <div class="sc-mages">${seatsOf(scene, which).map((seat) => mage(scene, seat))}</div>
    <div class="sc-stores" aria-hidden="true">
      <div class="sc-store sc-energy"><span class="sc-count">${crystal("sc-large")}<b>${energy}</b>
        <small>${say("energy")}</small>${delta(scene, "energy", which)}</span>
        <span class="sc-track">${range(Math.min(energy, TRACK)).map(() => crystal("sc-unit"))}</span></div>
      <div class="sc-store sc-sapphires"><span class="sc-count">${stone("sc-large")}<b>${say("goal", { n: sapphires, goal: c.GOAL })}</b>
        <small>${say("sapphires")}</small>${delta(scene, "sapphires", which)}</span>
        <span class="sc-track">${range(c.GOAL).map((i) => stone(`sc-unit ${i < sapphires ? "" : "sc-hollow"}`))}</span></div>
    </div>
  </article>`;
}

/** What the last change added or took. */
function delta({ view, before, say }, what, which) {
  const change = before ? view[what][which] - before[what][which] : 0;
  if (!change) return nothing;
  const words = say(change > 0 ? "up" : "down", { n: Math.abs(change) });
  return html`<span class="sc-delta ${change > 0 ? "sc-plus" : "sc-minus"}">${words}</span>`;
}

function crystal(look) {
  return html`<svg viewBox="0 0 16 24" class="sc-crystal ${look}" aria-hidden="true">
    <path d="M8 1 L15 8 V17 L8 23 L1 17 V8 Z"/><path d="M8 1 V23 M1 8 L8 11 L15 8" class="sc-facet"/></svg>`;
}

function stone(look) {
  return html`<svg viewBox="0 0 24 22" class="sc-stone ${look}" aria-hidden="true">
    <path d="M6 1 H18 L23 8 L12 21 L1 8 Z"/><path d="M1 8 H23 M6 1 L9 8 L12 21 L15 8 L18 1" class="sc-facet"/></svg>`;
}

function mage(scene, seat) {
  const { view, c, say, before } = scene;
  const held = view.held[seat];
  const own = seat === scene.seat;
  const state = view.turn === c.OVER ? "" : view.mage === seat ? "turnOf" : view.turn === seat ? "asked" : "";
  const known = own ? [] : cardsIn(scene, view.hand[seat]);
  const lookers = range(scene.seats).filter((other) => other !== scene.seat && other !== seat && view.knows[other][seat] > 0);
  const drew = before && held > before.held[seat];
  const backs = html`<span aria-hidden="true" class=${drew ? "sc-drew" : ""}>${
    range(Math.min(held, BACKS)).map(() => html`<i>${cardBack()}</i>`)}</span>`;
  return html`<div class="sc-mage">
    <header><span class="sc-mark">${seatMark(seat)}</span><b class="sc-name">${nameOf(scene, seat)}</b>
      ${own ? html`<small class="sc-tag">${say("you")}</small>` : nothing}
      ${state ? html`<small class="sc-tag sc-tag-turn">${say(state)}</small>` : nothing}</header>
    <div class="sc-backs">${own ? nothing : backs}<small>${held === 1 ? say("card") : say("cards", { n: held })}${
      lookers.map((other) => html`; ${say("knowsOf", { name: nameOf(scene, other), n: view.knows[other][seat] })}`)}</small></div>
    ${known.length ? html`<details class="sc-known" ?open=${view.phase !== c.PICK}><summary><small>${say("known")}</small></summary>
      <ul>${known.map((card) => line(scene, card))}</ul></details>` : nothing}
  </div>`;
}

/** The own hand, each card with what it says. */
function ownHand(scene) {
  const { view, say } = scene;
  const cards = cardsIn(scene, view.hand[scene.seat]);
  return html`<div class="sc-own"><h3>${say("hand")}</h3>
    ${cards.length ? html`<div class="sc-hand">${cards.map((card) => heldCard(scene, card))}</div>`
      : html`<p><small>${say("handEmpty")}</small></p>`}</div>`;
}

/** A card of the own hand: to be played, to be given up, or only to be read; and who knows of it. */
function heldCard(scene, card) {
  const { view, c, say, before } = scene;
  const gives = view.phase === c.GIVE_UP;
  const move = gives ? c.CHOOSE + card : c.PLAY + card;
  const shown = has(scene, view.shown, card), seen = view.known.some((masks) => has(scene, masks, card));
  const tag = shown ? say("seenByAll") : seen ? say("seenByRival") : "";
  const chip = scene.moves.has(move) ? say(gives ? "discard" : "play") : "";
  const fresh = before && !has(scene, before.hand[scene.seat], card);
  return piece(scene, move, `sc-held ${fresh ? "sc-dealt" : ""} ${gives ? "sc-to-go" : ""}`, face(scene, card, { tag, chip }));
}
