/** What is noted of a conversation once it is over (docs/operations.md, AFTER). */
import { z } from "zod";
import { costField } from "./costs.ts";
import { timestampField } from "./fields.ts";

export const notedFields = z
  .object({
    summary: z.string().nullable(),
    outcome: z.string().nullable().describe("One of those that the files name; null where none of them came about."),
    fields: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .describe("By the names in the files; null where the conversation does not tell the value."),
  })
  .meta({ id: "Noted" });

export const sessionAfterCall = notedFields
  .extend({
    status: z.enum(["written", "failed"]).describe("`failed`: no model answered with what was asked for."),
    written_at: timestampField,
    cost: costField.describe("Of asking for it, which the cost of the conversation does not contain."),
  })
  .meta({ id: "AfterCallNote" });
