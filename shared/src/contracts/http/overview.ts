/** Figures of days and weeks, from the hourly counts (docs/operations.md, OVERVIEW). */
import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { timestampField } from "./fields.ts";

const named = z.object({ name: z.string(), count: z.number() });
const amount = z.object({ currency: z.string(), amount: z.number() });

export const overviewResponse = z
  .object({
    from: timestampField.describe("The beginning of the first hour that is counted."),
    to: timestampField,
    conversations: z.int(),
    calls: z.int().describe("Phone calls, also those that never became a conversation."),
    turns: z.int(),
    average_duration_ms: z.number().nullable().describe("Null if there was no conversation."),
    contained: z.number().nullable().describe("The share that was completed without a person; null if there was none."),
    with_person: z.int().describe("Conversations that a person took over."),
    live: z.int().nullable().describe("How many go on now; null while no host reports."),
    outcomes: z.array(named),
    channels: z.array(named),
    failures: z.array(named).describe("By reason; a conversation counts once for each of its reasons."),
    latency: z
      .array(z.object({ stage: z.string(), p50: z.number(), p95: z.number(), count: z.int() }))
      .describe(
        "Milliseconds after the caller's last word, by stage as in `GET /sessions/{id}/metrics`, from histograms.",
      ),
    cost: z.array(amount),
    scenarios: z.array(named),
    agents: z.array(named),
    tools: z.array(z.object({ name: z.string(), count: z.int(), failed: z.int() })),
    handoffs: z.array(z.object({ from: z.string(), to: z.string(), count: z.int() })),
    noted: z.array(named).describe("Outcomes that were noted after conversations, as the agents' files name them."),
    noted_values: z
      .array(z.object({ field: z.string(), value: z.string(), count: z.int() }))
      .describe("Values of the fields that have a choice of values, such as what callers wanted."),
    days: z
      .array(
        z.object({
          day: z.string().describe("In the time zone that was asked for: `2026-03-21`."),
          conversations: z.int(),
          calls: z.int(),
          failed: z.int().describe("How many failed or did not come about."),
          cost: z.array(amount),
          answer_p95_ms: z.number().nullable(),
        }),
      )
      .describe("Every day of the span, also those without a conversation, the earliest first."),
  })
  .meta({ id: "Overview" });

export const getOverview = defineEndpoint({
  name: "overview",
  at: "GET /overview",
  access: "operator",
  summary: "Calls, outcomes, latency, cost, tools and handoffs of the last days",
  description:
    "From counts that are kept by the hour for thirty days, longer than conversations. A conversation counts in the hour in which it ended.",
  query: z.object({
    days: z.enum(["1", "7", "30"]).default("7").describe("How many days, of which the last is today."),
    time_zone: z
      .string()
      .max(64)
      .default("UTC")
      .describe("Where days begin, such as `Europe/Berlin`. Counts are of whole hours by UTC."),
  }),
  responses: { 200: { description: "The figures.", schema: overviewResponse } },
  problems: ["cache_connection_failed"],
});
