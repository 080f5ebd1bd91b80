/** Field types that several endpoints share. */
import { z } from "zod";

/**
 * Ids that are accepted in paths and bodies. No braces, slashes or control characters, so that an id can never change
 * the key or the route that contains it; nor `.` and `..`, which whoever parses a URL removes from its path.
 */
export const idField = z
  .string()
  .min(1)
  .max(128)
  .regex(/^(?!\.{1,2}$)[\w.:~@+-]+$/, "An id may hold letters, digits and . : ~ @ + - _, and is neither . nor ..");

/** Names of agents and scenarios, as in the catalog. */
export const languageField = z
  .string()
  .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})+$/, "A language tag with its region, such as de-DE")
  .max(35);

/** Whether there is such a zone is checked where it is read: contracts know no platform. */
export const timeZoneField = z.string().regex(/^[A-Za-z][A-Za-z0-9_+/-]{1,63}$/, "A time zone such as Europe/Berlin");

export const nameField = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, "A name begins with a letter and may hold letters, digits, _ and -");

/** A phone number in E.164. */
export const phoneNumberField = z
  .string()
  .regex(/^\+[1-9]\d{1,14}$/, "String should match pattern '^\\+[1-9]\\d{1,14}$'");

/** ISO 8601, UTC. */
export const timestampField = z.iso.datetime();

/** A bound of a list in time, as a query parameter. */
export function queryTime(description: string) {
  return z.iso
    .datetime("A time in UTC such as 2026-03-01T08:00:00Z")
    .optional()
    .describe(`${description} In UTC, such as 2026-03-01T08:00:00Z.`);
}

/** Parts of a conversation's address besides its id. */
export const whichConversation = {
  created_at: queryTime(
    "Where several conversations have had the id one after the other: the one that was created then, as `created_at` in the " +
      "list says. The newest that the caller may see where absent.",
  ),
};

/** A plus that is not escaped means a space in a query, and the number behind it would be another one's id. */
export function querySearch(description: string) {
  return z
    .string()
    .overwrite((text) => text.replace(/^ (?=[1-9])/, "+"))
    .trim()
    .min(1)
    .max(256)
    .optional()
    .describe(description);
}

export const freeForm = z.record(z.string(), z.unknown());

/** A query value that must be a whole number; the host hands over text, and repeated keys joined by commas. */
export function queryInteger(options: { min: number; max: number; default: number; description: string }) {
  return z.preprocess(
    (value) => (typeof value === "string" && /^-?\d{1,15}$/.test(value) ? Number(value) : value),
    z
      .int({
        error: ({ input }) => (typeof input === "string" ? "Input should be a whole number in digits" : undefined),
      })
      .min(options.min)
      .max(options.max)
      .default(options.default)
      .describe(options.description),
  );
}

/** In any letter case, because Python's clients write `True`. */
const flagByText: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

export function queryBoolean(description: string) {
  return z.preprocess(
    (value) => (typeof value === "string" ? (flagByText.get(value.toLowerCase()) ?? value) : value),
    z.boolean({ error: "Should be true or false" }).default(false).describe(description),
  );
}

export const streamingModeNames = ["MEDIA", "TRANSCRIPTION", "VOICE_LIVE", "REALTIME"] as const;
