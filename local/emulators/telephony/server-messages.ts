/**
 * The messages that a server may send to the platform, validated as strictly as the platform does: one error ends the
 * session (AudioHook protocol reference, version 2; audiohook-reference-implementation).
 */
import { z } from "zod";

const variables = z.record(z.string(), z.string()).optional();
const none = z.strictObject({});

const parameters = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("opened"),
    parameters: z.object({ media: z.array(z.unknown()).max(1), startPaused: z.boolean().optional() }),
  }),
  z.looseObject({ type: z.literal("pong"), parameters: none }),
  z.looseObject({ type: z.literal("updated"), parameters: none }),
  z.looseObject({ type: z.literal("closed"), parameters: z.strictObject({ outputVariables: variables }) }),
  z.looseObject({
    type: z.literal("disconnect"),
    parameters: z.strictObject({
      reason: z.enum(["completed", "unauthorized", "error"]),
      info: z.string().optional(),
      outputVariables: variables,
    }),
  }),
  z.looseObject({
    type: z.literal("event"),
    parameters: z.strictObject({
      entities: z.array(z.strictObject({ type: z.string(), data: z.record(z.string(), z.unknown()) })).min(1),
    }),
  }),
]);

const envelope = z.strictObject({
  version: z.literal("2"),
  type: z.string(),
  id: z.guid(),
  seq: z.int().positive(),
  clientseq: z.int().nonnegative(),
  parameters: z.record(z.string(), z.unknown()),
});

export type ServerHookMessage = z.infer<typeof parameters> & z.infer<typeof envelope>;

/** Throws with the platform's complaint if the message is invalid. */
export function parseServerHookMessage(text: string): ServerHookMessage {
  const json: unknown = JSON.parse(text);
  return { ...envelope.parse(json), ...parameters.parse(json) };
}
