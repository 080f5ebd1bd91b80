/** Messages from a local start's simulated telephone network to a page that is one of its phones. */
import { z } from "zod";

const phoneMessage = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("at-home"),
    own: z.string(),
    phones: z.array(z.object({ number: z.string(), about: z.string() })),
  }),
  z.object({ kind: z.literal("ringing"), from: z.string() }),
  z.object({ kind: z.literal("connected"), sampleRateHz: z.number() }),
  z.object({ kind: z.literal("stop-audio") }),
  z.object({ kind: z.literal("keys"), keys: z.string() }),
  z.object({ kind: z.literal("ended"), why: z.string() }),
]);

export type PhoneMessage = z.infer<typeof phoneMessage>;

export interface SimulatedPhone {
  readonly number: string;
  /** The person or machine there. */
  readonly about: string;
}

/** Undefined if it is not valid. */
export function parsePhoneMessage(text: string): PhoneMessage | undefined {
  try {
    return phoneMessage.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
