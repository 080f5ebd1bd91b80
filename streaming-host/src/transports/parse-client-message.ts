/**
 * Parses a client's text frame, once. Fields may stand beside `type` or in `payload`; the communication service's own
 * form `{"kind":"StopAudio"}` is understood in either letter case.
 */
import { browserInput } from "@voice/shared/contracts/stream/browser-input";
import type { BrowserInput } from "@voice/shared/contracts/stream/browser-input";
import { timeZone } from "@voice/shared/config/kinds";
import { mayHoldMore } from "@voice/shared/platform/json-size";
import { z } from "zod";

const envelope = z.looseObject({
  type: z.string().optional(),
  kind: z.string().optional(),
  Kind: z.string().optional(),
  payload: z.record(z.string(), z.unknown()).optional(),
});

const knownTypes: ReadonlySet<string> = new Set(browserInput.options.map((option) => option.shape.type.value));

export type ParsedMessage =
  | { readonly ok: true; readonly input: BrowserInput }
  /** Worded for the peer. */
  | { readonly ok: false; readonly problem: string };

/** The limit for a message apart from its audio: a `config` that changes the voices of forty agents. */
const maxValues = 200;

export function parseClientMessage(text: string): ParsedMessage {
  if (mayHoldMore(text, maxValues))
    return { ok: false, problem: `The message holds too much: at most ${maxValues} values.` };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return { ok: false, problem: "The message is not JSON." };
    throw error;
  }
  const opened = envelope.safeParse(json);
  if (!opened.success) return { ok: false, problem: "The message must be a JSON object with a string `type`." };
  const { payload, ...flat } = opened.data;
  const type = flat.type ?? toType(flat.kind ?? flat.Kind);
  if (type === undefined) return { ok: false, problem: "The message has no `type`." };
  if (!knownTypes.has(type))
    return { ok: false, problem: `Unknown message type. Known types: ${[...knownTypes].join(", ")}.` };
  const parsed = browserInput.safeParse({ ...flat, ...payload, type });
  if (parsed.success) return readZone(parsed.data);
  const issue = parsed.error.issues[0];
  return {
    ok: false,
    problem: `Invalid ${type}: ${issue?.path.join(".") ?? "message"}: ${issue?.message ?? "invalid"}.`,
  };
}

/** The contract leaves this open, because which time zones there are is the platform's to know. */
function readZone(input: BrowserInput): ParsedMessage {
  if (input.type !== "config" || input.time_zone === undefined) return { ok: true, input };
  const zone = timeZone.schema.safeParse(input.time_zone);
  if (zone.success) return { ok: true, input };
  return { ok: false, problem: `Invalid config: time_zone: ${zone.error.issues[0]?.message ?? "invalid"}.` };
}

/** `StopAudio`, `stopAudio` → `stop_audio`; `AudioData` → `audio_data`. */
function toType(kind: string | undefined): string | undefined {
  return kind?.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
}
