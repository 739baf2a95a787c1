/**
 * Markdown as the rules pages use it, straight into templates: headings, paragraphs, lists, tables, code, bold, italics,
 * links. No HTML passes through, so a page cannot bring any. Rule ids such as XY-3 become anchors in the first cell of
 * a table and links everywhere else.
 */

import { html, nothing } from "lit-html";

const RULE = /^[A-Z]{2}-[a-z]?\d*[a-z]?$/;
const INLINE = /(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*|\[[^\]]+\]\([^)\s]+\)|\b[A-Z]{2}-(?:\d+|[a-z]\d*)\b)/;

/**
 * A line of text: code, bold, italics, links.
 * @param {string} text
 * @param {Set<string>} [ids] rule ids that have an anchor on this page
 * @returns {unknown[]}
 */
export function inline(text, ids = new Set()) {
  return text.split(INLINE).map((part, i) => {
    if (i % 2 === 0) return part;
    if (part.startsWith("`")) return html`<code>${part.slice(1, -1)}</code>`;
    if (part.startsWith("**")) return html`<strong>${inline(part.slice(2, -2), ids)}</strong>`;
    if (part.startsWith("*")) return html`<em>${inline(part.slice(1, -1), ids)}</em>`;
    const link = /^\[([^\]]+)\]\(((?:https?:\/\/|\/|#)[^)\s]*)\)$/.exec(part);
    if (link) return html`<a href=${link[2]} rel="noopener noreferrer">${inline(link[1], ids)}</a>`;
    return ids.has(part) ? html`<a class="rule-id" href="#${part}">${part}</a>` : part;
  });
}

/** @param {string} line the cells of a table's row */
const cells = (line) =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));

/** @param {string} text */
const slug = (text) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

const ITEM = /^([-*]|\d+\.) /;
const INDENTED = /^( {4}|\t)/;

/** @typedef {{lines: string[], ids: Set<string>, top: number}} Reading the lines to come, rule ids, the highest heading */

/**
 * How each kind of block begins, and what reads it: it takes its lines from the front. The first that fits counts.
 * @type {[RegExp, (reading: Reading) => unknown][]}
 */
const BLOCKS = [
  [/^\s*$/, empty],
  [/^#{1,4} +/, heading],
  [/^```/, fence],
  [/^\|/, ({ lines, ids }) => grid(take(lines, (line) => line.startsWith("|")).map(cells), ids)],
  [INDENTED, indented],
  [ITEM, list],
  [/./, paragraph],
];

/**
 * @param {string} source
 * @param {number} [top] the level of the highest heading
 */
export function markdown(source, top = 1) {
  const lines = source.replaceAll("\r", "").split("\n");
  const firsts = lines.filter((line) => line.startsWith("|")).map((line) => cells(line)[0]);
  const reading = { lines, ids: new Set(firsts.filter((cell) => RULE.test(cell))), top };
  const blocks = [];
  while (lines.length) blocks.push(BLOCKS.find(([begins]) => begins.test(lines[0]))?.[1](reading));
  return blocks;
}

/**
 * Takes lines from the front as long as they fit.
 * @param {string[]} lines
 * @param {(line: string, next: string) => boolean} fits
 */
function take(lines, fits) {
  let n = 0;
  while (n < lines.length && fits(lines[n], lines[n + 1] ?? "")) n++;
  return lines.splice(0, n);
}

/** @param {Reading} reading */
function empty({ lines }) {
  lines.shift();
  return nothing;
}

/** @param {Reading} reading */
function heading({ lines, ids, top }) {
  const [, marks, text] = /** @type {RegExpExecArray} */ (/^(#{1,4}) +(.*)$/.exec(lines.shift() ?? ""));
  const level = Math.min(4, marks.length + top - 1);
  const inside = inline(text, ids);
  const id = slug(text);
  if (level === 1) return html`<h1 id=${id}>${inside}</h1>`;
  if (level === 2) return html`<h2 id=${id}>${inside}</h2>`;
  return level === 3 ? html`<h3 id=${id}>${inside}</h3>` : html`<h4 id=${id}>${inside}</h4>`;
}

/** @param {string[]} lines */
const code = (lines) => html`<pre tabindex="0"><code>${lines.join("\n")}</code></pre>`;

/** @param {Reading} reading */
function fence({ lines }) {
  lines.shift();
  const inside = take(lines, (line) => line !== "```");
  lines.shift();
  return code(inside);
}

/** @param {Reading} reading */
function indented({ lines }) {
  const inside = take(lines, (line, next) => INDENTED.test(line) || (!line.trim() && INDENTED.test(next)));
  return code(inside.map((line) => line.slice(4)));
}

/** @param {Reading} reading */
function list({ lines, ids }) {
  const numbered = /^\d/.test(lines[0]);
  /** @type {string[]} */
  const items = [];
  for (const line of take(lines, (one) => ITEM.test(one) || /^\s+\S/.test(one))) {
    if (ITEM.test(line)) items.push(line.replace(ITEM, ""));
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  const rows = items.map((item) => html`<li>${inline(item, ids)}</li>`);
  return numbered ? html`<ol>${rows}</ol>` : html`<ul>${rows}</ul>`;
}

/** @param {Reading} reading */
function paragraph({ lines, ids }) {
  const first = lines.shift() ?? "";
  const more = take(lines, (line) => line.trim() !== "" && !/^(#{1,4} |\||```|[-*] |\d+\. )/.test(line));
  return html`<p>${inline([first, ...more].join(" "), ids)}</p>`;
}

/** @param {string[][]} rows @param {Set<string>} ids */
function grid(rows, ids) {
  const headed = rows.length > 1 && rows[1].every((cell) => /^:?-+:?$/.test(cell));
  const body = headed ? rows.slice(2) : rows;
  return html`<div class="wide" tabindex="0">
    <table>
      ${
        headed
          ? html`<thead>
              <tr>
                ${rows[0].map((cell) => (cell ? html`<th scope="col">${inline(cell, ids)}</th>` : html`<td></td>`))}
              </tr>
            </thead>`
          : nothing
      }
      <tbody>
        ${body.map(
          (row) =>
            html`<tr id=${RULE.test(row[0]) ? row[0] : nothing}>
              ${row.map((cell, i) =>
                i === 0 && RULE.test(cell)
                  ? html`<th scope="row"><a class="rule-id" href="#${cell}">${cell}</a></th>`
                  : html`<td>${inline(cell, ids)}</td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
