/**
 * The customer that a session's tools act for: the one that the session is bound to, otherwise the caller as
 * identified.
 */
import { BadRequestError, toVoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type { Customer, CustomerDocument, CustomerQuery, CustomerSource } from "@voice/shared/tools/customer";
import type { FoundCustomer } from "@voice/shared/tools/customer";
import { z } from "zod";

export interface BoundCustomer {
  /** Undefined if the session names none. */
  readonly profileId: string | undefined;
  readonly callerName: string | undefined;
  /** Rejects with `not_found` if the customer does not exist, and keeps the previous one. */
  bind(profileId: string): Promise<void>;
  /**
   * Binds to the customer that the stored session names; if that one has expired, the session keeps the customer it
   * had.
   */
  follow(profileId: string | undefined, logger: Logger): Promise<void>;
  /** Undefined if nobody is known. */
  forTools(sessionId: string): Promise<Customer | undefined>;
}

export function noSuchProfile(): BadRequestError {
  return new BadRequestError("not_found", "There is no such profile.", [
    { field: "profile_id", message: "no profile of this id, or it has expired", code: "not_found" },
  ]);
}

/** What is known about the caller, whatever customer the session names. */
export type CallerFacts = Pick<CustomerQuery, "phoneNumber" | "subject">;

export function createBoundCustomer(source: CustomerSource, facts: CallerFacts = {}): BoundCustomer {
  let bound: FoundCustomer | undefined;
  /**
   * If the session names nobody, it is read again before the first tool, since another host may have changed it
   * meanwhile.
   */
  let calling: FoundCustomer | undefined;
  /**
   * The session is bound to this customer, who could not be read: until that succeeds, no other customer's details are
   * used.
   */
  let missing: string | undefined;
  /**
   * Changes to one session are written one after the other; on a conflict between sessions, the loser decides again.
   */
  let writes: Promise<unknown> = Promise.resolve();

  async function bind(profileId: string): Promise<void> {
    const found = await source.find({ ...facts, sessionId: undefined, customerId: profileId });
    if (found === undefined) throw noSuchProfile();
    bound = found;
    missing = undefined;
  }

  function inTurn<Result>(task: () => Promise<Result>): Promise<Result> {
    const mine = writes.then(task);
    writes = mine.catch(() => undefined); // the requesting tool reports the failure
    return mine;
  }

  function customerOf({ id, document: atFirst }: FoundCustomer, sessionId: string): Customer {
    const isStill = (other: FoundCustomer | undefined): boolean => other?.id === id;
    return {
      id,
      get document() {
        return [bound, calling].find(isStill)?.document ?? atFirst;
      },
      update: (change) =>
        inTurn(async () => {
          const document = await source.update({ id, sessionId }, change);
          if (isStill(bound)) bound = { id, document };
          if (isStill(calling)) calling = { id, document };
          return document;
        }),
    };
  }

  return {
    get profileId() {
      return bound?.id;
    },
    get callerName() {
      return named.safeParse(bound?.document).data?.full_name;
    },
    bind,
    async follow(profileId, logger) {
      if (profileId === undefined || profileId === bound?.id) return;
      try {
        await bind(profileId);
      } catch (error) {
        const { code, retryable } = toVoiceError(error);
        missing = retryable ? profileId : undefined;
        logger.warn({ error, code }, "the session's profile could not be read");
      }
    },
    async forTools(sessionId) {
      try {
        if (missing !== undefined) await bind(missing);
        if (bound !== undefined) return customerOf(bound, sessionId);
        calling ??= await source.find({ ...facts, sessionId, customerId: undefined });
      } catch (error) {
        return unreachable(error, missing);
      }
      return calling && customerOf(calling, sessionId);
    },
  };
}

/** The only details of a customer that the host itself needs. */
const named = z.object({ full_name: z.string() });

/** Tools that ask about the customer fail and tell the caller so; the others are unaffected. */
function unreachable(cause: unknown, id = "unknown"): Customer {
  const error = toVoiceError(cause);
  return {
    id,
    get document(): CustomerDocument {
      throw error;
    },
    async update() {
      throw error;
    },
  };
}
