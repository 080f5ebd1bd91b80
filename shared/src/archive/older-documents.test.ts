import { expect, it } from "vitest";
import { archivedConversation, archivedSummary } from "./conversation-archive.ts";

/** As it was archived before usage was counted. */
const older = {
  session_id: "session-1",
  status: "ended",
  scenario: "default",
  active_agent: "front-desk",
  conversation_history: [],
  channel: "phone",
  user_email: null,
  streaming_mode: "MEDIA",
  created_at: "2026-01-01T00:00:00.000Z",
  last_activity_at: "2026-01-01T00:01:00.000Z",
  memory: {},
  turns: [],
  archived_at: "2026-01-01T00:02:00.000Z",
  call_connection_id: null,
};

it("[COST-6] reads and lists conversations that were archived before their costs were known", () => {
  expect(archivedConversation.parse(older)).toMatchObject({ cost: null, usage: [], failures: [], end_reason: null });
  expect(archivedSummary.parse(older)).toMatchObject({ cost: null, end_reason: null });
});
