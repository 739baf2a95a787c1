/**
 * The table of Spell Stealers: the way through the temple, the dice that were rolled, the artifact points of this
 * turn, the dice to pick from, and what everybody does about stealing. A pure function of the scene.
 */

import { html, nothing, svg } from "lit-html";
import { anew, seatMark } from "spellheist/pieces";

/** Fill of a colour of the rules: green, yellow, red; 0 is a die that shows nothing. */
const FILLS = ["#efe6cf", "#8fdca6", "#ffd766", "#ff9c8f"];
const INK = "#1c1533";

/** A sign for each colour in a box of 24, so that no rule hangs on colour alone: leaf, sun, flame. */
const SIGNS = [
  "",
  "M3 21C2 9 9 2.5 21.5 2.5C22 15 15 22 5.5 19.5L14.5 9.5L4.5 18z",
  "M12 7a5 5 0 1 1 0 10a5 5 0 0 1 0-10zM11 1h2v4h-2zM11 19h2v4h-2zM1 11h4v2H1zM19 11h4v2h-4zM3.5 4.9L4.9 3.5L7.7 6.3L6.3 7.7z"
    + "M16.3 17.7L17.7 16.3L20.5 19.1L19.1 20.5zM16.3 6.3L19.1 3.5L20.5 4.9L17.7 7.7zM3.5 19.1L6.3 16.3L7.7 17.7L4.9 20.5z",
  "M12.5 1C13.5 6 19.5 8.5 19.5 15A7.5 7.5 0 0 1 4.5 15C4.5 11.5 6.5 9.5 7.5 7.5C8.5 9 9 9.8 10 10.3C10.5 7 10.5 4 12.5 1z",
];

/** Bodies of the dice in a box of 100: outline, the side in shadow, inner edges, where the number stands. */
const BODIES = [
  { body: "", shade: "", edges: "", x: 0, y: 0, size: 0 },
  { body: "M46 5L97 78L62 95L3 86z", shade: "M46 5L97 78L62 95z", edges: "M46 5L62 95", x: 39, y: 64, size: 34 },
  { body: "M50 2L94 47L50 98L6 47z", shade: "M50 2L94 47L50 98L68 54z", edges: "M6 47L32 58L68 58L94 47M50 2L32 58L50 98L68 58z", x: 50, y: 50, size: 36 },
  {
    body: "M50 3L78 12L96 36V64L78 88L50 97L22 88L4 64V36L22 12z", shade: "M78 12L96 36V64L78 88L50 97L68 76L80 43z",
    edges: "M50 21L80 43L68 76H32L20 43zM50 21V3M80 43L96 36M68 76L78 88M32 76L22 88M20 43L4 36", x: 50, y: 58, size: 36,
  },
];

const COLUMNS = 12;
const TILE = 30;
const ROW = 46;

/** @param {import("../../web/kit.js").Scene} scene */
export function draw(scene) {
  const { view, seats, c } = scene;
  const all = Array.from({ length: seats }, (_, seat) => seat);
  return html`<div class="ss-table ${isOpen(scene) ? "ss-open" : ""} ${c.LIVE === view.stealing ? "ss-live" : ""}"><div class="ss-lay">
    ${track(scene, all)}
    <section class="ss-ring">
      ${ask(scene)}
      <div class="ss-rolled">${artifact(scene)}${success(scene)}${verdict(scene)}${marker(scene)}</div>
      ${theft(scene)}
    </section>
    <div class="ss-dice">${[c.PYRAMID, c.DIAMOND, c.ORB].map((die) => choice(scene, die))}</div>
    <div class="ss-seats ss-of-${seats}">${all.map((seat) => panel(scene, seat))}</div>
  </div></div>`;
}

// What the view says.

const matched = ({ view, cards }) => view.symbol > 0 && view.face > 0 && cards.symbols[view.symbol].includes(cards.dice[view.die][view.face]);
const sides = ({ cards }, die) => cards.dice[die].length - 1;
const mine = ({ view, seat }) => seat !== null && view.current === seat;

/** Can the artifact on the table be stolen at this moment? */
const isOpen = ({ view, c }) => view.phase === c.WINDOW || view.phase === c.ASK;

/** May the reader steal it, now, with a hope of success? */
function mayIt({ view, seat, moves, c }) {
  if (seat === null) return false;
  if (view.phase === c.ASK) return moves.has(c.STEAL);
  return view.phase === c.WINDOW && view.token[seat] === c.READY && moves.has(press(c, seat, view.die));
}

const press = (c, seat, die) => c.STEAL_BY + seat * c.DICE + die - 1;

// The way to the spell.

function at(space) {
  const row = Math.floor(space / COLUMNS);
  const column = row % 2 ? COLUMNS - 1 - (space % COLUMNS) : space % COLUMNS;
  return [7 + TILE / 2 + column * TILE, 26 + row * ROW];
}

function track(scene, all) {
  const { view, c, names, say, before } = scene;
  const spaces = Array.from({ length: c.GOAL + 1 }, (_, space) => space);
  const on = (seat) => Math.min(view.pawn[seat], c.GOAL);
  const place = (seat) => {
    const here = all.filter((other) => on(other) === on(seat));
    const i = here.indexOf(seat);
    const [x, y] = at(on(seat));
    if (here.length === 1) return `transform: translate(${x}px, ${y - 3}px)`;
    const across = Math.min(3, here.length); // several on one space stand in rows of three, smaller
    return `transform: translate(${x + 11 * ((i % 3) - (across - 1) / 2)}px, ${y + 6 - 12 * Math.floor(i / 3)}px) scale(.66)`;
  };
  const aim = view.points > 0 && view.current >= 0 && view.phase !== c.MISSED && view.phase !== c.DONE
    ? at(Math.min(view.pawn[view.current] + view.points, c.GOAL)) : null;
  const moved = (seat) => before && before.pawn[seat] !== view.pawn[seat];
  return html`<section class="ss-track" aria-label=${say("track")}>
    <svg viewBox="0 0 374 146" aria-hidden="true">
      <path class="ss-way" d="M${at(0)}L${at(11)}V${at(12)[1]}L${at(23)}V${at(24)[1]}L${at(35)}" />
      ${spaces.map((space) => tile(space, c.GOAL))}
      ${aim ? svg`<g class="ss-aim"><circle cx=${aim[0]} cy=${aim[1]} r="15" stroke="var(--seat-${view.current})" /></g>` : nothing}
      ${all.map((seat) => svg`<g class="ss-pawn ${moved(seat) ? "ss-moved" : ""}" .style=${place(seat)}>
        <ellipse cx="0" cy="11" rx="9" ry="3" fill="#0008" />
        <g transform="translate(-10.5 -13)">${seatMark(seat)}</g></g>`)}
    </svg>
    <p class="sr">${say("track.says", { goal: c.GOAL, pawns: all.map((seat) => say("pawn", { name: names[seat], at: view.pawn[seat] })).join(", ") })}</p>
  </section>`;
}

function tile(space, goal) {
  const [x, y] = at(space);
  if (space === 0) {
    return svg`<path class="ss-gate" d="M${x - 13} ${y + 15}V${y - 6}A13 13 0 0 1 ${x + 13} ${y - 6}V${y + 15}H${x + 7}V${y - 4}A7 7 0 0 0 ${x - 7} ${y - 4}V${y + 15}z" />
      <text x=${x} y=${y + 12} text-anchor="middle">0</text>`;
  }
  if (space === goal) {
    return svg`<circle class="ss-glow" cx=${x} cy=${y} r="19" />
      <path class="ss-spell" d="M${x} ${y - 19}l5 12.5l13.5.8l-10.5 8.5l3.5 13l-11.5-7.3l-11.5 7.3l3.5-13l-10.5-8.5l13.5-.8z" />
      <text class="ss-goal" x=${x} y=${y + 7} text-anchor="middle">${goal}</text>`;
  }
  return svg`<rect class="ss-tile ${space % 5 ? "" : "ss-fifth"}" x=${x - 12} y=${y - 12} width="24" height="24" rx="5" />
    ${space % 5 ? nothing : svg`<text x=${x} y=${y + 5} text-anchor="middle">${space}</text>`}`;
}

// The question, in big letters.

function ask(scene) {
  const { view, say, c } = scene;
  const loud = mayIt(scene);
  return html`<p class="ss-ask ${loud ? "ss-loud" : ""} ${scene.moves.size && !loud && (view.stealing !== c.LIVE || mine(scene)) ? "ss-you" : ""}">
    ${view.last && view.phase !== c.DONE ? html`<span class="ss-last">${say(isTie(scene) ? "tied" : "last")}</span>` : nothing}
    <b>${question(scene)}</b></p>`;
}

const isTie = ({ view, seats }) => view.playing.slice(0, seats).includes(0);

function question(scene) {
  const { view, say, c, names, seat, moves } = scene;
  const name = names[view.current];
  const own = mine(scene);
  switch (view.phase) {
    case c.START: return say("ask.start");
    case c.CHOOSE: return view.rolled ? say(own ? "ask.again" : "wait.again", { name }) : say(own ? "ask.first" : "wait.first", { name });
    case c.ARTIFACT:
    case c.SUCCESS: return say("wait.roll");
    case c.ASK:
      if (moves.has(c.STEAL)) return say(view.stealing === c.RACE ? "ask.secret" : "ask.steal", prey(scene));
      return view.stealing === c.RACE ? say("wait.secret") : say(view.turn === seat ? "own.steal" : "wait.steal", { name: names[view.turn], face: view.face });
    case c.ORDER: return say("wait.order");
    case c.ATTEMPT: return say(view.roller === seat ? "own.attempt" : "wait.attempt", { name: names[view.roller], face: view.face });
    case c.PUNISH: return say(view.roller === seat ? "own.punish" : "wait.punish", { name: names[view.roller] });
    case c.WINDOW: return own ? say("ask.window") : mayIt(scene) ? say("ask.live", prey(scene)) : say("wait.window", { name });
    case c.MISSED: return say(own ? "ask.missed" : "wait.missed", { name });
    default: return say("over");
  }
}

/** The artifact on the table, for words. */
const prey = ({ view, cards, say }) => ({ colour: say(`colour.${cards.dice[view.die][view.face]}`), face: view.face, die: say(`die.${view.die}`) });

// What was rolled.

/** Was this roll made in the change that is drawn? */
const justRolled = ({ before, last, c }) => before !== null
  && (before.phase === c.ARTIFACT || before.phase === c.SUCCESS || last.some(({ who, move }) => who >= 0 && isPick(before, move, c)));

/** Was this move the pick of a die? Others do not learn which die it was (SS-s5). */
const isPick = (before, move, c) => (move >= c.ROLL && move < c.BANK) || (move === c.HIDDEN && before.phase === c.CHOOSE);

/** The class of a roll that is no longer of interest: it was made in an earlier turn. */
const aged = (scene) => (scene.view.rolled || justRolled(scene) ? "" : "ss-old");

function artifact(scene) {
  const { view, cards, say, c } = scene;
  if (!view.die) {
    return html`<figure class="ss-shown"><div class="ss-big">${solid(c.ORB, 0)}</div><figcaption>${say("not rolled")}</figcaption></figure>`;
  }
  if (view.die === c.HIDDEN) {
    return html`<figure class="ss-shown"><div class="ss-big">${solid(c.ORB, 0, 0, "ss-spin")}</div><figcaption>${say("secret die")}</figcaption></figure>`;
  }
  const colour = cards.dice[view.die][view.face];
  return html`<figure class="ss-shown ${aged(scene)}">
    <div class="ss-big">${anew(view, solid(view.die, view.face, colour, view.face ? (justRolled(scene) ? "ss-tumble" : "") : "ss-spin"))}</div>
    <figcaption>${say(`die.${view.die}`)}${view.face ? html` <b>${say(`colour.${colour}`)} ${view.face}</b>` : html` ${say("rolling")}`}</figcaption>
  </figure>`;
}

function success(scene) {
  const { view, say } = scene;
  const motion = view.symbol ? (justRolled(scene) ? "ss-tumble" : "") : view.die && view.rolled ? "ss-spin" : "";
  return html`<figure class="ss-shown ${aged(scene)}">
    <div class="ss-big">${anew(view, symbolDie(scene, view.symbol, motion))}</div>
    <figcaption>${say("success")}${view.symbol ? html` <b>${say(`symbol.${view.symbol}`)}</b>` : nothing}</figcaption></figure>`;
}

function verdict(scene) {
  const { view, say, names, seat, c } = scene;
  const taker = view.taker < 0 ? "" : view.taker === seat ? say("you") : names[view.taker];
  if (!view.symbol) return nothing;
  const good = matched(scene);
  const rest = !good ? (aged(scene) ? "" : say("no match.says"))
    : view.taker < 0 ? say("match.says", { face: view.face })
      : view.taker === view.current && view.rolled ? say("kept.says", { face: view.face, name: taker })
        : view.rolled || view.phase === c.DONE ? say("stolen.says", { name: taker }) : "";
  return html`<p class="ss-verdict ${good ? "ss-good" : "ss-bad"} ${aged(scene)}">
    <b>${good ? "✓" : "✗"} ${say(good ? "match" : "no match")}</b> <span>${rest}</span></p>`;
}

/** The marker of artifact points, with what its owner can do with it. */
function marker(scene) {
  const { view, say, c, before } = scene;
  const grown = before && before.points < view.points ? "ss-grown" : before && before.points > view.points ? "ss-gone" : "";
  const pending = isOpen(scene) && matched(scene) ? html`<span class="ss-pending">${say("pending", { face: view.face })}</span>` : nothing;
  const to = view.current >= 0 ? view.pawn[view.current] + view.points : 0;
  return html`<div class="ss-marker">
    <p class="ss-points"><span>${say("points")}</span>${anew(view, html`<b class=${grown}>${view.points}</b>`)}${pending}</p>
    ${act(scene, c.BANK, say("bank", { points: view.points }), say("bank.says", { to }))}
    ${act(scene, c.CLOSE, say("close"), say("close.says", { face: view.face }))}
    ${act(scene, c.PASS, say("pass"), say("pass.says"))}
  </div>`;
}

/** A big button for a move, if it is legal. */
function act({ moves, play }, move, words, more, kind = "") {
  return moves.has(move) ? html`<button class="piece lit ss-act ${kind}" aria-label="${moves.get(move)}: ${more}" @click=${() => play(move)}>
    <b>${words}</b><span>${more}</span></button>` : nothing;
}

// Stealing.

function theft(scene) {
  const { view, say, c, seat, moves } = scene;
  if (seat === null || !moves.size) return nothing;
  if (view.phase === c.ASK) {
    const n = sides(scene, view.die);
    const words = { face: view.face, die: say(`die.${view.die}`), ways: n - view.face + 1, sides: n };
    return html`<div class="ss-theft ss-now ss-either">
      <button class="piece lit ss-slam" aria-label="${moves.get(c.STEAL)}: ${say("steal.needs", words)}" @click=${() => scene.play(c.STEAL)}>
        ${solid(view.die, 0, 0, "", seat)}<b>${say("steal")}</b></button>
      <p>${say("steal.needs", words)}</p>
      ${act(scene, c.DECLINE, say("decline"), say("decline.says"), "ss-mild")}
    </div>`;
  }
  return view.stealing === c.LIVE && !mine(scene) ? slam(scene) : nothing;
}

/** In live: the own stealing dice, to be thrown at any time, rightly or wrongly. */
function slam(scene) {
  const { view, say, c, seat, moves, play } = scene;
  const now = mayIt(scene);
  const n = now ? sides(scene, view.die) : 0;
  const note = view.threw[seat] ? say("live.threw", { die: say(`die.${view.threw[seat]}`) })
    : now ? say("live.needs", { die: say(`die.${view.die}`), face: view.face, ways: n - view.face + 1, sides: n })
      : view.token[seat] === c.SPENT ? say("live.spent") : say("live.shut");
  const piece = (die) => {
    const right = now && die === view.die;
    return html`<button class="piece ss-slam ${right ? "lit" : "ss-risky"}" aria-label=${say("steal.with", { die: say(`die.${die}`) })}
      @click=${() => play(press(c, seat, die))}>${solid(die, 0, 0, "", seat)}
      <b>${say(`die.${die}`)}</b>${now ? html`<span>${say(right ? "live.right" : "live.wrong")}</span>` : nothing}</button>`;
  };
  return html`<div class="ss-theft ${now ? "ss-now" : "ss-shut"}">
    <p><b>${say("your dice")}</b> ${note}</p>
    <div class="ss-throw">${[c.PYRAMID, c.DIAMOND, c.ORB].filter((die) => moves.has(press(c, seat, die))).map(piece)}</div>
  </div>`;
}

// The dice to pick from.

function choice(scene, die) {
  const { say, moves, play, c, cards, view } = scene;
  const move = c.ROLL + die - 1;
  const lit = moves.has(move);
  const inside = html`<span class="ss-pick">${solid(die, 0)}</span>
    <span class="ss-facts"><b>${lit ? html`${say("roll")} ` : nothing}${say(`die.${die}`)}</b>
    ${[c.GREEN, c.YELLOW, c.RED].map((colour) => band(scene, die, colour))}
    <small>${say("odds", { percent: Math.round(100 * chance(cards, view, die)) })}</small></span>`;
  if (!lit) return html`<div class="ss-choice ${view.die === die && view.rolled ? "ss-picked" : ""}">${inside}</div>`;
  const bands = [c.GREEN, c.YELLOW, c.RED].map((colour) => range(scene, die, colour)).filter(Boolean).join(", ");
  return html`<button class="piece lit ss-choice" aria-label="${moves.get(move)}: ${bands}" @click=${() => play(move)}>${inside}</button>`;
}

/** The numbers of one colour on a die, as words. */
function range({ cards, say }, die, colour) {
  const from = cards.dice[die].indexOf(colour);
  if (from < 1) return "";
  return `${say("band", { from, to: cards.dice[die].lastIndexOf(colour) })} ${say(`colour.${colour}`)}`;
}

function band(scene, die, colour) {
  const words = range(scene, die, colour);
  return words ? html`<span class="ss-band"><svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="12" fill=${FILLS[colour]} />
    <path d=${SIGNS[colour]} transform="translate(4 4) scale(.67)" fill=${INK} fill-rule="evenodd" /></svg>${words}</span>` : nothing;
}

/** Which share of all rolls of a die with the success die matches. */
function chance(cards, view, die) {
  let hits = 0;
  let all = 0;
  for (const colour of cards.dice[die].slice(1)) {
    view.success_faces.forEach((faces, i) => {
      all += faces;
      if (cards.symbols[i + 1].includes(colour)) hits += faces;
    });
  }
  return hits / all;
}

// The seats.

function panel(scene, seat) {
  const { view, names, say, c, over, score } = scene;
  const wins = over && score && score[seat] > 0;
  const turn = !over && view.current === seat;
  const asked = view.phase === c.ASK && view.turn === seat;
  const out = view.current >= 0 && !view.playing[seat];
  return html`<section class="ss-seat ${turn ? "ss-turn" : ""} ${asked ? "ss-asked" : ""} ${wins ? "ss-wins" : ""} ${out ? "ss-out" : ""}" aria-label=${names[seat]}>
    <h3>${seatMark(seat)}<span class="ss-name">${names[seat]}</span>
      ${seat === scene.seat && names[seat].toLowerCase() !== say("you") ? html`<small>${say("you")}</small>` : nothing}
      ${wins ? html`<small class="ss-tag">${say("wins")}</small>` : nothing}</h3>
    <p class="ss-depth"><b>${view.pawn[seat]}</b><span aria-hidden="true">/${c.GOAL}</span></p>
    ${token(scene, seat)}
    ${doing(scene, seat)}
  </section>`;
}

function token(scene, seat) {
  const { view, say, c, moves, play, before } = scene;
  const ready = view.token[seat] === c.READY;
  const turned = before && before.token[seat] !== view.token[seat] ? "ss-turned" : "";
  const face = html`<svg class="ss-token ${turned}" viewBox="0 0 40 40" aria-hidden="true">
    <circle cx="20" cy="20" r="18" fill=${ready ? "#e7bb62" : "#0d0a2480"} stroke=${ready ? "#fff0c4" : "#a79fce"} stroke-width="2.5"
      stroke-dasharray=${ready ? "none" : "4 4"} />
    <path d="M12 23V14.5a2 2 0 0 1 4 0V11a2 2 0 0 1 4 0v-.5a2 2 0 0 1 4 0V13a2 2 0 0 1 4 0v9c0 6-3.5 9-8 9c-3 0-5-1.5-6.5-4l-4-6a2 2 0 0 1 3-2.6z"
      fill=${ready ? "#3a2702" : "none"} stroke=${ready ? "none" : "#a79fce"} stroke-width="1.5" />
    ${ready ? nothing : svg`<path d="M8 32L32 8" stroke="#ff9d92" stroke-width="3" />`}</svg>`;
  if (seat === scene.seat && moves.has(c.RESET)) {
    return html`<button class="piece lit ss-keep" aria-label="${moves.get(c.RESET)}: ${say("reset.says")}" @click=${() => play(c.RESET)}>
      ${face}<span>${say("reset")}</span></button>`;
  }
  return html`<p class="ss-keep">${face}<span><span class="sr">${say("token")} </span>${say(ready ? "ready" : "spent")}</span></p>`;
}

/** What a seat does about the artifact on the table. */
function doing(scene, seat) {
  const { view, say, c } = scene;
  const [words, good] = deed(scene, seat);
  if (!words) return nothing;
  const die = view.threw[seat] || (view.phase === c.START ? c.ORB : 0);
  return html`<p class="ss-doing ${good}">${die && view.shows[seat]
    ? html`<span class="ss-mini">${anew(view, solid(die, view.shows[seat], 0, justShown(scene, seat) ? "ss-tumble" : "", seat))}</span>` : nothing}
    <span>${die && !view.shows[seat] ? `${say(`die.${die}`)}: ` : ""}${words}</span></p>`;
}

const justShown = ({ before, view }, seat) => before && view.shows[seat] > 0 && before.shows[seat] !== view.shows[seat];

function deed({ view, say, c }, seat) {
  if (view.phase === c.START) {
    return view.shows[seat] ? [say("does.start", { face: view.shows[seat] }), ""] : view.roller === seat ? [say("does.rolls"), ""] : ["", ""];
  }
  if (view.roller === seat) return [say("does.rolls"), "ss-note"];
  if (view.phase === c.ASK && view.turn === seat) return [say(view.stealing === c.RACE ? "does.decides" : "does.asked"), "ss-note"];
  if (view.shows[seat] && view.taker === seat) return [say("does.stole"), "ss-good"];
  if (view.shows[seat]) return [say("does.fell", { face: view.shows[seat] }), "ss-bad"];
  if (view.threw[seat]) return [say("does.spent"), "ss-bad"];
  if (view.tries[seat] === c.HIDDEN) return [say("does.decided"), ""];
  if (view.tries[seat] === c.NO) return [say("does.no"), ""];
  if (view.tries[seat] === c.YES) return [say("does.yes"), ""];
  if (view.current >= 0 && !view.playing[seat]) return [say("does.out"), ""];
  if (view.current === seat && view.phase !== c.DONE) return [say("does.turn"), "ss-note"];
  return ["", ""];
}

// Dice.

/**
 * A pyramid, a diamond or an orb. Its number stands still and is there at once; only the body moves.
 * @param {number} die
 * @param {number} face 0: shows nothing
 * @param {number} [colour] of the number, one of the rules
 * @param {string} [motion]
 * @param {number} [owner] the seat whose stealing die it is
 */
function solid(die, face, colour = 0, motion = "", owner = -1) {
  const { body, shade, edges, x, y, size } = BODIES[die];
  const thief = owner >= 0;
  const fill = thief ? "#2a2350" : FILLS[colour];
  return html`<svg class="ss-die" viewBox="0 0 100 100" aria-hidden="true">
    <g class=${motion}><path d=${body} fill=${fill} /><path d=${shade} fill="#000" fill-opacity=".13" />
      <path d=${edges} fill="none" stroke=${thief ? `var(--seat-${owner})` : INK} stroke-opacity=${thief ? 0.6 : 0.3} stroke-width="2" stroke-linejoin="round" />
      <path d=${body} fill="none" stroke=${thief ? `var(--seat-${owner})` : "#6b5636"} stroke-width="4" stroke-linejoin="round" /></g>
    ${face ? svg`<text x=${x} y=${y} text-anchor="middle" font-size=${size} fill=${thief ? "#fff" : INK}>${face}</text>` : nothing}
    ${colour ? svg`<path d=${SIGNS[colour]} transform="translate(${x - 8.5} ${y + 3}) scale(.7)" fill=${INK} fill-rule="evenodd" />` : nothing}</svg>`;
}

/** The success die: one sign, or two when either colour will do. */
function symbolDie({ cards }, symbol, motion) {
  const colours = symbol ? cards.symbols[symbol] : [];
  return html`<svg class="ss-die" viewBox="0 0 100 100" aria-hidden="true">
    <g class=${motion}><path d="M30 5H70L95 30V70L70 95H30L5 70V30z" fill=${FILLS[colours[0] || 0]} />
      ${colours.length > 1 ? svg`<path d="M82.5 17.5L95 30V70L70 95H30L17.5 82.5z" fill=${FILLS[colours[1]]} />` : nothing}
      <path d="M30 5H70L95 30V70L70 95H30L5 70V30z" fill="none" stroke="#6b5636" stroke-width="4" stroke-linejoin="round" /></g>
    ${colours.map((colour, i) => {
    const small = colours.length > 1;
    return svg`<path d=${SIGNS[colour]} fill=${INK} fill-rule="evenodd"
        transform=${small ? `translate(${i ? 52 : 16} ${i ? 50 : 18}) scale(1.35)` : "translate(23 23) scale(2.25)"} />`;
  })}
    ${symbol ? nothing : svg`<text x="50" y="66" text-anchor="middle" font-size="44" fill=${INK}>?</text>`}</svg>`;
}
