/** What a realtime session is transcribed with where a service refuses one model, or that one fails. */
import type { WireObject } from "@voice/provider-kit/realtime-protocol/wire-object";

/** The next in the order of preference; undefined after the last. Phrases and further languages are for the first: the others refuse them. */
export function otherTranscription(
  { model, language, languages }: WireObject,
  inOrder: readonly string[],
): WireObject | undefined {
  const next = inOrder[inOrder.findIndex((name) => name === model) + 1];
  if (next === undefined) return undefined;
  const [first]: readonly unknown[] = Array.isArray(languages) ? languages : [];
  const spoken = typeof language === "string" ? language.split(",", 1)[0] : first;
  return { model: next, ...(spoken !== undefined && { language: spoken }) };
}
