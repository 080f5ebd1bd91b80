/** What is noted of a conversation once it is over, as an agent's or a scenario's file names it. */
import { z } from "zod";

const name = z
  .string()
  .regex(/^[a-z][a-z0-9_]*$/, "Lower case with underscores")
  .max(48);
const description = z.string().min(1).max(300);

export const maxOutcomes = 32;
export const maxFields = 32;

const outcome = z.strictObject({
  description: description.describe("When a conversation has this outcome, as text for the model."),
  tools: z
    .array(z.string().min(1).max(128))
    .max(16)
    .default([])
    .describe("Tools whose success means this outcome, where no model can be asked."),
});

const field = z.strictObject({
  type: z.enum(["string", "number", "integer", "boolean"]).default("string"),
  description,
  enum: z.array(z.string().min(1).max(100)).min(1).max(32).optional().describe("The values that a string may have."),
});

const noMoreThan = (limit: number) =>
  [
    (values: Readonly<Record<string, unknown>>) => Object.keys(values).length <= limit,
    `expected at most ${limit}`,
  ] as const;

export const afterCallDocument = z.strictObject({
  summary: z.boolean().default(false).describe("Whether a summary is written."),
  outcomes: z
    .record(name, outcome)
    .refine(...noMoreThan(maxOutcomes))
    .default({}),
  fields: z
    .record(name, field)
    .refine(...noMoreThan(maxFields))
    .default({}),
  webhook: z
    .boolean()
    .default(false)
    .describe("Whether receivers of webhooks are sent the summary and the fields, and not only the outcome."),
});

/** What is noted, or is to be noted. */
export type AfterCall = z.infer<typeof afterCallDocument>;
