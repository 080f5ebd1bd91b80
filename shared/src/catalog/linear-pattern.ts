/**
 * Regular expressions for patterns from clients, matched in linear time, because with the engine's own a pattern such
 * as `(a+)+$` could block a host for all its callers. On harmless patterns they are about twenty times slower than the
 * engine's (decision 014), so the catalog's files do not use them.
 */
import { RE2JS } from "re2js";
import type { TextPattern } from "./guardrail.ts";

/** Throws if the pattern is invalid. Ignores letter case, and supports neither look-around nor back references. */
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
