/**
 * Finds a conversation: in the session store for a day, and afterwards in the archive. Where several have had the id one
 * after the other, it is the newest that the caller may see.
 */
import { mayAccess, requireAccess, type Caller } from "@voice/shared/auth/caller";
import { describeSession } from "@voice/shared/archive/describe-session";
import { inSlices } from "@voice/shared/platform/steps";
import type { sessionState } from "@voice/shared/contracts/http/sessions";
import type { z } from "zod";
import type { Dependencies } from "../dependencies.ts";
import { missing } from "./require-known.ts";

/** Rejects if neither has it, or if it is not the caller's. */
export async function findSession(
  sessionId: string,
  caller: Caller,
  { state, archive }: Pick<Dependencies, "state" | "archive">,
): Promise<z.infer<typeof sessionState>> {
  // Reads everything in one round trip; what an unknown id would waste is small.
  const [found, history] = await Promise.all([state.sessions.get(sessionId), state.sessions.history(sessionId)]);
  if (typeof found !== "string" && mayAccess(caller, found.owner)) return inSlices(describeSession(found, history));
  const kept = await archive();
  const all = (await kept?.conversationsOf(sessionId)) ?? [];
  for (const key of all.filter(({ owner }) => mayAccess(caller, owner))) {
    const archived = await kept?.read(key);
    if (archived !== undefined) return archived;
  }
  for (const { owner } of typeof found === "string" ? all : [found, ...all]) requireAccess(caller, owner, "session");
  throw missing(typeof found === "string" ? found : "expired", "session");
}
