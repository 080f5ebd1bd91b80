/** The transcript on the terminal while the call goes on: one line for each thing said or done. */
import type { ServerMessage } from "@voice/shared/contracts/stream/server-message";
import { oneLine } from "@voice/shared/platform/one-line";

import { finalAgentText, finalUserText, finishedToolCall, handoff } from "./reply.ts";

const maxValueCharacters = 160;

export interface TranscriptLine {
  readonly label: string;
  readonly text: string;
}

export function transcriptLines(message: ServerMessage): TranscriptLine[] {
  return [
    ...finalUserText(message).map((text) => ({ label: "heard", text })),
    ...finishedToolCall(message).map(({ name, args, result, status }) => ({
      label: status === "error" ? "tool error" : "tool",
      text: `${name}(${shorten(args)}) → ${shorten(result)}`,
    })),
    ...handoff(message).map(({ from, to, type }) => ({ label: "handoff", text: `${from} → ${to} (${type})` })),
    ...finalAgentText(message).map(({ agent, text, interrupted }) => ({
      label: agent,
      text: interrupted ? `${text} (interrupted)`.trimStart() : text,
    })),
    ...eventLines(message),
  ];
}

/** The line after an answer, which says how long the caller waited for it. */
export function latencyLine(firstAudioMs: number | undefined): TranscriptLine {
  const text =
    firstAudioMs === undefined
      ? "answered without audio"
      : `first audio ${Math.round(firstAudioMs)} ms after you stopped`;
  return { label: "latency", text };
}

export function formatLine(sinceStartMs: number, { label, text }: TranscriptLine): string {
  return `${(sinceStartMs / 1000).toFixed(2).padStart(7)}  ${label.padEnd(12)}  ${oneLine(text)}`;
}

function eventLines(message: ServerMessage): TranscriptLine[] {
  if (message.type === "error")
    return [{ label: "error", text: `${message.payload.code}: ${message.payload.message}` }];
  if (message.type === "session")
    return [
      {
        label: "connected",
        text: `${message.payload.agent} · ${message.payload.scenario} · ${message.payload.sample_rate / 1000} kHz · ${message.session_id}`,
      },
    ];
  if (message.type !== "event") return [];
  if (message.payload.name === "barge_in")
    return [{ label: "barge-in", text: `the agent stopped talking (${message.payload.reason})` }];
  if (message.payload.name === "session_ended") return [{ label: "ended", text: message.payload.reason }];
  return [];
}

function shorten(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
  return text.length <= maxValueCharacters ? text : `${text.slice(0, maxValueCharacters - 1)}…`;
}
