/**
 * Parses a client's text frame, once. Fields may stand beside `type` or in `payload`. The communication service's own form
 * `{"kind":"StopAudio"}` is accepted in either letter case, and so is its name as a `type`, because clients write that too.
 */
import { browserInput } from "@voice/shared/contracts/stream/browser-input";
import type { BrowserInput } from "@voice/shared/contracts/stream/browser-input";
import { isKnownLanguage, noSuchLanguage } from "@voice/shared/languages/language-tag";
import { timeZone } from "@voice/shared/config/kinds";
import { mayHoldMore } from "@voice/shared/platform/json-size";
import { z } from "zod";

const envelope = z.looseObject({
  type: z.string().optional(),
  kind: z.string().optional(),
  Kind: z.string().optional(),
  /** Our own messages have these fields, and clients that build theirs in the same way may send them. */
  session_id: z.unknown().optional(),
  timestamp: z.unknown().optional(),
  payload: z.record(z.string(), z.unknown()).optional(),
});

const knownTypes: ReadonlySet<string> = new Set(browserInput.options.map((option) => option.shape.type.value));

const configFields: ReadonlySet<string> = new Set(
  browserInput.options
    .filter((option) => option.shape.type.value === "config")
    .flatMap((option) => Object.keys(option.shape))
    .filter((name) => name !== "type"),
);

export type ParsedMessage =
  | { readonly ok: true; readonly input: BrowserInput }
  | { readonly ok: false; readonly problem: string };

const notJson = 'The message is not JSON. Typed words are sent as {"type":"text","text":"…"}.';

/** The limit for a message apart from its audio: a `config` that changes the voices of forty agents. */
const maxValues = 200;

export function parseClientMessage(text: string): ParsedMessage {
  if (mayHoldMore(text, maxValues))
    return { ok: false, problem: `The message holds too much: at most ${maxValues} values.` };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return { ok: false, problem: notJson };
    throw error;
  }
  const opened = envelope.safeParse(json);
  if (!opened.success) return { ok: false, problem: problemOf("message", opened.error) };
  const { payload, type: named, kind, Kind, session_id: _id, timestamp: _timestamp, ...flat } = opened.data;
  const type = toType(named ?? kind ?? Kind);
  if (type === undefined) return { ok: false, problem: "The message has no `type`." };
  if (!knownTypes.has(type))
    return { ok: false, problem: `Unknown message type. Known types: ${[...knownTypes].join(", ")}.` };
  const fields = { ...flat, ...payload };
  const parsed = browserInput.safeParse({ ...fields, type });
  if (!parsed.success) return { ok: false, problem: problemOf(type, parsed.error) };
  return parsed.data.type === "config"
    ? readConfig(parsed.data, Object.keys(fields))
    : { ok: true, input: parsed.data };
}

function problemOf(what: string, { issues: [issue] }: z.ZodError): string {
  const field = issue?.path.join(".") ?? "";
  if (field === "") return "The message must be a JSON object with a string `type`.";
  return `Invalid ${what}: ${field}: ${issue?.message ?? "invalid"}.`;
}

/** A misspelt setting would silently change nothing, so it is rejected; extra fields of other messages do no harm. */
function readConfig(input: Extract<BrowserInput, { type: "config" }>, given: readonly string[]): ParsedMessage {
  const misspelt = given.find((name) => !configFields.has(name));
  if (misspelt === undefined) return readPlace(input);
  return {
    ok: false,
    problem: `Invalid config: ${misspelt.slice(0, 64)}: is none of ${[...configFields].join(", ")}.`,
  };
}

/** The contract accepts any text here, because only the platform knows which languages and time zones exist. */
function readPlace(input: Extract<BrowserInput, { type: "config" }>): ParsedMessage {
  if (input.language !== undefined && !isKnownLanguage(input.language))
    return { ok: false, problem: `Invalid config: language: ${noSuchLanguage}.` };
  if (input.time_zone === undefined) return { ok: true, input };
  const zone = timeZone.schema.safeParse(input.time_zone);
  if (zone.success) return { ok: true, input };
  return { ok: false, problem: `Invalid config: time_zone: ${zone.error.issues[0]?.message ?? "invalid"}.` };
}

/** `StopAudio`, `stopAudio` → `stop_audio`; `AudioData` → `audio_data`. */
function toType(kind: string | undefined): string | undefined {
  return kind?.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
}
