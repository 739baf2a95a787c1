/** Small sounds, made on the spot with WebAudio; silent until the reader switches them on. */

import { settings } from "./settings.js";

/** @type {AudioContext | null} */
let context = null;

/**
 * Notes as [hertz, start, length] in seconds, and how loud.
 * @type {Record<"turn" | "move" | "press" | "won" | "chat", {notes: [number, number, number][], loud: number, shape: OscillatorType}>}
 */
const SOUNDS = {
  turn: {
    notes: [
      [523, 0, 0.14],
      [784, 0.11, 0.24],
    ],
    loud: 0.12,
    shape: "sine",
  },
  move: { notes: [[196, 0, 0.06]], loud: 0.1, shape: "triangle" },
  press: {
    notes: [
      [110, 0, 0.12],
      [82, 0.02, 0.16],
    ],
    loud: 0.25,
    shape: "square",
  },
  won: {
    notes: [
      [523, 0, 0.18],
      [659, 0.13, 0.18],
      [784, 0.26, 0.2],
      [1047, 0.4, 0.5],
    ],
    loud: 0.12,
    shape: "sine",
  },
  chat: { notes: [[880, 0, 0.07]], loud: 0.06, shape: "sine" },
};

/** @param {keyof typeof SOUNDS} name */
export function sound(name) {
  if (!settings.sound) return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  const { notes, loud, shape } = SOUNDS[name];
  for (const [hertz, start, length] of notes) {
    const tone = new OscillatorNode(context, { type: shape, frequency: hertz });
    const gain = new GainNode(context, { gain: 0 });
    const from = context.currentTime + start;
    gain.gain.setValueAtTime(0, from);
    gain.gain.linearRampToValueAtTime(loud, from + 0.01);
    gain.gain.exponentialRampToValueAtTime(0.0001, from + length);
    tone.connect(gain).connect(context.destination);
    tone.start(from);
    tone.stop(from + length + 0.02);
  }
}
