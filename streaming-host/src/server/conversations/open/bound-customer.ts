/**
 * The customer that a session's tools act for: the one that the session is bound to, otherwise the caller as
 * identified.
 */
import { BadRequestError, toVoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import { NotDoneError } from "@voice/shared/tools/not-done-error";
import type { Customer, CustomerDocument, CustomerQuery, CustomerSource } from "@voice/shared/tools/customer";
import type { FoundCustomer } from "@voice/shared/tools/customer";
import { z } from "zod";

export function noSuchProfile(): BadRequestError {
  return new BadRequestError("not_found", "There is no such profile.", [
    { field: "profile_id", message: "no profile of this id, or it has expired", code: "not_found" },
  ]);
}

/** What is known about the caller, whatever customer the session names. */
export type CallerFacts = Pick<CustomerQuery, "phoneNumber" | "subject">;

export function createBoundCustomer(source: CustomerSource, facts: CallerFacts = {}): BoundCustomer {
  return new BoundCustomer(source, facts);
}

export class BoundCustomer {
  readonly #source: CustomerSource;
  readonly #facts: CallerFacts;
  #bound: FoundCustomer | undefined;
  /**
   * If the session names nobody, it is read again before the first tool, since another host may have changed it
   * meanwhile.
   */
  #calling: FoundCustomer | undefined;
  /**
   * The session is bound to this customer, who could not be read: until that succeeds, no other customer's details are
   * used.
   */
  #missing: string | undefined;
  /**
   * Changes to one session are written one after the other; on a conflict between sessions, the loser decides again.
   */
  #writes: Promise<unknown> | undefined;

  constructor(source: CustomerSource, facts: CallerFacts) {
    this.#source = source;
    this.#facts = facts;
  }

  /** Undefined if the session names none. */
  get profileId(): string | undefined {
    return this.#bound?.id;
  }

  get callerName(): string | undefined {
    return named.safeParse(this.#bound?.document).data?.full_name;
  }

  /** Rejects with `not_found` if the customer does not exist, and keeps the previous one. */
  async bind(profileId: string): Promise<void> {
    const found = await this.#source.find({ ...this.#facts, sessionId: undefined, customerId: profileId });
    if (found === undefined) throw noSuchProfile();
    this.#bound = found;
    this.#missing = undefined;
  }

  /**
   * Binds to the customer that the stored session names; if that one has expired, the session keeps the customer it
   * had.
   */
  async follow(profileId: string | undefined, logger: Logger): Promise<void> {
    if (profileId === undefined || profileId === this.#bound?.id) return;
    try {
      await this.bind(profileId);
    } catch (error) {
      const { code, retryable } = toVoiceError(error);
      this.#missing = retryable ? profileId : undefined;
      logger.warn({ error, code }, "the session's profile could not be read");
    }
  }

  /** Undefined if nobody is known. */
  async forTools(sessionId: string): Promise<Customer | undefined> {
    try {
      if (this.#missing !== undefined) await this.bind(this.#missing);
      if (this.#bound !== undefined) return this.#customerOf(this.#bound, sessionId);
      this.#calling ??= await this.#source.find({ ...this.#facts, sessionId, customerId: undefined });
    } catch (error) {
      return unreachable(error, this.#missing);
    }
    return this.#calling && this.#customerOf(this.#calling, sessionId);
  }

  #customerOf({ id, document: atFirst }: FoundCustomer, sessionId: string): Customer {
    const documentNow = (): CustomerDocument => this.#known(id)?.document ?? atFirst;
    return {
      id,
      get document() {
        return documentNow();
      },
      update: (change) =>
        this.#inTurn(async () => {
          const document = await this.#source.update({ id, sessionId }, change);
          if (this.#bound?.id === id) this.#bound = { id, document };
          if (this.#calling?.id === id) this.#calling = { id, document };
          return document;
        }),
    };
  }

  #known(id: string): FoundCustomer | undefined {
    return [this.#bound, this.#calling].find((customer) => customer?.id === id);
  }

  #inTurn<Result>(task: () => Promise<Result>): Promise<Result> {
    const mine = (this.#writes ?? Promise.resolve()).then(task);
    this.#writes = mine.catch(() => undefined); // the requesting tool reports the failure
    return mine;
  }
}

/** The only details of a customer that the host itself needs. */
const named = z.object({ full_name: z.string() });

/** Tools that ask about the customer fail and tell the caller so; the others are unaffected. */
function unreachable(cause: unknown, id = "unknown"): Customer {
  const { code, message } = toVoiceError(cause);
  const error = new NotDoneError(code, message, { cause });
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
