/**
 * Leases on calls. The holder of a call keeps extending its deadline; if a deadline passes, one of the watching
 * processes takes the call and checks what is wrong with it. Times are durations, because the clocks of hosts differ.
 */
export interface CallHold {
  readonly callId: string;
  /** The holder of the lease; a new id each time that a call is taken on. */
  readonly holder: string;
}

export interface CallDeadlines {
  /** Makes this the holder, in place of any earlier one. */
  hold(hold: CallHold, forMs: number): Promise<void>;
  /** Extends the deadlines of those of the calls that no other holder has taken. */
  renew(holds: readonly CallHold[], forMs: number): Promise<void>;
  /** Releases the call; has no effect if another holder has it. */
  release(hold: CallHold, dueInMs: number): Promise<void>;
  /** Sets a deadline if the call has none. */
  expect(callId: string, dueInMs: number): Promise<void>;
  /** Sets the deadline and removes the holder, even another host. */
  set(callId: string, dueInMs: number): Promise<void>;
  /** The call's holder. */
  holderOf(callId: string): Promise<string | undefined>;
  /**
   * Calls whose deadline has passed, oldest first. Each is returned to one process only, and is due again after
   * `againInMs`.
   */
  takeOverdue(againInMs: number, limit: number): Promise<readonly string[]>;
  /** Removes the call's deadline and holder. */
  forget(callId: string): Promise<void>;
}
