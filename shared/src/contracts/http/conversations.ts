/** The table of conversations: what lists, filters and exports of them are made of (docs/operations.md, LIST). */
import { z } from "zod";
import { conversationOutcomes } from "../conversations/conversation-outcome.ts";
import { notedFields } from "./after-call.ts";
import { callDirections } from "./calls.ts";
import { costField } from "./costs.ts";
import { defineEndpoint } from "./endpoint.ts";
import { queryBoolean, queryInteger, querySearch, queryTime, timestampField } from "./fields.ts";

export const conversationRow = z
  .object({
    session_id: z.string(),
    started_at: timestampField,
    ended_at: timestampField.nullable().describe("Null while it continues."),
    duration_ms: z.int().describe("Until its end, or until now."),
    channel: z.string(),
    direction: z.enum(callDirections).nullable().describe("Of its phone call; null on other channels."),
    call_id: z.string().nullable(),
    who: z
      .string()
      .nullable()
      .describe("The number of the other side of a call, or the address that a client named; null if unknown."),
    scenario: z.string().nullable().describe("Null for a call that never became a conversation and named none."),
    agents: z.array(z.string()).describe("Every agent that has taken part, in the order of their first words."),
    active_agent: z.string().nullable(),
    outcome: z.enum(conversationOutcomes),
    end_reason: z
      .string()
      .nullable()
      .describe("Why it ended, such as `caller_left`; null while it continues, or if unknown."),
    turns: z.int(),
    answer_p95_ms: z
      .number()
      .nullable()
      .describe(
        "From the caller's last word to the agent's first; of fewer than twenty answers, the slowest. Null if none was measured.",
      ),
    failures: z.int().describe("How many failures `GET /sessions/{id}` has of it."),
    transferred: z.boolean(),
    language: z.string().nullable(),
    release: z
      .int()
      .nullable()
      .describe(
        "The published version with which it began; 0 for the catalog's files alone, and null where nobody knows.",
      ),
    version: z.string().nullable().describe("Which prompt its agents had, where they have several."),
    cost: costField,
    noted: notedFields.nullable().describe("What was noted once it was over; null where nothing is, or not yet."),
  })
  .meta({ id: "ConversationRow" });

export const conversationListResponse = z
  .object({
    conversations: z.array(conversationRow).describe("The one that began last first."),
    next: z
      .string()
      .nullable()
      .describe("The `after` of the next page; null at the end. A page may be short, and even empty, before that."),
    total: z.int().nullable().describe("How many match; null where no index counts them."),
  })
  .meta({ id: "ConversationListResponse" });

const wholeNumber = (what: string) =>
  z
    .string()
    .regex(/^\d{1,7}$/, `Input should be ${what}`)
    .transform(Number)
    .optional();

const seconds = wholeNumber("a whole number of seconds");

const name = z.string().min(1).max(128).optional();

/** The filters of a page and of an export. */
export const conversationFilters = {
  channel: z.enum(["phone", "browser", "media", "telephony"]).optional(),
  direction: z.enum(callDirections).optional().describe("Only phone calls in this direction."),
  scenario: name,
  release: wholeNumber("the number of a version").describe(
    "Only those that began with this published version; 0: with the catalog's files alone.",
  ),
  agent: name.describe("Only conversations in which this agent has taken part."),
  outcome: z.enum(conversationOutcomes).optional(),
  end_reason: name.describe("Such as `caller_left`."),
  failed: queryBoolean("Only those that failed, did not come about, or in which something failed."),
  transferred: queryBoolean("Only those that were transferred to a person."),
  min_answer_ms: wholeNumber("a whole number of milliseconds").describe(
    "Only those whose `answer_p95_ms` is at least this.",
  ),
  min_seconds: seconds.describe("Only those that took, or have taken, at least this long."),
  max_seconds: seconds.describe("Only those that took, or have taken, at most this long."),
  from: queryTime("Only those that began at this time or later."),
  to: queryTime("Only those that began before this time."),
  search: querySearch(
    "A part of a number or of an address, or the beginning of an id or of a word in it, of at least two characters.",
  ),
};

const description =
  "Every conversation and every call that never became one. A caller sees their own, an operator all. Filters combine. The " +
  "list is kept as long as what it is about: a day, and a week for a phone call.";

export const listConversations = defineEndpoint({
  name: "conversationsList",
  at: "GET /conversations",
  access: "client",
  summary: "Conversations with their outcomes and figures, the newest first",
  description,
  query: z.object({
    limit: queryInteger({ min: 1, max: 200, default: 50, description: "Rows per page." }),
    after: z
      .string()
      .regex(/^[\w-]{1,256}$/, "Should be the `next` of a page")
      .optional()
      .describe("Where the page begins: the `next` of the page before."),
    ...conversationFilters,
  }),
  responses: { 200: { description: "One page.", schema: conversationListResponse } },
  problems: ["cache_connection_failed"],
});

/** More than this many rows are no file for a spreadsheet, and are read in pages. */
export const maxExportedRows = 10_000;

export const exportConversations = defineEndpoint({
  name: "conversationsExport",
  at: "GET /conversations/csv",
  access: "client",
  summary: "The same list as a file for a spreadsheet",
  description: `${description} At most ${maxExportedRows} rows, the newest.`,
  query: z.object(conversationFilters),
  responses: { 200: { description: "CSV with a header line.", contentType: "text/csv; charset=utf-8" } },
  problems: ["cache_connection_failed"],
});
