/** Stores an agent or a scenario of a session. */
import { BadRequestError, VoiceError } from "@voice/shared/platform/errors";
import type { JsonDocument, SessionDocument, SessionDocuments } from "@voice/shared/state/records/session-documents";

interface Definition {
  readonly sessionId: string;
  readonly document: JsonDocument & { readonly name: string };
  readonly owner: string | undefined;
}

/** `what`: in words, for the answer to a name that the session has already. */
export async function createDefinition(
  documents: SessionDocuments,
  what: "agent" | "scenario",
  { sessionId, document, owner }: Definition,
): Promise<SessionDocument> {
  try {
    return await documents.create(sessionId, document.name, document, owner);
  } catch (error) {
    if (!(error instanceof VoiceError) || error.code !== "conflict") throw error;
    throw new BadRequestError("conflict", `The session already has this ${what}; choose another name.`, [
      { field: "name", message: "Taken in this session, whatever the letters' case", code: "name_taken" },
    ]);
  }
}
