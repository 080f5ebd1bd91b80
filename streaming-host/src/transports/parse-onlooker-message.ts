/** Parses the messages of a watcher or of somebody who listens in: a renewal, or a ping. */
import { onlookerInput } from "@voice/shared/contracts/stream/onlooker-input";
import { parseJson } from "@voice/shared/platform/parse-json";
import type { z } from "zod";

/** Several times the length of any renewal. */
const longestText = 2000;

export function parseOnlookerMessage(text: string): z.infer<typeof onlookerInput> | undefined {
  if (text.length > longestText) return undefined;
  const parsed = onlookerInput.safeParse(parseJson(text));
  return parsed.success ? parsed.data : undefined;
}
