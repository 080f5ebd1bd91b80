/** Schemas shared by the parts of a flight record. */
import { z } from "zod";
import { endOfTurnReasons } from "@voice/provider-kit/ports/end-of-turn";
import type { EndOfTurnEstimate, Expected, PauseHabit, Prosody } from "@voice/provider-kit/ports/end-of-turn";
import type { SentenceState } from "@voice/provider-kit/ports/recogniser";

const infinity = "Infinity";

/** Numbers that may be infinite, which JSON cannot express. */
export const anyNumber = z.number().or(z.literal(infinity).transform(() => Number.POSITIVE_INFINITY));

/** Serialises to JSON without losing infinite numbers and sets. */
export function flightJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (part === Number.POSITIVE_INFINITY) return infinity;
    return part instanceof Set ? [...part] : part;
  });
}

/** For optional values, which JSON leaves out if undefined. */
export function orUndefined<T extends z.ZodType>(schema: T) {
  return schema.optional().transform((value) => value);
}

export const sentenceState: z.ZodType<SentenceState> = z.enum(["whole", "whole-so-far", "beginning"]);

export const prosody: z.ZodType<Prosody> = z.object({
  pitchSlope: orUndefined(z.number()),
  energySlope: orUndefined(z.number()),
  overNoiseDb: orUndefined(z.number()),
});

export const pauseHabit: z.ZodType<PauseHabit> = z.object({ count: z.number(), longestMs: z.number() });

export const endOfTurnEstimate: z.ZodType<EndOfTurnEstimate> = z.object({
  probability: z.number(),
  waitMs: z.number(),
  reasons: z.array(z.enum(endOfTurnReasons)),
});

export const expected: z.ZodType<Expected> = z.discriminatedUnion("kind", [
  z.object({ kind: z.enum(["nothing", "quantity", "yes-or-no", "anything"]) }),
  z.object({ kind: z.literal("digits"), length: orUndefined(z.number()) }),
  z.object({ kind: z.literal("choice"), words: z.array(z.string()).transform((words) => new Set(words)) }),
]);
