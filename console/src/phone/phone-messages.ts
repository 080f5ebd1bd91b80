/** What the simulated telephone network of a local start tells a page that is a phone of it. */
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
  /** Who or what is there. */
  readonly about: string;
}

/** Undefined for what is none. */
export function parsePhoneMessage(text: string): PhoneMessage | undefined {
  try {
    return phoneMessage.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
