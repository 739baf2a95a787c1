/**
 * Pieces that several tables share, as pure functions that answer SVG templates: dice, seat marks, card backs, stones,
 * hearts, gems and tokens; and a few small things that all tables need. Each is drawn for the eye only (`aria-hidden`);
 * whoever uses one gives the words. Sizes come from the stylesheet: every drawing fills the width it is given.
 */

import { html, nothing, svg } from "lit-html";

/** Shape of each seat: circle, triangle, square, diamond, star, pentagon. */
const SEAT_SHAPES = [
  "M12 3a9 9 0 1 1 0 18a9 9 0 0 1 0-18z",
  "M12 2.6L22 20.4H2z",
  "M4 4h16v16H4z",
  "M12 1.6L22 12L12 22.4L2 12z",
  "M12 1.8l3 6.6l7.2.8l-5.4 4.9l1.5 7.1L12 17.6l-6.3 3.6l1.5-7.1L1.8 9.2L9 8.4z",
  "M12 2l10 7.3l-3.8 11.7H5.8L2 9.3z",
];

/** The same shapes as text, for titles and lists. */
export const SEAT_SIGNS = ["●", "▲", "■", "◆", "★", "⬟"];

/**
 * The mark of a seat: its shape in its colour.
 * @param {number} seat
 */
export function seatMark(seat) {
  return html`<svg class="seat-mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
    <path d=${SEAT_SHAPES[seat % 6]} fill="var(--seat-${seat % 6})" />
  </svg>`;
}

/** Where the pips of a six-sided die are, in a square of 3 by 3. */
const PIPS = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];

/**
 * The pips of a face; none where it is no face of a six-sided die.
 * @param {number} face
 * @param {number} middle of the die, across and down
 * @param {number} gap between pips
 * @param {number} radius
 */
export function pips(face, middle, gap, radius) {
  return (PIPS[face] ?? []).map((spot) => {
    const [across, down] = [(spot % 3) - 1, Math.floor(spot / 3) - 1];
    return svg`<circle cx=${middle + gap * across} cy=${middle + gap * down} r=${radius} />`;
  });
}

/** Outlines of the dice by their sides, in a box of 100, with the inner edges that make them solid. */
const BODIES = /** @type {Record<number, {body: string, edges: string, y: number, size: number}>} */ ({
  4: { body: "M50 8L94 86H6z", edges: "M50 8L50 62M50 62L94 86M50 62L6 86", y: 72, size: 30 },
  6: { body: "M20 8H80Q92 8 92 20V80Q92 92 80 92H20Q8 92 8 80V20Q8 8 20 8z", edges: "", y: 66, size: 46 },
  8: {
    body: "M50 4L92 38V62L50 96L8 62V38z",
    edges: "M50 4L18 66H82zM18 66L8 38M18 66L50 96L82 66L92 38",
    y: 56,
    size: 30,
  },
  12: {
    body: "M50 4L79 13L97 38V66L79 88L50 97L21 88L3 66V38L21 13z",
    edges: "M50 24L76 43L66 74H34L24 43zM50 24V4M76 43L97 38M66 74L79 88M34 74L21 88M24 43L3 38",
    y: 61,
    size: 32,
  },
});

/**
 * A die. Six-sided ones have pips, the others numbers.
 * @param {number} face the number shown; 0 is a blank die
 * @param {{sides?: 4 | 6 | 8 | 12, numbers?: boolean, fill?: string, ink?: string, label?: string}} [how]
 *   `fill` and `ink` are CSS colours, `label` another text than the number
 */
export function die(
  face,
  { sides = 6, numbers = false, fill = "var(--parchment)", ink = "var(--parchment-ink)", label = "" } = {},
) {
  const { body, edges, y, size } = BODIES[sides];
  const pipped = sides === 6 && !numbers && !label && face >= 1 && face <= 6;
  const text = label || (face > 0 ? String(face) : "");
  return html`<svg class="die" viewBox="0 0 100 100" aria-hidden="true">
    <path d=${body} fill=${fill} stroke=${ink} stroke-opacity=".55" stroke-width="3" stroke-linejoin="round" />
    ${edges ? svg`<path d=${edges} fill="none" stroke=${ink} stroke-opacity=".28" stroke-width="2" stroke-linejoin="round" />` : nothing}
    ${
      pipped
        ? svg`<g fill=${ink}>${pips(face, 50, 24, 8.6)}</g>`
        : svg`<text x="50" y=${y} text-anchor="middle" font-size=${text.length > 2 ? size * 0.7 : size} font-weight="700"
          font-family="var(--display)" fill=${ink}>${text}</text>`
    }
  </svg>`;
}

/** The back of a card: an eight-pointed star over a lattice. */
export function cardBack() {
  return html`<svg class="card-back" viewBox="0 0 70 100" aria-hidden="true">
    <rect x="1.5" y="1.5" width="67" height="97" rx="8" fill="#2f2769" stroke="#d9a441" stroke-width="3" />
    <rect x="8" y="8" width="54" height="84" rx="5" fill="none" stroke="#d9a441" stroke-opacity=".55" />
    <path d="M8 8L62 92M62 8L8 92M35 8V92M8 50H62" stroke="#d9a441" stroke-opacity=".22" />
    <path
      d="M35 26l5.2 11.4L52 32l-5.4 11.8L58 50l-11.4 6.2L52 68l-11.8-5.4L35 74l-5.2-11.4L18 68l5.4-11.8L12 50l11.4-6.2L18 32l11.8 5.4z"
      fill="#d9a441"
    />
    <circle cx="35" cy="50" r="7" fill="#2f2769" />
  </svg>`;
}

/**
 * A rune stone with a number or a sign, or its back.
 * @param {string | number} [face] nothing for the back
 * @param {string} [fill] a CSS colour
 */
export function stone(face = "", fill = "var(--parchment)") {
  const back = face === "";
  return html`<svg class="stone" viewBox="0 0 80 100" aria-hidden="true">
    <path
      d="M40 4C62 4 74 20 75 46C76 74 64 96 40 96C16 96 4 74 5 46C6 20 18 4 40 4z"
      fill=${back ? "#4b4390" : fill}
      stroke=${back ? "#d9a441" : "var(--parchment-ink)"}
      stroke-opacity=".7"
      stroke-width="3"
    />
    ${
      back
        ? svg`<path d="M40 28l6 15l16 1l-12 10l4 16l-14-9l-14 9l4-16l-12-10l16-1z" fill="#d9a441" fill-opacity=".8" />`
        : svg`<text x="40" y="65" text-anchor="middle" font-size="46" font-weight="700" font-family="var(--display)"
          fill="var(--parchment-ink)">${face}</text>`
    }
  </svg>`;
}

/**
 * A heart, full or only its outline.
 * @param {boolean} [full]
 */
export function heart(full = true) {
  return html`<svg class="heart" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
    <path
      d="M12 20.5C5 15.4 2.2 11.9 2.2 8.4A5.2 5.2 0 0 1 12 6a5.2 5.2 0 0 1 9.8 2.4c0 3.5-2.8 7-9.8 12.1z"
      fill=${full ? "#e0443c" : "none"}
      stroke=${full ? "#7a1511" : "currentColor"}
      stroke-width="1.5"
    />
  </svg>`;
}

/**
 * A cut gem.
 * @param {string} [fill] a CSS colour
 */
export function gem(fill = "#2f7de0") {
  return html`<svg class="gem" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
    <path d="M6 3h12l4.5 6.5L12 22L1.5 9.5z" fill=${fill} stroke="#0006" />
    <path
      d="M6 3l2.5 6.5L12 3l3.5 6.5L18 3M1.5 9.5h21M8.5 9.5L12 22l3.5-12.5"
      fill="none"
      stroke="#fff"
      stroke-opacity=".55"
    />
  </svg>`;
}

/**
 * A round token with a sign in it, bright when ready and hollow when spent.
 * @param {string} sign
 * @param {boolean} [ready]
 */
export function token(sign, ready = true) {
  return html`<svg class="token" viewBox="0 0 40 40" width="32" height="32" aria-hidden="true">
    <circle
      cx="20"
      cy="20"
      r="18"
      fill=${ready ? "#e7bb62" : "none"}
      stroke=${ready ? "#7a5310" : "currentColor"}
      stroke-width="2.5"
      stroke-dasharray=${ready ? "0" : "4 4"}
    />
    <text x="20" y="27" text-anchor="middle" font-size="19" font-weight="700" fill=${ready ? "#2a1c02" : "currentColor"}>
      ${sign}
    </text>
  </svg>`;
}

/**
 * The numbers from 0 to n - 1.
 * @param {number} n
 */
export const range = (n) => Array.from({ length: n }, (_, i) => i);

/** @param {number[]} row */
export const sum = (row) => row.reduce((all, one) => all + one, 0);

/** @param {{names: string[]}} scene @param {number} seat */
export const nameOf = ({ names }, seat) => names[seat] ?? "";

/**
 * The seats as one sees them: the own first, then in the order of play.
 * @param {{seat: number | null, seats: number}} scene
 */
export function around({ seat, seats }) {
  return range(seats).map((step) => ((seat ?? 0) + step) % seats);
}

/**
 * A piece that can be played now is a button; one that somebody may miss tells why not; any other is only there to see.
 * @param {{moves: Map<number, string>, play: (move: number) => void, why?: (move: number) => void}} scene
 * @param {number} move
 * @param {string} look its classes
 * @param {unknown} inside
 * @param {string} [missed] the words of a piece that somebody may miss
 */
export function piece(scene, move, look, inside, missed = "") {
  const why = scene.why;
  if (scene.moves.has(move)) {
    return html`<button type="button" class="piece lit ${look}" aria-label=${scene.moves.get(move)}
      @click=${() => scene.play(move)}>${inside}</button>`;
  }
  if (!missed || !scene.moves.size || !why) return html`<div class=${look}>${inside}</div>`;
  return html`<button type="button" class="piece dim ${look}" aria-label=${missed} @click=${() => why(move)}>${inside}</button>`;
}

/** @type {WeakMap<object, TemplateStringsArray>} */
const anews = new WeakMap();

/**
 * The content, made anew with each view: so its motion begins again when the same thing happens twice.
 * @param {object} view
 * @param {unknown} content
 */
export function anew(view, content) {
  let strings = anews.get(view);
  if (!strings) {
    const made = ["", ""];
    strings = /** @type {TemplateStringsArray} */ (/** @type {unknown} */ (Object.assign(made, { raw: made })));
    anews.set(view, strings);
  }
  return html(strings, content);
}
