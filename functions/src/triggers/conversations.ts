/** The table of conversations. */
import { exportConversations, listConversations, maxExportedRows } from "@voice/shared/contracts/http/conversations";
import type { ConversationPlace, ConversationRow } from "@voice/shared/state/ports/conversation-table";
import { answer, route, type Route } from "../http/route.ts";
import { toCsv } from "../services/conversations-csv.ts";
import {
  conversationQuery,
  describeConversation,
  findConversations,
  formatPlace,
  parsePlace,
} from "../services/find-conversations.ts";
import { onlyOf } from "../services/own.ts";

/** Read together for an export. */
const exportedAtOnce = 500;

export const conversationRoutes: readonly Route[] = [
  answer(listConversations)(async ({ query, request }, { state, clock }) => {
    const { limit, after } = query;
    const { rows, next, total } = await findConversations(
      {
        ...conversationQuery(query, onlyOf(request.caller)),
        limit,
        after: after === undefined ? undefined : parsePlace(after),
      },
      state,
    );
    const nowMs = clock.wallNow();
    return {
      conversations: rows.map((row) => describeConversation(row, nowMs)),
      next: next === undefined ? null : formatPlace(next),
      total: total ?? null,
    };
  }),

  route(exportConversations)(async ({ query, request }, { state, clock }) => {
    const filter = conversationQuery(query, onlyOf(request.caller));
    const rows: ConversationRow[] = [];
    let after: ConversationPlace | undefined;
    do {
      const limit = Math.min(exportedAtOnce, maxExportedRows - rows.length);
      const page = await findConversations({ ...filter, limit, after }, state);
      rows.push(...page.rows);
      after = page.next;
    } while (after !== undefined && rows.length < maxExportedRows);
    const nowMs = clock.wallNow();
    return {
      status: 200,
      headers: { "content-disposition": 'attachment; filename="conversations.csv"' },
      text: toCsv(rows.map((row) => describeConversation(row, nowMs))),
    };
  }),
];
