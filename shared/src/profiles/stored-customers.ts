/**
 * Customers whose documents this service stores: the profiles that were generated for a demonstration, and a document for
 * sessions that name none. A session gets its own copy of that document as soon as a tool changes something, so that a blocked
 * card stays blocked on every host.
 */
import { isOtherTenants, requireAccess } from "../auth/caller.ts";
import { VoiceError } from "../platform/errors.ts";
import type { ProfileStore } from "../state/records/profile-store.ts";
import { updateWithRetry } from "../state/update-with-retry.ts";
import type { CustomerDocument, CustomerSource } from "../tools/customer.ts";

/** `defaultDocument` belongs to every session that names no profile. */
export function createStoredCustomers(profiles: ProfileStore, defaultDocument: CustomerDocument): CustomerSource {
  return {
    async find({ sessionId, customerId, namedBy }) {
      if (customerId !== undefined) {
        const stored = await profiles.get(customerId);
        if (stored === undefined || (namedBy !== undefined && isOtherTenants(namedBy, stored.owner))) return undefined;
        if (namedBy !== undefined) requireAccess(namedBy, stored.owner, "profile");
        return { id: customerId, document: stored.document };
      }
      if (sessionId === undefined) return undefined;
      const id = ownCopyOf(sessionId);
      return { id, document: (await profiles.get(id))?.document ?? defaultDocument };
    },
    async update({ id, sessionId }, change) {
      if (id === ownCopyOf(sessionId)) await createUnlessThere(profiles, sessionId, defaultDocument);
      const stored = await updateWithRetry({
        async read() {
          const current = await profiles.get(id);
          if (current === undefined) throw new VoiceError("not_found", "the session's profile has expired");
          return current;
        },
        decide: ({ document }) => change(document),
        write: (current, changed) => profiles.update(id, current.version, changed),
      });
      return stored.document;
    },
  };
}

/** The id of a session's own copy of the default document. */
export function ownCopyOf(sessionId: string): string {
  return `profile-of-${sessionId}`;
}

async function createUnlessThere(profiles: ProfileStore, sessionId: string, document: CustomerDocument): Promise<void> {
  const profileId = ownCopyOf(sessionId);
  if ((await profiles.get(profileId)) !== undefined) return;
  try {
    await profiles.create({ profileId, document: { ...document }, sessionId });
  } catch (error) {
    const isThereMeanwhile = error instanceof VoiceError && error.code === "conflict";
    if (!isThereMeanwhile) throw error;
  }
}
