/** Requests that are recorded for people to handle later. */
import { z } from "zod";
import { defineTool, failed } from "@voice/tool-kit";

const dayMs = 24 * 60 * 60 * 1000;
const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;

export const scheduleCallback = defineTool({
  name: "schedule_callback",
  description: "Books a call back from a person within a week.",
  parameters: z.object({
    day: z.enum(["today", "tomorrow", ...weekdays]).describe("As the caller says it."),
    part_of_day: z.enum(["morning", "afternoon"]).default("afternoon"),
  }),
  sideEffects: true,
  run: ({ day, part_of_day }, context) => {
    const todayMs = Date.parse(dayIn(context.timeZone, context.now()));
    const date = new Date(todayMs + daysUntil(day, todayMs) * dayMs);
    if (date.getUTCDay() === 0) return failed("closed", "Nobody works on Sunday.");
    const callback = { date: date.toISOString().slice(0, 10), part_of_day };
    context.remember({ callback });
    return callback;
  },
});

/** `2026-03-21`. Swedish is used because it writes dates as ISO 8601 does. */
function dayIn(timeZone: string, wallMs: number): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).format(
    wallMs,
  );
}

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
  sideEffects: true,
  run: ({ description }, context) => {
    if (context.memory["complaint"] === description)
      return failed("already_submitted", "I have written that down already.");
    context.remember({ complaint: description });
    return { answer_within_days: 5 };
  },
});
