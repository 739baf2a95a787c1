/**
 * Markdown as the rules pages use it, straight into templates: headings, paragraphs, lists, tables, code, bold, italics,
 * links. No HTML passes through, so a page cannot bring any. Rule ids such as XY-3 become anchors in the first cell of
 * a table and links everywhere else.
 */

import { html, nothing } from "lit-html";

const RULE = /^[A-Z]{2}-[a-z]?\d*[a-z]?$/;
const INLINE = /(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*|\[[^\]]+\]\([^)\s]+\)|\b[A-Z]{2}-(?:\d+|[a-z]\d*)\b)/;

/**
 * @param {string} text
 * @param {Set<string>} ids rule ids that have an anchor on this page
 * @returns {unknown[]}
 */
function inline(text, ids) {
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

/**
 * @param {string} source
 * @param {number} [top] the level of the highest heading
 */
export function markdown(source, top = 1) {
  const lines = source.replaceAll("\r", "").split("\n");
  const ids = new Set(
    lines
      .filter((line) => line.startsWith("|"))
      .map((line) => cells(line)[0])
      .filter((cell) => RULE.test(cell)),
  );
  const blocks = [];
  let i = 0;
  while (i < lines.length) {
    const line = lines[i];
    const title = /^(#{1,4}) +(.*)$/.exec(line);
    if (!line.trim()) i++;
    else if (title) {
      blocks.push(heading(Math.min(4, title[1].length + top - 1), title[2], ids));
      i++;
    } else if (line.startsWith("```")) {
      const end = lines.indexOf("```", i + 1) < 0 ? lines.length : lines.indexOf("```", i + 1);
      blocks.push(html`<pre tabindex="0"><code>${lines.slice(i + 1, end).join("\n")}</code></pre>`);
      i = end + 1;
    } else if (line.startsWith("|")) {
      const rows = [];
      while (i < lines.length && lines[i].startsWith("|")) rows.push(cells(lines[i++]));
      blocks.push(grid(rows, ids));
    } else if (/^( {4}|\t)/.test(line)) {
      const code = [];
      while (
        i < lines.length &&
        (/^( {4}|\t)/.test(lines[i]) || (!lines[i].trim() && /^( {4}|\t)/.test(lines[i + 1] ?? "")))
      )
        code.push(lines[i++].slice(4));
      blocks.push(html`<pre tabindex="0"><code>${code.join("\n")}</code></pre>`);
    } else if (/^([-*]|\d+\.) /.test(line)) {
      const numbered = /^\d/.test(line);
      /** @type {string[]} */
      const items = [];
      while (i < lines.length && (/^([-*]|\d+\.) /.test(lines[i]) || /^\s+\S/.test(lines[i]))) {
        if (/^([-*]|\d+\.) /.test(lines[i])) items.push(lines[i].replace(/^([-*]|\d+\.) /, ""));
        else items[items.length - 1] += ` ${lines[i].trim()}`;
        i++;
      }
      const rows = items.map((item) => html`<li>${inline(item, ids)}</li>`);
      blocks.push(
        numbered
          ? html`<ol>
              ${rows}
            </ol>`
          : html`<ul>
              ${rows}
            </ul>`,
      );
    } else {
      const parts = [];
      while (i < lines.length && lines[i].trim() && !/^(#{1,4} |\||```|[-*] |\d+\. )/.test(lines[i]))
        parts.push(lines[i++]);
      blocks.push(html`<p>${inline(parts.join(" "), ids)}</p>`);
    }
  }
  return blocks;
}

/** @param {number} level @param {string} text @param {Set<string>} ids */
function heading(level, text, ids) {
  const words = inline(text, ids);
  const id = slug(text);
  if (level === 1) return html`<h1 id=${id}>${words}</h1>`;
  if (level === 2) return html`<h2 id=${id}>${words}</h2>`;
  return level === 3 ? html`<h3 id=${id}>${words}</h3>` : html`<h4 id=${id}>${words}</h4>`;
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
