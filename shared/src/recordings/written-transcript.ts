/** A transcript from a conversation's history alone, for conversations that were not recorded. Pure. */
import type { z } from "zod";
import type { sessionState } from "../contracts/http/sessions.ts";
import type { SpokenLine, WrittenTranscript } from "../contracts/http/transcripts.ts";
import { oneLine } from "../platform/one-line.ts";

type SessionState = z.infer<typeof sessionState>;

/** How fast people speak. The history contains the time at which an utterance ended; its start is estimated from its length. */
const charactersPerSecond = 15;

export function writtenTranscript(session: SessionState): WrittenTranscript {
  const startedMs = Date.parse(session.created_at);
  let beforeMs = 0;
  const entries: SpokenLine[] = [];
  for (const { role, content, agent, turn_id, timestamp, interrupted } of session.conversation_history) {
    if ((role !== "user" && role !== "assistant") || content === "") continue;
    const endMs = Math.max(beforeMs, Date.parse(timestamp) - startedMs);
    const startMs = Math.max(beforeMs, Math.round(endMs - (content.length / charactersPerSecond) * 1000));
    const speaker =
      role === "user" ? { speaker: "caller" as const, agent: null } : { speaker: "agent" as const, agent };
    entries.push({ ...speaker, text: content, start_ms: startMs, end_ms: endMs, turn_id, interrupted });
    beforeMs = endMs;
  }
  const { session_id, scenario, channel, created_at: started_at } = session;
  return { session_id, scenario, channel, started_at, entries };
}

/** For people: one line for each utterance. */
export function toPlainText({ session_id, scenario, started_at, entries }: WrittenTranscript): string {
  const lines = entries.map(({ start_ms: startMs, speaker, agent, text, interrupted }) => {
    const cut = interrupted ? " (interrupted)" : "";
    return `[${clockOf(startMs)}] ${agent ?? speaker}: ${oneLine(text)}${cut}`;
  });
  return `${[`${session_id}, ${scenario}, ${started_at}`, "", ...lines].join("\n")}\n`;
}

function clockOf(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return [seconds / 3600, (seconds / 60) % 60, seconds % 60]
    .map((part) => String(Math.floor(part)).padStart(2, "0"))
    .join(":");
}
