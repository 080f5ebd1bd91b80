/** The `guardrails` of an agent.yaml, by name so that an agent can change or remove (null) those of the defaults. */
import { z } from "zod";
import type { Guardrail, TextPattern } from "./guardrail.ts";

const maxPatternLength = 300;

const guardrailFile = z
  .strictObject({
    pattern: z.string().min(1).max(maxPatternLength),
    replace: z.string().optional(),
    stop: z.string().min(1).optional(),
  })
  .refine((rail) => (rail.replace === undefined) !== (rail.stop === undefined), "expected either replace or stop");

/** `compile` throws what is wrong with a pattern. */
export const guardrailsFile = (compile: (pattern: string) => TextPattern) =>
  z.record(z.string(), guardrailFile).transform((rails, context): readonly Guardrail[] =>
    Object.entries(rails).flatMap(([name, { pattern, replace, stop }]) => {
      try {
        const action =
          stop === undefined ? { type: "replace" as const, with: replace ?? "" } : { type: "stop" as const, say: stop };
        return [{ name, pattern: compile(pattern), action }];
      } catch (error) {
        const message = error instanceof Error ? error.message : "not a pattern";
        context.addIssue({ code: "custom", path: [name, "pattern"], message });
        return [];
      }
    }),
  );
