/** Finds a conversation: in the session store for a day, and afterwards in the archive. */
import { requireAccess, type Caller } from "@voice/shared/auth/caller";
import { describeSession } from "@voice/shared/archive/describe-session";
import { inSlices } from "@voice/shared/platform/steps";
import type { sessionState } from "@voice/shared/contracts/http/sessions";
import type { z } from "zod";
import type { Dependencies } from "../dependencies.ts";
import { requireOwnSession } from "./own.ts";
import { missing } from "./require-known.ts";

/** Rejects if neither has it, or if it is not the caller's. */
export async function findSession(
  sessionId: string,
  caller: Caller,
  { state, archive }: Pick<Dependencies, "state" | "archive">,
): Promise<z.infer<typeof sessionState>> {
  // Reads everything in one round trip; what an unknown id would waste is small.
  const [found, history] = await Promise.all([state.sessions.get(sessionId), state.sessions.history(sessionId)]);
  if (typeof found !== "string") return inSlices(describeSession(requireOwnSession(found, caller), history));
  const archived = await (await archive())?.find(sessionId);
  if (archived === undefined) throw missing(found, "session");
  requireAccess(caller, archived.owner ?? undefined, "session");
  return archived;
}
