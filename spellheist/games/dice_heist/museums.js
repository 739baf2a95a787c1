/** The four museums of Dice Heist, drawn by their number. */

import { html, svg } from "lit-html";

/** The four houses at night; the windows are lit while something lies inside. */
export function facade(museum, lit) {
  const moon = [164, 30, 176, 26][museum];
  const stars = [[20, 12], [52, 22], [138, 10], [118, 5], [186, 34], [72, 9]];
  return html`<svg viewBox="0 0 200 92" class="dh-facade" aria-hidden="true" preserveAspectRatio="xMidYMax slice">
    <rect width="200" height="92" class="dh-night"/><circle cx=${moon} cy="16" r="7" class="dh-moon"/>
    ${stars.map(([x, y]) => svg`<circle cx=${x} cy=${y} r="0.9" class="dh-star"/>`)}
    ${[hermitage, metropolitan, british, louvre][museum](lit ? "dh-window dh-lamp" : "dh-window")}
    <path d="M14 84 H186 V88 H14 Z M8 88 H192 V92 H8 Z" class="dh-steps"/></svg>`;
}

/** Windows with round tops at these places. */
function arches(xs, y, w, h, look) {
  return xs.map((x) => svg`<path d="M${x} ${y + h} V${y + w / 2} a${w / 2} ${w / 2} 0 0 1 ${w} 0 V${y + h} Z" class=${look}/>`);
}

function columns(xs, y, h) {
  return xs.map((x) => svg`<rect x=${x} y=${y} width="5" height=${h} class="dh-column"/>`);
}

function hermitage(look) {
  const wings = [26, 42, 58, 134, 150, 166];
  return svg`<path d="M20 38 H180 V84 H20 Z M74 30 H126 V84 H74 Z" class="dh-wall"/>
    <path d="M18 34 H182 V38 H18 Z M72 26 H128 V30 H72 Z" class="dh-column"/>
    <path d="M84 26 Q100 12 116 26 Z" class="dh-roof"/><path d="M100 16 V6 l10 3 -10 3" class="dh-flag"/>
    ${[24, 42, 60, 140, 158, 176].map((x) => svg`<circle cx=${x} cy="31" r="2.5" class="dh-column"/>`)}
    ${arches(wings, 43, 8, 15, look)}${arches(wings, 64, 8, 16, look)}
    ${arches([80, 95, 110], 38, 10, 18, look)}${arches([93], 62, 14, 22, look)}`;
}

function metropolitan(look) {
  return svg`<path d="M16 46 H184 V84 H16 Z M50 30 H150 V84 H50 Z" class="dh-wall"/>
    <path d="M46 26 H154 V31 H46 Z M12 43 H50 V47 H12 Z M150 43 H188 V47 H150 Z" class="dh-column"/>
    ${columns([53, 60, 85, 92, 104, 111, 136, 143], 33, 51)}
    ${arches([67, 119], 44, 16, 40, look)}${arches([22, 34, 158, 170], 56, 8, 18, look)}
    <rect x="98" y="60" width="5" height="24" class=${look}/>
    ${[56, 88, 112, 144].map((x) => svg`<path d="M${x - 6} 26 L${x} 18 L${x + 6} 26 Z" class="dh-roof"/>`)}`;
}

function british(look) {
  return svg`<path d="M24 46 H176 V84 H24 Z" class="dh-wall"/><path d="M42 36 L100 10 L158 36 Z" class="dh-roof"/>
    <path d="M38 36 H162 V43 H38 Z M20 45 H180 V49 H20 Z" class="dh-column"/>
    <path d="M60 33 L100 15.5 L140 33 Z" class="dh-tympanum"/><path d="M38 49 H162 V84 H38 Z" class=${look}/>
    ${columns([38, 54, 70, 86, 109, 125, 141, 157], 46, 38)}${columns([25, 170], 49, 35)}`;
}

function louvre(look) {
  return svg`<path d="M10 44 H60 V84 H10 Z M140 44 H190 V84 H140 Z" class="dh-wall"/>
    <path d="M10 44 L16 28 H54 L60 44 Z M140 44 L146 28 H184 L190 44 Z" class="dh-roof"/>
    <path d="M8 42 H62 V46 H8 Z M138 42 H192 V46 H138 Z" class="dh-column"/>
    ${arches([17, 31, 45, 147, 161, 175], 52, 8, 22, look)}
    <path d="M100 18 L152 84 H48 Z" class="${look} dh-glass"/>
    <path d="M100 18 L74 84 M100 18 V84 M100 18 L126 84 M87 34.5 L126 84 M74 51 L100 84 M61 67.5 L74 84 M113 34.5 L74 84
      M126 51 L100 84 M139 67.5 L126 84" class="dh-wire"/>`;
}
