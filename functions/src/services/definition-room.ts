/** What one session may keep of its own: its agents and scenarios together, as the store writes them. */
import { BadRequestError } from "@voice/shared/platform/errors";
import type { Dependencies } from "../dependencies.ts";

/** Two requests at the same moment may go beyond the limit by one document. */
export async function requireRoom(
  sessionId: string,
  document: object,
  { state, settings }: Pick<Dependencies, "state" | "settings">,
): Promise<void> {
  const limit = settings.maxSessionDefinitionBytes;
  const kept = await Promise.all([state.agents.list(sessionId), state.scenarios.list(sessionId)]);
  const bytes = kept.flat().reduce((sum, one) => sum + bytesOf(one.document), bytesOf(document));
  if (bytes <= limit) return;
  throw new BadRequestError("conflict", `The session's agents and scenarios would take ${bytes} bytes.`, [
    { field: "body", message: `At most ${limit} bytes for all of a session together`, code: "quota_exceeded" },
  ]);
}

function bytesOf(document: object): number {
  return Buffer.byteLength(JSON.stringify(document));
}
