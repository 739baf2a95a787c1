/**
 * The table of Abraca...What?: the tower of points, everybody's stones, the board of spells with its calls,
 * and at the bottom the own stones, of which only the backs are seen. A pure function of the scene.
 */

import { html, nothing, svg } from "lit-html";
import { anew, heart, seatMark } from "spellheist/pieces";

/** Signs of the spells 1 to 8 in a box of 24: eye, hood, moon, owl, bolt, snow, flame, flask. */
const SIGNS = [
  "",
  "M1.5 12C6 5 18 5 22.5 12C18 19 6 19 1.5 12zM12 6.5C9.6 9 9.6 15 12 17.5C14.4 15 14.4 9 12 6.5z",
  "M12 2C7 4 5 9 5 13L3 22H21L19 13C19 9 17 4 12 2zM12 7C9.4 9 8.6 12 9 15.5C11 17 13 17 15 15.5C15.4 12 14.6 9 12 7z",
  "M14 2.5A9.7 9.7 0 1 0 21.5 16A8 8 0 0 1 14 2.5zM19 3l.9 2.1L22 6l-2.1.9L19 9l-.9-2.1L16 6l2.1-.9z",
  "M4 3C7 5 9 5.4 12 5.4S17 5 20 3V13C20 18.5 16.4 22 12 22S4 18.5 4 13zM8.5 9A2.4 2.4 0 1 0 8.5 13.8A2.4 2.4 0 1 0 8.5 9z"
    + "M15.5 9A2.4 2.4 0 1 0 15.5 13.8A2.4 2.4 0 1 0 15.5 9zM12 13.5L10.6 15.4L12 18L13.4 15.4z",
  "M14 1L4.5 13.5H11L8.5 23L19.5 9.5H12.5z",
  "M12 1.5V22.5M2.9 6.75L21.1 17.25M21.1 6.75L2.9 17.25M8.5 3L12 6.5L15.5 3M8.5 21L12 17.5L15.5 21M2.5 11L7.3 9.3L6.4 4.3"
    + "M17.6 19.7L16.7 14.7L21.5 13M21.5 11L16.7 9.3L17.6 4.3M6.4 19.7L7.3 14.7L2.5 13",
  "M12.5 1C13.5 6 19.5 8.5 19.5 15A7.5 7.5 0 0 1 4.5 15C4.5 11.5 6.5 9.5 7.5 7.5C8.5 9 9 9.8 10 10.3C10.5 7 10.5 4 12.5 1z"
    + "M12 14C10.5 15.5 9.5 16.5 9.5 18A2.5 2.5 0 0 0 14.5 18C14.5 16.5 13.3 15.6 12 14z",
  "M9 2H15V4H14V9L20 18.5C21 20.5 20 22 18 22H6C4 22 3 20.5 4 18.5L10 9V4H9zM8.2 15.5L6.4 19H17.6L15.8 15.5z",
];

/** The sign of a spell; the snow is made of lines. */
function sign(kind, transform) {
  return kind === 6
    ? svg`<path d=${SIGNS[kind]} transform=${transform} fill="none" stroke=${INKS[kind]} stroke-width="1.8" />`
    : svg`<path d=${SIGNS[kind]} transform=${transform} fill=${INKS[kind]} fill-rule="evenodd" />`;
}

/** The ink of each number on parchment. */
const INKS = ["", "#9b1c1c", "#4a2a7a", "#a01f6b", "#1f3f8f", "#80530a", "#0b6072", "#a83706", "#1e6435"];

const STEP = 40; // width of a step of the tower

/** @param {import("../../web/kit.js").Scene} scene */
export function draw(scene) {
  const { view, seat, seats } = scene;
  const first = seat === null ? 0 : seat + 1;
  const others = Array.from({ length: seat === null ? seats : seats - 1 }, (_, i) => (first + i) % seats);
  return html`<div class="aw-table ${scene.moves.size ? "aw-asked" : ""}"><div class="aw-lay">
    <div class="aw-top">${tower(scene)}${facts(scene)}</div>
    <div class="aw-others aw-of-${others.length}">${others.map((other) => panel(scene, other))}</div>
    <section class="aw-board" aria-label=${scene.say("board")}>
      ${[1, 2, 3, 4, 5, 6, 7, 8].map((kind) => spell(scene, kind))}
      ${legend(scene)}
    </section>
    ${seat === null ? nothing : own(scene)}
  </div></div>`;
}

// The tower and what lies beside it.

function tower({ view, c, say, names, seats }) {
  const steps = Array.from({ length: c.GOAL + 1 }, (_, i) => i);
  const rise = (step) => 54 - step * 3.5;
  const all = Array.from({ length: seats }, (_, seat) => seat);
  const at = (seat) => Math.min(view.points[seat], c.GOAL);
  const place = (seat) => {
    const here = all.filter((other) => at(other) === at(seat));
    const i = here.indexOf(seat);
    const x = at(seat) * STEP + STEP / 2 + (i === here.length - 1 && i % 2 === 0 ? 0 : i % 2 ? 9 : -9);
    return `translate(${x}px, ${rise(at(seat)) - 16 * Math.floor(i / 2)}px)`;
  };
  const points = all.map((seat) => say("points", { name: names[seat], points: view.points[seat] })).join(", ");
  return html`<section class="aw-tower" aria-label=${say("tower")}>
    <svg viewBox="0 0 360 78" aria-hidden="true">
      ${steps.map((step) => svg`<path class=${step === c.GOAL ? "aw-step aw-top-step" : "aw-step"}
        d="M${step * STEP + 1} 77V${rise(step) + 3}q0-3 3-3h${STEP - 8}q3 0 3 3V77z" />
        <text x=${step * STEP + STEP / 2} y="73" text-anchor="middle">${step}</text>`)}
      <path class="aw-flag" d="M353 26V2l-12 4l12 4" />
      ${all.map((seat) => svg`<g class="aw-climber" .style=${`transform: ${place(seat)}`}>
        <g transform="translate(-9.5 -18.5) scale(.8)">${seatMark(seat)}</g></g>`)}
    </svg>
    <p class="sr">${say("tower.says", { goal: c.GOAL, points })}</p>
  </section>`;
}

function facts(scene) {
  const { view, say } = scene;
  const face = rolled(scene);
  return html`<dl class="aw-facts">
    <div class="aw-fact"><dt>${say("round", { round: view.phase === scene.c.SHOW ? view.stage : view.stage + 1 })}</dt></div>
    <div class="aw-fact"><dt>${say("pile")}</dt><dd>${small()}<b>${view.pile}</b></dd></div>
    <div class="aw-fact"><dt>${say("secrets")}</dt><dd>${small()}<b>${view.secrets}</b></dd></div>
    ${face === null ? nothing : html`<div class="aw-fact aw-die"><dt>${say("die")}</dt><dd>${anew(view, die(scene, face))}</dd></div>`}
  </dl>`;
}

const small = () => html`<svg class="aw-small" viewBox="0 0 60 84" aria-hidden="true">${backOf()}</svg>`;

function die({ say }, face) {
  return html`<svg viewBox="0 0 40 40" class=${face ? "aw-cube" : "aw-cube aw-rolling"} role="img" aria-label=${face || say("rolling")}>
    <rect class="aw-body" x="3" y="3" width="34" height="34" rx="8" />
    <text x="20" y="29" text-anchor="middle">${face || "?"}</text></svg>`;
}

/** What the die shows after what just happened: its number, 0 while it is rolled, or null: it was not. */
function rolled(scene) {
  const { view, before, last, c } = scene;
  if (view.phase === c.ROLL || view.phase === c.BACKFIRE) return 0;
  if (before && (before.phase === c.ROLL || before.phase === c.BACKFIRE)) {
    return last.length && last[0].who === c.CHANCE ? last[0].move : null;
  }
  const i = last.findLastIndex(({ who }) => who >= 0);
  const after = i >= 0 ? last[i + 1] : undefined;
  if (!after || after.who !== c.CHANCE) return null;
  const spelled = last[i].move;
  const thrown = spelled === c.DRAGON ? !view.strict_calls || (before && before.spell <= c.DRAGON) : spelled === c.DREAM && hit(scene, last[i]);
  return thrown ? after.move : null;
}

/** Was the call of this ply a success? The turn goes on after it, or it ended the round with the caster alive. */
function hit({ view, c }, { who, move }) {
  if (view.caster !== who || view.spell !== move) return false;
  if (view.phase === c.SHOW) return view.lives[who] > 0;
  return view.phase === c.GO_ON || view.phase === c.ROLL || view.phase === c.TAKE;
}

// The board of spells.

function spell(scene, kind) {
  const { view, moves, play, why, say } = scene;
  const words = html`${front(kind)}
    <span class="aw-words"><b>${say(`spell.${kind}`)}</b><span aria-hidden="true">${say(`effect.${kind}`)}</span>
      <span class="sr">${say(`effect.${kind}.says`)}</span>${pips(scene, kind)}</span>`;
  const state = view.spell === kind ? "aw-last" : "";
  if (!moves.size) return html`<div class="aw-spell ${state}">${words}</div>`;
  if (!moves.has(kind)) return html`<button class="piece dim aw-spell ${state}" aria-label="${say("why", { spell: say(`spell.${kind}`) })}"
    @click=${() => why(kind)}>${words}</button>`;
  return html`<button class="piece lit aw-spell ${state}" aria-label="${moves.get(kind)}: ${say(`effect.${kind}.says`)}. ${counted(scene, kind)}"
    @click=${() => play(kind)}>${words}</button>`;
}

/** A mark for each stone of a number: on the board, in sight somewhere else, or unseen. */
function pips(scene, kind) {
  const { view, before } = scene;
  const board = view.board[kind];
  const seen = kind - view.deck[kind];
  const placed = before && before.stage === view.stage ? before.board[kind] : board;
  const one = (i) => (i < board ? (i >= placed ? "aw-on aw-placed" : "aw-on") : i < seen ? "aw-seen" : "aw-unseen");
  return html`<span class="aw-pips">${Array.from({ length: kind }, (_, i) => html`<i class="aw-pip ${one(i)}"></i>`)}
    <span class="sr">${counted(scene, kind)}</span></span>`;
}

function counted({ view, say }, kind) {
  const board = view.board[kind];
  return say("count", { board, all: kind, seen: kind - view.deck[kind] - board, unseen: view.deck[kind] });
}

function legend({ say }) {
  return html`<p class="aw-legend" aria-hidden="true">
    <span><i class="aw-pip aw-on"></i> ${say("legend.board")}</span>
    <span><i class="aw-pip aw-seen"></i> ${say("legend.seen")}</span>
    <span><i class="aw-pip aw-unseen"></i> ${say("legend.unseen")}</span></p>`;
}

// The seats.

function panel(scene, other) {
  const { view, say } = scene;
  const stones = view.hand[other].slice(0, view.held[other]);
  return html`<section class="aw-seat ${turns(scene, other)}" aria-label=${scene.names[other]}>
    ${head(scene, other)}
    <div class="aw-hand">${stones.map((kind, slot) => (kind > 0
      ? front(kind, fresh(scene, other, slot)) : back(null, fresh(scene, other, slot))))}</div>
    <p class="sr">${stones.length ? say("stones", { stones: listed(scene, stones) }) : say("no stones")}</p>
    ${secrets(scene, other)}
  </section>`;
}

const listed = ({ say }, stones) => stones.map((kind) => (kind > 0 ? kind : say("unknown"))).join(", ");

/** Has this seat left the round? */
const isOut = ({ view, c }, seat) => view.lives[seat] === 0 && view.phase !== c.SHOW;

/** The classes of a panel: on turn, out of the round, winner. */
function turns(scene, seat) {
  const { view, score, over } = scene;
  const wins = over && score && score[seat] > 0;
  return `${!over && view.caster === seat ? "aw-turn" : ""} ${isOut(scene, seat) ? "aw-out" : ""} ${wins ? "aw-wins" : ""}`;
}

function head(scene, other) {
  const { view, names, say, seat, over, score, c } = scene;
  const gained = view.gain[other] && (view.phase === c.SHOW || (scene.before && scene.before.stage < view.stage));
  return html`<header class="aw-head">
    <h3>${seatMark(other)}<span class="aw-name">${names[other]}</span>
      ${other === seat && names[other].toLowerCase() !== say("you") ? html`<small>${say("you")}</small>` : nothing}
      ${over && score && score[other] > 0 ? html`<small class="aw-tag aw-won">${say("won")}</small>` : nothing}
      ${isOut(scene, other) ? html`<small class="aw-tag aw-gone">${say("out")}</small>` : nothing}
      ${gained ? html`<small class="aw-tag aw-gain"><span aria-hidden="true">${say("gain", { gain: view.gain[other] })}</span>
        <span class="sr">${say("gain.says", { gain: view.gain[other] })}</span></small>` : nothing}
    </h3>
    ${neighbour(scene, other)}
    ${hearts(scene, other)}
    ${bubble(scene, other)}
  </header>`;
}

/** On which side of the own seat somebody sits; those out of the round are passed over. */
function neighbour({ view, seat, seats, say }, other) {
  if (seat === null || other === seat) return nothing;
  const next = (from, step) => {
    let to = from;
    do to = (to + step + seats) % seats;
    while (to !== from && view.last_standing && !view.lives[to]);
    return to;
  };
  const left = next(seat, 1) === other;
  const right = next(seat, -1) === other;
  return left || right ? html`<p class="aw-side">${say(left && right ? "both" : left ? "left" : "right")}</p>` : nothing;
}

function hearts({ view, before, c, say }, seat) {
  const now = view.lives[seat];
  const then = before && before.stage === view.stage ? before.lives[seat] : now;
  const one = (i) => (i < now ? (i >= then ? "aw-comes" : "") : i < then ? "aw-goes" : "");
  return html`<p class="aw-hearts"><span class="sr">${say("lives", { lives: now, all: c.LIVES })}</span>
    ${Array.from({ length: c.LIVES }, (_, i) => html`<span class="aw-heart ${one(i)}">${heart(i < now)}${i >= now && i < then
      ? anew(view, html`<span class="aw-ghost">${heart(true)}</span>`) : nothing}</span>`)}</p>`;
}

/** What somebody just said. */
function bubble(scene, other) {
  const { view, last, say, c, before } = scene;
  if (view.phase === c.DEAL || (before && before.stage < view.stage && view.phase !== c.SHOW)) return nothing;
  const said = last.findLast(({ who }) => who >= 0) || (view.spell ? { who: view.caster, move: view.spell } : null);
  if (!said || said.who !== other || said.move < 0) return nothing;
  if (said.move === c.STOP) return html`<p class="aw-bubble">${say("stops")}</p>`;
  const good = hit(scene, said);
  const turning = good && before ? anew(view, front(said.move, "aw-turned")) : nothing;
  return html`<p class="aw-bubble ${good ? "aw-hit" : "aw-miss"}">${turning}<span><b>${say("calls", { number: said.move })}</b>
    ${good ? "✓" : "✗"} ${say(good ? "hit" : "miss")}</span></p>`;
}

function secrets(scene, seat) {
  const { view, say } = scene;
  const stones = view.taken[seat].slice(0, view.takes[seat]);
  if (!stones.length) return nothing;
  return html`<p class="aw-secrets"><span aria-hidden="true">${say("secret")}</span>
    ${stones.map((kind) => (kind > 0 ? front(kind) : back(null)))}
    <span class="sr">${say("secret.says", { stones: listed(scene, stones) })}</span></p>`;
}

// The own seat.

function own(scene) {
  const { view, seat, say, moves, play, c } = scene;
  const stones = view.hand[seat].slice(0, view.held[seat]);
  const hidden = stones.includes(c.HIDDEN);
  const asked = moves.size > 0;
  return html`<section class="aw-seat aw-own ${turns(scene, seat)}" aria-label=${scene.names[seat]}>
    ${head(scene, seat)}
    <div class="aw-mine">
      <ol class="aw-hand">${stones.map((kind, slot) => html`<li>${ownStone(scene, kind, slot)}</li>`)}</ol>
      ${stones.length > 1 ? html`<p class="aw-ages" .style=${`--stones: ${stones.length}`} aria-hidden="true">
        <span>${say("oldest")}</span><span>${say("newest")}</span></p>` : nothing}
    </div>
    <div class="aw-side-by">
      ${asked ? html`<p class="aw-ask">${moves.has(c.STOP)
        ? view.easy || view.strict_calls ? say("again.any") : say("again", { spell: view.spell }) : say("call")}</p>`
        : html`<p class="aw-note">${say(hidden ? "hand" : "hand.open")}</p>`}
      ${moves.has(c.STOP) ? html`<button class="piece lit aw-stop" aria-label="${moves.get(c.STOP)}: ${say("stop.says")}"
        @click=${() => play(c.STOP)}><b>${say("stop")}</b><span>${say("stop.says")}</span></button>` : nothing}
      ${secrets(scene, seat)}
    </div>
  </section>`;
}

function ownStone(scene, kind, slot) {
  const { view, seat, say, before, c } = scene;
  const place = slot + 1;
  const come = fresh(scene, seat, slot);
  if (kind > 0) {
    const turned = before && view.phase === c.SHOW && before.phase !== c.SHOW ? "aw-turned" : come;
    return html`${front(kind, turned)}<span class="sr">${say("open", { place, kinds: kind })}</span>`;
  }
  const can = [1, 2, 3, 4, 5, 6, 7, 8].filter((k) => view.deck[k] > 0 && !((view.never[seat][slot] >> k) & 1));
  return html`${back(can, come)}<span class="sr">${say(can.length === 1 ? "sure" : "stone", { place, kinds: can.join(", ") })}</span>`;
}

/** The class of a stone that was just drawn. */
function fresh({ view, before }, seat, slot) {
  if (!before) return "";
  if (before.stage !== view.stage || !before.held[seat]) return "aw-drawn";
  const drawn = before.caster === seat && view.caster !== seat ? before.pile - view.pile : 0;
  return slot >= view.held[seat] - drawn ? "aw-drawn" : "";
}

// Stones.

const SHAPE = "M5 81V32C5 13 16 3 30 3S55 13 55 32V81z";

function front(kind, motion = "") {
  return html`<svg class="aw-stone ${motion}" viewBox="0 0 60 84" aria-hidden="true">
    <path d=${SHAPE} fill="var(--parchment)" />
    <path d="M49 81V32C49 15 40 5 30 3C44 3 55 13 55 32V81z" fill="#d8c597" />
    <path d=${SHAPE} fill="none" stroke="#6b5636" stroke-width="2.5" />
    <text x="28" y="48" text-anchor="middle" fill=${INKS[kind]}>${kind}</text>
    ${sign(kind, "translate(18 54) scale(.84)")}</svg>`;
}

const backOf = () => svg`<path d=${SHAPE} fill="#4b4390" /><path d="M49 81V32C49 15 40 5 30 3C44 3 55 13 55 32V81z" fill="#372f70" />
  <path d=${SHAPE} fill="none" stroke="#d9a441" stroke-width="2.5" />`;

/**
 * The back of a stone; on an own one, what it can still be is bright and what it cannot be is struck out.
 * @param {number[] | null} can
 */
function back(can, motion = "") {
  const sure = can && can.length === 1;
  return html`<svg class="aw-stone ${motion}" viewBox="0 0 60 84" aria-hidden="true">${backOf()}
    ${!can ? svg`<path class="aw-rune" d="M29 22l5 14l14 2l-11 9l3 15l-11-8l-11 8l3-15l-11-9l14-2z" />`
    : sure ? svg`<circle cx="28" cy="44" r="20" fill="none" stroke="#ffd98a" stroke-width="2" stroke-dasharray="3 3" />
        <text class="aw-sure" x="28" y="55" text-anchor="middle">${can[0]}</text>`
    : [1, 2, 3, 4, 5, 6, 7, 8].map((kind) => {
      const x = 15 + 13.5 * ((kind - 1) % 3) + (kind > 6 ? 6.75 : 0);
      const y = 33 + 19 * Math.floor((kind - 1) / 3);
      return can.includes(kind) ? svg`<text class="aw-can" x=${x} y=${y} text-anchor="middle">${kind}</text>`
        : svg`<text class="aw-cannot" x=${x} y=${y} text-anchor="middle">${kind}</text>
          <path class="aw-strike" d="M${x - 5.5} ${y - 1}l11-9" />`;
    })}</svg>`;
}
