/**
 * The messages of Twilio's bidirectional media streams, in both directions (twilio.com/docs/voice/media-streams/websocket-messages). Fifty
 * media messages a second come from each call, so their usual form is scanned for the audio instead of being parsed.
 */
import { parseJson } from "@voice/shared/platform/parse-json";
import { z } from "zod";

export type StreamMessage =
  | { readonly kind: "start"; readonly start: StreamStart }
  /** mu-law at 8 kHz in base64. */
  | { readonly kind: "media"; readonly payload: string }
  | { readonly kind: "dtmf"; readonly digit: string }
  /** Everything that was sent before this mark has been played, or was cleared. */
  | { readonly kind: "mark"; readonly name: string }
  | { readonly kind: "stop" }
  /** A message that we do not need, or do not know. */
  | { readonly kind: "other" }
  | { readonly kind: "invalid" };

export interface StreamStart {
  readonly streamSid: string;
  readonly accountSid: string;
  readonly callSid: string;
}

const id = z.string().min(1).max(64);

const message = z.discriminatedUnion("event", [
  z.object({ event: z.literal("connected") }),
  z.object({
    event: z.literal("start"),
    start: z.object({
      streamSid: id,
      accountSid: id,
      callSid: id,
      mediaFormat: z.object({
        encoding: z.literal("audio/x-mulaw"),
        sampleRate: z.literal(8000),
        channels: z.literal(1),
      }),
    }),
  }),
  z.object({ event: z.literal("media"), media: z.object({ payload: z.string() }) }),
  z.object({ event: z.literal("dtmf"), dtmf: z.object({ digit: z.string().regex(/^[0-9*#A-D]$/) }) }),
  z.object({ event: z.literal("mark"), mark: z.object({ name: z.string() }) }),
  z.object({ event: z.literal("stop") }),
]);

const anyMessage = z.object({ event: z.string() });

const mediaStart = '{"event":"media"';
const payloadStart = '"payload":"';

export function parseStreamMessage(text: string): StreamMessage {
  const scanned = text.startsWith(mediaStart) ? scanPayload(text) : undefined;
  if (scanned !== undefined) return { kind: "media", payload: scanned };
  const json = parseJson(text);
  const parsed = message.safeParse(json);
  if (!parsed.success) {
    const named = anyMessage.safeParse(json);
    // Twilio may add messages, which must not end a call.
    const isKnown = named.success && message.options.some(({ shape }) => shape.event.value === named.data.event);
    return { kind: named.success && !isKnown ? "other" : "invalid" };
  }
  const { data } = parsed;
  switch (data.event) {
    case "start":
      return { kind: "start", start: data.start };
    case "media":
      return { kind: "media", payload: data.media.payload };
    case "dtmf":
      return { kind: "dtmf", digit: data.dtmf.digit };
    case "mark":
      return { kind: "mark", name: data.mark.name };
    case "stop":
      return { kind: "stop" };
    case "connected":
      return { kind: "other" };
  }
}

/** Finds the audio in a message without parsing the JSON. Undefined if the payload has escapes or is absent. */
function scanPayload(text: string): string | undefined {
  const at = text.indexOf(payloadStart);
  if (at < 0) return undefined;
  const start = at + payloadStart.length;
  const end = text.indexOf('"', start);
  const payload = end < 0 ? undefined : text.slice(start, end);
  return payload === undefined || payload.includes("\\") ? undefined : payload;
}

/** The id of a stream is letters and digits, and base64 needs no escaping. */
export function mediaMessage(streamSid: string, base64: string): string {
  return `{"event":"media","streamSid":"${streamSid}","media":{"payload":"${base64}"}}`;
}

export function markMessage(streamSid: string, name: string): string {
  return JSON.stringify({ event: "mark", streamSid, mark: { name } });
}

export function clearMessage(streamSid: string): string {
  return JSON.stringify({ event: "clear", streamSid });
}
