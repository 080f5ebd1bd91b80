/**
 * The changes to an agent that a running service can take: its model and its voice, as for `PUT /agents/{name}`. Pure.
 */
import type { Document } from "../api/build-api.ts";
import { isDocument, valueAt } from "./document-path.ts";

/** A change applies to both models; if the two were changed differently, the cascade's change applies. */
export function liveChangeOf(original: Document, document: Document): Document {
  const model = {
    ...changedValues(original, document, "model.realtime"),
    ...changedValues(original, document, "model.cascade"),
  };
  const voice = changedValues(original, document, "voice");
  return {
    ...(Object.keys(model).length === 0 ? {} : { model }),
    ...(Object.keys(voice).length === 0 ? {} : { voice }),
  };
}

export function isNothing(change: Document): boolean {
  return Object.keys(change).length === 0;
}

/** `temperature 0.5, voice_rate +5%`. */
export function liveChangeInWords(change: Document): string {
  return Object.values(change)
    .filter(isDocument)
    .flatMap((section) =>
      Object.entries(section).map(([name, value]) => `${name.replaceAll("_", " ")} ${String(value)}`),
    )
    .join(", ");
}

function changedValues(original: Document, document: Document, path: string): Document {
  const before = valueAt(original, path);
  const now = valueAt(document, path);
  if (!isDocument(now)) return {};
  const known = isDocument(before) ? before : {};
  return Object.fromEntries(Object.entries(now).filter(([name, value]) => value !== known[name]));
}
