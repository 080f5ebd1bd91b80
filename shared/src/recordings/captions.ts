/** A transcript as WebVTT, which players show beside the audio. Pure. */
import type { RecordedWords } from "../contracts/http/recordings.ts";
import { oneLine } from "../platform/one-line.ts";

export function toWebVtt(entries: readonly RecordedWords[]): string {
  return joinCues(entries.map(toCue));
}

export function toCue({ speaker, agent, text, start_ms: startMs, end_ms: endMs }: RecordedWords): string {
  const voice = escape(agent ?? speaker);
  // Typed text takes no time, but a cue needs a duration.
  return `${timestamp(startMs)} --> ${timestamp(Math.max(endMs, startMs + 1))}\n<v ${voice}>${escape(text)}\n`;
}

export function joinCues(cues: readonly string[]): string {
  return ["WEBVTT\n", ...cues].join("\n");
}

/** Line ends would end the cue, and `-->` would begin the next one. */
function escape(text: string): string {
  return oneLine(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function timestamp(ms: number): string {
  const part = (value: number, digits: number): string => String(Math.floor(value)).padStart(digits, "0");
  return `${part(ms / 3_600_000, 2)}:${part((ms / 60_000) % 60, 2)}:${part((ms / 1000) % 60, 2)}.${part(ms % 1000, 3)}`;
}
