/**
 * The customer whom a session's tools act for: the one that the session is bound to, or else the default customer, of whom
 * each session has a copy of its own as soon as a tool changes something, so that a card stays blocked on every host.
 */
import { BadRequestError, toVoiceError, VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import { defaultProfile } from "@voice/shared/profiles/default-profile";
import { isOutage } from "@voice/shared/state/recall";
import type { ProfileStore } from "@voice/shared/state/ports/profile-store";
import { updateWithRetry } from "@voice/shared/state/update-with-retry";
import type { Customer, CustomerDocument } from "@voice/shared/tools/customer";
import { z } from "zod";

export interface BoundProfile {
  readonly profileId: string | undefined;
  readonly callerName: string | undefined;
  /** Rejects with `not_found` for a profile that does not exist, and keeps the one before. */
  bind(profileId: string): Promise<void>;
  /** Binds to the customer that the stored session names; one that has expired leaves the session with the customer it had. */
  follow(profileId: string | undefined, logger: Logger): Promise<void>;
  forTools(sessionId: string): Promise<Customer>;
}

export function noSuchProfile(): BadRequestError {
  return new BadRequestError("not_found", "There is no such profile.", [
    { field: "profile_id", message: "no profile of this id, or it has expired", code: "not_found" },
  ]);
}

interface Known {
  readonly profileId: string;
  readonly document: CustomerDocument;
}

export function createBoundProfile(profiles: ProfileStore): BoundProfile {
  let bound: Known | undefined;
  let ownCopy: Known | undefined;
  /** The session is bound to it, and it could not be read: until it can, nobody else's details stand in. */
  let missing: string | undefined;
  /** Changes of one session are written one after the other; between sessions, whoever loses the race decides again. */
  let writes: Promise<unknown> = Promise.resolve();

  async function bind(profileId: string): Promise<void> {
    const stored = await profiles.get(profileId);
    if (stored === undefined) throw noSuchProfile();
    bound = { profileId, document: stored.document };
    missing = undefined;
  }

  function boundCustomer({ profileId, document: atFirst }: Known): Customer {
    return {
      get document() {
        return bound?.profileId === profileId ? bound.document : atFirst;
      },
      update: (change) =>
        inTurn(async () => {
          const document = await write(profiles, profileId, change);
          if (bound?.profileId === profileId) bound = { profileId, document };
          return document;
        }),
    };
  }

  /** Read before the first tool: another host may have changed it while it held the session. */
  async function defaultCustomer(sessionId: string): Promise<Customer> {
    const profileId = `profile-of-${sessionId}`;
    try {
      ownCopy ??= { profileId, document: (await profiles.get(profileId))?.document ?? defaultProfile };
    } catch (error) {
      return unreachable(error);
    }
    const atFirst = ownCopy.document;
    return {
      get document() {
        return ownCopy?.document ?? atFirst;
      },
      update: (change) =>
        inTurn(async () => {
          await createUnlessThere(profiles, sessionId, profileId);
          const document = await write(profiles, profileId, change);
          ownCopy = { profileId, document };
          return document;
        }),
    };
  }

  function inTurn<Result>(task: () => Promise<Result>): Promise<Result> {
    const mine = writes.then(task);
    writes = mine.catch(() => undefined); // the tool that asked for it hears of its failure
    return mine;
  }

  return {
    get profileId() {
      return bound?.profileId;
    },
    get callerName() {
      return named.safeParse(bound?.document).data?.full_name;
    },
    bind,
    async follow(profileId, logger) {
      if (profileId === undefined || profileId === bound?.profileId) return;
      try {
        await bind(profileId);
      } catch (error) {
        missing = isOutage(error) ? profileId : undefined;
        logger.warn({ error, code: toVoiceError(error).code }, "the session's profile could not be read");
      }
    },
    async forTools(sessionId) {
      try {
        if (missing !== undefined) await bind(missing);
      } catch (error) {
        return unreachable(error);
      }
      return bound === undefined ? await defaultCustomer(sessionId) : boundCustomer(bound);
    },
  };
}

/** All that the host itself wants to know of a customer. */
const named = z.object({ full_name: z.string() });

async function write(
  profiles: ProfileStore,
  profileId: string,
  change: (document: CustomerDocument) => CustomerDocument,
): Promise<CustomerDocument> {
  const stored = await updateWithRetry({
    async read() {
      const current = await profiles.get(profileId);
      if (current === undefined) throw new VoiceError("not_found", "the session's profile has expired");
      return current;
    },
    decide: ({ document }) => change(document),
    write: (current, changed) => profiles.update(profileId, current.version, changed),
  });
  return stored.document;
}

async function createUnlessThere(profiles: ProfileStore, sessionId: string, profileId: string): Promise<void> {
  if ((await profiles.get(profileId)) !== undefined) return;
  try {
    await profiles.create({ profileId, document: { ...defaultProfile }, sessionId });
  } catch (error) {
    const isThereMeanwhile = error instanceof VoiceError && error.code === "conflict";
    if (!isThereMeanwhile) throw error;
  }
}

/** Tools that ask about the customer fail, and tell the caller so; the others are not concerned. */
function unreachable(cause: unknown): Customer {
  const error = toVoiceError(cause);
  return {
    get document(): CustomerDocument {
      throw error;
    },
    async update() {
      throw error;
    },
  };
}
