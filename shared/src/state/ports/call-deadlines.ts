/**
 * By when somebody has to look at a call. Whoever looks after the call pushes its deadline back; once nobody has, one of
 * those who watch takes the call, to look what is wrong with it. Times are spans, because the clocks of hosts differ.
 */
export interface CallHold {
  readonly callId: string;
  /** Who looks after the call; another one each time that a call is taken on. */
  readonly holder: string;
}

export interface CallDeadlines {
  /** From now on this holder looks after the call, in place of whoever did before. */
  hold(hold: CallHold, forMs: number): Promise<void>;
  /** Pushes back the deadlines of those calls that nobody else has taken on. */
  renew(holds: readonly CallHold[], forMs: number): Promise<void>;
  /** The holder does not look after the call any more; without effect when it is another's. */
  release(hold: CallHold, dueInMs: number): Promise<void>;
  /** Sets a deadline where the call has none. */
  expect(callId: string, dueInMs: number): Promise<void>;
  /** Sets the deadline, whoever looks after the call: from now on nobody does. */
  set(callId: string, dueInMs: number): Promise<void>;
  /** Who looks after the call. */
  holderOf(callId: string): Promise<string | undefined>;
  /** Calls whose deadline has passed, the oldest first. Each is given to one asker, and is due again after `againInMs`. */
  takeOverdue(againInMs: number, limit: number): Promise<readonly string[]>;
  /** Nobody has to look at the call any more. */
  forget(callId: string): Promise<void>;
}
