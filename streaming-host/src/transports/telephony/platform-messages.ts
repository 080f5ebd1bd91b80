/**
 * The telephony platform's text frames in the hook protocol, version 2. Strict about the envelope and about what we act
 * on; informative fields may be missing, and unknown types may come.
 */
import { languageTag } from "@voice/shared/config/kinds";
import { mayHoldMore } from "@voice/shared/platform/json-size";
import { z } from "zod";
import { hookEventNames } from "./hook-events.ts";

/** The platform's own limit for a text frame. */
const maxTextCharacters = 65_535;

/** An `open` with all its media, languages and variables has a tenth of this. */
const maxValues = 1000;

const uuid = z.guid();

/** A platform that only tests the connection (a probe) uses this as the id of its conversation and its participant. */
export const nullId = "00000000-0000-0000-0000-000000000000";

/** `PT<seconds>S`, the only form of an ISO 8601 duration that is used. Parsed to milliseconds. */
const duration = z
  .string()
  .regex(/^PT(?:\d*\.)?\d+S$/, "must be seconds, like PT1.5S")
  .transform((text) => Number(text.slice(2, -1)) * 1000);

const media = z.looseObject({
  type: z.string(),
  format: z.string(),
  channels: z.array(z.string()),
  rate: z.number(),
});

/** Unknown fields are retained, because the chosen offer is sent back unchanged. */
export type OfferedMedia = z.infer<typeof media>;

/** Platforms send null for what is not set. */
function orElse<T extends z.ZodType>(schema: T, otherwise: z.output<T>) {
  return schema.nullish().transform((value) => value ?? otherwise);
}

/** Text by contract. A number or a flag from a flow is converted to text, and a variable without a value is left out. */
const variables = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
  .transform((given) =>
    Object.fromEntries(
      Object.entries(given).flatMap(([key, value]) => (value === null ? [] : [[key, String(value)] as const])),
    ),
  );

/** Invalid languages are ignored, because this field is only informative. */
const language = languageTag.schema.optional().catch(undefined);

const text = orElse(z.string(), "");
const name = z.string().max(64).nullish();

/** The configuration of the integration. The first four fields are ours, the others are for the agents. */
const customConfig = z.looseObject({
  scenario: name,
  agent: name,
  profile_id: z.string().max(128).nullish(),
  events: z.array(z.enum(hookEventNames)).nullish(),
});

const open = z.object({
  organizationId: uuid,
  conversationId: uuid,
  participant: z.object({
    id: uuid,
    ani: text,
    aniName: text,
    dnis: text,
  }),
  media: z.array(media),
  language,
  /** Whether `opened` is to list the available languages. */
  supportedLanguages: orElse(z.boolean(), false),
  customConfig: orElse(customConfig, {}),
  continuedSessions: orElse(z.array(z.looseObject({ id: uuid })), []),
  inputVariables: orElse(variables, {}),
});

export type OpenParameters = z.infer<typeof open>;

const message = z.discriminatedUnion("type", [
  z.object({ type: z.literal("open"), parameters: open }),
  z.object({ type: z.literal("ping") }),
  z.object({ type: z.literal("close") }),
  z.object({ type: z.literal("paused") }),
  z.object({ type: z.literal("resumed"), parameters: z.object({ discarded: duration.default(0) }) }),
  z.object({ type: z.literal("discarded"), parameters: z.object({ discarded: duration }) }),
  z.object({ type: z.literal("dtmf"), parameters: z.object({ digit: z.string().regex(/^[0-9*#A-D]$/) }) }),
  z.object({ type: z.literal("update"), parameters: z.object({ language }) }),
  z.object({
    type: z.literal("error"),
    parameters: z.object({ code: z.number().default(500), retryAfter: duration.optional() }),
  }),
  z.object({ type: z.literal("playback_started") }),
  z.object({ type: z.literal("playback_completed") }),
]);

export type PlatformMessage = z.infer<typeof message>;

const knownTypes: ReadonlySet<string> = new Set(message.options.map((option) => option.shape.type.value));

const envelope = z.object({
  version: z.literal("2"),
  id: uuid,
  type: z.string(),
  seq: z.int().nonnegative(),
  serverseq: z.int().nonnegative(),
  parameters: z.record(z.string(), z.unknown()),
});

export type Envelope = z.infer<typeof envelope>;

/** The problem is worded for the peer. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

export function parseEnvelope(text: string): Parsed<Envelope> {
  if (text.length > maxTextCharacters)
    return { ok: false, problem: `A message has at most ${maxTextCharacters} characters.` };
  if (mayHoldMore(text, maxValues)) return { ok: false, problem: `A message holds at most ${maxValues} values.` };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return { ok: false, problem: "The message is not JSON." };
    throw error;
  }
  return parsed(envelope.safeParse(json), "message");
}

/** Undefined for a type that we do not know. */
export function parseMessage(received: Envelope): Parsed<PlatformMessage> | undefined {
  return knownTypes.has(received.type) ? parsed(message.safeParse(received), received.type) : undefined;
}

function parsed<T>(result: z.ZodSafeParseResult<T>, what: string): Parsed<T> {
  if (result.success) return { ok: true, value: result.data };
  const issue = result.error.issues[0];
  const field = issue === undefined || issue.path.length === 0 ? [] : [issue.path.join(".")];
  return { ok: false, problem: `${["Invalid " + what, ...field].join(": ")}: ${issue?.message ?? "invalid"}` };
}
