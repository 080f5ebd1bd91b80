/** Parses what somebody who watches or listens in sends. Anything else than a renewal is ignored. */
import { onlookerInput } from "@voice/shared/contracts/stream/onlooker-input";
import type { z } from "zod";

/** Several times as long as any renewal. */
const longestText = 2000;

export function parseOnlookerMessage(text: string): z.infer<typeof onlookerInput> | undefined {
  if (text.length > longestText) return undefined;
  const parsed = onlookerInput.safeParse(parseJson(text));
  return parsed.success ? parsed.data : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
