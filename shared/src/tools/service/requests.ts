/** Requests that are recorded for people to handle later. */
import { dayMs } from "../../platform/day.ts";
import { dayStartIn } from "../../platform/local-day.ts";
import { z } from "zod";
import { defineTool } from "../define-tool.ts";
import { failed, succeeded } from "../outcome.ts";

const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;

export const scheduleCallback = defineTool({
  name: "schedule_callback",
  description: "Books a call back from a person within a week.",
  parameters: z.object({
    day: z.enum(["today", "tomorrow", ...weekdays]).describe("As the caller says it."),
    part_of_day: z.enum(["morning", "afternoon"]).default("afternoon"),
  }),
  onInterruption: "finish",
  run: ({ day, part_of_day }, context) => {
    const todayMs = dayStartIn(context.timeZone ?? "UTC", context.clock.wallNow());
    const date = new Date(todayMs + daysUntil(day, todayMs) * dayMs);
    if (date.getUTCDay() === 0) return failed("closed", "Nobody works on Sunday.");
    const callback = { date: date.toISOString().slice(0, 10), part_of_day };
    return succeeded(callback, { memory: { callback } });
  },
});

/** A weekday is the next one of that name, never today. */
function daysUntil(day: "today" | "tomorrow" | (typeof weekdays)[number], nowMs: number): number {
  if (day === "today") return 0;
  if (day === "tomorrow") return 1;
  return (weekdays.indexOf(day) - new Date(nowMs).getUTCDay() + 7) % 7 || 7;
}

export const submitComplaint = defineTool({
  name: "submit_complaint",
  description: "Writes a complaint down for the customer care team.",
  parameters: z.object({ description: z.string().min(1).describe("In the caller's words.") }),
  onInterruption: "finish",
  run: ({ description }, context) => {
    if (context.memory["complaint"] === description)
      return failed("already_submitted", "I have written that down already.");
    return succeeded({ answer_within_days: 5 }, { memory: { complaint: description } });
  },
});
