/** The `guardrails` of an agent.yaml, by name so that an agent can change or remove (null) those of the defaults. */
import { z } from "zod";
import { maxGuardrails, maxGuardrailText, maxPatternSteps } from "./definition-limits.ts";
import type { Guardrail, TextPattern } from "./guardrail.ts";

const maxPatternLength = 300;

const guardrailFile = z
  .strictObject({
    pattern: z.string().min(1).max(maxPatternLength),
    replace: z.string().max(maxGuardrailText).optional(),
    stop: z.string().min(1).max(maxGuardrailText).optional(),
  })
  .refine((rail) => (rail.replace === undefined) !== (rail.stop === undefined), "expected either replace or stop");

/** `compile` throws if a pattern is invalid. */
export const guardrailsFile = (compile: (pattern: string) => TextPattern) =>
  z
    .record(z.string(), guardrailFile)
    .refine((rails) => Object.keys(rails).length <= maxGuardrails, `expected at most ${maxGuardrails} entries`)
    .transform((rails, context): readonly Guardrail[] => {
      let steps = 0;
      return Object.entries(rails).flatMap(([name, { pattern, replace, stop }]) => {
        const refuse = (message: string): readonly Guardrail[] => {
          context.addIssue({ code: "custom", path: [name, "pattern"], message });
          return [];
        };
        // A pattern that exceeds the limit is reported; those after it are not compiled.
        if (steps > maxPatternSteps) return [];
        try {
          const action =
            stop === undefined
              ? { type: "replace" as const, with: replace ?? "" }
              : { type: "stop" as const, say: stop };
          const compiled = compile(pattern);
          steps += compiled.steps ?? 0;
          if (steps > maxPatternSteps)
            return refuse(`with this pattern they take ${steps} steps; an agent's may take ${maxPatternSteps} in all`);
          return [{ name, pattern: compiled, action }];
        } catch (error) {
          return refuse(error instanceof Error ? error.message : "not a pattern");
        }
      });
    });
