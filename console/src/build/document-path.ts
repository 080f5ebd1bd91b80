/** Values in a nested document, addressed by a dotted path as in the service's answers: `voice.voice_name`. Pure. */
import { sortedJson } from "@voice/shared/platform/sorted-json";
import type { Document } from "../api/build-api.ts";

export function valueAt(document: Document, path: string): unknown {
  return path.split(".").reduce<unknown>((value, key) => (isDocument(value) ? value[key] : undefined), document);
}

/** Undefined removes the value, and objects that are then empty. An entry of a list is addressed by its index: `routes.0.scenario`. */
export function withValue(document: Document, path: string, value: unknown): Document {
  const [key = "", ...rest] = path.split(".");
  const inside = document[key];
  if (Array.isArray(inside) && rest.length > 0) {
    const [index, ...below] = rest;
    const entries: readonly unknown[] = inside;
    const entry = entries[Number(index)];
    const changed = below.length === 0 ? value : withValue(isDocument(entry) ? entry : {}, below.join("."), value);
    return { ...document, [key]: entries.with(Number(index), changed) };
  }
  const next = rest.length === 0 ? value : withValue(isDocument(inside) ? inside : {}, rest.join("."), value);
  const isGone = next === undefined || (rest.length > 0 && isDocument(next) && Object.keys(next).length === 0);
  if (!isGone) return { ...document, [key]: next };
  return Object.fromEntries(Object.entries(document).filter(([name]) => name !== key));
}

/** The text that a field shows; only a single value has one. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

export function isDocument(value: unknown): value is Document {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whatever the order of the keys. */
export function isSameDocument(one: Document, other: Document): boolean {
  return sortedJson(one) === sortedJson(other);
}
