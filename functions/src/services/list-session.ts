/** A conversation's line in a list: also who is on the telephone and whether something failed, because people look for that. */
import { summariseSession } from "@voice/shared/archive/describe-session";
import type { sessionListResponse } from "@voice/shared/contracts/http/sessions";
import { farNumberOf, type CallStore } from "@voice/shared/state/ports/call-store";
import type { SessionRecord } from "@voice/shared/state/ports/session-store";
import type { z } from "zod";

type ListedSession = z.input<typeof sessionListResponse>["sessions"][number];

export async function listSession(
  session: SessionRecord,
  calls: Pick<CallStore, "getByConnection">,
): Promise<ListedSession> {
  const { callConnectionId } = session;
  const call = callConnectionId === undefined ? undefined : await calls.getByConnection(callConnectionId);
  return {
    ...summariseSession(session),
    call:
      call === undefined
        ? null
        : { call_id: call.callId, direction: call.direction, far_number: farNumberOf(call) ?? null },
    failure_count: session.failures?.length ?? 0,
  };
}
