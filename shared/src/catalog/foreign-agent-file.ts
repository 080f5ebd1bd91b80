import { agentFile } from "./agent-file.ts";
import { guardrailsFile } from "./guardrail-file.ts";
import { RE2JS } from "re2js";
import type { TextPattern } from "./guardrail.ts";

/** An agent.yaml from an untrusted client. */
export const foreignAgentFile = agentFile.extend({ guardrails: guardrailsFile(linearPattern).default([]) });

/**
 * Regular expressions for patterns from clients, matched in linear time, because with the engine's own a pattern such
 * as `(a+)+$` could block a host for all its callers. On harmless patterns they are about twenty times slower than
 * the engine's (decision 014), so the catalog's files do not use them. Throws if the pattern is invalid. Ignores
 * letter case, and supports neither look-around nor back references.
 */
function linearPattern(source: string): TextPattern {
  const pattern = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
  return {
    steps: pattern.programSize(),
    *[Symbol.matchAll](text) {
      const matcher = pattern.matcher(text);
      while (matcher.find()) yield { 0: matcher.group() ?? "", index: matcher.start() };
    },
  };
}
