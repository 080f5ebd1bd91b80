/** What a conversation has used of services that are paid for, and what that cost (docs/operations.md). */
import { z } from "zod";

const part = z.enum(["language_model", "realtime_model", "recognition", "synthesis", "telephony"]);

export const costField = z
  .object({
    amount: z.number().describe("At the prices that were known at the time."),
    currency: z.string(),
    is_complete: z.boolean().describe("False where something that was used has no price: it cost more than that."),
  })
  .nullable()
  .describe("Null where nothing of it has a price, which does not mean that it cost nothing.");

export const usageItem = z
  .object({
    part,
    model: z.string().describe("As the price file names it."),
    agent: z.string(),
    quantities: z
      .record(z.string(), z.number())
      .describe(
        "Such as `input_tokens`, `cached_tokens` (of those), `audio_seconds`, `characters`, `call_seconds`, by unit.",
      ),
    cost: costField,
    is_estimated: z.boolean().describe("The service has not counted all of it, because an answer was cut off."),
  })
  .meta({ id: "UsageItem" });
