/**
 * Reads what the service has sent. Lenient, as clients must be: an unknown type or event is `undefined`, so that a newer service does not
 * break an older page. A test holds the fields against the service's own schemas.
 */
import { parseJson } from "@voice/shared/platform/parse-json";
import type { ServerMessage, ServerMessageType, ServerPayloads } from "./messages.ts";

type Kind = "string" | "number" | "boolean" | "object" | "array";

/** What has to be there, and of which kind; whatever else comes is passed on. */
export type RequiredFields = Readonly<Record<string, Kind>>;

const handoff: RequiredFields = { from: "string", to: "string", type: "string" };
const response: RequiredFields = { text: "string", agent: "string", turn_id: "string", is_final: "boolean" };
/** The fields of a tool call. `result` is absent while there is none. */
const call: RequiredFields = { args: "object", status: "string" };

export const requiredFields: Readonly<Record<Exclude<ServerMessageType, "event">, RequiredFields>> = {
  audio: { data: "string", sample_rate: "number" },
  transcript: { text: "string", is_final: "boolean", speaker: "string" },
  response,
  agent_response: response,
  handoff,
  tool_call: { ...call, name: "string" },
  audio_levels: { input: "number", output: "number" },
  session: {
    session_id: "string",
    resumed: "boolean",
    streaming_mode: "string",
    sample_rate: "number",
    agent: "string",
    scenario: "string",
  },
  error: { code: "string", message: "string" },
  pong: {},
};

export const requiredOfEvents: Readonly<Record<ServerPayloads["event"]["name"], RequiredFields>> = {
  barge_in: { reason: "string" },
  false_interruption: {},
  handoff,
  language_changed: { language: "string" },
  tool_call: { ...call, tool: "string" },
  state_change: { state: "string", agent: "string" },
  playout_finished: { turn_id: "string" },
  turn_metrics: { turn_id: "string", metrics: "object" },
  call_update: { update: "string", status: "string" },
  fallback: { from: "string", to: "string", reason: "string" },
  transcription_failed: { reason: "string" },
  answer_cut: { turn_id: "string", cause: "string" },
  guardrail: { turn_id: "string", agent: "string", names: "array", action: "string" },
  tool_rounds_spent: { turn_id: "string", rounds: "number" },
  operator: { action: "string" },
  answered_by: { answered_by: "string", evidence: "string" },
  session_ended: { reason: "string" },
};

export function parseMessage(text: string): ServerMessage | undefined {
  const value = parseJson(text);
  return isMessage(value) ? value : undefined;
}

function isMessage(value: unknown): value is ServerMessage {
  if (!has(value, { type: "string", session_id: "string", timestamp: "string", payload: "object" })) return false;
  const type: unknown = Reflect.get(value, "type");
  const payload: unknown = Reflect.get(value, "payload");
  if (type === "event") {
    const name: unknown = has(payload, { name: "string" }) ? Reflect.get(payload, "name") : undefined;
    return isKey(requiredOfEvents, name) && has(payload, requiredOfEvents[name]);
  }
  return isKey(requiredFields, type) && has(payload, requiredFields[type]);
}

function isKey<T extends object>(table: T, name: unknown): name is keyof T {
  return typeof name === "string" && Object.hasOwn(table, name);
}

function has(value: unknown, fields: RequiredFields): value is object {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(fields).every(([name, kind]) => kindOf(Reflect.get(value, name)) === kind);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
