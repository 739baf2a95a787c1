/** A running or finished game: banner, the game's table, the moves, and beside it rules, news, chat and the table's menu. */

import { html, nothing } from "lit-html";
import { fields } from "./fields.js";
import { arrow, proof, replay, result, listed } from "./finished.js";
import { chairWords, linkField } from "./gathering.js";
import { seatMark } from "./pieces.js";
import { ruling, slams } from "./race.js";
import { redraw } from "./router.js";
import { change, settings } from "./settings.js";
import { MOVE_KEYS } from "./table.js";
import { say } from "./words.js";

/** @typedef {import("./table.js").Visit} Visit */
/** @typedef {import("./line.js").Line} Line */

const NEWS_SHOWN = 60;

/** @param {Visit} visit */
export function playing(visit) {
  const line = /** @type {Line} */ (visit.line);
  const table = /** @type {import("./line.js").TableNews} */ (visit.table);
  const next = visit.next;
  const over = line.over || table.state === "over";
  const ended = over || table.state === "closed";
  return html`<h1 class="sr">${table.title}</h1>
    <div class="play">
      <div class="play-main">
        ${banner(visit, over, next !== null)}
        ${visit.problem ? html`<p class="notice bad" role="alert">${visit.problem}</p>` : nothing}
        ${next === null ? html`
          ${line.seat !== null && table.chairs[line.seat].away && !over ? html`<p class="notice">${say("away")}
            <button class="button small main" @click=${() => visit.sit(Number(line.seat), visit.nameOf(Number(line.seat)))}>${say("away_back")}</button></p>` : nothing}
          ${visit.guide?.draw(line) ?? nothing}
          ${over && visit.at === null ? result(visit) : nothing}
          ${stage(visit)}
          ${ended ? nothing : line.window.open ? slams(visit) : moves(visit)}
          ${ruling(visit)}` : curtain(visit, next)}
      </div>
      <div class="play-side">
        ${seatList(visit)}
        ${next === null ? html`
          ${ended ? html`${replay(visit)}${proof(visit)}` : nothing}
          ${news(visit)}
          ${ended ? nothing : rulesNow(visit)}` : nothing}
        ${chat(visit)}
        ${menu(visit, over)}
      </div>
    </div>`;
}

/** The game's own table; if it fails to draw a position, the fields of the view, so that the game can go on. @param {Visit} visit */
function stage(visit) {
  const scene = visit.scene;
  let drawn;
  if (!scene || !visit.kit) drawn = html`<p>${say("loading")}</p>`;
  else {
    try {
      drawn = visit.kit.draw(scene);
    } catch (error) {
      console.error(error);
      drawn = fields(scene);
    }
  }
  return html`<section class="felt" aria-labelledby="felt"><h2 id="felt" class="sr">${say("table_label")}</h2>${drawn}</section>`;
}

/** @param {Visit} visit @param {boolean} over @param {boolean} hidden what happened stays behind the curtain */
function banner(visit, over, hidden) {
  const line = /** @type {Line} */ (visit.line);
  const table = /** @type {import("./line.js").TableNews} */ (visit.table);
  if (visit.at !== null) {
    const moment = visit.moments[visit.at];
    const sentence = (moment.frame.news ?? []).map(([, , words]) => words).join(" ");
    return html`<div class="banner back"><div class="banner-text"><p class="who">${say("banner_back", { ply: moment.frame.ply, last: line.ply })}</p><p>${sentence || moment.frame.question || ""}</p></div>
      <div class="actions"><button class="button small" aria-label=${say("replay_back")} @click=${() => visit.step(-1)}>${arrow("replay_back")}</button>
        <button class="button small" aria-label=${say("replay_on")} @click=${() => visit.step(1)}>${arrow("replay_on")}</button>
        <button class="button small main" @click=${() => (visit.open ? visit.setOpen(false) : visit.look(null))}>${say("back_now")}</button></div></div>`;
  }
  const asked = line.asked;
  const mine = line.moves.size > 0 && table.state === "playing";
  let who = say("banner_chance");
  if (over) who = say("banner_over");
  else if (table.state === "paused") who = say("banner_paused");
  else if (table.state === "closed") who = table.reason || say("reason_closed");
  else if (table.state === "frozen") who = table.reason || say("reason_frozen");
  else if (line.turn === -4) who = say("banner_anyone");
  else if (mine) who = say("banner_you");
  else if (asked.length) who = say("banner_turn", { name: listed(asked.map((seat) => visit.nameOf(seat))) });
  const latest = line.last.map(([, , sentence]) => sentence).filter(Boolean).slice(-3).join(" ");
  return html`<div class="banner ${over ? "ended" : mine && line.turn !== -4 ? "mine" : ""}">
    ${asked.length === 1 && !over ? html`<span class="banner-mark">${seatMark(asked[0])}</span>` : nothing}
    <div class="banner-text"><p class="who">${who}</p><p>${over ? latest : line.question}</p></div>
    ${line.holding ? html`<button class="button small main" data-go-on @click=${() => line.goOn()}>${say("go_on")}</button>` : clock(line)}</div>
    ${latest && !over && !hidden ? html`<p class="latest">${latest}</p>` : nothing}`;
}

/** @param {Line} line */
function clock(line) {
  if (line.until === null) return nothing;
  const left = Math.max(0, Math.round((line.until - performance.now()) / 1000));
  const time = left >= 172800 ? `${Math.round(left / 86400)} d` : left >= 7200 ? `${Math.round(left / 3600)} h` : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  return html`<p class="clock ${left < 10 ? "short" : ""}" role="timer" aria-live="off">${say("time_left", { time })}</p>`;
}

/** @param {Visit} visit */
function moves(visit) {
  const line = /** @type {Line} */ (visit.line);
  const legal = [...visit.scene?.moves ?? []];
  const chances = new Map((line.thoughts?.moves ?? []).map(([move, chance, error]) => [move, { chance, error }]));
  const best = Math.max(0, ...[...chances.values()].map(({ chance }) => chance));
  const undo = visit.table?.undo;
  return html`<section id="moves-bar" tabindex="-1" class="moves ${legal.length ? "asked" : ""}" aria-labelledby="moves">
    <h2 id="moves" class="sr">${say("moves_title")}</h2>
    ${line.refusal ? html`<p class="notice bad" role="alert">${line.refusal.sentence}${line.refusal.rule ? html` <a href="/rules/${visit.table?.game}#${line.refusal.rule}" target="_blank">${line.refusal.rule}</a>` : nothing}</p>` : nothing}
    ${undo ? undoRow(visit, undo) : nothing}
    <div class="move-list">${legal.length && !settings.list ? nothing : legal.length ? legal.map(([move, words], i) => {
      const thought = chances.get(move);
      return html`<button class="move button ${thought && thought.chance === best ? "best" : ""}" data-move=${move} ?disabled=${line.waiting} @click=${() => visit.play(move)}>
        ${MOVE_KEYS[i] ? html`<kbd aria-hidden="true">${MOVE_KEYS[i]}</kbd>` : nothing}<span class="move-words">${words}</span>
        ${thought ? html`<span class="chance"><span class="bar" .style=${`--part: ${thought.chance}`}></span>${say("hint_chance", { percent: Math.round(thought.chance * 100) })}</span>` : nothing}</button>`;
    }) : html`<p class="soft idle">${visit.at !== null ? nothing : line.seat === null ? say("moves_watch") : say("moves_none")}</p>`}${moveActions(visit, legal.length > 0)}</div>
    ${line.thoughts?.lines.length ? html`<div class="thoughts"><h3>${say("hint_title")}</h3>${line.thoughts.lines.map((sentence) => html`<p>${sentence}</p>`)}</div>` : nothing}
  </section>`;
}

/** @param {Visit} visit @param {boolean} asked */
function moveActions(visit, asked) {
  const line = /** @type {Line} */ (visit.line);
  if (line.seat === null || line.turn === -4 || visit.at !== null || visit.table?.state !== "playing") return nothing;
  const hint = () => {
    visit.thinking = true;
    line.send({ t: "hint", ply: line.ply });
    redraw();
  };
  return html`<div class="actions">
    ${visit.table.hints && asked ? html`<button class="button small" ?disabled=${visit.thinking} @click=${hint}>${visit.thinking ? say("hint_wait") : say("hint")}</button>` : nothing}
    <button class="button small plain" @click=${() => line.send({ t: "undo", ply: line.ply })}>${say("undo")}</button>
    ${asked ? html`<button class="button small plain" aria-expanded=${settings.list ? "true" : "false"} @click=${() => { change({ list: !settings.list }); redraw(); }}>
      ${settings.list ? say("moves_hide") : say("moves_show", { n: line.moves.size })}</button>` : nothing}</div>`;
}

/** @param {Visit} visit @param {import("./line.js").Undo} undo */
function undoRow(visit, undo) {
  const line = /** @type {Line} */ (visit.line);
  if (line.seat !== null && undo.waits_for.includes(line.seat)) {
    return html`<div class="notice" role="status"><p>${say("undo_asked", { name: visit.nameOf(undo.by) })}</p><div class="actions">
      <button class="button small main" @click=${() => line.send({ t: "agree", yes: true })}>${say("agree")}</button>
      <button class="button small" @click=${() => line.send({ t: "agree", yes: false })}>${say("disagree")}</button></div></div>`;
  }
  return undo.by === line.seat ? html`<p class="notice" role="status">${say("undo_waiting", { names: listed(undo.waits_for.map((seat) => visit.nameOf(seat))) })}</p>` : nothing;
}

/** @param {Visit} visit @param {number} next */
function curtain(visit, next) {
  const name = visit.nameOf(next);
  return html`<section class="curtain" aria-labelledby="curtain"><span class="curtain-mark">${seatMark(next)}</span>
    <h2 id="curtain">${say("curtain", { name })}</h2><p>${say("curtain_text", { name, other: visit.nameOf(Number(visit.active)) })}</p>
    <button class="button main big" @click=${() => { visit.active = next; visit.moments = []; visit.at = null; redraw(); }}>${say("curtain_go", { name })}</button></section>`;
}

/** @param {Visit} visit */
function seatList(visit) {
  const line = /** @type {Line} */ (visit.line);
  const table = /** @type {import("./line.js").TableNews} */ (visit.table);
  return html`<ul class="seat-list" aria-label=${say("gather_chairs")}>${table.chairs.map((chair, seat) => html`<li class="${line.asked.includes(seat) && !line.over ? "asked" : ""}">
    ${seatMark(seat)}<span><strong>${visit.nameOf(seat)}</strong> <span class="soft small">${chairWords(visit, seat)}</span></span></li>`)}
    ${table.watching ? html`<li class="soft small">${say("watching", { n: table.watching })}</li>` : nothing}</ul>`;
}

/** @param {Visit} visit */
function news(visit) {
  const line = /** @type {Line} */ (visit.line);
  const all = visit.moments.length > 1 && visit.moments[visit.moments.length - 1].frame.ply >= line.ply
    ? visit.moments.flatMap(({ frame }) => (frame.news ?? []).map((row) => [row[0], row[1], row[2], frame.ply])) : line.news;
  const told = all.filter(([, , sentence]) => sentence);
  const looked = visit.at === null ? -1 : visit.moments[visit.at].frame.ply;
  const rows = visit.moments.length ? told : told.slice(-NEWS_SHOWN);
  return html`<section class="card news" aria-labelledby="news"><h2 id="news">${say("news_title")}</h2>
    <ol class="news-list" tabindex="0" aria-labelledby="news">${[...rows].reverse().map(([who, , sentence, ply]) => html`<li>
      <button class=${ply === looked ? "looked" : ""} aria-label=${say("news_look", { sentence })} aria-current=${ply === looked ? "true" : nothing} @click=${() => visit.look(ply)}>
        ${who >= 0 ? seatMark(who) : html`<span class="chance-mark" aria-hidden="true">⚄</span>`}<span>${sentence}</span></button></li>`)}</ol>
    ${visit.moments.length || line.ply < 2 ? nothing : html`<button class="button plain small" @click=${() => visit.remember()}>${say("news_all")}</button>`}</section>`;
}

/** @param {Visit} visit */
function rulesNow(visit) {
  const line = /** @type {Line} */ (visit.line);
  const rules = visit.game?.rules ?? {};
  const game = visit.table?.game;
  return html`<details class="card" open><summary><h2>${say("rules_now")}</h2></summary>
    <dl class="rules-now">${line.rules.map((id) => html`<div><dt><a href="/rules/${game}#${id}" target="_blank">${id}</a></dt><dd>${rules[id] ?? ""}</dd></div>`)}</dl>
    <p><a href="/rules/${game}" target="_blank">${say("rules_all", { title: visit.table?.title })}</a></p></details>`;
}

/** @param {Visit} visit */
function chat(visit) {
  const line = /** @type {Line} */ (visit.line);
  const send = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const field = /** @type {HTMLInputElement} */ (/** @type {HTMLFormElement} */ (event.target).elements.namedItem("say"));
    if (field.value.trim()) line.send({ t: "chat", text: field.value.trim() });
    field.value = "";
  };
  return html`<section class="card chat" aria-labelledby="chat"><div class="card-head"><h2 id="chat">${say("chat_title")}</h2>
      <button class="button plain small" @click=${() => { visit.muted = !visit.muted; redraw(); }}>${visit.muted ? say("chat_unmute") : say("chat_mute")}</button></div>
    ${visit.muted ? html`<p class="soft small">${say("chat_muted")}</p>` : html`
      <ul class="chat-list" aria-live="polite" tabindex="0" aria-labelledby="chat">${line.chat.length ? line.chat.slice(-50).map(({ seat, name, text }) =>
        html`<li>${seat === null ? nothing : seatMark(seat)}<span><strong>${name}</strong> ${text}</span></li>`) : html`<li class="soft small">${say("chat_none")}</li>`}</ul>
      ${line.seat === null ? html`<p class="soft small">${say("chat_watch")}</p>` : html`<form class="chat-form" @submit=${send}>
        <input name="say" type="text" maxlength="300" autocomplete="off" aria-label=${say("chat_say")} placeholder=${say("chat_say")}><button class="button small">${say("chat_send")}</button></form>`}`}</section>`;
}

/**
 * A button that asks once more before it does something that cannot be taken back.
 * @param {Visit} visit
 * @param {string} key
 * @param {string} label
 * @param {string} question
 * @param {() => void} does
 */
function sure(visit, key, label, question, does) {
  if (visit.sure !== key) return html`<button class="button small danger" @click=${() => { visit.sure = key; redraw(); }}>${label}</button>`;
  return html`<span class="sure" role="group" aria-label=${question}><span>${question}</span>
    <button class="button small danger" @click=${() => { visit.sure = ""; does(); redraw(); }}>${say("yes")}</button>
    <button class="button small" @click=${() => { visit.sure = ""; redraw(); }}>${say("no")}</button></span>`;
}

/** @param {Visit} visit @param {boolean} over */
function menu(visit, over) {
  const line = /** @type {Line} */ (visit.line);
  const table = /** @type {import("./line.js").TableNews} */ (visit.table);
  const seated = line.seat !== null;
  const running = !over && ["playing", "paused"].includes(table.state);
  const others = visit.mine.filter((seat) => seat !== visit.active);
  const mark = line.seat === null ? "" : `?seat=${line.seat}`;
  return html`<details class="card menu"><summary><h2>${say("more")}</h2></summary><div class="form">
    ${others.map((seat) => html`<button class="button small" @click=${() => { visit.active = seat; visit.moments = []; visit.at = null; redraw(); }}>${say("curtain_switch", { name: visit.nameOf(seat) })}</button>`)}
    ${over ? nothing : html`<a class="button small" href="/api/tables/${visit.name}/record${mark}" download="${table.game}-${visit.name}.txt">${say("download")}</a>`}
    ${visit.host && running ? html`<button class="button small" @click=${() => line.send({ t: "pause", on: table.state !== "paused" })}>${table.state === "paused" ? say("unpause") : say("pause")}</button>
      ${table.chairs.map((chair, seat) => (chair.kind === "person" && !visit.mine.includes(seat)
        ? sure(visit, `kick${seat}`, say("kick", { name: chair.name }), say("kick_sure", { name: chair.name }), () => line.send({ t: "kick", seat })) : nothing))}
      ${sure(visit, "close", say("close_table"), say("close_sure"), () => line.send({ t: "close" }))}` : nothing}
    ${seated && running ? html`${sure(visit, "rise", say("leave_seat"), say("leave_seat"), () => visit.rise(Number(line.seat)))}
      ${sure(visit, "resign", say("resign"), say("resign_sure"), () => line.send({ t: "resign" }))}` : nothing}
    ${linkField(visit, "table", say("gather_invite"), `${location.origin}/t/${visit.name}`)}
    ${table.personal ? html`<p class="soft small">${say("personal_text")}</p>${linkField(visit, "personal", say("personal"), new URL(table.personal, location.origin).href)}` : nothing}
    <p class="soft small">${say("dice_fingerprint")}: <code class="hash">${table.commitment}</code></p>
  </div></details>`;
}
