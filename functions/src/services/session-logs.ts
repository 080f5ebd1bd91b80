/** What is stored of a session piece by piece: the messages to those who watched, and the requests to models. */
import type { DescribedRequest, sessionMessagesResponse } from "@voice/shared/contracts/http/session-logs";
import { freeForm } from "@voice/shared/contracts/http/fields";
import { BadRequestError } from "@voice/shared/platform/errors";
import type { State } from "@voice/shared/state/ports/state";
import { z } from "zod";
import type { Dependencies } from "../dependencies.ts";
import { findConversation, type AskedConversation } from "./find-conversation.ts";

type Sources = Pick<Dependencies, "state" | "archive">;

/** Rejects if the conversation is not the caller's, or is only in the archive. */
export async function requireStored(asked: AskedConversation, sources: Sources): Promise<void> {
  const { isStored } = await findConversation(asked, sources);
  if (!isStored) throw new BadRequestError("session_expired", "It was deleted with the session, after a day.");
}

const batch = z.array(z.looseObject({ type: z.string(), timestamp: z.iso.datetime() }));
const firstOfAll = z.object({ type: z.literal("session"), payload: z.object({ resumed: z.literal(false) }) });

/** Reads the messages of a session that `requireStored` has accepted. */
export async function readMessages(
  sessionId: string,
  { messageLog }: Pick<State, "messageLog">,
): Promise<z.input<typeof sessionMessagesResponse>> {
  const messages = (await messageLog.read(sessionId)).flatMap((piece) => batch.parse(JSON.parse(piece)));
  return { session_id: sessionId, is_complete: firstOfAll.safeParse(messages[0]).success, messages };
}

const storedRequest = z.object({
  atMs: z.number(),
  kind: z.enum(["language_model", "realtime_model"]),
  agent: z.string().optional(),
  model: z.string().optional(),
  settings: freeForm,
  /** A number is the place of a message in the request before. */
  messages: z.array(z.union([z.int(), freeForm])),
  /** Null: those of the request before. */
  tools: z.array(freeForm).nullable(),
  outcome: z.enum(["completed", "failed", "cancelled", "sent"]),
  firstEventMs: z.number().optional(),
  tookMs: z.number().optional(),
  finishReason: z.string().optional(),
  usage: freeForm.optional(),
  isWhole: z.boolean(),
  isTooLong: z.boolean().optional(),
});

/** Requests whose predecessors are no longer stored are left out, and so are those of a host that has begun to count anew. */
export function expandRequests(pieces: readonly string[]): DescribedRequest[] {
  let before: Pick<DescribedRequest, "messages" | "tools"> | undefined;
  return pieces.flatMap((piece) => {
    const stored = storedRequest.parse(JSON.parse(piece));
    if (!stored.isWhole && before === undefined) return [];
    const messages = stored.messages.map((message) =>
      typeof message === "number" ? (before?.messages[message] ?? {}) : message,
    );
    before = { messages, tools: stored.tools ?? before?.tools ?? [] };
    return [
      {
        at: new Date(stored.atMs).toISOString(),
        kind: stored.kind,
        agent: stored.agent ?? null,
        model: stored.model ?? null,
        settings: stored.settings,
        ...before,
        outcome: stored.outcome,
        first_event_ms: stored.firstEventMs ?? null,
        took_ms: stored.tookMs ?? null,
        finish_reason: stored.finishReason ?? null,
        usage: stored.usage ?? null,
        is_too_long: stored.isTooLong === true,
      },
    ];
  });
}
