/**
 * Patterns that clients send: no text makes them slow, where one such as `(a+)+$` would stop a host for all its callers.
 * On harmless patterns about twenty times slower than the engine's own (decision 014), so the catalog's files do without.
 */
import { RE2JS } from "re2js";
import type { TextPattern } from "./guardrail.ts";

/** Throws what is wrong with it. Ignores letter case; has no look-around and no back references. */
export function linearPattern(source: string): TextPattern {
  const pattern = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
  return {
    steps: pattern.programSize(),
    *[Symbol.matchAll](text) {
      const matcher = pattern.matcher(text);
      while (matcher.find()) yield { 0: matcher.group() ?? "", index: matcher.start() };
    },
  };
}
