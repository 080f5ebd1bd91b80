/**
 * Work that must not be lost. Each piece is due at a time; whoever takes it has it for the length of a lease, and if that
 * process dies, the piece is due again for the next one. Times are durations, because the clocks of processes differ.
 */
export interface Hold {
  readonly id: string;
  /** The holder of the work; a new name each time it is taken. */
  readonly holder: string;
}

export interface Lease extends Hold {
  /** Another one each time that the lease is renewed. */
  readonly version: string;
  /** How much longer it lasts, in milliseconds; at most 0 once it is over. */
  readonly lastsMs: number;
}

export interface TakeOrder {
  readonly limit: number;
  /** What is taken is due again after this time. */
  readonly leaseMs: number;
  /** Only pieces whose ids end with this, after a colon. */
  readonly lane?: string;
}

/** Pieces of work of which nothing has to be known but their ids. */
export interface Deadlines {
  /** Sets a due time if there is none. */
  expect(id: string, dueInMs: number): Promise<void>;
  /** Sets the due time, and takes the piece away from whoever has it. */
  set(id: string, dueInMs: number): Promise<void>;
  /** Makes this the holder, in place of any earlier one, until the time is over. */
  hold(hold: Hold, forMs: number): Promise<void>;
  /** Makes this the holder, unless there is another one. */
  claim(hold: Hold, forMs: number): Promise<boolean>;
  /** Extends the leases of those that nobody has taken. Resolves with the others, which these holders have no more. */
  renew<T extends Hold>(holds: readonly T[], forMs: number): Promise<readonly T[]>;
  /** Gives it back, due after this time; has no effect if another holder has it. */
  release(hold: Hold, dueInMs: number): Promise<void>;
  holderOf(id: string): Promise<string | undefined>;
  leaseOf(id: string): Promise<Lease | undefined>;
  /** Takes the piece away from its holder, due after this time. False, and without effect, if the lease was renewed since. */
  revoke(lease: Lease, dueInMs: number): Promise<boolean>;
  /** What is due, each for one process only, and nobody's until somebody holds it; what has been due longest comes first. */
  take(order: TakeOrder): Promise<readonly string[]>;
  forget(id: string): Promise<void>;
}

/** Text, whose form is known to those who put it there and take it. */
export interface WorkContent {
  /** What is to be done. */
  readonly facts: string;
  /** What comes of it; absent while that is not known yet. */
  readonly body?: string | undefined;
}

export interface Begun extends WorkContent {
  /** 1 for the first. As text, it is the holder. */
  readonly attempt: number;
}

/** Pieces of work with a content. What was finished is remembered, so that the same piece is never put in twice. */
export interface WorkQueue extends Deadlines {
  /**
   * Puts a piece in, due after this time. One that is known already takes the body, and with it the time, if it had none;
   * otherwise nothing changes.
   */
  put(id: string, content: WorkContent & InGroup, dueInMs: number): Promise<void>;
  /** A piece without a body that nobody has is due in this time, if that is sooner. */
  hasten(id: string, dueInMs: number): Promise<void>;
  /** Counts an attempt at a piece that was taken, and makes it the holder. Undefined if there is nothing to do any more. */
  begin(id: string): Promise<Begun | undefined>;
  /** Stores the body for every further attempt. False if the piece was withdrawn, or somebody else has it. */
  keepBody(hold: Hold, body: string): Promise<boolean>;
  /** It is done, or given up. Has no effect if somebody else has it. */
  finish(hold: Hold & InGroup): Promise<void>;
  /** What is neither done nor given up, with or without a holder: what has waited longest comes first. */
  waiting(limit: number): Promise<readonly WaitingPiece[]>;
  /** Removes those pieces of a group, also while somebody has them, whose facts are meant. */
  withdraw(group: string, isMeant: (facts: string | undefined) => boolean): Promise<void>;
}

export interface WaitingPiece {
  readonly id: string;
  /** How long ago it was put in, in milliseconds. */
  readonly forMs: number;
}

export interface InGroup {
  /** Those of one group may be withdrawn together. */
  readonly group?: string | undefined;
}

/** Takes what is due, and begins an attempt at each piece. */
export async function beginDue(queue: Pick<WorkQueue, "take" | "begin">, order: TakeOrder): Promise<readonly Begun[]> {
  const begun = await Promise.all((await queue.take(order)).map((id) => queue.begin(id)));
  return begun.filter((piece) => piece !== undefined);
}
